"""What differs between N sweeps over the same primal: the decision behind `lanes.py`.

Lattice: a value of a written function is *uniform* (the same in all sweeps: the primal, the tape, the control flow) or *varying*.
Varying are the shadows, tangents and seeds that come in, what is computed from them, and the memory they are put into. Least
fixpoint over all written functions: arguments vary when a call passes something varying, results when a return does.

Invariant: memory that receives a varying value is known by where it is made (a stack variable, a shadow allocation, a parameter
that varies); where that cannot be seen, or a branch would vary, `NotInLanes` is raised: the sweeps must be made one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis import libc
from enzyme_magic.backend.analysis.callgraph import globals_in
from enzyme_magic.backend.autodiff import shadow_heap, tape
from enzyme_magic.backend.ir.def_use import users
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    AtomicRMW,
    Call,
    Cast,
    ExtractValue,
    Freeze,
    GetElementPtr,
    InsertValue,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    Store,
)
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import StructType
from enzyme_magic.backend.ir.values import Argument, ConstantKeyword, Value

RELEASE = shadow_heap.RELEASE_BOTH.name  # frees the primal, too: once
RESERVE = tape.RESERVE.name
_MAKES = frozenset([shadow_heap.ALLOCATE_SHADOW.name, tape.ALLOCATE.name])  # memory that may be made once for each lane
_REPEATED = _MAKES | {
    shadow_heap.FREE_SHADOW.name, shadow_heap.FREED.name, shadow_heap.REQUIRE.name, RELEASE, RESERVE,
}  # fmt: skip


class NotInLanes(Exception):
    """Why several sweeps cannot be made at once."""


@dataclass(slots=True, repr=False)
class LaneFlow:
    """varying: instructions, arguments and shadow globals; fields[name]: which values of a written function's result vary."""

    module: Module
    varying: set[Value] = field(default_factory=set)
    fields: dict[str, set[int]] = field(default_factory=dict)
    _changed: bool = False
    _users: dict[str, dict[Value, list[Instruction]]] = field(default_factory=dict)

    def varies(self, value: Value) -> bool:
        if isinstance(value, (Instruction, Argument, GlobalVariable)):
            return value in self.varying
        return any(found in self.varying for found in globals_in(value))

    def written(self, call: Call) -> Function | None:
        """The function of this module that a call calls."""
        found = self.module.functions.get(getattr(call.callee, "name", ""))
        return found if found is not None and found.blocks else None

    def widens(self, function: Function) -> bool:
        """Whether it takes or gives something varying."""
        return bool(self.fields.get(function.name)) or any(a in self.varying for a in function.arguments)

    # The fixpoint

    def settle(self) -> None:
        self._changed = True
        while self._changed:
            self._changed = False
            for function in self.module.definitions():
                for instruction in function.instructions():
                    self._visit(function, instruction)

    def _mark(self, value: Value) -> None:
        if value not in self.varying:
            self.varying.add(value)
            self._changed = True

    def _visit(self, function: Function, i: Instruction) -> None:
        if isinstance(i, Return):
            self._return(function, i)
        elif isinstance(i, Call):
            self._call(function, i)
        elif isinstance(i, ExtractValue) and isinstance(i.operands[0], Call) and self.written(i.operands[0]):
            if i.indices[0] in self.fields.get(i.operands[0].callee.name, ()):  # type: ignore[attr-defined]
                self._mark(i)
        elif isinstance(i, (Store, AtomicRMW)):
            value, pointer = i.operands if isinstance(i, Store) else reversed(i.operands)
            if self.varies(value) and not self.varies(pointer):
                self._widen(function, pointer)
            if self.varies(pointer):
                self._mark(i)
        elif any(map(self.varies, i.operands)):
            if i.is_terminator:
                raise NotInLanes("a branch depends on a derivative")
            self._mark(i)

    def _return(self, function: Function, i: Return) -> None:
        known = self.fields.setdefault(function.name, set())
        for k, value in enumerate(returned(i)):
            if value is not None and self.varies(value) and k not in known:
                known.add(k)
                self._changed = True

    def _call(self, function: Function, call: Call) -> None:
        target = self.written(call)
        if target is not None:
            for argument, parameter in zip(call.arguments, target.arguments, strict=True):
                if self.varies(argument):
                    self._mark(parameter)
                elif parameter in self.varying and parameter.type == argument.type:
                    self._widen(function, argument)
            if 0 in self.fields.get(target.name, ()) and not isinstance(call.type, StructType):
                self._mark(call)
            return
        if call in self.varying or not any(map(self.varies, call.operands)):
            return
        name = getattr(call.callee, "name", "")
        summary = libc.summary_of(name)
        if not (name in _REPEATED or name.startswith("llvm.") or (summary is not None and summary.pure)):
            raise NotInLanes(f"{name or 'a call through a pointer'} is called with derivatives")
        if name.startswith(("llvm.memcpy.", "llvm.memmove.", "llvm.memset.")) and not self.varies(call.arguments[0]):
            self._widen(function, call.arguments[0])
        if name == RESERVE:
            self._widen(function, call.arguments[2])
        self._mark(call)

    # Memory that varying values are put into

    def _widen(self, function: Function, pointer: Value) -> None:
        """The memory behind a pointer is to be there once for each lane."""
        if self.varies(pointer) or isinstance(pointer, ConstantKeyword) or not _is_place(pointer):
            return
        if isinstance(pointer, Alloca):
            self._mark(pointer)
        elif isinstance(pointer, (GetElementPtr, Cast, Freeze)):
            self._widen(function, pointer.operands[0])
        elif isinstance(pointer, (Phi, Select)):
            self._mark(pointer)
            for arm in pointer.operands if isinstance(pointer, Phi) else pointer.operands[1:]:
                self._widen(function, arm)
        elif isinstance(pointer, Call) and getattr(pointer.callee, "name", "") in _MAKES:
            self._mark(pointer)
        elif isinstance(pointer, Argument):
            self._widen_argument(function, pointer)
        elif isinstance(pointer, Load) and self._is_slot(function, pointer.pointer):
            self._widen(function, pointer.pointer)
        else:
            raise NotInLanes("a derivative is put into memory of which it cannot be seen where it was made")

    def _widen_argument(self, function: Function, argument: Argument) -> None:
        calls = [
            (caller, i)
            for caller in self.module.definitions()
            for i in caller.instructions()
            if isinstance(i, Call) and self.written(i) is function
        ]
        if not calls:
            raise NotInLanes("a derivative is put into memory of the caller's")
        self._mark(argument)
        for caller, call in calls:
            self._widen(caller, call.arguments[argument.index])

    def _is_slot(self, function: Function, pointer: Value) -> bool:
        """Whether it is a stack variable that holds the place of a tape, and nothing else is done with it."""
        known = self._users.setdefault(function.name, users(function))
        return isinstance(pointer, Alloca) and all(
            isinstance(user, Load)
            or (isinstance(user, Store) and user.operands[0] is not pointer)
            or (isinstance(user, Call) and getattr(user.callee, "name", "") == RESERVE)
            for user in known.get(pointer, ())
        )


def _is_place(value: Value) -> bool:
    return isinstance(value, (Instruction, Argument, GlobalVariable)) or bool(list(globals_in(value)))


def returned(i: Return) -> list[Value | None]:
    """What a return gives, value by value; None where that is nothing yet (poison). One entry for what is no built struct."""
    if not i.operands:
        return []
    value = i.operands[0]
    if not isinstance(value, InsertValue) or not isinstance(value.type, StructType):
        return [value]
    parts: list[Value | None] = [None] * len(value.type.elements)
    while isinstance(value, InsertValue):
        place = value.indices[0]
        if len(value.indices) != 1:
            return [i.operands[0]]
        parts[place] = parts[place] or value.operands[1]
        value = value.operands[0]
    return parts if isinstance(value, ConstantKeyword) else [i.operands[0]]


def analyse(module: Module, roots: Iterable[Value]) -> LaneFlow:
    """What varies in the functions of `module` where `roots` (arguments, globals) do. Raises NotInLanes."""
    flow = LaneFlow(module)
    flow.varying.update(roots)
    flow.settle()
    return flow
