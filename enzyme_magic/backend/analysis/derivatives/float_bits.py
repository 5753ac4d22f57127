"""Integers that hold, or were computed from, the bits of floating numbers.

Lattice: clean < tainted, per integer value; the least fixpoint of: a float reinterpreted as an integer is tainted, so
is an integer loaded from memory that holds (or may hold) floating numbers, and so is whatever integer operations make
of it. Comparisons and conversions by value (sitofp) end it.

Why beside the type analysis: `0x5f3759df - (i >> 1)` proves by its operations that i is an integer, and yet a
derivative is lost there. The taint makes the loss visible as an operation without a derivative. An access that C
declares as one to an integer object is clean.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.types.type_tree import Contents, Unknown
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Cast,
    ExtractElement,
    ExtractValue,
    Freeze,
    InsertElement,
    InsertValue,
    Instruction,
    Load,
    Phi,
    Select,
    ShuffleVector,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import is_floating, is_integer
from enzyme_magic.backend.ir.values import Value

_CARRIERS = (Binary, Phi, Select, Freeze, ExtractElement, InsertElement, ShuffleVector, ExtractValue, InsertValue)
_CASTS = frozenset(["trunc", "zext", "sext", "bitcast"])
MemoryAt = Callable[[Value, int], Contents | Unknown]


def tainted(function: Function, memory_at: MemoryAt, layout: DataLayout) -> frozenset[Value]:
    """The integer instructions of `function` that hold bits of floating numbers."""
    found: set[Value] = set()
    changed = True
    while changed:
        changed = False
        for instruction in function.instructions():
            if (
                instruction not in found
                and is_integer(instruction.type)
                and _holds(instruction, found, memory_at, layout)
            ):
                found.add(instruction)
                changed = True
    return frozenset(found)


def _holds(i: Instruction, found: set[Value], memory_at: MemoryAt, layout: DataLayout) -> bool:
    if isinstance(i, Load):
        return _loads_floats(i, memory_at, layout)
    if isinstance(i, Cast):
        (operand,) = i.operands
        return i.opcode in _CASTS and (operand in found or (i.opcode == "bitcast" and is_floating(operand.type)))
    if isinstance(i, _CARRIERS):
        return any(operand in found for operand in i.operands)
    return False


def _loads_floats(load: Load, memory_at: MemoryAt, layout: DataLayout) -> bool:
    if tbaa.scalar_name(load) in tbaa.INTEGERS:
        return False
    contents = memory_at(load.pointer, layout.store_size(load.type))
    return isinstance(contents, Unknown) or bool(contents.floats)
