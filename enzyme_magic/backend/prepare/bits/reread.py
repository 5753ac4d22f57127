"""An integer that is read where a number was just written is the number's bits.

    u->d = x;  k = u->i;   becomes   u->d = x;  k = bits of x

A union's memory may hold an integer or a number, so a load alone does not tell; here the store does. From -O1 on LLVM does the
same, and more. Invariant: exact; only where store and load have one address, one size and one block, and nothing between them
writes.

Not done: through calls and branches.
"""

from __future__ import annotations

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.graphs.quiet import writes_nothing
from enzyme_magic.backend.ir.instructions import GetElementPtr, Load, Store
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import FloatType, IntType
from enzyme_magic.backend.ir.values import Block, Value

_BITS = {"half": 16, "float": 32, "double": 64}


def to_bits(module: Module) -> int:
    """Rewrite every such load in the definitions of `module`, in place; gives back how many."""
    count = 0
    for function in list(module.definitions()):
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            for load, number in _reread(block):
                builder = Builder(block, load)
                builder.debug_location = load.metadata.get("dbg")
                replaced[load] = builder.bitcast(number, load.type)
                block.instructions.remove(load)
        if replaced:
            replace_uses(function, replaced)
        count += len(replaced)
    return count


def _reread(block: Block) -> list[tuple[Load, Value]]:
    """Loads of integers with the numbers that their memory holds."""
    found: list[tuple[Load, Value]] = []
    places: dict[tuple[object, ...], Value] = {}
    same: dict[Value, Value] = {}
    last: tuple[Value, Value] | None = None  # address and number of the last write
    for i in block.instructions:
        if isinstance(i, GetElementPtr):
            key = (i.source_type, *(same.get(v, v) for v in i.operands))
            same[i] = places.setdefault(key, i)
        elif isinstance(i, Store):
            last = (same.get(i.pointer, i.pointer), i.value) if _is_plain(i) else None
        elif (
            isinstance(i, Load) and last is not None and same.get(i.pointer, i.pointer) == last[0] and _fits(i, last[1])
        ):
            found.append((i, last[1]))
        elif not writes_nothing(i):
            last = None
    return found


def _is_plain(i: Load | Store) -> bool:
    return not (i.volatile or i.ordering)


def _fits(load: Load, number: Value) -> bool:
    kind = number.type.kind if isinstance(number.type, FloatType) else ""
    return _is_plain(load) and isinstance(load.type, IntType) and load.type.bits == _BITS.get(kind)
