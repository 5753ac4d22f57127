"""From a request to a derivative's IR and object code.

Where analyses trusted that members of unions are read as what they were written, the derivative is written a second time
without that trust. Nothing is decided here that is not in the request or the analyses.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

from enzyme_magic.backend.analysis.calls import allocators
from enzyme_magic.backend.autodiff.analyses import Analyses
from enzyme_magic.backend.autodiff.cache.meter import Meter
from enzyme_magic.backend.autodiff.calls import run_answers
from enzyme_magic.backend.autodiff.calls.entry_points import write_entry
from enzyme_magic.backend.autodiff.calls.request import (
    ACTIVE,
    COMBINED,
    CONSTANT,
    DUPLICATED,
    FORWARD,
    ActivityKind,
    FunctionRequest,
    Request,
)
from enzyme_magic.backend.autodiff.custom import custom_subjects
from enzyme_magic.backend.autodiff.derivation import Derivation
from enzyme_magic.backend.autodiff.lanes import lane_plan, lane_writer, wide_entry
from enzyme_magic.backend.autodiff.memory import nested_kinds
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.autodiff.sweeps.watch import Watch
from enzyme_magic.backend.frontend.c_types import Pointer, Signature, Void, holds_floats, is_float
from enzyme_magic.backend.ir.text import printer
from enzyme_magic.backend.llvm import blocks, irtext, link, optimize, vector_library
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.native import Entry, Slot
from enzyme_magic.backend.passes import supports
from enzyme_magic.backend.program import statics
from enzyme_magic.backend.program.program_module import ProgramModule
from enzyme_magic.backend.program.separable import own_shadows
from enzyme_magic.backend.store.persist import DerivativeRecord, Primal, ProgramRecord
from enzyme_magic.backend.undisturbed import undisturbed
from enzyme_magic.config import Options
from enzyme_magic.errors import DifferentiationError

SEEDED = ".seeded"  # behind the name of a derivative: the function that its entry calls

Stage = Callable[[str], AbstractContextManager[None]]
Written = tuple[Derivation, Derivative | ForwardDerivative]


def make(
    program: ProgramModule, request: Request, record: ProgramRecord, options: Options, stage: Stage, beside: str = ""
) -> tuple[DerivativeRecord, bytes]:
    """Write, optimize and compile the derivative for `request`. beside: text of functions that it calls and no program has."""
    with stage("autodiff"):
        derivation, derivative = write(program, request, record, options.strict)
        gradient = printer.print_module(derivation.module)
        text, entry = with_entry(derivation, derivative, request, record)
        if any(registration.python for registration in options.custom):
            entry = replace(entry, may_exit=True)  # by an exception of a Python handler
        text = link.link([text, beside]) if beside else text
    with stage("optimize gradient"):
        optimized = optimize.post_ad(text, options.post_opt, exports=[entry.symbol])
    with stage("gradient code"):
        code = jit.compile_object(optimized, options.post_opt)
    return DerivativeRecord(entry, gradient, optimized, mentions_program(program, optimized)), code


def code_with_lines(
    program: ProgramModule, request: Request, record: ProgramRecord, options: Options, beside: str
) -> bytes:
    """The object code of `make`, with debug info."""
    return jit.compile_object(with_lines(program, request, record, options, beside), options.post_opt)


def with_lines(program: ProgramModule, request: Request, record: ProgramRecord, options: Options, beside: str) -> str:
    """The optimized text of `make`, with debug info."""
    text, entry = with_entry(*write(program, request, record, options.strict, lines=True), request, record)
    text = link.link([text, beside]) if beside else text
    return optimize.post_ad(text, options.post_opt, keep_debug=True, exports=[entry.symbol])


def write(
    program: ProgramModule,
    request: Request,
    record: ProgramRecord,
    strict: bool = False,
    *,
    apart: bool = False,
    watch: Watch | None = None,
    meter: Meter | None = None,
    lines: bool = False,
) -> tuple[Derivation, Derivative | ForwardDerivative]:
    """The derivative as our own IR, with the analyses behind it. apart: it is to be differentiated again. watch: is told
    what it does. meter: counts what it keeps. lines: with debug info that leads to the C text."""
    signature, primal = record.signatures[request.function], record.primals[request.function]
    _check(signature, request)
    wanted = function_request(signature, primal, request)
    wanted = replace(wanted, function=custom_subjects.subject_of(program.module, wanted.function))
    may_doubt, span_of = not program.analyses.custom.take_pointers, nested_kinds.near(program.span_of)

    def written(analyses: Analyses) -> tuple[Derivation, Derivative | ForwardDerivative]:
        vectors = not strict and not apart
        derivation = Derivation(
            *(analyses, span_of, strict, apart, watch, meter),
            may_doubt=may_doubt,
            vectors=vectors,
            lines=lines,
            follows=not apart and statics.reads_pointers(program, wanted.function),
            keeps_blocks=record.keeps_blocks,
        )
        derivative: Derivative | ForwardDerivative
        derivative = derivation.write_forward(wanted) if request.mode == FORWARD else derivation.write(wanted)
        derivation.declare_program()
        derivation.finish(derivative)
        return derivation, derivative

    with undisturbed():
        return _written(written, program.analyses.with_words())


def _written(written: Callable[[Analyses], Written], analyses: Analyses) -> Written:
    """With as much trust as the program needs. What cannot be written, or asks the run what bytes are, is written with all integers
    in memory that may be numbers, if that can be."""
    try:
        made = written(analyses)
        made = written(analyses.wary()) if analyses.types.trusted else made
    except DifferentiationError as error:
        if error.final:
            raise
        others = analyses.in_memory() if analyses.pass_unknown() else None
        made_otherwise = None if others is None else _tried(written, others)
        if made_otherwise is None:
            raise error from None
        return made_otherwise
    others = analyses.in_memory() if made[0].context.asks else None
    return (None if others is None else _tried(written, others)) or made


def _tried(written: Callable[[Analyses], Written], analyses: Analyses) -> Written | None:
    try:
        return written(analyses)
    except DifferentiationError:
        return None


def function_request(signature: Signature, primal: Primal, request: Request) -> FunctionRequest:
    """The request in terms of the native function: native parameters are the C parameters, in order, or those of the uniform
    entry."""
    if primal.uniform:
        return _uniform_request(signature, primal, request)
    kinds: list[ActivityKind] = []
    for k, parameter in enumerate(signature.parameters):
        pointer = isinstance(parameter.type, Pointer)
        wanted = k in request.wrt or k in request.outputs
        kinds.append(CONSTANT if not wanted else DUPLICATED if pointer else ACTIVE)
    pointers = {k for k, kind in enumerate(kinds) if kind == DUPLICATED}
    return FunctionRequest(
        primal.entry.symbol,
        FORWARD if request.mode == FORWARD else COMBINED,
        tuple(kinds),
        ACTIVE if is_float(signature.result) else CONSTANT,
        varying=frozenset(pointers & set(request.wrt)),
        mattering=frozenset(pointers & set(request.outputs)),
        value=request.value and not isinstance(signature.result, Void),
        caching=request.caching,
    )


ARGUMENTS, RESULT = 0, 1  # the native parameters of a uniform entry


def _uniform_request(signature: Signature, primal: Primal, request: Request) -> FunctionRequest:
    """All memory that can be reached from the arguments varies: whoever calls takes the gradients it wants out of their shadows."""
    returns = not isinstance(signature.result, Void)
    outputs = {RESULT} if returns else set()
    return FunctionRequest(
        primal.entry.symbol,
        FORWARD if request.mode == FORWARD else COMBINED,
        (DUPLICATED, DUPLICATED if returns else CONSTANT),
        varying=frozenset([ARGUMENTS]),
        mattering=frozenset(outputs | ({ARGUMENTS} if request.outputs else set())),
        caching=request.caching,
    )


def _slots(signature: Signature, primal: Primal) -> list[tuple[Slot, Slot]]:
    """What each native parameter and its shadow are to the caller."""
    if primal.uniform:
        return [(Slot("arguments"), Slot("shadow-arguments")), (Slot("results"), Slot("shadow-results"))]
    return [(Slot("primal", k), Slot("shadow", k)) for k in range(len(signature.parameters))]


def _check(signature: Signature, request: Request) -> None:
    seeded = request.seed == "argument" and holds_floats(signature.result)
    if request.mode == "reverse" and not is_float(signature.result) and not request.outputs and not seeded:
        raise DifferentiationError(
            f"{signature.name} returns {signature.result}, so it has no gradient",
            code="EM202",
            hint="return a float or double; em.vjp, em.jvp and em.jacobian take functions with output arrays or struct results",
        )


def with_entry(
    derivation: Derivation, derivative: Derivative | ForwardDerivative, request: Request, record: ProgramRecord
) -> tuple[str, Entry]:
    """The module with the entry Python calls; the entry takes the derivative's name."""
    primal = record.primals[request.function]
    entry = add_entry(derivation, derivative, request, record)
    text = with_supports(derivation)
    may_exit = primal.entry.may_exit or derivation.context.uses_guard or derivation.context.uses_heap
    takes_turns = primal.entry.takes_turns or bool(derivation.context.shadow_globals)
    takes_turns = takes_turns or run_answers.asks(derivation.context)
    entry = replace(entry, may_exit=may_exit, prints=primal.entry.prints, takes_turns=takes_turns)
    return text, replace(entry, statics=primal.entry.statics, puts_back=True)


def with_supports(derivation: Derivation) -> str:
    """The module as it is now, as text, with what it calls of ours."""
    return vector_library.with_forms(supports.with_support(printer.print_module(derivation.module)))


def add_entry(
    derivation: Derivation, derivative: Derivative | ForwardDerivative, request: Request, record: ProgramRecord
) -> Entry:
    """Adds the function Python calls to the module; it takes the derivative's name."""
    signature, primal = record.signatures[request.function], record.primals[request.function]
    function = derivative.function
    symbol = function.name
    derivation.rename(function, f"{symbol}{SEEDED}")
    function.linkage = "internal"
    slots = _slots(signature, primal)
    if request.width > 1:
        lanes = lane_plan.decide(derivation.context, derivative)
        wide = lane_writer.widen(derivation.context, lanes, request.width)
        entry = wide_entry.write(derivation.context, derivative, wide, symbol, slots)
    else:
        own = request.mode != FORWARD and not primal.uniform and own_shadows(signature)
        entry = write_entry(derivation.context, derivative, symbol, request.seed, slots, own_shadows=own)
    derivation.declare_program()
    return entry


def mentions_program(program: ProgramModule, text: str) -> bool:
    """Whether the text refers to functions or globals that the program's library owns, or lends."""
    owned = [f.name for f in program.module.functions.values() if f.blocks or allocators.is_closed(f)]
    owned += [v.name for v in program.module.variables.values() if v.initializer is not None]
    return blocks.FIND in text or any(irtext.symbol_of(name) in text for name in owned)
