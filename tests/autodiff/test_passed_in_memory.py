"""Integers and pointers that functions are given, or return, of which only the run knows whether they are numbers.

On x86-64 and AArch64 a struct of up to 16 bytes travels in registers, a union of a number and an integer as an integer.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em

HEAD = """
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define APART static __attribute__((noinline))
typedef struct { int tag; union { double d; long i; void *p; } u; } value;
APART value real(double x) { value v; v.tag = 1; v.u.d = x; return v; }
APART value whole(long i) { value v; v.tag = 0; v.u.i = i; return v; }
APART double number(value v) { return v.tag == 1 ? v.u.d : (double)v.u.i; }
APART value sum(value a, value b) {
    if (a.tag == 0 && b.tag == 0) return whole(a.u.i + b.u.i);
    return real(number(a) + number(b));
}
APART value product(value a, value b) {
    if (a.tag == 0 && b.tag == 0) return whole(a.u.i * b.u.i);
    return real(number(a)*number(b));
}
"""

VALUES = {
    "array": "value v[3]; v[0] = whole(2); v[1] = real(x*x); v[2] = v[1]; double r = 0;"
    " for (int i = 0; i < 3; i++) r += (i + 1)*number(v[i]); return r;",
    "folded": "value s = whole(0); for (int i = 1; i < 5; i++) s = sum(s, i & 1 ? whole(i) : real(x*i));"
    " return number(product(s, s));",
    "machine": 'value stack[8]; int top = 0; const char *code = "x2*x+3*";'
    " for (const char *c = code; *c; c++) {"
    "  if (*c == 'x') stack[top++] = real(x);"
    "  else if (*c >= '0' && *c <= '9') stack[top++] = whole(*c - '0');"
    "  else { value b = stack[--top], a = stack[--top]; stack[top++] = *c == '+' ? sum(a, b) : product(a, b); } }"
    " return number(stack[0]);",
    "chosen": "value a = real(sin(x)), b = whole(3); value c = x > 1 ? a : b, d = x > 1 ? b : a; return number(c)*number(d);",
}

OTHERS = """
typedef union { double d; uint64_t i; } word;
APART word of_number(double d) { word w; w.d = d; return w; }
APART word of_integer(uint64_t i) { word w; w.i = i; return w; }
APART double read(word w, int number) { return number ? w.d : (double)w.i; }
double words(double x) {
    word w[2] = {of_number(x*x), of_integer(3)};
    double r = 0;
    for (int i = 0; i < 2; i++) r += read(w[i], !i)*x;
    return r;
}
typedef struct { int tag; union { float f; int i; } u; } small;
APART small small_number(float f) { small s = {1}; s.u.f = f; return s; }
APART small small_integer(int i) { small s = {0}; s.u.i = i; return s; }
APART double small_read(small s) { return s.tag ? (double)s.u.f : (double)s.u.i; }
double smalls(double x) {
    small s[2] = {small_number((float)(x*x)), small_integer(2)};
    return small_read(s[0])*small_read(s[1]) + small_read(s[1]);
}
APART uint64_t get(const uint64_t *t, int i) { return t[i]; }
APART void put(uint64_t *t, int i, uint64_t v) { t[i] = v; }
double table(double x) {
    uint64_t t[4] = {0};
    double y = x*x, z;
    memcpy(&t[1], &y, 8);
    put(t, 0, get(t, 1));
    put(t, 2, 5);
    memcpy(&z, t, 8);
    return z + (double)get(t, 2);
}
typedef struct node { int op; union { double d; long i; } u; const struct node *a, *b; } node;
APART value eval(const node *n, double x) {
    switch (n->op) {
    case 'd': return real(n->u.d*x);
    case 'i': return whole(n->u.i);
    case '+': return sum(eval(n->a, x), eval(n->b, x));
    default: return product(eval(n->a, x), eval(n->b, x));
    }
}
double tree(double x) {
    node two = {'i', {.i = 2}}, y = {'d', {.d = 1.5}}, p = {'*', {0}, &two, &y}, q = {'+', {0}, &p, &two}, r = {'*', {0}, &q, &y};
    return number(eval(&r, x));
}
"""

MORE = """
typedef struct { int kind; union { double *p; double d; } u; } ref;
APART ref ref_to(double *p) { ref r = {0}; r.kind = 1; r.u.p = p; return r; }
APART ref ref_of(double d) { ref r = {0}; r.u.d = d; return r; }
APART double ref_read(ref r) { return r.kind ? *r.u.p : r.u.d; }
double refs(double x) { double y = x*x; ref a = ref_to(&y), b = ref_of(sin(x)); return ref_read(a)*ref_read(b); }
typedef union { double d; double *p; } slot;
APART slot s_num(double d) { slot s; s.d = d; return s; }
APART slot s_ptr(double *p) { slot s; s.p = p; return s; }
APART double s_get(slot s, int k) { return k ? *s.p : s.d; }
double slots(double x) { double y = x*x; slot s[2] = {s_num(sin(x)), s_ptr(&y)}; return s_get(s[0], 0)*s_get(s[1], 1); }
APART unsigned char byte_of(const void *p, int k) { return ((const unsigned char *)p)[k]; }
APART void set_byte(void *p, int k, unsigned char c) { ((unsigned char *)p)[k] = c; }
double bytes(double x) { double a = x*x, b = 0; for (int k = 0; k < 8; k++) set_byte(&b, k, byte_of(&a, k)); return b*x; }
APART uint32_t half(const void *p, int k) { uint32_t w; memcpy(&w, (const char *)p + 4*k, 4); return w; }
APART void set_half(void *p, int k, uint32_t w) { memcpy((char *)p + 4*k, &w, 4); }
double halves(double x) { double a = x*x, b = 0; for (int k = 0; k < 2; k++) set_half(&b, k, half(&a, k)); return b*x; }
typedef struct { char t; union { double d; short s; int64_t q; } u; } val;
typedef val (*op)(val, val);
APART val vd(double d) { val v; v.t = 'd'; v.u.d = d; return v; }
APART val vs(short s) { val v; v.t = 's'; v.u.s = s; return v; }
APART double vget(val v) { return v.t == 'd' ? v.u.d : v.t == 's' ? v.u.s : (double)v.u.q; }
static val vadd(val a, val b) { return a.t == 's' && b.t == 's' ? vs(a.u.s + b.u.s) : vd(vget(a) + vget(b)); }
static val vmul(val a, val b) { return a.t == 's' && b.t == 's' ? vs(a.u.s * b.u.s) : vd(vget(a) * vget(b)); }
double ops(double x) { op table[2] = {vadd, vmul}; val r = vd(x); for (int i = 0; i < 4;
    i++) r = table[i & 1](r, i & 2 ? vs(3) : r); return vget(r); }
typedef struct cell { val v; struct cell *next; } cell;
APART cell *push(cell *l, val v) { cell *c = malloc(sizeof *c); c->v = v; c->next = l; return c; }
APART val pop(cell **l) { cell *c = *l; val v = c->v; *l = c->next; free(c); return v; }
double list(double x) { cell *l = 0; l = push(l, vs(2)); l = push(l, vd(x*x)); l = push(l, vd(sin(x))); double r = 1;
    while (l) r *= vget(pop(&l)); return r; }
typedef struct { uint64_t key; } boxed;
APART boxed box(double d) { boxed b; memcpy(&b.key, &d, 8); return b; }
APART boxed box_int(int32_t i) { boxed b = {0xfff8000000000000u | (uint32_t)i}; return b; }
APART int is_int(boxed b) { return (b.key >> 48) == 0xfff8; }
APART double unbox(boxed b) { double d; if (is_int(b)) return (int32_t)b.key; memcpy(&d, &b.key, 8); return d; }
double nanbox(double x) { boxed v[3] = {box(x*x), box_int(3), box(sin(x))}; double r = 1; for (int i = 0; i < 3;
    i++) r *= unbox(v[i]); return r; }
APART int64_t keyed(int64_t a, int64_t b) { return a < b ? a : b; }
double least(double x) { double u = x*x, v = x + 3; int64_t a, b; memcpy(&a, &u, 8); memcpy(&b, &v, 8);
    int64_t m = keyed(a, b); double r; memcpy(&r, &m, 8); return r*x + keyed(3, 4); }

APART double read2(const ref *r) { if (!r->u.p) return 0; return r->kind ? *r->u.p : r->u.d; }
double reads(double x) { double y = x*x; ref a[2]; a[0].kind = 1; a[0].u.p = &y; a[1].kind = 0; a[1].u.d = sin(x);
    return read2(a)*read2(a + 1); }
APART double read3(const ref *r) { double *p = r->u.p; return r->kind ? *p : r->u.d; }
double reads3(double x) { double y = x*x; ref a[2]; a[0].kind = 1; a[0].u.p = &y; a[1].kind = 0; a[1].u.d = sin(x);
    return read3(a)*read3(a + 1); }
APART void copy1(ref *to, const ref *from) { if (from->u.p) *to = *from; }
double reads4(double x) { double y = x*x; ref a[2], b[2]; a[0].kind = 1; a[0].u.p = &y; a[1].kind = 0; a[1].u.d = sin(x);
    copy1(b, a + 1); copy1(b + 1, a); return read3(b)*read2(b + 1); }
"""

TEXT = HEAD + OTHERS + MORE + "".join(f"double {name}(double x) {{ {body} }}\n" for name, body in VALUES.items())
NAMES = (*VALUES, "words", "smalls", "table", "tree", "bytes", "halves", "ops", "list", "nanbox", "least")
POINTERS = (
    "refs",
    "slots",
    "reads",
    "reads3",
    "reads4",
)  # a number in the place of a pointer: right, or refused in reverse mode
X = 1.25


def difference(function: em.CFunction, x: float) -> float:
    step = 1e-4 if function.name == "smalls" else 1e-6
    return (function(x + step) - function(x - step)) / (2 * step)


@pytest.mark.parametrize("opt", [0, 1, 3])
def test_the_run_says_what_is_passed(opt: int) -> None:
    program = em.compile(TEXT, opt=opt)
    for name in NAMES:
        function = program[name]
        wanted = pytest.approx(difference(function, X), rel=2e-3 if name == "smalls" else 1e-6)
        assert em.value_and_grad(function)(X) == (function(X), wanted), name
        assert em.jvp(function, (X,), (1.0,)) == (function(X), wanted), name


@pytest.mark.parametrize("opt", [0, 3])
def test_numbers_in_the_place_of_pointers(opt: int) -> None:
    """A pointer that is loaded from a union and passed on may be a number: its derivative was 0 at opt 3, in silence."""
    program = em.compile(TEXT, opt=opt)
    right = 0
    for name in POINTERS:
        function = program[name]
        wanted = pytest.approx(difference(function, X), rel=1e-6)
        for derivative in (lambda f=function: em.grad(f)(X), lambda f=function: em.jvp(f, (X,), (1.0,))[1]):
            try:
                found = derivative()
            except (em.errors.DifferentiationError, em.errors.ExecutionError):
                continue
            assert found == wanted, name
            right += 1
    assert right >= 6


def test_requests_in_c_and_second_derivatives() -> None:
    asks = """
double __enzyme_autodiff(void *, double);
double __enzyme_fwddiff(void *, double, double);
double backwards(double x) { return __enzyme_autodiff((void *)folded, x); }
double forwards(double x) { return __enzyme_fwddiff((void *)folded, x, 1.0); }
"""
    program = em.compile(TEXT + asks, opt=2)
    wanted = pytest.approx(difference(program["folded"], X), rel=1e-6)
    assert program["backwards"](X) == wanted
    assert program["forwards"](X) == wanted
    array = program["array"]
    assert em.hvp(array, (X,), (1.0,)) == pytest.approx(10.0)
    assert em.check_grads(array, (X,)).worst < 1e-6


DECIDES = """
#include <stdbool.h>
static inline uint64_t bits(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }
APART bool less(uint64_t a, uint64_t b) { return a < b; }
double decides(double x) { return less(bits(x*x), bits(x + 9)) ? x*x*x : x; }
APART double even(const ref *r, double *q, int n);
APART double odd(const ref *r, double *q, int n) { return n ? even(r, q, n - 1) : r->kind ? *q : 0; }
APART double even(const ref *r, double *q, int n) {
    if (n) return odd(r, q, n - 1);
    if (r->kind) return *q;
    double d;
    memcpy(&d, &q, 8);
    return d;
}
double mutual(double x) {
    double y = x*x;
    ref a[2];
    a[0].kind = 1; a[0].u.p = &y; a[1].kind = 0; a[1].u.d = sin(x);
    return even(a, a[0].u.p, 2)*odd(a + 1, a[1].u.p, 3);
}
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_bits_that_decide_and_pointers_read_through_a_recursion(opt: int) -> None:
    program = em.compile(TEXT + DECIDES, opt=opt)
    assert em.grad(program["decides"])(X) == pytest.approx(3 * X * X)
    mutual = program["mutual"]
    for derivative in (lambda: em.grad(mutual)(X), lambda: em.jvp(mutual, (X,), (1.0,))[1]):
        try:
            found = derivative()
        except (em.errors.DifferentiationError, em.errors.ExecutionError):
            continue
        assert found == pytest.approx(difference(mutual, X), rel=1e-6)


def test_a_rule_of_the_program_is_not_lost_in_a_copy() -> None:
    rule = """
__attribute__((noinline)) double doubled(value v) { return 2*number(v); }
void *__enzyme_inactivefn[] = {(void *)doubled};
double ruled(double x) { value v[2] = {real(x*x), whole(2)}; return doubled(v[0]) + number(v[1])*x + number(v[0]); }
"""
    program = em.compile(TEXT + rule, opt=1)
    with pytest.raises(em.DifferentiationError):  # what is registered is registered for the function itself
        em.grad(program["ruled"])(X)


def test_pictures_say_in_which_form_it_was_differentiated() -> None:
    folded = em.compile(TEXT, opt=2)["folded"]
    report = folded.activity().report
    assert any("kept in memory here" in note for note in report.notes)
    watched = folded.activity(at=(X,)).report.watched
    assert watched is not None
    assert "passes values in memory" in watched.reason
    assert not any("em.passed" in line for line in f"{folded.cache()}".splitlines())


@pytest.mark.parametrize("opt", range(4))
def test_an_integer_that_is_known_as_a_number_and_computed_with(opt: int) -> None:
    """The only struct of the program that holds it is read as both: the run knows which it is, also where types say "a number"."""
    source = """typedef struct { unsigned char t; union { double d; long i; } u; } V;
    static double num(V v) { if (v.t == 0) return v.u.d; return v.t == 1 ? (double)v.u.i : (double)(v.u.i + 1); }
    double f(double x, double y) {
        V s[3] = {{0, {x}}, {1, {.i = 5}}, {0, {y}}};
        double r = 0;
        for (int i = 0; i < 3; i++) { r = r*0.9 + num(s[i])*num(s[(i + 1) % 3]); s[i].t = 0; s[i].u.d = r*y; }
        return r;
    }"""
    f = em.compile(source, opt=opt)["f"]
    x, y, h = 1.3, 0.7, 1e-6
    by_x, by_y = (f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h)
    assert tuple(em.grad(f)(x, y)) == pytest.approx((by_x, by_y), rel=1e-6)
    assert em.jvp(f, (x, y), (1.0, 0.0))[1] == pytest.approx(by_x, rel=1e-6)
