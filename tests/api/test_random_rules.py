"""Random calls of functions with rules, and of as many sweeps and examples as leave a tail of every length.

Drawn: how the rule is given (C or Python, from either side), sizes, `wrt`, the transform. The rule is three times the true
derivative, and a second function is inactive, so that a number tells whose derivative was taken: expected are formulas in NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import enzyme_magic as em

SOURCE = """
double knot(double x, double y) { return x*x*y; }
double still(double x) { return exp(x); }
typedef struct { double x, y; } both;
both slopes(double x, double y, double d) { both r = {6*x*y*d, 3*x*x*d}; return r; }
double moved(double x, double dx, double y, double dy) { return 6*x*y*dx + 3*x*x*dy; }
double sum(const double *x, int n, double y) {
    double s = 0;
    for (int i = 0; i < n; i++) s += sin(x[i])*knot(x[i], y) + still(x[i])*y;
    return s;
}
void many(const double *x, int n, double y, double *out) {
    for (int i = 0; i < n; i++) out[i] = knot(x[i], y)*sin(x[(i + 1) % n]) + still(y);
}
double one(double x, double y) { return sin(x)*knot(x, y) + still(x)*y; }
"""
RULES = {
    "gradient in C": lambda: em.custom_vjp("knot", "slopes"),
    "gradient in Python": lambda: em.custom_vjp("knot", lambda x, y, d: (6 * x * y * d, 3 * x * x * d)),
    "derivative in C": lambda: em.custom_jvp("knot", "moved"),
    "derivative in Python": lambda: em.custom_jvp("knot", lambda x, dx, y, dy: 6 * x * y * dx + 3 * x * x * dy),
}


@pytest.fixture(scope="module")
def programs() -> dict[str, em.Program]:
    options: dict[str, Any] = {"shape": {"x": "n", "out": "n"}}
    return {k: em.compile_c(SOURCE, custom=[rule(), em.inactive("still")], **options) for k, rule in RULES.items()}


def slope(x: Any, y: Any) -> dict[str, Any]:
    """Of one term of the sum."""
    return {"x": np.cos(x) * x * x * y + np.sin(x) * 6 * x * y, "y": np.sin(x) * 3 * x * x + np.exp(x)}


def rows(x: Any, y: Any) -> dict[str, Any]:
    """Of `many`."""
    n, after = len(x), np.roll(np.arange(len(x)), -1)
    by_x = np.diag(6 * x * y * np.sin(x[after])) if n else np.zeros((0, 0))
    by_x[np.arange(n), after] += x * x * y * np.cos(x[after])
    return {"x": by_x, "y": 3 * x * x * np.sin(x[after])}


def close(made: Any, wanted: Any) -> None:
    assert np.shape(made) == np.shape(wanted)
    np.testing.assert_allclose(made, wanted, rtol=1e-12, atol=1e-12)


SIZES, SEEDS = st.integers(0, 19), st.integers(0, 99)


@given(
    rule=st.sampled_from(list(RULES)), n=SIZES, seed=SEEDS, way=st.sampled_from(["grad", "vjp", "jvp", "map", "vmap"])
)
def test_rules_are_what_is_derived(programs: dict[str, em.Program], rule: str, n: int, seed: int, way: str) -> None:
    p, random = programs[rule], np.random.default_rng(seed)
    x, y, weight = random.normal(size=n), float(random.normal()), float(random.normal())
    wanted = slope(x, y)
    if way == "grad":
        made = p.sum.grad(x, n, y)
        close(made.x, wanted["x"])
        close(made.y, wanted["y"].sum())
    elif way == "vjp":
        value, pullback = p.sum.vjp(x, n, y)
        close(value, (np.sin(x) * x * x * y + np.exp(x) * y).sum())
        close(pullback(weight).x, weight * wanted["x"])
    elif way == "jvp":
        tangent = random.normal(size=n)
        close(em.jvp(p.sum, (x, n, y), (tangent, None, weight))[1], tangent @ wanted["x"] + weight * wanted["y"].sum())
    elif way == "map":
        made = p.one.grad.map(x, y)
        close(made.x, wanted["x"])
        close(made.y, wanted["y"])
    else:
        points = random.normal(size=(n, 3))
        made = em.vmap(em.grad(p.sum, "x"), (0, None, None))(points, 3, y)
        close(made, slope(points, y)["x"])


@given(
    rule=st.sampled_from(list(RULES)),
    n=SIZES,
    seed=SEEDS,
    way=st.sampled_from(["jacfwd", "jacrev"]),
    wrt=st.sampled_from("xy"),
)
def test_sweeps_with_a_tail(programs: dict[str, em.Program], rule: str, n: int, seed: int, way: str, wrt: str) -> None:
    random = np.random.default_rng(seed)
    x, y = random.normal(size=n), float(random.normal())
    close(getattr(em, way)(programs[rule].many, wrt)(x, n, y, np.full(n, np.nan)), rows(x, y)[wrt])


@given(rule=st.sampled_from(["gradient in C", "derivative in C"]), n=SIZES, seed=SEEDS, whole=st.booleans())
def test_rules_in_c_are_differentiated(
    programs: dict[str, em.Program], rule: str, n: int, seed: int, whole: bool
) -> None:
    f, random = programs[rule].sum, np.random.default_rng(seed)
    x, y = random.normal(size=n), float(random.normal())
    curvature = np.sin(x) * y * (6 - x * x) + 12 * x * y * np.cos(x)  # three times that of knot, and its slope twice
    if whole:
        close(em.hessian(f, "x")(x, n, y), np.diag(curvature))
        return
    vector = random.normal(size=n)
    close(em.hvp(f, (x, n, y), (vector, None, None), wrt="x"), curvature * vector)
