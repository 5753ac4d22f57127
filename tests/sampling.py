"""What of a sweep over optimization levels is tried with every change; `python3 dev.py nightly` tries all of it.

Level 0 (memory as C has it) and level 2 (the default) are always tried, 1 and 3 each for a quarter of the sources or files, so that
both are met by many constructs in every run. The choice follows from a name alone: all processes of a run, and two runs of one
checkout, choose alike.

Optimization after differentiation takes most of the time that a test of a derivative takes, and is LLVM's: of programs that are
tried in many ways it is left out in some (`after`).

Sweeps whose subject is the level itself stay whole: `WHOLE`.

Of families of tests that take long, a part is tried: `shares.txt` says one in how many of a parametrized test's members, by a
number of their names, so that it stays the same part. Which faults the run still finds is measured: tests/mutants.py.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from pathlib import Path

import pytest

LEVELS = (0, 1, 2, 3)
_CHOICES = ((0, 2), (0, 1, 2), (0, 2), (0, 2, 3))
_NAMES = frozenset({"opt", "level"})
WHOLE = ("llvm/", "ir/", "frontend/", "api/test_same_at_every_level.py")
_TESTS = Path(__file__).parent
SHARES = {
    test: int(parts)
    for test, parts in (line.split() for line in (_TESTS / "shares.txt").read_text(encoding="utf-8").splitlines())
}

_all_of_it = True  # outside of pytest, too


def choose(*, nightly: bool) -> None:
    """At the start of a run."""
    global _all_of_it
    _all_of_it = nightly


def everything() -> bool:
    """Whether this run tries full products."""
    return _all_of_it


def levels(name: str) -> tuple[int, ...]:
    """The levels for what `name` stands for: a source, a file of tests."""
    return LEVELS if _all_of_it else _chosen(name)


def after(name: str, one_in: int) -> int:
    """The level of optimization after differentiation for what `name` stands for: 3 for one in so many, 0 for the others."""
    return 3 if _all_of_it or zlib.crc32(name.encode()) % one_in == 0 else 0


def after_level(level: int) -> int:
    """The same where each level before differentiation is tried: what is optimized before is optimized after."""
    return 3 if _all_of_it or level >= 2 else 0


def mark_nightly(items: list[pytest.Item]) -> None:
    """What is tried at night alone: of parametrized sweeps over all levels those that this file is not tried at, of families that
    take long all but their share."""
    _leave_levels(items)
    _leave_shares(items)


def _leave_levels(items: list[pytest.Item]) -> None:
    sweeps: dict[tuple[str, str], list[tuple[int, pytest.Item]]] = defaultdict(list)
    for item in items:
        found = _level_of(item)
        if found is not None:
            name, level = found
            sweeps[f"{item.path}::{getattr(item, 'originalname', '')}", name].append((level, item))
    for (test, _), members in sweeps.items():
        path = Path(test.partition("::")[0]).relative_to(_TESTS).as_posix()
        if {level for level, _ in members} == set(LEVELS) and not path.startswith(WHOLE):
            for level, item in members:
                if level not in _chosen(path):
                    item.add_marker(pytest.mark.nightly)


def _leave_shares(items: list[pytest.Item]) -> None:
    families: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        name = f"{item.path.relative_to(_TESTS).as_posix()}::{getattr(item, 'originalname', '')}"
        if name in SHARES and item.get_closest_marker("nightly") is None:
            families[name].append(item)
    for name, members in families.items():
        members.sort(key=lambda item: zlib.crc32(item.nodeid.partition("::")[2].encode()))
        for item in members[-(-len(members) // SHARES[name]) :]:
            item.add_marker(pytest.mark.nightly)


def _chosen(name: str) -> tuple[int, ...]:
    return _CHOICES[zlib.crc32(name.encode()) % len(_CHOICES)]


def _level_of(item: pytest.Item) -> tuple[str, int] | None:
    """The parameter that is a level, and its value. A parameter of a fixture may have any name."""
    call = getattr(item, "callspec", None)
    if call is None:
        return None
    written = {name for mark in item.iter_markers("parametrize") for name in _arguments(mark)}
    for name, value in call.params.items():
        if (name in _NAMES or name not in written) and type(value) is int and value in LEVELS:
            return name, value
    return None


def _arguments(mark: pytest.Mark) -> list[str]:
    names = mark.args[0]
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
