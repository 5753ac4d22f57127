"""More C for a program that is compiled already: functions of its own code, in a library of their own.

The new text is compiled alone and joined to the program's optimized IR, so that the requests in it (`__enzyme_autodiff`) are about
the program's functions. Invariant: the program is not copied. Its globals and functions stay in the libraries below; only what the
text adds gets code and data. So there is one state, whoever calls.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from enzyme_magic.backend import building, higher
from enzyme_magic.backend.autodiff.calls.request import REQUEST_PREFIX
from enzyme_magic.backend.autodiff.requests import entries
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.llvm import link
from enzyme_magic.backend.passes import entry_calls
from enzyme_magic.backend.program import interface
from enzyme_magic.backend.program.program_module import ProgramModule
from enzyme_magic.backend.store.persist import ProgramRecord

if TYPE_CHECKING:
    from enzyme_magic.backend.pipeline import Clock, CompiledProgram

_REQUEST = re.compile(rf"@{re.escape(REQUEST_PREFIX)}(\d+)")


def build(
    program: CompiledProgram, source: Source, include: tuple[str, ...], clock: Clock
) -> tuple[ProgramRecord, bytes]:
    """The functions of `source`, and their code. include: folders of headers it needs. Errors as of a compilation."""
    options = replace(program.options, include=include, define=(), compile_args=(), custom=(), shape=(), activity=())
    unit = building.compile_unit((source,), options, program.settings, clock)
    below = program.record.optimized_ir
    with clock.stage("optimize"):
        text = building.optimized_program(link.link([below, entries.protect(unit.irs[0])]), program.options)
    if entries.present(text):
        with clock.stage("requests"):
            sources = (*program.sources, source)
            first = 1 + max(map(int, _REQUEST.findall(below)), default=-1)
            text = entry_calls.answer(
                text, sources, program.options.strict, lambda t: building.optimized(t, program.options), first
            )
    with clock.stage("parse"):
        module = ProgramModule.of(text, program.sources)
    signatures = {name: s for name, s in unit.signatures.items() if not s.static and name in module.module.functions}
    primals = {name: interface.primal(module, signature) for name, signature in signatures.items()}
    with clock.stage("code"):
        code = higher.code_of(link.borrow(text, higher.names(text) - higher.names(below)), program.options)
    return ProgramRecord("", text, signatures, primals, (), (), (*program.record.files, *unit.files)), code
