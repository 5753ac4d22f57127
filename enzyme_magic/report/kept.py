"""What a gradient keeps for its reverse sweep: the cache plan, others beside it, and what single calls kept.

Invariant: sizes are formulas in the function's own parameters, or numbers of one call; both in bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

AT_LEAST = "at least"


@dataclass(frozen=True, slots=True)
class CacheRow:
    """A value the reverse sweep needs. `decision`: "store", "recompute", "available".

    `count` and `bytes` are formulas in the function's own parameters ("n", "8*n*(n+1)/2"), or in recorded counts.
    """

    identifier: str
    instruction: str | None
    expression: str
    decision: str
    line: int | None = None
    type: str = ""
    count: str = ""
    bytes: str = ""
    size: int = 0  # bytes of one element
    reason: str = ""
    overwritten_by: str | None = None
    overwritten_line: int | None = None
    read_by: str | None = None
    read_line: int | None = None
    because: tuple[int, ...] = ()  # the chain of reasons: indices into `Report.facts` (schema 2)
    least: bool = False  # `bytes` leaves out what is not known before the call (schema 5)


@dataclass(frozen=True, slots=True)
class Alternative:
    """The cache plan under an assumption that the program does not state: recomputed, never guessed (schema 2).

    `assume`: parameter and what is assumed of it ("restrict", "const", or a number). `total`: bytes then, a formula. `saves`: bytes
    saved, a formula; "0" when nothing is, "" where the difference is not known before the call.
    """

    assume: tuple[tuple[str, str], ...]
    sentence: str
    total: str
    saves: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """A hint applied to a copy of the C text (schema 6). text: that copy; diff: what changed in it. total, total_after: bytes,
    formulas. The rest is of one call, before and after: bytes kept, seconds of one gradient; difference: the largest relative one
    between the gradients; agrees: None where nothing was called."""

    hint: str
    text: str
    diff: str
    total: str
    total_after: str
    call: str = ""
    kept: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()
    difference: float = 0.0
    agrees: bool | None = None

    @property
    def totals(self) -> tuple[str, str]:
        return self.total, self.total_after


@dataclass(frozen=True, slots=True)
class Slider:
    """The total in numbers, for one integer parameter that it depends on, the others held at `others` (schema 2)."""

    parameter: str
    values: tuple[int, ...]
    totals: tuple[int, ...]  # bytes
    rows: tuple[tuple[str, tuple[int, ...]], ...] = ()  # bytes of each stored row, by its identifier
    others: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """Bytes that one call put on its tape for one value of one function (schema 5)."""

    function: str
    expression: str
    line: int | None
    bytes: int


@dataclass(frozen=True, slots=True)
class MemoryCurve:
    """Bytes kept during one call, from nothing to nothing (schema 6). moments: events of the call (a value kept, bytes given
    back, a block of the reverse sweep) of which `events` happened in all; where there are many, those with the most bytes are
    here. kept: for each moment the bytes of each of `functions`, the one that was asked for first. turn: the first moment of the
    reverse sweep."""

    functions: tuple[str, ...]
    moments: tuple[int, ...]
    kept: tuple[tuple[int, ...], ...]
    events: int
    turn: int | None = None
    reason: str = ""  # why there is no curve

    def totals(self) -> tuple[int, ...]:
        return tuple(sum(part) for part in self.kept)


@dataclass(frozen=True, slots=True)
class Measured:
    """What one call kept (schema 5). kept: the most bytes of values and frames at once; taken: the most memory of the tape at once,
    with blocks rounded up to 64 bytes, arrays grown by doubling, and local arrays. predicted: the total at these arguments, with
    `bound` as there; None where it is no formula."""

    call: str
    kept: int
    taken: int
    predicted: int | None = None
    bound: str = ""
    rows: tuple[MeasuredRow, ...] = ()
    curve: MemoryCurve | None = None
    others: tuple[tuple[str, MemoryCurve], ...] = ()  # of other cache plans, where they were asked for


@dataclass(frozen=True, slots=True)
class CacheBreakdown:
    """The cache plan. `sentence` says it in one line ("nothing saved: x is an argument and still available"). `hints` are the
    sentences of those alternatives that save something. `bound`: "at least" where called functions keep more than `total` says
    (schema 5); "" where it is exact. `measured`: one call (schema 5). `separate`: the parameters that
    nothing else overlaps, since each call from Python gives them memory of their own (schema 6)."""

    rows: tuple[CacheRow, ...]
    sentence: str
    total: str = "0"  # formula in bytes
    hints: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    sliders: tuple[Slider, ...] = ()
    bound: str = ""
    measured: Measured | None = None
    separate: tuple[str, ...] = ()

    def own_memory(self) -> str:
        """ "u, v: memory of their own in each call from Python"; "" where nothing is known to be separate."""
        whose = "their" if self.separate[1:] else "its"
        return f"{', '.join(self.separate)}: memory of {whose} own in each call from Python" if self.separate else ""

    def stored(self) -> tuple[CacheRow, ...]:
        return tuple(row for row in self.rows if row.decision == "store")


@dataclass(frozen=True, slots=True)
class Plan:
    """Another cache plan of the same gradient (schema 4). total: bytes, a formula; sliders: in numbers. seconds: of one gradient at
    the user's arguments, None where there are none. trouble: why there is no such plan. bound: as of a CacheBreakdown, schema 6."""

    name: str
    total: str = ""
    sliders: tuple[Slider, ...] = ()
    seconds: float | None = None
    trouble: str = ""
    bound: str = ""
