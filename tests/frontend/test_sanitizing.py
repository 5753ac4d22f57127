"""sanitize=True: what C leaves undefined is an error at its line, in the function and in its derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

C = r"""
static double table[3] = { 1, 2, 3 };
double local(double x, int k) {
    double a[4] = { x, x * x, 3, 4 };
    return a[k] * x;
}
double global(double x, int k) {
    return table[k] * x;
}
double variable(double x, int n, int k) {
    double a[n];
    for (int i = 0; i < n; i++)
        a[i] = x * i;
    return a[k] * x;
}
double divided(double x, int k) {
    return x * x * (12 / k);
}
double shifted(double x, int k) {
    return x * x * (1 << k);
}
double summed(double x, int k) {
    return x * x * (2147483647 + k);
}
double cast(double x) {
    int k = (int)x;
    return x * k;
}
double null(double x, int k) {
    double v = x, *p = k ? &v : 0; return x * *p;
}
double weighted(int n, const double x[n], double w) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double t = w * x[i];
        sum += t * t * table[i % 3];
    }
    return sum;
}
double inner(double y, int k) {
    double a[2] = { y, y * y };
    return a[k];
}
double outer(double x, int k) {
    return inner(x, k) * x;
}
"""


@pytest.fixture(scope="module", params=[0, 2])
def checked(request: pytest.FixtureRequest) -> em.Program:
    return em.compile_c(C, name="C", opt=request.param, sanitize=True)


@pytest.mark.parametrize(
    ("name", "good", "bad", "line", "said"),
    [
        ("local", (2.0, 1), (2.0, 4), 5, "index"),
        ("local", (2.0, 0), (2.0, -1), 5, "index"),
        ("global", (2.0, 2), (2.0, 3), 8, "index"),
        ("variable", (2.0, 4, 3), (2.0, 4, 4), 14, "index"),
        ("variable", (2.0, 1, 0), (2.0, 0, 0), 11, "variable length"),
        ("divided", (2.0, 3), (2.0, 0), 17, "division by zero"),
        ("shifted", (2.0, 3), (2.0, 40), 20, "shift"),
        ("summed", (2.0, -1), (2.0, 1), 23, "sum"),
        ("cast", (2.0,), (1e30,), 26, "integer type"),
        ("null", (2.0, 1), (2.0, 0), 30, "null"),
        ("outer", (2.0, 1), (2.0, 2), 42, "index"),
    ],
)
def test_the_line_is_named_in_primal_and_gradient(
    checked: em.Program, name: str, good: tuple[object, ...], bad: tuple[object, ...], line: int, said: str
) -> None:
    plain, function = PLAIN[name], checked[name]
    assert function(*good) == plain(*good)
    assert repr(em.grad(function, wrt="x")(*good)) == repr(em.grad(plain, wrt="x")(*good))
    for called in (function, em.grad(function, wrt="x")):
        with pytest.raises(em.ExecutionError) as error:
            called(*bad)
        assert (error.value.code, error.value.line) == ("EM413", line)
        assert said in error.value.message


PLAIN = em.compile_c(C)


def test_loops_have_the_same_gradient(checked: em.Program) -> None:
    x = np.linspace(-1.0, 2.0, 7)
    for a, b in zip(checked.weighted.grad(x, 1.5), PLAIN.weighted.grad(x, 1.5), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-14)
    assert em.check_grads(checked.weighted, (x, 1.5))


def test_a_header_is_named_as_the_file_it_is(tmp_path: object) -> None:
    folder = str(tmp_path)
    with open(f"{folder}/inside.h", "w") as file:
        file.write("\nstatic inline int quotient(int k) { return 6 / k; }\n")
    p = em.compile_c(
        '#include "inside.h"\ndouble f(double x, int k) { return x * quotient(k); }', include=folder, sanitize=True
    )
    with pytest.raises(em.ExecutionError) as error:
        p.f(1.0, 0)
    assert error.value.span is not None
    assert error.value.span.file.endswith("inside.h")
    assert error.value.line == 2
