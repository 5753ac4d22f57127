"""Active or not, for every instruction and parameter, with the facts that settle it.

A value is active when it varies and matters. An instruction without a value (a store, a return, a call for its effect) is active
when a derivative travels through it. An address is active when it points to active memory: a shadow address goes with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.analysis.derivatives.flow import RESULT, FlowEdge, Node
from enzyme_magic.backend.explain.facts import FactList
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.words.c_text import UNNAMED
from enzyme_magic.backend.explain.words.transfers import RANGE
from enzyme_magic.backend.explain.words.variables import function_name
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.instructions import Branch, Call, Compare, Instruction, Return, Select, Store, Switch
from enzyme_magic.backend.ir.types import IntType, PointerType, Type, VoidType
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.backend.rules import registry
from enzyme_magic.report import Verdict

JUMPS = (Branch, Switch)


@dataclass(slots=True)
class Verdicts:
    scene: Scene
    facts: FactList
    users: dict[Value, list[Instruction]]

    def of(self, instruction: Instruction) -> Verdict:
        """The verdict on an instruction of the program."""
        copy = self.scene.copy_of(instruction)
        if not isinstance(copy, Instruction) or copy.parent is None:
            return self._inactive(instruction, "it only informs the compiler")
        if isinstance(copy, Return):
            return self._of_return(instruction, copy)
        return self.of_copy(copy)

    def of_copy(self, copy: Instruction) -> Verdict:
        """The verdict on an instruction of the prepared function."""
        if isinstance(copy, Store) or isinstance(copy.type, VoidType):
            return self._of_effect(copy)
        if isinstance(copy.type.scalar, PointerType):
            return self._of_address(copy)
        return self._of_value(copy)

    # --- instructions

    def _of_value(self, copy: Instruction) -> Verdict:
        activity = self.scene.activity
        varies, matters = copy in activity.varies, copy in activity.matters
        passes = isinstance(copy, Call) and activity.propagates(copy)
        if varies and matters:
            return self._active(copy)
        if passes:
            return self._of_effect(copy)
        return self._inactive(copy, self._why_not(copy, varies, matters), varies, matters)

    def _active(self, copy: Node) -> Verdict:
        facts = self.facts
        premises = facts.varies(copy), facts.matters(copy)
        start, end = facts.sources[copy], facts.sinks[copy]
        depends = "is an input" if start is copy else f"depends on {facts.mention(start)}"
        reaches = "is an output" if end is copy else f"reaches {facts.mention(end)}"
        sentence = f"{facts.label(copy)} is active: it {depends} and {reaches}"
        fact = facts.say(("verdict", copy), sentence, copy, tuple(dict.fromkeys(premises)))
        return Verdict(True, True, True, (fact,))

    def _of_effect(self, copy: Instruction) -> Verdict:
        """A store or a call, by the data it moves."""
        edges = self.scene.activity.flow.by_instruction.get(copy, ())
        activity = self.scene.activity
        moving = [e for e in edges if e.source in activity.varies and e.target in activity.matters]
        if moving:
            return self._moves(copy, moving[0])
        varies = any(e.source in activity.varies for e in edges)
        matters = any(e.target in activity.matters for e in edges)
        return self._inactive(copy, self._why_no_effect(copy, edges, varies, matters), varies, matters)

    def _moves(self, copy: Instruction, edge: FlowEdge) -> Verdict:
        source, target = self.facts.mention(edge.source), self.facts.mention(edge.target)
        what = self._statement(copy, "the store" if isinstance(copy, Store) else "the call")
        sentence = f"{what} is active: {source} varies and {target} matters"
        premises = self.facts.varies(edge.source), self.facts.matters(edge.target)
        fact = self.facts.say(("verdict", copy), sentence, copy, tuple(dict.fromkeys(premises)))
        return Verdict(True, True, True, (fact,))

    def _of_return(self, instruction: Instruction, copy: Instruction) -> Verdict:
        activity = self.scene.activity
        value = copy.operands[0] if copy.operands else None
        varies, matters = value in activity.varies, value is not None and RESULT in activity.matters
        if value is not None and varies and matters:
            sentence = f"the return is active: {self.facts.mention(value)} varies and is returned"
            fact = self.facts.say(("verdict", instruction), sentence, instruction, (self.facts.varies(value),))
            return Verdict(True, True, True, (fact,))
        if value is None:
            return self._inactive(instruction, "it returns no value")
        reason = (
            "the returned value carries no derivative from an active parameter"
            if matters
            else "the result is not asked for"
        )
        return self._inactive(instruction, reason, varies, matters)

    def _of_address(self, copy: Instruction) -> Verdict:
        activity = self.scene.activity
        objects = sorted(self.scene.subject.alias.base_objects(copy), key=str)
        active = [found for found in objects if activity.active(found)]
        if active:
            sentence = f"{self.facts.label(copy)} is an address in active memory: {self.facts.mention(active[0])}"
            premises = self.facts.varies(active[0]), self.facts.matters(active[0])
            fact = self.facts.say(("verdict", copy), sentence, copy, tuple(dict.fromkeys(premises)))
            return Verdict(True, True, True, (fact,))
        varies = any(found in activity.varies for found in objects)
        matters = any(found in activity.matters for found in objects)
        return self._inactive(copy, self._why_no_memory(objects, varies, matters), varies, matters)

    # --- parameters

    def of_parameter(self, argument: Argument) -> Verdict:
        """The verdict on a parameter of the analysed function."""
        if isinstance(argument.type.scalar, PointerType):
            return self._of_pointer_parameter(argument)
        activity = self.scene.activity
        varies, matters = argument in activity.varies, argument in activity.matters
        if varies and matters:
            return Verdict(True, True, True, (self.facts.varies(argument), self.facts.matters(argument)))
        return self._inactive(argument, self._why_parameter(argument, varies), varies, matters)

    def _of_pointer_parameter(self, argument: Argument) -> Verdict:
        activity = self.scene.activity
        near = self.scene.subject.alias.base_objects(argument)
        objects = [*sorted(near, key=str), *sorted(self.scene.subject.reachable(argument) - near, key=str)]
        active = next((found for found in objects if activity.active(found)), None)
        if active is not None:
            premises = self.facts.varies(active), self.facts.matters(active)
            sentence = f"{self.facts.mention(argument)} is active: {self.facts.mention(active)} carries derivatives"
            fact = self.facts.say(("verdict", argument), sentence, argument, tuple(dict.fromkeys(premises)))
            return Verdict(True, True, True, (fact,))
        varies = any(found in activity.varies for found in objects)
        matters = any(found in activity.matters for found in objects)
        return self._inactive(argument, self._why_no_memory(objects, varies, matters), varies, matters)

    # --- reasons

    def _inactive(self, of: Value, reason: str, varies: bool = False, matters: bool = False) -> Verdict:
        what = self._what(of)
        premises: tuple[int, ...] = ()
        if varies and self._is_node(of):
            premises = (self.facts.varies(of),)
        elif matters and self._is_node(of):
            premises = (self.facts.matters(of),)
        fact = self.facts.say(("verdict", of), f"{what} is inactive: {reason}", of, premises)
        return Verdict(False, varies, matters, (fact,))

    def _is_node(self, value: Value) -> bool:
        activity = self.scene.activity
        return value in activity.varies or value in activity.matters

    def _statement(self, instruction: Instruction, otherwise: str) -> str:
        """`a[j + 1] = v`, as C says what is done; `otherwise` where it has no words."""
        copy = self.scene.copy_of(instruction) or instruction
        said = self.scene.text.statement(copy) if isinstance(copy, Instruction) else UNNAMED
        return otherwise if UNNAMED in RANGE.sub("", said) else said

    def _what(self, of: Value) -> str:
        if isinstance(of, JUMPS):
            return "the jump" if len(of.successors) < 2 else "the branch"
        if isinstance(of, Return):
            return "the return"
        if isinstance(of, Store):
            return self._statement(of, "the store")
        own = self.scene.prepared.origin.get(of, of)
        copy = self.scene.copy_of(own)
        if isinstance(of, Call) and isinstance(of.type, VoidType):
            called = of.called_function
            return f"the call of {intrinsics.word(called.name) or function_name(called)}" if called else "the call"
        return self.facts.label(copy if copy is not None else of)

    def _why_not(self, copy: Instruction, varies: bool, matters: bool) -> str:
        if isinstance(copy, Compare):
            return self._why_comparison(copy)
        known = registry.inactive_reason(copy)
        if known is not None:
            return known
        if isinstance(copy.type.scalar, IntType) and not varies and not matters:
            return "a whole number carries no derivative"
        return f"it {_direction(varies, matters)}"

    def _why_comparison(self, copy: Instruction) -> str:
        users = self.users.get(copy, [])
        if any(isinstance(user, JUMPS) for user in users):
            return "it decides which branch is taken and carries no derivative"
        if any(isinstance(user, Select) for user in users):
            return "it decides which value is taken and carries no derivative"
        return "a truth value carries no derivative"

    def _why_no_effect(self, copy: Instruction, edges: Iterable[FlowEdge], varies: bool, matters: bool) -> str:
        if isinstance(copy, JUMPS):
            return "it decides where to go on and carries no derivative" if copy.operands else "it carries no data"
        if isinstance(copy, Call):
            return registry.inactive_reason(copy) or f"it {_direction(varies, matters)}"
        if isinstance(copy, Store):
            if not isinstance(copy.value, (Instruction, Argument)):
                return "it stores a constant"
            if not edges:
                return f"it stores {_kind(copy.value.type)}, which carries no derivative"
            return f"what it stores {_direction(varies, matters)}"
        return "it carries no data"

    def _why_no_memory(self, objects: Sequence[Node], varies: bool, matters: bool) -> str:
        if not objects:
            return "it points to nothing"
        return f"what it points to {_direction(varies, matters)}"

    def _why_parameter(self, argument: Argument, varies: bool) -> str:
        if isinstance(argument.type.scalar, IntType):
            return "a whole number carries no derivative"
        if not varies:
            return "it is held constant: the gradient is not taken with respect to it"
        return f"it {_direction(varies, matters=False)}"


def _direction(varies: bool, matters: bool) -> str:
    """Which of the two directions failed. A value may well depend on a parameter: by (int)x no derivative goes."""
    if matters:
        return "carries no derivative from an active parameter"
    if varies:
        return "carries no derivative to the result"
    return "carries no derivative, neither from an active parameter nor to the result"


def _kind(type_: Type) -> str:
    return (
        "a whole number"
        if isinstance(type_, IntType)
        else "an address"
        if isinstance(type_, PointerType)
        else "a value"
    )
