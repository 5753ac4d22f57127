"""What differs between N sweeps over the same primal: the decision behind `lane_writer.py`.

Lattice: a value of a written function is *uniform* (the same in all sweeps: the primal, the tape, the control flow) or *varying*.
Varying are the shadows, tangents and seeds that come in, what is computed from them, and the memory they are put into. Least
fixpoint over all written functions: arguments vary when a call passes something varying, results when a return does.

Invariant: memory that receives a varying value is known by where it is made (a stack variable, a shadow allocation, a parameter
that varies); where that cannot be seen, or a branch would vary, `NotInLanes` is raised: the sweeps must be made one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff.cache import tape
from enzyme_magic.backend.autodiff.memory import shadow_heap
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.graphs.def_use import users
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
from enzyme_magic.backend.ir.types import PointerType, StructType
from enzyme_magic.backend.ir.values import Argument, ConstantExpression, ConstantKeyword, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.errors import DifferentiationError

RELEASES = frozenset([shadow_heap.RELEASE_BOTH.name, shadow_heap.RELEASE_SHADOW.name])  # the primal goes, too: once
RESERVE = tape.RESERVE.name
_MAKES = frozenset([shadow_heap.ALLOCATE_SHADOW.name, tape.ALLOCATE.name])  # memory that may be made once for each lane
_REPEATED = _MAKES | RELEASES | {
    shadow_heap.FREE_SHADOW.name, shadow_heap.FREED.name, shadow_heap.REQUIRE.name, shadow_heap.RELEASE_SHADOWS.name,
    shadow_heap.RELEASED.name, shadow_heap.CHECK_BLOCK.name, RESERVE, shadow_heap.KEPT_FOLLOW.name,
    shadow_heap.KEPT_FOLLOW_STATIC.name,
}  # fmt: skip


class NotInLanes(DifferentiationError):
    """Why several sweeps cannot be made at once."""

    default_code = "EM248"


@dataclass(slots=True, repr=False)
class LaneFlow:
    """varying: instructions, arguments and shadow globals; fields[name]: which values of a written function's result vary."""

    module: Module
    varying: set[Value] = field(default_factory=set)
    fields: dict[str, set[int]] = field(default_factory=dict)
    _changed: bool = False
    _users: dict[str, dict[Value, list[Instruction]]] = field(default_factory=dict)
    _calls: dict[str, list[tuple[Function, Call]]] = field(default_factory=dict)

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
            self._store(function, i)
        elif any(map(self.varies, i.operands)):
            if i.is_terminator:
                raise NotInLanes("a branch depends on a derivative")
            self._mark(i)

    def _store(self, function: Function, i: Store | AtomicRMW) -> None:
        value, pointer = i.operands if isinstance(i, Store) else reversed(i.operands)
        if self.varies(value):
            self._widen(function, pointer)
        elif self.varies(pointer):
            self._keep_apart(function, value)
        if self.varies(pointer):
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
                if parameter in self.varying:
                    self._keep_apart(function, argument)
            if 0 in self.fields.get(target.name, ()) and not isinstance(call.type, StructType):
                self._mark(call)
            return
        if call not in self.varying and not any(map(self.varies, call.operands)):
            return
        name = getattr(call.callee, "name", "")
        summary = libc.summary_of(name)
        if not (name in _REPEATED or name.startswith("llvm.") or (summary is not None and summary.pure)):
            raise NotInLanes(f"{name or 'a call through a pointer'} is called with derivatives")
        if intrinsics.transfer_of(name) is not None:
            self._widen(function, call.arguments[0])
            self._keep_apart(function, call.arguments[1])
        if name == RESERVE:
            self._widen(function, call.arguments[1])
            self._widen(function, call.arguments[2])
        self._mark(call)

    # Memory that varying values are put into

    def _widen(self, function: Function, pointer: Value) -> None:
        """The memory behind a pointer is to be there once for each lane, wherever it was made."""
        for home, root in self._roots(function, pointer):
            if self._is_made(root):
                self._mark(root)
            elif isinstance(root, Argument) or not self.varies(root):
                if isinstance(root, Argument) and root in self.varying:
                    continue
                if isinstance(root, Argument) and self._callers(home):
                    self._mark(root)
                else:
                    raise NotInLanes("a derivative is put into memory of which it cannot be seen where it was made")

    def _keep_apart(self, function: Function, value: Value) -> None:
        """A uniform pointer goes where varying ones go: what it leads to may be shadow memory, so each lane gets its own."""
        if isinstance(value.type, PointerType):
            for _, root in self._roots(function, value):
                if self._is_made(root):
                    self._mark(root)

    @staticmethod
    def _is_made(root: Value) -> bool:
        return isinstance(root, Alloca) or (isinstance(root, Call) and getattr(root.callee, "name", "") in _MAKES)

    def _roots(self, function: Function, pointer: Value) -> list[tuple[Function, Value]]:
        """Where the memory a pointer leads to may have been made, with the functions they are in."""
        found: list[tuple[Function, Value]] = []
        seen: set[Value] = set()
        pending = [(function, pointer)]
        while pending:
            home, value = pending.pop()
            if value in seen or isinstance(value, ConstantKeyword):
                continue
            seen.add(value)
            before = self._behind(home, value)
            if before is None:
                found.append((home, value))
            pending += before or []
            if isinstance(value, Argument):
                found.append((home, value))
        return found

    def _behind(self, home: Function, value: Value) -> list[tuple[Function, Value]] | None:
        """The pointers a pointer is made from; None where it begins."""
        if isinstance(value, (GetElementPtr, Cast, Freeze)):
            return [(home, value.operands[0])]
        if isinstance(value, Phi):
            return [(home, arm) for arm in value.operands]
        if isinstance(value, Select):
            return [(home, arm) for arm in value.operands[1:]]
        if isinstance(value, ConstantExpression) and value.opcode == "getelementptr":
            return [(home, value.operands[0])]
        if isinstance(value, Argument):
            return [(caller, call.arguments[value.index]) for caller, call in self._callers(home)]
        if isinstance(value, Load) and self._is_slot(home, value.pointer):
            stores = [u for u in self._users_in(home).get(value.pointer, ()) if isinstance(u, Store)]
            return [(home, value.pointer), *((home, store.operands[0]) for store in stores)]
        call = value.operands[0] if isinstance(value, ExtractValue) else value
        target = self.written(call) if isinstance(call, Call) else None
        if target is not None:
            place = value.indices[0] if isinstance(value, ExtractValue) else 0
            ends = [b.terminator for b in target.blocks if isinstance(b.terminator, Return)]
            parts = [returned(end) for end in ends if isinstance(end, Return)]
            return [(target, part[place]) for part in parts if place < len(part) and part[place] is not None]  # type: ignore[misc]
        return None

    def _callers(self, function: Function) -> list[tuple[Function, Call]]:
        known = self._calls.get(function.name)
        if known is None:
            known = self._calls[function.name] = [
                (caller, i)
                for caller in self.module.definitions()
                for i in caller.instructions()
                if isinstance(i, Call) and self.written(i) is function
            ]
        return known

    def _users_in(self, function: Function) -> dict[Value, list[Instruction]]:
        known = self._users.get(function.name)
        if known is None:
            known = self._users[function.name] = users(function)
        return known

    def _is_slot(self, function: Function, pointer: Value) -> bool:
        """Whether it is a stack variable that holds a pointer, and nothing else is done with it."""
        return isinstance(pointer, Alloca) and all(
            isinstance(user, Load)
            or (isinstance(user, Store) and user.operands[0] is not pointer)
            or (isinstance(user, Call) and getattr(user.callee, "name", "") == RESERVE)
            for user in self._users_in(function).get(pointer, ())
        )


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
