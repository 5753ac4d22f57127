"""From calls of entry points to calls of answers, in one module.

Invariant: a call is replaced by a call of the same type with some of its operands, so that nothing else of the program changes.
Where the function is one of several, the answer compares the pointer it is given; one from outside the program ends in abort.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from enzyme_magic.backend.autodiff.requests import callees, entries, write_plain
from enzyme_magic.backend.autodiff.requests.callees import Candidates
from enzyme_magic.backend.autodiff.requests.entries import AUGMENT_FORWARD, REVERSE
from enzyme_magic.backend.autodiff.requests.parse import Refusals, parse, position_of_function
from enzyme_magic.backend.autodiff.requests.write import Answer, Program, answer_type, write_whole
from enzyme_magic.backend.autodiff.requests.write_split import Pairs, write_half
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.def_use import replace_uses, users
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import VOID, FunctionType, VoidType
from enzyme_magic.backend.ir.values import Argument, Block, Value

PREFIX = "em.request."


@dataclass(frozen=True, slots=True, repr=False)
class Open:
    """A call that is a request. meant: the functions it may be about; None where that cannot be told."""

    call: Call
    entry: str
    home: Function
    meant: Candidates | None

    @property
    def functions(self) -> tuple[Function, ...]:
        return self.meant.functions if self.meant is not None else ()


def find(module: Module) -> list[Open]:
    """All requests of a module."""
    found: list[Open] = []
    for function in module.definitions():
        for call, entry in entries.requests_in(function):
            position = position_of_function(call)
            meant = callees.candidates(module, call.arguments[position]) if position < len(call.arguments) else None
            found.append(Open(call, entry, function, meant))
    return found


def lower(module: Module, requests: Sequence[Open], program: Program, number: int) -> list[Module]:
    """Answer `requests` of `module`, in place; gives back the modules of the answers, named from `number` on."""
    made: list[Module] = []
    pairs = Pairs(program)
    for k, request in enumerate(requests):
        made += _answer(module, request, pairs, f"{PREFIX}{number + k}")
    return made + pairs.modules()


def _answer(module: Module, request: Open, pairs: Pairs, name: str) -> list[Module]:
    program = pairs.program
    refuse = Refusals(request.entry, program.span_of(request.call))
    if request.entry not in entries.ENTRIES:
        close = difflib.get_close_matches(request.entry, entries.ENTRIES, 1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(entries.ENTRIES)}"
        raise refuse.error("no such entry point", hint, "EM149")
    if request.meant is None:
        raise refuse.error(
            "the function to differentiate cannot be found",
            "pass the function itself; what is chosen at run time must be one of the functions of this program",
            "EM140",
        )
    single = len(request.functions) == 1 and request.meant.closed
    answers = [
        _write(request, function, pairs, name if single else f"{name}.{k}", refuse)
        for k, function in enumerate(request.functions)
    ]
    if single:
        _replace(module, request, answers[0].name, answers[0].operands)
    else:
        operands = tuple(sorted({position_of_function(request.call)}.union(*(a.operands for a in answers))))
        _dispatch(module, request, name, operands, answers)
        _replace(module, request, name, operands)
    return [answer.module for answer in answers if answer.module is not None]


def _write(request: Open, function: Function, pairs: Pairs, name: str, refuse: Refusals) -> Answer:
    program, call = pairs.program, request.call
    if request.entry in write_plain.ENTRIES:
        return write_plain.write(program, request.entry, call, function, name, refuse)
    types, is_used = program.analyses.types, bool(users(request.home).get(call))
    parsed = parse(
        call,
        request.entry,
        program.analyses.module.functions[function.name],
        program.analyses.layout,
        lambda argument: types.carries_float(argument).answer == "yes",
        refuse.span,
    )
    if request.entry in (AUGMENT_FORWARD, REVERSE):
        return write_half(pairs, parsed, call, name, is_used, refuse)
    return write_whole(program, parsed, call, name, is_used, refuse)


def _replace(module: Module, request: Open, name: str, operands: Sequence[int]) -> None:
    """Put a call of `name` in the place of the request."""
    call, block = request.call, request.call.parent
    assert block is not None
    function = module.functions.get(name)
    if function is None:
        function = _declared(module, name, answer_type(call, operands))
    first = [call.arguments[0]] if len(function.arguments) > len(operands) else []
    builder = Builder(block, before=call)
    new = builder.call(function, [*first, *(call.arguments[k] for k in operands)], name=call.name)
    if "dbg" in call.metadata:
        new.metadata["dbg"] = call.metadata["dbg"]
    block.instructions.remove(call)
    replace_uses(request.home, {call: new})


def _declared(module: Module, name: str, type_: FunctionType) -> Function:
    function = Function(name, function_type=type_, arguments=_arguments(type_))
    module.add(function)
    return function


def _arguments(type_: FunctionType) -> list[Argument]:
    return [Argument(t, "", EMPTY, k) for k, t in enumerate(type_.parameters)]


def _dispatch(module: Module, request: Open, name: str, operands: tuple[int, ...], answers: Sequence[Answer]) -> None:
    """A function `name` that calls the answer for the function it is given."""
    assert request.meant is not None
    type_ = answer_type(request.call, operands)
    function = Function(name, function_type=type_, arguments=_arguments(type_))
    module.add(function)
    extra = len(type_.parameters) - len(operands)
    given = dict(zip(operands, function.arguments[extra:], strict=True))
    pointer = given[position_of_function(request.call)]
    block = _block(function, "entry")
    last = len(answers) - 1
    for k, (meant, answer) in enumerate(zip(request.functions, answers, strict=True)):
        chosen = block
        if k < last or not request.meant.closed:
            chosen, following = _block(function, f"is.{k}"), _block(function, f"not.{k}")
            builder = Builder(block)
            builder.cond_br(builder.icmp("eq", pointer, meant), chosen, following)
            block = following
        arguments: list[Value] = [*function.arguments[:extra], *(given[number] for number in answer.operands)]
        callee = _declared(module, answer.name, answer_type(request.call, answer.operands))
        builder = Builder(chosen)
        result = builder.call(callee, arguments)
        builder.ret(None if isinstance(type_.result, VoidType) else result)
    if not request.meant.closed:
        builder = Builder(block)
        abort = module.functions.get("abort") or _declared(module, "abort", FunctionType(VOID, ()))
        builder.call(abort, [])
        builder.unreachable()


def _block(function: Function, name: str) -> Block:
    block = Block(name, parent=function)
    function.blocks.append(block)
    return block
