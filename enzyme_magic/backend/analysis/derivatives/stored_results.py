"""Which values does the program itself keep, in memory that it stores them to?

    y[i] = exp(x[i]);

The derivative wants the result of `exp` again, and it lies in `y[i]`. Where nothing overwrites it there, a load is cheaper than a
tape, and than computing it again (a trajectory that a loop writes is its own tape).

Invariant: the store stands in the block of the value, so wherever the value was computed it was stored, and the load stands for
memory right behind that store. Whether something overwrites it later is asked like for every load (`why_overwritten`), without help
of C's rules on types.

Not looked for: values outside loops, numbers that are no floating ones, copies that stand in another block.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.ir.instructions import Instruction, Load, Store
from enzyme_magic.backend.ir.types import FloatType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.prepare.prepared import Prepared


def stored_results(prepared: Prepared, alias: Alias) -> Callable[[Instruction], Load | None]:
    """Gives the load that finds a value where the program has just stored it; None where it does not."""
    stores: dict[Value, Store] = {}
    for block in prepared.function.blocks:
        if prepared.loops.of(block) is not None:
            for i in block.instructions:
                if isinstance(i, Store) and _is_plain(i) and _home_is(i.value, i):
                    stores[i.value] = i  # of several the last one

    def memory_with(value: Instruction) -> Load | None:
        store = stores.get(value)
        return alias.read_behind(store) if store is not None else None

    return memory_with


def _is_plain(store: Store) -> bool:
    return isinstance(store.value.type, FloatType) and not store.volatile and not store.ordering


def _home_is(value: Value, store: Store) -> bool:
    return isinstance(value, Instruction) and value.parent is store.parent
