"""A program whose own derivatives are to be differentiated again, on demand.

The derivatives that C code asks for are written for being called: their tape is taken from the arena and given back. Where Python
differentiates a function that calls one, the program is written once more with all of them in the form that can be differentiated
(passes/nesting.py), as if the C text had asked for both orders.

Invariant: the program is not copied. Its variables, and every function that it has already, stay in the library below; only what
the nested form has more gets code. So values and state are those of the program that is called.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from enzyme_magic.backend import building, higher
from enzyme_magic.backend.analysis.calls.runtime_calls import is_runtime
from enzyme_magic.backend.autodiff.calls.request import REQUEST_PREFIX, STATIC_PREFIX
from enzyme_magic.backend.llvm import link, moduletext, reachable
from enzyme_magic.backend.store.persist import ProgramRecord
from enzyme_magic.errors import DifferentiationError

if TYPE_CHECKING:
    from enzyme_magic.backend.pipeline import Clock, CompiledProgram

_SUFFIX = ".nested"


def keeps_tape(text: str, function: str) -> bool:
    """Whether `function` leads to a derivative that C asked for and that uses the runtime's memory."""
    return any(map(is_runtime, reachable.outside(text, function)))


def build(program: CompiledProgram, clock: Clock) -> tuple[ProgramRecord, bytes]:
    """The program in nested form, and the code of what it has more.

    Raises DifferentiationError EM211 where that would be another program."""
    record, options = program.record, program.options
    with clock.stage("requests"):
        text = building.before_differentiation(record.input_ir, program.sources, options, nested=True)
        written = higher.names(building.optimized_program(record.input_ir, options))
    below = higher.names(record.optimized_ir)
    answers = {
        name for name in (below & higher.names(text)) - written if name.startswith((REQUEST_PREFIX, STATIC_PREFIX))
    }
    text = moduletext.rename(text, {name: f"{name}{_SUFFIX}" for name in answers})
    own = higher.names(text) - below
    for item in moduletext.split(text):
        if item.name in own & written and moduletext.is_writable(item):
            name = item.name.removeprefix(STATIC_PREFIX)
            raise DifferentiationError(
                f"the C text asks for a derivative there, and its derivative would need the variable {name}, which the program does"
                " not keep",
                code="EM211",
                hint="ask for this derivative in the C text, too: __enzyme_fwddiff or __enzyme_autodiff of this function",
            )
    with clock.stage("code"):
        code = higher.code_of(link.borrow(text, own), options)
    return replace(record, optimized_ir=text), code
