"""What is saved, by the C lines that compute it.

Invariant: a value that a loop hands on from one iteration to the next stands at the lines that assign it; each row of the plan that
stores something is told at least once, where any line is known.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.analysis.derivatives.recompute import PRIMAL, Need
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.tape.assigning import assigning
from enzyme_magic.backend.explain.tape.told_apart import joined
from enzyme_magic.backend.ir.instructions import Phi
from enzyme_magic.report import CacheRow


def saved_lines(scene: Scene, rows: tuple[CacheRow, ...]) -> dict[int, list[str]]:
    """rows: of a breakdown, those of `plan.stored` first."""
    found: dict[int, dict[str, None]] = {}
    for need, row in zip(scene.plan.stored, rows, strict=False):
        for line in _lines(scene, need, row):
            found.setdefault(line, {})[_words(row, line)] = None
    return {line: joined(words) for line, words in found.items()}


def _lines(scene: Scene, need: Need, row: CacheRow) -> list[int]:
    if need.kind == PRIMAL and isinstance(need.value, Phi) and row.instruction is not None:
        found = assigning(scene, need.value)
        if found:
            return found
    return [row.line] if row.line is not None else []


def _product(formula: str) -> str:
    """As pictures write it beside expressions of C: "8·n"."""
    return formula if "**" in formula else formula.replace("*", "·")


def _words(row: CacheRow, line: int) -> str:
    what = re.sub(rf" at line {line}\b", "", row.expression)
    if row.least or not row.bytes:
        return what
    if "iterations" in row.bytes:
        return f"{what} ({row.size} B × {row.count})"
    return f"{what} ({_product(row.bytes)} B)"
