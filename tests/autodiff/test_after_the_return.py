"""Memory that a function made and let out: whoever called it may change it before the reverse sweep reads it again.

What a block holds was read again in the reverse sweep although the caller had overwritten it: the wrong derivative, in silence.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em

HEAD = "#include <stdlib.h>\n#define APART static __attribute__((noinline))\n"
ROWS = """
APART double **rows(double x) {
    double **m = malloc(2*sizeof *m);
    for (int i = 0; i < 2; i++) { m[i] = malloc(8); m[i][0] = x*(i + 1); }
    return m;
}
double f(double x, double y) { double **m = rows(x), *t = m[0]; m[0] = m[1]; m[1] = t; return m[0][0]*y + m[1][0]; }
"""
POWERS = """
APART double *powers(double x) {
    double *v = malloc(3*sizeof *v);
    v[0] = x;
    for (int i = 1; i < 3; i++) v[i] = v[i-1]*v[i-1];
    return v;
}
double f(double x, double y) { double *v = powers(x), s = v[2]*y + v[1]; v[0] = v[1] = v[2] = y; return s*v[0]; }
"""
SQUARES = """
APART double squares(const double *v) { double s = 0; for (int i = 0; i < 3; i++) s += v[i]*v[i]; return s; }
"""
CALL_READS = (
    SQUARES
    + """
APART double *make(double x, double *sum) {
    double *v = malloc(3*sizeof *v);
    for (int i = 0; i < 3; i++) v[i] = x + i;
    *sum = squares(v);
    return v;
}
double f(double x, double y) { double s, *v = make(x, &s); s += v[2]*y; v[0] = v[1] = v[2] = y; return s*v[0]; }
"""
)
IN_STATIC = (
    SQUARES
    + """
static double *kept;
APART double make(double x) {
    double *v = malloc(3*sizeof *v);
    for (int i = 0; i < 3; i++) v[i] = x + i;
    double s = squares(v);
    kept = v;
    return s;
}
double f(double x, double y) {
    double s = make(x) + kept[2]*y;
    kept[0] = kept[1] = kept[2] = y;
    s *= kept[0]; free(kept); kept = 0;
    return s;
}
"""
)
X, Y = 1.3, 0.7
SQUARED = X**2 + (X + 1) ** 2 + (X + 2) ** 2
MADE = (Y * (6 * X + 6 + Y), SQUARED + 2 * (X + 2) * Y)


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        pytest.param(ROWS, (2 * Y + 1, 2 * X), id="pointers"),
        pytest.param(POWERS, (4 * X**3 * Y**2 + 2 * X * Y, 2 * X**4 * Y + X**2), id="numbers"),
        pytest.param(CALL_READS, MADE, id="read-by-a-call"),
        pytest.param(IN_STATIC, MADE, id="let-out-by-a-static"),
    ],
)
def test_the_caller_changes_what_a_function_made(opt: int, source: str, wanted: tuple[float, float]) -> None:
    f = em.compile_c(HEAD + source, opt=opt).f
    assert tuple(map(float, f.grad(X, Y))) == pytest.approx(wanted)
    assert float(em.jvp(f, (X, Y), (1.0, 0.0))[1]) == pytest.approx(wanted[0])
