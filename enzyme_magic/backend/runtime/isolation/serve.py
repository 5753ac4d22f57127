"""The worker: loads object code, calls its functions, answers. It ends with the process that started it.

Invariant: a call here is what it is in the kernel (calls/invoke.py): guards, turns, static data put back. An answer is a number
and, where something was raised, a line of JSON; standard output is flushed before it. After a signal that was left by its guard the
other side starts another worker.

Requests come from the process that started it, and are trusted; see worker.py.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import json
import os
import pickle
import select
import signal
import socket
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.llvm.objects.elsewhere import Image
from enzyme_magic.backend.runtime import arena
from enzyme_magic.backend.runtime.calls import invoke
from enzyme_magic.backend.runtime.isolation import shared
from enzyme_magic.backend.runtime.isolation.frames import frame_of
from enzyme_magic.backend.runtime.isolation.protocol import DONE, HEADER, LOAD, RAISED, SPOILED
from enzyme_magic.backend.runtime.native import support
from enzyme_magic.errors import EnzymeError, ExecutionError, InternalError

_DEATH_SIGNAL = 1
_SPOILING = frozenset({"EM408"})

Call = Callable[[], None]


def run(head: dict[str, Any]) -> None:
    """Answer until the other side has gone. head: numbers of descriptors, the shared region, the limit of memory, the parent."""
    _end_with(head["parent"], head["life"], head["main"])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    line = socket.socket(fileno=head["line"])
    if not shared.map_at(head["start"], head["size"], head["file"]):
        _answer(line, RAISED, head["mark"], _told(InternalError("the shared memory cannot be mapped", code="EM925")))
        os._exit(1)
    support.load()
    _limit(head["memory"])
    server = _Server()
    _answer(line, DONE, head["mark"])
    while True:
        number, mark, size = HEADER.unpack(_read(line, HEADER.size))
        try:
            server.place = None
            if number >= 0:
                server.functions[number]()
            else:
                server.prepare(number, pickle.loads(_read(line, size)))
        except EnzymeError as error:
            told = {**_told(error), "place": server.place}
            _answer(line, SPOILED if error.code in _SPOILING else RAISED, mark, told)
        except BaseException as error:
            _answer(line, SPOILED, mark, _told(_failed(error, calls=number >= 0)))
        else:
            line.sendall(HEADER.pack(DONE, mark, 0))


def _failed(error: BaseException, *, calls: bool) -> EnzymeError:
    """What nobody here raises: in a call, memory has run short, or C code has damaged Python's."""
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if calls:
        return ExecutionError(f"the worker process cannot go on: {said}", code="EM411")
    return InternalError(f"the worker: {said}", code="EM925")


class _Server:
    """What is loaded."""

    def __init__(self) -> None:
        self.libraries: list[jit.Library] = []
        self.functions: list[Call] = []
        self.place: tuple[int, str, int] | None = (
            None  # of a fault: the library's number, a function, an offset in its code
        )

    def prepare(self, what: int, asked: dict[str, Any]) -> None:
        if what == LOAD:
            needs = tuple(self.libraries[number] for number in asked["needs"])
            library = _loaded(asked["image"], needs)
            library.lines = partial(self._seen, len(self.libraries))
            self.libraries.append(library)
        else:
            self.functions.append(_function(self.libraries[asked["library"]], asked))

    def _seen(self, number: int, function: str, offset: int) -> None:
        """Asked for the line of an instruction: the other side knows the C text."""
        self.place = number, function, offset


def _loaded(image: Image, needs: tuple[jit.Library, ...]) -> jit.Library:
    for name in image.link:
        jit.open_shared(name, image.search)
    symbols = {**support.symbols(alone=True), **support.arena_symbols()}
    lends = support.block_symbols() if image.keeps_blocks else {}
    return jit.Library.load([image.code], image.exports, needs=needs, symbols=symbols, lends=lends, of=image.of)


def _function(library: jit.Library, asked: dict[str, Any]) -> Call:
    entry, signature = asked["entry"], asked["signature"]
    made = frame_of(entry, signature)
    frame = made.kind.from_address(asked["frame"])
    silent = dataclasses.replace(entry, prints=False)  # this process's output is nobody else's
    native = invoke.invoker(silent, library.address(entry.symbol), signature, library)
    names = [f"p{k}" for k in range(len(entry.slots))]
    for k in made.arenas:
        setattr(frame, names[k], arena.current())  # there is one thread
    flush = ctypes.CDLL(None).fflush if entry.prints or entry.may_exit else None

    def call() -> None:
        try:
            value = native(*[getattr(frame, name) for name in names])
        finally:
            if flush is not None:
                flush(None)
        if made.returns:
            frame.result = value

    return call


def _told(error: EnzymeError) -> dict[str, Any]:
    span = error.span
    place = {"file": span.file, "line": span.line} if span else {}
    return {
        "class": type(error).__name__,
        "message": error.message,
        "code": error.code,
        "hint": error.hint,
        **place,
    }


def _answer(line: socket.socket, status: int, mark: int, told: dict[str, Any] | None = None) -> None:
    data = json.dumps(told).encode() if told else b""
    line.sendall(HEADER.pack(status, mark, len(data)) + data)


def _read(line: socket.socket, size: int) -> bytes:
    data = line.recv(size)
    while len(data) < size:
        if not data or not (more := line.recv(size - len(data))):
            os._exit(0)
        data += more
    return data


def _limit(memory: int) -> None:
    """memory: bytes that the worker may take beyond what it has now. Where the system runs short, it goes first."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with open("/proc/self/statm") as file:
            mapped = int(file.read().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        wanted = mapped + memory
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))


def _end_with(parent: int, life: int, main: bool) -> None:
    """End when the other process does, however busy C code is. The system's own way is tied to the thread that started the
    worker, so it serves only where that is the main thread."""
    if main:
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)
    threading.Thread(target=_watch, args=(parent, life), daemon=True).start()


def _watch(parent: int, life: int) -> None:
    while os.getppid() == parent:
        if select.select([life], [], [], 1.0)[0] and not os.read(life, 1):
            break
    os.killpg(0, signal.SIGKILL)  # with the processes that its code has started
