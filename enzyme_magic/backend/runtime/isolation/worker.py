"""The worker as its owner sees it: started, asked, watched, ended.

Invariant: a request ends with its answer, or with an error and a worker that is gone: nothing of one call is taken for another's.
What the worker prints is written to sys.stdout and sys.stderr while it runs (streams.py); what it answers may be anything
(answers.py).

Which functions there are and how their arguments get there: remote.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

from enzyme_magic.backend.runtime import stops, waits
from enzyme_magic.backend.runtime.isolation import shared
from enzyme_magic.backend.runtime.isolation.answers import Unreadable, answer_in
from enzyme_magic.backend.runtime.isolation.protocol import HEADER
from enzyme_magic.backend.runtime.isolation.streams import Stream
from enzyme_magic.backend.runtime.waits import Waiting
from enzyme_magic.config import settings
from enzyme_magic.errors import EnzymeError, ExecutionError, InterruptedCall, ToolchainError

_CHILD = (
    "import json, sys; head = json.loads(sys.argv[1]); sys.path[:] = head['path']; "
    "from enzyme_magic.backend.runtime.isolation import serve; serve.run(head)"
)
_START_SECONDS, _END_SECONDS = 120.0, 5.0
_CHUNK = 1 << 12
_NOTE = (
    "the worker process is replaced: variables of the program start anew, arrays in shared memory may be partly written"
)


class Worker:
    """One process. `alive` until it has ended; then another one is made."""

    def __init__(self, wait: Waiting) -> None:
        """ToolchainError EM153 where it does not start."""
        region = shared.region()
        self.alive = True
        self._mark = int.from_bytes(os.urandom(7))  # of the latest request
        self.place: Any = None  # of the latest fault, as the worker says
        self._line, theirs = socket.socketpair()
        self._out = Stream("stdout")
        self._words = Stream("stderr")
        life, self._life = os.pipe()
        head = {
            "path": sys.path,
            "line": theirs.fileno(),
            "life": life,
            "file": region.file,
            "start": region.start,
            "size": region.end - region.start,
            "memory": _memory(),
            "parent": os.getpid(),
            "mark": self._mark,
            "main": threading.current_thread() is threading.main_thread(),
        }
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _CHILD, json.dumps(head)],
                stdin=subprocess.DEVNULL,
                stdout=self._out.writing,
                stderr=self._words.writing,
                pass_fds=(theirs.fileno(), life, region.file),
                start_new_session=True,  # an interrupt of the terminal is ours
            )
        except OSError as error:
            raise ToolchainError(f"a worker process cannot be started: {error}", code="EM153") from error
        finally:
            theirs.close()
            os.close(life)
            self._out.close_writing()
            self._words.close_writing()
        self._poll = select.poll()
        self._gone = _end_of(self.process.pid)  # its own children may keep the line open
        for descriptor in (self._line.fileno(), self._out.reading, self._words.reading, self._gone):
            if descriptor >= 0:
                self._poll.register(descriptor, select.POLLIN)
        streams = (self._out, self._words)
        self._ended = weakref.finalize(self, _end, self.process, self._line, self._life, self._gone, streams)
        self._line.setblocking(False)
        self._held = bytearray()  # of an answer that is not complete
        try:
            self._await_start(wait)
        except KeyboardInterrupt:
            raise self._interrupted("the start of the worker process") from None

    def call(self, number: int, name: str, wait: Waiting) -> None:
        """Run the function with this number. ExecutionError for all that can happen to it."""
        if wait.is_late:
            raise stops.limit_error()
        self._exchange(number, b"", name, wait)

    def ask(self, what: int, asked: dict[str, Any], name: str, wait: Waiting) -> None:
        """Load something, or make a function known."""
        self._exchange(what, pickle.dumps(asked), name, wait)

    def end(self) -> None:
        """Kill it."""
        self.alive = False
        self._ended()

    def forget(self) -> None:
        """In a forked child: the worker is the parent's."""
        self.alive = False
        self._ended.detach()
        self.process.returncode = 0  # nothing to wait for here
        _close(self._line, self._life, self._gone, (self._out, self._words))

    def _exchange(self, what: int, data: bytes, name: str, wait: Waiting) -> None:
        """A request and its answer. Whatever comes in between ends the worker: its answer would be taken for the next one's."""
        self._mark += 1
        try:
            self._send(HEADER.pack(what, self._mark, len(data)) + data, name, wait)
            self._await(name, wait)
        except EnzymeError:
            raise
        except KeyboardInterrupt:
            raise self._interrupted(name) from None
        except BaseException:
            self.end()
            raise

    def _send(self, data: bytes, name: str, wait: Waiting) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[self._line.send(rest) :]
            except BlockingIOError:
                self._look(name, wait)
                ready = select.poll()
                ready.register(self._line, select.POLLOUT)
                ready.poll(wait.seconds() * 1e3)
            except OSError:
                raise self._died(name) from None

    def _await(self, name: str, wait: Waiting) -> None:
        while not self._turn(name, wait.seconds()):
            self._look(name, wait)

    def _await_start(self, wait: Waiting) -> None:
        """However short the limit of this call is, the next one needs the worker, too."""
        name, until = "the start of the worker process", time.monotonic() + _START_SECONDS
        while not self._turn(name, waits.SECONDS):
            if wait.is_interrupted:
                raise self._interrupted(name)
            if time.monotonic() >= until:
                self.end()
                raise ToolchainError(f"{name} took more than {_START_SECONDS:.0f} s", code="EM153")

    def _look(self, name: str, wait: Waiting) -> None:
        """End the call where that is due."""
        if wait.is_interrupted:
            raise self._interrupted(name)
        if wait.is_late:
            raise self._late()

    def _turn(self, name: str, seconds: float) -> bool:
        """Wait for one thing to happen; whether it was a good answer."""
        ready = {descriptor for descriptor, _ in self._poll.poll(seconds * 1e3)}
        for stream in (self._out, self._words):
            if stream.reading in ready and not stream.carry():
                self._poll.unregister(stream.reading)
        if self._line.fileno() in ready:
            return self._answer(name)
        if self._gone in ready:
            raise self._died(name)
        return False

    def _answer(self, name: str) -> bool:
        try:
            more = self._line.recv(_CHUNK)
        except BlockingIOError:
            return False
        except ConnectionError:
            more = b""
        if not more:
            raise self._died(name)
        self._held += more
        try:
            answer = answer_in(self._held, self._mark)
        except Unreadable:
            raise self._unreadable(name) from None
        if answer is False:
            return False
        self._held.clear()
        if answer is True:
            return True
        self.place = answer.place
        if answer.spoiled:
            self.end()
            answer.error.hint = _NOTE
        raise answer.error

    def _unreadable(self, name: str) -> ExecutionError:
        self.end()
        return ExecutionError(
            f"{name}: the worker process gave an answer that cannot be read: C code has written into its memory or its line",
            code="EM411",
            hint=_NOTE,
        )

    def _died(self, name: str) -> ExecutionError:
        """What ended it."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_END_SECONDS)
        status = self.process.poll()
        for stream in (self._out, self._words):
            with contextlib.suppress(OSError):
                stream.carry()
        words = self._words.last_line()
        self.end()
        return ExecutionError(f"{name}: {_ending(status)}{f': {words}' if words else ''}", code="EM411", hint=_NOTE)

    def _interrupted(self, name: str) -> InterruptedCall:
        self.end()
        return InterruptedCall(f"{name} was interrupted", code="EM412", hint=_NOTE)

    def _late(self) -> ExecutionError:
        self.end()
        error = stops.limit_error()
        return ExecutionError(error.message, code=error.code, hint=f"{error.hint}; {_NOTE}")


def _end_of(process: int) -> int:
    """A descriptor that is ready when the process has ended; -1 where the system has none: then the end of the line tells."""
    try:
        return os.pidfd_open(process)
    except (AttributeError, OSError):
        return -1


def _memory() -> int:
    """Bytes a worker may take."""
    wanted = settings().isolate_memory
    return wanted or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _ending(status: int | None) -> str:
    if status is None:
        return "the worker process has closed the line over which it answers"
    if status == -signal.SIGKILL:
        return "the system ended the worker process, as it does when memory runs out"
    if status < 0:
        return f"{_signal_name(-status)} ended the worker process, outside of the program's own instructions"
    return f"the worker process ended with status {status}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # most of the real-time signals
        return f"signal {number}"


def _end(
    process: subprocess.Popen[bytes], line: socket.socket, life: int, gone: int, streams: tuple[Stream, ...]
) -> None:
    """The worker is killed, with the processes that its code has started."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    _close(line, life, gone, streams)


def _close(line: socket.socket, life: int, gone: int, streams: tuple[Stream, ...]) -> None:
    line.close()
    for descriptor in (life, gone):
        if descriptor >= 0:
            os.close(descriptor)
    for stream in streams:
        stream.close()
