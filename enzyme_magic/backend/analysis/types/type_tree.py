"""What bytes hold: concrete types, type trees, and the answers given in them.

Lattice of one byte range: Unknown < {Integer, Float@kind, Pointer} < Anything. Unknown: no evidence. Anything: fits
every type (undef, zero bits). `Padding` are bytes no member covers: nobody may rely on them, so it behaves like
Unknown in a merge and may be skipped in a copy. Two different concrete types for the same bytes have no merge: the
result is a conflict (None), which callers report as unknown together with both reasons.

A `TypeTree` maps paths of byte offsets to concrete types: `[0]` is the value itself (or its bytes), `[0, 8]` byte 8
of the memory it points to; offset -1 means every offset (an array without end). It is how an answer is shown and
compared; the analysis itself works on `layouts.Layout`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

EVERY = -1


@dataclass(frozen=True, slots=True, order=True)
class Concrete:
    """`word`: Unknown, Integer, Float, Pointer, Anything, Padding. `kind`: LLVM's word for a Float (`double`, `x86_fp80`, …)."""

    word: str
    kind: str = ""

    @property
    def is_float(self) -> bool:
        return self.word == "Float"

    def __str__(self) -> str:
        return f"{self.word}@{self.kind}" if self.kind else self.word


UNKNOWN = Concrete("Unknown")
INTEGER = Concrete("Integer")
POINTER = Concrete("Pointer")
ANYTHING = Concrete("Anything")
PADDING = Concrete("Padding")
COMPUTED = Concrete(
    "Computed"
)  # from the bits of floating numbers, by something else than a move: a derivative is lost there
BYTES = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 10, "fp128": 16, "ppc_fp128": 16}


def floating(kind: str) -> Concrete:
    """The concrete type of a floating kind."""
    return Concrete("Float", kind)


def merge(a: Concrete, b: Concrete) -> Concrete | None:
    """The least type above both; None when they contradict each other."""
    for weak in (UNKNOWN, PADDING):
        if a == weak:
            return b
        if b == weak:
            return a
    if a == ANYTHING or b == ANYTHING:
        return ANYTHING
    return a if a == b else None


Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TypeTree:
    """Sorted (path, concrete type) pairs. Bounded: what lies deeper or further out than the builder looked is Unknown."""

    entries: tuple[tuple[Path, Concrete], ...] = ()

    def __iter__(self) -> Iterator[tuple[Path, Concrete]]:
        return iter(self.entries)

    def __str__(self) -> str:
        inner = ", ".join(f"[{','.join(map(str, path))}]:{concrete}" for path, concrete in self.entries)
        return f"{{{inner}}}"

    def at(self, *path: int) -> Concrete:
        """The type at a path; an entry for every offset answers for each."""
        found = UNKNOWN
        for known, concrete in self.entries:
            if len(known) == len(path) and all(k in (p, EVERY) for k, p in zip(known, path, strict=True)):
                found = concrete
        return found

    @property
    def pointee(self) -> TypeTree:
        """What a pointer points to: the tree below offset 0."""
        return TypeTree(tuple((path[1:], c) for path, c in self.entries if len(path) > 1 and path[0] in (0, EVERY)))


@dataclass(frozen=True, slots=True)
class Segment:
    """`size` bytes from `offset` on hold values of one concrete type (several in a row, for an array)."""

    offset: int
    size: int
    kind: Concrete

    def __str__(self) -> str:
        return f"[{self.offset}, {self.offset + self.size}): {self.kind}"


@dataclass(frozen=True, slots=True)
class Contents:
    """The typed bytes of a memory range; padding is left out. `period`: the segments describe the first `period` bytes, and
    the rest repeats them; None: they describe the whole range."""

    segments: tuple[Segment, ...]
    period: int | None
    reason: str

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    @property
    def floats(self) -> tuple[Segment, ...]:
        return tuple(s for s in self.segments if s.kind.is_float)

    @property
    def pointers(self) -> tuple[Segment, ...]:
        return tuple(s for s in self.segments if s.kind == POINTER)

    def only(self) -> Concrete | None:
        """The one type all of the bytes have; None when they are mixed (or there are none)."""
        kinds = {s.kind for s in self.segments}
        return kinds.pop() if len(kinds) == 1 else None


def append_segment(segments: list[Segment], new: Segment) -> None:
    """Put `new` behind the others; neighbours of one type become one."""
    last = segments[-1] if segments else None
    if last is not None and last.kind == new.kind and last.offset + last.size == new.offset:
        new = Segment(last.offset, last.size + new.size, new.kind)
        segments.pop()
    segments.append(new)


@dataclass(frozen=True, slots=True)
class Unknown:
    """No answer, and why. `conflict`: there is evidence, and it contradicts itself."""

    reason: str
    conflict: bool = False

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class TypeVerdict:
    """yes, no or unknown, and why. Has no truth value of its own: ask for `.yes`, `.no` or `.maybe`."""

    answer: str
    reason: str

    @property
    def yes(self) -> bool:
        return self.answer == "yes"

    @property
    def no(self) -> bool:
        return self.answer == "no"

    @property
    def maybe(self) -> bool:
        """yes or unknown: a derivative may sit in it."""
        return self.answer != "no"

    def __bool__(self) -> bool:
        raise TypeError("a Verdict is yes, no or unknown: ask for .yes, .no or .maybe")
