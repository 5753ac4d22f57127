"""What is known about a callee from its declaration alone: LLVM's attributes and LLVM's own intrinsics.

Source: LLVM Language Reference 22, "Function Attributes" (memory, nofree, willreturn), "Parameter Attributes"
(captures, readonly, writeonly, readnone, noalias, returned). An attribute that is absent proves nothing.

Markers (lifetime, assume, noalias scope declarations, annotations) count as doing nothing: derivative code does not
carry them, so memory keeps its bits past a `lifetime.end`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from enzyme_magic.backend.analysis.calls import runtime_calls
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.attributes import EMPTY, AttributeSet
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, IntType, MetadataType, Type, is_pointer
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.library.summary import (
    ANYWHERE,
    ARGUMENT,
    ERRNO,
    ERRNO_PLACE,
    FRESH,
    GLOBAL,
    NEW,
    NOTHING,
    REACHABLE,
    UNSEEN,
    Place,
    Summary,
    TouchedBytes,
    anything,
    argument,
    reachable,
)

SAME_POINTER = (
    "llvm.ptrmask",
    "llvm.launder.invariant.group",
    "llvm.strip.invariant.group",
    "llvm.threadlocal.address",
    "llvm.ptr.annotation",
)
_QUESTIONS = frozenset(["expect", "is", "objectsize", "va_end"])  # with a result or none, and without any memory
_ACCESS = {"none": (False, False), "read": (True, False), "write": (False, True), "readwrite": (True, True)}


def is_harmless(name: str) -> bool:
    """Whether calls of the intrinsic `name` touch no bits of the program."""
    return intrinsics.is_marker(name) or intrinsics.marks_stack(name) or intrinsics.word(name) in _QUESTIONS


@dataclass(frozen=True, slots=True)
class MemoryEffects:
    """`memory(…)`: for arguments' memory, memory nobody else can reach, errno and all other: (may read, may write)."""

    argmem: tuple[bool, bool] = (True, True)
    inaccessible: tuple[bool, bool] = (True, True)
    errno: tuple[bool, bool] = (True, True)
    other: tuple[bool, bool] = (True, True)

    @classmethod
    def of(cls, attributes: AttributeSet) -> MemoryEffects:
        """No attribute: anything."""
        found = attributes.get("memory")
        if found is None:
            return cls()
        kinds = {"argmem": "argmem", "inaccessiblemem": "inaccessible", "errnomem": "errno"}
        default = (False, False)
        special: dict[str, tuple[bool, bool]] = {}
        for part in (found.value or "").split(","):
            head, colon, access = part.partition(":")
            if not colon:
                default = _ACCESS[head.strip()]
            elif head.strip() in kinds:
                special[kinds[head.strip()]] = _ACCESS[access.strip()]
        every = dict.fromkeys(("argmem", "inaccessible", "errno", "other"), default)
        return cls(**(every | special))

    @property
    def writes_nothing(self) -> bool:
        return not (self.argmem[1] or self.inaccessible[1] or self.other[1])


def captures_nothing(attributes: AttributeSet) -> bool:
    """Whether `captures(…)` says no pointer to the memory stays behind; that an address is compared or returned is no capture."""
    found = attributes.get("captures")
    if found is None:
        return "nocapture" in attributes
    text, _, _ = (found.value or "").partition("ret:")
    return "provenance" not in text


def returns_argument(attributes: AttributeSet) -> bool:
    """Whether the result may be a pointer based on this parameter, as far as the attribute tells."""
    found = attributes.get("captures")
    if found is None:
        return "nocapture" not in attributes
    before, ret, after = (found.value or "").partition("ret:")
    return "provenance" in (after if ret else before)


# Calls by which a C program says what memory holds, known by a part of their name.
TYPE_HINTS = {
    "__enzyme_float": "float",
    "__enzyme_double": "double",
    "__enzyme_integer": "integer",
    "__enzyme_pointer": "pointer",
}


def type_hint(name: str) -> str | None:
    """What a call of `name` says that its argument points to."""
    if not name.partition("__enzyme_")[1]:
        return None
    return next((kind for part, kind in TYPE_HINTS.items() if part in name), None)


def intrinsic(name: str) -> Summary | None:
    """The summary of an LLVM intrinsic whose attributes do not tell enough; None: look at the attributes."""
    if type_hint(name) is not None:
        return replace(NOTHING, reason="it says what memory holds")
    runtime = runtime_calls.summary_of(name)
    if runtime is not None:
        return runtime
    if is_harmless(name):
        return replace(NOTHING, reason="it is a hint to the optimizer")
    if name.startswith(SAME_POINTER):
        return replace(NOTHING, returns=frozenset([argument(0)]), reason="it returns its pointer")
    if intrinsics.is_trap(name):
        return replace(NOTHING, may_exit=True, repeatable=False, reason="it ends the process")
    if intrinsics.is_copy(name):
        return Summary(
            reads=frozenset([argument(1)]),
            writes=frozenset([argument(0)]),
            stores=frozenset([(argument(0), reachable(1))]),
            read_extents=(TouchedBytes(1, 1, (2,)),),
            write_extents=(TouchedBytes(0, 1, (2,)),),
            reason="it copies bytes",
        )
    if intrinsics.transfer_of(name) == "memset":
        return Summary(
            writes=frozenset([argument(0)]), write_extents=(TouchedBytes(0, 1, (2,)),), reason="it fills bytes"
        )
    if name.startswith("llvm.va_start") or name.startswith("llvm.va_copy"):
        read = frozenset([argument(1)]) if "copy" in name else frozenset()
        return Summary(
            reads=read,
            writes=frozenset([argument(0)]),
            stores=frozenset([(argument(0), ANYWHERE)]),
            repeatable=False,
            reason="it sets up a va_list",
        )
    return None


def declaration(function: Function) -> Summary:
    """The summary of a function without body that no table knows: what its attributes prove."""
    parameters = [a.attributes for a in function.arguments]
    base = anything(f"nothing is known about the external function {function.name}")
    pointers = pointer_arguments(function.arguments)
    if function.function_type.variadic:
        pointers.append(-1)
    base = replace(base, returns=base.returns if is_pointer(function.function_type.result) else frozenset())
    return restrict(base, function.attributes, function.result_attributes, parameters, pointers)


def restrict(
    summary: Summary,
    attributes: AttributeSet,
    result_attributes: AttributeSet,
    parameters: Sequence[AttributeSet],
    pointers: Sequence[int],
) -> Summary:
    """`summary` cut down to what the attributes allow. `pointers`: indices of the pointer arguments (-1: variadic ones)."""
    effects = MemoryEffects.of(attributes)
    unseen = UNSEEN in summary.stores
    reads = _allowed(summary.reads, effects, 0, unseen, pointers, parameters, ("writeonly", "readnone"))
    writes = _allowed(summary.writes, effects, 1, unseen, pointers, parameters, ("readonly", "readnone"))
    frees = _allowed(summary.frees, effects, 1, unseen, pointers, parameters, ("readonly", "readnone", "nofree"))
    captured = _captured(summary, effects, pointers, parameters)
    opaque = summary.opaque and (effects.other[1] or ANYWHERE in writes)
    inside = any(effects.inaccessible) or any(effects.other)
    return replace(
        summary,
        reads=reads,
        writes=writes,
        frees=frozenset() if "nofree" in attributes else frees,
        captures=captured,
        returns=_returned(summary, result_attributes, parameters, pointers),
        stores=_stored(summary, writes, pointers),
        prints=summary.prints and (effects.inaccessible[1] or effects.other[1]),
        may_exit=summary.may_exit and "willreturn" not in attributes,
        opaque=opaque,
        repeatable=summary.repeatable or not inside,
    )


def _attributes(parameters: Sequence[AttributeSet], index: int) -> AttributeSet:
    return parameters[index] if 0 <= index < len(parameters) else EMPTY


def _allowed(
    places: frozenset[Place],
    effects: MemoryEffects,
    which: int,
    unseen: bool,
    pointers: Sequence[int],
    parameters: Sequence[AttributeSet],
    forbidding: tuple[str, ...],
) -> frozenset[Place]:
    """`places` without what `memory(…)` and the parameter attributes rule out; "anywhere" includes the arguments' memory."""
    result = set(places)
    if unseen and ANYWHERE in places:
        result.update(argument(k) for k in pointers)
        result.add(ERRNO_PLACE)
    if not effects.other[which]:
        result = {p for p in result if p.kind in (ARGUMENT, ERRNO, FRESH)}
    if not effects.errno[which]:
        result.discard(ERRNO_PLACE)
    if not effects.argmem[which]:
        result = {p for p in result if p.kind != ARGUMENT}
    for index in pointers:
        if any(name in _attributes(parameters, index) for name in forbidding):
            result.discard(argument(index))
    return frozenset(result)


def _captured(
    summary: Summary, effects: MemoryEffects, pointers: Sequence[int], parameters: Sequence[AttributeSet]
) -> frozenset[int]:
    if effects.writes_nothing:
        return frozenset()
    found = set(pointers) if -1 in summary.captures else set(summary.captures)
    return frozenset(k for k in found if not captures_nothing(_attributes(parameters, k)))


def _returned(
    summary: Summary,
    result_attributes: AttributeSet,
    parameters: Sequence[AttributeSet],
    pointers: Sequence[int],
) -> frozenset[Place]:
    if not summary.returns:
        return summary.returns
    same = [k for k, a in enumerate(parameters) if "returned" in a]
    if same:
        return frozenset(argument(k) for k in same)
    if "noalias" in result_attributes and ANYWHERE in summary.returns:
        return frozenset([NEW])
    found = set(summary.returns)
    if ANYWHERE in found:
        based = [k for k in pointers if returns_argument(_attributes(parameters, k))]
        found.update(argument(k) for k in based)
        found.update(reachable(k) for k in pointers)
    return frozenset(found)


def _stored(summary: Summary, writes: frozenset[Place], pointers: Sequence[int]) -> frozenset[tuple[Place, Place]]:
    """Code nobody has seen may put a pointer to anything it gets into anything it writes."""
    if UNSEEN not in summary.stores:
        return summary.stores
    into = [p for p in writes if p.kind in (ARGUMENT, GLOBAL, REACHABLE)]
    pointees = [ANYWHERE, *(reachable(k) for k in pointers), *(argument(k) for k in summary.captures if k >= 0)]
    if -1 in summary.captures:
        pointees += [argument(k) for k in pointers]
    return frozenset((target, pointee) for target in into for pointee in pointees)


def pointer_arguments(arguments: Sequence[Value]) -> list[int]:
    """Indices of the arguments that may hold a pointer: all but floating values and narrow integers."""
    return [k for k, value in enumerate(arguments) if _may_hold_pointer(value.type)]


def _may_hold_pointer(type_: Type) -> bool:
    if isinstance(type_, IntType):
        return type_.bits >= 64
    return not isinstance(type_.scalar, (FloatType, MetadataType))
