"""A program in which the bodies of helpers stand in the places of their calls.

A helper has a tape of its own, in memory of this package's runtime. In place, its values are kept in the tape of the loop around
the call, and C can say that. The gradient is the same but for the order of sums: what a helper adds up is added up by its caller.

Not in place: functions that call themselves, that have derivatives of their own, or are called through pointers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from enzyme_magic.backend.explain.words.variables import function_name
from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.graphs.callgraph import CallGraph
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.llvm import optimize
from enzyme_magic.backend.pipeline import CompiledProgram
from enzyme_magic.backend.program.program_module import ProgramModule
from enzyme_magic.backend.rules import custom

APART = ("noinline", "optnone")


@dataclass(frozen=True, slots=True)
class InPlace:
    """The program, and the names of the functions whose bodies stand elsewhere."""

    module: ProgramModule
    helpers: tuple[str, ...]


def in_place(program: CompiledProgram, symbol: str) -> InPlace | None:
    """The program of which the function `symbol` is a part; None where it calls no helper."""
    module = parser.parse(program.record.optimized_ir)
    helpers = _helpers(module, module.functions[symbol], custom.read(module).opaque)
    if not helpers:
        return None
    for function in helpers:
        function.attributes = function.attributes.without(APART).with_(Attribute("alwaysinline"))
    for function in module.definitions():
        for call in (i for i in function.instructions() if isinstance(i, Call)):
            call.attributes = call.attributes.without(APART)
    text = optimize.normalise_pre_ad(optimize.passes(printer.print_module(module), ("always-inline", "globaldce")))
    return InPlace(ProgramModule.of(text, program.sources), tuple(map(function_name, helpers)))


def _helpers(module: Module, function: Function, opaque: Collection[str]) -> list[Function]:
    """The functions that it calls by name, and those that they call so."""
    recursive = CallGraph.of(module).recursive
    found: dict[Function, None] = {}
    pending = [function]
    while pending:
        calls = (i for i in pending.pop().instructions() if isinstance(i, Call))
        called = [
            f for f in (call.called_function for call in calls) if f is not None and f is not function and f.blocks
        ]
        fresh = [f for f in dict.fromkeys(called) if f not in found and f not in recursive and f.name not in opaque]
        fresh = [f for f in fresh if not f.function_type.variadic]
        found.update(dict.fromkeys(fresh))
        pending += fresh
    return list(found)
