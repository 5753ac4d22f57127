"""Derivatives of the error, gamma and Bessel functions.

The digamma function and its derivatives are our own (`helpers`): lgamma' = ψ, tgamma' = Γψ, and ψ⁽ⁿ⁾' = ψ⁽ⁿ⁺¹⁾, so gamma
functions differentiate to any order. Poles: at 0 the one-sided infinity of the signed zero, at negative whole numbers NaN.
"""

from __future__ import annotations

from functools import cache
from math import inf, nan

from enzyme_magic.backend.rules.emitter import Emitter, Primals, Term
from enzyme_magic.backend.rules.formulas.numbers import TWO_OVER_SQRT_PI
from enzyme_magic.backend.rules.rule import DEAR, EdgePoint, Real, Rule, Whole, rule, rule_of_results

_EULER = 0.57721566490153286
_GAMMA_DOMAIN = Real(-4.5, 30.0, avoid=(0.0, -1.0, -2.0, -3.0, -4.0))
_NAN = EdgePoint((nan,), (nan,), "NaN stays NaN")
_TINY = 2.0**-40  # below it j1(x)/x is 1/2 to the last digit of every type


def _bell(e: Emitter, d: Term, p: Primals) -> Term:
    return d * (e.call("exp", -(p[0] * p[0])) * TWO_OVER_SQRT_PI)


def _digamma(e: Emitter, d: Term, p: Primals) -> Term:
    return d * e.call("polygamma.0", p[0])


def _j1(e: Emitter, d: Term, p: Primals) -> Term:
    x = p[0]
    near_zero = e.less(e.fabs(x), _TINY)
    return d * (e.call("j0", x) - e.select(near_zero, 0.5, p.result / e.select(near_zero, 1, x)))


def _y1(e: Emitter, d: Term, p: Primals) -> Term:
    return d * (e.call("y0", p[0]) - p.result / p[0])


def _jn(e: Emitter, d: Term, p: Primals) -> Term:
    n, x = p[0], p[1]
    return d * ((e.call("jn", n - 1, x) - e.call("jn", n + 1, x)) * 0.5)


def _yn(e: Emitter, d: Term, p: Primals) -> Term:
    n, x = p[0], p[1]
    return d * (e.call("yn", n - 1, x) - e.convert(n) * p.result / x)


_LGAMMA_EDGES = (
    EdgePoint((1.0,), (-_EULER,), "minus Euler's constant"),
    EdgePoint((0.0,), (-inf,), "the pole, from the right"),
    EdgePoint((-0.0,), (inf,), "the pole, from the left"),
    EdgePoint((-1.0,), (nan,), "a pole with two sides"),
    EdgePoint((inf,), (inf,), "infinite"),
    _NAN,
)

RULES = (
    rule("erf", "d erf(x) = 2/sqrt(pi)*exp(-x^2) dx", _bell,
         domain=Real(-5.0, 5.0), cost=DEAR,
         edges=(
             EdgePoint((0.0,), (1.1283791670955126,), "exact at zero"),
             EdgePoint((200.0,), (0.0,), "the tail underflows"),
             EdgePoint((-inf,), (0.0,), "flat at infinity"),
             _NAN,
         )),
    rule("erfc", "d erfc(x) = -2/sqrt(pi)*exp(-x^2) dx", lambda e, d, p: -_bell(e, d, p),
         domain=Real(-5.0, 9.0), cost=DEAR,
         edges=(
             EdgePoint((0.0,), (-1.1283791670955126,), "exact at zero"),
             EdgePoint((inf,), (0.0,), "flat at infinity"),
             _NAN,
         )),
    rule("lgamma", "d lgamma(x) = digamma(x) dx", _digamma, domain=_GAMMA_DOMAIN, edges=_LGAMMA_EDGES, cost=DEAR),
    rule_of_results("lgamma_r", "d lgamma_r(x) = digamma(x) dx", (_digamma,), (None,),
                    domain=_GAMMA_DOMAIN, edges=_LGAMMA_EDGES, cost=DEAR),
    rule("tgamma", "d tgamma(x) = tgamma(x)*digamma(x) dx",
         lambda e, d, p: d * (p.result * e.call("polygamma.0", p[0])),
         domain=_GAMMA_DOMAIN, cost=DEAR,
         edges=(
             EdgePoint((1.0,), (-_EULER,), "minus Euler's constant"),
             EdgePoint((0.0,), (-inf,), "the pole: -1/x^2"),
             EdgePoint((-0.0,), (-inf,), "the pole: -1/x^2"),
             EdgePoint((-1.0,), (nan,), "no value"),
             EdgePoint((inf,), (inf,), "infinite"),
             _NAN,
         )),
    rule("j0", "d j0(x) = -j1(x) dx", lambda e, d, p: -(d * e.call("j1", p[0])),
         domain=Real(-20.0, 20.0), edges=(EdgePoint((0.0,), (0.0,), "flat"), _NAN), cost=DEAR),
    rule("j1", "d j1(x) = (j0(x) - j1(x)/x) dx", _j1,
         domain=Real(-20.0, 20.0), edges=(
             EdgePoint((0.0,), (0.5,), "the limit of j1(x)/x"),
             EdgePoint((2.0**-12,), (0.49999998882412916,), "beside it"),
             _NAN,
         ), cost=DEAR),
    rule("jn", "d jn(n, x) = (jn(n-1, x) - jn(n+1, x))/2 dx", None, _jn,
         domain=(Whole(-3, 6), Real(-20.0, 20.0)), cost=DEAR,
         edges=(EdgePoint((1, 0.0), (None, 0.5), "as j1"), EdgePoint((2, 0.0), (None, 0.0), "flat"))),
    rule("y0", "d y0(x) = -y1(x) dx", lambda e, d, p: -(d * e.call("y1", p[0])),
         domain=Real(0.1, 20.0), edges=(EdgePoint((0.0,), (inf,), "the pole"), _NAN), cost=DEAR),
    rule("y1", "d y1(x) = (y0(x) - y1(x)/x) dx", _y1, domain=Real(0.1, 20.0), edges=(_NAN,), cost=DEAR),
    rule("yn", "d yn(n, x) = (yn(n-1, x) - n*yn(n, x)/x) dx", None, _yn,
         domain=(Whole(-3, 5), Real(0.3, 20.0)), edges=(EdgePoint((2, nan), (None, nan), "NaN stays NaN"),), cost=DEAR),
)  # fmt: skip


@cache
def polygamma(order: int) -> Rule:
    """The rule of our own helper polygamma.n, for any n."""
    name = f"polygamma.{order}"
    return rule(
        name,
        f"d polygamma({order}, x) = polygamma({order + 1}, x) dx",
        lambda e, d, p: d * e.call(f"polygamma.{order + 1}", p[0]),
        domain=Real(-4.5, 30.0, avoid=(0.0, -1.0, -2.0, -3.0, -4.0)),
        edges=(EdgePoint((-1.0,), (nan,), "a pole"), _NAN),
        cost=DEAR,
    )
