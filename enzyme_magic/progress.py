"""What takes more than a second says so, in one line that vanishes when it is over.

    with step("compiling cell 3"):
        with part("clang"): ...

Invariant: nothing is shown but in a terminal and in a notebook, nothing before a second has passed, and nothing stays. Of steps
within each other the outermost is shown, with the part that is going on. What is shown decides nothing, and what cannot be shown
is left out: no error comes from here. The thread that writes the line lives while there are steps and two seconds longer.

It does not end anything: what can be interrupted is so without it.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import os
import shutil
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

DELAY = 1.0  # seconds before a step is worth a line
EVERY = 0.5  # seconds between two lines
LOOK = 0.1  # seconds until the writer looks again
IDLE = 2.0  # seconds that it waits for another step
LINE = 2.5e-3  # seconds that a line of C takes; benchmarks and docs/performance.md say how long cells take
ANNOUNCED = 60.0  # seconds from which on an estimate is said at once


class step:
    """Something that may take long, in a word or two: "compiling cell 3". seconds: how long it is expected to take, where that
    is known."""

    def __init__(self, words: str, seconds: float = 0.0) -> None:
        self.words, self.seconds = words, seconds
        self._entered: list[_Step] = []

    def __enter__(self) -> None:
        if _wanted():
            made = _Step(self.words, self.seconds, _line.inside())
            self._entered.append(made)
            try:
                _line.begin(made)
            except BaseException:
                _line.end(made)
                raise

    def __exit__(self, *_: object) -> None:
        if self._entered:
            _line.end(self._entered.pop())


@contextlib.contextmanager
def part(words: str) -> Iterator[None]:
    """What is going on in the step of this thread."""
    with step(words) if _line.inside() is not None else contextlib.nullcontext():
        yield


def shown(words: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """For functions whose first argument has a name, a step of these words: "the plan of {}"."""

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def called(*args: P.args, **named: P.kwargs) -> R:
            __tracebackhide__ = True
            with step(words.format(getattr(args[0] if args else None, "name", "a function"))):
                return function(*args, **named)

        return called

    return decorated


def estimate(texts: Iterable[str]) -> float:
    """Seconds that compiling C takes, from the lines that say something."""
    return LINE * sum(bool(line.strip()) for text in texts for line in text.splitlines())


class _Screen(Protocol):
    """Where the line is. `show` replaces what it showed before; "" takes it away."""

    def show(self, text: str) -> None: ...


class _Terminal:
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def show(self, text: str) -> None:
        width = max(shutil.get_terminal_size().columns - 1, 20)
        self._stream.write(f"\r\x1b[2K{text if len(text) <= width else text[: width - 3] + '...'}")
        self._stream.flush()


class _Notebook:
    """A display that is written anew; an empty one has no height."""

    def __init__(self, shell: Any) -> None:
        self._publisher = shell.display_pub
        self._name = uuid.uuid4().hex
        self._shown = False

    def show(self, text: str) -> None:
        import html

        page = f'<span style="opacity:0.7">{html.escape(text)}</span>' if text else ""
        data = {"text/html": page, "text/plain": text}
        self._publisher.publish(data=data, transient={"display_id": self._name}, update=self._shown)
        self._shown = True


def _shell() -> Any:
    """The notebook's kernel, if this process is one. IPython is not imported for it: if it runs, it is there."""
    running = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = running() if running is not None else None
    return shell if getattr(shell, "kernel", None) is not None else None


def _screen() -> _Screen | None:
    shell = _shell()
    if shell is not None:
        return _Notebook(shell)
    with contextlib.suppress(Exception):
        if sys.stderr.isatty() and os.isatty(sys.stderr.fileno()):
            return _Terminal(sys.stderr)
    return None


@cache
def _wanted() -> bool:
    """Whether anybody could read a line, of this process."""
    return _screen() is not None


class _Step:
    __slots__ = ("above", "context", "innermost", "outermost", "over", "seconds", "start", "thread", "words")

    def __init__(self, words: str, seconds: float, above: _Step | None) -> None:
        self.words, self.seconds, self.above = words, seconds, above
        self.start = time.monotonic()
        self.thread = threading.get_ident()
        self.over = False
        self.outermost: _Step = self if above is None else above.outermost
        self.innermost: _Step = self  # of an outermost one: what is going on
        self.context = contextvars.copy_context() if above is None else None  # a kernel knows the cell by it


class _Line:
    """The outermost steps of all threads, and the thread that shows the oldest one. It looks for itself: to wake it for each step
    would cost more than most steps take."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._steps: list[_Step] = []
        self._here = threading.local()
        self._writes = False
        self._screen: _Screen | None = None
        self._shown: _Step | None = None
        self._written = 0.0

    def inside(self) -> _Step | None:
        """The step that this thread is in."""
        found: _Step | None = getattr(self._here, "step", None)
        return found

    def begin(self, made: _Step) -> None:
        self._here.step = made.outermost.innermost = made
        if made.above is None:
            with self._lock:
                # one of this thread is left over where an interrupt came between two of our lines
                self._steps = [*(step for step in self._steps if step.thread != made.thread), made]
                if not self._writes:
                    threading.Thread(target=self._write, name="enzyme_magic progress", daemon=True).start()
                    self._writes = True

    def end(self, ended: _Step) -> None:
        ended.over = True
        self._here.step = ended.above
        if ended.above is not None:
            ended.outermost.innermost = ended.above
        elif self._shown is ended:
            with self._lock:
                self._look()

    def _write(self) -> None:
        last = time.monotonic()
        while True:
            time.sleep(LOOK)
            with self._lock:
                self._look()
                now = time.monotonic()
                last = now if self._steps else last
                if now > last + IDLE:
                    self._writes = False
                    return

    def _look(self) -> None:
        self._steps = [step for step in self._steps if not step.over]
        if self._shown is not None and self._shown.over:
            self._put("", self._shown)
            self._shown = None
        now = time.monotonic()
        first = next(iter(self._steps), None)
        if first is None or (now < first.start + DELAY and first.seconds < ANNOUNCED):
            return
        if self._shown is None:
            self._shown, self._screen, self._written = first, _screen(), 0.0
        if now >= self._written + EVERY:
            self._written = now
            self._put(_text(first, now - first.start), first)

    def _put(self, text: str, of: _Step) -> None:
        if self._screen is None or of.context is None:
            return
        with contextlib.suppress(Exception):  # a stream that is closed, a kernel that ends
            of.context.copy().run(self._screen.show, text)


def _text(step: _Step, seconds: float) -> str:
    doing = step.innermost
    words = step.words if doing is step else f"{step.words}: {doing.words}"
    expected = f" of about {spelled(step.seconds)}" if step.seconds >= ANNOUNCED / 6 else ""
    return f"enzyme_magic: {words}, {seconds:.0f} s{expected}; interrupt any time"


def spelled(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 90:
        return f"{max(round(seconds / 10), 1) * 10} s"
    return f"{round(seconds / 60)} minutes"


_line = _Line()


def _after_fork() -> None:
    """The child has no writer, and what the parent does is not its own."""
    global _line
    _line = _Line()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
