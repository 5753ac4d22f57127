"""What stands beside derivatives and carries none: callbacks that are not there, text in structs, types without a body."""

from __future__ import annotations

import pytest

import enzyme_magic as em

LEVELS = pytest.mark.parametrize("opt", [0, 1, 2, 3])

SOURCE = r"""
#include <ctype.h>
#include <stdio.h>
#include <string.h>
typedef double (*callback)(double);
typedef struct { double (*call)(double, void *); void *context; } options;
static callback hook;
void set_hook(callback h) { hook = h; }
static double apply(callback h, double y) { return h(y); }
double hooked(double x) { double y = x*x; if (hook) y = apply(hook, y) + hook(y); return y; }
double with_options(double x, int n) {
    options o = {0, 0};
    double y = x*x;
    for (int i = 0; i < n; i++) { if (o.call) y += o.call(y, o.context); y *= 2; }
    return y;
}
typedef struct { int arity; union { double (*one)(double); double (*two)(double, double); } u; } operation;
static double square(double x) { return x*x; }
static double run(operation *o, double x) {
    switch (o->arity) { case 1: return o->u.one(x); case 2: return o->u.two(x, x); }
    return 0;
}
double executed(double x, int arity) { operation o; o.arity = arity; o.u.one = square; return run(&o, x); }

typedef struct { char name[16]; double w; int n; } record;
double text(double x, const char *given) {
    record r;
    strcpy(r.name, given);
    r.w = x*x;
    strncpy(r.name + 5, "zz", 3);
    sscanf(r.name, "%d", &r.n);
    int letters = 0;
    for (const char *s = r.name; *s; s++) letters += isalpha((unsigned char)*s) != 0 && toupper((unsigned char)*s) != 'Z';
    return r.w*r.n*letters;
}
double parsed(double x, const char *given) {
    record r;
    double factor;
    r.w = x*x;
    sscanf(given, "%d %7s %lf", &r.n, r.name, &factor);
    return r.w*r.n*factor + (r.name[0] == 'a')*x;
}
double number(double x) {
    record r;
    r.w = x*x;
    sscanf("7.5", "%lf", &r.w);
    return r.w*x;
}

typedef struct hidden hidden;
extern hidden outside;
hidden *get_outside(void) { return &outside; }
"""
LIBRARY = "struct hidden { int n; }; struct hidden outside = {3};"


@LEVELS
def test_not_refused(opt: int) -> None:
    p = em.compile_c([SOURCE, LIBRARY], opt=opt)
    assert p.hooked.grad(3.0) == 6.0
    assert em.jvp(p.hooked, 3.0, 1.0)[1] == 6.0
    assert p.with_options.grad(3.0, 1) == 12.0
    assert p.executed.grad(3.0, 1) == 6.0
    if opt == 0:  # optimized code knows that it is undefined
        with pytest.raises(em.ExecutionError):
            p.executed.grad(3.0, 2)
    assert p.text.grad(3.0, b"12abc") == 3 * 72.0
    assert p.parsed.grad(3.0, b"2 ab 1.5") == 19.0
    assert em.jvp(p.parsed, (3.0, b"2 ab 1.5"), (1.0, None))[1] == 19.0
    assert p.number.grad(3.0) == 7.5  # it overwrites a number


SOLVER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NI static __attribute__((noinline))
typedef struct { double now[4], next[2][4]; char *error; double h; } solver;
NI void fail(solver *s, const char *what, double t) {
    s->error = malloc(64);
    snprintf(s->error, 64, "%s at %g, h = %g", what, t, s->h);
}
NI int step(solver *s, double *y, double t) {
    memcpy(s->now, s->next[1], sizeof s->now);
    if (s->h < 1e-9) { fail(s, "too small", t); return 0; }
    for (int i = 0; i < 4; i++) y[0] += s->h*s->now[i], y[1] += y[0];
    s->h *= 2;
    return 1;
}
double solved(double x) {
    solver s;
    memset(&s, 0, sizeof s);
    s.h = x;
    for (int i = 0; i < 4; i++) s.next[1][i] = x;
    double y[2] = {0, 0};
    for (int k = 0; k < 2; k++) if (!step(&s, y, k)) break;
    free(s.error);
    return y[0];
}
"""


@LEVELS
def test_solvers_that_write_messages(opt: int) -> None:
    """A number in a message, and a copy of numbers: nobody reads the one for the other (EM220 before)."""
    solved = em.compile_c(SOLVER, opt=opt).solved
    assert solved.grad(0.5) == 12.0  # 4*x*x + 4*2*x*x
    assert solved.jvp((0.5,), (1.0,))[1] == 12.0
