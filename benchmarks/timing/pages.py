"""What the documentation shows of one run: docs/measured/kernels.json, a table and a picture for each theme.

Kept in the repository, because a build of the documentation measures nothing.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from benchmarks.timing import plot, ratios
from benchmarks.timing.catalogue import KERNELS
from benchmarks.timing.ratios import Ratio, Rounds
from enzyme_magic.viz.theme import THEMES

TITLE = "time of a gradient in times of the one by hand"


def write(
    folder: Path, figures: dict[str, Rounds], versions: dict[str, str], names: Sequence[str], means: Sequence[str]
) -> None:
    """names: the variants that ran. means: sentences about all kernels."""
    folder.mkdir(parents=True, exist_ok=True)
    by_hand = {kernel: _to(rounds, "by hand", names) for kernel, rounds in figures.items()}
    stored = {
        "versions": versions,
        "means": list(means),
        "kernels": {kernel: _summary(rounds, names) for kernel, rounds in figures.items()},
    }
    (folder / "kernels.json").write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    (folder / "kernels.md").write_text(_table(figures, by_hand, names) + _notes(versions, means), encoding="utf-8")
    marks = {kernel: {name: r for name, r in row.items() if name in plot.MARKS} for kernel, row in by_hand.items()}
    for theme in THEMES:
        (folder / f"kernels-{theme}.svg").write_text(plot.picture(marks, TITLE, theme), encoding="utf-8")


def function_time(rounds: Rounds) -> float:
    """Microseconds of the function: the median over all measurements."""
    return statistics.median(done["primal"] for turn in rounds for done in turn.values() if done) * 1e6


def tape(rounds: Rounds) -> int:
    """Bytes that our gradient keeps in one call."""
    return next(int(done["tape"]) for turn in rounds if (done := turn.get("ours")))


def _to(rounds: Rounds, other: str, names: Sequence[str]) -> dict[str, Ratio]:
    found = {name: ratios.between(rounds, name, other) for name in names}
    return {name: ratio for name, ratio in found.items() if ratio is not None}


def _summary(rounds: Rounds, names: Sequence[str]) -> dict[str, Any]:
    """Times in microseconds and ratios as [median, low, high]; tape in bytes."""
    to_function = {name: ratios.to_primal(rounds, name) for name in names}
    return {
        "function us": function_time(rounds),
        "tape": tape(rounds),
        "in times of the function": {name: astuple(ratio) for name, ratio in to_function.items() if ratio},
        "in times of the gradient by hand": {n: astuple(r) for n, r in _to(rounds, "by hand", names).items()},
        "rounds": len(rounds),
    }


def _table(figures: dict[str, Rounds], by_hand: dict[str, dict[str, Ratio]], names: Sequence[str]) -> str:
    others = [name for name in names if name not in ("by hand", "ours")]
    head = [
        "kernel",
        "size",
        "function",
        "by hand",
        "ours",
        "ours / by hand",
        *(f"{name} / by hand" for name in others),
        "tape",
    ]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for kernel, rounds in figures.items():
        first, ours = ratios.to_primal(rounds, "by hand"), ratios.to_primal(rounds, "ours")
        assert first is not None
        assert ours is not None
        cells = [
            f"`{kernel}`",
            KERNELS[kernel].size,
            f"{function_time(rounds):,.0f} µs",
            f"{first.median:.2f}",
            f"{ours.median:.2f}",
        ]
        cells.append(str(by_hand[kernel]["ours"]))
        cells += [f"{by_hand[kernel][name].median:.2f}" if name in by_hand[kernel] else "" for name in others]
        lines.append(f"| {' | '.join([*cells, f'{tape(rounds) / 1024:,.0f} KB'])} |")
    return "\n".join(lines) + "\n"


def _notes(versions: dict[str, str], means: Sequence[str]) -> str:
    words = "; ".join(f"{name} {value}" for name, value in versions.items())
    return "\n" + "".join(f"- {mean}\n" for mean in means) + f"\nMeasured with: {words}.\n"
