"""The frozen plan of one derivative: every function it is made of, what each takes and keeps, and why.

Invariant: only the planner makes one, after its fixpoint; functions are written from it, callees first, and nothing is decided
after it. `str(plan)` is the same for the same program and request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from enzyme_magic.backend.analysis.derivatives.cache_plan import STORE, CachePlan
from enzyme_magic.backend.analysis.derivatives.vector_math import VectorMath
from enzyme_magic.backend.autodiff.calls.request import CONSTANT, DUPLICATED, FunctionRequest
from enzyme_magic.backend.autodiff.custom.custom_subjects import plain_name
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Trial
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.instructions import Call, Instruction
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
    for argument, kind in zip(plan.subject.prepared.function.arguments, request.activities, strict=True):
        more = [
            word
            for word, members in (
                ("varies", request.varying),
                ("matters", request.mattering),
                ("pointers mirrored", request.followed),
                ("not there", request.absent),
                ("not changed afterwards", request.steady),
            )
            if argument.index in members
        ]
        apart = ["noalias"] * (
            "noalias" in argument.attributes
        )  # as C or the caller promised; the alias analysis builds on it
        yield f"  parameter {_called(argument)}: {', '.join([_KINDS[kind], *more, *apart])}"
    if request.result != CONSTANT:
        yield f"  result: {_KINDS[request.result]}"
    for names_of, word in ((request.varying_globals, "varies"), (request.mattering_globals, "matters")):
        for name in sorted(names_of):
            yield f"  global {plain_name(name) if name else '(any)'}: {word}"
    yield from (f"  because {why}" for why in plan.grown)
    for call, asked in plan.calls.items():
        how = names.get(asked, "its own derivative")
        again = ", by name (recursion)" if asked in plan.by_name else ""
        yield f"  call{_line_of(call)}: {plain_name(asked.function)}, {asked.mode}: {how}{again}"
    if plan.cache is not None:
        yield from _cached(plan.cache)
    if plan.vector_math is not None:
        yield from _mathematics(plan.vector_math)


def _cached(cache: CachePlan) -> Iterator[str]:
    for need, decision in cache.decisions.items():
        recipe = cache.recipes[need]
        if decision == STORE:
            why = f": {recipe.reason}" if recipe.reason else ""
            yield f"  store {need.kind} of {_called(need.value)}{_line_of(need.value)}{why}"
    again = sum(decision == "recompute" for decision in cache.decisions.values())
    if again:
        yield f"  computed again: {again} values"


def _mathematics(found: VectorMath) -> Iterator[str]:
    for call in found.calls:
        why = found.kept.get(call)
        how = f"as libm computes it, because {why}" if why is not None else "in vectors where that is quicker"
        yield f"  {registry.operation_of(call)}{_line_of(call)}: {how}"


_KINDS = {CONSTANT: "constant", "active": "active", DUPLICATED: "with a shadow"}


def _called(value: Value) -> str:
    if name := getattr(value, "name", ""):
        return f"%{name}"
    return f"%{value.index}" if isinstance(value, Argument) else getattr(value, "opcode", "a constant")


def _line_of(value: Value) -> str:
    line = locations.line_of(value) if isinstance(value, Instruction) else None
    return f" (line {line})" if line is not None else ""
