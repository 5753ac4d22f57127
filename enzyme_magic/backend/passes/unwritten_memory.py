"""The sanitizer's checks of numbers that are computed with and were never written: in local arrays and structs, arrays of variable
length, and blocks from the C library.

Where such memory begins, all of its bytes are set to `FILL`. A double or a 64-bit integer that has exactly these bytes when
something is computed with it was not written: as a double it is -1.17e-117, to the last digit. So a copy is followed wherever it
goes, through other functions too, and a copy alone is no error, as in C.

Invariant: memory that has a value is never touched. Not found: reads of smaller numbers, whose bytes may be these by chance, of
pointers (they are no addresses: a signal tells), and of the part that `realloc` adds. Variables with one value: unwritten.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.constants import int_constant
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Call,
    Cast,
    Compare,
    ExtractValue,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Select,
    Store,
    Switch,
    Unary,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import DOUBLE, I1, I8, I64, POINTER, VOID, ArrayType, FunctionType, StructType
from enzyme_magic.backend.ir.values import Argument, ConstantFloat, ConstantInt, ConstantKeyword, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.passes import unwritten
from enzyme_magic.backend.passes.instrumentation import InstructionCheck, Instrumentation
from enzyme_magic.backend.passes.regions import number, wide

FILL = 0xA7
_WORD = int.from_bytes(bytes([FILL]) * 8, "little")
_SET = FunctionType(VOID, (POINTER, I8, I64, I1))
_EMPTY = frozenset(["malloc", "aligned_alloc"])  # kinds of allocation whose blocks hold nothing
_COMPUTES = (Binary, Cast, Compare, GetElementPtr, Switch, Unary)
_NO_NAMES = ("", "vla")  # an array of variable length has none in IR
Leave = Callable[[Builder, str, Instruction], None]


@dataclass(frozen=True, slots=True)
class EmptyMemory:
    """Where memory without values begins: by function, the instructions behind which it does, with its address. called: the
    functions that the module calls."""

    begins: Mapping[Function, tuple[tuple[Instruction, Value], ...]]
    called: frozenset[str]


def memory(module: Module) -> EmptyMemory:
    """All of a module's."""
    begins = {function: tuple(_begins(function, DataLayout.of(module))) for function in module.definitions()}
    calls = (i.called_function for f in module.definitions() for i in f.instructions() if isinstance(i, Call))
    return EmptyMemory(begins, frozenset(called.name for called in calls if isinstance(called, Function)))


def _begins(function: Function, layout: DataLayout) -> list[tuple[Instruction, Value]]:
    found: list[tuple[Instruction, Value]] = []
    declared, used = unwritten.declared(function), users(function)
    for instruction in function.instructions():
        if isinstance(instruction, Call) and not instruction.is_terminator and _gives(instruction):
            found.append((instruction, instruction))
        if not isinstance(instruction, Alloca) or instruction not in declared:
            continue
        if not isinstance(instruction.operands[0], ConstantInt):
            found.append((instruction, instruction))  # an array of variable length
        elif isinstance(layout.resolve(instruction.allocated_type), (ArrayType, StructType)):
            found += [(use, instruction) for use in used[instruction] if _is_start(use)]
    return found


def _is_start(use: Instruction) -> bool:
    return isinstance(use, Call) and getattr(use.callee, "name", "").startswith("llvm.lifetime.start")


def _gives(call: Call) -> tuple[int, ...]:
    """The arguments whose product is the size of the block that the call gives, with nothing in it; none for another call."""
    function = call.called_function
    found = libc.find(function.name) if isinstance(function, Function) and function.is_declaration else None
    if found is None or found.summary is None or found.summary.allocates not in _EMPTY:
        return ()
    return found.allocated


def fill(module: Module, found: EmptyMemory, insertions: Instrumentation) -> None:
    """Sets the memory of one function to FILL where it begins."""
    layout = DataLayout.of(module)
    for place, address in found.begins[insertions.function]:
        builder = insertions.behind(place)
        if isinstance(address, Alloca):
            size = wide(builder, address.operands[0])
            size = builder.mul(size, number(layout.size_of(address.allocated_type)))
        else:
            assert isinstance(address, Call)
            size = number(1)
            for index in _gives(address):
                size = builder.mul(size, wide(builder, address.arguments[index]))
            none = builder.icmp("eq", address, ConstantKeyword(POINTER, "null"))
            size = builder.select(none, number(0), size)
        memset = module.declared("llvm.memset.p0.i64", _SET)
        builder.call(memset, [address, int_constant(I8, FILL), size, int_constant(I1, 0)])


def check(found: EmptyMemory, insertions: Instrumentation, name: Callable[[Value], str], leave: Leave) -> None:
    """Adds the checks of one function, where the module has such memory at all. name: C's, of what a pointer is based on."""
    if not any(found.begins.values()):
        return
    function = insertions.function
    copies = _Copies(function, function.name in found.called)
    for instruction in function.instructions():
        if isinstance(instruction, _COMPUTES) or _asks(instruction):
            for value in dict.fromkeys(instruction.operands):
                if value.type in (DOUBLE, I64) and copies.may_hold(value):
                    _check(instruction, value, insertions, name, leave)


def _asks(instruction: Instruction) -> bool:
    """Whether it is a call of a function that is not the program's."""
    function = instruction.called_function if isinstance(instruction, Call) else None
    return function is not None and function.is_declaration and not intrinsics.is_marker(function.name)


def _check(
    use: Instruction, value: Value, insertions: Instrumentation, name: Callable[[Value], str], leave: Leave
) -> None:
    builder = insertions.before(use)
    builder.debug_location = use.metadata.get("dbg")
    if value.type == DOUBLE:
        written = builder.fcmp("une", value, ConstantFloat(DOUBLE, _WORD))
    else:
        written = builder.icmp("ne", value, int_constant(I64, _WORD))
    said = name(value.pointer) if isinstance(value, Load) else ""
    words = f"a use of {said if said not in _NO_NAMES else 'a number'}, which was never written"
    insertions.check(use, InstructionCheck(written, lambda there: leave(there, words, use)))


class _Copies:
    """Which values of a function may be copies of what lies in memory, and not computed by it. is_called: by the program itself."""

    def __init__(self, function: Function, is_called: bool) -> None:
        self.is_called = is_called
        self._stored = {
            variable: [use.value for use in uses if isinstance(use, Store)]
            for variable, uses in users(function).items()
            if isinstance(variable, Alloca) and _is_plain(variable, uses)
        }
        self._known: dict[Value, bool] = {}

    def may_hold(self, value: Value) -> bool:
        """Follows variables that are only loaded and stored. What is asked for again while it is asked adds nothing."""
        known = self._known.get(value)
        if known is None:
            self._known[value] = False
            known = self._known[value] = self._asked(value)
        return known

    def _asked(self, value: Value) -> bool:
        if isinstance(value, Argument):
            return self.is_called
        if isinstance(value, (Phi, Select)):
            sources = value.operands if isinstance(value, Phi) else value.operands[1:]
            return any(self.may_hold(source) for source in sources)
        if isinstance(value, Load):
            if isinstance(value.pointer, Alloca) and value.pointer in self._stored:
                return any(self.may_hold(source) for source in self._stored[value.pointer])
            return not isinstance(value.pointer, GlobalVariable)
        if isinstance(value, Call):
            return value.called_function is None or not value.called_function.is_declaration
        return isinstance(value, ExtractValue)


def _is_plain(variable: Alloca, uses: list[Instruction]) -> bool:
    """Whether it is one number that is only loaded, stored and marked."""
    return variable.allocated_type in (DOUBLE, I64) and all(
        isinstance(use, Load)
        or (isinstance(use, Store) and use.value is not variable and use.value.type == variable.allocated_type)
        or (isinstance(use, Call) and intrinsics.is_marker(getattr(use.callee, "name", "")))
        for use in uses
    )
