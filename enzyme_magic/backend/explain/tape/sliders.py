"""The size of the cache in numbers: formulas of a report, evaluated for growing values of one quantity.

Invariant: exact. A quantity is an integer parameter, or how often a loop runs that only the call counts ("8 × iterations of the
loop at line 4"): such a loop has a slider of its own, in those words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from enzyme_magic.backend.explain.tape.formulas import names_of, value_of
from enzyme_magic.report import CacheRow, Slider

VALUES = (0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)
OTHERS = 100
_FIRST = r"(?: in first iterations of the loops? (?:around it|at lines? \d+(?: and \d+)*))?"  # see Counts.recorded
_COUNTED = re.compile(
    rf"(?:(\d+) × )?((?:iterations|tests) of (?:the loop at line \d+|a loop){_FIRST}(?: \(at most [^ ()]+\))?)"
)
_MOST = re.compile(r"\(at most (\d+)\)$")


def sliders(total: str, rows: Sequence[CacheRow]) -> tuple[Slider, ...]:
    """One per quantity in the total: parameters first."""
    quantities = _Quantities(total)
    return tuple(_slider(name, quantities, total, rows) for name in quantities.names)


class _Quantities:
    """What a total depends on. names: as people read them."""

    def __init__(self, total: str) -> None:
        counted = list(dict.fromkeys(match[2] for match in _COUNTED.finditer(total)))
        self._symbols = {phrase: f"__counted{k}" for k, phrase in enumerate(counted)}
        parameters = sorted((names_of(self.formula(total)) or frozenset()) - set(self._symbols.values()))
        self.names = (*parameters, *counted) if names_of(self.formula(total)) is not None else ()

    def formula(self, text: str) -> str:
        """The text with a name in place of each count."""
        return _COUNTED.sub(lambda m: f"{m[1] or 1}*{self._symbols.get(m[2], m[2])}", text)

    def value(self, text: str, at: Mapping[str, int]) -> int:
        return value_of(self.formula(text), {self._symbols.get(name, name): number for name, number in at.items()})


def _slider(name: str, quantities: _Quantities, total: str, rows: Sequence[CacheRow]) -> Slider:
    others = {other: min(OTHERS, _most(other, OTHERS)) for other in quantities.names if other != name}
    most = _most(name, VALUES[-1])
    values = (*(value for value in VALUES if value < most), most)
    stored = [row for row in rows if row.decision == "store" and names_of(quantities.formula(row.bytes)) is not None]

    def series(text: str) -> tuple[int, ...]:
        return tuple(quantities.value(text, {**others, name: value}) for value in values)

    return Slider(
        name, values, series(total), tuple((row.identifier, series(row.bytes)) for row in stored), tuple(others.items())
    )


def _most(name: str, otherwise: int) -> int:
    """How large a quantity can be, where its words say so."""
    found = _MOST.search(name)
    return int(found[1]) if found else otherwise
