"""Which bytes of an integer are the same whatever the program computes: constants, what a shift or an extension fills in, what a
mask clears.

Theorem: a byte in `blank(v)` depends on no argument, load or call but by the way a branch goes, so no derivative can sit in it.
Optimizers pack a struct of an integer and a float into one register that way: `(zext bits << 32) | 3`. A byte in `zero(v)` is
moreover zero, so `or` leaves the other operand's byte as it is. Not followed: values of loops beyond a few steps, and integers
wider than 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.instructions import Binary, Call, Cast, Freeze, Phi, Return, Select
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import Constant, ConstantInt, ConstantKeyword, Value

Bytes = frozenset[int]
NONE: Bytes = frozenset()
DEEPEST = 12


def blank(value: Value, depth: int = 0) -> Bytes:
    """The bytes that are constant or undefined."""
    return _bytes(value, blank, depth)


def zero(value: Value, depth: int = 0) -> Bytes:
    """The bytes that are certainly zero."""
    return _bytes(value, zero, depth)


def zero_below(value: Value) -> int:
    """How many of the lowest bytes are certainly zero."""
    return _lowest_absent(zero(value))


def _lowest_absent(found: Bytes) -> int:
    return next(k for k in range(len(found) + 1) if k not in found)


def _bytes(value: Value, again: Callable[[Value, int], Bytes], depth: int) -> Bytes:
    if not isinstance(value.type, IntType) or value.type.bits % 8 or value.type.bits > 64 or depth > DEEPEST:
        return NONE
    every = frozenset(range(value.type.bits // 8))
    if isinstance(value, Constant):
        return every if again is blank else _zero_bytes(value, every)
    if isinstance(value, Cast):
        return _cast(value, every, again, depth)
    if isinstance(value, Binary):
        return _binary(value, every, again, depth)
    if isinstance(value, Call):
        return _returned(value, every, again, depth)
    if isinstance(value, (Phi, Select, Freeze)):
        return _merged(value, every, again, depth)
    return NONE


def _merged(value: Phi | Select | Freeze, every: Bytes, again: Callable[[Value, int], Bytes], depth: int) -> Bytes:
    for arm in value.operands[1:] if isinstance(value, Select) else value.operands:
        every &= again(arm, depth + 3) if every else NONE
    return every


def _zero_bytes(value: Constant, every: Bytes) -> Bytes:
    if isinstance(value, ConstantInt):
        return frozenset(k for k in every if not value.unsigned >> 8 * k & 255)
    return every if isinstance(value, ConstantKeyword) and constants.is_zero(value) else NONE


def _cast(value: Cast, every: Bytes, again: Callable[[Value, int], Bytes], depth: int) -> Bytes:
    source = value.operands[0]
    if value.opcode == "trunc":
        return again(source, depth + 1) & every
    if value.opcode == "zext" and isinstance(source.type, IntType):
        return again(source, depth + 1) | frozenset(k for k in every if 8 * k >= source.type.bits)
    return NONE


def _binary(value: Binary, every: Bytes, again: Callable[[Value, int], Bytes], depth: int) -> Bytes:
    left, right = value.operands
    if value.opcode in ("shl", "lshr"):
        return _shifted(value, every, again(left, depth + 1))
    if value.opcode == "and":
        return (again(left, depth + 1) & again(right, depth + 1)) | zero(left, depth + 1) | zero(right, depth + 1)
    if value.opcode in ("or", "xor"):
        return again(left, depth + 1) & again(right, depth + 1)
    if value.opcode in ("add", "sub"):  # carries go up
        both = again(left, depth + 1) & again(right, depth + 1)
        return frozenset(range(_lowest_absent(both)))
    return NONE


def _shifted(value: Binary, every: Bytes, source: Bytes) -> Bytes:
    distance = value.operands[1]
    if not isinstance(distance, ConstantInt) or distance.unsigned % 8:
        return NONE
    by = distance.unsigned // 8
    if value.opcode == "shl":
        return frozenset(k for k in every if k < by or k - by in source)
    return frozenset(k for k in every if k + by not in every or k + by in source)


def _returned(call: Call, every: Bytes, again: Callable[[Value, int], Bytes], depth: int) -> Bytes:
    function = call.called_function
    if function is None or not function.blocks:
        return NONE
    found = every
    for block in function.blocks:
        last = block.instructions[-1] if block.instructions else None
        if isinstance(last, Return) and last.operands:
            found &= again(last.operands[0], depth + 4)
    return found
