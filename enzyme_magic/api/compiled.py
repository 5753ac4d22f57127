"""What the API asks of the compiler: the shapes of its answers.

Invariant: protocols only. `backend.pipeline` gives objects of these shapes; so do the fakes of the tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.c_types import Array, CType, Pointer, Signature, Struct, holds_floats, with_article
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.llvm.objects.jit import Library
from enzyme_magic.backend.native import Entry, MemoryNeed
from enzyme_magic.backend.runtime.values.arguments import parameter_names
from enzyme_magic.errors import Diagnostic


class Primal(Protocol):
    """How one C function is called. written: pointer parameters whose memory may be written; read: whose content before
    the call may be read; needs: how much a call is certain to touch; separable: written ones that may be promised to
    be separate."""

    @property
    def entry(self) -> Entry: ...
    @property
    def written(self) -> Sequence[int]: ...
    @property
    def read(self) -> Sequence[int]: ...
    @property
    def uniform(self) -> bool: ...
    @property
    def needs(self) -> Sequence[MemoryNeed]: ...
    @property
    def separable(self) -> Sequence[int]: ...


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
    def inlinable_ir(self) -> str: ...
    def derivative(self, request: Request) -> Derived: ...
    def gradient_program(self, request: Request) -> Compiled: ...
    def extended(self, source: Source, include: tuple[str, ...] = ()) -> Compiled: ...


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

    written, read: pointer parameters it may write, read through. refusals: why a parameter has no gradient; all others are active.
    passive: parameters without derivatives of any kind (a buffer that is written first has no gradient, but is an output).
    """

    written: frozenset[int] = frozenset()
    refusals: Mapping[int, str] = field(default_factory=dict)
    passive: frozenset[int] = frozenset()
    read: frozenset[int] = frozenset()


def roles(compiled: Compiled, function: str, activity: Mapping[str, str]) -> Roles:
    """What the program's analysis says of its pointers, what the types say, and the user's marks.

    activity: marks ("const") by parameter name.
    """
    primal = compiled.primal(function)
    parameters, names = compiled.signatures[function].parameters, parameter_names(compiled.signatures[function])
    pointers = frozenset(index for index, parameter in enumerate(parameters) if isinstance(parameter.type, Pointer))
    written, read = frozenset(primal.written), frozenset(primal.read)
    refusals: dict[int, str] = {}
    for index, parameter in enumerate(parameters):
        reason = "it is marked const" if activity.get(names[index]) == "const" else _refusal(parameter.type)
        if reason is not None:
            refusals[index] = reason
    passive = frozenset(refusals)
    for index in pointers - read - passive:
        refusals[index] = (
            "nothing is computed from what it holds before the call"
            if index in written
            else "it is neither read nor written"
        )
    return Roles(written, dict(sorted(refusals.items())), passive, read)


def _refusal(type_: CType) -> str | None:
    """Why a parameter of this type can have no gradient; None where it can."""
    held = type_
    if isinstance(type_, Pointer):
        held = type_.to
        while isinstance(held, Array):
            held = held.element
    if not holds_floats(held):
        return f"{with_article(type_)} {'is no floating number' if held is type_ else 'holds no floating numbers'}"
    if holds_union(held):
        return f"{held} has a union with floating numbers, and which member is meant is known to C only"
    return None


def holds_union(type_: CType) -> bool:
    """Whether floating numbers share their bytes with something else."""
    if isinstance(type_, Struct):
        return (type_.union and holds_floats(type_)) or any(holds_union(member.type) for member in type_.fields)
    return isinstance(type_, Array) and holds_union(type_.element)
