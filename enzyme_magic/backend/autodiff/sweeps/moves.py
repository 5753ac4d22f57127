"""Instructions that only move floating leaves about: from which operand, and from where in it, does each leaf of the
result come?

One table serves both directions: forward mode fetches tangents by it, reverse mode hands adjoints back by it. Selects
and phis choose at run time, and so do element accesses with a variable index (`is_dynamic`); they are written by the
sweeps themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from enzyme_magic.backend.analysis.counts.blank_bits import zero, zero_below
from enzyme_magic.backend.analysis.types.type_tree import BYTES
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf, Path
from enzyme_magic.backend.autodiff.sweeps.value_leaves import lost
from enzyme_magic.backend.ir.elements import shuffle_lanes
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Cast,
    ExtractElement,
    ExtractValue,
    Freeze,
    InsertElement,
    InsertValue,
    Instruction,
    Select,
    ShuffleVector,
)
from enzyme_magic.backend.ir.types import FloatType, IntType, VectorType
from enzyme_magic.backend.ir.values import ConstantInt, Value

PACKING = frozenset(["or", "xor", "and", "shl", "lshr", "add", "sub"])
DROPPED = ("a floating number is copied to where an integer is expected", "copy floating data as floating data")
LeavesOf = Callable[[Value], Sequence[Leaf]]
Source = tuple[Value, Path]


def is_move(i: Instruction) -> bool:
    """Whether `i` moves leaves without computing, to places known while compiling."""
    kinds = (Freeze, ExtractValue, InsertValue, ExtractElement, InsertElement, ShuffleVector)
    if isinstance(i, kinds):
        return not is_dynamic(i)
    return (isinstance(i, Cast) and i.opcode == "bitcast") or is_packing(i)


def is_packing(i: Instruction) -> bool:
    """An operation that puts bytes of an integer elsewhere, or beside others."""
    return isinstance(i.type, IntType) and (
        (isinstance(i, Cast) and i.opcode in ("zext", "trunc")) or (isinstance(i, Binary) and i.opcode in PACKING)
    )


def is_dynamic(i: Instruction) -> bool:
    """An element access with an index that is only known at run time."""
    return isinstance(i, (ExtractElement, InsertElement)) and not isinstance(i.operands[-1], ConstantInt)


def source_of(i: Instruction, path: Path, leaves_of: LeavesOf) -> Source | None:
    """Where the leaf `path` of the result of a move comes from; None for a lane that is poison, or a reinterpretation
    that does not keep floating numbers whole."""
    if isinstance(i, Freeze):
        return i.operands[0], path
    if isinstance(i, ExtractValue):
        return i.operands[0], (*i.indices, *path)
    if isinstance(i, InsertValue):
        count = len(i.indices)
        return (i.operands[1], path[count:]) if path[:count] == i.indices else (i.operands[0], path)
    if isinstance(i, ShuffleVector):
        return _shuffled(i, path)
    if is_packing(i):
        return _packed(i, path, leaves_of)
    if isinstance(i, Cast):
        return _reinterpreted(i, path, leaves_of)
    index = i.operands[-1]
    assert isinstance(index, ConstantInt)
    if isinstance(i, ExtractElement):
        return i.operands[0], (index.unsigned, *path)
    return (i.operands[1], path[1:]) if path[0] == index.unsigned else (i.operands[0], path)


def keeps_leaves(i: Instruction, leaves_of: LeavesOf) -> bool:
    """Whether a reinterpretation or a packing keeps floating numbers whole."""
    if is_packing(i):
        return all(_packed(i, leaf.path, leaves_of) is not None for leaf in leaves_of(i))
    return [leaf.type for leaf in leaves_of(i.operands[0])] == [leaf.type for leaf in leaves_of(i)]


def dropped(i: Instruction, leaves_of: LeavesOf) -> Leaf | None:
    """A floating number of an arm that is none in the merged value. By the type analysis there is no such thing; if there was, a
    derivative would be lost."""
    kept = leaves_of(i)
    arms = i.operands[1:] if isinstance(i, Select) else i.operands
    return next((gone for arm in arms if (gone := lost(leaves_of(arm), kept)) is not None), None)


def broken(i: Instruction) -> tuple[str, str]:
    """What to say of an operation that does not keep floating numbers whole, and what to do."""
    if is_packing(i):
        return f"no derivative is known for {i.opcode}", "rewrite the operation in floating arithmetic"
    return f"{i.operands[0].type} is reinterpreted as {i.type}", "copy the value without changing its type"


def _reinterpreted(i: Cast, path: Path, leaves_of: LeavesOf) -> Source | None:
    if not keeps_leaves(i, leaves_of):
        return None
    place = next(k for k, leaf in enumerate(leaves_of(i)) if leaf.path == path)
    return i.operands[0], leaves_of(i.operands[0])[place].path


def _packed(i: Instruction, path: Path, leaves_of: LeavesOf) -> Source | None:
    """The operand that holds the floating number at `path`; None where that is not certain."""
    leaf = next(leaf for leaf in leaves_of(i) if leaf.path == path)
    offset = path[0] if path else 0
    bytes_ = frozenset(range(offset, offset + BYTES[leaf.type.kind])) if isinstance(leaf.type, FloatType) else None
    if bytes_ is None:
        return None
    first, *rest = i.operands
    if i.opcode in ("shl", "lshr"):
        if not isinstance(rest[0], ConstantInt) or rest[0].unsigned % 8:
            return None
        by = rest[0].unsigned // 8
        return _leaf_at(first, offset - by if i.opcode == "shl" else offset + by, leaf, leaves_of)
    if i.opcode in ("zext", "trunc"):
        return _leaf_at(first, offset, leaf, leaves_of)
    for value, other in ((first, rest[0]), (rest[0], first))[: 1 if i.opcode == "sub" else 2]:
        untouched = _lets_through(i.opcode, other, bytes_)
        found = _leaf_at(value, offset, leaf, leaves_of) if untouched else None
        if found is not None:
            return found
    return None


def _lets_through(opcode: str, other: Value, bytes_: frozenset[int]) -> bool:
    """Whether some bytes of one operand of a binary operation are those of the result."""
    if opcode == "and":
        return isinstance(other, ConstantInt) and all(other.unsigned >> 8 * k & 255 == 255 for k in bytes_)
    if opcode in ("add", "sub"):
        return max(bytes_) < zero_below(other)
    return bytes_ <= zero(other)


def _leaf_at(value: Value, offset: int, like: Leaf, leaves_of: LeavesOf) -> Source | None:
    for leaf in leaves_of(value):
        if (leaf.path[0] if leaf.path else 0) == offset and leaf.type == like.type:
            return value, leaf.path
    return None


def _shuffled(i: ShuffleVector, path: Path) -> Source | None:
    first, second, mask = i.operands
    assert isinstance(first.type, VectorType)
    lane = shuffle_lanes(mask)[path[0]]
    if lane is None:
        return None
    count = first.type.count
    return (first, (lane, *path[1:])) if lane < count else (second, (lane - count, *path[1:]))
