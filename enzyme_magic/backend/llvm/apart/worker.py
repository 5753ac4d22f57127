"""One warm process that does LLVM's work: a text in, a text or object code out.

LLVM cannot be stopped in this process, and it stops the whole process at what it thinks cannot be. Invariant: a worker that dies,
that takes too long, or whose answer nobody waits for any more (an interrupt) is ended, which is an error or the interrupt here,
and the next text gets another one. It ends with this process, has a limit of memory, and writes nothing. It does what this
process would do: the same functions with the same options for the same processor.

What it can do is in `serving`. Which texts go there is decided by those who call `work`: `wanted`, and `rehearsal`.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import selectors
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from typing import IO, Any

from enzyme_magic.backend.llvm.apart import quick
from enzyme_magic.backend.llvm.objects import tuning
from enzyme_magic.errors import EnzymeError, Span, ToolchainError

_CHILD = (
    "import json, sys; head = json.loads(sys.stdin.buffer.readline()); sys.path[:] = head['path']; "
    "from enzyme_magic.backend.llvm.apart import serving; serving.serve()"
)
SECONDS = 120.0  # for any text, and again for each megabyte
_LARGEST = 1 << 30  # bytes: a worker that has taken more is not kept
_TELLING = re.compile(r"LLVM ERROR|Assertion|error:|ERROR")
_ASKED = re.compile(r'!"llvm\.loop\.(?:distribute|interleave|unroll_and_jam|vectorize|unroll\.(?:count|enable|full))')
_HINTS = {"emit": "inline assembly and processor intrinsics must be ones that this CPU's assembler knows"}
_HINT = "leave out what is unusual: attributes, options and intrinsics that the program can do without"


def wanted(text: str) -> bool:
    """Whether LLVM's work on the text is for a worker: it may take long or writes to stderr, and this process is none."""
    return not _is_one and (not quick.is_quick(text) or asks_of_loops(text))


def asks_of_loops(text: str) -> bool:
    """Whether the program asks for loops to be vectorized, unrolled, … (`#pragma clang loop`, `#pragma unroll`). Where LLVM cannot,
    it says so on stderr, of each loop in every run of its passes; also before differentiation, where it does none of that."""
    return "!llvm.loop" in text and _ASKED.search(text) is not None


def work(operation: str, text: str, **options: Any) -> bytes:
    """What `operation` gives for the text. Raises what LLVM says of it (InternalError EM910 to EM912, UnsupportedIRError), or
    ToolchainError EM125 where the worker did not survive or did not finish."""
    return _worked(operation, text, options)[0]


def words(operation: str, text: str, **options: Any) -> str:
    """What LLVM writes to stderr in the same work, which is dropped. Raises as `work` does."""
    return _worked(operation, text, options)[1]


def _worked(operation: str, text: str, options: dict[str, Any]) -> tuple[bytes, str]:
    head = {"operation": operation, "options": options, "cpu": tuning.chosen()}
    with _lock:
        try:
            current = _current()
            answer, data = current.ask(head, text)
            said = current.said()
        except BaseException:
            _end()
            raise
        if answer["memory"] > _LARGEST:
            _end()
    if "class" in answer:
        raise _error(answer)
    return data, said


def this_is_one() -> None:
    """All of LLVM's work is done in this process from now on: it is such a process itself."""
    global _is_one
    _is_one = True


def _error(answer: dict[str, Any]) -> EnzymeError:
    kinds = {cls.__name__: cls for cls in _subclasses(EnzymeError)}
    span = Span(*answer["span"]) if answer["span"] else None
    return kinds[answer["class"]](answer["message"], code=answer["code"], hint=answer["hint"], span=span)


def _subclasses(cls: type[EnzymeError]) -> list[type[EnzymeError]]:
    return [cls, *(below for sub in cls.__subclasses__() for below in _subclasses(sub))]


@dataclass(frozen=True, slots=True)
class _Worker:
    process: subprocess.Popen[bytes]
    words: IO[bytes]  # what it writes to stderr

    @classmethod
    def start(cls) -> _Worker:
        words = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `end`)
        try:
            process = subprocess.Popen(
                [sys.executable, "-c", _CHILD],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=words,
                start_new_session=True,  # an interrupt of the terminal is ours
            )
        except OSError as error:
            words.close()
            raise ToolchainError(f"LLVM's worker cannot be started: {error}", code="EM125") from error
        started = cls(process, words)
        started._send({"path": sys.path}, b"", "")
        return started

    def ask(self, head: dict[str, Any], text: str) -> tuple[dict[str, Any], bytes]:
        data = text.encode("utf-8", "surrogatepass")
        self.words.seek(0)
        self.words.truncate()
        seconds = SECONDS * (1 + len(data) / (1 << 20))
        deadline = time.monotonic() + seconds
        self._send({**head, "bytes": len(data)}, data, head["operation"])
        try:
            answer: dict[str, Any] = json.loads(self._line(deadline))
            return answer, self._read(int(answer["bytes"]), deadline)
        except TimeoutError:
            raise ToolchainError(f"LLVM did not finish within {seconds:.0f} s", code="EM125", hint=_HINT) from None
        except EOFError:
            raise self._died(head["operation"]) from None

    def _send(self, head: dict[str, Any], data: bytes, operation: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(head).encode() + b"\n" + data)
            self.process.stdin.flush()
        except OSError:
            raise self._died(operation) from None

    def _line(self, deadline: float) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            line += self._read(1, deadline)
        return line

    def _read(self, count: int, deadline: float) -> bytes:
        assert self.process.stdout is not None
        parts = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while len(parts) < count:
                if not selector.select(max(deadline - time.monotonic(), 0.0)):
                    raise TimeoutError
                found = os.read(self.process.stdout.fileno(), count - len(parts))
                if not found:
                    raise EOFError
                parts += found
        return bytes(parts)

    def said(self) -> str:
        self.words.seek(0)
        return self.words.read().decode(errors="replace")

    def _died(self, operation: str) -> ToolchainError:
        self.process.kill()
        status = self.process.wait()
        lines = self.said().strip().split("\n")
        telling = [line for line in lines if _TELLING.search(line)] or lines[-1:]
        return ToolchainError(
            f"LLVM cannot compile this program: {telling[-1].strip() or f'it ended with status {status}'}",
            code="EM125",
            hint=_HINTS.get(operation, _HINT),
        )

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.words):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()


_lock = threading.Lock()
_workers: list[_Worker] = []
_is_one = False


def _current() -> _Worker:
    if not _workers:
        _workers.append(_Worker.start())
    return _workers[0]


def _end() -> None:
    while _workers:
        _workers.pop().end()


atexit.register(_end)


def _after_fork() -> None:
    """The worker is the parent's."""
    for worker in _workers:
        worker.process.returncode = 0  # nothing to wait for here
    _workers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
    os.register_at_fork(after_in_child=_after_fork)
