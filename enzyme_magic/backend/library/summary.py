"""What executing a function does to memory and to the world, seen by its caller.

Lattice: every field grows from "nothing" (`NOTHING`) towards "anything" (`anything()`); a summary is an
over-approximation, so a field that is empty is a proof. Places are named from the caller's side: the memory an
argument points to, memory that can be reached from there by following pointers, a global, fresh memory the call
allocated, errno, and everything else ("unknown").

Memory the function allocates on its own stack is no place: nobody else sees it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

PlaceKind = Literal["argument", "reachable", "global", "fresh", "errno", "unknown"]
ARGUMENT: Final = "argument"
REACHABLE: Final = "reachable"
GLOBAL: Final = "global"
FRESH: Final = "fresh"
ERRNO: Final = "errno"
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """kind: argument (memory argument `index` points into), reachable (memory found by following pointers that start there),
    global (`name`), fresh (memory allocated by the call), errno, unknown (anything that is not private to someone else).

    `index` -1 stands for each variadic argument.
    """

    kind: PlaceKind
    index: int = 0
    name: str = ""

    def __str__(self) -> str:
        if self.kind in (ARGUMENT, REACHABLE):
            which = "a variadic argument" if self.index < 0 else f"argument {self.index}"
            return f"memory of {which}" if self.kind == ARGUMENT else f"memory reachable from {which}"
        return {GLOBAL: f"global {self.name}", FRESH: "memory it allocates", ERRNO: "errno"}.get(
            self.kind, "any memory"
        )


ANYWHERE = Place(UNKNOWN)
NEW = Place(FRESH)
ERRNO_PLACE = Place(ERRNO)
UNSEEN = (ANYWHERE, ANYWHERE)  # in `stores`: any pointer may have been put anywhere


@cache
def argument(index: int) -> Place:
    return Place(ARGUMENT, index)


@cache
def reachable(index: int) -> Place:
    return Place(REACHABLE, index)


@dataclass(frozen=True, slots=True)
class TouchedBytes:
    """The bytes of argument `index`'s memory a library function touches: from the pointer upwards, `constant` bytes times the
    values of the `factors` arguments; `exact` False: at most unknown (a string)."""

    index: int
    constant: int = 1
    factors: tuple[int, ...] = ()
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Summary:
    """reads, writes: places whose bytes may be read, written. frees: places whose memory may be freed.
    captures: arguments whose pointer may stay somewhere after the call (the result apart).
    returns: what a returned pointer may point into. stores: (memory, pointee) pairs: a pointer to `pointee` may be put there.
    extents: byte counts of reads and writes through arguments, where known.
    opaque: code nobody has seen may run (so: all of the above). reason: why the summary is what it is.
    """

    reads: frozenset[Place] = frozenset()
    writes: frozenset[Place] = frozenset()
    frees: frozenset[Place] = frozenset()
    captures: frozenset[int] = frozenset()
    returns: frozenset[Place] = frozenset()
    stores: frozenset[tuple[Place, Place]] = frozenset()
    read_extents: tuple[TouchedBytes, ...] = ()
    write_extents: tuple[TouchedBytes, ...] = ()
    allocates: str = ""  # "", or the kind: malloc, calloc, realloc, aligned_alloc, posix_memalign, strdup, other
    prints: bool = False
    may_exit: bool = False
    opaque: bool = False
    repeatable: bool = True  # same arguments and memory, same result, nothing else happens
    callbacks: tuple[int, ...] = ()
    refused: str = ""
    reason: str = ""

    @property
    def pure(self) -> bool:
        """Result depends on the arguments alone and nothing else happens (errno apart)."""
        only_errno = self.writes <= {ERRNO_PLACE}
        return only_errno and not (
            self.reads or self.frees or self.allocates or self.prints or self.may_exit or self.opaque
        )

    def reads_argument(self, index: int) -> bool:
        return self.opaque or bool({argument(index), ANYWHERE} & self.reads)

    def writes_argument(self, index: int) -> bool:
        return self.opaque or bool({argument(index), ANYWHERE} & (self.writes | self.frees))

    def ignores_argument(self, index: int) -> bool:
        """Whether the pointer is handed around and nothing more: not followed, kept or returned. (What is passed `byval` is read by
        the call itself, which is not said here.)"""
        places = {argument(index), reachable(index)}
        touched = self.reads | self.writes | self.frees | self.returns | {p for pair in self.stores for p in pair}
        return not (self.opaque or self.captures_argument(index) or places & touched)

    def captures_argument(self, index: int) -> bool:
        return index in self.captures or -1 in self.captures

    def frees_argument(self, index: int) -> bool:
        return self.opaque or bool({argument(index), ANYWHERE} & self.frees)

    @property
    def global_writes(self) -> frozenset[str] | None:
        """Names of the globals it may write; None: any."""
        if self.opaque or ANYWHERE in self.writes:
            return None
        return frozenset(p.name for p in self.writes if p.kind == GLOBAL)

    @property
    def global_reads(self) -> frozenset[str] | None:
        """Names of the globals it may read; None: any."""
        if self.opaque or ANYWHERE in self.reads:
            return None
        return frozenset(p.name for p in self.reads if p.kind == GLOBAL)

    @property
    def pointers_to_arguments(self) -> frozenset[int]:
        """Arguments whose memory the returned pointer may point into."""
        return frozenset(p.index for p in self.returns if p.kind == ARGUMENT)


NOTHING = Summary(reason="it touches no memory")


def anything(reason: str) -> Summary:
    """The summary of code nobody has seen."""
    everywhere = frozenset([ANYWHERE])
    return Summary(
        reads=everywhere,
        writes=everywhere,
        frees=everywhere,
        captures=frozenset([-1]),
        returns=everywhere,
        stores=frozenset([UNSEEN]),
        prints=True,
        may_exit=True,
        opaque=True,
        repeatable=False,
        reason=reason,
    )


def join(summaries: Iterable[Summary], reason: str) -> Summary:
    """The least summary that covers all of them; extents are dropped unless there is only one."""
    found = list(summaries)
    if len(found) == 1:
        return replace(found[0], reason=reason)
    result = replace(NOTHING, reason=reason)
    for one in found:
        result = replace(
            result,
            reads=result.reads | one.reads,
            writes=result.writes | one.writes,
            frees=result.frees | one.frees,
            captures=result.captures | one.captures,
            returns=result.returns | one.returns,
            stores=result.stores | one.stores,
            allocates=result.allocates or one.allocates,
            prints=result.prints or one.prints,
            may_exit=result.may_exit or one.may_exit,
            opaque=result.opaque or one.opaque,
            repeatable=result.repeatable and one.repeatable,
            refused=result.refused or one.refused,
        )
    return result
