"""The functions that answer `__enzyme_augmentfwd` and `__enzyme_reverse`: a split pair, with a tape that C code holds in between.

Invariant: the tape is a pointer to an arena of its own (runtime/native/c/chunks.c), which the reverse sweep gives back; tapes
may be used in any order and on any thread. A tape knows which request made it: used for another one, or twice, it ends the
call with an error. Both halves of a pair come from one derivation.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff.calls import run_answers
from enzyme_magic.backend.autodiff.calls.entry_points import zero_shadow_globals
from enzyme_magic.backend.autodiff.calls.request import DUPLICATED, SPLIT, FunctionRequest
from enzyme_magic.backend.autodiff.calls.signature import Parameters, unpacked
from enzyme_magic.backend.autodiff.derivation import Derivation
from enzyme_magic.backend.autodiff.requests import results, tapes
from enzyme_magic.backend.autodiff.requests.entries import AUGMENT_FORWARD
from enzyme_magic.backend.autodiff.requests.parse import EntryRequest, Refusals
from enzyme_magic.backend.autodiff.requests.write import (
    Body,
    RequestAnswer,
    RequestingProgram,
    adjoints,
    converted,
    finished,
    function_request,
    may_doubt,
    operands_of,
    shadow_of,
)
from enzyme_magic.backend.autodiff.sweeps.leaves import extract, leaves
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import I8, I64, VoidType
from enzyme_magic.backend.ir.values import Argument, Value


@dataclass(slots=True, repr=False)
class Pair:
    """A split pair and the answers that use it."""

    derivation: Derivation
    derivative: Derivative
    word: int
    names: list[str] = field(default_factory=list)


@dataclass(slots=True, repr=False)
class Pairs:
    """The split pairs of one program, each written once."""

    program: RequestingProgram
    _known: dict[FunctionRequest, Pair] = field(default_factory=dict)

    def of(self, wanted: FunctionRequest) -> Pair:
        """The pair for `wanted`."""
        pair = self._known.get(wanted)
        if pair is None:
            program = self.program
            derivation = Derivation(
                program.analyses, program.span_of, program.strict, program.apart, may_doubt=may_doubt(program)
            )
            pair = Pair(derivation, derivation.write(wanted), _word(wanted))
            self._known[wanted] = pair
        return pair

    def modules(self) -> list[Module]:
        """What was written."""
        return [finished(pair.derivation, pair.names) for pair in self._known.values()]


def _word(wanted: FunctionRequest) -> int:
    """A number that tells requests apart; never 0. A request has sets in it, so not its repr."""
    parts = (wanted.function, wanted.activities, wanted.result, sorted(wanted.varying), sorted(wanted.absent))
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:7], "little") | 1


def write_half(
    pairs: Pairs, request: EntryRequest, call: Call, name: str, is_used: bool, refuse: Refusals
) -> RequestAnswer:
    """The answer to one half of a pair. Its module is given by `Pairs.modules`."""
    pair = pairs.of(function_request(pairs.program, request, SPLIT))
    if request.nofree and pair.derivation.context.uses_heap:
        what = "the function allocates, and the reverse sweep frees its memory: it can run only once"
        raise refuse.error(what, "leave enzyme_nofree out, and make one tape for each reverse sweep", "EM147")
    if request.width > 1 and (pair.derivation.context.uses_heap or not _is_shared(pair)):
        what = "the tape would be another one for each lane: it keeps shadows of memory that is allocated or pointed to"
        raise refuse.error(what, "make one request for each lane", "EM146")
    pair.names.append(name)
    operands = operands_of(request)
    body = Body.open(pair.derivation, name, call, operands)
    half = _augment if request.entry == AUGMENT_FORWARD else _reverse
    values = half(body, pair, request, refuse)
    layout = pairs.program.analyses.layout
    form = results.form(call, [value.type for value in values], is_used, layout, refuse)
    results.give(body.builder, form, values, layout, body.memory)
    return RequestAnswer(None, name, operands)


def _is_shared(pair: Pair) -> bool:
    """Whether the forward sweep does nothing with shadows, so that one tape serves any of them."""
    sweep = pair.derivative.sweep
    seen: set[Argument] = set()
    pending = [(sweep.forward_function, shadow) for shadow in sweep.copy.parameters.shadow.values()]
    while pending:
        function, shadow = pending.pop()
        if shadow in seen:
            continue
        seen.add(shadow)
        for user in users(function).get(shadow, ()):
            target = user.called_function if isinstance(user, Call) else None
            if target is None or not target.blocks or user.operands.count(shadow) != 1:
                return False
            pending.append((target, target.arguments[user.operands.index(shadow)]))
    return True


def _augment(body: Body, pair: Pair, request: EntryRequest, refuse: Refusals) -> list[Value]:
    builder, sweep, context = body.builder, pair.derivative.sweep, pair.derivation.context
    zero_shadow_globals(context, builder)
    run_answers.begin(context, builder)
    tape = builder.call(tapes.NEW, [constants.int_constant(I64, pair.word)], name="tape")
    arguments = [tape, *_arguments(body, sweep.copy.parameters, request, 0, refuse)]
    result = builder.call(sweep.forward_function, arguments)
    builder.store(
        builder.extract_value(result, 0), builder.gep(I8, tape, [constants.int_constant(I64, tapes.FRAME_AT)])
    )
    run_answers.interrupt(context, builder, tape, builder.gep(I8, tape, [constants.int_constant(I64, tapes.KINDS_AT)]))
    values: list[Value] = [] if request.tape_in_memory else [tape]
    if request.tape is not None:
        builder.store(tape, body.given[request.tape], align=1)
    returns = not isinstance(sweep.subject.prepared.function.function_type.result, VoidType)
    if returns and not request.noret:
        values.append(builder.extract_value(result, 1))
    if sweep.subject.request.result == DUPLICATED:
        values.append(builder.extract_value(result, 2))
    return values


def _reverse(body: Body, pair: Pair, request: EntryRequest, refuse: Refusals) -> list[Value]:
    builder, sweep, context = body.builder, pair.derivative.sweep, pair.derivation.context
    tape = tapes.opened(body, request, pair.word, refuse)
    lanes = []
    for lane in range(request.width):
        kept = builder.gep(I8, tape[0], [constants.int_constant(I64, tapes.KINDS_AT)])
        run_answers.resume(context, builder, kept)
        # another lane, or another pair, may have left adjoints of what globals held before
        zero_shadow_globals(context, builder)
        arguments = [
            tape[0],
            *_arguments(body, sweep.parameters, request, lane, refuse),
            *_seeds(body, sweep.parameters, request, lane),
        ]
        result = builder.call(sweep.reverse_function, [*arguments, tape[1]])
        run_answers.end(context, builder, (), forward=False)
        lanes.append(unpacked(builder, result, len(sweep.returned)))
    if not request.nofree:
        builder.call(tapes.CLOSE, [tape[0]])
    return adjoints(body, request, lanes)


def _arguments(body: Body, made: Parameters, request: EntryRequest, lane: int, refuse: Refusals) -> list[Value]:
    arguments: list[Value] = []
    for k, given in enumerate(request.given):
        arguments.append(body.argument(k, given, made.primal[k].type))
        if k in made.shadow:
            arguments.append(shadow_of(body, k, given, lane, made.primal[k].name, refuse))
    return arguments


def _seeds(body: Body, made: Parameters, request: EntryRequest, lane: int) -> list[Value]:
    """The leaves of the adjoint of the result of one lane, from as many operands as C passes them in."""
    wanted = list(made.seeds.values())
    if len(wanted) == 1 and len(request.seeds) == request.width:
        return [converted(body.builder, body.given[request.seeds[lane]], wanted[0].type)]
    resolve = body.derivation.context.layout.resolve
    found = [(number, leaf.path) for number in request.seeds for leaf in leaves(body.given[number].type, resolve)]
    own = found[lane * len(wanted) : (lane + 1) * len(wanted)]
    return [extract(body.builder, body.given[number], path) for number, path in own]
