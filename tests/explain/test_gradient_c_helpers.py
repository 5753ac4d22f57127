"""The gradient as C of functions with helpers, blocks of the heap, and variables whose size is known in the call only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.viz.views import view
from tests.explain.c_text_checks import compare, compiled

X = np.array([0.5, 2.0, 1.5, -0.25, 3.0, 0.75])
CUBES = """static void cube(double *o, const double *x, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) { s = s*x[i]; o[i] = s; }
}
"""
MADE_IN_A_LOOP = (
    "#include <stdlib.h>\ndouble f(const double *x, int n) { double s = 0; for (int i = 1; i < n; i++) {"
    " double *b = malloc(i*sizeof *b); b[0] = x[0]; for (int j = 1; j < i; j++) b[j] = b[j-1]*x[j]; s += b[i-1]; free(b); }"
    " return s; }"
)
PROGRAMS: dict[str, tuple[str, list[Any]]] = {
    "a sort by a helper": (
        "void sort(double *a, int n) { for (int i = 0; i < n; i++) for (int j = 0; j + 1 < n - i; j++) if (a[j] > a[j+1]) {"
        " double t = a[j]; a[j] = a[j+1]; a[j+1] = t; } }\n"
        "double f(const double *x, int n) { double b[16]; for (int i = 0; i < n; i++) b[i] = x[i]*x[i]; sort(b, n);"
        " double s = 0; for (int i = 0; i < n; i++) s += i*b[i]; return s; }",
        [X, 6],
    ),
    "a helper in a loop": (
        CUBES + "double f(const double *x, double *o, int n) { double s = 0;"
        " for (int i = 1; i <= n; i++) { cube(o, x, i); s += o[i-1]*o[0]; }"
        " return s; }",
        [X, np.zeros(6), 6],
    ),
    "helpers of helpers": (
        CUBES + "static void __attribute__((noinline)) step(double *o, const double *x, int n) { cube(o, x, n);"
        " for (int i = 0; i < n; i++) o[i] = o[i]*o[i]*x[i]; }\n"
        "double f(const double *x, double *o, int n) { step(o, x, n); step(o, o, n); double s = 0;"
        " for (int i = 0; i < n; i++) s += o[i]*o[i]; return s; }",
        [X / 2, np.zeros(6), 6],
    ),
    "a block": (
        "#include <stdlib.h>\ndouble f(const double *x, int n) { double *b = malloc(n*sizeof *b); b[0] = x[0];"
        " for (int i = 1; i < n; i++) b[i] = b[i-1]*x[i]; double s = b[n-1]*b[1]; free(b); return s; }",
        [X, 6],
    ),
    "a block that stays": (
        "#include <stdlib.h>\ndouble f(const double *x, int n) { double *b = calloc(n, sizeof *b);"
        " for (int i = 1; i < n; i++) b[i] = (b[i-1] + x[i])*x[i]; return b[n-1]*b[1]; }",
        [X, 6],
    ),
    "two blocks in turns": (
        "#include <stdlib.h>\n#include <string.h>\n"
        "double f(const double *x, int n, int m) {"
        " double *a = malloc(n*sizeof *a), *b = malloc(n*sizeof *b); memcpy(a, x, n*sizeof *a);"
        " for (int k = 0; k < m; k++) { for (int i = 0; i < n; i++) b[i] = a[i]*a[(i + 1) % n];"
        " double *t = a; a = b; b = t; } double s = 0; for (int i = 0; i < n; i++) s += a[i]; free(a); free(b); return s; }",
        [X, 6, 3],
    ),
    "a variable of any size": (
        "double f(const double *x, int n) { double t[n]; t[0] = x[0]; for (int i = 1; i < n; i++) t[i] = t[i-1]*x[i];"
        " return t[n-1]*t[n/2]; }",
        [X, 6],
    ),
    "variables of a loop": (
        "#include <math.h>\ndouble f(const double *x, int n) { double s = 0; for (int k = 1; k <= n; k++) { double t[k];"
        " for (int i = 0; i < k; i++) t[i] = exp(x[i])*k; double u[2*k]; for (int i = 0; i < 2*k; i++) u[i] = t[i/2]*t[0];"
        " s += u[k]*u[2*k-1]; } return s; }",
        [X, 6],
    ),
    "variables of loops in loops, in some cases": (
        "double f(const double *x, int n) { double s = 0; for (int k = 1; k <= n; k++) if (x[k-1] > 0.6) { double t[k];"
        " for (int i = 0; i < k; i++) t[i] = x[i]*x[i]; for (int j = 0; j < k; j++) { double u[j+1];"
        " for (int i = 0; i <= j; i++) u[i] = t[i]*t[j]; s += u[j]*u[0]; if (s > 40) return s*s; } } return s; }",
        [X, 6],
    ),
    "variables of a helper that a loop calls": (
        "static double h(const double *x, int n) { double t[n]; for (int i = 0; i < n; i++) t[i] = x[i]*x[i];"
        " return t[0]*t[n-1]; }\n"
        "double f(const double *x, int n) { double w[n]; for (int i = 0; i < n; i++) w[i] = x[i]*x[0]; double s = 0;"
        " for (int k = 1; k <= n; k++) s += h(w, k); return s; }",
        [X, 6],
    ),
    "no variable at all": (
        "double f(const double *x, int n) { double s = x[0]; for (int k = 6; k < n; k++) { double t[k];"
        " for (int i = 0; i < k; i++) t[i] = x[0]*x[0]; s += t[k-1]*t[0]; } return s; }",
        [X, 6],
    ),
    "blocks of a loop": (MADE_IN_A_LOOP, [X, 6]),
    "blocks of a loop that stay": (MADE_IN_A_LOOP.replace("free(b);", ""), [X, 6]),
    "blocks of loops in loops, in some cases": (
        "#include <stdlib.h>\ndouble f(const double *x, int n) { double *w = malloc(n*sizeof *w), s = 0;"
        " for (int i = 0; i < n; i++) w[i] = x[i]*x[0];"
        " for (int i = 1; i < n; i++) { if (x[i] < 0.6) continue; double *b = malloc(i*sizeof *b), *d = calloc(n, sizeof *d);"
        " for (int j = 0; j < i; j++) { b[j] = w[j]*w[j]; d[j] += b[j]*x[i]; } for (int k = 0; k < i; k++) {"
        " double *c = malloc((k+1)*sizeof *c); for (int j = 0; j <= k; j++) c[j] = b[j]*d[k]; s += c[k]*c[0]; free(c); }"
        " free(b); if (s > 99) s -= d[0]; free(d); if (s > 9999) break; } free(w); return s; }",
        [X, 6],
    ),
    "mixtures": (
        "#include <math.h>\nstatic double lse(int k, const double *v) { double m = v[0];"
        " for (int i = 1; i < k; i++) if (v[i] > m) m = v[i]; double s = 0;"
        " for (int i = 0; i < k; i++) s += exp(v[i] - m); return m + log(s); }\n"
        "double f(int n, int k, const double *a, const double *x) { double total = 0, t[k]; for (int i = 0; i < n; i++) {"
        " for (int j = 0; j < k; j++) t[j] = a[j] - x[i]*x[i]*a[j]; total += lse(k, t); } return total - n*lse(k, a); }",
        [4, 3, X, X[::-1].copy()],
    ),
}


@pytest.mark.parametrize("opt", [0, 1, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_computes_what_the_gradient_computes(name: str, opt: int) -> None:
    source, arguments = PROGRAMS[name]
    found = compare(compiled(source, opt=opt), "f", arguments)
    assert found.text, found.reason
    assert not found.differs(exact=False), found.text
    assert ("in the places of their calls" in found.text) <= ("static" in source or "sort" in source)


COUNTED = """#include <math.h>
#include <stdlib.h>
#include <string.h>
static long em_live;
static void *em_m(size_t n) { em_live++; return malloc(n); }
static void *em_c(size_t n, size_t k) { em_live++; return calloc(n, k); }
static void *em_r(void *p, size_t n) { em_live += !p; return realloc(p, n); }
static void em_f(void *p) { em_live -= p != NULL; free(p); }
#define malloc em_m
#define calloc em_c
#define realloc em_r
#define free em_f
"""
ASKED = "\nlong left(const double *x, int n) { double dx[16] = {0}; diffe_f(x, dx, n); return em_live; }"


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize(
    "name",
    [name for name, (source, given) in PROGRAMS.items() if "f(const double *x, int n)" in source and given[0] is X],
)
def test_gives_back_what_it_takes(name: str, opt: int) -> None:
    source, arguments = PROGRAMS[name]
    made = em.compile_c(source, opt=opt)["f"].gradient_c()
    again = em.compile_c(COUNTED + made.text + ASKED)
    stay = {"a block that stays": 1, "blocks of a loop that stay": 5}
    assert again.left(*arguments) == stay.get(name, 0)


def test_what_is_said_of_helpers() -> None:
    """Only functions that are called by name stand in place; and then sums have another order."""
    source = (
        CUBES + "double f(const double *x, double *o, int n) { cube(o, x, n); double s = 0;"
        " for (int i = 0; i < n; i++) s += o[i]; return s; }"
    )
    report = em.compile_c(source, opt=0)["f"].report
    assert report.gradient_c.text.startswith("/* with the bodies of cube in the places of their calls */")
    assert "but for the order of sums" in view(report, "gradient-c").svg
    by_pointer = source.replace(
        "cube(o, x, n); d", "void (*g)(double *, const double *, int) = n > 2 ? cube : other; g(o, x, n); d"
    )
    by_pointer = by_pointer.replace("double f", CUBES.replace("cube", "other").replace("s*x", "s + x") + "double f")
    assert "in the places" not in em.compile_c(by_pointer, opt=0)["f"].gradient_c().text


@pytest.mark.parametrize("source", [PROGRAMS["a block"][0], PROGRAMS["a block that stays"][0], MADE_IN_A_LOOP])
@pytest.mark.parametrize("opt", [0, 2])
def test_blocks_in_forward_mode(source: str, opt: int) -> None:
    f = em.compile_c(source, opt=opt)["f"]
    made = f.gradient_c(mode="forward")
    assert made.available, made.reason
    tangents = np.array([1.0, -1, 2, 0.5, 1, 3])
    again = em.compile_c(made.text)["fwddiffe_f"]
    wanted = em.jvp(f, (X, 6), (tangents, None))[1]
    assert again(X, tangents.copy(), 6) == pytest.approx(wanted, rel=1e-12)


REFUSED = {
    "freed in most iterations": (
        MADE_IN_A_LOOP.replace("free(b);", "if (s > 2) break; free(b);"),
        [X, 6],
        "in some cases only",
    ),
    "handed on by a loop": (
        "#include <stdlib.h>\n#include <string.h>\ndouble f(const double *x, int n) { double *a = malloc(n*sizeof *a);"
        " memcpy(a, x, n*sizeof *a); for (int k = 0; k < 3; k++) { double *b = malloc(n*sizeof *b);"
        " for (int i = 0; i < n; i++) b[i] = a[i]*a[(i + 1)%n]; free(a); a = b; }"
        " double s = 0; for (int i = 0; i < n; i++) s += a[i]; free(a); return s; }",
        [X, 6],
        "of which it is not known who made them",
    ),
    "freed in some cases": (
        "#include <stdlib.h>\nstatic double *kept;\n"
        "double f(const double *x, int n) { double *b = malloc(n*sizeof *b); b[0] = x[0];"
        " for (int i = 1; i < n; i++) b[i] = b[i-1]*x[i]; double s = b[n-1]; if (s > 0) free(b); else kept = b; return s; }",
        [X, 6],
        "in some cases only",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_c_cannot_say_has_a_reason(name: str) -> None:
    source, arguments, reason = REFUSED[name]
    found = compare(compiled(source), "f", arguments)
    assert not found.text
    assert reason in found.reason
