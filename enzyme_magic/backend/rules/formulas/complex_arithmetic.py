"""Complex multiplication and division as clang calls them: `__muldc3(a, b, c, d)` is (a + ib)·(c + id), `__divdc3` the quotient.

Both give a pair (real part, imaginary part): a struct of two doubles, or a vector of two floats. The derivatives are those of the
complex function, written out in real parts: for q = z / w it is dq = (dz - q dw) / w, which needs no case for overflow of its own.

Source: C17, Annex G.5.1. The functions of complex.h are in `complex_functions`.
"""

from __future__ import annotations

from types import MappingProxyType

from enzyme_magic.backend.ir.types import FunctionType, is_floating
from enzyme_magic.backend.rules.emitter import Emitter, Primals, Term
from enzyme_magic.backend.rules.rule import OneOf, Rule, rule_of_results

_ANY = OneOf((0.3, -1.7, 2.5))


def _squared(p: Primals) -> Term:
    return p[2] * p[2] + p[3] * p[3]


def _along(e: Emitter, d: Term, p: Primals) -> Term:
    """-(q_re·c + q_im·d) / |w|²: what the real divisor part takes from the real part of the quotient."""
    return -(d * ((p.results[0] * p[2] + p.results[1] * p[3]) / _squared(p)))


def _across(e: Emitter, d: Term, p: Primals) -> Term:
    """(q_im·c - q_re·d) / |w|²."""
    return d * ((p.results[1] * p[2] - p.results[0] * p[3]) / _squared(p))


MULTIPLICATION = rule_of_results(
    "complex multiplication",
    "d(z*w) = w dz + z dw",
    (
        lambda e, d, p: d * p[2],
        lambda e, d, p: -(d * p[3]),
        lambda e, d, p: d * p[0],
        lambda e, d, p: -(d * p[1]),
    ),
    (
        lambda e, d, p: d * p[3],
        lambda e, d, p: d * p[2],
        lambda e, d, p: d * p[1],
        lambda e, d, p: d * p[0],
    ),
    domain=(_ANY, _ANY, _ANY, _ANY),
)
DIVISION = rule_of_results(
    "complex division",
    "d(z/w) = (dz - (z/w) dw) / w",
    (
        lambda e, d, p: d * (p[2] / _squared(p)),
        lambda e, d, p: d * (p[3] / _squared(p)),
        _along,
        _across,
    ),
    (
        lambda e, d, p: -(d * (p[3] / _squared(p))),
        lambda e, d, p: d * (p[2] / _squared(p)),
        lambda e, d, p: -_across(e, d, p),
        _along,
    ),
    domain=(_ANY, _ANY, _ANY, _ANY),
)
_BY_NAME = {f"__mul{letter}c3": MULTIPLICATION for letter in "sdxt"} | {
    f"__div{letter}c3": DIVISION for letter in "sdxt"
}
BY_NAME = MappingProxyType(_BY_NAME)
BY_OPERATION = MappingProxyType({rule.operation: rule for rule in (MULTIPLICATION, DIVISION)})


def rule_of(name: str, type_: FunctionType) -> Rule | None:
    """The rule of a function of the compiler's runtime by name, where its type is that of four floating numbers."""
    found = BY_NAME.get(name)
    fits = len(type_.parameters) == 4 and all(is_floating(parameter) for parameter in type_.parameters)
    return found if fits else None
