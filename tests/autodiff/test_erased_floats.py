"""Stores that are no floating stores, but overwrite floating numbers: their adjoints end there."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

SOURCE = """
#include <string.h>
double two_floats(const double *x, int n) {
    float t[8];
    for (int i = 0; i < 8; i++) t[i] = (float)x[i % n];
    memset(t + 2, 0, 2*sizeof(float));   /* becomes one store of an i64 */
    float v = t[3];
    t[3] = t[1];
    double s = v;
    for (int i = 0; i < 8; i++) s += (i + 1)*t[i];
    return s;
}
typedef struct { float a, b; int k, m; double c; } mixed;
double members(const double *x, int n) {
    mixed q[3];
    for (int i = 0; i < 3; i++) { q[i].a = (float)x[i]; q[i].b = (float)x[0]; q[i].k = i; q[i].m = 1; q[i].c = x[i]; }
    for (int i = 0; i < 2; i++) { q[i].a = 0; q[i].b = 0; q[i].k = 0; q[i].m = 2; }
    double s = 0;
    for (int i = 0; i < 3; i++) s += q[i].a*q[i].m + q[i].b*3 + q[i].c*q[i].k + q[i].c;
    return s;
}
"""


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("function", "want"), [("two_floats", [7.0, 13.0, 8.0, 0.0, 5.0]), ("members", [4.0, 1.0, 4.0, 0.0, 0.0])]
)
def test_overwritten_by_an_integer_store(opt: int, function: str, want: list[float]) -> None:
    x = np.linspace(0.5, 0.9, 5)
    program = em.compile_c(SOURCE, opt=opt)
    assert program[function].grad(x, 5) == pytest.approx(want)
    em.check_grads(program[function], (x, 5), rtol=1e-2, atol=1e-2)
