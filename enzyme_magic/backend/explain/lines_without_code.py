"""What is said of a line of which the optimizer has left no instruction.

A copy between variables (`head = e;`) is no instruction in SSA form; the call of a function that was inlined stands where that
function's instructions stand; and what nothing reads, or another line computes, is gone.

Invariant: a copy is active or not only if all values of the copied variable are (for an element: of the variable that gets it); a
line that is "optimized away" has work in the input IR and none in the optimized one, and why is said only where
`words/line_work.py` proves it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.words.c_text import UNNAMED
from enzyme_magic.backend.explain.words.line_work import Assigned, LineWork
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.instructions import Alloca, GetElementPtr, Instruction, Phi, Select
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.report import InstructionRow

_LITERAL = re.compile(r"^[^=!<>(]*[\w\])]\s*=\s*[-+]?[\d.][\w.+-]*\s*;\s*(//.*|/\*.*)?$")
Called = tuple[str, int]  # a call on a line: of which function, in which column
GONE = "optimized away"
WHOLE = "no floating data: carries no derivative"


@dataclass(frozen=True, slots=True)
class Told:
    """A mark, and what is said; identifiers: instructions that stand elsewhere, but are the line's."""

    mark: str = ""
    parts: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class WithoutCode:
    scene: Scene
    rows: Sequence[InstructionRow]
    instructions: Mapping[str, Instruction]
    parameters: Mapping[str, bool]  # whether they are active
    _called_from: dict[int, list[tuple[Called, InstructionRow]]] = field(init=False)
    _values: dict[tuple[str, str], set[bool]] = field(
        init=False
    )  # by function ("": the one that is looked at) and variable

    def __post_init__(self) -> None:
        self._called_from, self._values = {}, {("", name): {active} for name, active in self.parameters.items()}
        variables, file = self.scene.text.variables, self.scene.source.name
        names = {v: {("", name) for name in known} for v, known in variables.also.items()}
        for value, known in variables.elsewhere.items():
            names[value] = names.get(value, set()) | known
        for row in self.rows:
            instruction = self.instructions[row.identifier]
            for name, line, column in locations.calls_around(instruction, file):
                self._called_from.setdefault(line, []).append(((name, column), row))
            copy = self.scene.copy_of(instruction)
            for named in names.get(copy, ()) if copy is not None else ():
                self._values.setdefault(named, set()).add(row.verdict.active)
        for parameter, named in ((v, named) for v in names if isinstance(v, Argument) for named in names[v]):
            self._values.setdefault(named, set()).update(self._values.get(("", parameter.name), ()))

    def line(self, number: int, text: str) -> Told:
        work = self.scene.written.work.get(number)
        if work is None:
            return self._constant(number, text)
        return self._inlined(number, work) or self.copied(work) or self._gone(work, text)

    def beside(
        self, number: int, work: LineWork, told: Sequence[Instruction], merged: Sequence[Instruction]
    ) -> list[str]:
        """What carries a derivative on a line that has instructions left, beside the active ones (`told`): calls that were inlined
        and whose results these do not use; where there are none, variables that are given the values of others.

        merged: values that a decision on the line chooses. Where nothing is left of a call, and the line assigns nothing itself,
        the call did it (`if (a > b) swap(&a, &b);`)."""
        used = _reached(told)
        called = self._called_from.get(number, [])
        said = {call for call, row in called if self.instructions[row.identifier] in used}
        texts = dict(work.calls)
        found = [texts[call] for call in texts if call not in said and self._works(number, call)]
        if not told:
            found += [
                self._said(a) for a in work.assigned if a.copied and not (a.dead or a.whole) and self._is_active(a)
            ]
            if merged and not found and not work.assigned and len(texts) == 1:
                found = list(texts.values())
        return found

    def _works(self, number: int, call: Called) -> bool:
        """Whether active data goes through the body of a function that was inlined there; its address alone is no such work."""
        rows = [row for called, row in self._called_from.get(number, ()) if called == call and row.verdict.active]
        return any(not isinstance(self.instructions[row.identifier], (GetElementPtr, Alloca)) for row in rows)

    def _is_active(self, a: Assigned) -> bool:
        """Whether the value that is copied is active, and not for a decision only."""
        return self._carries(a) is True

    def _carries(self, a: Assigned) -> bool | None:
        """Whether what is copied carries a derivative; None where its variable holds values that do and others that do not. Of a
        choice, whether one of the variables it chooses from does."""
        if a.idle:
            return False
        if not a.among:  # an element or a call: by the variable that gets it
            known = self._values.get((a.owner, a.name), set())
            return (
                None if len(known) != 1 or (a.owner, a.name) in self.scene.text.variables.constant else known == {True}
            )
        found = [self._values.get((a.owner, name), set()) for name in a.among]
        if any(known == {True} for known in found):
            return True
        return False if all(known == {False} for known in found) else None

    def _said(self, a: Assigned) -> str:
        if UNNAMED in a.copied:  # a choice that has no words: the variables among it that carry something
            carrying = [name for name in a.among if True in self._values.get((a.owner, name), ())]
            return a.name or " or ".join(carrying)
        return f"{a.name} = {a.copied}" if a.name else a.copied

    def _constant(self, number: int, text: str) -> Told:
        """Where the input says nothing: an assignment of a literal."""
        known = [row.line for row in self.rows if row.line is not None]
        inside = self.scene.signature.line < number <= max(known, default=0)
        return Told("inactive", ("constant",)) if inside and _LITERAL.match(text.strip()) else Told()

    def _inlined(self, number: int, work: LineWork) -> Told | None:
        """By the instructions of the functions that are called here."""
        found = self._called_from.get(number, [])
        texts = {call: text for call, text in work.calls if call in {called for called, _ in found}}
        if not texts:
            return None
        active = [texts[call] for call in texts if self._works(number, call)]
        idle = [text for text in texts.values() if text not in active]
        parts = [f"active: {', '.join(active)}"] if active else []
        parts += [f"{', '.join(idle)} {'carry' if idle[1:] else 'carries'} no derivative"] if idle else []
        mark = "mixed" if active and idle else "active" if active else "inactive"
        return Told(mark, tuple(parts), tuple(row.identifier for called, row in found if called in texts))

    def copied(self, work: LineWork) -> Told | None:
        """Variables that are given the values of others, and nothing else; one that is returned."""
        if work.assigned and all(a.constant for a in work.assigned):
            return Told("inactive", ("constant",))
        told = [a for a in work.assigned if not a.dead]
        if not told or work.computes:
            return None
        if all(a.whole for a in told):
            return Told("inactive", (WHOLE,)) if not work.calls else None
        if all(a.only_decides for a in told):
            names = " and ".join(dict.fromkeys(a.name for a in told))
            return Told(
                "inactive",
                (f"{names} only {_one(told, 'decides')} which branch, {_one(told, 'carries')} no derivative",),
            )
        found = [(a, self._carries(a)) for a in told if not a.constant and not a.whole]
        if not all(a.copied and carries is not None for a, carries in found):
            return None
        active = [self._said(a) for a, carries in found if carries]
        idle = [a.name or a.copied if a.idle else a.copied for a, carries in found if not carries]
        parts = [f"active: {', '.join(active)}"] if active else []
        parts += [f"{', '.join(idle)} {'carry' if idle[1:] else 'carries'} no derivative"] if idle else []
        return Told("mixed" if active and idle else "active" if active else "inactive", tuple(parts))

    def _gone(self, work: LineWork, text: str) -> Told:
        if work.assigned and all(a.dead for a in work.assigned):
            names = dict.fromkeys(a.name for a in work.assigned if a.name)
            return Told("inactive", (f"{GONE}: nothing reads {' and '.join(names) or 'it'}",))
        if work.computes and work.done_by is not None and self._has_code(work.done_by):
            return Told("", (f"{GONE}: line {work.done_by} computes it",))
        if _LITERAL.match(text.strip()):
            return Told("inactive", ("constant",))
        return Told("", (GONE,)) if work.computes else Told()

    def _has_code(self, line: int) -> bool:
        return any(row.line == line for row in self.rows)


def _reached(told: Iterable[Instruction]) -> set[Value]:
    """What instructions use, also through merges."""
    pending: list[Value] = list(told)
    found = set(pending)
    while pending:
        value = pending.pop()
        operands = value.operands if isinstance(value, Instruction) else ()
        for operand in operands:
            if operand not in found:
                found.add(operand)
                if isinstance(operand, (Phi, Select)):
                    pending.append(operand)
    return found


def _one(told: Sequence[Assigned], verb: str) -> str:
    return verb if len({a.name for a in told}) == 1 else {"decides": "decide", "carries": "carry"}[verb]
