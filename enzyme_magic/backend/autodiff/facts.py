"""What the analyses know about one function, whatever is asked of it. Nothing here writes IR."""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.analysis.derivatives import flow as flow_analysis
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.memory.memory_objects import OUTSIDE, MemoryObject
from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.autodiff.ends import is_inactive
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.types import IntType, PointerType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.library.summary import NEW
from enzyme_magic.backend.prepare.prepared import Prepared


@dataclass(slots=True, eq=False, repr=False)
class Facts:
    """What does not depend on the request. moved: integers from storage of characters that are only moved; kept:
    variables whose address memory may hold; converted: integers made of numbers that become digits of others."""

    prepared: Prepared
    alias: Alias
    types: Types
    flow: flow_analysis.Flow
    moved: frozenset[Value] = frozenset()
    kept: frozenset[str] = frozenset()
    converted: frozenset[Value] = frozenset()


@dataclass(frozen=True, slots=True, repr=False)
class CallMemory:
    """Memory as the flow of derivatives sees it: a called function also fills what it allocates for its caller, and memory outside
    may be any variable of which the program keeps the address (`kept`)."""

    alias: Alias
    kept: frozenset[str]

    def base_objects(self, pointer: Value) -> frozenset[MemoryObject]:
        return _carrying(self.alias.base_objects(pointer))

    def overlapping(self, item: MemoryObject) -> list[MemoryObject]:
        """Other objects that may be the same memory as one outside."""
        if item != OUTSIDE or not self.kept:
            return []
        known = self.alias.points_to.objects
        found = [o for o in known if o.kind == "global" and o.name in self.kept and not o.constant]
        return [o for o in found if not is_inactive(o)]

    def objects_read(self, call: Call) -> frozenset[MemoryObject]:
        return _carrying(objects_read_by(self.alias, call))

    def objects_written(self, call: Call) -> frozenset[MemoryObject]:
        written = _carrying(self.alias.objects_written(call))
        function = call.called_function
        points_to = self.alias.points_to
        summary = self.alias.effects.call_in(call, points_to)
        if function is None or (function.is_declaration and not summary.reads):
            return written  # fresh memory without content; realloc fills it with what it read
        if NEW in summary.returns or any(NEW in pair for pair in summary.stores):
            written |= frozenset(points_to.members(points_to.place_mask(NEW, call.arguments, call)))
        return written


def objects_read_by(alias: Alias, call: Call) -> frozenset[MemoryObject]:
    read = alias.objects_read(call)
    for argument, attributes in zip(call.arguments, call.argument_attributes, strict=True):
        if "byval" in attributes:  # the call itself copies what the pointer leads to
            read |= alias.base_objects(argument)
    return read


def _carrying(objects: frozenset[MemoryObject]) -> frozenset[MemoryObject]:
    """Without the globals that never carry a derivative."""
    if any(is_inactive(item) for item in objects):
        return frozenset(item for item in objects if not is_inactive(item))
    return objects


def may_carry_float(types: Types, value: Value) -> bool:
    """Whether bits of floating numbers may sit in a value. Integers of a number's width count unless the type analysis knows
    better, characters if there is a number in the bytes they come from; all integers and pointers if they are known to hold some,
    whatever they are declared to be."""
    if isinstance(value.type, PointerType):
        return types.holds_number(value)
    integer = isinstance(value.type.scalar, IntType)
    if flow_analysis.may_carry_float(value) and (not integer or types.carries_float(value).answer != "no"):
        return True
    return isinstance(value.type, IntType) and (types.holds_number(value) or types.is_part_of_number(value))
