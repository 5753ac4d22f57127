"""Bytes that a whole gradient keeps at once: its own values, and the tapes of the functions that it calls.

A called function whose forward and reverse sweeps stand apart leaves a frame and its arrays until the caller's reverse sweep: they
add up over the calls. One that is run again in the reverse sweep gives its tape back when it ends: only the most of them counts.

Invariant: `known` is a lower bound for parameters of 0 or more, and just the bytes where `complete`. What cannot be written as a
formula in the parameters (recursion, counts that depend on data, tapes that the program makes itself) is left out, and says so.
Values alone are counted: the arena rounds blocks up, and arrays of unknown length grow by doubling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.counts.executions import Executions
from enzyme_magic.backend.analysis.counts.formula import Formula, number, surely_counts
from enzyme_magic.backend.analysis.derivatives.cache_plan import element_size
from enzyme_magic.backend.analysis.derivatives.recompute import Need
from enzyme_magic.backend.autodiff.derivation import Derivation
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import Argument

DEEPEST = 16  # calls within calls


@dataclass(frozen=True, slots=True)
class Bytes:
    """`known`: a lower bound; exact where `complete`."""

    known: Formula
    complete: bool

    def __add__(self, other: Bytes) -> Bytes:
        return Bytes(self.known + other.known, self.complete and other.complete)


NONE = Bytes(Formula(), complete=True)
UNKNOWN = Bytes(Formula(), complete=False)


@dataclass(slots=True, eq=False)
class Tapes:
    """Answers for one gradient. called(argument): the names of the parameters of `outermost` in formulas."""

    derivation: Derivation
    outermost: Derivative
    called: Callable[[Argument], str]
    _executions: dict[Derivative, Executions] = field(default_factory=dict)
    _open: list[Derivative] = field(default_factory=list)

    def total(self) -> Bytes:
        """The most that is kept at once in one call."""
        return self._kept(self.outermost) + self._repeated(self.outermost)

    def of_calls(self) -> Bytes:
        """The part of it that called functions keep."""
        total = self._repeated(self.outermost)
        for call in _calls(self.outermost):
            total += self._over_calls(self.outermost, call)
        return total

    def of_call(self, call: Call) -> Bytes:
        """What all runs of one call of the outermost function leave until the reverse sweep, without the pointers to it."""
        return self._over_calls(self.outermost, call)

    # --- one function

    def _kept(self, derivative: Derivative) -> Bytes:
        """What a run of the function leaves until its reverse sweep: frame, arrays, tapes of calls."""
        frame = derivative.sweep.frame
        total = Bytes(number(frame.size), complete=True) if frame is not None else NONE
        for need in derivative.plan.stored:
            if derivative.subject.prepared.loop_of(need.value) is not None:
                total += self._array(derivative, need)
        for call in _calls(derivative):
            total += self._over_calls(derivative, call)
        return total

    def _array(self, derivative: Derivative, need: Need) -> Bytes:
        assert isinstance(need.value, Instruction)
        assert need.value.parent is not None
        count = self._of(derivative).kept(need.value.parent, derivative.plan.repeated.get(need, ()))
        if count is None:
            return UNKNOWN
        return Bytes(count.times(element_size(need, derivative.sweep.context.layout)), complete=True)

    def _over_calls(self, derivative: Derivative, call: Call) -> Bytes:
        made = derivative.sweep.calls.made.get(call)
        if made is None or made.forward is None:
            return NONE
        behind = self.derivation.behind(made)
        if behind is None or behind in self._open or len(self._open) > DEEPEST or call.parent is None:
            return UNKNOWN
        once = self._at(derivative, call, behind, self._kept_within(derivative, behind))
        if not once.known.terms:
            return once
        executions = self._of(derivative)
        summed = executions.summed(call.parent, once.known)
        return Bytes(summed, once.complete) if summed is not None else UNKNOWN

    def _kept_within(self, around: Derivative, inside: Derivative) -> Bytes:
        self._open.append(around)
        try:
            return self._kept(inside)
        finally:
            self._open.pop()

    def _repeated(self, derivative: Derivative) -> Bytes:
        """The most that a function keeps that is run again in the reverse sweep, beside all that is kept until then."""
        found = [self._repeated_by(derivative, call) for call in _calls(derivative)]
        some = [bytes for bytes in found if bytes != NONE]
        if not some:
            return NONE
        return some[0] if len(some) == 1 else UNKNOWN

    def _repeated_by(self, derivative: Derivative, call: Call) -> Bytes:
        """One call: what it keeps while it runs, where it is certain to run, or keeps nothing."""
        made = derivative.sweep.calls.made.get(call)
        behind = self.derivation.behind(made) if made is not None else None
        if made is None or (behind is None and made.forward is None):
            return NONE if made is None else UNKNOWN
        if behind is None or behind in self._open or len(self._open) > DEEPEST or call.parent is None:
            return UNKNOWN
        self._open.append(derivative)
        try:
            within = self._repeated(behind) + (self._kept(behind) if made.forward is None else NONE)
        finally:
            self._open.pop()
        if within == NONE:
            return NONE
        runs = self._of(derivative).of(call.parent)
        certain = runs is not None and runs.exact and (runs.formula.constant or 0) >= 1
        once = self._at(derivative, call, behind, within)
        return once if certain and not _varies(once.known) else UNKNOWN

    # --- formulas

    def _of(self, derivative: Derivative) -> Executions:
        if derivative not in self._executions:
            subject, outer = derivative.subject, derivative is self.outermost
            called = self.called if outer else (lambda argument: _own(derivative, argument))
            self._executions[derivative] = Executions(subject.prepared.function, subject.alias.evolution, called)
        return self._executions[derivative]

    def _at(self, around: Derivative, call: Call, inside: Derivative, bytes: Bytes) -> Bytes:
        """`bytes`, in the parameters of `inside`, for the arguments of one call in the words of `around`."""
        known = bytes.known
        executions = self._of(around)
        for argument, given in zip(inside.subject.prepared.function.arguments, call.arguments, strict=True):
            if _own(inside, argument) not in known.names:
                continue
            if not isinstance(given.type, IntType):
                return UNKNOWN
            formula = executions.formula(executions.evolution.integer(given))
            if formula is None or not surely_counts(formula):
                return UNKNOWN
            known = known.substitute(_own(inside, argument), formula)
        return Bytes(known, bytes.complete)


def _calls(derivative: Derivative) -> Iterator[Call]:
    return (i for i in derivative.subject.prepared.function.instructions() if isinstance(i, Call))


def _own(derivative: Derivative, argument: Argument) -> str:
    """The name of a parameter of a called function; no C parameter is called so."""
    return f"@{derivative.function.name}.{argument.index}"


def _varies(formula: Formula) -> bool:
    """Whether the number of an iteration is in it."""
    return any(word.startswith("#") for word in formula.names)
