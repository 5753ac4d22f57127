"""Single calls, step by step: of the gradient (Trace), and of the function as the interpreter saw it (Watched)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One moment of a call of the gradient (schema 4). Numbers are texts, as people read them: "0.5", "true", "nan".

    sweep: "forward", "reverse" or "end". subject: the instruction or parameter it is about, None for what preprocessing added.
    text: the value in C. value: what it is, or its adjoint. place: the element that is read or written ("a[2]").
    added: contributions to adjoints of others, (identifier or "", name, amount). kink: not empty where a comparison of active
    numbers decides, and the derivative may jump: where that is; at_kink: it is here.
    """

    sweep: str
    subject: str | None
    text: str
    value: str
    line: int | None = None
    place: str = ""
    added: tuple[tuple[str, str, str], ...] = ()
    kink: str = ""
    at_kink: bool = False


@dataclass(frozen=True, slots=True)
class TapeEntry:
    """A value on the tape (schema 4): its slot, the steps after which it was put there and read, by their index."""

    slot: str
    text: str
    value: str
    pushed: int
    read: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """A call of the gradient, step by step (schema 4). Where it cannot be shown, `reason` says why and there are no steps;
    where only its beginning can, `reason` says how much there is."""

    call: str  # "relu3(2.0)"
    arguments: tuple[tuple[str, str], ...] = ()
    value: str = ""
    gradient: tuple[tuple[str, str], ...] = ()
    steps: tuple[TraceStep, ...] = ()
    tape: tuple[TapeEntry, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WatchedRow:
    """How often an instruction ran in a watched call, how often its result depended on an active input, and how often that also
    reached the result."""

    identifier: str
    executed: int
    varied: int
    carried: int


@dataclass(frozen=True, slots=True)
class Watched:
    """A call of the function, watched: which instructions truly carried a derivative in it (schema 4).

    lost: where a dependence ended in something that is no number, as (instruction, "comparison" | "rounding" | "address" |
    "integer arithmetic", how often). Where the call could not be followed, `reason` says why and there are no rows.
    """

    function: str
    rows: tuple[WatchedRow, ...] = ()
    lost: tuple[tuple[str, str, int], ...] = ()
    reason: str = ""

    def row(self, identifier: str) -> WatchedRow | None:
        return next((row for row in self.rows if row.identifier == identifier), None)
