"""How exactly a C function computes: the coarsest of the floating types that its code, or code that it calls, computes in.

A function of doubles may compute in floats on its way; differences of its values are then no better than floats are. What a library
computes in is not known here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_magic.api.checks.watching import program_of
from enzyme_magic.backend.ir.types import FloatType, VectorType

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction

# Distance from 1 to the next number, of the types that are coarser than double.
_COARSE = {"half": 2.0**-10, "bfloat": 2.0**-7, "float": 2.0**-23}


def computed_in(function: CFunction) -> float:
    """Distance from 1 to the next number of the coarsest type; that of double where none is coarser."""
    module = program_of(function).module
    found = 2.0**-52
    for reached in module.analyses.effects.callgraph.reachable(module.module.functions[function.name]):
        for instruction in reached.instructions():
            type_ = instruction.type.element if isinstance(instruction.type, VectorType) else instruction.type
            if isinstance(type_, FloatType):
                found = max(found, _COARSE.get(type_.kind, 0.0))
    return found
