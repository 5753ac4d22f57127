"""A tape with no byte to spare: an arena of exactly the bytes a call is known to need, with guard pages on both sides.

Invariant: the one chunk belongs to this object and is never grown into another (a call that needs more than `bytes_` asks for a
chunk and leaves it in use, which `check` sees).
"""

from __future__ import annotations

import ctypes

import numpy as np

from enzyme_magic.backend.runtime.native import constants

from .pages import Paged


class _Arena(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in constants.ARENA_FIELDS]


class ExactArena:
    """`address` is what an "arena" slot is passed; bytes_: a multiple of 64."""

    def __init__(self, bytes_: int) -> None:
        self._chunk = Paged(np.full(bytes_, 0xFF, np.uint8))
        start = self._chunk.address
        self._arena = _Arena(current=start, end=start + bytes_, start=start, limit=1 << 40)
        self.address = ctypes.addressof(self._arena)

    def check(self, where: str) -> None:
        """The call has released everything, and has asked for no other chunk."""
        arena = self._arena
        if arena.current != self._chunk.address or arena.chunks:
            raise AssertionError(
                f"{where}: the tape is left at {arena.current - arena.start} bytes, {arena.chunks} chunks"
            )
