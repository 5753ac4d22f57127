"""Derivatives of absolute value, sign transfer, maximum, minimum and positive difference: the functions with a kink.

Conventions at the kink (each a valid subgradient, and the same at every optimization level):
- fabs and copysign at 0: 0.
- max and min at a tie: the second operand takes all, exactly as `x > y ? x : y` and `x < y ? x : y` do; but a constant operand
  always wins the tie, so that fmax(x, 0), fmax(0, x) and `x > 0 ? x : 0` all have slope 0 at 0.
- fdim at x = y: 0, as `x > y ? x - y : 0`.
NaN: the derivative goes to the operand that was chosen, the NaN itself where NaNs propagate (fmaximum), the number where they
do not (fmax); fabs, copysign and fdim of NaN have derivative NaN or pass the adjoint on, never 0.
"""

from __future__ import annotations

from math import inf, nan

from enzyme_magic.backend.rules.emitter import Emitter, Primals, Term
from enzyme_magic.backend.rules.rule import EdgePoint, Formula, Gate, Real, Rule, rule

_ANY = Real(-9.0, 9.0)
_OTHER = Real(-8.5, 9.5)
_KINK = Real(-9.0, 9.0, avoid=(0.0,))


def _signed(e: Emitter, d: Term, x: Term) -> Term:
    """d*sign(x) with sign(0) = 0; x*d is 0 at 0 and NaN at NaN."""
    return e.select(e.greater(x, 0), d, e.select(e.less(x, 0), -d, d * x))


def _copysign(e: Emitter, d: Term, p: Primals) -> Term:
    return _signed(e, d * e.copysign(1, p[1]), p[0])


def _first_is_chosen(e: Emitter, p: Primals, better: str, propagates: bool) -> Term:
    """Whether operand 0 is the maximum (`better` is ogt) or minimum (olt)."""
    x, y = p[0], p[1]
    tie = {"ogt": "oge", "olt": "ole"}[better] if p.is_constant(0) and not p.is_constant(1) else better
    chosen = e.compare(tie, x, y)
    doubtful = 0 if propagates else 1  # the operand whose NaN makes the first be chosen
    if p.is_constant(doubtful) and p.constant(doubtful) == p.constant(doubtful):
        return chosen
    return e.either(chosen, e.is_nan(p[doubtful]))


def _extremum(name: str, better: str, propagates: bool) -> Rule:
    def formula(operand: int) -> Formula:
        return Gate(lambda e, p: _first_is_chosen(e, p, better, propagates), operand == 0, lambda e, d, p: d)

    first = (1.0, 0.0)
    second = (0.0, 1.0)
    x_wins, y_wins = (first, second) if better == "ogt" else (second, first)
    sign = ">" if better == "ogt" else "<"
    return rule(
        name,
        f"d {name}(x, y) = x {sign} y ? dx : dy",
        formula(0),
        formula(1),
        domain=(_ANY, _OTHER),
        edges=(
            EdgePoint((2.0, 1.0), x_wins, "the larger first"),
            EdgePoint((1.0, 2.0), y_wins, "the larger second"),
            EdgePoint((1.0, 1.0), second, "a tie goes to the second operand"),
            EdgePoint((-0.0, 0.0), second, "zeros tie whatever their sign"),
            EdgePoint((nan, 1.0), first if propagates else second, "the operand that was chosen"),
            EdgePoint((1.0, nan), second if propagates else first, "the operand that was chosen"),
            EdgePoint((inf, 1.0), x_wins, "infinity is ordered"),
        ),
    )


def _is_above(e: Emitter, p: Primals) -> Term:
    return e.compare("ugt", p[0], p[1])


RULES = (
    rule(
        "fabs",
        "d fabs(x) = sign(x) dx, 0 at 0",
        lambda e, d, p: _signed(e, d, p[0]),
        domain=_KINK,
        edges=(
            EdgePoint((0.0,), (0.0,), "the subgradient 0"),
            EdgePoint((-0.0,), (0.0,), "the subgradient 0"),
            EdgePoint((-inf,), (-1.0,), "the slope"),
            EdgePoint((nan,), (nan,), "NaN stays NaN"),
        ),
    ),
    rule(
        "copysign",
        "d copysign(x, y) = sign(x)*sign(y) dx, 0 at x = 0",
        _copysign,
        None,
        domain=(_KINK, _KINK),
        edges=(
            EdgePoint((0.0, 2.0), (0.0, None), "as fabs"),
            EdgePoint((-0.0, -2.0), (0.0, None), "as fabs"),
            EdgePoint((3.0, 0.0), (1.0, None), "a zero has a sign"),
            EdgePoint((3.0, -0.0), (-1.0, None), "a negative zero too"),
            EdgePoint((nan, 1.0), (nan, None), "NaN stays NaN"),
        ),
    ),
    *(_extremum(name, "ogt", False) for name in ("fmax", "fmaximum_num")),
    *(_extremum(name, "olt", False) for name in ("fmin", "fminimum_num")),
    _extremum("fmaximum", "ogt", True),
    _extremum("fminimum", "olt", True),
    rule(
        "fdim",
        "d fdim(x, y) = x > y ? dx - dy : 0",
        Gate(_is_above, True, lambda e, d, p: d),
        Gate(_is_above, True, lambda e, d, p: -d),
        domain=(_ANY, _OTHER),
        edges=(
            EdgePoint((1.0, 2.0), (0.0, 0.0), "flat"),
            EdgePoint((1.0, 1.0), (0.0, 0.0), "a tie is flat"),
            EdgePoint((nan, 1.0), (1.0, -1.0), "NaN is not hidden"),
            EdgePoint((inf, 1.0), (1.0, -1.0), "the slope"),
        ),
    ),
)
