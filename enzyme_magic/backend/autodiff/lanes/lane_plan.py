"""May several sweeps be one function, and what of it is there once for each sweep?

The answer for a finished derivative, from `lane_flow`; `lane_writer.py` writes what it says, and `f.plan()` prints it. Nothing is
changed here. `NotInLanes` says why the sweeps must be made one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.autodiff.calls import run_answers
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.lanes import lane_flow
from enzyme_magic.backend.autodiff.lanes.lane_flow import LaneFlow, NotInLanes
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Argument


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LanePlan:
    """parameters: each parameter of `function`, and whether there is one for each lane; results: the same for each value of the
    result; functions: those that take or give something for each lane."""

    function: Function
    flow: LaneFlow
    parameters: tuple[tuple[Argument, bool], ...]
    results: tuple[bool, ...]
    functions: tuple[str, ...]

    def __str__(self) -> str:
        each = [f"%{argument.name}" for argument, varies in self.parameters if varies]
        if any(self.results):
            each.append("results" if all(self.results) else f"{sum(self.results)} of {len(self.results)} results")
        each += [f"part of {name}" for name in self.functions if name != self.function.name]
        return f"several sweeps at once: each has its own {', '.join(each)}; the rest is there once\n"


def decide(context: SweepContext, derivative: Derivative | ForwardDerivative) -> LanePlan:
    """What there is once for each lane. Raises NotInLanes."""
    if run_answers.asks(context):
        raise NotInLanes(run_answers.ONE_BY_ONE)
    if context.shadow_images:
        raise NotInLanes("constants of the program hold pointers to memory with derivatives")
    made, function, module = derivative.parameters, derivative.function, context.module
    roots = [*made.shadow.values(), *made.tangents.values(), *made.seeds.values(), *context.shadow_globals.values()]
    flow = lane_flow.analyse(module, roots)
    count = len(derivative.returned)
    varying = flow.fields.get(function.name, set())
    if any(k >= count for k in varying):
        raise NotInLanes("the result is no built struct")
    return LanePlan(
        function,
        flow,
        tuple((argument, argument in flow.varying) for argument in function.arguments),
        tuple(k in varying for k in range(count)),
        tuple(f.name for f in module.definitions() if flow.widens(f)),
    )


def said(context: SweepContext, derivative: Derivative | ForwardDerivative, *, uniform: bool = False) -> str:
    """The decision as text. uniform: the function is called with its arguments in memory, which is done for one sweep alone."""
    try:
        if uniform:
            raise NotInLanes("its arguments are passed in memory")
        return str(decide(context, derivative))
    except NotInLanes as why:
        return f"several sweeps at once: no, because {why.message}\n"
