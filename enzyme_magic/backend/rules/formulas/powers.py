"""Derivatives of powers, roots and distances.

pow in x: a constant exponent that is a small whole or half number becomes products and a square root (d pow(x, 3) is
3*(x*x)); a negative one becomes y*r/x with r = pow(x, y), which needs no second pow and has every limit right; any other goes
through `pow_partial`, which takes y*r/x too wherever r is a normal number. pow in y: r*log(x).
Conventions: d/dx at y = 0 is 0, also at x = 0; d/dy is 0 where pow is 0 (x = 0 and y > 0, x = inf and y < 0) and at (0, 0);
d/dy at x < 0 is NaN, since pow(x, y) exists for whole y only. hypot at (0, 0) takes the subgradient 0, as fabs does.
"""

from __future__ import annotations

from math import inf, nan

from enzyme_magic.backend.rules.emitter import Emitter, Primals, Term
from enzyme_magic.backend.rules.rule import DEAR, EdgePoint, Formula, Real, Whole, rule

_LARGEST_PRODUCT = 8  # above it a chain of products is no better than one pow


def _small_power(e: Emitter, x: Term, exponent: float) -> Term | None:
    """x**exponent by products and at most one square root, for 1/2, 1, 3/2, … up to 8; None for others."""
    whole, half = int(exponent), exponent - int(exponent)
    if half not in (0.0, 0.5) or not 0.5 <= exponent <= _LARGEST_PRODUCT:
        return None
    power = _product(x, whole) if whole else None
    if not half:
        return power
    return e.sqrt(x) if power is None else power * e.sqrt(x)


def _product(x: Term, exponent: int) -> Term:
    """x**exponent by repeated squaring, exponent ≥ 1."""
    if exponent == 1:
        return x
    root = _product(x, exponent // 2)
    return root * root * x if exponent % 2 else root * root


def _pow_by_x(e: Emitter, d: Term, p: Primals) -> Term:
    exponent = p.constant(1)
    if exponent is None or exponent != exponent:
        return d * e.call("pow_partial", p[0], p[1], p.result)
    if exponent == 0:
        return e.number(0)
    if exponent == 1:
        return d
    if exponent == 0.5:
        return d / (p.result * 2)
    if exponent == -1:
        return -(d * p.result * p.result)
    if -inf < exponent < 0:
        return d * (p.result / p[0] * exponent)
    below = _small_power(e, p[0], exponent - 1)
    if below is not None:
        return d * (below * exponent)
    return d * e.call("pow_partial", p[0], p[1], p.result)


def _pow_by_y(e: Emitter, d: Term, p: Primals) -> Term:
    base = p.constant(0)
    if base is not None and 0 < base < inf:
        return d * (p.result * e.call("log", p[0]))
    x, y, r = p[0], p[1], p.result
    flat = e.either(e.equal(r, 0), e.both(e.equal(x, 0), e.equal(y, 0)))
    return d * e.select(flat, 0, r * e.call("log", x))


def _powi_by_x(e: Emitter, d: Term, p: Primals) -> Term:
    exponent = p.constant(1)
    if exponent is not None:
        return _pow_by_x(e, d, p) if -64 <= exponent <= _LARGEST_PRODUCT else d * _powi_slope(e, p)
    return d * _powi_slope(e, p)


def _powi_slope(e: Emitter, p: Primals) -> Term:
    """n*x**(n-1), from the result where n < 0 (n - 1 could overflow there)."""
    n = p[1]
    slope = e.convert(n) * e.select(e.less(n, 0), p.result / p[0], e.call("powi", p[0], n - 1))
    return e.select(e.equal(n, 0), 0, slope)


def _toward(index: int) -> Formula:
    """x / hypot(x, y), and 0 at the origin."""

    def write(e: Emitter, d: Term, p: Primals) -> Term:
        r = p.result
        return d * (p[index] / e.select(e.equal(r, 0), 1, r))

    return write


_POW_EDGES = (
    EdgePoint((0.0, 0.0), (0.0, 0.0), "pow(x, 0) is 1 for every x; in y the convention"),
    EdgePoint((0.0, 2.5), (0.0, 0.0), "flat"),
    EdgePoint((0.0, 1.0), (1.0, 0.0), "pow(x, 1) is x"),
    EdgePoint((0.0, 0.5), (inf, 0.0), "as sqrt"),
    EdgePoint((0.0, -1.0), (-inf, -inf), "the pole"),
    EdgePoint((3.0, 0.0), (0.0, 1.0986122886681098), "pow(x, 0) is 1 for every x"),
    EdgePoint((-2.0, 3.0), (12.0, nan), "a negative base and a whole exponent; there is no slope in y"),
    EdgePoint((-2.0, -1.0), (-0.25, nan), "a negative base and a whole exponent"),
    EdgePoint((-2.0, 0.5), (nan, nan), "no value"),
    EdgePoint((1.0, nan), (nan, 0.0), "pow(1, y) is 1 for every y"),
    EdgePoint((nan, 0.0), (0.0, nan), "pow(x, 0) is 1 for every x"),
    EdgePoint((inf, 2.0), (inf, inf), "infinite"),
    EdgePoint((inf, 0.5), (0.0, inf), "flat at infinity"),
    EdgePoint((inf, -1.0), (0.0, 0.0), "flat at infinity"),
    EdgePoint((1e-20, 2.5), (2.5e-30, None), "the result underflows in float, the partial does not"),
)

RULES = (
    rule(
        "pow",
        "d pow(x, y) = y*pow(x, y-1) dx + pow(x, y)*log(x) dy",
        _pow_by_x,
        _pow_by_y,
        domain=(Real(0.05, 20.0), Real(-6.0, 6.0)),
        edges=_POW_EDGES,
        cost=DEAR,
    ),
    rule(
        "powi",
        "d powi(x, n) = n*powi(x, n-1) dx",
        _powi_by_x,
        None,
        domain=(Real(-4.0, 4.0, avoid=(0.0,)), Whole(-7, 9)),
        edges=(
            EdgePoint((0.0, 0), (0.0, None), "powi(x, 0) is 1 for every x"),
            EdgePoint((0.0, 1), (1.0, None), "powi(x, 1) is x"),
            EdgePoint((0.0, 2), (0.0, None), "flat"),
            EdgePoint((0.0, -2), (-inf, None), "the pole"),
            EdgePoint((2.0, -(2**31)), (0.0, None), "n - 1 does not overflow"),
        ),
        cost=DEAR,
    ),
    rule(
        "sqrt",
        "d sqrt(x) = 1/(2*sqrt(x)) dx",
        lambda e, d, p: d / (p.result * 2),
        domain=Real(1e-6, 1e6, logarithmic=True),
        edges=(
            EdgePoint((0.0,), (inf,), "the slope is infinite"),
            EdgePoint((-0.0,), (-inf,), "the root keeps the sign of a zero, and so does the slope"),
            EdgePoint((inf,), (0.0,), "flat at infinity"),
            EdgePoint((-1.0,), (nan,), "no value"),
            EdgePoint((nan,), (nan,), "NaN stays NaN"),
        ),
    ),
    rule(
        "cbrt",
        "d cbrt(x) = 1/(3*cbrt(x)^2) dx",
        lambda e, d, p: d / (p.result * p.result * 3),
        domain=Real(-50.0, 50.0, avoid=(0.0,)),
        edges=(
            EdgePoint((0.0,), (inf,), "the slope is infinite"),
            EdgePoint((-0.0,), (inf,), "from both sides"),
            EdgePoint((-inf,), (0.0,), "flat at infinity"),
        ),
        cost=DEAR,
    ),
    rule(
        "hypot",
        "d hypot(x, y) = (x dx + y dy)/hypot(x, y)",
        _toward(0),
        _toward(1),
        domain=(Real(-9.0, 9.0), Real(0.1, 9.0)),
        edges=(
            EdgePoint((0.0, 0.0), (0.0, 0.0), "the tip of a cone: the subgradient 0, as fabs has it"),
            EdgePoint((3.0, 0.0), (1.0, 0.0), "on the axis it is fabs"),
            EdgePoint((0.0, -4.0), (0.0, -1.0), "on the axis it is fabs"),
            EdgePoint((inf, 1.0), (nan, 0.0), "no direction at infinity"),
            EdgePoint((nan, 1.0), (nan, nan), "NaN stays NaN"),
        ),
        cost=DEAR,
    ),
)  # fmt: skip
