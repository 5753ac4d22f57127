"""Bytes kept over time in one call, replayed from what the meter wrote down.

Invariant: the most of the curve is the meter's own most, and it ends with what is kept at the end; of many moments those with the
most bytes stay. Bytes are given back in the order in which they were taken, the last ones first, as the arena does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from enzyme_magic.backend.autodiff.cache.meter import KEPT, RETURNED, ROOM, STEPPED, Meter
from enzyme_magic.report import MemoryCurve

MOST = 240  # moments that are told

Moment = tuple[int, tuple[int, ...]]


def curve(meter: Meter, asked: str, called: Callable[[str], str]) -> MemoryCurve:
    """The last call. asked: the function it was a call of; called: what people call a function."""
    if meter.happened > ROOM:
        return MemoryCurve(
            (), (), (), meter.happened, None, f"the call has {meter.happened:,} events, of {ROOM:,} that are kept"
        )
    names: dict[str, int] = {}
    if any(event.kind == KEPT and called(event.function) == asked for event in meter.events()):
        names[asked] = 0
    turn = None
    for number, event in enumerate(meter.events(), 1):
        if event.kind == KEPT:
            names.setdefault(called(event.function), len(names))
        elif event.kind == STEPPED and turn is None:
            turn = number
    moments = list(_moments(meter, called, names))
    told = list(_thinned(moments, turn))
    return MemoryCurve(
        tuple(names), tuple(number for number, _ in told), tuple(kept for _, kept in told), meter.happened, turn
    )


def _moments(meter: Meter, called: Callable[[str], str], names: dict[str, int]) -> Iterator[Moment]:
    """(number of the event, bytes of each function) after each event; number 0 is the beginning."""
    now = [0] * len(names)
    taken: list[tuple[int, int]] = []
    total = 0
    yield 0, tuple(now)
    for number, event in enumerate(meter.events(), 1):
        if event.kind == KEPT:
            index = names[called(event.function)]
            taken.append((index, event.bytes))
            now[index] += event.bytes
            total += event.bytes
        elif event.kind == RETURNED:
            while taken and total > event.bytes:
                index, size = taken.pop()
                now[index] -= size
                total -= size
        yield number, tuple(now)


def _thinned(moments: list[Moment], turn: int | None) -> Iterator[Moment]:
    """The first, the last, the turn, and of each stretch between the one with the most bytes."""
    always = {0, turn if turn is not None else 0, len(moments) - 1}
    stretch = max(1, -(-len(moments) // MOST))
    for start in range(0, len(moments), stretch):
        part = moments[start : start + stretch]
        best = max(part, key=lambda moment: sum(moment[1]))
        yield from (moment for moment in part if moment is best or moment[0] in always)
