"""Integers that are computed with, where the run must say whether they are integers: tagged unions, headers, free lists.

Static types say of such an integer only that it may hold parts of an active number. If it does not, its operations are without a
derivative; if it does, one is lost. In reverse mode the adjoint of an operation on integers is a *stain* on the bytes of its
operands, where an adjoint arrived at its result. Stains move backwards as adjoints do; a store of an integer takes them away, and
one of an active number ends the call (runtime/native/c/kinds.c). In forward mode the bits of the tangent tell.

The answer is a union of closed components: integers that are loaded, merged, stored, moved by whole bytes (`parts`), computed with
by the operations of a closed list, and nothing else on the way to the result. So a stain cannot leave a component but through
memory. An operation all of whose integers are certainly numbers, because nothing else is ever written where they lie, is no
member: that is an error which needs no run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from enzyme_magic.backend.analysis.calls.runtime_calls import sizes_on_kinds
from enzyme_magic.backend.analysis.counts.blank_bits import zero
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.analysis.types.type_tree import Unknown
from enzyme_magic.backend.autodiff.memory import kinds
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Call,
    Cast,
    Compare,
    Freeze,
    Instruction,
    Load,
    Phi,
    Select,
    Store,
    Switch,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.types import FloatType, IntType
from enzyme_magic.backend.ir.values import Argument, ConstantInt, Value

MERGES = (Phi, Select, Freeze)
CONVERSIONS = frozenset(["sitofp", "uitofp"])
CASTS = frozenset(["trunc", "zext", "sext"])
INTRINSICS = ("umin", "umax", "smin", "smax", "abs", "bswap", "bitreverse", "ctpop", "ctlz", "cttz", "fshl", "fshr")
SATURATING = ("uadd", "usub", "sadd", "ssub", "ushl", "sshl")  # llvm.usub.sat: `a < b ? 0 : a - b`


@dataclass(frozen=True, slots=True)
class BytePart:
    """Bytes of an operation's result, and those of the operand that they are, or (`moved` is false) that they depend on."""

    operand: Value
    origin: int
    start: int
    length: int
    moved: bool


def parts(layout: DataLayout, i: Instruction) -> Iterator[BytePart]:
    """Where the bytes of an integer operation's result come from. Bytes that are constant are in no part."""
    size = layout.store_size(i.type)
    first = i.operands[0]
    if isinstance(i, Cast):
        kept = min(size, layout.store_size(first.type))
        yield BytePart(first, 0, 0, kept, True)
        if i.opcode == "sext":
            yield BytePart(first, 0, kept, size - kept, False)
    elif isinstance(i, Binary) and i.opcode in ("shl", "lshr") and _is_whole_shift(i.operands[1]):
        assert isinstance(i.operands[1], ConstantInt)
        by = i.operands[1].unsigned // 8
        if by < size:
            yield BytePart(first, 0 if i.opcode == "shl" else by, by if i.opcode == "shl" else 0, size - by, True)
    elif isinstance(i, Binary) and i.opcode in ("and", "or", "xor"):
        yield from _bitwise(i, size)
    else:
        operands = i.arguments if isinstance(i, Call) else i.operands
        yield from (BytePart(v, 0, 0, size, False) for v in operands)


def _is_whole_shift(by: Value) -> bool:
    return isinstance(by, ConstantInt) and by.unsigned % 8 == 0


def _bitwise(i: Binary, size: int) -> Iterator[BytePart]:
    for value, other in (i.operands, i.operands[::-1]):
        for k in range(size):
            if i.opcode == "and" and (k in zero(value) or k in zero(other)):
                continue
            if k not in zero(value):
                yield BytePart(value, k, k, 1, _lets_through(i, other, k))


def _lets_through(i: Binary, other: Value, byte: int) -> bool:
    """Whether a byte of one operand of a bitwise operation is that of the result."""
    if i.opcode == "and":
        return isinstance(other, ConstantInt) and other.unsigned >> 8 * byte & 255 == 255
    return byte in zero(other)


def is_operation(i: Instruction) -> bool:
    """Whether it is an operation of the closed list, on whole bytes."""
    if isinstance(i, Cast) and i.opcode in CONVERSIONS:
        return isinstance(i.type, FloatType)
    if not is_whole(i):
        return False
    if isinstance(i, Cast):
        return i.opcode in CASTS and is_whole(i.operands[0])
    function = i.called_function if isinstance(i, Call) else None
    return isinstance(i, Binary) or (function is not None and _is_listed(function.name.split(".")))


def _is_listed(words: list[str]) -> bool:
    if words[:1] != ["llvm"]:
        return False
    return (len(words) == 3 and words[1] in INTRINSICS) or (words[2:3] == ["sat"] and words[1] in SATURATING)


def is_whole(value: Value) -> bool:
    """Whether it is an integer of whole bytes."""
    return isinstance(value.type, IntType) and value.type.bits % 8 == 0


def computes(subject: Subject, i: Instruction) -> bool:
    """Whether `i` is a member that is more than a load, a merge, or an integer that is read as a number."""
    return i in subject.asked and not isinstance(i, (Load, *MERGES)) and not is_read(i)


def find(subject: Subject, refused: Iterable[Instruction]) -> frozenset[Value]:
    """The members of all components with an operation of `refused`, or with one of whose result nothing is known. No component has
    an operation that certainly computes with the bits of active numbers."""
    wanted, unknown = list(refused), _unknown(subject)
    if not wanted and not unknown:
        return frozenset()
    search = _Search.of(subject)
    found: set[Value] = set()
    for start in [*wanted, *filter(search.is_more_than_moved, unknown)]:
        component = None if start in found else search.component(start)
        if component is not None and not _is_certain(subject, component, start):
            found |= component
    certain = [i for i in wanted if i in found and _is_certain(subject, found, i)]
    return frozenset() if certain else frozenset(found)


def _unknown(subject: Subject) -> list[Instruction]:
    """Integers of which it is not known what they hold."""
    integers = [i for i in subject.prepared.function.instructions() if isinstance(i.type, IntType)]
    return [i for i in integers if subject.activity.active(i) and isinstance(subject.leaves(i), Unknown)]


def _is_certain(subject: Subject, asked: AbstractSet[Value], operation: Instruction) -> bool:
    """Whether an operation certainly computes with the bits of active numbers."""
    if isinstance(operation, (Load, *MERGES)):
        return False
    pending, seen = list(operation.operands), set(operation.operands)
    while pending:
        value = pending.pop()
        if value not in asked:
            continue
        if isinstance(value, Load):
            if any(_may_hold_others(subject, o, set()) for o in subject.alias.base_objects(value.pointer)):
                return False
        elif isinstance(value, MERGES) and not all(map(subject.activity.active, _chosen(value))):
            return False
        elif isinstance(value, Instruction):
            new = [v for v in value.operands if v not in seen]
            pending += new
            seen.update(new)
    return True


def _may_hold_others(subject: Subject, item: MemoryObject, seen: set[MemoryObject | Value]) -> bool:
    """Whether something may have been put into an object that is no active number. seen: what is being asked about already."""
    if item in seen:
        return False
    seen.add(item)
    if not item.local:
        return True
    return any(_writes_others(subject, i, item, seen) for i in subject.prepared.function.instructions())


def _writes_others(subject: Subject, i: Instruction, item: MemoryObject, seen: set[MemoryObject | Value]) -> bool:
    active = subject.activity.active
    if isinstance(i, Store):
        return item in subject.alias.base_objects(i.pointer) and (
            not active(i.value) or _may_be_other(subject, i.value, seen)
        )
    if not isinstance(i, Call) or item not in subject.objects_written(i):
        return False
    if not _is_copy(i):
        return True
    sources = subject.alias.base_objects(i.arguments[1])
    return any(not active(o) or _may_hold_others(subject, o, seen) for o in sources)


def _may_be_other(subject: Subject, value: Value, seen: set[MemoryObject | Value]) -> bool:
    """Whether an active value may be an integer nevertheless: one that is computed of others may, or is read as a number."""
    if isinstance(value, Instruction) and is_read(value):
        return _may_be_other(subject, value.operands[0], seen)
    if not isinstance(value.type, IntType) or isinstance(value, Argument):
        return isinstance(value.type, IntType)
    if value in seen:
        return False
    seen.add(value)
    if isinstance(value, Load):
        return any(_may_hold_others(subject, o, seen) for o in subject.alias.base_objects(value.pointer))
    if isinstance(value, MERGES):
        chosen = _chosen(value)
        return not all(map(subject.activity.active, chosen)) or any(_may_be_other(subject, v, seen) for v in chosen)
    if isinstance(value, Call) and isinstance(subject.leaves(value), Unknown):
        return True
    operands = value.operands if isinstance(value, Instruction) and is_operation(value) else ()
    return any(_may_be_other(subject, v, seen) for v in operands if subject.activity.active(v))


def _chosen(merge: Phi | Select | Freeze) -> tuple[Value, ...]:
    """What a merge chooses from."""
    return tuple(merge.operands[isinstance(merge, Select) :])


@dataclass(frozen=True, slots=True, repr=False)
class _Search:
    subject: Subject
    users: dict[Value, list[Instruction]]

    @classmethod
    def of(cls, subject: Subject) -> _Search:
        users: dict[Value, list[Instruction]] = defaultdict(list)
        for i in subject.prepared.function.instructions():
            for operand in dict.fromkeys(i.operands):
                users[operand].append(i)
        return cls(subject, users)

    def component(self, start: Instruction) -> set[Value] | None:
        """All that is connected with an operation by integers on the way to the result; None where not all of it is allowed."""
        found: set[Value] = {start}
        pending: list[Instruction] = [start]
        while pending:
            i = pending.pop()
            if not self._is_member(i):
                return None
            near = [
                v for v in self._operands(i) if self._is_active_integer(v) or (is_written(i) and isinstance(v, Load))
            ]
            near += [u for u in self.users[i] if isinstance(i.type, IntType) and leads_on(self.subject, i, u)]
            for value in near:
                if not isinstance(value, Instruction):
                    return None
                if value not in found and not isinstance(value, Store):
                    found.add(value)
                    pending.append(value)
        return found

    def is_more_than_moved(self, i: Instruction) -> bool:
        """Whether an integer is no mere copy from memory to memory (sweeps/carriers.py)."""
        if not isinstance(i, (Load, *MERGES)):
            return is_operation(i)
        if any(isinstance(v, Instruction) and is_written(v) for v in self._operands(i)):
            return True
        return any(not (isinstance(u, (Store, Compare, Switch, *MERGES)) or is_read(u)) for u in self.users[i])

    def _is_member(self, i: Instruction) -> bool:
        if isinstance(i, Load):
            return (is_whole(i) or kinds.are_marked([i.type])) and not (i.volatile or i.ordering)
        if isinstance(i, MERGES):
            return is_whole(i)
        return is_operation(i) or is_read(i) or is_written(i)

    def _operands(self, i: Instruction) -> list[Value]:
        if isinstance(i, Load):
            return []
        return list(i.operands[1:] if isinstance(i, Select) else i.arguments if isinstance(i, Call) else i.operands)

    def _is_active_integer(self, value: Value) -> bool:
        known = isinstance(value, (Instruction, Argument)) and isinstance(value.type, IntType)
        return known and self.subject.activity.active(value)


def leads_on(subject: Subject, value: Value, user: Instruction) -> bool:
    """Whether a derivative would go on through a user; an allowed store is an end, and so is the size of memory."""
    if isinstance(user, Call) and (_allocates(subject, user) or value in _sizes(user)):
        return False
    if isinstance(user, Store) and user.value is value and not (user.volatile or user.ordering):
        return False
    matters = subject.activity.matters
    edges = subject.activity.flow.by_instruction.get(user, ())
    return any(edge.source is value and edge.target in matters for edge in edges)


def _allocates(subject: Subject, call: Call) -> bool:
    return bool(subject.alias.effects.call(call).allocates)


def _sizes(call: Call) -> list[Value]:
    """The arguments that say how many bytes are copied, cleared or marked."""
    if intrinsics.transfer(call) is not None:
        return [call.arguments[intrinsics.LENGTH]]
    return [call.arguments[k] for k in sizes_on_kinds(getattr(call.called_function, "name", ""))]


def _is_copy(call: Call) -> bool:
    function = call.called_function
    return function is not None and intrinsics.is_copy(function.name)


def is_read(i: Instruction) -> bool:
    """Whether it takes an integer's bits for a number."""
    return isinstance(i, Cast) and i.opcode == "bitcast" and kinds.are_marked([i.type]) and is_whole(i.operands[0])


def is_written(i: Instruction) -> bool:
    """Whether it takes a number's bits for an integer."""
    return isinstance(i, Cast) and i.opcode == "bitcast" and is_whole(i) and kinds.are_marked([i.operands[0].type])
