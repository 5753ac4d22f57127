"""Frames of a tape that start again in each iteration of a loop around: all iterations share them.

Let the values of a loop L repeat in a loop P around it (`analysis/derivatives/repeats.py`), and M be the loop directly in P that is
L or holds it. Forwards, the cursor before P is its *mark*, and each visit of M begins there: it writes as many frames as the visit
before, with equal values. Backwards, where P is entered from its end, the cursor is its *top*, and each visit of M counts down from
there to the mark.

Invariant: behind P the cursor is the same whichever iteration visited M last, and stays at the mark where none did; so forwards and
backwards agree, also where M is behind a condition. With several such loops the outer ones come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Alloca
from enzyme_magic.backend.ir.types import I64, Type
from enzyme_magic.backend.ir.values import Block, Value


def new_slot(builder: Builder, type_: Type, name: str) -> Alloca:
    """A stack variable that holds zero."""
    slot = builder.alloca(type_, name=name)
    builder.store(constants.zero(type_), slot)
    return slot


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Restart:
    """`around` and `inner`: P and M of the text above."""

    around: Loop
    inner: Loop
    mark: Alloca
    top: Alloca


@dataclass(slots=True, eq=False, repr=False)
class Restarts:
    """Those of one LoopTape, outermost first."""

    parts: tuple[Restart, ...]
    _first: list[Value] = field(default_factory=list)  # whether a visit is the first one that writes, for who counts

    @classmethod
    def of(cls, home: Loop, repeated: tuple[Loop, ...], forward: Builder, reverse: Builder) -> Restarts:
        """For the frames of `home`, whose values repeat in the loops `repeated`, outermost first."""
        parts: list[Restart] = []
        for around in repeated:
            mark = new_slot(forward, I64, f"{around.header.name}.mark")
            top = new_slot(reverse, I64, f"{around.header.name}.top")
            parts.append(Restart(around, _directly_in(around, home), mark, top))
        return cls(tuple(parts))

    @property
    def loops(self) -> tuple[Loop, ...]:
        return tuple(part.around for part in self.parts)

    def entered(self, home: Loop) -> Iterator[Loop]:
        """The loops whose entry from their end matters to the frames, each once."""
        return iter(dict.fromkeys([home, *(loop for part in self.parts for loop in (part.around, part.inner))]))

    def write_forward(self, before: Callable[[Block], Builder], cursor: Alloca, counting: bool) -> None:
        """Let frames start again. before(preheader): where to write before a loop; counting: somebody will ask for `counted`."""
        for part in self.parts:
            assert part.around.preheader is not None
            assert part.inner.preheader is not None
            builder = before(part.around.preheader)
            builder.store(builder.load(I64, cursor), part.mark)
            builder = before(part.inner.preheader)
            mark = builder.load(I64, part.mark)
            if counting:
                self._first.append(builder.icmp("eq", builder.load(I64, cursor), mark))
            builder.store(mark, cursor)

    def counted(self, builder: Builder, size: Value) -> Value:
        """`size` in the iterations that write what none before has written, else 0."""
        for first in self._first:
            size = builder.select(first, size, constants.zero(I64))
        return size

    def enter_reverse(self, builder: Builder, loop: Loop, cursor: Alloca) -> None:
        """The reverse sweep enters `loop` from its end."""
        for part in self.parts:
            if part.inner is loop:
                builder.store(builder.load(I64, part.top), cursor)
            if part.around is loop:
                builder.store(builder.load(I64, cursor), part.top)


def _directly_in(around: Loop, home: Loop) -> Loop:
    """The loop directly in `around` that `home` is or lies in."""
    inner = home
    while inner.parent is not around:
        assert inner.parent is not None
        inner = inner.parent
    return inner
