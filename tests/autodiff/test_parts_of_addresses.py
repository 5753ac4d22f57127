"""Parts of addresses in integers that are shorter than a pointer, put together again elsewhere: right, or refused with a reason."""

from __future__ import annotations

import pytest

from tests.autodiff import cubes

HEAD = """
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NI static __attribute__((noinline))
NI void split(uint32_t *to, const uint64_t *from) { to[0] = (uint32_t)*from; to[1] = (uint32_t)(*from >> 32); }
NI void join(uint64_t *to, const uint32_t *from) { *to = from[0] | (uint64_t)from[1] << 32; }
NI void join_bytes(unsigned char *to, const uint32_t *from) { for (int i = 0; i < 8; i++) to[i] = from[i/4] >> 8*(i%4); }
NI double joined(const uint32_t *from) { return *(double *)(from[0] | (uint64_t)from[1] << 32); }
NI void gather(uint32_t *to, const unsigned char *c) {
    for (int i = 0; i < 2; i++) to[i] = c[4*i] | c[4*i+1] << 8 | c[4*i+2] << 16 | (unsigned)c[4*i+3] << 24; }
NI void shorts(uint16_t *to, const unsigned char *c) { for (int i = 0; i < 4; i++) to[i] = c[2*i] | c[2*i+1] << 8; }
NI void words(void *to, const void *from, int n) { memcpy(to, from, n); }
NI void same(uint32_t *to, const uint32_t *from) { to[0] = from[0]; to[1] = from[1]; }
NI double value(double *const *p) { return **p; }
typedef struct { uint32_t low, high; double v; double *p; } S;
NI void of_bytes(S *to, const S *from) {
    const unsigned char *c = (const unsigned char *)&from->p; uint32_t h = 0, l = 0;
    for (int i = 3; i >= 0; i--) { l = l*256 + c[i]; h = h*256 + c[4 + i]; }
    to->high = h, to->low = l; }
NI void back(S *to, const S *s) { uint32_t w[2] = {s->low, s->high}; memcpy(&to->p, w, 8); }
NI double read(const S *s) { return *s->p; }
typedef struct { int low, high; } Handle;
NI Handle handle(double *p) { Handle h = {(int)(uintptr_t)p, (int)((uintptr_t)p >> 32)}; return h; }
NI double *pointer(Handle h) { return (double *)((uintptr_t)(uint32_t)h.low | (uintptr_t)(uint32_t)h.high << 32); }
static struct { unsigned low, high; } context;
NI void enter(double *p) { context.low = (unsigned)(uintptr_t)p, context.high = (unsigned)((uintptr_t)p >> 32); }
NI double left(void) { return *(double *)((uintptr_t)context.low | (uintptr_t)context.high << 32); }
NI void run(S *s) { of_bytes(s, s); back(s, s); }
NI unsigned hash(const void *p) { return (unsigned)((uintptr_t)p >> 4)*2654435761u; }
typedef struct { unsigned hash; double v; } Slot;
NI void keep(Slot *s, const double *key, double v) { s->hash = hash(key), s->v = v; }
typedef struct { int tag; union { double d; void *p; long n; } u; } Tagged;
typedef struct { Tagged stack[8], vars[2]; int top; double *data; } Machine;
NI void push(Machine *m, Tagged x) { m->stack[m->top++] = x; }
NI Tagged pop(Machine *m) { return m->stack[--m->top]; }
NI Tagged number(double d) { Tagged v; v.tag = 1; v.u.d = d; return v; }
NI void step(Machine *m, int op, int k) {
    Tagged a, b;
    if (op == 0) m->vars[k] = pop(m);
    if (op == 1) push(m, m->vars[k]);
    if (op == 2) { a = pop(m); b = pop(m); push(m, number(a.u.d*b.u.d)); }
    if (op == 3) { a = pop(m); push(m, number(*(double *)a.u.p)); } }
NI double find(const Slot *s, const double *key) { return s->hash == hash(key) ? s->v : 0; }
"""
LOCAL = "double d = x*x, *p = &d, *q; uint32_t b[2], c[2]; uint64_t u, v; "
HEAP = (
    "double *d = malloc(8), **h = calloc(2, 8), **g = calloc(2, 8); *d = x*x; h[1] = d; uint32_t *b = calloc(2, 4);"
    " uint64_t *u = calloc(2, 8), *v = calloc(2, 8); "
)
# x -> x^3 each
PARTS = {
    "halves": LOCAL + "memcpy(&u, &p, 8); split(b, &u); join(&v, b); memcpy(&q, &v, 8); return value(&q)*x;",
    "halves_to_bytes": LOCAL
    + "memcpy(&u, &p, 8); split(b, &u); join_bytes((unsigned char *)&q, b); return value(&q)*x;",
    "halves_read": LOCAL + "memcpy(&u, &p, 8); split(b, &u); return joined(b)*x;",
    "bytes_copied": LOCAL + "gather(b, (unsigned char *)&p); memcpy(&q, b, 8); return value(&q)*x;",
    "bytes_read": LOCAL + "gather(b, (unsigned char *)&p); return joined(b)*x;",
    "bytes_moved": LOCAL + "gather(b, (unsigned char *)&p); words(&q, b, 8); return value(&q)*x;",
    "moved_again": LOCAL + "gather(b, (unsigned char *)&p); same(c, b); memcpy(&q, c, 8); return value(&q)*x;",
    "sixteen_bits": LOCAL + "uint16_t s[4]; shorts(s, (unsigned char *)&p); memcpy(&q, s, 8); return value(&q)*x;",
    "in_a_block": HEAP + "memcpy(u, h + 1, 8); split(b, u); join(v, b); memcpy(g + 1, v, 8); return value(g + 1)*x;",
    "beside_a_pointer": HEAP + "g[0] = d; gather(b, (unsigned char *)(h + 1)); memcpy(g, b, 8); return value(g)*x;",
    "of_a_struct": "double d = x*x; S a = {0, 0, x, &d}, b = {0}; of_bytes(&b, &a); back(&b, &b); return read(&b)*x;",
    "in_one_struct": "double d = x*x; S a = {0, 0, x, &d}; of_bytes(&a, &a); a.p = 0; back(&a, &a); return read(&a)*x;",
    "by_a_helper": "double d = x*x; S a = {0, 0, x, &d}; run(&a); return read(&a)*x;",
    "by_value": "double d = x*x; Handle h = handle(&d); return *pointer(h)*x;",
    "in_statics": "double d = x*x; enter(&d); return left()*x;",
}
# What only looks like it.
RIGHT = {
    "hashes": "double k[2]; Slot s[2]; for (int i = 0; i < 2; i++) keep(s + i, k + i, x); return find(s, k)*find(s + 1, k + 1)*x;",
    "a_stack_machine": "static const int ops[] = {0,0, 1,0, 1,0, 2,0, 0,1, 1,1, 1,0, 2,0}; Machine m = {0}; push(&m, number(x));"
    " for (int i = 0; i < 8; i++) step(&m, ops[2*i], ops[2*i + 1]); return pop(&m).u.d;",
    "halves_of_numbers": "double d = x*x, r; uint32_t w[2], u[2]; memcpy(w, &d, 8); same(u, w); memcpy(&r, u, 8); return r*x;",
}


def _found(body: str, opt: int, mode: str) -> str:
    return cubes.found(HEAD + f"double f(double x) {{ {body} }}", opt, mode)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("opt", [0, 2])
def test_parts_lead_nowhere_in_silence(opt: int, mode: str) -> None:
    found = {name: _found(body, opt, mode) for name, body in PARTS.items()}
    assert {name: what for name, what in found.items() if what not in ("right", "EM230")} == {}


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("opt", [0, 2])
def test_hashes_and_parts_of_numbers_are_none(opt: int, mode: str) -> None:
    assert {name: _found(body, opt, mode) for name, body in RIGHT.items()} == dict.fromkeys(RIGHT, "right")
