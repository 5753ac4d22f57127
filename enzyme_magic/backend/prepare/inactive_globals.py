"""Globals that carry no derivative keep their accesses until differentiation.

An optimizer that forwards what is stored in such a global to where it is read takes the global, and with it the promise, out of the
program. So its accesses are volatile while the program is optimized before differentiation, and ordinary ones afterwards: the
derivative is the same at every level. Invariant: `release(hold(m))` is m. Not seen: accesses through pointers kept in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from enzyme_magic.backend.ir.instructions import GetElementPtr, Load, Store
from enzyme_magic.backend.ir.module import GlobalVariable, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.values import ConstantExpression, Value


def hold(text: str, names: Collection[str]) -> tuple[str, frozenset[str]]:
    """The IR with accesses to the globals `names` made volatile; and the names of those that had no volatile access before."""
    module = parser.parse(text)
    before = {name for name, access in _accesses(module, names) if access.volatile}
    held = frozenset(names) - before
    return _set(module, held, True), held


def release(text: str, names: Collection[str]) -> str:
    """The IR with accesses to the globals `names` made ordinary."""
    return _set(parser.parse(text), names, False)


def _set(module: Module, names: Collection[str], volatile: bool) -> str:
    for _, access in _accesses(module, names):
        access.volatile = volatile
    return printer.print_module(module)


def _accesses(module: Module, names: Collection[str]) -> Iterator[tuple[str, Load | Store]]:
    for function in module.definitions():
        for instruction in function.instructions():
            if isinstance(instruction, (Load, Store)):
                base = _base(instruction.pointer)
                if isinstance(base, GlobalVariable) and base.name in names:
                    yield base.name, instruction


def _base(pointer: Value) -> Value:
    while isinstance(pointer, GetElementPtr) or (
        isinstance(pointer, ConstantExpression) and pointer.opcode == "getelementptr"
    ):
        pointer = pointer.operands[0]
    return pointer
