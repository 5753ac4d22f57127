"""How the user says which values the reverse sweep gets from the tape: a preset, or decisions for single values.

    "minimum-cut" (the default), "store-all", "recompute-all", or {"%0": "recompute", "i16": "store"} on top of the default
    "checkpoint": the minimum cut, with loops that run again from checkpoints; {"preset": "checkpoint", "bytes": 1 << 20} bounds
    what the checkpoints of one loop take

Invariant: this changes what is stored, never what is legal; the gradient has the same bits (with checkpoints it is the same up to
the order of sums). Legality is judged by backend/analysis/derivatives/cache_plan.py and backend/checkpoints/choice.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from enzyme_magic.backend.analysis.derivatives.cache_plan import (
    CHECKPOINT,
    CHECKPOINT_BYTES,
    PRESETS,
    RECOMPUTE,
    STORE,
    Caching,
)
from enzyme_magic.errors import ArgumentError

if TYPE_CHECKING:
    from enzyme_magic.report import Report

CachingChoice = str | Mapping[str, str | int] | Caching | None
PRESET, BYTES = "preset", "bytes"  # the keys of a mapping that name no value


def check(choice: CachingChoice) -> None:
    """ArgumentError EM337 for what is a choice for no function; `caching_of` sees the rest."""
    if choice is None or isinstance(choice, (str, Caching)):
        _preset(choice if isinstance(choice, str) else PRESETS[0])
        return
    if not isinstance(choice, Mapping):
        raise _wrong(f"there is no cache plan {choice!r}")
    _bytes(choice, _preset(choice.get(PRESET, PRESETS[0])))
    for name, decision in _decisions(choice).items():
        if not isinstance(decision, str) or decision not in (STORE, RECOMPUTE):
            raise _wrong(f"{name}: {decision!r} is neither {STORE!r} nor {RECOMPUTE!r}")


def _decisions(choice: Mapping[str, str | int]) -> dict[str, str | int]:
    """Those for single values."""
    return {name: decision for name, decision in choice.items() if name not in (PRESET, BYTES)}


def caching_of(choice: CachingChoice, report: Report) -> Caching:
    """`choice` for the function of `report`, whose instructions it may name. ArgumentError EM337 for what is no choice."""
    check(choice)
    if choice is None or isinstance(choice, Caching):
        return choice or Caching()
    if isinstance(choice, str):
        return Caching(_preset(choice))
    preset = _preset(choice.get(PRESET, PRESETS[0]))
    bytes_ = _bytes(choice, preset)
    named = {row.identifier: place for place, row in enumerate(report.activity.rows())}
    named |= {row.result: place for place, row in enumerate(report.activity.rows()) if row.result is not None}
    forced: dict[int, str] = {}
    for name, decision in _decisions(choice).items():
        if name not in named:
            raise _wrong(f"{report.function} has no instruction {name!r}")
        forced[named[name]] = str(decision)
    return Caching(preset, tuple(sorted(forced.items())), bytes_)


def _bytes(choice: Mapping[str, str | int], preset: str) -> int:
    """What the checkpoints of one loop may take."""
    found = choice.get(BYTES, CHECKPOINT_BYTES)
    if BYTES in choice and preset != CHECKPOINT:
        raise _wrong(f'"bytes" bounds checkpoints, and the plan is {preset!r}')
    if isinstance(found, bool) or not isinstance(found, int) or found <= 0:
        raise _wrong(f"bytes: {found!r} is no positive integer")
    return found


def _preset(name: str | int) -> str:
    if not isinstance(name, str) or name not in (*PRESETS, CHECKPOINT):
        raise _wrong(f"there is no cache plan {name!r}")
    return name


def _wrong(message: str) -> ArgumentError:
    return ArgumentError(
        message, code="EM337", hint=f'one of {", ".join((*PRESETS, CHECKPOINT))}, or {{"%0": "recompute"}} by value'
    )
