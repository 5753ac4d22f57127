"""The form of a function that its memory tells: loops that are one, stores behind the loops of which only the last one counts.

Deciding is in analysis/derivatives/joined_loops.py and analysis/memory/last_stores.py, rewriting in prepare/; this is their order.
"""

from __future__ import annotations

from collections.abc import Sequence

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.derivatives.joined_loops import JoinedLoops, joined_loops, may_have_any
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.memory.last_stores import last_stores
from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.graphs.loops import Loops
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.prepare import sunk_stores
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.backend.prepare.preprocess import prepare

_ALONE = Attribute("noalias")


def prepared(function: Function, effects: Effects, layout: DataLayout, separate: frozenset[int]) -> Prepared:
    """The prepared copy of `function`, in which no other way leads to the memory of the parameters `separate`."""

    def joined(copy: Function, loops: Loops) -> Sequence[JoinedLoops]:
        if not may_have_any(loops.loops):
            return ()
        _tell_separate(copy, separate)
        return joined_loops(Alias.of(copy, effects, layout))

    made = prepare(function, layout, joined)
    _tell_separate(made.function, separate)
    return made


def with_last_stores(
    made: Prepared, effects: Effects, layout: DataLayout, retyped: frozenset[Instruction] = frozenset()
) -> Alias:
    """What is known of the memory of the function, in which stores then stand behind loops that only the last of them leaves a
    trace of. retyped: see Alias."""
    alias = Alias.of(made.function, effects, layout, retyped=retyped)
    found = last_stores(alias, made.dominators)
    for last in found:
        sunk_stores.sink(last.store, last.loops)
    return Alias.of(made.function, effects, layout, retyped=retyped) if found else alias


def _tell_separate(function: Function, separate: frozenset[int]) -> None:
    for k in separate:
        argument = function.arguments[k]
        argument.attributes = argument.attributes.with_(_ALONE)
