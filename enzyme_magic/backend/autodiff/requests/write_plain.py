"""Entry points that differentiate nothing: the size of a tape, an inactive call, a function for many arguments at once."""

from __future__ import annotations

from enzyme_magic.backend.autodiff.derivation import Derivation, declaration_of
from enzyme_magic.backend.autodiff.requests import entries, results
from enzyme_magic.backend.autodiff.requests.entries import AUGMENT_SIZE, BATCH, CALL_INACTIVE
from enzyme_magic.backend.autodiff.requests.parse import (
    TAPE_BYTES,
    WIDEST,
    Refusals,
    fits,
    position_of_function,
)
from enzyme_magic.backend.autodiff.requests.write import Body, RequestAnswer, RequestingProgram, converted, finished
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import Attribute, AttributeSet
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I8, I64, IntType, PointerType, VoidType
from enzyme_magic.backend.ir.values import ConstantInt, Value
from enzyme_magic.backend.rules.registry import INACTIVE

ENTRIES = (AUGMENT_SIZE, CALL_INACTIVE, BATCH)
NOT_INLINED = AttributeSet((Attribute("noinline"), Attribute(INACTIVE, None, quoted=True)))


def write(
    program: RequestingProgram, entry: str, call: Call, function: Function, name: str, refuse: Refusals
) -> RequestAnswer:
    """The answer to one of `ENTRIES`."""
    writers = {AUGMENT_SIZE: _size, CALL_INACTIVE: _inactive, BATCH: _batch}
    derivation = Derivation(program.analyses, program.span_of, program.strict)
    operands = writers[entry](derivation, call, function, name, refuse)
    return RequestAnswer(finished(derivation, [name]), name, operands)


def _size(derivation: Derivation, call: Call, function: Function, name: str, refuse: Refusals) -> tuple[int, ...]:
    """The bytes of a tape in the caller's memory. Markers stand for the arguments."""
    wanted, given = len(function.arguments), 0
    for argument in call.arguments[position_of_function(call) + 1 :]:
        word = entries.marker(argument)
        if word is None:
            raise refuse.error("takes markers, one for each parameter", "write enzyme_dup for memory", "EM142")
        if word not in entries.MARKERS:
            raise refuse.error(f"{word} is no marker", None, "EM141")
        given += word in entries.ACTIVITIES
    if given != wanted:
        what = f"{wanted} parameters, and {given} markers are given"
        raise refuse.error(what, "one marker for each parameter", "EM143" if given < wanted else "EM142")
    if not isinstance(call.type, IntType):
        raise refuse.error("gives the number of bytes back", "declare it unsigned long", "EM145")
    body = Body.open(derivation, name, call, ())
    body.builder.ret(constants.int_constant(call.type, TAPE_BYTES))
    return ()


def _inactive(derivation: Derivation, call: Call, function: Function, name: str, refuse: Refusals) -> tuple[int, ...]:
    """An ordinary call. The function that makes it carries no derivative, whatever is passed."""
    first = position_of_function(call) + 1
    operands = tuple(range(first, len(call.arguments)))
    _check_count(function, len(operands), refuse)
    if call.type != function.function_type.result:
        what = f"the function returns {function.function_type.result}, and the prototype {call.type}"
        raise refuse.error(what, "declare it with the result of the function", "EM145")
    _check_fits(call, function, operands, refuse)
    body = Body.open(derivation, name, call, operands)
    body.function.attributes = NOT_INLINED
    result = _called(body, function, [body.given[number] for number in operands])
    body.builder.ret(None if isinstance(result.type, VoidType) else result)
    return operands


def _batch(derivation: Derivation, call: Call, function: Function, name: str, refuse: Refusals) -> tuple[int, ...]:
    """The function for each of N sets of arguments, one after the other."""
    width, given = _read_batch(call, function, refuse)
    operands = tuple(
        sorted({number for lanes in given for number, _ in lanes} | {s for lanes in given for _, s in lanes if s})
    )
    body = Body.open(derivation, name, call, operands)
    values = []
    for lane in range(width):
        arguments: list[Value] = []
        for lanes in given:
            number, stride = lanes[lane]
            value: Value = body.given[number]
            if stride is not None:
                step = converted(body.builder, body.given[stride], I64)
                offset = body.builder.mul(step, constants.int_constant(I64, lane))
                value = body.builder.gep(I8, value, [offset])
            arguments.append(value)
        values.append(_called(body, function, arguments))
    layout = derivation.context.layout
    types = [] if isinstance(function.function_type.result, VoidType) else [value.type for value in values]
    form = results.form(call, types, True, layout, refuse)
    results.give(body.builder, form, values if types else [], layout, body.memory)
    return operands


Lanes = list[tuple[int, int | None]]  # for each lane: an operand, and the operand that is the stride in bytes


def _read_batch(call: Call, function: Function, refuse: Refusals) -> tuple[int, list[Lanes]]:
    position, end = position_of_function(call) + 1, len(call.arguments)
    width = _width(call, refuse)
    given: list[Lanes] = []
    while position < end:
        word = entries.marker(call.arguments[position])
        position += word is not None
        if word == "width":
            position += 1
            continue
        if word is not None and word not in entries.BATCHES:
            hint = "the markers of a batch are enzyme_vector, enzyme_scalar, enzyme_buffer"
            raise refuse.error(f"enzyme_{word.removeprefix('enzyme_')} says nothing here", hint, "EM141")
        if len(given) == len(function.arguments):
            raise refuse.error(f"more than {len(given)} arguments", "each parameter once", "EM142")
        count = {"scalar": 1, "buffer": 2}.get(word or "vector", width)
        if position + count > end:
            raise refuse.error(f"an argument for parameter {len(given) + 1} is missing", None, "EM143")
        numbers = list(range(position, position + count))
        position += count
        if word == "buffer":
            given.append([(numbers[1], numbers[0])] * width)
        else:
            given.append([(number, None) for number in (numbers * width if word == "scalar" else numbers)])
    _check_count(function, len(given), refuse)
    for lane in range(width):
        _check_fits(call, function, [lanes[lane][0] for lanes in given], refuse)
    for k, lanes in enumerate(given):
        stride = lanes[0][1]
        if stride is not None and not (
            isinstance(function.arguments[k].type, PointerType) and isinstance(call.arguments[stride].type, IntType)
        ):
            raise refuse.error(f"parameter {k + 1} is no buffer", "a stride in bytes, then a pointer", "EM144")
    return width, given


def _width(call: Call, refuse: Refusals) -> int:
    for marker, value in zip(call.arguments, call.arguments[1:], strict=False):
        if entries.marker(marker) == "width":
            if isinstance(value, ConstantInt) and 1 <= value.value <= WIDEST:
                return value.value
            raise refuse.error(f"enzyme_width is not a constant from 1 to {WIDEST}", None, "EM146")
    raise refuse.error("how many sets of arguments there are is not said", "pass enzyme_width and the number", "EM146")


def _check_count(function: Function, given: int, refuse: Refusals) -> None:
    wanted = len(function.arguments)
    if function.function_type.variadic or any(
        "sret" in a.attributes or "byval" in a.attributes for a in function.arguments
    ):
        raise refuse.error("variable arguments, or large structs by value", "pass pointers", "EM149")
    if given != wanted:
        raise refuse.error(
            f"{wanted} parameters, and {given} arguments are given", None, "EM143" if given < wanted else "EM142"
        )


def _check_fits(call: Call, function: Function, numbers: list[int] | tuple[int, ...], refuse: Refusals) -> None:
    for k, (parameter, number) in enumerate(zip(function.arguments, numbers, strict=True)):
        value = call.arguments[number]
        if not fits(value, parameter.type):
            what = f"parameter {k + 1} is a {parameter.type}, and a {value.type} is given"
            raise refuse.error(what, "cast it to the parameter's type", "EM144")


def _called(body: Body, function: Function, values: list[Value]) -> Value:
    module = body.derivation.module
    if function.name not in module.functions:
        module.add(declaration_of(function))
    callee = module.functions[function.name]
    types = function.function_type.parameters
    return body.builder.call(callee, [converted(body.builder, v, t) for v, t in zip(values, types, strict=True)])
