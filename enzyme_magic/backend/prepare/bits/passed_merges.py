"""Merges of what is passed in memory, and of addresses, are memory.

    loop:  %v = phi i64 [ load from %slot ], [ ptrtoint %p ]
           … %v …

becomes `store` into eight bytes of memory at the end of each block before `loop`, and a load at each use.

Invariant: exact. A use is reached from the last time that the phi's block was entered, and only ways into that block write the
memory: they have blocks of their own. Phis of one block change together: their values are put aside first.

Not done: before ends of blocks other than branches and switches, where no way can be split.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.def_use import map_operands, replace_uses, users
from enzyme_magic.backend.ir.instructions import Branch, Cast, Instruction, Load, Phi, Switch
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I8, ArrayType, IntType
from enzyme_magic.backend.ir.values import Block, Value

_ALIGN = 16


def to_memory(function: Function, is_passed: Callable[[Value], bool], word: IntType) -> set[Value]:
    """In place; gives back the memory. is_passed: whether something is passed at an address."""
    chosen: dict[Block, list[Phi]] = {}
    for block in function.blocks:
        merges = [phi for phi in cfg.phis(block) if phi.type == word and _has_address(phi, is_passed)]
        if merges and all(isinstance(source.instructions[-1], (Branch, Switch)) for source in merges[0].blocks):
            chosen[block] = merges
    entry = Builder(function.entry, function.entry.instructions[0])
    held = {phi: _memory(entry, phi, word) for merges in chosen.values() for phi in merges}
    made: set[Value] = {*held.values()}
    for block, merges in chosen.items():
        aside = {phi: _memory(entry, phi, word) for phi in merges} if len(merges) > 1 else {}
        made |= {*aside.values()}
        _write(block, merges, held, aside, word)
    _read(function, held, word)
    return made


def _has_address(merge: Phi, is_passed: Callable[[Value], bool]) -> bool:
    """Whether an address, or what is passed, may be among what is merged, also by the merges that are."""
    seen: set[Value] = set()
    pending: list[Value] = [merge]
    while pending:
        value = pending.pop()
        if isinstance(value, Phi) and value not in seen:
            seen.add(value)
            pending += value.operands
        elif (
            value.opcode == "ptrtoint"
            if isinstance(value, Cast)
            else isinstance(value, Load) and is_passed(value.pointer)
        ):
            return True
    return False


def _memory(entry: Builder, phi: Phi, word: IntType) -> Value:
    return entry.alloca(ArrayType(word.bits // 8, I8), align=_ALIGN, name=f"{phi.name}.merged")


def _write(
    block: Block, merges: list[Phi], held: Mapping[Phi, Value], aside: Mapping[Phi, Value], word: IntType
) -> None:
    """The memory of the phis of a block, at the end of each way to it."""
    for source in list(dict.fromkeys(merges[0].blocks)):
        if source.instructions[-1].successors != [block]:
            cfg.split_edge(source, block)
    for source in merges[0].blocks:
        builder = Builder(source, source.instructions[-1])
        for phi in merges:
            value = phi.operands[phi.blocks.index(source)]
            builder.store(value, aside.get(phi, held[phi]), align=1)
        for phi, memory in aside.items():
            builder.store(builder.load(word, memory, align=1), held[phi], align=1)


def _read(function: Function, held: Mapping[Phi, Value], word: IntType) -> None:
    """Loads for the uses of the phis, which go."""
    used = users(function)
    for phi, memory in held.items():
        for user in dict.fromkeys(u for u in used[phi] if u not in held):
            if isinstance(user, Phi):
                _read_on_the_way(user, phi, memory, word)
            else:
                map_operands(user, {phi: _at(user).load(word, memory, align=1)})
    for block in function.blocks:
        block.instructions[:] = [i for i in block.instructions if i not in held]
    replace_uses(function, {phi: constants.poison(word) for phi in held})  # in debug records


def _read_on_the_way(user: Phi, phi: Phi, memory: Value, word: IntType) -> None:
    for k, source in enumerate(user.blocks):
        if user.operands[k] is phi:
            user.operands[k] = Builder(source, source.instructions[-1]).load(word, memory, align=1)


def _at(i: Instruction) -> Builder:
    assert i.parent is not None
    builder = Builder(i.parent, i)
    builder.debug_location = i.metadata.get("dbg")
    return builder
