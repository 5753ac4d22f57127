"""Pointers that take a detour through integers become address arithmetic again.

    q = (double *)(((uintptr_t)p + 63) & ~63);   becomes   q = (char *)p + ((((uintptr_t)p + 63) & ~63) - (uintptr_t)p)

Where exactly one pointer went into the integer, and as a summand, the new pointer can only point where that one did. Then analyses
see where it points, and its shadow is the same distance from the shadow of p as q is from p. A pointer that comes through a phi
must have been made before it: one made in the same loop might be that of another iteration.

A cast beside an access is a part of it: what is stored as an integer right after the cast is the pointer, and an integer that is
loaded and cast is a loaded pointer. Optimizers write copies of structs so.

Not done: integers made from several pointers, or kept in memory. A pointer made from those has no shadow, and is refused.
"""

from __future__ import annotations

from typing import TypeGuard

from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.instructions import Binary, Call, Cast, Freeze, Instruction, Load, Phi, Select, Store
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import I8, I64, POINTER
from enzyme_magic.backend.ir.values import Block, Value

OF_ANY_TYPE = ("dbg", "tbaa", "alias.scope", "noalias")  # what metadata says of an access, whatever type is loaded
FOLLOWED = ("add", "sub", "and", "or", "xor", "freeze", "phi", "select")


def to_addresses(module: Module) -> int:
    """Rewrite every such cast in the definitions of `module`, in place; gives back how many."""
    count = 0
    for function in module.definitions():
        if not _has_casts(function):
            continue
        replaced: dict[Value, Value] = {}
        dominators = DominatorTree.of(function)
        for block in function.blocks:
            for cast in [i for i in block.instructions if isinstance(i, Cast) and i.opcode == "inttoptr"]:
                pointer, merges = _source(cast.operands[0])
                if pointer is None or pointer.type != cast.type:
                    continue
                if not isinstance(pointer, Instruction) or _is_above(pointer, merges, dominators):
                    replaced[cast] = _address(Builder(block, cast), cast, pointer)
                    block.instructions.remove(cast)
        if replaced:
            replace_uses(function, {old: _last(new, replaced) for old, new in replaced.items()})
            count += len(replaced)
    return count


def masks_to_addresses(module: Module) -> None:
    """`ptrmask` rounds an address down: the pointer, and a distance. In place."""
    for function in module.definitions():
        replaced: dict[Value, Value] = {}
        for call in [i for i in function.instructions() if isinstance(i, Call) and _is_mask(i)]:
            assert call.parent is not None
            builder, (pointer, mask) = Builder(call.parent, call), call.arguments
            builder.debug_location = call.metadata.get("dbg")
            start = builder.ptrtoint(pointer, I64)
            distance = builder.sub(builder.and_(start, mask), start)
            replaced[call] = builder.gep(I8, pointer, [distance], name=call.name)
            call.parent.instructions.remove(call)
        replace_uses(function, {old: _last(new, replaced) for old, new in replaced.items()})


def _is_mask(call: Call) -> bool:
    name = getattr(call.called_function, "name", "")
    return intrinsics.word(name) == "ptrmask" and [a.type for a in call.arguments] == [POINTER, I64]


def to_accesses(module: Module) -> None:
    """Make casts between integers and pointers a part of the loads and stores beside them, in place."""
    for function in module.definitions():
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            for i in list(block.instructions):
                if isinstance(i, Store) and _is_plain(i) and _is_whole_cast(i.value, "ptrtoint"):
                    i.operands[0] = i.value.operands[0]
                elif _is_whole_cast(i, "inttoptr") and isinstance(i.operands[0], Load) and _is_plain(i.operands[0]):
                    replaced[i] = _loaded_pointer(i.operands[0], i)
                    block.instructions.remove(i)
        replace_uses(function, replaced)


def _is_whole_cast(value: Value, opcode: str) -> TypeGuard[Cast]:
    return isinstance(value, Cast) and value.opcode == opcode and {value.type, value.operands[0].type} == {I64, POINTER}


def _is_plain(access: Load | Store) -> bool:
    return not (access.volatile or access.ordering)


def _loaded_pointer(load: Load, cast: Cast) -> Load:
    assert load.parent is not None
    pointer = Builder(load.parent, load).load(POINTER, load.pointer, load.align, cast.name)
    pointer.metadata.update((kind, node) for kind, node in load.metadata.items() if kind in OF_ANY_TYPE)
    return pointer


def _has_casts(function: Function) -> bool:
    return any(isinstance(i, Cast) and i.opcode == "inttoptr" for i in function.instructions())


def _is_above(pointer: Instruction, merges: list[Block], dominators: DominatorTree) -> bool:
    """Whether `pointer` is made before every phi it came through."""
    assert pointer.parent is not None
    return all(dominators.strictly_dominates(pointer.parent, block) for block in merges)


def _address(builder: Builder, cast: Cast, pointer: Value) -> Value:
    builder.debug_location = cast.metadata.get("dbg")
    start = builder.ptrtoint(pointer, I64)
    return builder.gep(I8, pointer, [builder.sub(cast.operands[0], start)], name=cast.name)


def _last(value: Value, replaced: dict[Value, Value]) -> Value:
    while value in replaced:
        value = replaced[value]
    return value


def _source(value: Value) -> tuple[Value | None, list[Block]]:
    """The only pointer that went into a 64-bit integer, where it went in as a summand; the blocks of the phis it came through."""
    merges: list[Block] = []
    if value.type != I64:
        return None, merges
    found: set[Value] = set()
    seen: set[tuple[Value, bool]] = set()
    pending = [(value, True)]
    while pending:
        current, positive = item = pending.pop()
        if item in seen:
            continue
        seen.add(item)
        if isinstance(current, Cast) and current.opcode in ("ptrtoint", "ptrtoaddr"):
            if not positive:
                return None, merges
            found.add(current.operands[0])
        elif isinstance(current, (Binary, Freeze, Phi, Select)) and current.opcode in FOLLOWED:
            operands = current.operands[1:] if isinstance(current, Select) else current.operands
            merges += [current.parent] if isinstance(current, Phi) and current.parent is not None else []
            pending += [(v, positive) for v in operands[: 1 if current.opcode == "sub" else None]]
            pending += [(v, not positive) for v in operands[1:] if current.opcode == "sub"]
        elif isinstance(current, Instruction) and _may_be_pointer(current):
            return None, merges
    return (found.pop() if len(found) == 1 else None), merges


def _may_be_pointer(value: Instruction) -> bool:
    """Whether an integer that this analysis does not look into may hold an address: all but numbers widened from fewer bits, and
    products."""
    if isinstance(value, Cast):
        return value.opcode not in ("zext", "sext", "fptosi", "fptoui")
    return not (isinstance(value, Binary) and value.opcode in ("mul", "shl", "srem", "urem", "sdiv", "udiv"))
