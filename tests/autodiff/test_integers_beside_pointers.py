"""Integers that are no parts of addresses, though another struct that may be meant has a pointer at their place; in programs that
make pointers of integers."""

from __future__ import annotations

import pytest

from tests.autodiff import cubes

HEAD = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NI static __attribute__((noinline))
NI double joined(const uint32_t *from) { return *(double *)(from[0] | (uint64_t)from[1] << 32); }
typedef double (*Callback)(double, void *);
typedef struct { double a, b; int calls; } Mine;
typedef struct { Callback inner; int n, k; double *at; void *data; } Wrapped;
NI double call(Callback g, double x, void *data) { return g(x, data); }
NI double mine(double x, void *data) { Mine *m = data; m->calls++; return m->a*x; }
NI double wrapped(double x, void *data) { Wrapped *w = data; w->k++; return call(w->inner, x**w->at, w->data); }
typedef struct { double *values; int count; } Public;
typedef struct { double *values; int count; double scale; int *chain; int used, room; } Private;
typedef struct { int previous, next; } Link;
NI Public *make(int n, double x) {
    Private *p = calloc(1, sizeof *p); p->values = malloc(n*sizeof(double)); p->room = p->count = n;
    for (int i = 0; i < n; i++) p->values[i] = x;
    return (Public *)p; }
NI void use(Public *q, Link *l) {
    Private *p = (Private *)q;
    for (int i = 0; i < 3; i++) { l[i].next = p->used; p->used += 2; l[i].previous = p->used - 1; } }
NI double sum(const Public *q, const Link *l) {
    double r = 0;
    for (int i = 0; i < 3; i++) r += q->values[l[i].next]*(l[i].previous - l[i].next);
    return r; }
typedef struct Node { int type; union { double value; const double *bound; }; void *children[1]; } Node;
NI Node *node(int n) { return calloc(1, sizeof(Node) + (n - 1)*sizeof(void *)); }
typedef struct { int type; union { double value; const double *bound; }; void *context; } State;
NI void take(Node *n, State *s) {
    n->type = s->type; n->bound = s->bound;
    if (s->type) memcpy(&n->children[1], &s->context, sizeof(void *)); }
NI double read(const Node *n) { return *n->bound**(double *)n->children[1]; }
uint32_t parts[2];
"""
# x -> x^3 each
RIGHT = {
    "user_data": "Mine m = {x, 2, 0}; Wrapped w = {mine, 0, 0, &x, &m}; return call(wrapped, x, &w) + 0*(m.calls + w.k);",
    "a_longer_struct": "Link l[3]; Public *p = make(6, x); use(p, l); return sum(p, l)*x*x/3;",
    "behind_one_item": "double y = x*x; State s = {1, .bound = &x, .context = &y}, o = {0, .value = x};"
    " Node *n = node(3), *m = node(3); take(n, &s); take(m, &o); return read(n)*m->value/x;",
}
# Parts of an address that a copy put into integers are.
WRONG = {
    "moved_in_place": "double d[2] = {x, x*x}, *p = d, *q; uint32_t w[2]; memcpy(w, &p, 8); step(w);"
    " memcpy(&q, w, 8); return *q*x;",
    "in_user_data": "double d[2] = {x, x*x}, *p = d, *q; Low l = {0, {0, 0}}; memcpy(l.part, &p, 8); call(stepped, x, &l);"
    " memcpy(&q, l.part, 8); return *q*x;",
    "half_of_a_pointer": "double d[2] = {x, x*x}, *q = d; bump(&q); return *q*x;",
    "half_of_a_member": "double d[2] = {x, x*x}; struct { double v; double *q; } s = {x, d}; bump(&s.q); return *s.q*x;",
}
STEPS = """
NI void step(uint32_t *w) { w[0] += 8; }
typedef struct { double a; uint32_t part[2]; } Low;
typedef struct { uint32_t low, high; } Halves;
NI void bump(void *p) { ((Halves *)p)->low += 8; }
NI double stepped(double x, void *data) { Low *l = data; l->part[0] += 8; return x; }
"""


def _found(body: str, opt: int, mode: str) -> str:
    return cubes.found(HEAD + STEPS + f"double f(double x) {{ if (x > 1e30) return joined(parts); {body} }}", opt, mode)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("opt", [0, 2])
def test_integers_beside_pointers_are_none(opt: int, mode: str) -> None:
    assert {name: _found(body, opt, mode) for name, body in RIGHT.items()} == dict.fromkeys(RIGHT, "right")


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("opt", [0, 2])
def test_parts_that_were_copied_there_are_seen(opt: int, mode: str) -> None:
    found = {name: _found(body, opt, mode) for name, body in WRONG.items()}
    assert {name: what for name, what in found.items() if what not in ("right", "EM230")} == {}
