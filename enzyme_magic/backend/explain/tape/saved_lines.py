"""What is saved, by the C lines that compute it.

Invariant: a value that a loop hands on from one iteration to the next stands at the lines that assign it; each row of the plan that
stores something is told at least once, where any line is known.
"""

from __future__ import annotations

import re
from collections import Counter

from enzyme_magic.backend.analysis.derivatives.recompute import PRIMAL, Need
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.tape.assigning import assigning
from enzyme_magic.backend.explain.tape.told_apart import joined
from enzyme_magic.backend.ir.instructions import Phi
from enzyme_magic.report import CacheRow


def saved_lines(scene: Scene, rows: tuple[CacheRow, ...]) -> dict[int, list[str]]:
    """rows: of a breakdown, those of `plan.stored` first."""
    found: dict[int, Counter[tuple[str, str]]] = {}
    for need, row in zip(scene.plan.stored, rows, strict=False):
        for line in _lines(scene, need, row):
            found.setdefault(line, Counter())[_words(row, line)] += 1
    return {line: joined([_said(*pair) for pair in counted.items()]) for line, counted in found.items()}


def _said(words: tuple[str, str], times: int) -> str:
    """Two that have the same words, as which way was taken of those that meet in two places, are two."""
    what, size = words
    return what if not size else f"{what} ({size})" if times == 1 else f"{what} ({times} × {size})"


def _lines(scene: Scene, need: Need, row: CacheRow) -> list[int]:
    if need.kind == PRIMAL and isinstance(need.value, Phi) and row.instruction is not None:
        found = assigning(scene, need.value)
        if found:
            return found
    return [row.line] if row.line is not None else list(scene.shared_lines(need.value))


def _product(formula: str) -> str:
    """As pictures write it beside expressions of C: "8·n"."""
    return formula if "**" in formula else formula.replace("*", "·")


def _words(row: CacheRow, line: int) -> tuple[str, str]:
    """What is saved, and its size; "" where it is not known."""
    what = re.sub(rf" at line {line}\b", "", row.expression)
    if row.least or not row.bytes:
        return what, ""
    if "iterations of" in row.bytes or "tests of" in row.bytes:
        return what, f"{row.size} B × {row.count}"
    return what, f"{_product(row.bytes)} B"
