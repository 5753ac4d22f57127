"""Calls of functions that the program does not define: memory that is made, moved and set, and LLVM's operations on integers.

A list of what is known. Any other function is NotDecided: it might do anything.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.tracing.memory import TracedMemory
from enzyme_magic.backend.tracing.numbers import signed
from enzyme_magic.backend.tracing.record import NotDecided

PRINTS = frozenset(["printf", "puts", "putchar", "fprintf", "fputs", "fputc", "fflush", "putc", "fwrite"])
COPYING = frozenset(["memcpy", "memmove"])


def does_nothing(name: str) -> bool:
    """Whether a call changes nothing that is followed here."""
    return intrinsics.is_marker(name) or intrinsics.marks_stack(name)


def memory_call(memory: TracedMemory, name: str, arguments: list[int]) -> int | None:
    """malloc and its kin; None when `name` is none of them."""
    if name == "malloc":
        return memory.allocate(arguments[0], "a block of malloc", heap=True).base
    if name == "calloc":
        return memory.allocate(arguments[0] * arguments[1], "a block of calloc", heap=True).base
    if name == "aligned_alloc":
        return memory.allocate(arguments[1], "a block of aligned_alloc", heap=True).base
    if name == "realloc":
        return _realloc(memory, *arguments)
    if name == "free":
        return _free(memory, *arguments)
    if intrinsics.is_copy(name) or name in COPYING:
        memory.copy(arguments[0], arguments[1], arguments[2])
        return arguments[0]
    if "memset" in (name, intrinsics.transfer_of(name)):
        memory.write(arguments[0], bytes([arguments[1] & 255]) * arguments[2])
        return arguments[0]
    return None


def _realloc(memory: TracedMemory, old: int, size: int) -> int:
    fresh = memory.allocate(size, "a block of realloc", heap=True)
    if old:
        region, offset = memory.find(old, 0)
        if not region.heap or offset:
            raise NotDecided("realloc is given an address that no allocation gave")
        memory.copy(fresh.base, old, min(size, len(region.data)))
        region.live = False
    return fresh.base


def _free(memory: TracedMemory, address: int) -> int:
    if address:
        region, offset = memory.find(address, 0)
        if not region.heap or offset:
            raise NotDecided("free is given an address that no allocation gave")
        region.live = False
    return 0


def _count(value: int, bits: int) -> int:
    return bits - value.bit_length()


def _rotated(a: int, b: int, c: int, bits: int) -> int:
    """The upper half of (a, b) shifted left by c."""
    c %= bits
    return ((a << bits | b) << c) >> bits


INTEGERS: dict[str, Callable[[list[int], int], int]] = {
    "smax": lambda v, n: max(v[:2], key=lambda x: signed(x, n)),
    "smin": lambda v, n: min(v[:2], key=lambda x: signed(x, n)),
    "umax": lambda v, n: max(v[:2]),
    "umin": lambda v, n: min(v[:2]),
    "abs": lambda v, n: abs(signed(v[0], n)),
    "ctpop": lambda v, n: v[0].bit_count(),
    "ctlz": lambda v, n: _count(v[0], n),
    "cttz": lambda v, n: (v[0] & -v[0]).bit_length() - 1 if v[0] else n,
    "bswap": lambda v, n: int.from_bytes(v[0].to_bytes(n // 8, "little"), "big"),
    "fshl": lambda v, n: _rotated(v[0], v[1], v[2], n),
    "fshr": lambda v, n: (v[0] << n | v[1]) >> (v[2] % n),
    "usub.sat": lambda v, n: max(v[0] - v[1], 0),
    "uadd.sat": lambda v, n: min(v[0] + v[1], (1 << n) - 1),
    "expect": lambda v, n: v[0],
}


def integer_intrinsic(name: str) -> Callable[[list[int], int], int] | None:
    """ "llvm.smax.i32" -> its operation; None for what is not known."""
    stem, _, kind = name.removeprefix("llvm.").rpartition(".")
    return INTEGERS.get(stem) if name.startswith("llvm.") and kind.startswith("i") else None
