"""Derivatives of the circular functions and their inverses, in radians and in half turns (sinpi, …).

Denominators are products such as (1 - x)(1 + x), which lose no digits where 1 - x*x would. atan2 is scaled by the larger
operand, so that it neither overflows nor underflows; at (0, 0) the angle has no derivative, and NaN says so.
"""

from __future__ import annotations

from math import inf, nan, pi

from enzyme_magic.backend.rules.emitter import Emitter, Primals, Term
from enzyme_magic.backend.rules.formulas.numbers import PI
from enzyme_magic.backend.rules.rule import DEAR, EdgePoint, Formula, Real, rule, rule_of_results

_INSIDE = Real(-0.999, 0.999)
_ANGLE = Real(-20.0, 20.0)
_TURNS = Real(-6.0, 6.0)
_NO_SINE_AT_INFINITY = EdgePoint((inf,), (nan,), "no value at infinity")
_NAN = EdgePoint((nan,), (nan,), "NaN stays NaN")


def _half_circle(e: Emitter, x: Term) -> Term:
    """sqrt(1 - x²)."""
    return e.sqrt((1 - x) * (1 + x))


def _atan2_slope(positive: bool) -> Formula:
    """d atan2(y, x): x/(x² + y²) dy - y/(x² + y²) dx."""

    def write(e: Emitter, d: Term, p: Primals) -> Term:
        y, x = p[0], p[1]
        size = e.call("fmax", e.fabs(x), e.fabs(y))
        u, v = x / size, y / size
        slope = (u if positive else -v) / (u * u + v * v) / size
        return d * slope

    return write


_ASIN_EDGES = (
    EdgePoint((1.0,), (inf,), "the slope is infinite at the end"),
    EdgePoint((-1.0,), (inf,), "the slope is infinite at the end"),
    EdgePoint((1.5,), (nan,), "no value"),
    _NAN,
)
_ACOS_EDGES = (
    EdgePoint((1.0,), (-inf,), "the slope is infinite at the end"),
    EdgePoint((-1.0,), (-inf,), "the slope is infinite at the end"),
    EdgePoint((1.5,), (nan,), "no value"),
    _NAN,
)
_ATAN_EDGES = (EdgePoint((inf,), (0.0,), "flat at infinity"), EdgePoint((-inf,), (0.0,), "flat at infinity"), _NAN)

RULES = (
    rule("sin", "d sin(x) = cos(x) dx", lambda e, d, p: d * e.call("cos", p[0]),
         domain=_ANGLE, cost=DEAR, edges=(EdgePoint((0.0,), (1.0,), "exact at zero"), _NO_SINE_AT_INFINITY, _NAN)),
    rule("cos", "d cos(x) = -sin(x) dx", lambda e, d, p: -(d * e.call("sin", p[0])),
         domain=_ANGLE, cost=DEAR, edges=(EdgePoint((0.0,), (0.0,), "flat"), _NO_SINE_AT_INFINITY, _NAN)),
    rule("tan", "d tan(x) = (1 + tan(x)^2) dx", lambda e, d, p: d * (p.result * p.result + 1),
         domain=Real(-1.5, 1.5), cost=DEAR, edges=(EdgePoint((0.0,), (1.0,), "exact at zero"), _NO_SINE_AT_INFINITY)),
    rule("asin", "d asin(x) = 1/sqrt(1 - x^2) dx", lambda e, d, p: d / _half_circle(e, p[0]),
         domain=_INSIDE, edges=_ASIN_EDGES, cost=DEAR),
    rule("acos", "d acos(x) = -1/sqrt(1 - x^2) dx", lambda e, d, p: -(d / _half_circle(e, p[0])),
         domain=_INSIDE, edges=_ACOS_EDGES, cost=DEAR),
    rule("atan", "d atan(x) = 1/(1 + x^2) dx", lambda e, d, p: d / (p[0] * p[0] + 1),
         domain=_ANGLE, edges=_ATAN_EDGES, cost=DEAR),
    rule("atan2", "d atan2(y, x) = (x dy - y dx)/(x^2 + y^2)", _atan2_slope(True), _atan2_slope(False),
         domain=(Real(-9.0, 9.0), Real(0.1, 9.0)), cost=DEAR,
         edges=(
             EdgePoint((0.0, 0.0), (nan, nan), "the angle of nothing has no derivative"),
             EdgePoint((0.0, 2.0), (0.5, 0.0), "on the axis"),
             EdgePoint((2.0, 0.0), (0.0, -0.5), "on the axis"),
             EdgePoint((0.0, -2.0), (-0.5, 0.0), "on the cut: the slope along it"),
             EdgePoint((1e-30, 1e-30), (5e29, -5e29), "x*x would underflow in float"),
             EdgePoint((1e30, 1e30), (5e-31, -5e-31), "x*x would overflow in float"),
         )),
    rule("sinpi", "d sinpi(x) = pi*cospi(x) dx", lambda e, d, p: d * (e.call("cospi", p[0]) * PI),
         domain=_TURNS, cost=DEAR, edges=(EdgePoint((0.0,), (pi,), "exact at zero"),)),
    rule("cospi", "d cospi(x) = -pi*sinpi(x) dx", lambda e, d, p: -(d * (e.call("sinpi", p[0]) * PI)),
         domain=_TURNS, cost=DEAR, edges=(EdgePoint((1.0,), (0.0,), "flat at whole numbers"),)),
    rule("tanpi", "d tanpi(x) = pi*(1 + tanpi(x)^2) dx", lambda e, d, p: d * ((p.result * p.result + 1) * PI),
         domain=Real(-0.45, 0.45), cost=DEAR, edges=(EdgePoint((0.0,), (pi,), "exact at zero"),)),
    rule("asinpi", "d asinpi(x) = 1/(pi*sqrt(1 - x^2)) dx", lambda e, d, p: d / (_half_circle(e, p[0]) * PI),
         domain=_INSIDE, edges=_ASIN_EDGES, cost=DEAR),
    rule("acospi", "d acospi(x) = -1/(pi*sqrt(1 - x^2)) dx", lambda e, d, p: -(d / (_half_circle(e, p[0]) * PI)),
         domain=_INSIDE, edges=_ACOS_EDGES, cost=DEAR),
    rule("atanpi", "d atanpi(x) = 1/(pi*(1 + x^2)) dx", lambda e, d, p: d / ((p[0] * p[0] + 1) * PI),
         domain=_ANGLE, edges=_ATAN_EDGES, cost=DEAR),
    rule_of_results(
        "sincos",
        "d sin(x) = cos(x) dx, d cos(x) = -sin(x) dx",
        (lambda e, d, p: d * p.results[1],),
        (lambda e, d, p: -(d * p.results[0]),),
        domain=_ANGLE,
        edges=(EdgePoint((0.0,), (1.0,), "exact at zero"), EdgePoint((0.0,), (0.0,), "flat", result=1)),
        cost=DEAR,
    ),
)  # fmt: skip
