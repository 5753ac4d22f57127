"""All that the analyses know about one function under one request: what the writers are given.

Invariant: nothing here writes IR; nothing in the writers decides activity, demand or what may be repeated.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.analysis import activity as activity_analysis
from enzyme_magic.backend.analysis import demand as demand_analysis
from enzyme_magic.backend.analysis import flow as flow_analysis
from enzyme_magic.backend.analysis.activity import Activity
from enzyme_magic.backend.analysis.alias import Alias
from enzyme_magic.backend.analysis.demand import Demand
from enzyme_magic.backend.analysis.effects import Effects
from enzyme_magic.backend.analysis.flow import RESULT, Node
from enzyme_magic.backend.analysis.prepared import Prepared
from enzyme_magic.backend.analysis.types import Types
from enzyme_magic.backend.autodiff.preprocess import prepare
from enzyme_magic.backend.autodiff.request import ACTIVE, FunctionRequest
from enzyme_magic.backend.ir.instructions import Load
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.values import Value


@dataclass(slots=True, eq=False)
class Facts:
    """What does not depend on the request."""

    prepared: Prepared
    alias: Alias
    types: Types
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
            types = Types.of(prepared.function, self.effects, self.layout)
            flow = flow_analysis.build(prepared.function, alias, types.may_carry_float)
            known = self._facts[function.name] = Facts(prepared, alias, types, flow)
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
    nodes += [o for k in sorted(request.varying) for o in facts.alias.reachable_from_argument(k)]
    return nodes + [o for name in sorted(request.varying_globals) for o in facts.alias.objects_of_global(name)]


def _outputs(facts: Facts, request: FunctionRequest) -> list[Node]:
    nodes: list[Node] = [RESULT] if request.result == ACTIVE else []
    nodes += [o for k in sorted(request.mattering) for o in facts.alias.reachable_from_argument(k)]
    return nodes + [o for name in sorted(request.mattering_globals) for o in facts.alias.objects_of_global(name)]


def why_overwritten(subject: Subject, load: Load) -> str | None:
    """A sentence when the memory `load` read may have changed before the reverse sweep wants it again."""
    overwrite = subject.alias.overwritten_after(load)
    if overwrite is not None:
        return overwrite.sentence
    if subject.request.mode == "split" and not _survives(subject, load.pointer):
        return "the caller may overwrite it before the reverse sweep"
    return None


def _survives(subject: Subject, pointer: Value) -> bool:
    return subject.alias.unchanged_after_return(pointer, subject.request.overwritten)
