"""Where shadow memory must hold the shadows of the pointers that primal memory holds.

Pointers to memory without derivatives are not mirrored, until one is used where an active one may stand as well: as an argument of
a function that adds to its shadow, or behind a phi. If such a pointer was loaded, the memory it lay in has to be mirrored, by this
function or, where it belongs to a caller, by that one.

Invariant: a shadow pointer is loaded only from memory whose pointers are mirrored. What was stored before the outermost derivative
began is beyond it: its shadow may be null, and PrimalCopy guards that at run time where it is used (`Doubts`); a `FILE *` that is
only handed on needs none. What is missing is noted (planning/missing.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.autodiff.calls.call_kinds import PLAIN, CallKinds
from enzyme_magic.backend.autodiff.calls.request import FunctionRequest
from enzyme_magic.backend.autodiff.memory import shadow_images
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.ir.instructions import (
    Call,
    Cast,
    Compare,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Select,
    Store,
)
from enzyme_magic.backend.ir.types import PointerType
from enzyme_magic.backend.ir.values import Value


def require(subject: Subject, pointer: Value) -> None:
    """For a pointer that is loaded from `pointer`, and its shadow from there too."""
    _require(subject, subject.alias.base_objects(pointer))


def require_behind(subject: Subject, call: Call, request: FunctionRequest) -> None:
    """For a call whose derivative loads shadows of pointers behind its arguments."""
    for k in request.followed:
        argument = call.arguments[k]
        _require(subject, subject.alias.base_objects(argument) | subject.reachable(argument))


def _require(subject: Subject, objects: Iterable[MemoryObject]) -> None:
    for item in sorted(objects, key=lambda o: subject.alias.points_to.numbers[o]):
        if not subject.pointees(item) or subject.is_shadowed(item):
            continue
        if item.kind in ("argument", "reachable", "byval"):
            arguments = subject.prepared.function.arguments
            if isinstance(arguments[item.index].type, PointerType):  # an integer that may be an address has no shadow
                subject.missing.behind_parameter(item.index)
        elif item.local and not any(map(subject.has_shadow, subject.pointees(item))):
            assert isinstance(item.value, Instruction)
            subject.missing.memory_of(subject.number_of(item.value))


@dataclass(eq=False, repr=False)
class Doubts:
    """Loaded pointers of one function whose shadows may be missing. is_carried: of a loaded value without derivative, whether its
    bytes are moved along with those in the shadow."""

    subject: Subject
    kinds: CallKinds
    is_carried: Callable[[Load], bool]

    def may_lack_shadow(self, load: Load) -> bool:
        """Whether what was there before may have been loaded, and the memory behind it is used here.

        Whatever comes out of memory that was there before may lead outside (points_to), so that it is known again where it was only
        handed on and is loaded later.
        """
        alias = self.subject.alias
        found = alias.base_objects(load)
        before = any(o.kind in ("reachable", "outside") or self._came_as_integer(o) for o in found)
        here = all(o.local or shadow_images.is_known(o.value) for o in alias.base_objects(load.pointer))
        return (before or not here) and self._is_used(load)

    def _came_as_integer(self, item: MemoryObject) -> bool:
        """Whether it is the memory that an integer may be the address of, which a caller gave."""
        arguments = self.subject.prepared.function.arguments
        return item.kind == "argument" and not isinstance(arguments[item.index].type, PointerType)

    def _is_used(self, load: Load) -> bool:
        pending: list[Value] = [load]
        seen: set[Value] = set(pending)
        while pending:
            pointer = pending.pop()
            for user in self._users[pointer]:
                if isinstance(user, (Phi, Select, GetElementPtr, Freeze)):
                    pending += [user] if user not in seen else []
                    seen.add(user)
                elif not self._leaves_alone(user, pointer):
                    return True
        return False

    def _leaves_alone(self, user: Instruction, pointer: Value) -> bool:
        """Whether an instruction looks at or keeps the address only, or reads there what has no derivative and leads nowhere."""
        if isinstance(user, Load):
            leads_on = isinstance(user.type.scalar, PointerType) or self.subject.activity.active(user)
            return not leads_on and not self.is_carried(user)
        if isinstance(user, Store):
            return user.pointer is not pointer
        if isinstance(user, Call):
            return self.kinds.kind(user) == PLAIN
        return isinstance(user, Compare) or (isinstance(user, Cast) and user.opcode == "ptrtoint")

    @cached_property
    def _users(self) -> dict[Value, list[Instruction]]:
        users: dict[Value, list[Instruction]] = defaultdict(list)
        for instruction in self.subject.prepared.function.instructions():
            for operand in instruction.operands:
                users[operand].append(instruction)
        return users
