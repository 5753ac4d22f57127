"""LLVM's work on a text that may end the process, done first in a process of its own.

LLVM stops the whole process at what it thinks cannot be: a broken module with debug info, a type that its code generator does not
know. Invariant: what `rehearse` gives back has been parsed, verified, optimized and compiled once by the same LLVM with the same
options in a worker, so that it can be done here. A worker that dies or takes too long is an error and the next text gets another
one. It ends with this process, has a limit of memory, and writes nothing.

The worker is this module again (`serve`): a line of JSON and a text in, a line of JSON and a text out. Whose texts need it is the
caller's decision, with `is_unusual` for C.
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

from enzyme_magic.backend.llvm import binding, optimize
from enzyme_magic.backend.llvm.objects import codegen, tuning
from enzyme_magic.errors import EnzymeError, ToolchainError

_CHILD = (
    "import json, sys; head = json.loads(sys.stdin.buffer.readline()); sys.path[:] = head['path']; "
    "from enzyme_magic.backend.llvm import rehearsal; rehearsal.serve()"
)
_SECONDS = 120.0
_MEMORY = 6 << 30
_TELLING = re.compile(r"LLVM ERROR|Assertion|error:|ERROR")

# Intrinsics that clang writes for ordinary C, and that every code generator knows.
_ORDINARY = re.compile(
    r"(?:abs|annotation|assume|bitreverse|bswap|canonicalize|ceil|copysign|cos|ctlz|ctpop|cttz|dbg|donothing|eh|exp|exp10|exp2|expect|fabs|"
    r"floor|fma|fmuladd|fptosi|fptoui|frameaddress|frexp|fshl|fshr|invariant|is|launder|ldexp|lifetime|llrint|llround|log|log10|log2|lrint|lround|"
    r"maxnum|maximum|memcpy|memmove|memset|minnum|minimum|nearbyint|objectsize|pow|powi|prefetch|ptr|returnaddress|rint|round|roundeven|sadd|sin|"
    r"sincos|smax|smin|smul|sqrt|sshl|ssub|sideeffect|stackrestore|stacksave|strip|tan|trap|trunc|uadd|ubsantrap|umax|umin|umul|ushl|usub|"
    r"va_copy|va_end|va_start|var|vector|experimental\.noalias|experimental\.constrained)\b"
)
_INTRINSIC = re.compile(r"^declare [^\n]*@llvm\.(?P<name>[\w.]+)\(", re.MULTILINE)


def is_unusual(text: str) -> bool:
    """Whether a module that clang made uses intrinsics beyond those of ordinary C."""
    return any(not _ORDINARY.match(found["name"]) for found in _INTRINSIC.finditer(text))


def rehearse(text: str, opt: int, post_opt: int) -> str:
    """`text` as LLVM prints it, which this process can optimize and compile. Raises what LLVM says of it (InternalError EM910 to
    EM912, UnsupportedIRError), or ToolchainError EM125 where the worker did not survive."""
    head = {"opt": opt, "post_opt": post_opt, "cpu": tuning.chosen()}
    with _lock:
        try:
            worker = _current()
            answer, printed = worker.ask(head, text)
        except BaseException:
            _end()
            raise
    if "class" in answer:
        kinds = {cls.__name__: cls for cls in _subclasses(EnzymeError)}
        raise kinds[answer["class"]](answer["message"], code=answer["code"], hint=answer["hint"])
    return printed


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
        worker = cls(process, words)
        worker._send({"path": sys.path}, None)
        return worker

    def ask(self, head: dict[str, Any], text: str) -> tuple[dict[str, Any], str]:
        data = text.encode("utf-8", "surrogatepass")
        self.words.seek(0)
        self.words.truncate()
        self._send({**head, "bytes": len(data)}, data)
        deadline = time.monotonic() + _SECONDS
        answer: dict[str, Any] = json.loads(self._line(deadline))
        return answer, self._read(int(answer["bytes"]), deadline).decode()

    def _send(self, head: dict[str, Any], data: bytes | None) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(head).encode() + b"\n" + (data or b""))
            self.process.stdin.flush()
        except OSError:
            raise self._died() from None

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
                    raise ToolchainError(f"LLVM did not finish within {_SECONDS:.0f} s", code="EM125")
                found = os.read(self.process.stdout.fileno(), count - len(parts))
                if not found:
                    raise self._died()
                parts += found
        return bytes(parts)

    def _died(self) -> ToolchainError:
        self.process.kill()
        status = self.process.wait()
        self.words.seek(0)
        lines = self.words.read().decode(errors="replace").strip().split("\n")
        telling = [line for line in lines if _TELLING.search(line)] or lines[-1:]
        return ToolchainError(
            f"LLVM cannot compile this program: {telling[-1].strip() or f'it ended with status {status}'}",
            code="EM125",
            hint="leave out what is unusual: attributes, options and intrinsics that the program can do without",
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


def serve() -> None:
    """The worker: answers until its input ends, which is when the other process does."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what LLVM prints is no answer
    _limit()
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    while line := sys.stdin.buffer.readline():
        head = json.loads(line)
        text = sys.stdin.buffer.read(head["bytes"]).decode("utf-8", "surrogatepass")
        try:
            with tuning.tuned_for(head["cpu"]):
                answer, printed = {}, _worked_through(text, head["opt"], head["post_opt"])
        except EnzymeError as error:
            answer = {"class": type(error).__name__, "message": error.message, "code": error.code, "hint": error.hint}
            printed = ""
        data = printed.encode()
        answers.write(json.dumps({**answer, "bytes": len(data)}).encode() + b"\n" + data)
        answers.flush()


def _worked_through(text: str, opt: int, post_opt: int) -> str:
    printed = binding.canonical(text)
    optimized = optimize.pre_ad(printed, opt)
    codegen.emit(codegen.prepared(optimize.post_ad(optimized, post_opt)), post_opt, tuning.target())
    return printed


def _limit() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _watch(parent: int) -> None:
    """A worker that is busy does not see that its input has ended."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)
