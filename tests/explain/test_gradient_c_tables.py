"""The gradient as C of functions that read constant arrays of the program: the text has these, and computes the same."""

from __future__ import annotations

import numpy as np
import pytest

from tests.explain.c_text_checks import compare, compiled

X = np.array([0.5, 2.0, 1.5, -0.25, 3.0, 0.75])
HEAD = "#include <math.h>\n"
BODY = "double f(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += READ*x[i]*x[i]; return s; }"
TABLES = {
    "numbers": ("static const double w[4] = {.1, -.2, 1e-300, 3};", "w[i%4]"),
    "a limit": ("static const double w[2] = {1, INFINITY};", "fmin(w[i%2], x[i])"),
    "floats": ("const float w[3] = {.1f, -.2f, 3};", "w[i%3]"),
    "rows": ("static const double w[2][3] = {{1, 2, 3}, {4, 5, 6}};", "w[i & 1][i%3]"),
    "few of many": ("static const double w[8] = {1, 2};", "w[i]"),
    "zeros and others": ("static const double w[3][2] = {{0}, {1, 2}};", "w[i%3][i & 1]"),
    "places": ("static const int at[6] = {5, 3, 1, 0, 2, 4};", "x[at[i]]"),
    "small integers": (
        "static const char at[6] = {5, 3, 1, 0, 2, 4}; static const unsigned short u[6] = {65535, 1};",
        "u[i]*x[at[i]]",
    ),
    "named like parameters": ("static const double n_[2] = {1, 2}, s[2] = {3, 4};", "n_[i & 1]*1.5"),
}
PROGRAMS = {name: f"{table}\n{BODY.replace('READ', read)}" for name, (table, read) in TABLES.items()} | {
    "quadrature": "double f(const double *x, int n) { static const double node[3] = {-0.7745966692414834, 0, 0.7745966692414834},"
    " weight[3] = {5./9, 8./9, 5./9}; double s = 0; for (int k = 0; k < 3; k++) s += weight[k]*exp(x[0]*node[k])*x[1]*n;"
    " return s; }",
    "of a function that calls itself": "static const double w[3] = {1, 2, 3};\n"
    "double f(const double *x, int n) { return n == 0 ? 1 : w[n%3]*x[n-1]*f(x, n - 1); }",
    "given to a helper": "static const double w[3] = {1, 2, 3};\nstatic __attribute__((noinline)) double dot(const double *a,"
    " const double *b, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]*b[i]*b[i]; return s; }\n"
    "double f(const double *x, int n) { return dot(w, x, 3)*x[n-1]; }",
}


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_constant_tables_are_part_of_the_text(name: str, opt: int) -> None:
    found = compare(compiled(HEAD + PROGRAMS[name], opt=opt), "f", [X, 6])
    assert "static const " in found.text, found.reason
    assert not found.differs(exact=True), found.text


MANY = ", ".join(str(k / 7) for k in range(70))
REFUSED = {
    "it may change": "static double w[2] = {1, 2};\nvoid set(double v) { w[0] = v; }\n"
    + BODY.replace("READ", "w[i & 1]"),
    "it is long": f"static const double w[70] = {{{MANY}}};\n" + BODY.replace("READ", "w[9*i]"),
    "it holds structs": "static const struct { double a; int k; } w[2] = {{1, 2}, {3, 4}};\n"
    + BODY.replace("READ", "w[i & 1].a*w[i & 1].k"),
    "a variable leads there": "static const double w[3] = {1, 2, 3}, v[3] = {4, 5, 6};\n"
    + BODY.replace("double s = 0;", "const double *p = x[0] > 0.2 ? v : w; double s = 0;").replace("READ", "p[i%3]"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_variables_are_refused(name: str) -> None:
    found = compare(compiled(HEAD + REFUSED[name]), "f", [X, 6])
    assert not found.text
    assert found.reason.endswith("which is static or global")
