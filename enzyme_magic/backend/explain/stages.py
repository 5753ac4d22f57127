"""The four IR stages of a derivative: input, optimized, gradient, gradient-optimized.

Invariant: `Stage.text` is the whole module as LLVM reads it, the function that was asked for first; the lines of its blocks are
LLVM's without metadata, attributes, alignment and debug records.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from enzyme_magic.backend.deriving import SEEDED
from enzyme_magic.backend.explain.loop_copies import loop_copies
from enzyme_magic.backend.explain.origins import Origins
from enzyme_magic.backend.explain.words.conditions import edges
from enzyme_magic.backend.explain.words.excerpt import excerpt
from enzyme_magic.backend.explain.words.written import input_text
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.instructions import Alloca, AtomicRMW, Call, CompareExchange, Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.text import printer
from enzyme_magic.backend.ir.values import Block
from enzyme_magic.backend.pipeline import CompiledDerivative, CompiledProgram
from enzyme_magic.backend.program.stages import function_first
from enzyme_magic.errors import InternalError, UnsupportedIRError
from enzyme_magic.report import Edge, Stage, StageBlock


def stages(
    program: CompiledProgram, compiled: CompiledDerivative, function: str, origins: Origins = ()
) -> tuple[Stage, ...]:
    """All four, in the order they are made."""
    native = program.primal(function).entry.symbol
    derivative = compiled.entry.symbol
    level, post = program.options.opt, program.options.post_opt
    optimized = f"O{level}" if level else "promoted to registers only"
    seed = ", seed 1.0 folded in" if compiled.request.seed == "one" else ""
    return (
        _stage("input", "what clang wrote", program.ir("input", function), (function, native)),
        _stage(
            "optimized", f"before differentiation: {optimized}", program.ir("optimized", function), (function, native)
        ),
        _with_origins(
            _stage(
                "gradient",
                "the synthesized derivative",
                function_first(compiled.gradient_ir, derivative),
                (derivative,),
            ),
            origins,
        ),
        _stage(
            "gradient-optimized",
            f"after O{post}{seed}",
            function_first(compiled.gradient_optimized_ir, derivative),
            (f"{derivative}{SEEDED}", derivative),  # behind the entry that Python calls, if it is apart
        ),
    )


def _with_origins(stage: Stage, origins: Origins) -> Stage:
    """Where the text and the origins do not belong together, nothing is said."""
    if [len(block.lines) for block in stage.blocks] != [len(block) for block in origins]:
        return stage
    pairs = zip(stage.blocks, origins, strict=True)
    return replace(stage, blocks=tuple(replace(block, origins=words) for block, words in pairs))


def _stage(name: str, title: str, text: str, functions: tuple[str, ...]) -> Stage:
    try:
        module = excerpt(text, *functions)
        return _stage_of(name, title, text, module, functions)
    except (UnsupportedIRError, InternalError):  # the text is still worth showing
        return Stage(name, title, text, (), (), 0)


def _stage_of(name: str, title: str, text: str, module: Module, functions: tuple[str, ...]) -> Stage:
    defined = (module.functions.get(function) for function in functions)
    function = next((f for f in defined if f is not None and f.blocks), None)
    if function is None:
        return Stage(name, title, text, (), (), 0)
    count = Counter(instruction.opcode for instruction in function.instructions())
    opcodes = tuple(sorted(count.items()))
    arrows = _edges(module, function)
    copies = loop_copies(function)
    return Stage(name, title, text, _blocks(function), arrows, sum(count.values()), opcodes, copies)


def _edges(module: Module, function: Function) -> tuple[Edge, ...]:
    text = input_text(function, DataLayout.of(module))
    names = Names(function)
    assert text.places is not None
    return edges(function, text.places.evolution.loops, text, {b: names.of(b)[1:] for b in function.blocks})


def _blocks(function: Function) -> tuple[StageBlock, ...]:
    for instruction in function.instructions():
        _plain(instruction)
    names = Names(function)
    return tuple(
        StageBlock(
            names.of(block)[1:], tuple(printer.line(i, names) for i in block.instructions), c_lines=_c_lines(block)
        )
        for block in function.blocks
    )


def _c_lines(block: Block) -> tuple[int, ...]:
    return tuple(sorted({line for i in block.instructions if (line := locations.line_of(i)) is not None}))


def _plain(instruction: Instruction) -> None:
    """Leave out what a reader of the picture does not need."""
    if isinstance(instruction, (Load, Store, Alloca, AtomicRMW, CompareExchange)):
        instruction.align = None
    if isinstance(instruction, Call):
        instruction.attributes = instruction.result_attributes = EMPTY
        instruction.argument_attributes = [EMPTY] * len(instruction.argument_attributes)
        instruction.tail = "" if instruction.tail == "tail" else instruction.tail
