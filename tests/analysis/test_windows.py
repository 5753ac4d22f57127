"""Windows of bytes against sets of bytes: what is claimed was copied, what was copied is claimed or reported as lost."""

from __future__ import annotations

import random

import pytest

from enzyme_magic.backend.analysis.types.windows import Arrival, Copy, Window, moved

SPAN = range(-48, 144)


def _bytes(window: Window) -> set[int]:
    if window.low is None:
        return set(SPAN)
    if window.high is None:
        return {b for b in SPAN if b >= window.low}
    if window.every:
        return {b for b in SPAN if (b - window.low) % window.every < window.high - window.low}
    return set(range(window.low, window.high))


def _window(draw: random.Random) -> Window:
    low = draw.randrange(0, 24)
    kind = draw.randrange(4)
    if kind == 0:
        return Window()
    if kind == 1:
        return Window(low, None)
    if kind == 2:
        return Window(low, low + draw.randrange(1, 17))
    every = draw.choice([8, 16, 24])
    return Window(low, low + draw.randrange(1, every + 1), every)


@pytest.mark.parametrize("seed", range(300))
def test_a_copy_of_known_place_and_length(seed: int) -> None:
    draw = random.Random(seed)
    window, here, there, length = (
        _window(draw),
        draw.randrange(0, 32),
        draw.randrange(0, 32),
        draw.choice([4, 8, 16, 40]),
    )
    arrived = moved(window, Copy(here, there, 0, 0, length))
    copied = {b - here + there for b in _bytes(window) if here <= b < here + length}
    if arrived is None:
        assert not copied
    elif isinstance(arrived, Arrival):
        assert _bytes(arrived.window) == copied
        for byte in copied:  # the layout is found again at the same place of the normal window
            apart = window.normal(byte - there + here) - (arrived.start + byte - there)
            assert apart % arrived.period == 0 if arrived.period else apart == 0


@pytest.mark.parametrize("seed", range(300))
def test_a_copy_from_a_place_known_up_to_a_multiple(seed: int) -> None:
    draw = random.Random(seed)
    window, here, there, length = _window(draw), draw.randrange(0, 24), draw.randrange(0, 24), draw.choice([4, 8, 16])
    mine = draw.choice([8, 16, 24, 48])
    arrived = moved(window, Copy(here, there, mine, 0, length))
    places = [p for p in range(here, 96, mine)]
    copied = [{b - p + there for b in _bytes(window) if p <= b < p + length} for p in places]
    if arrived is None:
        assert not any(copied)
    elif isinstance(arrived, Arrival):
        assert all(_bytes(arrived.window) & set(range(there, there + length)) == c for c in copied)


@pytest.mark.parametrize("seed", range(200))
def test_covering_and_meeting(seed: int) -> None:
    draw = random.Random(seed)
    window, position, modulus = _window(draw), draw.randrange(0, 48), draw.choice([0, 0, 8, 16, 24])
    length = draw.choice([1, 8])
    places = [position] if modulus == 0 else list(range(position, 96, modulus))
    inside = [p in _bytes(window) for p in places]
    if window.covers(position, modulus):
        assert all(inside)
    if not window.may_meet(position, length, modulus):
        assert not any(set(range(p, p + length)) & _bytes(window) for p in places)
