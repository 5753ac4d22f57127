"""The C text line by line: what is active on a line, and why the rest is not.

Invariant: marks come from the instructions of the line alone. Addresses and whole numbers on an active line do not make it mixed:
they serve what is active. Merges (phis, the selects a branch became) belong to no line; nothing inactive
belongs to a closing brace. A line without instructions has no mark, except an assignment of a literal, which is a constant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.words.c_text import UNNAMED
from enzyme_magic.backend.explain.words.counts import Counts
from enzyme_magic.backend.explain.words.written import WrittenCondition
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Compare,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    Store,
)
from enzyme_magic.backend.ir.types import I1, FloatType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.report import InstructionRow, SourceLine

_LITERAL = re.compile(r"^[^=!<>(]*[\w\])]\s*=\s*[-+]?[\d.][\w.+-]*\s*;\s*(//.*|/\*.*)?$")
_LOOP = re.compile(r"\b(for|while)\b")
LONGEST = 90
Pairs = list[tuple[InstructionRow, Instruction]]


def lines(scene: Scene, rows: Sequence[InstructionRow], instructions: dict[str, Instruction]) -> tuple[SourceLine, ...]:
    """Every line of the source that holds the function. `instructions`: the program's, by identifier."""
    by_line: dict[int, Pairs] = {}
    for row in rows:
        if row.line is not None:
            by_line.setdefault(row.line, []).append((row, instructions[row.identifier]))
    first, last = scene.signature.line, max(by_line, default=0)
    texts = scene.source.lines
    if len(texts) > 1 and not texts[-1]:
        texts = texts[:-1]  # the text ends with a newline, not with an empty line
    return tuple(
        _line(scene, number, text, by_line.get(number, []), inside=first < number <= last)
        for number, text in enumerate(texts, 1)
    )


def _line(scene: Scene, number: int, text: str, everything: Pairs, *, inside: bool) -> SourceLine:
    identifiers = tuple(row.identifier for row, _ in everything)
    pairs = _belonging(everything, text)
    if not pairs:
        if inside and _LITERAL.match(text.strip()) is not None:
            return SourceLine(number, text, "inactive", "constant", identifiers)
        return SourceLine(number, text, "", "", identifiers)
    active = [pair for pair in pairs if pair[0].verdict.active]
    idle = [pair for pair in pairs if not pair[0].verdict.active and (_counts(pair[1]) or not active)]
    mark = "mixed" if active and idle else "active" if active else "inactive"
    if any(row.slot for row, _ in everything):
        mark = "cached"
    parts = [f"active: {_active(scene, active)}"] if active else []
    parts += [_idle(scene, number, text, idle)] if idle else []
    return SourceLine(number, text, mark, "; ".join(parts), identifiers)


def _belonging(pairs: Pairs, text: str) -> Pairs:
    """Without merges, addresses beside a comparison, and the return that stands at a closing brace."""
    kept = [pair for pair in pairs if not isinstance(pair[1], Phi)]
    if any(isinstance(instruction, Compare) for _, instruction in kept):
        kept = [pair for pair in kept if not isinstance(pair[1], Select)]
        if all(isinstance(i, GetElementPtr) for row, i in kept if row.verdict.active):
            kept = [pair for pair in kept if not pair[0].verdict.active]  # moved out of a loop, to its head
    if text.strip() in ("}", "};"):
        kept = [pair for pair in kept if pair[0].verdict.active and not isinstance(pair[1], Return)]
    return kept


def _counts(instruction: Instruction) -> bool:
    """Whether an inactive instruction makes an active line mixed: floating data, and comparisons."""
    return isinstance(instruction, Compare) or isinstance(instruction.type.scalar, FloatType)


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
            texts[scene.text.statement(copy)] = None
        elif isinstance(copy, Return):
            texts[scene.text.value(copy.operands[0])] = None
        elif isinstance(copy, Alloca):  # an array of a size that is computed: it holds the active data
            texts[scene.text.expression(copy).removeprefix("&")] = None
        elif instruction not in inner and isinstance(copy, Instruction) and not isinstance(copy, GetElementPtr):
            (reads if isinstance(copy, Load) else texts)[scene.text.expression(copy)] = None
    texts = texts or reads  # a read that nothing on the line uses was made there for another one
    shown = [text for text in texts if not any(text != other and text in other for other in texts)]
    plain = [text for text in shown if text != UNNAMED]
    return _clip(", ".join(plain)) if plain else "the result" if shown else "addresses of active data"


def _idle(scene: Scene, number: int, text: str, pairs: Pairs) -> str:
    """Why the rest of the line carries no derivative."""
    comparisons = [c for _, i in pairs if isinstance(i, Compare) and (c := scene.copy_of(i)) is not None]
    if comparisons:
        deciding = _deciding(scene)
        conditions = scene.written.conditions.get(number) or tuple(
            WrittenCondition(scene.text.condition(c), c in deciding) for c in comparisons
        )
        return _decisions(conditions, by_loop=_LOOP.search(text) is not None)
    if all(isinstance(i, Return) and not isinstance(i.operands[0], Instruction) for _, i in pairs if i.operands):
        return "constant"
    if all(not isinstance(i.type.scalar, FloatType) for _, i in pairs):
        return "no floating data: carries no derivative"
    row, instruction = next((pair for pair in pairs if isinstance(pair[1].type.scalar, FloatType)), pairs[0])
    copy = scene.copy_of(instruction)
    what = _clip(scene.text.expression(copy)) if copy is not None else "it"
    return f"{what} carries no derivative {'to the result' if row.verdict.varies else 'from an active parameter'}"


def _decisions(conditions: Sequence[WrittenCondition], *, by_loop: bool) -> str:
    """What the conditions of a line decide. by_loop: the line is the head of a loop."""
    loops = list(dict.fromkeys(c.text for c in conditions if by_loop and c.repeats))
    others = [text for text in dict.fromkeys(c.text for c in conditions) if text not in loops]
    branch = (
        f"{_clip(', '.join(others))} {_verb('decide', others)} which branch, {_verb('carry', others)} no derivative"
    )
    runs = f"{_clip(', '.join(loops))} {_verb('decide', loops)} how often the loop runs"
    return "; ".join([*([runs] if loops else []), *([branch] if others else [])])


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
