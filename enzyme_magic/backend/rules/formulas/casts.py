"""Derivatives of conversions between floating types (the derivative is converted along) and to and from integers (none)."""

from __future__ import annotations

from enzyme_magic.backend.rules.emitter import Emitter, Primals, Term
from enzyme_magic.backend.rules.rule import OneOf, Real, rule

_ANY = Real(-50.0, 50.0)


def _converted(e: Emitter, d: Term, p: Primals) -> Term:
    """In forward mode d has the operand's type, in reverse mode the result's; the emitter's is the other one."""
    return e.convert(d)


RULES = (
    rule("fpext", "d (T)x = (T)dx", _converted, domain=_ANY),
    rule("fptrunc", "d (T)x = (T)dx", _converted, domain=_ANY),
    rule("fptrunc.round", "d (T)x = (T)dx", _converted, None, domain=(_ANY, OneOf((0,)))),
    rule("sitofp", "an integer carries no derivative", None, domain=_ANY),
    rule("uitofp", "an integer carries no derivative", None, domain=_ANY),
    rule("fptosi", "an integer carries no derivative", None, domain=_ANY),
    rule("fptoui", "an integer carries no derivative", None, domain=_ANY),
)
