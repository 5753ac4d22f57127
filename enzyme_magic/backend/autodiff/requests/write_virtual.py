"""`__enzyme_virtualreverse(f)`: what stands for f in a shadow object: a table {augmented primal, reverse function} of f.

The functions take Enzyme's defaults (numbers by value are active, memory has a shadow); the first one returns {tape, result, shadow
of the result}, without what there is not, the second one takes the adjoint of the result and the tape last. The engine itself calls
functions through pointers by their primal (devirtualize.py): it needs no more of a shadow than that it is there.
"""

from __future__ import annotations

from enzyme_magic.backend.autodiff.calls.request import ACTIVE, CONSTANT, DUPLICATED, SPLIT, ActivityKind
from enzyme_magic.backend.autodiff.calls.signature import result_type
from enzyme_magic.backend.autodiff.requests import structs
from enzyme_magic.backend.autodiff.requests.entries import AUGMENT_FORWARD, REVERSE
from enzyme_magic.backend.autodiff.requests.given import GivenParameter
from enzyme_magic.backend.autodiff.requests.parse import EntryRequest, Refusals
from enzyme_magic.backend.autodiff.requests.write import Body, RequestAnswer, RequestingProgram, function_request
from enzyme_magic.backend.autodiff.requests.write_split import Pairs, write_half
from enzyme_magic.backend.autodiff.sweeps.leaves import leaves
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import POINTER, FunctionType, PointerType, StructType, Type, VoidType
from enzyme_magic.backend.ir.values import Argument, ConstantAggregate

TABLE = StructType((POINTER, POINTER))


def write(pairs: Pairs, call: Call, function: Function, name: str, refuse: Refusals) -> RequestAnswer:
    """The function that gives the table back. Its module is that of the pair."""
    if function.is_declaration or function.function_type.variadic:
        raise refuse.error("the function is not defined here with fixed parameters", "define it in C", "EM140")
    if any(structs.in_memory(argument.attributes) for argument in function.arguments):
        what = "the function takes or returns a struct in memory"
        raise refuse.error(what, "let it take pointers to structs", "EM149")
    if not isinstance(call.type, PointerType):
        raise refuse.error("gives a pointer back", "declare it void *", "EM145")
    request, types = _default(pairs.program, function)
    seed, tape = len(types), len(types) + 1
    result = function.function_type.result
    active = request.result == ACTIVE
    reverse = EntryRequest(
        REVERSE,
        function.name,
        request.given,
        result=request.result,
        seeds=(seed,) if active else (),
        tape=tape if active else seed,
    )
    more = [result, POINTER] if active else [POINTER]
    pair = pairs.of(function_request(pairs.program, request, SPLIT))
    returned: list[Type] = [POINTER] + ([] if isinstance(result, VoidType) else [result])
    returned += [POINTER] if request.result == DUPLICATED else []
    halves = [
        (request, _call(types, result_type(returned)), f"{name}.augmented"),
        (reverse, _call([*types, *more], result_type(pair.derivative.returned)), f"{name}.reverse"),
    ]
    module = pair.derivation.module
    for half, made, half_name in halves:
        write_half(pairs, half, made, half_name, True, refuse)
    functions = tuple(module.functions[half_name] for _, _, half_name in halves)
    table = GlobalVariable(
        f"{name}.table",
        linkage="internal",
        value_type=TABLE,
        initializer=ConstantAggregate(TABLE, functions),
        constant=True,
    )
    module.add(table)
    body = Body.open(pair.derivation, name, call, ())
    body.builder.ret(table)
    pair.names.append(name)
    return RequestAnswer(None, name, ())


def _default(program: RequestingProgram, function: Function) -> tuple[EntryRequest, list[Type]]:
    """The request without markers, and the types of its operands."""
    resolve = program.analyses.layout.resolve
    types: list[Type] = []
    given: list[GivenParameter] = []
    for parameter in function.arguments:
        position = len(types)
        types.append(parameter.type)
        if isinstance(parameter.type, PointerType):
            types.append(POINTER)
            given.append(GivenParameter(DUPLICATED, position, (position + 1,)))
        else:
            given.append(GivenParameter(ACTIVE if leaves(parameter.type, resolve) else CONSTANT, position))
    result = function.function_type.result
    pointer = isinstance(result, PointerType)
    kind: ActivityKind = DUPLICATED if pointer else ACTIVE if leaves(result, resolve) else CONSTANT
    return EntryRequest(AUGMENT_FORWARD, function.name, tuple(given), result=kind), types


def _call(types: list[Type], result: Type) -> Call:
    """A call with operands of these types: only its types are looked at."""
    arguments = [Argument(type_, "", EMPTY, k) for k, type_ in enumerate(types)]
    type_ = FunctionType(result, tuple(types))
    callee = Function("", function_type=type_)
    return Call("call", result, [*arguments, callee], function_type=type_, argument_attributes=[EMPTY] * len(types))
