"""The worker as its owner sees it: started, asked, watched, ended.

Invariant: a request ends with its answer, or with an error and a worker that is gone: nothing of one call is taken for another's.
What the worker prints is written to sys.stdout and sys.stderr while it runs. Answers are read as numbers and JSON, because a
process whose memory C code has damaged may send anything.

Which functions there are and how their arguments get there: remote.py.
"""

from __future__ import annotations

import codecs
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

from enzyme_magic.backend.runtime import stops
from enzyme_magic.backend.runtime.isolation import shared
from enzyme_magic.backend.runtime.isolation.protocol import DONE, HEADER, RAISED, SPOILED
from enzyme_magic.config import settings
from enzyme_magic.errors import EnzymeError, ExecutionError, InterruptedCall, Span, ToolchainError

_CHILD = (
    "import json, sys; head = json.loads(sys.argv[1]); sys.path[:] = head['path']; "
    "from enzyme_magic.backend.runtime.isolation import serve; serve.run(head)"
)
_START_SECONDS, _END_SECONDS = 120.0, 30.0
_CHUNK, _TAIL = 1 << 16, 400
_NOTE = (
    "the worker process is replaced: variables of the program start anew, arrays in shared memory may be partly written"
)


class Worker:
    """One process. `alive` until it has ended; then another one is made."""

    def __init__(self) -> None:
        """ToolchainError EM153 where it does not start."""
        region = shared.region()
        self.alive = True
        self.place: Any = None  # of the latest fault, as the worker says
        self._line, theirs = socket.socketpair()
        self._out = _Stream("stdout")
        self._words = _Stream("stderr")
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
        self._exchange(None, "the start of the worker process", time.monotonic() + _START_SECONDS)

    def call(self, number: int, name: str) -> None:
        """Run the function with this number. ExecutionError for all that can happen to it."""
        self._check_limit()
        self._exchange(HEADER.pack(number, 0), name)

    def ask(self, what: int, asked: dict[str, Any], name: str) -> None:
        """Load something, or make a function known."""
        data = pickle.dumps(asked)
        self._exchange(HEADER.pack(what, len(data)) + data, name)

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

    def _exchange(self, request: bytes | None, name: str, until: float | None = None) -> None:
        """A request and its answer. Whatever comes in between ends the worker: its answer would be taken for the next one's."""
        try:
            if request is not None:
                self._send(request, name)
            while not self._turn(name, until):
                pass
        except EnzymeError:
            raise
        except KeyboardInterrupt:
            raise self._interrupted(name) from None
        except BaseException:
            self.end()
            raise

    def _send(self, data: bytes, name: str) -> None:
        try:
            self._line.sendall(data)
        except OSError:
            raise self._died(name) from None

    def _turn(self, name: str, until: float | None) -> bool:
        """Wait for one thing to happen; whether it was a good answer."""
        deadline = stops.deadline() if until is None else until
        found = self._poll.poll(None if deadline is None else max((deadline - time.monotonic()) * 1e3, 0.0))
        if not found:
            if until is not None:
                self.end()
                raise ToolchainError(f"{name} took more than {_START_SECONDS:.0f} s", code="EM153")
            if time.monotonic() >= (deadline or 0.0):
                raise self._late()
            return False
        ready = {descriptor for descriptor, _ in found}
        for stream in (self._out, self._words):
            if stream.reading in ready and not stream.carry():
                self._poll.unregister(stream.reading)
        if self._line.fileno() in ready:
            return self._answer(name)
        if self._gone in ready:
            raise self._died(name)
        return False

    def _answer(self, name: str) -> bool:
        head = self._read(HEADER.size)
        if head is None:
            raise self._died(name)
        status, size = HEADER.unpack(head)
        if status == DONE and size == 0:
            return True
        data = self._read(size) if status in (RAISED, SPOILED) and 0 < size < 1 << 20 else None
        told = _told(data)
        self.place = told.get("place") if told is not None else None
        if status == SPOILED or told is None:
            self.end()
        if told is None:
            raise self._died(name)
        raise _error(told, spoiled=status == SPOILED)

    def _read(self, size: int) -> bytes | None:
        data = b""
        while len(data) < size:
            try:
                more = self._line.recv(size - len(data))
            except ConnectionError:
                return None
            if not more:
                return None
            data += more
        return data

    def _died(self, name: str) -> ExecutionError:
        """What ended it."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_END_SECONDS)
        status = self.process.poll()
        for stream in (self._out, self._words):
            stream.carry_all()
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

    def _check_limit(self) -> None:
        deadline = stops.deadline()
        if deadline is not None and time.monotonic() >= deadline:
            raise stops.limit_error()


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
        return "the worker process does not answer"
    if status == -signal.SIGKILL:
        return "the system ended the worker process, as it does when memory runs out"
    if status < 0:
        return f"{signal.Signals(-status).name} ended the worker process, outside of the program's own instructions"
    return f"the worker process ended with status {status}"


def _told(data: bytes | None) -> dict[str, Any] | None:
    try:
        told = json.loads(data or b"")
    except ValueError:
        return None
    return told if isinstance(told, dict) and isinstance(told.get("message"), str) else None


def _error(told: dict[str, Any], *, spoiled: bool) -> EnzymeError:
    kinds = {cls.__name__: cls for cls in _subclasses(EnzymeError)}
    kind = kinds.get(told.get("class", ""), ExecutionError)
    span = Span(str(told["file"]), int(told["line"])) if "file" in told and "line" in told else None
    return kind(told["message"], code=told.get("code"), hint=_NOTE if spoiled else told.get("hint"), span=span)


def _subclasses(cls: type[EnzymeError]) -> list[type[EnzymeError]]:
    return [cls, *(below for sub in cls.__subclasses__() for below in _subclasses(sub))]


class _Stream:
    """What the worker writes to one of its descriptors, on its way to sys.stdout or sys.stderr."""

    def __init__(self, name: str) -> None:
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.reading, False)
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._tail = ""

    def close_writing(self) -> None:
        os.close(self.writing)

    def carry(self) -> bool:
        """Hand on what is there; False at its end."""
        while True:
            try:
                data = os.read(self.reading, _CHUNK)
            except BlockingIOError:
                return True
            if not data:
                return False
            self._write(self._decoder.decode(data))
            if len(data) < _CHUNK:
                return True

    def carry_all(self) -> None:
        with contextlib.suppress(OSError):
            self.carry()

    def _write(self, text: str) -> None:
        self._tail = (self._tail + text)[-_TAIL:]
        stream = getattr(sys, self._name)
        if text and stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.write(text)

    def last_line(self) -> str:
        lines = self._tail.strip().splitlines()
        return lines[-1] if lines else ""

    def close(self) -> None:
        os.close(self.reading)


def _end(
    process: subprocess.Popen[bytes], line: socket.socket, life: int, gone: int, streams: tuple[_Stream, ...]
) -> None:
    """The worker is killed, with the processes that its code has started."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    _close(line, life, gone, streams)


def _close(line: socket.socket, life: int, gone: int, streams: tuple[_Stream, ...]) -> None:
    line.close()
    for descriptor in (life, gone):
        if descriptor >= 0:
            os.close(descriptor)
    for stream in streams:
        stream.close()
