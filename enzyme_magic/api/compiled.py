"""What the API asks of the compiler: the shapes of its answers.

Invariant: protocols only. `backend.pipeline` gives objects of these shapes; so do the fakes of the tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from enzyme_magic.backend.autodiff.request import Request
from enzyme_magic.backend.frontend.c_types import Array, Pointer, Scalar, Signature, Struct, Type
from enzyme_magic.backend.llvm.jit import Library
from enzyme_magic.backend.native import Entry
from enzyme_magic.errors import Diagnostic


class Primal(Protocol):
    """How one C function is called. written, read: pointer parameters whose memory may be written, read; not known for a
    function called through the uniform entry."""

    @property
    def entry(self) -> Entry: ...
    @property
    def written(self) -> Sequence[int]: ...
    @property
    def read(self) -> Sequence[int]: ...
    @property
    def uniform(self) -> bool: ...


class Compiled(Protocol):
    """A compiled program. timings: milliseconds by stage."""

    @property
    def signatures(self) -> Mapping[str, Signature]: ...
    @property
    def diagnostics(self) -> Sequence[Diagnostic]: ...
    @property
    def notes(self) -> Sequence[str]: ...
    @property
    def timings(self) -> Mapping[str, float]: ...
    @property
    def library(self) -> Library: ...
    def primal(self, function: str) -> Primal: ...
    def ir(self, stage: str, function: str) -> str: ...
    def derivative(self, request: Request) -> Derived: ...


class Derived(Protocol):
    """A compiled derivative."""

    @property
    def entry(self) -> Entry: ...
    @property
    def library(self) -> Library: ...
    @property
    def gradient_ir(self) -> str: ...
    @property
    def gradient_optimized_ir(self) -> str: ...
    @property
    def timings(self) -> Mapping[str, float]: ...


@dataclass(frozen=True, slots=True)
class Roles:
    """What a function does with its parameters, by index.

    written: pointer parameters it may write through. refusals: why a parameter has no gradient; all others are active.
    """

    written: frozenset[int] = frozenset()
    refusals: Mapping[int, str] = field(default_factory=dict)


def roles(compiled: Compiled, function: str, activity: Mapping[str, str]) -> Roles:
    """What the program's analysis says of its pointers, what the types say, and the user's marks.

    activity: marks ("const") by parameter name.
    """
    primal = compiled.primal(function)
    parameters = compiled.signatures[function].parameters
    pointers = frozenset(index for index, parameter in enumerate(parameters) if isinstance(parameter.type, Pointer))
    written, read = (pointers, pointers) if primal.uniform else (frozenset(primal.written), frozenset(primal.read))
    refusals: dict[int, str] = {}
    for index, parameter in enumerate(parameters):
        reason = _refusal(parameter.type)
        if reason is None and index in pointers - read:
            reason = "it is only written" if index in written else "it is neither read nor written"
        if activity.get(parameter.name) == "const":
            reason = "it is marked const"
        if reason is not None:
            refusals[index] = reason
    return Roles(written, refusals)


def _refusal(type_: Type) -> str | None:
    """Why a parameter of this type can have no gradient; None where it can."""
    if isinstance(type_, Pointer):
        inner = type_.to
        while isinstance(inner, Array):
            inner = inner.element
        return None if _floating(inner) else f"a {type_} holds no floating numbers"
    return None if _floating(type_) else f"a {type_} is no floating number"


def _floating(type_: Type) -> bool:
    if isinstance(type_, Struct):
        return any(_floating(member.type) for member in type_.fields)
    if isinstance(type_, Array):
        return _floating(type_.element)
    return isinstance(type_, Scalar) and type_.kind in ("float", "complex")
