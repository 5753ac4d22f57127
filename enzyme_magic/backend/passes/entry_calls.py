"""Requests that the C program makes itself, answered before its code is made.

Rounds: a request can be written when no function that its own function reaches makes a request that is still open, so nested
requests go innermost first, also where a pointer leads to the inner one; what one round wrote is part of the program of the next.
Each round takes the text of an externalized program and gives one back in which calls of entry points are calls of derivatives
that stand beside the program's functions.

Invariant: a text without requests comes back as it is. Afterwards no call of an entry point is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from enzyme_magic.backend.autodiff.analyses import Analyses
from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX
from enzyme_magic.backend.autodiff.requests import entries, lower
from enzyme_magic.backend.autodiff.requests.lower import Open
from enzyme_magic.backend.autodiff.requests.write import RequestingProgram
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.ir.graphs.callgraph import CallGraph, globals_in
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.llvm import link
from enzyme_magic.backend.passes import nesting
from enzyme_magic.backend.program.program_module import ProgramModule
from enzyme_magic.backend.undisturbed import undisturbed
from enzyme_magic.errors import CompileError, DifferentiationError


@dataclass(slots=True, repr=False)
class _Reach:
    """Which functions a function may lead to: everything it mentions, at any depth. graph: and what fits its calls through
    pointers."""

    graph: CallGraph | None = None
    _direct: dict[Function, frozenset[Function]] = field(default_factory=dict)

    def of(self, start: Function) -> set[Function]:
        """`start` and what it reaches."""
        seen = {start}
        pending = [start]
        while pending:
            for found in self._mentions(pending.pop()):
                if found not in seen:
                    seen.add(found)
                    pending.append(found)
        return seen

    def _mentions(self, function: Function) -> frozenset[Function]:
        known = self._direct.get(function)
        if known is None:
            values = {o for i in function.instructions() for operand in i.operands for o in globals_in(operand)}
            pending = [v for v in values if isinstance(v, GlobalVariable)]
            while pending:
                initializer = pending.pop().initializer
                for found in globals_in(initializer) if initializer is not None else ():
                    if found not in values:
                        values.add(found)
                        pending += [found] if isinstance(found, GlobalVariable) else []
            if self.graph is not None:
                values.update(self.graph.callees.get(function, ()))
            known = self._direct[function] = frozenset(v for v in values if isinstance(v, Function))
        return known


def answer(
    text: str,
    sources: Sequence[Source],
    strict: bool,
    again: Callable[[str], str],
    number: int = 0,
    *,
    nested: bool = False,
) -> str:
    """The program with its requests answered. again: the optimization of a program some of whose requests are answered; number:
    how many are answered already; nested: all answers are to be differentiated again.

    Raises CompileError (EM140–EM149) for a request that cannot be understood, DifferentiationError for a function that cannot be
    differentiated.
    """
    while entries.present(text):
        open_ = lower.find(module := parser.parse(text))
        if not open_:
            break
        if number:
            text = link.externalize(again(nesting.differentiable(text)), STATIC_PREFIX)
            open_ = lower.find(module := parser.parse(text))
        view = ProgramModule.of(text, sources)
        program = RequestingProgram(view.analyses.with_words(), view.span_of, strict)
        ready = _ready(module, open_, program)
        program = replace(program, apart=nested or len(ready) < len(open_))
        text = _answered(text, module, ready, program, number)
        number += len(ready)
    return link.externalize(again(nesting.differentiable(text)), STATIC_PREFIX) if nested else text


def _answered(text: str, module: Module, ready: Sequence[Open], program: RequestingProgram, number: int) -> str:
    """With as much trust as the program needs, as for derivatives from Python (deriving.py)."""

    def again(analyses: Analyses) -> str:
        open_ = lower.find(new := parser.parse(text))
        otherwise = replace(program, analyses=analyses)
        return _round(new, _ready(new, open_, otherwise), otherwise, number)

    try:
        made = _round(module, ready, program, number)
        return again(program.analyses.wary()) if program.analyses.types.trusted else made
    except DifferentiationError as error:
        if error.final:
            raise
        others = program.analyses.in_memory() if program.analyses.pass_unknown() else None
        try:
            if others is not None:
                return again(others)
        except DifferentiationError:
            pass  # what the program's own text says of it is clearer
        raise error from None


def _ready(module: Module, open_: Sequence[Open], program: RequestingProgram) -> list[Open]:
    asking = {request.home for request in open_}
    # What merely fits a call through a pointer may be waited for; it does not make a circle.
    for reach in (_Reach(CallGraph.of(module)), _Reach()):
        ready = [r for r in open_ if not any(asking & reach.of(f) for f in r.functions)]
        if ready:
            return ready
    first = open_[0]
    raise CompileError(
        f"{first.entry}: the function leads to this request again, so there is no innermost derivative",
        code="EM148",
        hint="let the function that is differentiated not call the one that differentiates it",
        span=program.span_of(first.call),
    )


def _round(module: Module, ready: Sequence[Open], program: RequestingProgram, number: int) -> str:
    with undisturbed():
        made = lower.lower(module, ready, program, number)
    for answers in made:
        nesting.mark(answers)
    entries.forget(module)
    texts = [printer.print_module(module), *(printer.print_module(answers) for answers in made)]
    return link.externalize(link.link(texts), STATIC_PREFIX)
