"""Why a value is active or not, as facts that rest on one another.

Invariant: each fact is said once; its premises are facts for the step before (towards parameters) or after (towards the result).
Nothing is inferred here: the chains are the edges `analysis/derivatives/activity.py` kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.derivatives.flow import RESULT, FlowEdge, Node, ResultNode
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.words.c_text import UNNAMED
from enzyme_magic.backend.explain.words.merges import either
from enzyme_magic.backend.explain.words.uniform import ARGUMENTS
from enzyme_magic.backend.explain.words.variables import function_name
from enzyme_magic.backend.ir.instructions import Call, Instruction, Phi, Return
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.report import Fact

_ITSELF = "an earlier value of it"
_PARTS = {
    "is subtracted": ("is used in a subtraction", "is subtracted"),
    "is divided": ("is divided", "divides another number"),
}
_ARRIVES = {"arrives here": "arrives in", "is loaded": "is loaded into", "is stored": "is stored in"}


@dataclass(slots=True)
class FactList:
    """The facts said so far, in order. `sources`, `sinks`: where the chain of a node starts and ends, once it has been said."""

    scene: Scene
    said: list[Fact] = field(default_factory=list)
    sources: dict[Node, Node] = field(default_factory=dict)
    sinks: dict[Node, Node] = field(default_factory=dict)
    _numbers: dict[tuple[str, object], int] = field(default_factory=dict)

    # --- saying

    def say(
        self,
        key: tuple[str, object],
        sentence: str,
        of: object = None,
        premises: tuple[int, ...] = (),
        at: Instruction | None = None,
    ) -> int:
        """The number of a fact; `key` tells whether it has been said. at: where it happens, if not where `of` is computed."""
        if key not in self._numbers:
            subject = self.scene.identifier(of) if isinstance(of, Value) else None
            self._numbers[key] = len(self.said)
            self.said.append(Fact(sentence, subject, self.scene.line(at) or self.scene.line(of), premises))
        return self._numbers[key]

    def varies(self, node: Node) -> int:
        """Why `node` varies: said from the parameter on, so that premises come first."""
        chain: list[FlowEdge] = []
        while ("varies", node) not in self._numbers:
            edge = self.scene.activity.varies.get(node)
            if edge is None:
                self._numbers["varies", node] = self._input(node)
                self.sources[node] = node
                break
            chain.append(edge)
            node = edge.source
        last = self._numbers["varies", node]
        for edge in reversed(chain):
            target, source = self.label(edge.target), self.mention(edge.source)
            sentence = f"{target} varies because {_ITSELF if source == target else source} {_how(edge)}"
            about = edge.target if isinstance(edge.target, Value) else edge.instruction
            if self.said[last].sentence == sentence:
                self._numbers["varies", edge.target] = last  # a value that a loop leaves behind is the same one
            last = self.say(("varies", edge.target), sentence, about, (last,))
            self.sources[edge.target] = self.sources[edge.source]
        return last

    def matters(self, node: Node) -> int:
        """Why `node` matters: said from the result back."""
        chain: list[FlowEdge] = []
        while ("matters", node) not in self._numbers:
            edge = self.scene.activity.matters.get(node)
            if edge is None:
                self._numbers["matters", node] = self._output(node)
                self.sinks[node] = node
                break
            chain.append(edge)
            node = edge.target
        last = self._numbers["matters", node]
        for edge in reversed(chain):
            sentence = f"{self.label(edge.source)} matters because it {self._into(edge)}"
            about = edge.source if isinstance(edge.source, Value) else edge.instruction
            last = self.say(("matters", edge.source), sentence, about, (last,), at=edge.instruction)
            self.sinks[edge.source] = self.sinks[edge.target]
        return last

    def _into(self, edge: FlowEdge) -> str:
        how = _how(edge)
        if edge.target is RESULT:
            return how
        target = self.mention(edge.target)
        if how in _ARRIVES and target == self.mention(edge.source):
            return "is needed later"
        target = "its next value" if target == self.mention(edge.source) else target
        return f"{_ARRIVES[how]} {target}" if how in _ARRIVES else f"{how} to give {target}"

    def _input(self, node: Node) -> int:
        if isinstance(node, Argument):
            return self.say(("input", node), f"{self.mention(node)} is an active parameter", node)
        if isinstance(node, MemoryObject):
            owner = self._owner(node)
            verb = "hold" if self.scene.uniform else "holds"
            return self.say(("input", node), f"{self.mention(node)} {verb} active data on entry", owner)
        return self.say(("input", node), f"{self.mention(node)} is differentiated with respect to", node)

    def _output(self, node: Node) -> int:
        if node is RESULT:
            sentence = f"the returned value is what {self.scene.request.function} is differentiated for"
            return self.say(("output", node), sentence)
        sentence = f"{self.mention(node)} is an output"
        return self.say(("output", node), sentence, self._owner(node) if isinstance(node, MemoryObject) else node)

    def _owner(self, found: MemoryObject) -> Argument | None:
        arguments = self.scene.prepared.function.arguments
        return arguments[found.index] if 0 <= found.index < len(arguments) else None

    # --- words

    def mention(self, node: Node) -> str:
        """A node in passing: a parameter by its name, an instruction by its result, memory by whose it is."""
        if isinstance(node, ResultNode):
            return "the result"
        if isinstance(node, MemoryObject):
            return self._memory(node)
        if isinstance(node, Argument):
            return self.scene.text.value(node)
        text = self.scene.text.value(node)
        return self._unnamed(node) if text == UNNAMED else text

    def label(self, node: Node) -> str:
        """A node with what it is: `pow(x, 3)`, `s = s + x[i]`."""
        if not isinstance(node, Instruction):
            return self.mention(node)
        text = self.scene.text.expression(node)
        variable = self.scene.text.variables.held.get(node)
        if text == UNNAMED:
            return self._unnamed(node)
        return text if variable is None or text == variable.name else f"{variable.name} = {text}"

    def _unnamed(self, node: Value) -> str:
        """What C has no words for."""
        end = node.parent.terminator if isinstance(node, Phi) and node.parent is not None else None
        if isinstance(end, Return) and node in end.operands:
            return "the result"
        chosen = either(node, self.scene.subject.alias.evolution.loops, self.scene.text.value)
        if chosen is not None:
            return chosen
        text = self.scene.text.expression(node)
        if text.endswith(UNNAMED) and UNNAMED not in text.removesuffix(UNNAMED) and text != UNNAMED:
            return text  # too long, and cut
        line = self.scene.line(node)
        return f"a value of line {line}" if line is not None else "an intermediate value"

    def _memory(self, found: MemoryObject) -> str:
        if self.scene.uniform and found.kind in ("argument", "reachable"):
            return "the parameters" if found.index == ARGUMENTS else "the result"
        if found.kind == "argument":
            owner = self._owner(found)
            name = self.scene.text.value(owner) if owner is not None else found.name
            return f"what {name} points to"
        if found.value is not None and (variable := self.scene.text.variables.of_memory(found.value)) is not None:
            return variable.name
        if found.kind in ("alloca", "allocation") and isinstance(found.value, Instruction):
            line = self.scene.line(found.value)
            what = "memory that is allocated" if found.kind == "allocation" else "memory of the compiler's own"
            return f"{what} at line {line}" if line is not None and found.kind == "allocation" else what
        return str(found)


def _how(edge: FlowEdge) -> str:
    """How a derivative passes; of what has two parts, which of them."""
    if edge.how in _PARTS and edge.instruction is not None:
        return _PARTS[edge.how][edge.source is not edge.instruction.operands[0]]
    if edge.how in ("goes through fmuladd", "goes through fma") and edge.instruction is not None:
        return "is multiplied" if edge.source in edge.instruction.operands[:2] else "is added"
    if isinstance(edge.instruction, Call) and edge.instruction.called_function is not None:
        called = edge.instruction.called_function
        return edge.how.replace(called.name, function_name(called))
    return edge.how
