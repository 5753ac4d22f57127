"""Which bytes a fact speaks about, and how that changes when bytes are copied.

Invariant: `moved` never claims a byte that was not copied. Where the bytes that were cannot be named exactly, the
answer is LOST, so that the receiver can be marked as incompletely known.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd


@dataclass(frozen=True, slots=True)
class Window:
    """Bytes [low, high); low None: all bytes, high None: all from low on. `every` > 0: also all windows shifted by multiples of
    it."""

    low: int | None = None
    high: int | None = None
    every: int = 0

    def covers(self, position: int, modulus: int) -> bool:
        """Whether `position` (known modulo `modulus`, upwards) certainly lies inside."""
        if self.low is None:
            return True
        if self.high is None:
            return position >= self.low
        if self.every:
            return modulus % self.every == 0 and (position - self.low) % self.every < self.high - self.low
        return modulus == 0 and self.low <= position < self.high

    def may_meet(self, position: int, length: int | None, modulus: int) -> bool:
        """Whether some of `length` bytes from `position` on (None: no end known) may lie inside."""
        if self.low is None or (self.high is None and (modulus or length is None)):
            return True
        if self.high is None:
            return length is None or position + length > self.low
        step = gcd(self.every, modulus)
        if step == 0:
            return position < self.high and (length is None or self.low < position + length)
        if length is None:
            return True
        return (self.low - position) % step < length or (position - self.low) % step < self.high - self.low

    def contains(self, other: Window) -> bool:
        """Whether every byte of `other` lies inside."""
        if self.low is None or self == other:
            return True
        if other.low is None or self.every or other.every or other.low < self.low:
            return False
        return self.high is None or (other.high is not None and other.high <= self.high)

    def repeated(self, step: int) -> Window:
        """All places where it may be, for who knows places modulo `step` only."""
        every = gcd(self.every, step)
        if self.low is None or self.high is None or self.high - self.low >= every:
            return EVERYWHERE
        return Window(self.low, self.high, every)

    def normal(self, position: int) -> int:
        """The same place of the first of repeated windows."""
        return self.low + (position - self.low) % self.every if self.every and self.low is not None else position


EVERYWHERE = Window()


class Lost:
    """Bytes were copied, but which ones cannot be said."""


LOST = Lost()


@dataclass(frozen=True, slots=True)
class Copy:
    """`length` bytes (None: unknown, from there on) at offset `here` become those at `there`; each known modulo its modulus."""

    here: int
    there: int
    mine: int
    other: int
    length: int | None


@dataclass(frozen=True, slots=True)
class Arrival:
    """`window` as the receiver sees it. The byte at the copy's `there` was the one at `start`, in the first of repeated windows;
    the bytes behind it follow, modulo `period` (0: exactly) when several windows were copied."""

    window: Window
    start: int
    period: int = 0


def moved(window: Window, copy: Copy) -> Arrival | Lost | None:
    """What of `window` arrives; None: nothing of it is copied."""
    if not window.may_meet(copy.here, copy.length, copy.mine):
        return None
    if window.low is None:
        return Arrival(_upwards(copy, 0), copy.here)
    if window.high is None:
        if copy.mine and copy.here < window.low:
            return LOST
        return Arrival(_upwards(copy, max(window.low - copy.here, 0)), copy.here)
    if window.every:
        return _repeated(window, window.low, window.high, copy)
    if copy.mine:
        return LOST
    low = max(copy.here, window.low)
    high = window.high if copy.length is None else min(window.high, copy.here + copy.length)
    shift = copy.there - copy.here
    return Arrival(Window(low + shift, high + shift, copy.other), copy.here)


def _upwards(copy: Copy, skipped: int) -> Window:
    if copy.length is not None:
        return Window(copy.there + skipped, copy.there + copy.length, copy.other)
    return Window(copy.there + skipped, None) if copy.other == 0 else EVERYWHERE


def _repeated(window: Window, low: int, high: int, copy: Copy) -> Arrival | Lost:
    width, every = high - low, window.every
    if copy.mine % every:
        return LOST
    if copy.length is None:
        if copy.other:
            return LOST
        shift = copy.there - copy.here
        return Arrival(Window(low + shift, high + shift, every), copy.here)
    inside = (copy.here - low) % every  # where in a window the copy begins
    if width == every:
        several = inside + copy.length > every
        whole = Window(copy.there, copy.there + copy.length, copy.other)
        return Arrival(whole, low + inside, every if several else 0)
    if inside < width:
        start, end = 0, width - inside
        next_window = every - inside
    else:
        start, end = every - inside, every - inside + width
        next_window = start + every
    if copy.length > next_window:
        return LOST  # more than one window, with gaps
    arrived = Window(copy.there + start, copy.there + min(end, copy.length), copy.other)
    return Arrival(arrived, low + inside - (every if inside >= width else 0))
