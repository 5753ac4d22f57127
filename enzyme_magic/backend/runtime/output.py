"""C's standard output, in order with Python's and wherever Python's goes.

Invariant: what C prints during a call stands after what Python printed before it and before what Python prints after it. Where
sys.stdout is file descriptor 1 (terminal, pipe, file) two flushes are enough. Elsewhere (a notebook, redirect_stdout, %%capture, a
test runner) descriptor 1 is a pipe for the length of the call, and a reader writes to sys.stdout what arrives, as it arrives; such
calls take turns. The pipe is read up to a mark written behind C's last byte, so a child process that keeps it open delays nothing.

Only functions that may print are called this way. Standard error is left alone: it is not buffered.
"""

from __future__ import annotations

import codecs
import contextvars
import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TextIO

from enzyme_magic.backend.runtime import waits

Native = Callable[..., Any]

_turn = threading.Lock()
_CHUNK = 1 << 16


def in_order(native: Native) -> Native:
    """`native`, with its output in order; also when it raises."""
    flush = _fflush()

    def call(*arguments: Any) -> Any:
        stream = sys.stdout
        if stream is None or _is_standard(stream):
            if stream is not None:
                stream.flush()
            try:
                return native(*arguments)
            finally:
                flush(None)
        waits.take(_turn)
        try:
            with _carried_to(stream):
                return native(*arguments)
        finally:
            _turn.release()

    call.native = native  # type: ignore[attr-defined]
    return call


def _is_standard(stream: TextIO) -> bool:
    """Whether the stream writes to the descriptor C writes to."""
    try:
        return stream.fileno() == 1
    except (AttributeError, OSError, ValueError):
        return False


@contextmanager
def _carried_to(stream: TextIO) -> Iterator[None]:
    """What is written to descriptor 1 inside appears on `stream`."""
    flush = _fflush()
    flush(None)
    try:
        kept = os.dup(1)
    except OSError:  # there is no descriptor 1: nothing is printed
        yield
        return
    reading, writing = os.pipe()
    mark = os.urandom(16)
    context = contextvars.copy_context()  # a notebook's stream looks there for the cell it belongs to
    reader = threading.Thread(target=context.run, args=(_carry, reading, stream, mark), daemon=True)
    os.dup2(writing, 1)
    reader.start()
    try:
        yield
    finally:
        flush(None)
        os.dup2(kept, 1)
        os.write(writing, mark)
        reader.join()
        for descriptor in (kept, writing, reading):
            os.close(descriptor)


def _carry(reading: int, stream: TextIO, mark: bytes) -> None:
    """Everything up to the mark, decoded, onto the stream. A stream that fails loses the text, not the pipe."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    held = b""
    while (end := held.find(mark)) < 0:
        ready, held = held[: 1 - len(mark)], held[1 - len(mark) :]  # what may be the start of the mark stays
        _write(stream, decoder.decode(ready))
        held += os.read(reading, _CHUNK)
    _write(stream, decoder.decode(held[:end], final=True))


def _write(stream: TextIO, text: str) -> None:
    if text:
        try:
            stream.write(text)
        except (OSError, ValueError):
            return


@cache
def _fflush() -> Callable[[None], int]:
    function = ctypes.CDLL(None).fflush
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_int
    return function
