"""Functions that are constant between jumps: no derivative. And those that round without changing the slope.

nextafter and nexttoward move x by one unit in the last place, so their slope in x is 1. modf splits x into two: its fraction
has slope 1, its whole part none.
"""

from __future__ import annotations

from math import inf, nan

from enzyme_magic.backend.rules.emitter import Emitter, Primals, Term
from enzyme_magic.backend.rules.rule import EdgePoint, OneOf, Real, Rule, rule, rule_of_results

_BETWEEN = Real(-20.3, 20.2, period=0.5)
_MAGNITUDE = Real(0.3, 60.0, avoid=(0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0))
_STEPS = "floor ceil trunc rint nearbyint round roundeven lrint llrint lround llround"


def _same(e: Emitter, d: Term, p: Primals) -> Term:
    return d


def _step(name: str) -> Rule:
    return rule(name, f"d {name}(x) = 0, also at the jumps", None, domain=_BETWEEN)


RULES = (
    *map(_step, _STEPS.split()),
    rule("logb", "d logb(x) = 0, also at the jumps", None, domain=_MAGNITUDE),
    rule("ilogb", "d ilogb(x) = 0, also at the jumps", None, domain=_MAGNITUDE),
    rule("nan", "a constant", None, domain=OneOf((0,))),
    rule("is.fpclass", "a truth value carries no derivative", None, None, domain=(_BETWEEN, OneOf((3,)))),
    rule_of_results(
        "modf",
        "x = fraction + whole: d fraction = dx, d whole = 0",
        (_same,),
        (None,),
        domain=Real(-20.3, 20.2, period=1.0),
        edges=(EdgePoint((3.0,), (1.0,), "at a jump: the slope of both sides"), EdgePoint((inf,), (1.0,), "the slope")),
    ),
    rule(
        "nextafter",
        "d nextafter(x, y) = dx",
        _same,
        None,
        domain=(Real(-20.0, 20.0), OneOf((30.0, -30.0))),
        edges=(EdgePoint((1.0, 1.0), (1.0, None), "the slope in x"), EdgePoint((nan, 1.0), (1.0, None), "linear")),
    ),
    rule(
        "nexttoward",
        "d nexttoward(x, y) = dx",
        _same,
        None,
        domain=(Real(-20.0, 20.0), OneOf((30.0, -30.0))),
        edges=(EdgePoint((1.0, 1.0), (1.0, None), "the slope in x"),),
    ),
)
