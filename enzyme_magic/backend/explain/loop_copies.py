"""Loops of an optimized text that LLVM made from others: several iterations at once, in vectors or one after the other.

LLVM marks both halves of such a loop, the one that takes several iterations and the one that takes those that are left, with
`llvm.loop.isvectorized` (the vectorizer) or `llvm.loop.unroll.disable` (the unroller: on the rest alone). The halves do the same
operations; how many times the first has each of the rest's, in vectors of how many numbers, says how many iterations it takes.

Invariant: a loop is said to be a copy only if LLVM marked its rest, and it has all operations of the rest equally often.
What was unrolled or put into vectors whole, without a rest, is not told.
"""

from __future__ import annotations

from collections import Counter

from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop, find
from enzyme_magic.backend.ir.instructions import Binary, Call, Instruction, Load, Store, Unary
from enzyme_magic.backend.ir.metadata import MDString, MDTuple
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.types import FloatType, Type, VectorType
from enzyme_magic.backend.ir.values import Block
from enzyme_magic.report import LoopCopy

VECTORIZED, UNROLLED_REST = "llvm.loop.isvectorized", "llvm.loop.unroll.disable"
Operations = Counter[tuple[str, str]]


def loop_copies(function: Function) -> tuple[LoopCopy, ...]:
    """All of them, in the order of the text."""
    every = find(function, DominatorTree.of(function)).loops
    loops = [loop for loop in every if not loop.children]
    names = Names(function)
    vectorized = [loop for loop in loops if VECTORIZED in _marks(loop)]
    wide = [loop for loop in vectorized if _lanes(loop) > 1]
    rests = [loop for loop in vectorized if loop not in wide]
    unrolled = [loop for loop in loops if not _marks(loop) & {VECTORIZED, UNROLLED_REST} and _lanes(loop) == 1]
    epilogues = [loop for loop in loops if UNROLLED_REST in _marks(loop)]
    walls = {loop.header for loop in every} - {loop.header for loop in wide}
    found: dict[Block, LoopCopy] = {}
    for copies, left in ((wide, rests), (unrolled, epilogues)):
        for loop in copies if left else ():
            near = [rest for rest in left if _leads_to(loop, rest, walls) or _leads_to(rest, loop, walls)]
            copy = _copy(loop, near, names)
            if copy is not None:
                found[loop.header] = copy
    claimed = Counter(copy.of for copy in found.values() if copy.lanes == 1)  # a rest is that of one unrolled loop
    told = {block: copy for block, copy in found.items() if copy.lanes > 1 or claimed[copy.of] == 1}
    return tuple(told[block] for block in function.blocks if block in told)


def _copy(loop: Loop, rests: list[Loop], names: Names) -> LoopCopy | None:
    """Of the one rest that fits; of none where several do."""
    own, lanes = _operations(loop), _lanes(loop)
    fitting = [(rest, times) for rest in rests if (times := _times(own, _operations(rest))) and times * lanes > 1]
    if len(fitting) != 1:
        return None
    (rest, times), blocks = fitting[0], sorted(names.of(block)[1:] for block in loop.blocks)
    return LoopCopy(names.of(rest.header)[1:], tuple(blocks), lanes, times)


def _leads_to(loop: Loop, other: Loop, walls: set[Block]) -> bool:
    """From a loop to another within the loop around both, without a third one. walls: the heads of those that are not passed."""
    around = loop.parent
    pending, seen = [block for _, block in loop.exits], set[Block]()
    while pending:
        block = pending.pop()
        if block is other.header:
            return other.parent is around
        inside = around is None or block in around.blocks
        if inside and block not in seen and block not in walls:
            seen.add(block)
            pending += block.successors
    return False


def _marks(loop: Loop) -> frozenset[str]:
    """What LLVM noted about a loop."""
    node = loop.latch.terminator.metadata.get("llvm.loop")
    parts = node.operands if isinstance(node, MDTuple) else ()
    heads = (part.operands[0] for part in parts if isinstance(part, MDTuple) and part is not node and part.operands)
    return frozenset(head.text for head in heads if isinstance(head, MDString))


def _operations(loop: Loop) -> Operations:
    """Floating operations; loads and stores where it has none, since LLVM may take several of them together."""
    inside = [i for block in loop.blocks for i in block.instructions]
    floating = Counter((i.opcode, _called(i)) for i in inside if _computes(i))
    return floating or Counter((i.opcode, "") for i in inside if isinstance(i, (Load, Store)))


def _computes(i: Instruction) -> bool:
    return isinstance(i, (Binary, Unary, Call)) and isinstance(i.type.scalar, FloatType)


def _called(i: Instruction) -> str:
    """A function's name without the type that an intrinsic is made for."""
    function = i.called_function if isinstance(i, Call) else None
    return "" if function is None else function.name.rpartition(".")[0] or function.name


def _times(own: Operations, rest: Operations) -> int | None:
    """How many times each operation of `rest` is there."""
    if not rest or own.keys() != rest.keys():
        return None
    found = {own[key] / rest[key] for key in rest}
    times = found.pop()
    return int(times) if not found and times == int(times) and times >= 1 else None


def _lanes(loop: Loop) -> int:
    """Numbers in the vectors that the loop computes with; 1 where it has none, or vectors of different lengths."""
    types: set[Type] = {
        i.type for block in loop.blocks for i in block.instructions if _computes(i) or isinstance(i, Load)
    }
    types |= {i.value.type for block in loop.blocks for i in block.instructions if isinstance(i, Store)}
    counts = {type_.count for type_ in types if isinstance(type_, VectorType) and not type_.scalable}
    return counts.pop() if len(counts) == 1 else 1
