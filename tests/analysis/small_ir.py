"""A few lines of IR to the analyses of one function: for tests of single analyses."""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.analysis.derivatives.activity import Activity
from enzyme_magic.backend.analysis.derivatives.flow import FlowEdge
from enzyme_magic.backend.analysis.memory.memory_objects import PointsTo
from enzyme_magic.backend.autodiff.analyses import Analyses
from enzyme_magic.backend.autodiff.calls.request import ACTIVE, COMBINED, CONSTANT, DUPLICATED, FunctionRequest
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.backend.ir.types import is_floating, is_pointer
from enzyme_magic.backend.ir.values import Argument, Value

HEAD = """target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare double @sqrt(double) #0
declare double @exp(double) #0
declare double @unknown(ptr, double)
declare ptr @malloc(i64)
declare void @free(ptr)
attributes #0 = { nounwind memory(none) }
"""


@dataclass(eq=False)
class Analysed:
    """The function @f, asked for a gradient of its result."""

    subject: Subject

    @property
    def activity(self) -> Activity:
        return self.subject.activity

    @property
    def points_to(self) -> PointsTo:
        return self.subject.alias.points_to

    def __getitem__(self, name: str) -> Value:
        """The argument or instruction of this name."""
        function = self.subject.prepared.function
        values: list[Value] = [*function.arguments, *function.instructions()]
        return next(v for v in values if v.name == name)

    def instruction(self, name: str) -> Instruction:
        value = self[name]
        assert isinstance(value, Instruction)
        return value

    def active(self) -> set[str]:
        return {name_of(node) for node in self.activity.varies if self.activity.active(node)}

    def conditional(self) -> set[str]:
        return {i.name for i in self.subject.demand.conditional}

    def objects(self, name: str) -> set[str]:
        return {str(item) for item in self.points_to.base_objects(self[name])}


def name_of(node: object) -> str:
    return node.name if isinstance(node, Argument | Instruction) else str(node)


def chain(edges: list[FlowEdge]) -> list[str]:
    return [f"{name_of(e.source)} {e.how} {name_of(e.target)}" for e in edges]


def analysed(text: str, *constant: str) -> Analysed:
    """@f with every parameter active but the named ones and integers."""
    module = parser.parse(HEAD + text)
    analyses = Analyses.of(module)
    parameters = module.functions["f"].arguments
    kinds = tuple(
        CONSTANT
        if p.name in constant or not (is_pointer(p.type) or is_floating(p.type))
        else DUPLICATED
        if is_pointer(p.type)
        else ACTIVE
        for p in parameters
    )
    pointers = frozenset(k for k, kind in enumerate(kinds) if kind == DUPLICATED)
    request = FunctionRequest("f", COMBINED, kinds, ACTIVE, varying=pointers, mattering=pointers)
    return Analysed(analyses.subject(request))
