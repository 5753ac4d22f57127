"""Checkpoints at run time: the names of what runtime/native/c/checkpoints.c defines, and its LLVM text.

When checkpoints are taken, and from which of them iterations run again, stands there. Not here: what one holds (choice.py).
"""

from __future__ import annotations

from enzyme_magic.backend.runtime.native.texts import text_of

FORWARD, REVERSE = "em.checkpoint.forward", "em.checkpoint.reverse"


def text() -> str:
    """The native code as LLVM text."""
    return text_of("checkpoints")
