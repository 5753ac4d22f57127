"""The line about what takes long: where it is shown, what it says, and that nothing of it stays."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

import enzyme_magic as em
from enzyme_magic import progress

PATIENCE = 60  # seconds


class Screen:
    """Remembers what was shown, and tells who waits for it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.changed = threading.Condition()

    def show(self, text: str) -> None:
        with self.changed:
            self.lines.append(text)
            self.changed.notify_all()

    def wait_for(self, words: str) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: any(words in line for line in self.lines), PATIENCE), self.lines


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    made = Screen()
    monkeypatch.setattr(progress, "_screen", lambda: made)
    monkeypatch.setattr(progress, "_wanted", lambda: True)
    monkeypatch.setattr(progress, "_line", progress._Line())
    for name in ("DELAY", "EVERY", "LOOK", "IDLE"):
        monkeypatch.setattr(progress, name, 0.001)
    yield made
    assert made.lines[-1:] in ([], [""])


def test_the_outermost_step_with_its_part(screen: Screen) -> None:
    with progress.step("compiling a cell", 250.0):
        screen.wait_for("compiling a cell, 0 s of about 4 minutes; interrupt any time")
        with progress.step("clang"), progress.part("reading"):
            screen.wait_for("compiling a cell: reading")
    assert screen.lines[-1] == ""


def test_an_interrupt_takes_it_away(screen: Screen) -> None:
    @progress.shown("compiling {}")
    def interrupted(cell: object) -> None:
        screen.wait_for("compiling a function")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted(None)
    assert screen.lines[-1] == ""
    with progress.step("another"):
        screen.wait_for("another")


def test_a_part_alone_is_no_step(screen: Screen) -> None:
    with progress.part("clang"):
        assert progress._line.inside() is None


def test_other_threads_have_steps_of_their_own(screen: Screen) -> None:
    end = threading.Event()

    def work() -> None:
        with progress.step("the other"):
            end.wait(PATIENCE)

    with progress.step("this"):
        other = threading.Thread(target=work)
        other.start()
        screen.wait_for("this")
    screen.wait_for("the other")
    end.set()
    other.join()


def test_what_takes_long_is_told(screen: Screen) -> None:
    told: list[str] = []
    seen = progress._Line.begin
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress._Line, "begin", lambda line, made: (told.append(made.words), seen(line, made))[1])
        f = em.compile_c("double f(double x) { return x * x; }", name="a cell", force=True).f
        f.grad(2.0)
        f.map([1.0])
        em.check_grads(f, (2.0,))
        f.plan()
        f.passes()
    for words in ("compiling a cell", "clang", "the derivative of f", "f.map", "check_grads of f", "the plan of f"):
        assert words in told
    assert "the passes of f" in told


@pytest.mark.parametrize(
    ("seconds", "words"), [(12.0, "10 s"), (64.0, "60 s"), (250.0, "4 minutes"), (3.0, "10 s"), (89.0, "90 s")]
)
def test_times_as_people_say_them(seconds: float, words: str) -> None:
    assert progress.spelled(seconds) == words


def test_a_hundred_thousand_lines_take_minutes() -> None:
    assert progress.spelled(progress.estimate(["x = 1;\n\n" * 100_000])) == "4 minutes"


CHILD = """
import time
from enzyme_magic import progress
progress.DELAY = progress.LOOK = 0.001
with progress.step("compiling"):
    deadline = time.monotonic() + (60 if progress._wanted() else 0.2)
    while progress._line._shown is None and time.monotonic() < deadline:
        time.sleep(0.01)
"""


def test_a_terminal_has_a_line_that_vanishes_and_a_pipe_has_none() -> None:
    quiet = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, timeout=300, check=True)
    assert (quiet.stdout, quiet.stderr) == (b"", b"")
    ours, its = os.openpty()
    try:
        subprocess.run([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, stderr=its, timeout=300, check=True)
        said = os.read(ours, 1 << 16)
    finally:
        os.close(ours)
        os.close(its)
    assert said.startswith(b"\r\x1b[2Kenzyme_magic: compiling, 0 s; interrupt any time")
    assert said.endswith(b"\r\x1b[2K")
