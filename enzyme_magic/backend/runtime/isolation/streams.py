"""What a worker writes to its standard output and error, on its way to ours.

Invariant: it is read a chunk at a time, so that a worker that never stops writing keeps nobody from looking at the clock. A chunk
is as long as a pipe: what was written before an answer is carried before the answer is read.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import sys

_CHUNK, _TAIL = 1 << 16, 400


class Stream:
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
        """Hand on a chunk of what is there; False at its end."""
        try:
            data = os.read(self.reading, _CHUNK)
        except BlockingIOError:
            return True
        self._write(self._decoder.decode(data))
        return bool(data)

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
