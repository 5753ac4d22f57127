"""The C line of a value that is kept: of one that a loop or a branch hands on, a line that assigns it."""

from __future__ import annotations

from enzyme_magic.backend.analysis.derivatives.recompute import Need
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.words.counts import Counts
from enzyme_magic.backend.ir.instructions import Instruction, Phi, Select
from enzyme_magic.backend.ir.values import Value


def line_of(scene: Scene, need: Need, counts: Counts) -> int | None:
    """The value's own; else the last of those that assign it; else that of the loop that hands it on."""
    line, value = scene.line(need.value), need.value
    if line is not None or not isinstance(value, Phi):
        return line
    found = assigning(scene, value)
    if found:
        return found[-1]
    loop = scene.loops.of(value.parent) if value.parent is not None else None
    around = counts.line(loop) if loop is not None else None
    return _copying(scene, value, around) or around


def _copying(scene: Scene, value: Phi, after: int | None) -> int | None:
    """The last line, behind the head of the loop, that gives the variable the value of another one: that leaves no instruction."""
    variable = scene.text.variables.held.get(value)
    if variable is None or after is None:
        return None
    works = scene.written.work.items()
    named = [n for n, work in works if any(a.name == variable.name and a.copied for a in work.assigned)]
    return max((line for line in named if line > after), default=None)


def assigning(scene: Scene, phi: Phi) -> list[int]:
    """The lines of the values that arrive; of a loop's, those that its iterations compute."""
    loop = scene.loops.of(phi.parent)
    header = loop is not None and loop.header is phi.parent
    pending: list[Value] = [v for v, block in phi.incoming if not header or block in loop.blocks]  # type: ignore[union-attr]
    seen: set[Value] = {phi}
    lines: dict[int, None] = {}
    while pending:
        value = pending.pop(0)
        if value in seen or not isinstance(value, Instruction):
            continue
        seen.add(value)
        if isinstance(value, Phi):
            pending.extend(value.operands)
        elif isinstance(value, Select):
            pending.extend(value.operands[1:])
        elif (line := scene.line(value)) is not None and not _narrows_again(scene, value):
            lines[line] = None
    return sorted(lines)


def _narrows_again(scene: Scene, value: Instruction) -> bool:
    """Whether it is an `int` that LLVM counts with more bits: `p = k` leaves such an operation, at the line that LLVM chose."""
    return value.opcode == "trunc" and scene.text.variables.is_int(value.operands[0])
