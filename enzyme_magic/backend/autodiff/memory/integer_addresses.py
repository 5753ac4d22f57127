"""Addresses of memory with derivatives that are kept as integers, `u = (uintptr_t)p`, are refused.

Shadow memory holds the shadows of stored pointers; of a stored integer nothing tells whether somebody will read it as a pointer.
Its shadow would be missing there, and to dereference a null pointer is a promise to LLVM that the code is never reached.

Theorem: no integer in memory is one of these addresses, or a part of one (`address_integers.py` says what that is). What is
computed from loaded integers may be kept where the program makes no pointer of integers (`made_pointers.py`): hashes.

Where it may make some, activity does not see where parts of addresses lead. So parts of addresses of memory that varies are not
kept there either, whether or not a result was seen to depend on it, nor by the functions that are called.

Not seen here: integers that held addresses before the derivative began; `inttoptr` of what is loaded is refused where its shadow is
needed (shadows.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.autodiff.analyses import Analyses
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.planning.address_integers import LOWEST, MOVES, AddressIntegers
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.ir.instructions import Binary, Call, Cast, Instruction, Select
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import ConstantInt, Value

WHAT = (
    "the address of memory with derivatives is kept as an integer: nobody can tell where it is read as a pointer again"
)
HINT = "keep it in a pointer variable (void *), not in an integer"
MAY_BE = (
    "an integer that is computed with comes from memory in which pointers to memory with derivatives lie: it may be one"
)
APART = "keep pointers in pointer variables, and integers that are computed with in memory without pointers"
SMALL = ("add", "sub", "and", "or", "xor")  # operations that make no address of smaller integers
NARROW = 32  # bits of an integer that is no address


_Place = tuple[Instruction, str, str]  # where, the cause, the smallest repair


def check(context: SweepContext, subject: Subject) -> None:
    """Raise DifferentiationError (EM230) where such an address is kept: first where it was made, then where it was loaded."""
    kept = _Kept(context.analyses, subject)
    varies = subject.activity.varies.__contains__
    found = kept.made(subject.has_shadow) or kept.loaded(subject.has_shadow) or kept.made(varies, parts=True)
    found = found or kept.loaded(varies, parts=True) or kept.elsewhere()
    if found:
        user, cause, hint = found
        raise context.fail(user, cause, hint, "EM230")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Kept:
    """Where one function keeps an address of some memory, with the words for it."""

    analyses: Analyses
    subject: Subject

    @property
    def addresses(self) -> AddressIntegers:
        return self.analyses.address_integers()

    def made(self, counts: Callable[[MemoryObject], bool], *, parts: bool = False) -> _Place | None:
        """parts: only these, where something may put them together again."""
        function, addresses = self.subject.prepared.function, self.addresses
        begins = [
            i
            for i in function.instructions()
            if addresses.begins(i) and any(self._leads_to(v, counts) for v in addresses.addresses_in(i))
        ]
        for value, user in addresses.uses(function, begins):
            counted = not parts or (addresses.is_part(user, value) and not self._is_harmless(user))
            if counted and addresses.keeps(user, value):
                return user, WHAT, HINT
        return None

    def loaded(self, counts: Callable[[MemoryObject], bool], *, parts: bool = False) -> _Place | None:
        function, addresses = self.subject.prepared.function, self.addresses
        loads = [i for i in addresses.loads(function) if self._leads_to(i, counts)]
        for value, user in addresses.given(function, loads):
            counted = not parts or addresses.is_part(user, value)
            if counted and addresses.keeps(user, value) and not self._is_harmless(user):
                return user, MAY_BE, APART
        return None

    def elsewhere(self) -> _Place | None:
        """A call that may read addresses of memory that varies, or gets some, and keeps parts of addresses."""
        calls = [i for i in self.subject.prepared.function.instructions() if isinstance(i, Call)]
        for call in calls:
            targets = self.analyses.effects.callgraph.targets(call)
            for made, is_shown in ((True, self._gets_some), (False, self._finds_some)):
                if any(self.addresses.keeps_some(f, self._is_harmless, made=made) for f in targets) and is_shown(call):
                    return call, MAY_BE, APART
        return None

    def _is_harmless(self, user: Instruction) -> bool:
        return self.addresses.is_integer(user) and not self.analyses.makes_pointers()

    def _gets_some(self, call: Call) -> bool:
        points_to = self.subject.alias.points_to
        found = (points_to.base_objects(v) for v in call.arguments)
        return self._finds_some(call) or any(not items.isdisjoint(self.subject.activity.varies) for items in found)

    def _finds_some(self, call: Call) -> bool:
        points_to = self.subject.alias.points_to
        contents = [points_to.contents[points_to.numbers[item]] for item in self.subject.objects_read(call)]
        return any(item in self.subject.activity.varies for mask in contents for item in points_to.members(mask))

    def _leads_to(self, pointer: Value, counts: Callable[[MemoryObject], bool]) -> bool:
        return any(map(counts, self.subject.alias.base_objects(pointer)))


def is_none(integer: Value) -> bool:
    """Whether an integer is too small for an address, whatever it was made of: one of narrow integers that are not put beside each
    other. (A small factor, once, does not do that.)"""
    pending, seen = [(integer, False)], set[tuple[Value, bool]]()
    while pending:
        value, scaled = pending.pop()
        if (value, scaled) in seen or isinstance(value, ConstantInt):
            continue
        seen.add((value, scaled))
        if isinstance(value, MOVES) or (isinstance(value, Binary) and value.opcode in SMALL):
            pending += [(v, scaled) for v in value.operands[isinstance(value, Select) :]]
        elif isinstance(value, Binary) and _is_scaling(value) and not scaled:
            pending.append((value.operands[0], True))
        elif not (isinstance(value, Cast) and value.opcode in ("zext", "sext") and _is_narrow(value.operands[0])):
            return False
    return True


def _is_scaling(operation: Binary) -> bool:
    factor = operation.operands[1]
    if not isinstance(factor, ConstantInt):
        return False
    return factor.unsigned < {"mul": LOWEST, "shl": LOWEST.bit_length()}.get(operation.opcode, 0)


def _is_narrow(value: Value) -> bool:
    return isinstance(value.type, IntType) and value.type.bits <= NARROW
