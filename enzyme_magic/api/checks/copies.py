"""Copies of a function's program, to ask about a call: without optimization, with the data of this moment."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction
    from enzyme_magic.api.program import Program


def unoptimized(function: CFunction) -> Program:
    """Its program without optimization: every branch of the source is there."""
    program = function.program
    return type(program).of(program.sources, replace(program.options, opt=0), program.name)


def give_state(function: CFunction, copy: Program) -> frozenset[str]:
    """Gives a copy of the function's program the static data of this moment; the variables that changed by that."""
    from enzyme_magic.backend.pipeline import CompiledProgram
    from enzyme_magic.backend.program import statics as decided
    from enzyme_magic.backend.runtime import statics

    other = copy.compiled
    assert isinstance(other, CompiledProgram)
    return statics.carry(decided.plain(other.module), function.program.compiled.library, other.library)
