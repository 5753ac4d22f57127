"""Integers that functions are given, or return, of which only the run knows whether they are numbers: values of tagged unions, bits.

On x86-64 and AArch64 a struct of up to 16 bytes travels in registers, a union of a number and an integer as an integer.
"""

from __future__ import annotations

import math

import pytest

import enzyme_magic as em

HEAD = """
#include <math.h>
#include <stdint.h>
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
    "folded": "value s = whole(0); for (int i = 1; i < 5; i++) s = sum(s, i & 1 ? whole(i) : real(x*i)); return number(product(s, s));",
    "machine": "value stack[8]; int top = 0; const char *code = \"x2*x+3*\";"
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

TEXT = HEAD + OTHERS + "".join(f"double {name}(double x) {{ {body} }}\n" for name, body in VALUES.items())
NAMES = (*VALUES, "words", "smalls", "table", "tree")
X = 1.25


def difference(function: em.CFunction, x: float) -> float:
    step = 1e-4 if function.name == "smalls" else 1e-6
    return (function(x + step) - function(x - step))/(2*step)


@pytest.mark.parametrize("opt", range(4))
def test_the_run_says_what_is_passed(opt: int) -> None:
    program = em.compile(TEXT, opt=opt)
    for name in NAMES:
        function = program[name]
        wanted = pytest.approx(difference(function, X), rel=2e-3 if name == "smalls" else 1e-6)
        assert em.grad(function)(X) == wanted, name
        assert em.jvp(function, (X,), (1.0,))[1] == wanted, name
        assert em.value_and_grad(function)(X)[0] == function(X), name
