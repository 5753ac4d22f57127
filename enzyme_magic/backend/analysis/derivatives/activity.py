"""Which values carry derivatives, and why.

Theorem: a value is active for a request iff it *varies* (is reachable from an active input in the flow graph) and
*matters* (reaches an output). Both are reachability in `flow.Flow`, so the answer is sound whenever the graph
over-approximates differentiable flow. Each answer keeps the edge it was first reached by: following those edges gives
the shortest chain of reasons to an input or to the result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from enzyme_magic.backend.analysis.derivatives.flow import Flow, FlowEdge, Node
from enzyme_magic.backend.ir.instructions import Instruction


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Activity:
    """`varies` and `matters` map each reached node to the edge that reached it; None for inputs and outputs
    themselves."""

    flow: Flow
    inputs: tuple[Node, ...]
    outputs: tuple[Node, ...]
    varies: dict[Node, FlowEdge | None]
    matters: dict[Node, FlowEdge | None]

    def active(self, node: Node) -> bool:
        return node in self.varies and node in self.matters

    def propagates(self, instruction: Instruction) -> bool:
        """Whether a derivative travels through this instruction."""
        return any(
            edge.source in self.varies and edge.target in self.matters
            for edge in self.flow.by_instruction.get(instruction, ())
        )

    def why_varies(self, node: Node) -> list[FlowEdge]:
        """The chain of edges from an input to `node`, in execution order; empty for an input itself."""
        chain = _chain(self.varies, node, lambda edge: edge.source)
        chain.reverse()
        return chain

    def why_matters(self, node: Node) -> list[FlowEdge]:
        """The chain of edges from `node` to an output, in execution order; empty for an output itself."""
        return _chain(self.matters, node, lambda edge: edge.target)


def analyse(flow: Flow, inputs: Iterable[Node], outputs: Iterable[Node]) -> Activity:
    """Activity for the given inputs (arguments, memory objects) and outputs (RESULT, memory objects)."""
    inputs, outputs = tuple(inputs), tuple(outputs)
    varies = _reach(inputs, flow.leaving, lambda edge: edge.target)
    matters = _reach(outputs, flow.entering, lambda edge: edge.source)
    return Activity(flow, inputs, outputs, varies, matters)


def _reach(
    seeds: Iterable[Node], edges: dict[Node, list[FlowEdge]], onward: Callable[[FlowEdge], Node]
) -> dict[Node, FlowEdge | None]:
    reached: dict[Node, FlowEdge | None] = dict.fromkeys(seeds)
    pending = deque(reached)
    while pending:
        for edge in edges.get(pending.popleft(), ()):
            node = onward(edge)
            if node not in reached:
                reached[node] = edge
                pending.append(node)
    return reached


def _chain(reached: dict[Node, FlowEdge | None], node: Node, onward: Callable[[FlowEdge], Node]) -> list[FlowEdge]:
    chain: list[FlowEdge] = []
    edge = reached.get(node)
    while edge is not None:
        chain.append(edge)
        edge = reached.get(onward(edge))
    return chain
