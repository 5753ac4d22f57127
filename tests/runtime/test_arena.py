"""The tape arena: alignment, LIFO release, exact limit, exact counts, reuse between calls."""

from __future__ import annotations

import ctypes
import random
import threading

import pytest

from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.passes import native_code
from enzyme_magic.backend.runtime import arena, exits
from enzyme_magic.backend.runtime.native import support
from enzyme_magic.errors import ExecutionError

TEXT = (
    native_code.text_of("arena")
    + """
define ptr @take(ptr %arena, i64 %bytes) {
  %block = call ptr @em.allocate(ptr %arena, i64 %bytes)
  ret ptr %block
}
define ptr @mark(ptr %arena) {
  %mark = call ptr @em.mark(ptr %arena)
  ret ptr %mark
}
define void @release(ptr %arena, ptr %mark) {
  call void @em.release(ptr %arena, ptr %mark)
  ret void
}
"""
)
_library = None


def functions():
    global _library
    if _library is None:
        _library = jit.Library.load(
            [jit.compile_object(TEXT)], ["take", "mark", "release"], symbols=support.arena_symbols()
        )
    pointer = ctypes.c_void_p
    take = exits.guarded(_library.address("take"), pointer, [pointer, ctypes.c_int64], "ptr", ["ptr", "i64"])
    mark = ctypes.CFUNCTYPE(pointer, pointer)(_library.address("mark"))
    release = ctypes.CFUNCTYPE(None, pointer, pointer)(_library.address("release"))
    return take, mark, release


@pytest.fixture
def tape():
    """(take, mark, release, address) on a fresh arena of this thread."""
    arena.trim()
    arena.set_limit(1 << 33)
    arena.reset_statistics()
    yield (*functions(), arena.current())
    arena.release(None)
    arena.set_limit(1 << 33)


def test_blocks_are_aligned_disjoint_and_writable(tape):
    take, _, _, address = tape
    sizes = [1, 63, 64, 65, 8, 100_000, 7, 3_000_000, 24]
    blocks = [(take(address, size), size) for size in sizes]
    for index, (block, size) in enumerate(blocks):
        assert block % 64 == 0
        ctypes.memset(block, index + 1, size)
    for index, (block, size) in enumerate(blocks):
        assert ctypes.string_at(block, size) == bytes([index + 1]) * size


def test_counts_are_exact(tape):
    take, mark, release, address = tape
    start = mark(address)
    for size in (8, 64, 65, 1_000_000, 200):
        take(address, size)
    expected = 64 + 64 + 128 + 1_000_000 + 256
    assert arena.statistics().in_use == expected
    release(address, start)
    seen = arena.statistics()
    assert (seen.in_use, seen.peak, seen.total) == (0, expected, expected)


def test_nested_marks_release_in_reverse_order(tape):
    take, mark, release, address = tape
    generator = random.Random(3)
    marks: list[tuple[int, int]] = []
    live = 0
    for _ in range(3000):
        if marks and generator.random() < 0.45:
            place, before = marks.pop()
            release(address, place)
            live = before
        else:
            marks.append((mark(address), live))
            size = generator.choice([1, 64, 500, 4096, 70_000])
            take(address, size)
            live += (size + 63) & -64
        assert arena.statistics().in_use == live


def test_steady_state_asks_the_system_for_nothing(tape):
    take, mark, release, address = tape

    def call() -> None:
        start = mark(address)
        for _ in range(100):
            take(address, 50_000)
        release(address, start)

    for _ in range(3):
        call()
    arena.reset_statistics()
    for _ in range(20):
        call()
    seen = arena.statistics()
    assert seen.peak == 100 * 50_048
    assert seen.chunks == 0


def test_what_was_needed_once_is_one_chunk_then(tape):
    """Small blocks, then one for which the largest chunk so far has no room beside them."""
    take, mark, release, address = tape
    asked = []
    for _ in range(4):
        before, start = arena.statistics().chunks, mark(address)
        for _ in range(30):
            take(address, 15_000)
        take(address, 1_600_000)
        release(address, start)
        asked.append(arena.statistics().chunks - before)
    assert asked[0] > 2
    assert asked[1:] == [1, 0, 0]


def test_limit_is_exact(tape):
    take, mark, release, address = tape
    arena.set_limit(1 << 20)
    start = mark(address)
    take(address, (1 << 20) - 64)
    take(address, 64)
    with pytest.raises(ExecutionError, match="tape limit") as caught:
        take(address, 1)
    assert caught.value.code == "EM404"
    release(address, start)
    for _ in range(1 << 14):
        take(address, 64)
    with pytest.raises(ExecutionError):
        take(address, 64)


@pytest.mark.parametrize("size", [-1, -64, 1 << 62, (1 << 63) - 1])
def test_absurd_sizes_reach_the_limit_not_the_memory(tape, size):
    take, _, _, address = tape
    take(address, 100)
    with pytest.raises(ExecutionError) as caught:
        take(address, size)
    assert caught.value.code == "EM404"
    assert arena.statistics().in_use == 128


def test_zero_bytes_take_nothing(tape):
    take, _, _, address = tape
    take(address, 64)
    take(address, 0)
    assert arena.statistics().in_use == 64


def test_each_thread_has_its_own(tape):
    take, _, _, address = tape
    take(address, 640)
    other: list[tuple[int, int]] = []

    def work() -> None:
        mine = arena.current()
        functions()[0](mine, 128)
        other.append((mine, arena.statistics().in_use))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert other[0][0] != address
    assert other[0][1] == 128
    assert arena.statistics().in_use == 640
