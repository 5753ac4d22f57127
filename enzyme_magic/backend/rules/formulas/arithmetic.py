"""Derivatives of the arithmetic instructions, of fma, and of what passes a value on.

Quotients reuse the result; 1/y needs no second division. The remainders (frem, fmod, remainder, remquo) have slope 1 in x and
minus the whole quotient in y, which (x - r)/y gives exactly, however the quotient was rounded; at their jumps this is the
slope of the side the result lies on.
"""

from __future__ import annotations

from math import inf, nan

from enzyme_magic.backend.rules.emitter import Emitter, Primals, Term
from enzyme_magic.backend.rules.rule import DEAR, EdgePoint, OneOf, Real, rule, rule_of_results

_ANY = Real(-50.0, 50.0)
_NONZERO = Real(0.05, 40.0)


def _same(e: Emitter, d: Term, p: Primals) -> Term:
    return d


def _quotient_by_y(e: Emitter, d: Term, p: Primals) -> Term:
    if p.constant(0) == 1:
        return -(d * p.result * p.result)
    return -(d / p[1]) * p.result


def _remainder_by_x(e: Emitter, d: Term, p: Primals) -> Term:
    """1, and NaN where the divisor is 0 and there is no remainder."""
    known = p.constant(1)
    return d if known is not None and known != 0 else e.select(e.equal(p[1], 0), nan, d)


def _remainder_by_y(e: Emitter, d: Term, p: Primals) -> Term:
    return -(d * e.call("rint", (p[0] - p.result) / p[1]))


_REMAINDER_EDGES = (
    EdgePoint((7.5, 2.0), (1.0, -3.0), "the quotient 3.75 is cut to 3"),
    EdgePoint((-7.5, 2.0), (1.0, 3.0), "cut towards zero"),
    EdgePoint((6.0, 2.0), (1.0, -3.0), "at a jump: the side the result lies on"),
    EdgePoint((1.0, inf), (1.0, 0.0), "an infinite divisor leaves x"),
    EdgePoint((1.0, 0.0), (nan, nan), "no value"),
)
_NEAREST_EDGES = (
    EdgePoint((7.5, 2.0), (1.0, -4.0), "the quotient 3.75 is rounded to 4"),
    EdgePoint((7.0, 2.0), (1.0, -4.0), "at a jump (quotient 3.5, ties to even): the side the result lies on"),
    EdgePoint((1.0, inf), (1.0, 0.0), "an infinite divisor leaves x"),
)
_REMAINDER_FORMULA = "d {0}(x, y) = dx - trunc(x/y) dy"
_NEAREST_FORMULA = "d {0}(x, y) = dx - round(x/y) dy"
_REMAINDER_DOMAIN = (Real(-4.3, 4.7, period=1.25), OneOf((1.25, -1.25, 2.5)))
_NEAREST_DOMAIN = (Real(-4.3, 4.7, period=0.625), OneOf((1.25, -1.25, 2.5)))

_PRODUCT = (
    lambda e, d, p: d * p[1],
    lambda e, d, p: d * p[0],
    _same,
)
_PRODUCT_EDGES = (
    EdgePoint((inf, 2.0, 1.0), (2.0, inf, 1.0), "an infinite factor is the other's partial"),
    EdgePoint((0.0, inf, 1.0), (inf, 0.0, 1.0), "the partials exist though the value is NaN"),
)

RULES = (
    rule("fadd", "d (x + y) = dx + dy", _same, _same, domain=(_ANY, _ANY)),
    rule("fsub", "d (x - y) = dx - dy", _same, lambda e, d, p: -d, domain=(_ANY, _ANY)),
    rule("fneg", "d (-x) = -dx", lambda e, d, p: -d, domain=_ANY),
    rule(
        "fmul",
        "d (x*y) = y dx + x dy",
        lambda e, d, p: d * p[1],
        lambda e, d, p: d * p[0],
        domain=(_ANY, _ANY),
        edges=(EdgePoint((inf, 0.0), (0.0, inf), "the partials exist though the value is NaN"),),
    ),
    rule(
        "fdiv",
        "d (x/y) = 1/y dx - (x/y)/y dy",
        lambda e, d, p: d / p[1],
        _quotient_by_y,
        domain=(_ANY, _NONZERO),
        edges=(
            EdgePoint((1.0, 0.0), (inf, -inf), "the slope is infinite too"),
            EdgePoint((0.0, 0.0), (inf, nan), "0/0 has no slope in y"),
            EdgePoint((1.0, inf), (0.0, 0.0), "flat at infinity"),
        ),
    ),
    rule(
        "frem",
        _REMAINDER_FORMULA.format("frem"),
        _remainder_by_x,
        _remainder_by_y,
        domain=_REMAINDER_DOMAIN,
        edges=_REMAINDER_EDGES,
        cost=DEAR,
    ),
    rule(
        "fmod",
        _REMAINDER_FORMULA.format("fmod"),
        _remainder_by_x,
        _remainder_by_y,
        domain=_REMAINDER_DOMAIN,
        edges=_REMAINDER_EDGES,
        cost=DEAR,
    ),
    rule(
        "remainder",
        _NEAREST_FORMULA.format("remainder"),
        _remainder_by_x,
        _remainder_by_y,
        domain=_NEAREST_DOMAIN,
        edges=_NEAREST_EDGES,
        cost=DEAR,
    ),
    rule_of_results(
        "remquo",
        _NEAREST_FORMULA.format("remquo"),
        (_remainder_by_x, lambda e, d, p: -(d * e.call("rint", (p[0] - p.results[0]) / p[1]))),
        (None, None),
        domain=_NEAREST_DOMAIN,
        edges=_NEAREST_EDGES,
        cost=DEAR,
    ),
    rule(
        "fma", "d fma(x, y, z) = y dx + x dy + dz", *_PRODUCT, domain=(_ANY, _ANY, _ANY), edges=_PRODUCT_EDGES
    ),
    rule(
        "fmuladd", "d (x*y + z) = y dx + x dy + dz", *_PRODUCT, domain=(_ANY, _ANY, _ANY), edges=_PRODUCT_EDGES
    ),
    rule("freeze", "d x = dx", _same, domain=_ANY),
    rule("canonicalize", "d x = dx", _same, domain=_ANY),
    rule("arithmetic.fence", "d x = dx", _same, domain=_ANY),
    rule(
        "select",
        "d (c ? x : y) = c ? dx : dy",
        None,
        lambda e, d, p: e.select(p[0], d, 0),
        lambda e, d, p: e.select(p[0], 0, d),
        domain=(OneOf((0, 1)), _ANY, _ANY),
        edges=(EdgePoint((1, nan, 1.0), (None, 1.0, 0.0), "the arm that is not taken gets nothing"),),
    ),
)  # fmt: skip

# What forward mode writes of tangents that may be absent (autodiff/sweeps/tangent_rules.py). Both are linear in what they pass on:
# an absent tangent is a zero that nothing else changes, so d decides nothing that a second derivative could see.
TANGENTS = (
    rule("tangent", "d tangent(d, t) = dt", None, _same, domain=(_ANY, _ANY)),
    rule("tangent_sum", "d (a + b) = da + db", _same, _same, domain=(_ANY, _ANY)),
)
