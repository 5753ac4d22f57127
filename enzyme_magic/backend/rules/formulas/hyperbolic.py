"""Derivatives of the hyperbolic functions and their inverses.

tanh gives 1 - tanh²: once tanh is saturated that is right to an absolute 1e-16 only, and never 0*inf as 1/cosh² is. sinh and
the inverses avoid x*x where it would overflow: beyond 2^60 the square root of 1 + x² is |x| to the last digit of every type.
"""

from __future__ import annotations

from math import inf, nan

from enzyme_magic.backend.rules.emitter import Emitter, Term
from enzyme_magic.backend.rules.rule import DEAR, EdgePoint, Real, rule

_HUGE = 2.0**60
_NAN = EdgePoint((nan,), (nan,), "NaN stays NaN")


def _root_of_one_plus_square(e: Emitter, x: Term) -> Term:
    """sqrt(1 + x²)."""
    size = e.fabs(x)
    return e.select(e.greater(size, _HUGE), size, e.sqrt(x * x + 1))


def _root_of_square_minus_one(e: Emitter, x: Term) -> Term:
    """sqrt(x² - 1), x ≥ 1; NaN below."""
    return e.sqrt(x - 1) * e.sqrt(x + 1)


RULES = (
    rule("sinh", "d sinh(x) = cosh(x) dx = sqrt(1 + sinh(x)^2) dx",
         lambda e, d, p: d * _root_of_one_plus_square(e, p.result),
         domain=Real(-20.0, 20.0), cost=DEAR,
         edges=(EdgePoint((0.0,), (1.0,), "exact at zero"), EdgePoint((-inf,), (inf,), "infinite"), _NAN)),
    rule("cosh", "d cosh(x) = sinh(x) dx", lambda e, d, p: d * e.call("sinh", p[0]),
         domain=Real(-20.0, 20.0), cost=DEAR,
         edges=(EdgePoint((0.0,), (0.0,), "flat"), EdgePoint((-inf,), (-inf,), "infinite"), _NAN)),
    rule("tanh", "d tanh(x) = (1 - tanh(x)^2) dx", lambda e, d, p: d * (1 - p.result * p.result),
         domain=Real(-20.0, 20.0), cost=DEAR, scale=1.0,
         edges=(
             EdgePoint((0.0,), (1.0,), "exact at zero"),
             EdgePoint((40.0,), (0.0,), "saturated"),
             EdgePoint((800.0,), (0.0,), "saturated, where cosh would overflow"),
             EdgePoint((-inf,), (0.0,), "flat at infinity"),
             _NAN,
         )),
    rule("asinh", "d asinh(x) = 1/sqrt(1 + x^2) dx", lambda e, d, p: d / _root_of_one_plus_square(e, p[0]),
         domain=Real(-50.0, 50.0), cost=DEAR,
         edges=(
             EdgePoint((0.0,), (1.0,), "exact at zero"),
             EdgePoint((-1e30,), (1e-30,), "x*x would overflow in float"),
             EdgePoint((inf,), (0.0,), "flat at infinity"),
             _NAN,
         )),
    rule("acosh", "d acosh(x) = 1/sqrt(x^2 - 1) dx", lambda e, d, p: d / _root_of_square_minus_one(e, p[0]),
         domain=Real(1.0001, 50.0), cost=DEAR,
         edges=(
             EdgePoint((1.0,), (inf,), "the slope is infinite at the end"),
             EdgePoint((1e30,), (1e-30,), "x*x would overflow in float"),
             EdgePoint((0.5,), (nan,), "no value"),
             EdgePoint((-2.0,), (nan,), "no value"),
             EdgePoint((inf,), (0.0,), "flat at infinity"),
             _NAN,
         )),
    rule("atanh", "d atanh(x) = 1/(1 - x^2) dx", lambda e, d, p: d / e.not_below_zero((1 - p[0]) * (1 + p[0])),
         domain=Real(-0.999, 0.999), cost=DEAR,
         edges=(
             EdgePoint((0.0,), (1.0,), "exact at zero"),
             EdgePoint((1.0,), (inf,), "the pole"),
             EdgePoint((-1.0,), (inf,), "the pole"),
             EdgePoint((1.5,), (nan,), "no value"),
             EdgePoint((-2.0,), (nan,), "no value"),
             _NAN,
         )),
)  # fmt: skip
