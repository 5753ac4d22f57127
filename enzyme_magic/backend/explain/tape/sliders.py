"""The size of the cache in numbers: formulas of a report, evaluated for growing values of one parameter.

Invariant: exact; what is no formula ("8 × iterations of the loop at line 4") has no slider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from enzyme_magic.backend.explain.tape.formulas import names_of, value_of
from enzyme_magic.report import CacheRow, Slider

VALUES = (0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)
OTHERS = 100


def sliders(total: str, rows: Sequence[CacheRow]) -> tuple[Slider, ...]:
    """One per name in the total."""
    names = sorted(names_of(total) or ())
    return tuple(_slider(name, names, total, rows) for name in names)


def _slider(name: str, names: Sequence[str], total: str, rows: Sequence[CacheRow]) -> Slider:
    others = {other: OTHERS for other in names if other != name}
    stored = [row for row in rows if row.decision == "store" and names_of(row.bytes) is not None]
    return Slider(
        name,
        VALUES,
        _series(total, name, others),
        tuple((row.identifier, _series(row.bytes, name, others)) for row in stored),
        tuple(others.items()),
    )


def _series(text: str, name: str, others: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(value_of(text, {**others, name: value}) for value in VALUES)
