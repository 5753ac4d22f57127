"""All that the analyses know about one function under one request: what the writers are given.

Invariant: nothing here writes IR; nothing in the writers decides activity, demand or what may be repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enzyme_magic.backend.analysis import activity as activity_analysis
from enzyme_magic.backend.analysis import demand as demand_analysis
from enzyme_magic.backend.analysis import flow as flow_analysis
from enzyme_magic.backend.analysis.activity import Activity
from enzyme_magic.backend.analysis.alias import Alias
from enzyme_magic.backend.analysis.demand import Demand
from enzyme_magic.backend.analysis.effects import Effects
from enzyme_magic.backend.analysis.flow import RESULT, Node
from enzyme_magic.backend.analysis.memory_objects import MemoryObject
from enzyme_magic.backend.analysis.prepared import Prepared
from enzyme_magic.backend.autodiff.preprocess import prepare
from enzyme_magic.backend.autodiff.request import ACTIVE, SPLIT, FunctionRequest
from enzyme_magic.backend.ir.instructions import Load
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import FloatType
from enzyme_magic.backend.ir.values import Value


@dataclass(slots=True, eq=False)
class Facts:
    """What does not depend on the request."""

    prepared: Prepared
    alias: Alias
    floating_parts: Callable[[Value], tuple[FloatType, ...] | None]
    flow: flow_analysis.Flow


@dataclass(slots=True, eq=False)
class Subject:
    """One function under one request."""

    request: FunctionRequest
    facts: Facts
    activity: Activity
    demand: Demand

    @property
    def prepared(self) -> Prepared:
        return self.facts.prepared

    @property
    def alias(self) -> Alias:
        return self.facts.alias

    def reachable(self, pointer: Value) -> frozenset[MemoryObject]:
        """Memory found by following the pointers stored behind `pointer`."""
        points_to = self.facts.alias.points_to
        content = 0
        for number, _ in enumerate(points_to.objects):
            if points_to.mask(pointer) >> number & 1:
                content |= points_to.contents[number]
        return frozenset(points_to.members(points_to.closure(content)))


@dataclass(slots=True, eq=False)
class Analyses:
    """The analyses of one program, made when first needed and kept."""

    module: Module
    layout: DataLayout
    effects: Effects
    _facts: dict[str, Facts]

    @classmethod
    def of(cls, module: Module) -> Analyses:
        return cls(module, DataLayout.of(module), Effects.of(module), {})

    def facts(self, function: Function) -> Facts:
        known = self._facts.get(function.name)
        if known is None:
            prepared = prepare(function)
            alias = Alias.of(prepared.function, self.effects, self.layout)
            flow = flow_analysis.build(prepared.function, alias, flow_analysis.may_carry_float)
            known = self._facts[function.name] = Facts(prepared, alias, lambda _: None, flow)
        return known

    def subject(self, request: FunctionRequest) -> Subject:
        """Analyse the function of `request` for it."""
        facts = self.facts(self.module.functions[request.function])
        activity = activity_analysis.analyse(facts.flow, _inputs(facts, request), _outputs(facts, request))
        demand = demand_analysis.analyse(facts.prepared.function, activity, facts.prepared.post_dominators)
        return Subject(request, facts, activity, demand)


def _inputs(facts: Facts, request: FunctionRequest) -> list[Node]:
    arguments = facts.prepared.function.arguments
    nodes: list[Node] = [a for a, kind in zip(arguments, request.activities, strict=True) if kind == ACTIVE]
    return nodes + _memory(facts, request.varying, request.varying_globals)


def _outputs(facts: Facts, request: FunctionRequest) -> list[Node]:
    nodes: list[Node] = [RESULT] if request.result == ACTIVE else []
    return nodes + _memory(facts, request.mattering, request.mattering_globals)


def _memory(facts: Facts, pointers: frozenset[int], names: frozenset[str]) -> list[Node]:
    """What can be reached from pointer parameters, and globals by name; in a fixed order."""
    points_to, arguments = facts.alias.points_to, facts.prepared.function.arguments
    mask = 0
    for k in pointers:
        mask |= points_to.closure(points_to.mask(arguments[k]))
    found = [o for o in points_to.members(mask)]
    return [*found, *(o for o in points_to.objects if o.kind == "global" and o.name in names and o not in found)]


def why_overwritten(subject: Subject, load: Load) -> str | None:
    """A sentence when the memory `load` read may have changed before the reverse sweep wants it again."""
    overwrite = subject.alias.overwritten_after(load, caller_may_write=subject.request.mode == SPLIT)
    return None if overwrite is None else overwrite.sentence
