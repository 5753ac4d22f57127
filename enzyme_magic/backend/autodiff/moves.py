"""Instructions that only move floating leaves about: from which operand, and from where in it, does each leaf of the
result come?

One table serves both directions: forward mode fetches tangents by it, reverse mode hands adjoints back by it. Selects
and phis choose at run time, and so do element accesses with a variable index (`is_dynamic`); they are written by the
sweeps themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from enzyme_magic.backend.autodiff.leaves import Leaf, Path
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.instructions import (
    Cast,
    ExtractElement,
    ExtractValue,
    Freeze,
    InsertElement,
    InsertValue,
    Instruction,
    ShuffleVector,
)
from enzyme_magic.backend.ir.types import VectorType
from enzyme_magic.backend.ir.values import ConstantInt, Value

LeavesOf = Callable[[Value], Sequence[Leaf]]
Source = tuple[Value, Path]


def is_move(i: Instruction) -> bool:
    """Whether `i` moves leaves without computing, to places known while compiling."""
    kinds = (Freeze, ExtractValue, InsertValue, ExtractElement, InsertElement, ShuffleVector)
    return (isinstance(i, kinds) and not is_dynamic(i)) or (isinstance(i, Cast) and i.opcode == "bitcast")


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
    if isinstance(i, Cast):
        return _reinterpreted(i, path, leaves_of)
    index = i.operands[-1]
    assert isinstance(index, ConstantInt)
    if isinstance(i, ExtractElement):
        return i.operands[0], (index.unsigned,)
    return (i.operands[1], ()) if path == (index.unsigned,) else (i.operands[0], path)


def keeps_leaves(i: Instruction, leaves_of: LeavesOf) -> bool:
    """Whether a bitcast keeps floating numbers whole."""
    return [leaf.type for leaf in leaves_of(i.operands[0])] == [leaf.type for leaf in leaves_of(i)]


def _reinterpreted(i: Cast, path: Path, leaves_of: LeavesOf) -> Source | None:
    if not keeps_leaves(i, leaves_of):
        return None
    place = next(k for k, leaf in enumerate(leaves_of(i)) if leaf.path == path)
    return i.operands[0], leaves_of(i.operands[0])[place].path


def _shuffled(i: ShuffleVector, path: Path) -> Source | None:
    first, second, mask = i.operands
    assert isinstance(first.type, VectorType)
    lane = shuffle_lanes(mask)[path[0]]
    if lane is None:
        return None
    count = first.type.count
    return (first, (lane,)) if lane < count else (second, (lane - count,))


def shuffle_lanes(mask: Value) -> list[int | None]:
    """Source lane of each result lane; None for poison."""
    assert isinstance(mask.type, VectorType)
    elements = getattr(mask, "elements", None)
    if elements is not None:
        return [e.unsigned if isinstance(e, ConstantInt) else None for e in elements]
    splat = getattr(mask, "element", None)
    lane = splat.unsigned if isinstance(splat, ConstantInt) else 0 if constants.is_zero(mask) else None
    return [lane] * mask.type.count
