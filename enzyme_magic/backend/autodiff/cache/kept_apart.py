"""What LLVM is told of tapes and frames: no other access of the function touches what the forward sweep keeps.

    t = tape[k]; d_a[i] += t*g;          the load of `tape[k]` may leave the loop over i, and the loop may become vectors

Invariant: an array of the tape, and a field of a frame, is written by the stores that keep values and read by the loads that get
them back, and by nothing else while the function (or pair) lives: the arena gives its bytes to nobody else. So each has a scope of
its own in the sense of LLVM's `alias.scope` and `noalias` metadata, which needs no declaration, because it holds for the whole
function. Calls are told nothing: the one that lets an array grow moves it.

Of many arrays each is not told to be apart from each other one: the lists would grow with the square.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from enzyme_magic.backend.ir.instructions import Alloca, Call, Instruction, Load, Store
from enzyme_magic.backend.ir.intrinsics import transfer_of
from enzyme_magic.backend.ir.metadata import MDString, MDTuple, Metadata
from enzyme_magic.backend.ir.module import Function

MOST_SCOPES = 16


@dataclass(slots=True, eq=False, repr=False)
class KeptApart:
    """The accesses of one function or pair to what it keeps; `name` is the function's, for people."""

    name: str
    _scopes: dict[object, MDTuple] = field(default_factory=dict)
    _accesses: dict[Instruction, MDTuple] = field(default_factory=dict)
    _domain: MDTuple = field(default_factory=lambda: MDTuple(distinct=True))

    def note(self, access: Instruction, array: object) -> None:
        """A store to, or load from, what is kept under the key `array`."""
        if not self._domain.operands:
            self._domain.operands += [self._domain, MDString(f"kept by {self.name}")]
        key = array if array in self._scopes or len(self._scopes) < MOST_SCOPES else None
        scope = self._scopes.get(key)
        if scope is None:
            scope = self._scopes[key] = MDTuple(distinct=True)
            scope.operands += [scope, self._domain]
        self._accesses[access] = scope

    def tell(self, functions: Iterable[Function]) -> None:
        """Give all accesses of these functions their metadata. Once, when they are complete."""
        if not self._accesses:
            return
        scopes = list(self._scopes.values())
        own = {scope: MDTuple([scope]) for scope in scopes}
        others = {scope: MDTuple([s for s in scopes if s is not scope]) for scope in scopes}
        with_known: dict[Metadata | None, MDTuple] = {None: MDTuple(list(scopes))}
        for function in functions:
            for i in function.instructions():
                scope = self._accesses.get(i)
                if scope is not None:
                    i.metadata["alias.scope"] = own[scope]
                    if others[scope].operands:
                        i.metadata["noalias"] = others[scope]
                elif _touches_memory(i):
                    i.metadata["noalias"] = _joined(with_known, i.metadata.get("noalias"), scopes)


def _joined(found: dict[Metadata | None, MDTuple], known: Metadata | None, scopes: list[MDTuple]) -> MDTuple:
    if known not in found:
        assert isinstance(known, MDTuple)
        found[known] = MDTuple([*known.operands, *scopes])
    return found[known]


def _touches_memory(i: Instruction) -> bool:
    """Whether it is an access of the program or to a shadow; stack slots are values soon."""
    if isinstance(i, (Load, Store)):
        return not isinstance(i.pointer, Alloca)
    called = i.called_function if isinstance(i, Call) else None
    return called is not None and transfer_of(called.name) is not None
