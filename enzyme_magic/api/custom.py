"""Derivatives of one's own, said from Python: for C that cannot be changed.

    rule = em.custom_vjp("rsqrt", lambda x, d: -0.5*d*x**-1.5)
    p = em.compile_c(source, custom=[rule, em.inactive("log_progress")])

A handler is the name of a C function of the program, C text that defines one, or a Python function of numbers. Invariant: what is
made here is frozen text; what a handler must take and give is the agreement of docs/custom_derivatives.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from enzyme_magic.config import Registration
from enzyme_magic.errors import ArgumentError, user_frames

Handler = str | Callable[..., Any]
_NAME = re.compile(r"[A-Za-z_]\w*")
_NO_CODE = re.compile(
    r"""/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n\\]|\\.)*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""", re.S | re.M
)
_INNERMOST = re.compile(r"\{[^{}]*\}")
_PARENTHESES = re.compile(r"\([^()]*\)")
_DEFINED = re.compile(r"([A-Za-z_]\w*)\s*<>\s*(?:__attribute__\s*<>\s*)*\{\}")


@dataclass(frozen=True, slots=True)
class CustomRule:
    """A registration, and the C text that comes with it. Pass it to `compile_c(…, custom=…)`."""

    registration: Registration
    text: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        """A Python function goes along, not its name in this process."""
        from enzyme_magic.backend.runtime.calls import handlers

        return _restored, (self.registration, self.text, handlers.used_in(self.registration.handler))


def _restored(registration: Registration, text: str, called: Mapping[str, Callable[..., Any]]) -> CustomRule:
    from enzyme_magic.backend.runtime.calls import handlers

    return CustomRule(replace(registration, handler=handlers.renaming(called)(registration.handler)), text)


@user_frames
def custom_vjp(function: str, gradient: Handler, augmented: Handler | None = None) -> CustomRule:
    """A rule for reverse mode: `gradient` gives the adjoints of the floating parameters of the C function `function`.

    gradient: takes the parameters (in C each pointer followed by its shadow), then the adjoint of the result, then the tape if
    there is one. A Python function takes numbers and gives one number, or a tuple of one for each floating parameter. augmented:
    the C function that computes result and tape; without it `function` itself runs in the forward sweep. It is always one of C,
    because the type of a tape is C's.
    Raises ArgumentError EM333 for what cannot be a handler.
    """
    handler, text, python = _handler(gradient, "gradient")
    if augmented is None:
        return CustomRule(Registration("gradient", _name(function), handler, "", python), text)
    if not isinstance(augmented, str):
        raise _not_a_handler(
            "augmented", augmented, "the name of a C function of the program, or C text that defines one"
        )
    before, before_text, _ = _handler(augmented, "augmented")
    return CustomRule(
        Registration("gradient", _name(function), handler, before, python), "\n".join(filter(None, (before_text, text)))
    )


@user_frames
def custom_jvp(function: str, derivative: Handler) -> CustomRule:
    """A rule for forward mode: `derivative` gives the tangent of the result of the C function `function`.

    derivative: takes the parameters, each floating one followed by its tangent (in C each pointer by its shadow). In C it may give
    {result, tangent} instead of the tangent. Raises ArgumentError EM333 for what cannot be a handler.
    """
    handler, text, python = _handler(derivative, "derivative")
    return CustomRule(Registration("derivative", _name(function), handler, "", python), text)


@user_frames
def inactive(function: str) -> CustomRule:
    """A promise: no derivative flows through the C function `function`."""
    return CustomRule(Registration("inactive", _name(function)))


def rules(value: object) -> tuple[CustomRule, ...]:
    """What a user may pass as `custom`: one rule or several. Raises ArgumentError EM333 for anything else."""
    items = [value] if isinstance(value, CustomRule) else value
    if not isinstance(items, Sequence) or not all(isinstance(item, CustomRule) for item in items):
        raise ArgumentError(
            f"custom takes rules, got {value!r}",
            code="EM333",
            hint="em.custom_vjp('f', …), em.custom_jvp('f', …) or em.inactive('f')",
        )
    return tuple(items)


def _handler(handler: object, role: str) -> tuple[str, str, bool]:
    """(name, C text, whether it is Python's)."""
    if isinstance(handler, str) and _NAME.fullmatch(handler.strip()):
        return handler.strip(), "", False
    if isinstance(handler, str):
        defined = _functions(handler)
        if defined:
            return defined[-1], handler, False
    elif callable(handler):
        from enzyme_magic.backend.runtime.calls import handlers

        return handlers.symbol_of(handler), "", True
    raise _not_a_handler(role, handler, "the name of a C function, C text that defines one, or a Python function")


def _functions(text: str) -> list[str]:
    """The names of the functions that C text defines, in order: names before parentheses and a body, outside of bodies."""
    left = _NO_CODE.sub(" ", text)
    for pattern, mark in ((_INNERMOST, "<body>"), (_PARENTHESES, "<>")):
        while (shorter := pattern.sub(mark, left)) != left:
            left = shorter
    return _DEFINED.findall(left.replace("<body>", "{}"))


def _name(function: object) -> str:
    if not isinstance(function, str) or not _NAME.fullmatch(function):
        raise _not_a_handler("function", function, "the name of a C function, as in 'rsqrt'")
    return function


def _not_a_handler(role: str, given: object, hint: str) -> ArgumentError:
    return ArgumentError(f"{role} cannot be {given!r}", code="EM333", hint=hint)
