"""sanitize=True: accesses through pointers, to arrays with an extent, variables and blocks, in primal and gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import enzyme_magic as em

C = r"""
#include <stdlib.h>
#include <string.h>
double squares(int n, const double x[n]) {
    double sum = 0;
    for (int i = 0; i <= n - 1 + (x[0] > 5); i++)
        sum += x[i] * x[i];
    return sum;
}
double walked(int n, const double x[n], const double y[2 * n]) {
    double sum = 0;
    const double *p = y, *end = y + 2 * n + (x[0] > 5);
    while (p != end)
        sum += *p++ * x[0];
    return sum;
}
double row(int n, int m, double A[n][m], int i) {
    return A[i][1] * A[i][1];
}
double block(double x, int n, int k) {
    double *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = i * x;
    double r = p[k];
    free(p);
    return r;
}
double local(double x, int k) {
    double a[4] = { x, x, x, x }, *p = a;
    p += k;
    return *p * x;
}
static double table[5] = { 1, 2, 3, 4, 5 };
double chosen(double x, int k) {
    double a[2] = { x, 2 * x };
    const double *p = k < 2 ? a : table;
    return p[k] * x;
}
double copied(int n, const double x[n], int k) {
    double a[4] = { 1, 1, 1, 1 };
    memcpy(a, x, k * sizeof(double));
    return a[0] * a[0];
}
struct point { double a, b, c; };
double member(int n, const struct point x[n], double y, int k) {
    return x[k].b * y;
}
void differences(int n, const double x[n], double y[n - 1]) {
    for (int i = 0; i < n - 1 + (x[0] > 5); i++)
        y[i] = x[i] - x[0];
}
double given(const double *x, int n, int k) {
    return x[k] * x[k];
}
"""
LOW = np.arange(3.0)
HIGH = LOW + 6
ROWS = np.ones((3, 2))
TRIPLES = np.zeros(3, dtype=[("a", float), ("b", float), ("c", float)])
OUT = np.zeros(2)


@pytest.fixture(scope="module", params=[0, 2])
def checked(request: pytest.FixtureRequest) -> em.Program:
    return em.compile_c(C, name="C", opt=request.param, sanitize=True, shape={"x": "n"})


PLAIN = em.compile_c(C, shape={"x": "n"})


@pytest.mark.parametrize(
    ("name", "good", "bad", "line", "said"),
    [
        ("squares", (LOW,), (HIGH,), 7, "x: index 3, and it has 3 elements"),
        ("walked", (3, LOW, np.arange(6.0)), (3, HIGH, np.arange(6.0)), 14, "p: index 6, and it has 6 elements"),
        ("row", (ROWS, 2), (ROWS, 3), 18, "A: index 7, and it has 6 elements"),
        ("row", (ROWS, 0), (ROWS, -1), 18, "A: index -1, and it has 6 elements"),
        ("block", (2.0, 3, 2), (2.0, 3, 3), 24, "p: index 3, and it has 3 elements"),
        ("block", (2.0, 3, 0), (2.0, 3, -1), 24, "p: index -1, and it has 3 elements"),
        ("local", (2.0, 3), (2.0, 4), 31, "p: index 4, and it has 4 elements"),
        ("chosen", (2.0, 4), (2.0, 5), 37, "p: index 5, and it has 5 elements"),
        ("chosen", (2.0, 1), (2.0, -1), 37, "p: index -1, and it has 2 elements"),
        ("copied", (LOW, 3), (LOW, 4), 41, "x: index 3, and it has 3 elements"),
        ("copied", (np.arange(9.0), 0), (np.arange(9.0), 5), 41, "a: index 4, and it has 4 elements"),
        ("given", (LOW, 3, 2), (LOW, 3, 3), 53, "x: index 3, and it has 3 elements"),
    ],
)
def test_line_index_and_extent_are_named(
    checked: em.Program, name: str, good: tuple[Any, ...], bad: tuple[Any, ...], line: int, said: str
) -> None:
    plain, function = PLAIN[name], checked[name]
    assert function(*good) == plain(*good)
    assert repr(function.grad(*good)) == repr(plain.grad(*good))
    for called in (function, function.grad):
        with pytest.raises(em.ExecutionError) as error:
            called(*bad)
        assert (error.value.code, error.value.line) == ("EM413", line)
        assert said in error.value.message


def test_fields_and_output_arrays(checked: em.Program) -> None:
    assert checked.member(TRIPLES, 2.0, 2) == 0.0
    with pytest.raises(em.ExecutionError, match="x: index 3, and it has 3 elements"):
        checked.member(TRIPLES, 2.0, 3)
    checked.differences(LOW, OUT)
    np.testing.assert_array_equal(OUT, [0, 1])
    with pytest.raises(em.ExecutionError, match="y: index 2, and it has 2 elements"):
        checked.differences(HIGH, OUT)
    _, pull = checked.differences.vjp(LOW, OUT)
    assert pull is not None
    with pytest.raises(em.ExecutionError, match="y: index 2, and it has 2 elements"):
        checked.differences.vjp(HIGH, OUT)


EXTENTS = r"""
double f(int n, unsigned char m, double x[n * (n + 1) / 2 + m % 3 - (m >> 1)], int k) { return x[k] * x[k]; }
double none(int n, const double *y, int k) { return y[k] * y[k]; }
"""


def test_extents_are_what_python_asks_for() -> None:
    p = em.compile_c(EXTENTS, sanitize=True, shape={"y": "n - 5"})
    for n, m in ((3, 4), (20, 200), (2, 0)):
        count = max(n * (n + 1) // 2 + m % 3 - (m >> 1), 0)
        x = np.ones(count)
        assert p.f(n, m, x, count - 1) == 1.0
        with pytest.raises(em.ExecutionError, match=f"index {count}, and it has {count} elements"):
            p.f(n, m, x, count)
    with pytest.raises(em.ExecutionError, match="index 0, and it has 0 elements"):
        p.none(3, np.ones(1), 0)


RELEASES = r"""
#include <stdlib.h>
double of_variable(double x, int k) {
    double a[4] = { x, x, x, x }, *p = malloc(32), *q = k ? a : p;
    q[0] = x * x;
    double r = q[0];
    free(q);
    return r;
}
double of_the_middle(double x, int k) {
    double *p = calloc(4, 8);
    p[0] = x * x;
    double r = p[0];
    p += k;
    p = realloc(p, 64);
    free(p);
    return r;
}
"""


@pytest.mark.parametrize(
    ("name", "line", "said"), [("of_variable", 7, "release of q"), ("of_the_middle", 15, "release of p")]
)
def test_releases_of_what_is_no_block(name: str, line: int, said: str) -> None:
    f = em.compile_c(RELEASES, sanitize=True)[name]
    assert (f(3.0, 0), f.grad(3.0, 0)) == (9.0, 6.0)
    for called in (f, f.grad):
        with pytest.raises(em.ExecutionError, match=said) as error:
            called(3.0, 2)
        assert (error.value.code, error.value.line) == ("EM413", line)


UNWRITTEN = r"""
#include <stdlib.h>
double some(double x, int k) {
    double t;
    if (k < 2)
        t = x * x;
    return t * x;
}
double each_time(double x, int k) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double t;
        if (i != k)
            t = x * i;
        sum += t;
    }
    return sum;
}
static void write(double *p, double x) { *p = x; }
double pointed(double x, int k) {
    double t, *p;
    write(&t, x);
    switch (k) {
    case 0: p = &t; break;
    case 1: p = &x; break;
    default: break;
    }
    while (k-- > 0)
        for (int i = 0, j; i < 2; i++) {
            j = i;
            t += j;
        }
    return *p * t;
}
double sized(double x, int m) {
    double (*u)[m] = malloc(2 * sizeof *u), (*v)[m] = malloc(sizeof u[0]);
    for (int j = 0; j < m; j++)
        v[0][j] = u[1][j] = x * j;
    double r = u[1][m - 1] * v[0][m - 1];
    free(u);
    free(v);
    return r;
}
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_reads_of_variables_without_a_value(opt: int) -> None:
    p, plain = em.compile_c(UNWRITTEN, opt=opt, sanitize=True), em.compile_c(UNWRITTEN, opt=0)
    assert (p.sized(3.0, 2), p.sized.grad(3.0, 2)) == (9.0, 6.0)
    for name, good, bad, line, said in (
        ("some", 1, 2, 7, "a read of t,"),
        ("each_time", 5, 1, 15, "a read of t,"),
        ("pointed", 1, 2, 33, "a read of p,"),
    ):
        function = p[name]
        assert (function(3.0, good), function.grad(3.0, good)) == (plain[name](3.0, good), plain[name].grad(3.0, good))
        for called in (function, function.grad):
            with pytest.raises(em.ExecutionError, match=said) as error:
                called(3.0, bad)
            assert (error.value.code, error.value.line) == ("EM413", line)


EMPTY = r"""
#include <stdlib.h>
#include <string.h>
#include <math.h>
struct s { double a, b; int k; };
static struct s make(double x) { struct s v; v.a = x; v.k = 2; return v; }
static double both(struct s v, int k) { return k ? v.a * v.a : v.b * v.a; }
static double first(const double *p) { return p[0]; }
double local(double x, int k) { double a[4]; for (int i = 0; i < k; i++) a[i] = x * x; double t = a[1]; return t * x; }
double heap(double x, int k) {
  double *p = malloc(4 * sizeof *p);
  for (int i = 0; i < k; i++) p[i] = x;
  double r = sin(p[1]);
  free(p); return r; }
double passed(double x, int k) { struct s v = make(x); struct s w = v; return both(w, k); }
double helper(double x, int k) { double a[3]; if (k) a[0] = x; return first(a) * x; }
double vla(double x, int k) {
  double s = 0;
  for (int j = 0; j < 2; j++) { double a[k + 1]; if (j < k) a[j] = x; s += a[j] * a[j]; } return s; }
double whole(double x, int k) { long n[4]; for (int i = 0; i < k; i++) n[i] = i; return x * (n[1] + 1); }
double copied(double x, int k) {
  double a[4], b[4]; a[0] = x; if (k) a[2] = x; memcpy(b, a, sizeof b);
  for (int i = 0; i < 4; i++) a[i] = b[i]; return a[0] * (k ? a[2] : b[2]); }
"""
EMPTY_CASES = (
    ("local", 4, 1, 9, "t, which"),
    ("heap", 4, 1, 13, "p, which"),
    ("passed", 1, 0, 7, "v, which"),
    ("helper", 1, 0, 16, "a number, which"),
    ("vla", 2, 1, 19, "a number, which"),
    ("whole", 4, 1, 20, "n, which"),
    ("copied", 1, 0, 23, "a number, which"),
)


@pytest.mark.parametrize("opt", [0, 2])
def test_numbers_that_were_never_written(opt: int) -> None:
    """In arrays, structs and blocks, also where they were copied first."""
    p, plain = em.compile_c(EMPTY, opt=opt, sanitize=True), em.compile_c(EMPTY, opt=0)
    for name, good, bad, line, said in EMPTY_CASES:
        function = p[name]
        assert (function(3.0, good), function.grad(3.0, good)) == (plain[name](3.0, good), plain[name].grad(3.0, good))
        for called in (function, function.grad):
            with pytest.raises(em.ExecutionError, match=f"a use of {said} was never written") as error:
                called(3.0, bad)
            assert (error.value.code, error.value.line) == ("EM413", line)
