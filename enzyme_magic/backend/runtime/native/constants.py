"""Numbers that the native code of the runtime and Python's side share.

Invariant: each has its home here; the C (folder `c`) is compiled with them, and asserts those that the system gives it. Those that
derivatives are written with have theirs beside the writers (passes/native_code.py collects both).
"""

from __future__ import annotations

import platform
import sys

JUMP_BUFFER = 512  # bytes; glibc's jmp_buf has 200 on x86-64 and 312 on AArch64
GUARDED_BYTES = 104  # what a guard keeps of its call (c/guards.c)
FIRST_CHUNK = 1 << 16

# Why a call ended: the kind of a record (c/frames.h).
KINDS = {"exit": 1, "abort": 2, "assertion": 3, "tape": 4, "memory": 5, "depth": 6, "kept": 7, "signal": 8, "bytes": 9}
KINDS |= {"interrupt": 10, "limit": 11, "outside": 12, "release": 13, "kernel": 14}
ASIDE = 256  # added to the kind where a thread that C code started ended so
FORKED, LEAVING, THREAD = 1, 2, 4  # marks of a frame

# The arena (c/arena.h).
ARENA_FIELDS = (
    *("current", "end", "start", "chunk", "spare", "limit", "before", "peak", "total", "chunks"),
    *("stack_limit", "stack_size"),
)
SLOT = 128  # byte offset, behind the fields of the arena
ARENA_BYTES = 192
STACK_RESERVE = 1 << 18  # bytes left below the limit, for libm, printf and other calls that recurse no further

# Signals (c/signals.c).
COPIES = 4  # of the handler
SIGNALS = 64
ACTION_BYTES = 152  # struct sigaction of the C library on 64 bits: handler, 128 bytes of mask, flags, restorer
ACTION_FLAGS = 136
SIGNAL_STACK = 1 << 16

# Threads that call C code (c/stops.c).
SLOTS = 4096
SLOT_FIELDS = (
    *("tid", "frame", "calls", "request", "deadline", "expired", "timer", "chance", "waits"),
    *("failure", "failed_kind", "failed_text", "failed_file", "failed_function", "failed_bytes"),
    *("owner", "owner_tid", "owner_call", "threads"),
)
SLOT_BYTES = 8 * len(SLOT_FIELDS)
STOP_SIGNAL = 23  # SIGURG on Linux

# Objects of Python and NumPy (c/objects.c); runtime/values/objects.py tries whether they are so.
OBJECT_TYPE, FLOAT_NUMBER = 8, 16  # of an object: its type; of a float: its double
ARRAY_DATA, ARRAY_RANK, ARRAY_SHAPE, ARRAY_DTYPE, ARRAY_FLAGS = 16, 24, 32, 56, 64
ARRAY_CONTIGUOUS, ARRAY_ALIGNED, ARRAY_WRITEABLE = 0x1, 0x100, 0x400
NEW_ARRAY = ARRAY_CONTIGUOUS | ARRAY_ALIGNED | ARRAY_WRITEABLE
EXACT_INTEGERS = 1 << 53  # up to here they are doubles
SHORT_CALL = 20_000  # ticks of the processor's clock: some microseconds
LONG_CALL_PENALTY = 1_000  # calls


def catches_signals() -> bool:
    """Whether signals in C code become errors here; elsewhere they are left as they are."""
    return (sys.platform, platform.machine()) in (("linux", "x86_64"), ("linux", "aarch64"))
