"""From calls of entry points to calls of answers, in one module.

Invariant: a call is replaced by a call of the same type with some of its operands, so that nothing else of the program changes.
Where the function is one of several, the answer compares the pointer it is given; one from outside the program ends in abort.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff.calls.request import ASKS, DUPLICATED, REQUEST_PREFIX, STATIC_PREFIX
from enzyme_magic.backend.autodiff.requests import callees, entries, runtime_activity, write_plain, write_virtual
from enzyme_magic.backend.autodiff.requests.callees import Candidates
from enzyme_magic.backend.autodiff.requests.dispatch import Case, declared, dispatch
from enzyme_magic.backend.autodiff.requests.entries import AUGMENT_FORWARD, REVERSE, VIRTUAL_REVERSE
from enzyme_magic.backend.autodiff.requests.parse import EntryRequest, Refusals, parse, position_of_function
from enzyme_magic.backend.autodiff.requests.write import RequestAnswer, RequestingProgram, answer_type, write_whole
from enzyme_magic.backend.autodiff.requests.write_split import Pairs, write_half
from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses, users
from enzyme_magic.backend.ir.instructions import Call, Invoke
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.prepare.control_flow import invokes
from enzyme_magic.errors import DifferentiationError


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
    """All requests of a module, none of which is an `invoke` where what it differentiates cannot throw."""
    invokes.to_calls(module, lambda call: _called(module, call))
    found: list[Open] = []
    for function in module.definitions():
        for call, entry in entries.requests_in(function):
            found.append(Open(call, entry, function, _meant_by(module, call)))
    return found


def _meant_by(module: Module, call: Call) -> Candidates | None:
    position = position_of_function(call)
    return callees.candidates(module, call.arguments[position]) if position < len(call.arguments) else None


def _called(module: Module, call: Call) -> Sequence[Function] | None:
    """What runs at a request, where that is known."""
    if entries.entry_of(call.called_function) is None:
        return None
    meant = _meant_by(module, call)
    return meant.functions if meant is not None and meant.closed else None


def lower(module: Module, requests: Sequence[Open], program: RequestingProgram, number: int) -> list[Module]:
    """Answer `requests` of `module`, in place; gives back the modules of the answers, named from `number` on."""
    lowering = _Lowering(module, program, Pairs(program))
    for k, request in enumerate(requests):
        lowering.answer(request, f"{REQUEST_PREFIX}{number + k}")
    made = lowering.made + lowering.pairs.modules()
    _say_what_is_asked(lowering.asked, made)
    return made


def _say_what_is_asked(asked: dict[str, str], modules: Sequence[Module]) -> None:
    """Answers keep the words of C: people do not know their names."""
    for function in (function for module in modules for function in module.definitions()):
        if function.name in asked:
            said = Attribute(ASKS, asked[function.name], quoted=True)
            function.attributes = function.attributes.with_(said)


@dataclass(slots=True, repr=False)
class _Lowering:
    """The answers to the requests of one module."""

    module: Module
    program: RequestingProgram
    pairs: Pairs
    made: list[Module] = field(default_factory=list)
    asked: dict[str, str] = field(default_factory=dict)  # by the names of answers

    def answer(self, request: Open, name: str) -> None:
        """Put the call of an answer in the place of the request."""
        refuse = Refusals(request.entry, self.program.span_of(request.call))
        if isinstance(request.call, Invoke):
            what = "a function that may throw, where something is cleaned up after exceptions"
            raise refuse.error(what, "compile without -fexceptions, or ask in a function without cleanups", "EM149")
        try:
            written = self._answered(request, name, refuse)
        except DifferentiationError as error:
            error.span = error.span or refuse.span
            raise
        _replace(self.module, request, written)

    def _answered(self, request: Open, name: str, refuse: Refusals) -> RequestAnswer:
        meant = _meant(request, refuse)
        if len(meant.functions) == 1 and meant.closed:
            return self._write(request, meant.functions[0], name, refuse)
        position = position_of_function(request.call)
        cases = [
            Case(self._write(request, function, f"{name}.{k}", refuse), ((position, function, True),))
            for k, function in enumerate(meant.functions)
        ]
        return dispatch(self.module, request.call, name, cases, closed=meant.closed)

    def _write(self, request: Open, function: Function, name: str, refuse: Refusals) -> RequestAnswer:
        program, call = self.program, request.call
        self.asked[name] = f"{_name_in_c(request)}({function.name.removeprefix(STATIC_PREFIX)})"
        if request.entry in write_plain.ENTRIES:
            return self._take(write_plain.write(program, request.entry, call, function, name, refuse))
        if request.entry == VIRTUAL_REVERSE:
            return write_virtual.write(self.pairs, call, function, name, refuse)
        types, is_used = program.analyses.types, bool(users(request.home).get(call))
        parsed = parse(
            call,
            request.entry,
            program.analyses.module.functions[function.name],
            program.analyses.layout,
            lambda argument: types.carries_float(argument).answer == "yes",
            refuse.span,
        )
        if not parsed.runtime_activity:
            return self._write_parsed(parsed, call, name, is_used, refuse)
        cases = []
        for k, (inactive, choice) in enumerate(runtime_activity.choices(parsed, function, refuse)):
            compared = tuple(
                (given.primal, given.shadows[0], number in inactive)
                for number, given in enumerate(parsed.given)
                if given.activity == DUPLICATED
            )
            cases.append(Case(self._write_parsed(choice, call, f"{name}.{k}", is_used, refuse), compared))
        return dispatch(self.module, call, name, cases, closed=True)

    def _write_parsed(
        self, request: EntryRequest, call: Call, name: str, is_used: bool, refuse: Refusals
    ) -> RequestAnswer:
        if request.entry in (AUGMENT_FORWARD, REVERSE):
            return write_half(self.pairs, request, call, name, is_used, refuse)
        return self._take(write_whole(self.program, request, call, name, is_used, refuse))

    def _take(self, answer: RequestAnswer) -> RequestAnswer:
        if answer.module is not None:
            self.made.append(answer.module)
        return answer


def _meant(request: Open, refuse: Refusals) -> Candidates:
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
    return request.meant


def _name_in_c(request: Open) -> str:
    called = request.call.called_function
    return called.name if called is not None else request.entry


def _replace(module: Module, request: Open, answer: RequestAnswer) -> None:
    """Put a call of the answer in the place of the request."""
    call, block = request.call, request.call.parent
    assert block is not None
    function = declared(module, answer.name, answer_type(call, answer.operands))
    first = call.arguments[:1] if len(function.arguments) > len(answer.operands) else []
    builder = Builder(block, before=call)
    new = builder.call(function, [*first, *(call.arguments[k] for k in answer.operands)], name=call.name)
    if "dbg" in call.metadata:
        new.metadata["dbg"] = call.metadata["dbg"]
    block.instructions.remove(call)
    replace_uses(request.home, {call: new})
