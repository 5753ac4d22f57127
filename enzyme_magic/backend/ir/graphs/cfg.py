"""The control-flow graph of a function.

Invariant: everything here is iterative (a function may have many thousand blocks) and deterministic (textual order decides).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from enzyme_magic.backend.ir.instructions import Branch, CallBranch, IndirectBranch, Instruction, Invoke, Phi, Switch
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Block
from enzyme_magic.errors import InternalError


def predecessors(function: Function) -> dict[Block, list[Block]]:
    """Predecessors of every block, in textual order; a block appears once per edge (a switch may have several edges to one
    target), so the list has as many entries as each phi of the block. Unreachable predecessors count."""
    result: dict[Block, list[Block]] = {block: [] for block in function.blocks}
    for block in function.blocks:
        for successor in block.successors:
            result[successor].append(block)
    return result


def postorder(roots: Iterable[Block], successors: Callable[[Block], list[Block]]) -> list[Block]:
    """Depth-first postorder from `roots`, each in turn."""
    order: list[Block] = []
    seen: set[Block] = set()
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(successors(root)))]
        while stack:
            block, pending = stack[-1]
            for successor in pending:
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, iter(successors(successor))))
                    break
            else:
                order.append(block)
                stack.pop()
    return order


def reverse_postorder(function: Function) -> list[Block]:
    """The blocks reachable from the entry; every block before its successors, back edges apart."""
    order = postorder(function.blocks[:1], lambda block: block.successors)
    order.reverse()
    return order


def reachable(function: Function) -> set[Block]:
    """Blocks that can be reached from the entry."""
    return set(reverse_postorder(function))


def exits(function: Function) -> list[Block]:
    """Blocks without successors (ret, unreachable, resume), in textual order."""
    return [block for block in function.blocks if not block.successors]


def redirect(terminator: Instruction, old: Block, new: Block) -> None:
    """Every edge of `terminator` to `old` goes to `new`. Phis are the caller's business."""
    if isinstance(terminator, (Branch, Switch, IndirectBranch, CallBranch)):
        terminator.targets[:] = [new if target is old else target for target in terminator.targets]
    elif isinstance(terminator, Invoke):
        terminator.normal = new if terminator.normal is old else terminator.normal
        terminator.unwind = new if terminator.unwind is old else terminator.unwind


def phis(block: Block) -> list[Phi]:
    """The phis at the head of `block`."""
    found: list[Phi] = []
    for instruction in block.instructions:
        if not isinstance(instruction, Phi):
            break
        found.append(instruction)
    return found


def split_edge(source: Block, target: Block, name: str = "") -> Block:
    """A new block on the way from `source` to `target`, placed behind `source`. All parallel edges of a switch go through
    it, and phis of `target` keep one entry for them. Edges that must stay whole (to a landing pad, out of an indirectbr or callbr)
    raise InternalError."""
    function = source.parent
    terminator = source.terminator
    if function is None or target not in terminator.successors:
        raise InternalError(f"no edge from block {source.name} to {target.name}")
    if isinstance(terminator, (IndirectBranch, CallBranch)) or (
        isinstance(terminator, Invoke) and terminator.unwind is target
    ):
        raise InternalError(f"the edge from block {source.name} to {target.name} cannot be split")
    middle = Block(name or f"{source.name}.{target.name}", parent=function)
    branch = Branch("br", targets=[target])
    if "dbg" in terminator.metadata:
        branch.metadata["dbg"] = terminator.metadata["dbg"]
    middle.append(branch)
    redirect(terminator, target, middle)
    for phi in phis(target):
        _merge_entries(phi, source, middle)
    function.blocks.insert(function.blocks.index(source) + 1, middle)
    return middle


def split_before(block: Block, instruction: Instruction) -> Block:
    """A new block with `instruction` and all that follows it; `block` is left without an end."""
    function = block.parent
    if function is None:
        raise InternalError(f"block {block.name} is in no function")
    rest = Block(f"{block.name}.rest", parent=function)
    position = block.instructions.index(instruction)
    for moved in block.instructions[position:]:
        rest.append(moved)
    del block.instructions[position:]
    for successor in dict.fromkeys(rest.successors):
        for phi in phis(successor):
            phi.blocks[:] = [rest if b is block else b for b in phi.blocks]
    function.blocks.insert(function.blocks.index(block) + 1, rest)
    return rest


def _merge_entries(phi: Phi, old: Block, new: Block) -> None:
    kept = [(value, block) for value, block in phi.incoming if block is not old]
    first = phi.blocks.index(old)
    before = sum(block is not old for block in phi.blocks[:first])
    kept.insert(before, (phi.operands[first], new))
    phi.operands[:] = [value for value, _ in kept]
    phi.blocks[:] = [block for _, block in kept]
