"""Memory objects of one function, and which of them every pointer may point to.

Andersen's analysis (1994), flow-insensitive and field-insensitive: one set of objects per pointer value, one per
object for what lies in it. Sets are bit masks; a difference worklist runs to the least fixpoint.

What the function cannot see is modelled by a few objects: the memory each argument points into, the memory reachable
from it by following pointers, each global, and one object "outside" for the rest. Distinct objects of the function
itself (allocas, allocation calls, memory of `byval` arguments) never overlap anything else; among the outside ones
`widen` tells which may be the same memory.

`escaped` is the set of objects code outside this function may know: their addresses were stored into outside memory
or captured by a call. Outside memory contains pointers to every escaped object.

Integers and vectors are followed like pointers where they may carry one (an 8-byte memcpy is an i64 load and store);
values that TBAA proves to be floating or narrow are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from enzyme_magic.backend.ir.graphs import callgraph
from enzyme_magic.backend.ir.instructions import (
    Call,
    Instruction,
    Return,
)
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import FloatType
from enzyme_magic.backend.ir.values import (
    Argument,
    ConstantExpression,
    Value,
)
from enzyme_magic.backend.library.summary import (
    ARGUMENT,
    ERRNO,
    FRESH,
    GLOBAL,
    REACHABLE,
    Place,
)

MemoryKind = Literal["alloca", "allocation", "byval", "argument", "reachable", "global", "errno", "outside"]
LOCAL_KINDS: frozenset[MemoryKind] = frozenset(["alloca", "allocation", "byval"])


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """kind: alloca, allocation (an allocating call), byval (an argument's private copy), argument (what argument `index` points
    into), reachable (what its pointers lead to, or, `deep`, what can be reached from there), global (`name`), errno, outside.
    `value`: the instruction, argument or global. `exclusive`: a noalias argument, overlapped by nothing that is not based on it."""

    kind: MemoryKind
    value: Value | None = field(default=None, repr=False)
    index: int = -1
    name: str = ""
    exclusive: bool = False
    constant: bool = False
    deep: bool = False
    _hash: int = field(init=False, repr=False, compare=False)  # asked for very often

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.kind, self.value, self.index, self.name, self.deep)))

    def __hash__(self) -> int:
        return self._hash

    @property
    def local(self) -> bool:
        """Whether the memory comes into being in this function, so that no caller knows it."""
        return self.kind in LOCAL_KINDS

    def __str__(self) -> str:
        words = {
            "alloca": f"local variable {self.name}",
            "allocation": f"memory allocated by {self.name}",
            "byval": f"parameter {self.name}",
            "argument": f"*{self.name}",
            "reachable": f"memory reachable from {self.name}",
            "global": f"global {self.name}",
        }
        return words.get(self.kind, self.kind)


OUTSIDE = MemoryObject("outside")
ERRNO_OBJECT = MemoryObject("errno")


@dataclass(slots=True, eq=False, repr=False)
class PointsTo:
    """The solution. Masks have bit k for `objects[k]`.

    contents[k]: what pointers in object k may point to; stored[k]: what those stored there by this function through a pointer to k
    itself may point to (the rest was there before, or came through a pointer to something that may overlap).
    """

    function: Function
    objects: list[MemoryObject]
    numbers: dict[MemoryObject, int]
    escaped: int
    leaked: int
    contents: list[int]
    stored: list[int]
    _masks: dict[Value, int]
    outside_class: int

    def mask(self, pointer: Value) -> int:
        """The objects `pointer` may point into; 0 for null and undef."""
        found = self._masks.get(pointer)
        if found is None:
            local = isinstance(pointer, (Instruction, Argument))
            found = self._unseen_mask(pointer) if local else self._constant_mask(pointer)
            self._masks[pointer] = found
        return found

    def _unseen_mask(self, value: Value) -> int:
        """For a value no constraint defines: nothing if it is floating, anything otherwise."""
        return 0 if isinstance(value.type.scalar, FloatType) else self.outside_class | self.escaped

    def _constant_mask(self, value: Value) -> int:
        result = 0
        for found in callgraph.globals_in(value):
            number = self.numbers.get(global_object(found))
            result |= 1 << number if number is not None else self.outside_class
        if not result and isinstance(value, ConstantExpression) and value.opcode == "inttoptr":
            return 1 << self.numbers[OUTSIDE]
        return result

    def members(self, mask: int) -> Iterator[MemoryObject]:
        while mask:
            low = mask & -mask
            yield self.objects[low.bit_length() - 1]
            mask ^= low

    def base_objects(self, pointer: Value) -> frozenset[MemoryObject]:
        return frozenset(self.members(self.mask(pointer)))

    def widen(self, mask: int) -> int:
        """All objects that may overlap one in `mask`: outside objects may be each other, unless one is exclusive."""
        return mask | self.outside_class if mask & self.outside_class else mask

    def closure(self, mask: int) -> int:
        """`mask` and everything that can be reached from it by following pointers."""
        pending = mask
        while pending:
            low = pending & -pending
            found = self.contents[low.bit_length() - 1] & ~mask
            mask |= found
            pending = (pending ^ low) | found
        return mask

    def place_mask(self, place: Place, arguments: list[Value], call: Call | None = None) -> int:
        """The objects a callee's place stands for at a call with these arguments."""
        if place.kind == ARGUMENT:
            return self._argument_mask(place.index, arguments)
        if place.kind == REACHABLE:
            start = self._argument_mask(place.index, arguments)
            inside = 0
            for k in bits_of(start):
                inside |= self.contents[k]
            return self.closure(inside)
        if place.kind == GLOBAL:
            return self._named_global(place.name)
        if place.kind == ERRNO:
            return 1 << self.numbers[ERRNO_OBJECT]
        if place.kind == FRESH:
            number = self.numbers.get(MemoryObject("allocation", call, name=callee_name(call))) if call else None
            return 1 << number if number is not None else 0
        return self.outside_class | self.escaped

    def _argument_mask(self, index: int, arguments: list[Value]) -> int:
        if index >= 0:
            return self.mask(arguments[index]) if index < len(arguments) else 0
        result = 0
        for value in arguments:
            result |= self.mask(value)
        return result

    def _named_global(self, name: str) -> int:
        for number, found in enumerate(self.objects):
            if found.kind == "global" and found.name == name:
                return 1 << number
        return self.outside_class  # this function does not mention it: it is some memory outside


def bits_of(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def callee_name(call: Call | None) -> str:
    callee = call.called_function if call is not None else None
    return callee.name if callee is not None else "a call"


def global_object(value: Value) -> MemoryObject:
    if isinstance(value, GlobalVariable):
        return MemoryObject("global", value, name=value.name, constant=value.constant)
    if isinstance(value, Function):
        return MemoryObject("global", value, name=value.name, constant=True)
    return OUTSIDE


def returned_pointers(function: Function) -> Iterable[Value]:
    """The values the function returns."""
    for block in function.blocks:
        last = block.instructions[-1] if block.instructions else None
        if isinstance(last, Return):
            yield from last.operands
