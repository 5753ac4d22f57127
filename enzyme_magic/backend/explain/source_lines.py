"""The C text line by line: what is active on a line, and why the rest is not.

Invariant: marks come from the instructions of the line alone. Addresses and whole numbers on an active line do not make it mixed:
they serve what is active. A line without instructions has no mark, except an assignment of a literal, which is a constant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.ir.instructions import Compare, GetElementPtr, Instruction, Select, Store
from enzyme_magic.backend.ir.types import FloatType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.report import InstructionRow, SourceLine

_LITERAL = re.compile(r"^[^=!<>(]*[\w\])]\s*=\s*[-+]?[\d.][\w.+-]*\s*;\s*(//.*|/\*.*)?$")
LONGEST = 60


def lines(scene: Scene, rows: Sequence[InstructionRow], instructions: dict[str, Instruction]) -> tuple[SourceLine, ...]:
    """Every line of the source that holds the function. `instructions`: the program's, by identifier."""
    by_line: dict[int, list[InstructionRow]] = {}
    for row in rows:
        if row.line is not None:
            by_line.setdefault(row.line, []).append(row)
    last = max(by_line, default=0)
    first = scene.signature.line
    return tuple(
        _line(scene, number, text, by_line.get(number, []), instructions, inside=first < number <= last)
        for number, text in enumerate(scene.source.lines, 1)
    )


def _line(
    scene: Scene,
    number: int,
    text: str,
    rows: list[InstructionRow],
    instructions: dict[str, Instruction],
    *,
    inside: bool,
) -> SourceLine:
    identifiers = tuple(row.identifier for row in rows)
    if not rows:
        constant = inside and _LITERAL.match(text.strip()) is not None
        return SourceLine(number, text, "inactive" if constant else "", "constant" if constant else "")
    here = [(row, instructions[row.identifier]) for row in rows]
    active = [pair for pair in here if pair[0].verdict.active]
    if any(
        isinstance(instruction, Compare) for _, instruction in here
    ):  # what a branch became is not computed on its line
        active = [pair for pair in active if not isinstance(pair[1], Select)]
    idle = [pair for pair in here if not pair[0].verdict.active and _counts(pair[1])]
    mark = (
        "cached"
        if any(row.slot for row in rows)
        else "mixed"
        if active and idle
        else "active"
        if active
        else "inactive"
    )
    note = _note(scene, active, idle or [] if active else here)
    return SourceLine(number, text, mark, note, identifiers)


Pairs = list[tuple[InstructionRow, Instruction]]


def _counts(instruction: Instruction) -> bool:
    """Whether an inactive instruction makes an active line mixed: floating data, and comparisons."""
    return isinstance(instruction, Compare) or isinstance(instruction.type.scalar, FloatType)


def _note(scene: Scene, active: Pairs, idle: Pairs) -> str:
    parts = []
    if active:
        parts.append(f"active: {_active(scene, active)}")
    reason = _idle(scene, idle)
    if reason:
        parts.append(reason)
    return "; ".join(parts)


def _active(scene: Scene, pairs: Pairs) -> str:
    """The outermost active expressions of the line."""
    inner: set[Value] = set()
    for _, instruction in pairs:
        inner.update(instruction.operands)
    texts: dict[str, None] = {}
    for _, instruction in pairs:
        copy = scene.copy_of(instruction)
        if isinstance(copy, Store):
            size = scene.program.module.analyses.layout.store_size(copy.value.type)
            value = scene.text.expression(copy.value)
            texts[f"{scene.text.place(copy.pointer, size)} = {value}"] = None
        elif instruction not in inner and isinstance(copy, Instruction) and not isinstance(copy, GetElementPtr):
            shown = copy.operands[0] if copy.opcode == "ret" and copy.operands else copy
            texts[scene.text.value(shown) if copy.opcode == "ret" else scene.text.expression(shown)] = None
    listed = list(texts)
    return _clip(", ".join(listed)) if listed else "addresses of active data"


def _idle(scene: Scene, pairs: Pairs) -> str:
    """Why the rest of the line carries no derivative."""
    for _, instruction in pairs:
        copy = scene.copy_of(instruction)
        if isinstance(copy, Compare):
            return f"{_clip(scene.text.condition(copy))} decides which branch, carries no derivative"
    if not pairs:
        return ""
    if all(not isinstance(i.type.scalar, FloatType) for _, i in pairs):
        return "no floating data: carries no derivative"
    return "does not carry a derivative here"


def _clip(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
