"""The C text line by line: what is active on a line, what of it is saved, and why the rest is not.

Invariant: marks come from the instructions of the line. Addresses and whole numbers on an active line do not make it mixed:
they serve what is active. Jumps and merges (phis, the selects a branch became) belong to no line; nothing inactive
belongs to a closing brace. What a line decides is said as it was written. Of lines that the optimizer left no instruction, see
`lines_without_code.py`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.explain.lines_without_code import WHOLE, Told, WithoutCode
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.words.arithmetic import converted
from enzyme_magic.backend.explain.words.c_operators import is_part
from enzyme_magic.backend.explain.words.c_text import UNNAMED
from enzyme_magic.backend.explain.words.counts import Counts
from enzyme_magic.backend.explain.words.excerpt import with_characters
from enzyme_magic.backend.explain.words.line_work import LineWork
from enzyme_magic.backend.explain.words.transfers import RANGE
from enzyme_magic.backend.explain.words.variables import function_name
from enzyme_magic.backend.explain.words.written import WrittenCondition
from enzyme_magic.backend.ir import intrinsics, locations
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    Store,
    Switch,
    Unary,
)
from enzyme_magic.backend.ir.types import I1, FloatType, IntType, PointerType
from enzyme_magic.backend.ir.values import Constant, Value
from enzyme_magic.report import InstructionRow, Parameter, SourceLine

_LOOP = re.compile(r"\b(for|while)\b")
LONGEST = 90
ACTIVE = "active"
CONSTANT = ("constant",)
Pairs = list[tuple[InstructionRow, Instruction]]


def lines(
    scene: Scene,
    rows: Sequence[InstructionRow],
    instructions: dict[str, Instruction],
    parameters: Sequence[Parameter],
    saved: Mapping[int, Sequence[str]],
) -> tuple[SourceLine, ...]:
    """Every line of the source that holds the function. `instructions`: the program's, by identifier; saved: what is kept of what a
    line computes, in words."""
    by_line: dict[int, Pairs] = {}
    for row in rows:
        own = instructions[row.identifier]
        for line in (row.line,) if row.line is not None else scene.shared_lines(own):
            by_line.setdefault(line, []).append((row, own))
    texts = scene.source.lines
    if len(texts) > 1 and not texts[-1]:
        texts = texts[:-1]  # the text ends with a newline, not with an empty line
    others = WithoutCode(scene, rows, instructions, {p.name: p.verdict.active for p in parameters})
    made = MarkedLines(scene, others, saved, parameters, _heads(scene))
    return tuple(made.line(number, text, by_line.get(number, [])) for number, text in enumerate(texts, 1))


def _heads(scene: Scene) -> dict[int, str]:
    """The functions of the same text that are called, and were not inlined: their lines are without marks, active or not."""
    pending, seen = [scene.function], {scene.function}
    found: dict[int, str] = {}
    while pending:
        calls = (i.called_function for i in pending.pop().instructions() if isinstance(i, Call))
        for called in dict.fromkeys(f for f in calls if f is not None and f.blocks and f not in seen):
            seen.add(called)
            pending.append(called)
            span = locations.function_span(called)
            if span is not None and span.file == scene.source.name:
                found[span.line] = f"no marks: {function_name(called)} is called, not part of {scene.request.function}"
    return found


@dataclass(frozen=True, slots=True, eq=False)
class MarkedLines:
    scene: Scene
    without_code: WithoutCode
    saved: Mapping[int, Sequence[str]]
    parameters: Sequence[Parameter]
    heads: Mapping[int, str]  # where functions begin that are called

    def line(self, number: int, text: str, everything: Pairs) -> SourceLine:
        identifiers = tuple(row.identifier for row, _ in everything)
        pairs = self._pairs(number, text, everything)
        told = self._told(
            number, text, pairs, [i for row, i in everything if isinstance(i, Select) and row.verdict.active]
        )
        saved = self.saved.get(number, ())
        parts = [*told.parts, *([f"saved: {', '.join(saved)}"] if saved else [])]
        mark = "cached" if saved else told.mark
        called = self.heads.get(number, "") if not parts and not everything else ""
        note = with_characters("; ".join(parts), text) or called
        sweeps = self._sweeps(number, told, pairs)
        return SourceLine(number, text, mark, note, identifiers or told.identifiers, sweeps)

    def _sweeps(self, number: int, told: Told, pairs: Pairs) -> tuple[str, ...]:
        """What the sweeps reach of the line: as its mark says, else by what stands on it. Addresses are nothing that varies."""
        given = [parameter.verdict for parameter in self.parameters if parameter.line == number]
        computed = [row.verdict for row, i in pairs if _moves(i)] if told.parts != CONSTANT else []
        active = told.mark in ("active", "mixed") or any(verdict.active for verdict in given)
        verdicts = [*given, *computed]
        held = (
            ("varies", active or any(v.varies for v in verdicts)),
            ("matters", active or any(v.matters for v in verdicts)),
            ("active", active),
        )
        return tuple(name for name, holds in held if holds)

    def _pairs(self, number: int, text: str, everything: Pairs) -> Pairs:
        """The instructions that are the line's own work."""
        work = self.scene.written.work.get(number)
        if work is not None and work.assigned and all(a.constant for a in work.assigned):
            everything = [pair for pair in everything if not isinstance(pair[1], Select)]  # made of another line's, too
        # the line that is given what was compared tells of it
        reads = work is not None and not work.foreign
        return _belonging(everything, text, {i for _, i in everything if reads and not self._acts(i)})

    def _acts(self, instruction: Instruction) -> bool:
        """Whether a call does more than give a result: it writes memory."""
        if not isinstance(instruction, Call):
            return False
        return not self.scene.program.module.analyses.effects.call(instruction).pure

    def _told(self, number: int, text: str, pairs: Pairs, merged: Sequence[Instruction]) -> Told:
        """merged: active values of the line that a decision chooses."""
        work = self.scene.written.work.get(number)
        conditions = self._conditions(number, pairs)
        if not pairs and not conditions:
            return self.without_code.line(number, text) if text.strip() not in ("}", "};") else Told()
        active = [pair for pair in pairs if pair[0].verdict.active]
        idle = [pair for pair in pairs if not pair[0].verdict.active and (_counts(pair[1]) or not active)]
        if work is not None and work.constants and not any(_moves(i) for _, i in active) and not conditions:
            return Told("inactive", CONSTANT)  # what is active is where it is written
        parts = self._merged(number, active, work) or self._carrying(number, active, work, merged)
        carries = bool(parts)
        if conditions:
            parts.append(_decisions(conditions, by_loop=_LOOP.search(text) is not None))
        elif idle:
            parts.append(_idle(self.scene, idle))
        mark = "mixed" if carries and (idle or conditions) else "active" if carries else "inactive"
        return Told(mark, tuple(parts))

    def _carrying(self, number: int, active: Pairs, work: LineWork | None, merged: Sequence[Instruction]) -> list[str]:
        """What is active on the line: its instructions, calls that were inlined, variables that get values of others."""
        said = [self._active(active, work)] if active else []
        others = self.without_code.beside(number, work, [i for _, i in active], merged) if work is not None else []
        if not others:
            return said
        texts = said[0].removeprefix("active: ") if said and said[0].startswith("active: ") else ""
        if any(texts in other for other in others):
            texts = ""  # an argument of the call
        return [f"active: {_clip(', '.join(filter(None, [texts, *others])))}"]

    def _merged(self, number: int, active: Pairs, work: LineWork | None) -> list[str]:
        """What the line computes as it was written, where LLVM has merged it with other lines."""
        merged = any(number in self.scene.shared_lines(i) for _, i in active)
        plain = [text for text in work.results if UNNAMED not in text] if merged and work is not None else []
        return [f"active: {_clip(', '.join(plain))}"] if plain else []

    def _active(self, active: Pairs, work: LineWork | None) -> str:
        said = _active(self.scene, active)
        copied = self.without_code.copied(work) if said == ACTIVE and work is not None else None
        return copied.parts[0] if copied is not None and copied.mark == "active" else said

    def _conditions(self, number: int, pairs: Pairs) -> Sequence[WrittenCondition]:
        """As they were written, else as the comparisons of the line say them. What is always so decides nothing."""
        written = self.scene.written.conditions.get(number)
        if written:
            return tuple(condition for condition in written if condition.text not in ("true", "false"))
        compared = [c for _, i in pairs if isinstance(i, Compare) and (c := self.scene.copy_of(i)) is not None]
        comparisons = [c for c in compared if not self._is_number(c)]
        if not comparisons:
            return ()
        deciding = _deciding(self.scene)
        return tuple(WrittenCondition(self.scene.text.condition(c), c in deciding) for c in comparisons)

    def _is_number(self, comparison: Value) -> bool:
        """Whether a comparison is only a number that is computed with: `a[i] = i == j`."""
        uses = self.scene.text.merges.uses(comparison)
        return bool(uses) and all(isinstance(user, Cast) for user in uses)


def _belonging(pairs: Pairs, text: str, given: Container[Instruction]) -> Pairs:
    """Without jumps, merges, marks, what stands beside a decision only, and the return that stands at a closing brace.

    given: of that, what is compared is told where it is given to somebody."""
    kept = [pair for pair in pairs if not isinstance(pair[1], (Phi, Branch, Switch)) and not _only_marks(pair[1])]
    compared = {operand for _, i in kept if isinstance(i, Compare) for operand in i.operands}
    if compared or any(isinstance(i, Switch) for _, i in pairs):
        kept = [pair for pair in kept if not isinstance(pair[1], Select)]
        if all(isinstance(i, GetElementPtr) or (i in given and i in compared) for row, i in kept if row.verdict.active):
            kept = [
                pair for pair in kept if not pair[0].verdict.active
            ]  # moved out of a loop, to its head; or compared here
    if text.strip() in ("}", "};"):
        kept = [pair for pair in kept if pair[0].verdict.active and not isinstance(pair[1], Return)]
    return kept


def _only_marks(instruction: Instruction) -> bool:
    """Whether a call does nothing: where the life of an array begins and ends is no work of a line."""
    called = instruction.called_function if isinstance(instruction, Call) else None
    return called is not None and intrinsics.is_marker(called.name)


def _counts(instruction: Instruction) -> bool:
    """Whether an inactive instruction makes an active line mixed: floating data, and comparisons. A whole number that C converts
    because the other operand is floating stays one."""
    floating = isinstance(instruction.type.scalar, FloatType) and _whole(instruction) is None
    return isinstance(instruction, Compare) or floating


def _moves(instruction: Instruction) -> bool:
    """Whether it does more than say where active data lies."""
    return not isinstance(instruction, (GetElementPtr, Alloca))


def _whole(value: Value) -> Value | None:
    """The whole number that is only converted, or turned round, here; None of other values."""
    while isinstance(value, Unary):
        value = value.operands[0]
    inner = converted(value)
    return inner if inner is not None and isinstance(inner.type.scalar, IntType) else None


def _active(scene: Scene, pairs: Pairs) -> str:
    """The outermost active expressions of the line."""
    inner: set[Value] = set()
    for _, instruction in pairs:
        inner.update(instruction.operands)
    texts: dict[str, None] = {}
    reads: dict[str, None] = {}
    for _, instruction in pairs:
        copy = scene.copy_of(instruction)
        if isinstance(copy, Store):
            text = scene.text.statement(copy)
            texts[scene.text.as_written.get(copy, (text,))[0] if UNNAMED in RANGE.sub("", text) else text] = None
        elif isinstance(copy, Return):
            text = scene.text.value(value := copy.operands[0])
            texts[_in_source(scene, value) if text == scene.text.expression(value) else text] = None
        elif isinstance(copy, Alloca):  # an array of a size that is computed: it holds the active data
            texts[scene.text.expression(copy).removeprefix("&")] = None
        elif instruction not in inner and isinstance(copy, Instruction) and not isinstance(copy, GetElementPtr):
            (reads if isinstance(copy, Load) else texts)[_in_source(scene, copy)] = None
    texts = texts or reads  # a read that nothing on the line uses was made there for another one
    if not texts:
        return "addresses of active data"
    shown = [text for text in texts if not any(text != other and is_part(text, other) for other in texts)]
    plain = [text for text in shown if UNNAMED not in RANGE.sub("", text)]
    return f"active: {_clip(', '.join(plain))}" if plain else ACTIVE


def _in_source(scene: Scene, value: Value) -> str:
    """The words of the place where the value is computed, which may know a variable by another name. Where something is read is
    told as it is: LLVM reads `a[0]` before the loop in which `a[i]` stands."""
    written = scene.text.as_written.get(value) if not isinstance(value, Load) else None
    return written[0] if written is not None else scene.text.expression(value)


def _idle(scene: Scene, pairs: Pairs) -> str:
    """Why the rest of the line carries no derivative."""
    if all(isinstance(i, (Return, Store)) and isinstance(i.operands[0], Constant) for _, i in pairs if i.operands):
        return "constant"
    if all(not isinstance(i.type.scalar, FloatType) for _, i in pairs):
        return WHOLE if all(_is_whole(i) for _, i in pairs) else "carries no derivative"
    floating = [pair for pair in pairs if isinstance(pair[1].type.scalar, FloatType)]
    used = {operand for _, instruction in floating for operand in instruction.operands}
    whole = [pair for pair in floating if pair[1] not in used]  # of `x*x + 1` not `x*x`
    row, instruction = next((pair for pair in whole if _whole(pair[1]) is None), floating[0])
    copy = scene.copy_of(instruction)
    shown = (_whole(copy) or copy) if copy is not None else None  # C text has no sign of the conversion
    what = _clip(scene.text.expression(shown)) if shown is not None else UNNAMED
    what = "the value" if UNNAMED in what else what
    return f"{what} carries no derivative {'to the result' if row.verdict.varies else 'from an active parameter'}"


def _is_whole(instruction: Instruction) -> bool:
    """Whether an instruction without a floating result touches none: no array of numbers, nothing that is copied or filled."""
    if isinstance(instruction, Alloca):
        return isinstance(instruction.allocated_type, (IntType, PointerType))
    if isinstance(instruction, Store):
        return isinstance(instruction.value.type, (IntType, PointerType))
    if isinstance(instruction, Call) and any(isinstance(a.type, PointerType) for a in instruction.arguments):
        return False
    return intrinsics.transfer(instruction) is None


def _decisions(conditions: Sequence[WrittenCondition], *, by_loop: bool) -> str:
    """What the conditions of a line decide. by_loop: the line is the head of a loop."""
    loops = list(dict.fromkeys(c.text for c in conditions if by_loop and c.repeats))
    cases = list(dict.fromkeys(c.text for c in conditions if c.cases))
    ends = list(dict.fromkeys(c.text for c in conditions if not by_loop and c.repeats))
    others = [text for text in dict.fromkeys(c.text for c in conditions) if text not in (*loops, *cases, *ends)]
    said = [f"{_clip(', '.join(loops))} {_verb('decide', loops)} how often the loop runs"] if loops else []
    for what, texts in (("whether the loop ends", ends), ("which case", cases), ("which branch", others)):
        if texts:
            one, no = _verb("decide", texts), _verb("carry", texts)
            said.append(f"{_clip(', '.join(texts))} {one} {what}, {no} no derivative")
    return "; ".join(said)


def _verb(verb: str, subjects: Sequence[str]) -> str:
    singular = {"decide": "decides", "carry": "carries"}
    return singular[verb] if len(subjects) == 1 else verb


def _deciding(scene: Scene) -> set[Value]:
    """Comparisons on which it depends whether a loop is entered or left."""
    executions = Counts.of(scene).executions
    blocks = {block for loop in scene.loops.loops for block, _ in loop.exits}
    blocks |= {block for loop in scene.loops.loops if (block := executions.decided_by(loop.header)) is not None}
    pending = [operand for block in blocks for operand in block.terminator.operands]
    found: set[Value] = set()
    while pending:
        value = pending.pop()
        if isinstance(value, Compare):
            found.add(value)
        elif isinstance(value, (Binary, Freeze, Select)) and value.type == I1:
            pending.extend(value.operands)
    return found


def _clip(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
