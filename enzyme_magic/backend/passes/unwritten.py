"""The sanitizer's checks of local variables that are read before they are written.

A variable with one number or pointer, whose address is only loaded from and stored to, gets a mark: false where its life begins
(each time a loop comes to its declaration), true behind every store, asked before every load. The optimizer removes the marks of
which it knows the answer.

Invariant: a mark is true exactly where the variable has a value. Arrays and structs are unwritten_memory.py's. Variables
whose address is given away have none: their reads are not checked, nor are those of which nothing becomes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.constants import int_constant
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.instructions import Alloca, Call, Cast, GetElementPtr, Instruction, Load, Store
from enzyme_magic.backend.ir.metadata import ValueAsMetadata
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I1, FloatType, IntType, PointerType
from enzyme_magic.backend.ir.values import ConstantInt, Value
from enzyme_magic.backend.passes.instrumentation import InstructionCheck, Instrumentation

Leave = Callable[[Builder, str, Instruction], None]  # ends the call, with these words, at this place


def check(function: Function, insertions: Instrumentation, leave: Leave) -> None:
    """Adds the checks of one function."""
    of_the_text = declared(function)
    used = users(function)
    for variable, uses in used.items():
        if isinstance(variable, Alloca) and variable in of_the_text and _is_plain(variable, uses):
            asked = [use for use in uses if not isinstance(use, Load) or _matters(use, used)]
            _mark(variable, asked, insertions, leave)


def _matters(value: Instruction, used: Mapping[Value, list[Instruction]]) -> bool:
    """Whether anything is done with a value: `sizeof *p` of an array of variable length loads `p`, and no more."""
    return any(not isinstance(use, (GetElementPtr, Cast)) or _matters(use, used) for use in used[value])


def _mark(variable: Alloca, uses: list[Instruction], insertions: Instrumentation, leave: Leave) -> None:
    builder = insertions.behind(variable)
    mark = builder.alloca(I1)
    builder.store(_truth(False), mark)
    words = f"a read of {variable.name}, which has no value yet"

    def fail(there: Builder, load: Instruction) -> None:
        leave(there, words, load)

    for use in uses:
        if isinstance(use, Load):
            asked = insertions.before(use).load(I1, mark)
            insertions.check(use, InstructionCheck(asked, lambda there, load=use: fail(there, load)))  # type: ignore[misc]
        else:
            insertions.behind(use).store(_truth(isinstance(use, Store)), mark)


def _truth(value: bool) -> Value:
    return int_constant(I1, int(value))


def declared(function: Function) -> set[Value]:
    """The variables of the C text."""
    found: set[Value] = set()
    for instruction in function.instructions():
        for record in instruction.debug_records:
            place = record.operands[0] if record.kind == "declare" and record.operands else None
            if isinstance(place, ValueAsMetadata):
                found.add(place.value)
    return found


def _is_plain(variable: Alloca, uses: list[Instruction]) -> bool:
    """Whether it holds one value, begins its life where a marker says so, and is only loaded, stored and marked."""
    count = variable.operands[0]
    plain = isinstance(variable.allocated_type, (IntType, FloatType, PointerType))
    starts = [use for use in uses if isinstance(use, Call)]
    return (
        plain
        and isinstance(count, ConstantInt)
        and count.value == 1
        and bool(starts)
        and all(intrinsics.is_marker(getattr(start.callee, "name", "")) for start in starts)
        and all(_is_whole(variable, use) for use in uses if not isinstance(use, Call))
    )


def _is_whole(variable: Alloca, use: Instruction) -> bool:
    if isinstance(use, Load):
        return use.type == variable.allocated_type and not use.volatile and not use.ordering
    whole = isinstance(use, Store) and use.value is not variable and use.value.type == variable.allocated_type
    return whole and isinstance(use, Store) and not use.volatile and not use.ordering
