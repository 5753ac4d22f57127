"""How much is executed: IR with a counter in each block, which adds up the instructions of the blocks that run.

Everything counts, also functions of the program that a derivative calls: they are linked into the counted module.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from enzyme_magic.backend import pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Alloca, Phi
from enzyme_magic.backend.ir.module import GlobalVariable
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import I64
from enzyme_magic.backend.llvm import link, optimize
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.native import Entry
from enzyme_magic.backend.runtime.calls.derivative import NOTHING, Given, derivative
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.native import support

COUNTER = "instructions_executed"


class Counted:
    """A native function with the counter. `run` gives the number of instructions of one call."""

    def __init__(self, text: str, entry: Entry, signature: Any) -> None:
        code = jit.compile_object(_with_counters(text), 1)
        symbols = {**support.symbols(), **support.arena_symbols()}
        self.library = jit.Library.load([code], [entry.symbol, COUNTER], symbols=symbols)
        self.call = derivative(Code(entry, self.library.address(entry.symbol), signature, self.library))

    def run(self, values: Sequence[Any], given: Given = NOTHING) -> int:
        counter = ctypes.c_int64.from_address(self.library.address(COUNTER))
        counter.value = 0
        self.call(values, given)
        return counter.value


def primal(program: pipeline.CompiledProgram, function: str) -> Counted:
    """The function itself, as its program's code is made."""
    text = optimize.post_ad(program.record.optimized_ir, program.options.post_opt)
    return Counted(text, program.primal(function).entry, program.signatures[function])


def gradient(program: pipeline.CompiledProgram, request: Request) -> Counted:
    """A derivative, after all optimization."""
    made = program.derivative(request)
    text = link.link([made.gradient_optimized_ir, program.record.optimized_ir])
    return Counted(text, made.entry, program.signatures[request.function])


def _with_counters(text: str) -> str:
    module = parser.parse(text)
    counter = GlobalVariable(COUNTER, value_type=I64, initializer=constants.zero(I64))
    module.add(counter)
    for function in module.definitions():
        for block in function.blocks:
            first = next(i for i in block.instructions if not isinstance(i, (Phi, Alloca)))
            count = constants.int_constant(I64, len(block.instructions))
            builder = Builder(block, before=first)
            builder.store(builder.add(builder.load(I64, counter), count), counter)
    return printer.print_module(module)
