"""Which arguments of a call lead to memory that the called function reaches in no other way?

What a caller knows of its arrays (one is from malloc, one a parameter of its own) the called function can not see: to it, two
pointers may be one. Per call: the objects behind an argument are compared with everything that the function may read or write
through other arguments, variables and pointers in memory, callees included (`effects`). Where they have nothing in common, the
argument is as good as `restrict` in this call.

"Separate" is a proof, for this call only. Not looked at: functions that give memory back or run code nobody has seen, and those
that write nothing, where it would tell nothing new.
"""

from __future__ import annotations

from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import PointerType
from enzyme_magic.backend.library.summary import argument

_SAID = ("noalias", "byval", "sret")  # of these it is known already


def separate_arguments(call: Call, target: Function, alias: Alias) -> frozenset[int]:
    """The numbers of the parameters, for a direct call of a function with a body."""
    summary = alias.effects.call_in(call, alias.points_to)
    if not target.blocks or target.function_type.variadic or summary.opaque or summary.frees or not summary.writes:
        return frozenset()
    points_to, touched = alias.points_to, summary.reads | summary.writes
    found = set[int]()
    for k, pointer in enumerate(call.arguments):
        if not isinstance(pointer.type, PointerType) or any(word in target.arguments[k].attributes for word in _SAID):
            continue
        own, others = points_to.widen(points_to.mask(pointer)), 0
        for place in touched - {argument(k)}:
            others |= points_to.place_mask(place, call.arguments, call)
        if own and not own & points_to.widen(others):
            found.add(k)
    return frozenset(found)
