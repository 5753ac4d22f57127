"""Copies of a function's program, to ask about a call: without optimization, with the data of this moment."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction
    from enzyme_magic.api.program import Program


def unoptimized(function: CFunction, after: bool = False) -> Program:
    """Its program without optimization: every branch of the source is there. after: nor after differentiation."""
    program = function.program
    options = replace(program.options, opt=0, post_opt=0 if after else program.options.post_opt)
    return type(program).of(program.sources, options, program.name)


def give_state(function: CFunction, copy: Program) -> frozenset[str]:
    """Gives a copy of the function's program the static data of this moment; the variables that changed by that."""
    from enzyme_magic.backend.pipeline import CompiledProgram
    from enzyme_magic.backend.program import statics as decided
    from enzyme_magic.backend.runtime import statics

    other = copy.compiled
    assert isinstance(other, CompiledProgram)
    return statics.carry(decided.plain(other.module), function.program.compiled.library, other.library)


def holds_state(function: CFunction) -> bool:
    """Whether the program has static data that calls may change."""
    from enzyme_magic.backend.pipeline import CompiledProgram

    compiled = function.program.compiled
    assert isinstance(compiled, CompiledProgram)
    return any(not variable.constant for variable in compiled.module.module.variables.values())
