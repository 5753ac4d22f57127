"""The frozen plan of one derivative: every function it is made of, what each takes and keeps, and why.

Invariant: only the planner makes one, after its fixpoint; functions are written from it, callees first, and nothing is decided
after it. `str(plan)` is the same for the same program and request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from enzyme_magic.backend.analysis.derivatives.cache_plan import STORE, USUAL, CachePlan
from enzyme_magic.backend.analysis.derivatives.recompute import Need
from enzyme_magic.backend.analysis.derivatives.vector_math import VectorMath
from enzyme_magic.backend.autodiff.calls.request import CONSTANT, DUPLICATED, SPLIT, FunctionRequest
from enzyme_magic.backend.autodiff.custom.custom_subjects import plain_name
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Trial
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.types import VoidType
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.backend.rules import registry
from enzyme_magic.errors import InternalError


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FunctionPlan:
    """One function of the derivative.

    asked: what callers ask for, which is how it is found; request: that with the shadows it turned out to need, for the reasons in
    `grown`. calls: what each call asks for. by_name: calls of functions that are not complete when this one is written (recursion).
    trial: what a dry run told; in forward mode the trial is the function. vector_math: which calls of libm may be computed in
    vectors; None under `strict`.
    """

    asked: FunctionRequest
    request: FunctionRequest
    name: str
    subject: Subject
    calls: Mapping[Call, FunctionRequest]
    by_name: frozenset[FunctionRequest]
    trial: Trial | ForwardDerivative
    grown: tuple[str, ...] = ()
    vector_math: VectorMath | None = None

    @property
    def cache(self) -> CachePlan | None:
        """What is stored and what is computed again; None in forward mode, which keeps nothing."""
        return self.trial.cache if isinstance(self.trial, Trial) else None

    @property
    def reads_primal(self) -> tuple[bool, ...] | None:
        """Which primal arguments the function with the reverse sweep reads."""
        return self.trial.reads_primal if isinstance(self.trial, Trial) else None

    def call(self, call: Call) -> FunctionRequest:
        """What a call asks for."""
        found = self.calls.get(call)
        if found is None:
            raise InternalError(f"a call in {self.name} is written, and the plan of the derivative does not have it")
        return found


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DerivativePlan:
    """All functions of one derivative, callees first; the last one is what was asked for. kinds: whether the run keeps the kinds of
    bytes in shadow memory; doubts: where it was first found that it must."""

    functions: tuple[FunctionPlan, ...]
    kinds: bool = False
    asks: bool = False  # whether integers that are computed with may be numbers
    doubts: tuple[str, ...] = ()

    @property
    def root(self) -> FunctionPlan:
        return self.functions[-1]

    def __str__(self) -> str:
        kinds = ["bytes of unknown kind: shadow memory says what it holds, when it runs"] if self.kinds else []
        kinds += [*(f"  {doubt}" for doubt in self.doubts), ""] if self.kinds else []
        names = {plan.asked: plan.name for plan in self.functions}
        parts = ["\n".join(_lines(plan, names)) for plan in reversed(self.functions)]
        return "\n".join([*kinds, "\n\n".join(parts)]) + "\n"


def _lines(plan: FunctionPlan, names: Mapping[FunctionRequest, str]) -> Iterator[str]:
    """One function as text."""
    request = plan.request
    yield f"{plan.name}: {plain_name(request.function)}, {request.mode}"
    if request.caching != USUAL:
        forced = f", {len(request.caching.forced)} decisions given" * bool(request.caching.forced)
        yield f"  caching: {request.caching.preset}{forced}"
    for argument, kind in zip(plan.subject.prepared.function.arguments, request.activities, strict=True):
        more = [word for word, members in _words(request) if argument.index in members]
        # as C or whoever calls promised, or as the call tells; the alias analysis builds on it
        more += ["noalias"] * ("noalias" in argument.attributes)
        yield f"  parameter {_called(argument)}: {', '.join([_KINDS[kind], *more])}"
    yield from _results(plan)
    yield from _memory(plan)
    for names_of, word in ((request.varying_globals, "varies"), (request.mattering_globals, "matters")):
        for name in sorted(names_of):
            yield f"  global {plain_name(name) if name else '(any)'}: {word}"
    yield from (f"  because {why}" for why in plan.grown)
    for index in sorted(request.separate):
        name = _called(plan.subject.prepared.function.arguments[index])
        yield f"  because no other way leads to the memory of {name} in this call"
    for lines in plan.subject.prepared.joined:
        where = f" (lines {', '.join(map(str, lines))})" if None not in lines else ""
        yield f"  {len(lines)} loops{where} run as one: they use the same elements in the same iterations"
    for call, asked in plan.calls.items():
        how = names.get(asked, "its own derivative")
        again = ", by name (recursion)" if asked in plan.by_name else ""
        yield f"  call{_line_of(call)}: {plain_name(asked.function)}, {asked.mode}: {how}{again}"
    if plan.cache is not None:
        yield from _cached(plan.cache)
    if plan.vector_math is not None:
        yield from _mathematics(plan.vector_math)


def _words(request: FunctionRequest) -> tuple[tuple[str, frozenset[int]], ...]:
    """What a request says of parameters."""
    return (
        ("varies", request.varying),
        ("matters", request.mattering),
        ("no active memory behind it", request.shallow),
        ("pointers mirrored", request.followed),
        ("not there", request.absent),
        ("not changed afterwards", request.steady),
    )


def _results(plan: FunctionPlan) -> Iterator[str]:
    """What it gives back, and what the function with the reverse sweep is given for that."""
    request = plan.request
    if request.result != CONSTANT:
        yield f"  result: {_KINDS[request.result]}"
    if request.value and not isinstance(plan.subject.prepared.function.function_type.result, VoidType):
        yield "  gives the primal result, too"
    if request.errors:
        yield "  tangents are bounds of errors"
    if request.mode == SPLIT and plan.reads_primal is not None:
        arguments = zip(plan.subject.prepared.function.arguments, plan.reads_primal, strict=True)
        read = [_called(argument) for argument, is_read in arguments if is_read]
        yield f"  the reverse function is given {', '.join(read) or 'no primal argument'}"


def _memory(plan: FunctionPlan) -> Iterator[str]:
    """Memory without derivatives that gets a shadow."""
    if plan.request.shadowed:
        for number, instruction in enumerate(plan.subject.prepared.function.instructions()):
            if number in plan.request.shadowed:
                yield f"  memory of {_called(instruction)}{_line_of(instruction)}: with a shadow, which pointers need"


def _cached(cache: CachePlan) -> Iterator[str]:
    for need, decision in cache.decisions.items():
        recipe = cache.recipes[need]
        if decision == STORE:
            why = f": {recipe.reason}" if recipe.reason else ""
            yield f"  store {need.kind} of {_called(need.value)}{_line_of(need.value)}{why}{_repeated(cache, need)}"
    again = sum(decision == "recompute" for decision in cache.decisions.values())
    if again:
        yield f"  computed again: {again} values"


def _repeated(cache: CachePlan, need: Need) -> str:
    """In which loops around its own a value is kept once for all iterations."""
    loops = cache.repeated.get(need, ())
    return f"; once for all iterations of {' and '.join(_loop(loop) for loop in loops)}" if loops else ""


def _loop(loop: Loop) -> str:
    tests = (block.terminator for block, _ in loop.exits)
    line = next((line for i in tests if (line := locations.line_of(i)) is not None), None)
    return f"the loop at line {line}" if line is not None else "a loop around it"


def _mathematics(found: VectorMath) -> Iterator[str]:
    for call in found.calls:
        why = found.kept.get(call)
        how = f"as libm computes it, because {why}" if why is not None else "in vectors where that is quicker"
        yield f"  {registry.operation_of(call)}{_line_of(call)}: {how}"
    for addition in found.sums:
        why = found.kept.get(addition)
        how = (
            f"in the order of the program, because {why}"
            if why is not None
            else "in any order, so that they fit vectors"
        )
        yield f"  terms of a sum{_line_of(addition)}: {how}"


_KINDS = {CONSTANT: "constant", "active": "active", DUPLICATED: "with a shadow"}


def _called(value: Value) -> str:
    if name := getattr(value, "name", ""):
        return f"%{name}"
    return f"%{value.index}" if isinstance(value, Argument) else getattr(value, "opcode", "a constant")


def _line_of(value: Value) -> str:
    line = locations.line_of(value) if isinstance(value, Instruction) else None
    return f" (line {line})" if line is not None else ""
