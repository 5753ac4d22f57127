"""Bytes that may hold parts of an active number may be moved; every other operation on them is refused.

The closed list of what may stand between such an integer (or pointer) and the result:

- loads, stores, phis, selects and `freeze`, reinterpretations, parts of aggregates and vectors: they move bytes.
- `trunc`, `zext`, shifts, `and`, `or`, `xor`, sums: only where they put whole numbers elsewhere or beside others; `sweeps.moves`
  proves that, number by number, or refuses.
- functions of the program, which are looked through themselves, and copies of memory.

Not on the way to the result, and so never asked about: what decides (comparisons, branches), and what makes an address. A value
that only does that keeps its bits to itself. That a shift leaves nothing but sign and exponent is known to the type analysis.

Where it is only possible that an integer holds a number, the run is asked (asked_integers.py).

Invariant: an instruction that is not in the list is refused, whatever it is. Of a pointer that is moved where numbers may lie the
run says that it is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from enzyme_magic.backend.analysis.types.type_tree import Unknown
from enzyme_magic.backend.autodiff import asked_integers, lost_in_text
from enzyme_magic.backend.autodiff.calls.request import FORWARD
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import kinds, nested_kinds
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps import moves
from enzyme_magic.backend.ir.instructions import (
    AtomicRMW,
    Call,
    CompareExchange,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    Store,
)
from enzyme_magic.backend.ir.types import FloatType, PointerType, VoidType
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.backend.rules import registry
from enzyme_magic.errors import DifferentiationError

MOVES = (Load, Store, Phi, Select, Return)
ATOMIC = (AtomicRMW, CompareExchange)  # refused by those who write them, with a reason of their own
UNKNOWN = "it is not known whether an integer that is computed with holds the bits of a floating number"
HINT = "keep the number in a floating variable, and use floating comparisons, fmin, fmax, fabs, copysign or frexp"
KEPT_IN_POINTER = "the bits of a floating number are kept in a pointer"
IN_VARIABLES = "keep the number in a floating variable, or the bits in an integer"
DIGITS = "compute it in floating arithmetic, with exp2, ldexp or scalbn"


def check(context: SweepContext, subject: Subject) -> None:
    """Raise DifferentiationError for the first operation through which a derivative would get lost; where the run can say whether
    it computes with numbers at all, ask it."""
    lost = lost_in_text.first(subject, context.analyses.texts(), context.analyses.deciders())
    if lost is not None:
        error = context.fail(*lost, lost_in_text.HINT)
        error.final = True  # in another form nobody might see it
        raise error
    problems = {
        i: problem
        for block in subject.prepared.order
        for i in block.instructions
        if not isinstance(i, ATOMIC) and (problem := _problem(context, subject, i)) is not None
    }
    asked = asked_integers.find(subject, problems)
    for i, problem in problems.items():
        if i not in asked:
            raise problem
    if not problems and not context.may_doubt:
        return  # whoever needs to know what such an integer holds refuses
    if asked and not context.asks:
        first = next(iter(problems), None) or next(v for v in asked if isinstance(v, Instruction))
        raise kinds.question(context, first, problems.get(first) or context.fail(first, UNKNOWN, HINT, "EM223"))
    subject.asked = asked


def _problem(context: SweepContext, subject: Subject, i: Instruction) -> DifferentiationError | None:
    if i in subject.facts.converted and subject.activity.active(i):
        what = "a number is converted to an integer, and that becomes the digits of another: no derivative is known for that"
        return context.fail(i, what, DIGITS)
    if nested_kinds.asks_of_pointer(i):
        return context.fail(i, KEPT_IN_POINTER, IN_VARIABLES)
    numbers = list(_numbers(subject, i))
    if not numbers:
        return None
    if any(isinstance(v.type, PointerType) for v in (*numbers, *_result(subject, i))):
        return _kept_in_pointer(context, subject, i)
    if isinstance(i, MOVES) or _moves_bytes(subject, i) or _is_followed(i):
        return None
    what = f"{_name(i)} computes with the bits of a floating number: no derivative is known for that"
    return context.fail(i, what, HINT)


def _kept_in_pointer(context: SweepContext, subject: Subject, i: Instruction) -> DifferentiationError | None:
    """Memory that holds numbers and pointers in turn (a free list). Forwards the shadow of a pointer that is moved has the bits
    that lie there, a tangent's too. Backwards the run says whether an adjoint arrives where a pointer was stored."""
    error = context.fail(i, KEPT_IN_POINTER, IN_VARIABLES)
    if not isinstance(i, MOVES):
        return error
    if subject.request.mode == FORWARD or context.kinds:
        return None
    kinds.doubt(context, error)
    return error


def _numbers(subject: Subject, i: Instruction) -> Iterator[Value]:
    """What instruction `i` takes of the bits of active numbers on the way to the result."""
    activity = subject.activity
    for edge in activity.flow.by_instruction.get(i, ()):
        if edge.target in activity.matters and edge.source in activity.varies:
            if isinstance(edge.source, (Instruction, Argument)) and _is_bits(subject, edge.source):
                yield edge.source
            elif edge.target is i and isinstance(i.type, PointerType):
                yield i


def _result(subject: Subject, i: Instruction) -> Iterator[Value]:
    if not isinstance(i.type, VoidType) and _is_bits(subject, i):
        yield i


def _is_bits(subject: Subject, value: Value) -> bool:
    return not isinstance(value.type.scalar, FloatType) and subject.facts.types.holds_number(value)


def _moves_bytes(subject: Subject, i: Instruction) -> bool:
    """Whether the writers may prove it a move: not where nothing is known of the outcome, though all is of what goes in."""
    if moves.is_packing(i) and isinstance(subject.leaves(i), Unknown):
        return any(isinstance(subject.leaves(v), Unknown) for v in i.operands if isinstance(v, (Instruction, Argument)))
    return moves.is_move(i) or moves.is_dynamic(i)


def _is_followed(i: Instruction) -> bool:
    """A call that is differentiated, or refused by those who write it."""
    if not isinstance(i, Call) or registry.is_inactive(i) or registry.rule_for(i) is not None:
        return False
    return i.called_function is None or not i.called_function.name.startswith("llvm.") or isinstance(i.type, VoidType)


def _name(i: Instruction) -> str:
    callee = i.called_function if isinstance(i, Call) else None
    return callee.name if callee is not None else i.opcode
