"""Values that a plan would call by the same words, told apart: by the call that they belong to.

Invariant: what is added to the words is a fact of the value itself. Values that no call tells apart keep the words that they share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from enzyme_magic.backend.analysis.derivatives.recompute import TAPE, Need
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.words.added import AddedWords
from enzyme_magic.backend.explain.words.c_text import UNNAMED
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.values import Value

_IN_CALL = re.compile(r"^(.*) in the call at line (\d+)( \(.*\))?$")


def told_apart(scene: Scene, words: Mapping[Need, str], added: Mapping[Value, AddedWords]) -> dict[Need, str]:
    """words: of each value -> the same, longer where several have the same."""
    groups: dict[str, list[Need]] = {}
    for need, text in words.items():
        groups.setdefault(text, []).append(need)
    found = dict(words)
    for text, needs in groups.items():
        if len({need.value for need in needs}) > 1:
            longer = {need: _longer(scene, need, text, added) for need in needs}
            if len(set(longer.values())) > 1:
                found |= longer
    return found


def _longer(scene: Scene, need: Need, text: str, added: Mapping[Value, AddedWords]) -> str:
    if need.kind == TAPE and isinstance(need.value, Call):
        called = scene.text.expression(need.value)
        return f"the tape of {called}" if UNNAMED not in called else text
    place = added[need.value].place if need.value in added else need.value
    own = scene.origin(place) if place is not None else None
    call = locations.called_from(own) if isinstance(own, Instruction) else None
    return f"{text} in the call at line {call[1]}" if call is not None and call[1] != scene.line(own) else text


def joined(saved: Iterable[str]) -> list[str]:
    """`exp(-x) in the calls at lines 3, 4 and 5 (8·n B each)` instead of three that differ in the line of the call."""
    groups: dict[tuple[str, str], list[int]] = {}
    for text in saved:
        found = _IN_CALL.match(text)
        groups.setdefault((found[1], found[3] or "") if found else (text, ""), []).extend(
            [int(found[2])] if found else []
        )
    return [_joined(text, size, sorted(lines)) for (text, size), lines in groups.items()]


def _joined(text: str, size: str, lines: list[int]) -> str:
    if len(lines) < 2:
        return f"{text} in the call at line {lines[0]}{size}" if lines else text
    listed = ", ".join(map(str, lines[:-1])) + f" and {lines[-1]}"
    return f"{text} in the calls at lines {listed}{size.removesuffix(')') + ' each)' if size else ''}"
