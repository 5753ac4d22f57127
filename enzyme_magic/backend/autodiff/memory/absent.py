"""Memory the caller does not have: a null pointer behind `enzyme_dupnoneed`, where only derivatives count.

Invariant: the written derivative touches none of it. Stores and block copies into it are left out of the primal, called functions
are asked for in the same way, and a function that would read it, or might write something else with the same store, is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.autodiff.calls import call_kinds
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.instructions import AtomicRMW, Call, CompareExchange, Instruction, Load, Store
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.errors import DifferentiationError

if TYPE_CHECKING:
    from enzyme_magic.backend.autodiff.sweeps.primal_copy import PrimalCopy


def objects(subject: Subject) -> frozenset[MemoryObject]:
    """The memory that is not there."""
    arguments = subject.prepared.function.arguments
    return frozenset(o for k in subject.request.absent for o in subject.alias.base_objects(arguments[k]))


def leave_out(copy: PrimalCopy) -> None:
    """Drop what the primal does to absent memory. Raises DifferentiationError EM247 where it is read."""
    subject = copy.subject
    if not subject.request.absent:
        return
    absent = objects(subject)
    kinds = call_kinds.CallKinds(copy.context.analyses, subject)
    for i in subject.prepared.function.instructions():
        if isinstance(i, Store):
            if _is_in(copy, i, i.pointer, absent):
                copy.replace(i, None)
        elif isinstance(i, Load):
            if subject.alias.base_objects(i.pointer) & absent:
                raise _refused(copy, i, "reads")
        elif isinstance(i, (AtomicRMW, CompareExchange)):
            if subject.alias.base_objects(i.operands[0]) & absent:
                raise _refused(copy, i, "updates")
        elif isinstance(i, Call):
            _call(copy, kinds, i, absent)


def _call(copy: PrimalCopy, kinds: call_kinds.CallKinds, call: Call, absent: frozenset[MemoryObject]) -> None:
    subject, kind = copy.subject, kinds.kind(call)
    if kind == call_kinds.DEFINED:
        for argument in call.arguments:
            found = subject.alias.base_objects(argument)
            if found & absent and not found <= absent:
                raise _refused(copy, call, "may use")
        return
    transfer = intrinsics.transfer(call)
    if transfer is not None:
        if transfer != "memset" and subject.alias.base_objects(call.arguments[1]) & absent:
            raise _refused(copy, call, "reads")
        if _is_in(copy, call, call.arguments[0], absent):
            copy.replace(call, None)
    elif (subject.objects_read(call) | subject.objects_written(call)) & absent:
        raise _refused(copy, call, "uses")


def _is_in(copy: PrimalCopy, i: Instruction, pointer: Value, absent: frozenset[MemoryObject]) -> bool:
    found = copy.subject.alias.base_objects(pointer)
    if found & absent and not found <= absent:
        raise _refused(copy, i, "may write")
    return bool(found & absent)


def _refused(copy: PrimalCopy, i: Instruction, does: str) -> DifferentiationError:
    what = f"this {does} memory for which the request gives a null pointer"
    return copy.context.fail(i, what, "pass memory for the result instead of a null pointer", "EM247")
