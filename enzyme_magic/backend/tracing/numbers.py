"""LLVM's operations on numbers, on Python's: integers as non-negative residues modulo 2^bits, floats rounded to their format."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable

from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, Type
from enzyme_magic.backend.tracing.mathematics import quotient, truncated
from enzyme_magic.backend.tracing.record import NotDecided


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def bits_of(type_: Type) -> int:
    if isinstance(type_, IntType):
        return type_.bits
    if isinstance(type_, PointerType):
        return 64
    raise NotDecided(f"integers of type {type_} are not followed")


def rounded(value: float, type_: Type) -> float:
    """A float as its format holds it."""
    if isinstance(type_, FloatType) and type_.kind == "double":
        return value
    if isinstance(type_, FloatType) and type_.kind == "float":
        return ctypes.c_float(value).value
    raise NotDecided(f"numbers of type {type_} are not followed")


def _divide(a: int, b: int) -> int:
    if not b:
        raise NotDecided("an integer is divided by zero")
    quotient_ = abs(a) // abs(b)
    return quotient_ if (a < 0) == (b < 0) else -quotient_


def _shift(amount: int, bits: int) -> int:
    if amount >= bits:
        raise NotDecided("an integer is shifted by its width or more")
    return amount


def integer(opcode: str, a: int, b: int, bits: int) -> int:
    """add … xor on residues; the residue of the result."""
    operation = _INTEGER.get(opcode)
    if operation is None:
        raise NotDecided(f"{opcode} is not followed")
    return operation(a, b, bits) & ((1 << bits) - 1)


_INTEGER: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, n: a + b,
    "sub": lambda a, b, n: a - b,
    "mul": lambda a, b, n: a * b,
    "and": lambda a, b, n: a & b,
    "or": lambda a, b, n: a | b,
    "xor": lambda a, b, n: a ^ b,
    "shl": lambda a, b, n: a << _shift(b, n),
    "lshr": lambda a, b, n: a >> _shift(b, n),
    "ashr": lambda a, b, n: signed(a, n) >> _shift(b, n),
    "udiv": lambda a, b, n: _divide(a, b),
    "urem": lambda a, b, n: a - b * _divide(a, b),
    "sdiv": lambda a, b, n: _divide(signed(a, n), signed(b, n)),
    "srem": lambda a, b, n: signed(a, n) - signed(b, n) * _divide(signed(a, n), signed(b, n)),
}


def floating(opcode: str, a: float, b: float) -> float:
    operation = _FLOATING.get(opcode)
    if operation is None:
        raise NotDecided(f"{opcode} is not followed")
    try:
        return operation(a, b)
    except OverflowError:
        return math.inf


_FLOATING: dict[str, Callable[[float, float], float]] = {
    "fadd": lambda a, b: a + b,
    "fsub": lambda a, b: a - b,
    "fmul": lambda a, b: a * b,
    "fdiv": quotient,
    "frem": lambda a, b: math.fmod(a, b) if b and math.isfinite(a) else math.nan,
}


def tangent(opcode: str, a: float, b: float, da: float, db: float) -> float:
    """The tangent of a floating operation; a tangent of zero contributes nothing, whatever the partial."""
    if opcode in ("fadd", "fsub"):
        return da + db if opcode == "fadd" else da - db
    if opcode == "fmul":
        return (da * b if da else 0.0) + (a * db if db else 0.0)
    if opcode == "fdiv":
        return (quotient(da, b) if da else 0.0) - (quotient(quotient(a, b) * db, b) if db else 0.0)
    return (da if da else 0.0) - (truncated(quotient(a, b)) * db if db else 0.0)


def compared(predicate: str, a: float, b: float) -> bool:
    """fcmp."""
    unordered = a != a or b != b
    if predicate in ("ord", "uno"):
        return unordered == (predicate == "uno")
    if predicate in ("true", "false"):
        return predicate == "true"
    return unordered if unordered and predicate[0] == "u" else not unordered and _ORDER[predicate[1:]](a, b)


def compared_integers(predicate: str, a: int, b: int, bits: int) -> bool:
    """icmp."""
    if predicate[0] == "s":
        a, b = signed(a, bits), signed(b, bits)
    return _ORDER[predicate if predicate in ("eq", "ne") else predicate[1:]](a, b)


_ORDER: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def to_integer(value: float, bits: int, is_signed: bool) -> int:
    """fptosi, fptoui."""
    if not math.isfinite(value):
        raise NotDecided("a number that is not finite is converted to an integer")
    whole = math.trunc(value)
    low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if is_signed else (0, 1 << bits)
    if not low <= whole < high:
        raise NotDecided("a number is converted to an integer that cannot hold it")
    return whole & ((1 << bits) - 1)


def encoded(value: float, type_: Type) -> bytes:
    """A scalar's bytes in memory."""
    if isinstance(type_, FloatType):
        if type_.kind not in ("double", "float"):
            raise NotDecided(f"numbers of type {type_} are not followed")
        return struct.pack("<d" if type_.kind == "double" else "<f", value)
    return int(value).to_bytes((bits_of(type_) + 7) // 8, "little")


def decoded(data: bytes, type_: Type) -> float:
    """The inverse of `encoded`."""
    if isinstance(type_, FloatType):
        if type_.kind not in ("double", "float"):
            raise NotDecided(f"numbers of type {type_} are not followed")
        number: float = struct.unpack("<d" if type_.kind == "double" else "<f", data)[0]
        return number
    return int.from_bytes(data, "little") & ((1 << bits_of(type_)) - 1)
