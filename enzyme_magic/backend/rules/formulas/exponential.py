"""Derivatives of exponentials and logarithms.

Exponentials reuse their result. expm1 gives r + 1: far left, where expm1 is -1 to the last digit, that is right to an absolute
1e-16 only, and costs no second exp. A logarithm's slope is NaN where the logarithm is.
"""

from __future__ import annotations

from math import inf, nan

from enzyme_magic.backend.rules.emitter import Emitter, Primals, Term
from enzyme_magic.backend.rules.formulas.numbers import LN2, LN10
from enzyme_magic.backend.rules.rule import DEAR, EdgePoint, Real, Whole, rule, rule_of_results

_POSITIVE = Real(1e-6, 1e6, logarithmic=True)
_LOG_EDGES = (
    EdgePoint((0.0,), (inf,), "the pole"),
    EdgePoint((-0.0,), (-inf,), "the pole, from the left"),
    EdgePoint((-2.0,), (nan,), "no value"),
    EdgePoint((-inf,), (nan,), "no value"),
    EdgePoint((inf,), (0.0,), "flat at infinity"),
    EdgePoint((nan,), (nan,), "NaN stays NaN"),
)
_EXP_EDGES = (
    EdgePoint((-inf,), (0.0,), "flat"),
    EdgePoint((inf,), (inf,), "infinite"),
    EdgePoint((nan,), (nan,), "NaN stays NaN"),
)


def _scaled(e: Emitter, d: Term, p: Primals) -> Term:
    return e.call("ldexp", d, p[1])


_SCALE_DOMAIN = (Real(-9.0, 9.0), Whole(-12, 12))
_SCALE_EDGES = (
    EdgePoint((1.0, 3), (8.0, None), "linear in x"),
    EdgePoint((0.0, -2), (0.25, None), "linear in x, at zero too"),
    EdgePoint((inf, 1), (2.0, None), "linear in x"),
)

RULES = (
    rule("exp", "d exp(x) = exp(x) dx", lambda e, d, p: d * p.result,
         domain=Real(-20.0, 20.0), edges=_EXP_EDGES, cost=DEAR),
    rule("exp2", "d exp2(x) = log(2)*exp2(x) dx", lambda e, d, p: d * (p.result * LN2),
         domain=Real(-20.0, 20.0), edges=_EXP_EDGES, cost=DEAR),
    rule("exp10", "d exp10(x) = log(10)*exp10(x) dx", lambda e, d, p: d * (p.result * LN10),
         domain=Real(-12.0, 12.0), edges=_EXP_EDGES, cost=DEAR),
    rule("expm1", "d expm1(x) = (expm1(x) + 1) dx", lambda e, d, p: d * (p.result + 1),
         domain=Real(-20.0, 20.0), cost=DEAR, scale=1.0,
         edges=(*_EXP_EDGES, EdgePoint((0.0,), (1.0,), "exact at zero"))),
    rule("log", "d log(x) = 1/x dx", lambda e, d, p: d / e.not_below_zero(p[0]),
         domain=_POSITIVE, edges=_LOG_EDGES, cost=DEAR),
    rule("log2", "d log2(x) = 1/(x*log(2)) dx", lambda e, d, p: d / (e.not_below_zero(p[0]) * LN2),
         domain=_POSITIVE, edges=_LOG_EDGES, cost=DEAR),
    rule("log10", "d log10(x) = 1/(x*log(10)) dx", lambda e, d, p: d / (e.not_below_zero(p[0]) * LN10),
         domain=_POSITIVE, edges=_LOG_EDGES, cost=DEAR),
    rule("log1p", "d log1p(x) = 1/(1 + x) dx", lambda e, d, p: d / e.not_below_zero(p[0] + 1),
         domain=Real(-0.999, 50.0), cost=DEAR,
         edges=(
             EdgePoint((0.0,), (1.0,), "exact at zero"),
             EdgePoint((-1.0,), (inf,), "the pole"),
             EdgePoint((-1.5,), (nan,), "no value"),
             EdgePoint((inf,), (0.0,), "flat at infinity"),
         )),
    rule("ldexp", "d ldexp(x, n) = ldexp(dx, n)", _scaled, None,
         domain=_SCALE_DOMAIN, edges=_SCALE_EDGES, cost=DEAR),
    rule("scalbn", "d scalbn(x, n) = scalbn(dx, n)", _scaled, None,
         domain=_SCALE_DOMAIN, edges=_SCALE_EDGES, cost=DEAR),
    rule("scalbln", "d scalbln(x, n) = scalbln(dx, n)", lambda e, d, p: e.call("scalbln", d, p[1]), None,
         domain=_SCALE_DOMAIN, edges=_SCALE_EDGES, cost=DEAR),
    rule_of_results(
        "frexp",
        "x = f*2^n: df = ldexp(dx, -n), dn = 0",
        (lambda e, d, p: e.call("ldexp", d, -p.results[1]),),
        (None,),
        domain=Real(0.3, 60.0, avoid=(0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)),
        edges=(
            EdgePoint((0.0,), (1.0,), "the exponent of zero is 0"),
            EdgePoint((8.0,), (0.0625,), "at a jump: the side the result lies on"),
        ),
        cost=DEAR,
    ),
)  # fmt: skip
