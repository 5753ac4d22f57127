"""The function that answers a request: it takes operands of the call, calls the derivative, returns what the C prototype says.

Invariant: each answer is a module of its own in which only the answers are visible from outside; what is there follows from the
frozen request alone. Derivatives take their tape from the thread's arena and give it back before they return; shadow globals start
at zero. Width N is one sweep with N lanes (lanes/); where that cannot be, N sweeps, if the function may run N times (`repeats`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff.analyses import Analyses
from enzyme_magic.backend.autodiff.calls import run_answers
from enzyme_magic.backend.autodiff.calls.entry_points import zero_shadow_globals
from enzyme_magic.backend.autodiff.calls.request import (
    ACTIVE,
    COMBINED,
    CONSTANT,
    DUPLICATED,
    FORWARD,
    FunctionRequest,
    Mode,
)
from enzyme_magic.backend.autodiff.calls.signature import function_type, unpacked
from enzyme_magic.backend.autodiff.custom.custom_subjects import subject_of
from enzyme_magic.backend.autodiff.derivation import Derivation
from enzyme_magic.backend.autodiff.lanes import lane_plan, lane_writer
from enzyme_magic.backend.autodiff.lanes.lane_flow import NotInLanes
from enzyme_magic.backend.autodiff.lanes.lane_writer import Wide
from enzyme_magic.backend.autodiff.requests import results, tapes
from enzyme_magic.backend.autodiff.requests.entries import ERROR_ESTIMATE, FORWARD_SPLIT
from enzyme_magic.backend.autodiff.requests.given import MADE, GivenParameter
from enzyme_magic.backend.autodiff.requests.parse import FORWARD_MODES, EntryRequest, Refusals, returned_struct
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.leaves import extract
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import (
    I8,
    I64,
    POINTER,
    VOID,
    FloatType,
    FunctionType,
    IntType,
    StructType,
    Type,
    VoidType,
)
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.backend.library.summary import ARGUMENT, ERRNO_PLACE, GLOBAL
from enzyme_magic.errors import Span

PRIMAL = -1  # instead of a lane
CURRENT_ARENA = Function("em.run.arena_current", function_type=FunctionType(POINTER, ()))


@dataclass(frozen=True, slots=True, repr=False)
class RequestingProgram:
    """What is known of the program that makes the requests. apart: answers may be differentiated again."""

    analyses: Analyses
    span_of: Callable[[Instruction], Span | None]
    strict: bool
    apart: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class RequestAnswer:
    """A function `name` in `module` that takes the operands `operands` of the call, behind the memory of its result if there is
    any. module: None where several answers share one."""

    module: Module | None
    name: str
    operands: tuple[int, ...]


@dataclass(slots=True, repr=False)
class Body:
    """An answer under construction."""

    derivation: Derivation
    function: Function
    builder: Builder
    given: dict[int, Argument]
    memory: Argument | None
    arena: Value | None = field(default=None)
    made: dict[tuple[int, int], Value] = field(default_factory=dict)

    @classmethod
    def open(cls, derivation: Derivation, name: str, call: Call, operands: Sequence[int]) -> Body:
        """A function `name` with a parameter for each of the operands."""
        memory = Argument(POINTER, "result", EMPTY, 0) if results.memory_of_result(call) is not None else None
        start = 1 if memory is not None else 0
        given = {
            number: Argument(call.arguments[number].type, f"operand{number}", EMPTY, start + k)
            for k, number in enumerate(operands)
        }
        arguments = [memory, *given.values()] if memory is not None else list(given.values())
        function = Function(name, function_type=function_type(arguments, call.type), arguments=arguments)
        derivation.module.add(function)
        block = Block("entry", parent=function)
        function.blocks.append(block)
        return cls(derivation, function, Builder(block), given, memory)

    def current_arena(self) -> Value:
        """This thread's arena."""
        if self.arena is None:
            self.arena = self.builder.call(CURRENT_ARENA, [], name="arena")
        return self.arena

    def value(self, number: int, type_: Type) -> Value:
        """An operand as a value of the parameter's type."""
        return converted(self.builder, self.given[number], type_)

    def memory_of(self, index: int, lane: int, given: GivenParameter) -> Value:
        """Memory for a struct by value: of parameter `index` itself (lane PRIMAL), or of one of its shadows. What the caller passes
        is copied, because the caller may go on with it under another name; what nobody passes is zero."""
        known = self.made.get((index, lane))
        if known is not None:
            return known
        assert given.struct is not None
        made = self.made[index, lane] = self.builder.alloca(given.struct, align=16)
        number = given.primal if lane == PRIMAL else given.shadows[lane]
        if number == MADE:
            self.builder.store(constants.zero(given.struct), made, align=16)
        else:
            context = self.derivation.context
            size = constants.int_constant(I64, context.layout.size_of(given.struct))
            context.copy_memory(self.builder, made, self.given[number], size)
        return made

    def argument(self, index: int, given: GivenParameter, type_: Type) -> Value:
        """What is passed for parameter `index`."""
        return self.value(given.primal, type_) if given.struct is None else self.memory_of(index, PRIMAL, given)

    def shadow(self, index: int, given: GivenParameter, lane: int) -> Value:
        """The shadow of a pointer for one lane."""
        if given.struct is not None and not given.shadow_passed:
            return self.memory_of(index, lane, given)
        if given.stride is None:
            return self.given[given.shadows[lane]]
        stride = converted(self.builder, self.given[given.stride], I64)
        offset = self.builder.mul(stride, constants.int_constant(I64, lane))
        return self.builder.gep(I8, self.given[given.shadows[0]], [offset])


def converted(builder: Builder, value: Value, type_: Type) -> Value:
    """What `parse.fits` allows: variable arguments are promoted by C, and go back here."""
    if value.type == type_:
        return value
    if isinstance(type_, FloatType):
        return builder.fptrunc(value, type_)
    assert isinstance(type_, IntType)
    assert isinstance(value.type, IntType)
    return builder.trunc(value, type_) if value.type.bits > type_.bits else builder.sext(value, type_)


def function_request(program: RequestingProgram, request: EntryRequest, mode: Mode) -> FunctionRequest:
    """The request in the engine's terms: all memory that has a shadow varies and matters."""
    pointers = frozenset(k for k, given in enumerate(request.given) if given.activity == DUPLICATED)
    function = program.analyses.module.functions[request.function]
    value = request.primal_return
    if mode == FORWARD and request.result == CONSTANT:
        value = not isinstance(function.function_type.result, VoidType)
    return FunctionRequest(
        subject_of(program.analyses.module, request.function),
        mode,
        tuple(given.activity for given in request.given),
        request.result,
        varying=pointers,
        mattering=pointers,
        value=value,
        errors=request.entry == ERROR_ESTIMATE,
        absent=frozenset(k for k, given in enumerate(request.given) if given.absent),
    )


def may_doubt(program: RequestingProgram) -> bool:
    """Whether the run may be asked what bytes hold."""
    return not program.apart and not program.analyses.custom.take_pointers


def operands_of(request: EntryRequest) -> tuple[int, ...]:
    """The operands an answer takes, in the order of the call."""
    numbers: set[int] = set(request.seeds)
    for given in request.given:
        numbers |= {given.primal, *given.shadows}
        numbers |= {given.stride} if given.stride is not None else set()
    numbers |= {request.tape} if request.tape is not None else set()
    return tuple(sorted(numbers - {MADE}))


def repeats(program: RequestingProgram, function: Function) -> bool:
    """Whether running the function twice is the same as once: it changes nothing it may read."""
    summary = program.analyses.effects.summary(function)
    if summary.opaque or summary.prints or summary.frees or summary.refused or not summary.repeatable:
        return False
    written = summary.writes - {ERRNO_PLACE}
    if not written:
        return True
    return all(
        place.kind == ARGUMENT
        and not summary.reads_argument(place.index)
        and "noalias" in function.arguments[place.index].attributes
        for place in written
    )


def _is_kept(program: RequestingProgram, request: EntryRequest, function: Function) -> bool:
    """Whether running the function once more gives what it gave before."""
    summary = program.analyses.effects.summary(function)
    if not repeats(program, function) or summary.global_reads is None:
        return False
    kept = all(given.kept or not summary.reads_argument(k) for k, given in enumerate(request.given))
    deeper = any(place.kind not in (ARGUMENT, GLOBAL) for place in summary.reads - {ERRNO_PLACE})
    variables = program.analyses.module.variables
    return kept and not deeper and all(variables[name].constant for name in summary.global_reads)


def write_whole(
    program: RequestingProgram, request: EntryRequest, call: Call, name: str, is_used: bool, refuse: Refusals
) -> RequestAnswer:
    """The answer to `__enzyme_autodiff`, `__enzyme_fwddiff` and `__enzyme_fwdsplit`."""
    forward = request.entry in FORWARD_MODES
    function = program.analyses.module.functions[request.function]
    if request.entry == FORWARD_SPLIT and not _is_kept(program, request, function):
        raise refuse.error(
            "the function runs again here, and what it reads may have changed since __enzyme_augmentfwd",
            "write enzyme_not_overwritten before each pointer whose memory stays as it is; it must not be written by the function",
            "EM149",
        )
    derivation = Derivation(
        program.analyses, program.span_of, program.strict, program.apart, may_doubt=may_doubt(program)
    )
    wanted = function_request(program, request, FORWARD if forward else COMBINED)
    derivative: Derivative | ForwardDerivative
    derivative = derivation.write_forward(wanted) if forward else derivation.write(wanted)
    operands = operands_of(request)
    wide = _widened(program, derivation, derivative, request, refuse) if request.width > 1 else None
    body = Body.open(derivation, name, call, operands)
    zero_shadow_globals(derivation.context, body.builder)
    if request.tape is not None:
        used = tapes.opened(body, request, 0, refuse)[0]
        if not request.nofree:
            body.builder.call(tapes.CLOSE, [used])
    arguments = [_arguments(body, derivative, request, lane, refuse) for lane in range(request.width)]
    if wide is None:
        given = [_sweep(body, derivative, request, lane) for lane in arguments]
    else:
        result = body.builder.call(wide.function, wide.merged(arguments))
        given = wide.lanes_of(unpacked(body.builder, result, len(fields(wide.function.function_type.result))))
    values = _in_order(body, derivative, request, given)
    layout = program.analyses.layout
    form = results.form(call, [value.type for value in values], is_used, layout, refuse)
    results.give(body.builder, form, values, layout, body.memory)
    return RequestAnswer(finished(derivation, [name]), name, operands)


def _widened(
    program: RequestingProgram,
    derivation: Derivation,
    derivative: Derivative | ForwardDerivative,
    request: EntryRequest,
    refuse: Refusals,
) -> Wide | None:
    """All lanes in one sweep; None where there must be a sweep for each."""
    try:
        lanes = lane_plan.decide(derivation.context, derivative)
        return lane_writer.widen(derivation.context, lanes, request.width)
    except NotInLanes as why:
        if repeats(program, program.analyses.module.functions[request.function]):
            return None
        raise refuse.error(
            f"with this width the function would run once for each lane ({why.message}), and it may change what it reads",
            "write through restrict pointers that are not read, or make one request for each lane",
            "EM146",
        ) from None


def fields(type_: Type) -> tuple[Type, ...]:
    """The types of the values a derivative gives back."""
    if isinstance(type_, VoidType):
        return ()
    return type_.elements if isinstance(type_, StructType) else (type_,)


def _sweep(
    body: Body, derivative: Derivative | ForwardDerivative, request: EntryRequest, arguments: list[Value]
) -> list[Value]:
    """One sweep; the values the derivative gives back."""
    context = body.derivation.context
    run_answers.begin(context, body.builder)
    values = unpacked(body.builder, body.builder.call(derivative.function, arguments), len(derivative.returned))
    tangents = values[_primals(derivative, request) :]
    run_answers.end(context, body.builder, tangents, forward=isinstance(derivative, ForwardDerivative))
    return values


def _primals(derivative: Derivative | ForwardDerivative, request: EntryRequest) -> int:
    """How many of the values that a derivative gives back are results of the function."""
    if isinstance(derivative, ForwardDerivative):
        return int(derivative.request.value)
    return len(derivative.sweep.result_leaves) if request.primal_return else 0


def _arguments(
    body: Body, derivative: Derivative | ForwardDerivative, request: EntryRequest, lane: int, refuse: Refusals
) -> list[Value]:
    """What the derivative takes, for one lane."""
    made = derivative.parameters
    arguments: list[Value] = []
    if made.passes_arena:
        uses = body.derivation.context.uses_arena
        arguments.append(body.current_arena() if uses else constants.poison(POINTER))
    for k, given in enumerate(request.given):
        type_ = made.primal[k].type
        arguments.append(body.argument(k, given, type_))
        if k in made.shadow:
            arguments.append(shadow_of(body, k, given, lane, made.primal[k].name, refuse))
        arguments += _tangents(body, derivative, given, k, lane, type_)
    return arguments + [constants.float_constant(seed.type, 1.0) for seed in made.seeds.values()]


def shadow_of(body: Body, index: int, given: GivenParameter, lane: int, name: str, refuse: Refusals) -> Value:
    """The shadow of a pointer. The derivative may want one where the request gives none: memory that is used in one place with
    memory that carries derivatives."""
    if not given.shadows:
        called = f"parameter {name or index + 1}"
        what = f"{called} is enzyme_const, but the function uses it where it also uses memory that carries derivatives"
        raise refuse.error(what, "mark it enzyme_dup and pass a shadow", "EM144")
    return body.shadow(index, given, lane)


def _tangents(
    body: Body, derivative: Derivative | ForwardDerivative, given: GivenParameter, index: int, lane: int, type_: Type
) -> list[Value]:
    wanted = [(path, tangent) for (k, path), tangent in derivative.parameters.tangents.items() if k == index]
    if not wanted:
        return []
    whole = converted(body.builder, body.given[given.shadows[lane]], type_)
    return [extract(body.builder, whole, path) for path, _ in wanted]


def _in_order(
    body: Body, derivative: Derivative | ForwardDerivative, request: EntryRequest, given: Sequence[Sequence[Value]]
) -> list[Value]:
    """Primal results once, then each result of all lanes."""
    first = _primals(derivative, request)
    values = list(given[0][:first])
    result = returned_struct(request)
    if result is not None and (request.primal_return or result.activity == CONSTANT):
        values.append(_content(body, 0, PRIMAL, result))
    if result is not None and isinstance(derivative, ForwardDerivative) and result.activity == DUPLICATED:
        values += [_content(body, 0, lane, result) for lane in range(request.width)]
    return values + adjoints(body, request, [lane[first:] for lane in given])


def adjoints(body: Body, request: EntryRequest, given: Sequence[Sequence[Value]]) -> list[Value]:
    """What a derivative gives back for each lane, in the order of the parameters: structs by value lie in memory."""
    values: list[Value] = []
    k = 0
    analyses = body.derivation.context.analyses
    function = analyses.module.functions[request.function]
    for index, one in enumerate(request.given):
        if one.struct is not None and one.primal != MADE and MADE in one.shadows:
            values += [_content(body, index, lane, one) for lane in range(request.width)]
        elif one.activity == ACTIVE and request.entry not in FORWARD_MODES:
            for _ in analyses.parameter_leaves(function, index):
                values += [lane[k] for lane in given]
                k += 1
    for rest in range(k, len(given[0])):
        values += [lane[rest] for lane in given]
    return values


def _content(body: Body, index: int, lane: int, given: GivenParameter) -> Value:
    assert given.struct is not None
    return body.builder.load(given.struct, body.memory_of(index, lane, given), align=16)


def finished(derivation: Derivation, visible: Sequence[str]) -> Module:
    """The derivation's module with everything declared; only `visible` can be seen from outside."""
    for function in derivation.module.definitions():
        function.linkage = "" if function.name in visible else "internal"
    derivation.declare_program()
    return derivation.module


def answer_type(call: Call, operands: Sequence[int]) -> FunctionType:
    """The type of an answer."""
    memory = [POINTER] if results.memory_of_result(call) is not None else []
    result = call.type if not memory else VOID
    return FunctionType(result, (*memory, *(call.arguments[number].type for number in operands)))
