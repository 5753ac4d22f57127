"""The record of one compilation: the door between the compiler and the pictures.

Invariant: frozen, made of plain data, `Report.from_json(report.to_json()) == report`. It holds everything a picture
needs, so a saved report can be drawn without a compiler. viz reads reports and nothing else; `backend/explain/`
writes them.

Identifiers: instructions are "i0", "i1", … in textual order of the optimized function, arguments "a0", …, blocks by
name, cache slots "s0", …, facts by their index in `Report.facts`.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from dataclasses import dataclass
from typing import Any

from enzyme_magic.errors import ArgumentError

SCHEMA = 6  # earlier ones: without the fields that say so below; they are read, reports of later ones refused


@dataclass(frozen=True, slots=True)
class Fact:
    """One step of a proof. `premises` index `Report.facts`; `subject` is an instruction or argument identifier."""

    sentence: str  # "x is active", "%mul varies because %x varies (line 3)"
    subject: str | None = None
    line: int | None = None
    premises: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Activity of one value or instruction, with both proof directions. Indices into `Report.facts`."""

    active: bool
    varies: bool
    matters: bool
    because: tuple[int, ...] = ()  # the facts that settle it, first sentence first


@dataclass(frozen=True, slots=True)
class Parameter:
    """A C parameter. `role`: "in", "out", "in/out", "value"; `extent` as the user knows it ("n", "n*m")."""

    identifier: str
    name: str
    c_type: str
    role: str
    verdict: Verdict
    extent: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class InstructionRow:
    """One instruction of the optimized function. `text` is short for pictures, `llvm` LLVM's own line."""

    identifier: str
    text: str
    llvm: str
    opcode: str
    verdict: Verdict
    result: str | None = None  # "%mul"
    line: int | None = None
    column: int | None = None
    operands: tuple[str, ...] = ()  # identifiers of the instructions and arguments it reads
    slot: str | None = None  # cache slot, when its value is stored for the reverse sweep
    rule: str | None = None  # "d(a*b) = da*b + a*db": the derivative rule used, if any
    primals_needed: tuple[str, ...] = ()  # identifiers of values its adjoint reads
    c: str = ""  # what it computes in C, "" where C has no words (schema 6)


@dataclass(frozen=True, slots=True)
class BlockRow:
    name: str
    instructions: tuple[InstructionRow, ...]
    runs: str | None = None  # "runs n times"
    line: int | None = None
    call: str = ""  # "logsumexp, called at line 79": the inlined call that all of its instructions come from (schema 6)


@dataclass(frozen=True, slots=True)
class Edge:
    """`label` is the C condition ("x > 0", "otherwise", "next i"), never T/F."""

    source: str
    target: str
    label: str | None = None
    back: bool = False
    fallthrough: bool = False


@dataclass(frozen=True, slots=True)
class ActivityGraph:
    blocks: tuple[BlockRow, ...]
    edges: tuple[Edge, ...]

    def rows(self) -> tuple[InstructionRow, ...]:
        return tuple(row for block in self.blocks for row in block.instructions)


AT_LEAST = "at least"
PRIMAL, SHADOW, ADJOINT = "primal", "shadow", "adjoint"


@dataclass(frozen=True, slots=True)
class StageBlock:
    """`origins`, for the stage "gradient", one word a line: "primal" (copied from the function), "shadow" (added to the forward
    sweep: shadows, adjoint slots, the tape), "adjoint" (the reverse sweep); empty where that is not known (schema 2)."""

    name: str
    lines: tuple[str, ...]  # LLVM lines without metadata and debug records
    origins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """One IR stage. `name`: input, optimized, gradient, gradient-optimized. `text` is the whole parseable module."""

    name: str
    title: str
    text: str
    blocks: tuple[StageBlock, ...]
    edges: tuple[Edge, ...]
    instructions: int
    opcodes: tuple[tuple[str, int], ...] = ()


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

    def stored(self) -> tuple[CacheRow, ...]:
        return tuple(row for row in self.rows if row.decision == "store")


@dataclass(frozen=True, slots=True)
class SourceLine:
    """`mark`: "active", "mixed", "inactive", "cached" or "" where no instruction belongs to the line."""

    number: int
    text: str
    mark: str = ""
    note: str = ""
    instructions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Timing:
    stage: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Check:
    """The correctness badge. `done` False: `text` says what is missing."""

    done: bool
    text: str
    points: int = 0
    worst_relative_error: float = 0.0


@dataclass(frozen=True, slots=True)
class Selection:
    """What is active when only the parameters `wrt` are: identifiers of instructions and parameters (schema 2)."""

    wrt: tuple[str, ...]
    active: tuple[str, ...]
    varies: tuple[str, ...] = ()


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
class Plan:
    """Another cache plan of the same gradient (schema 4). total: bytes, a formula; sliders: in numbers. seconds: of one gradient at
    the user's arguments, None where there are none. trouble: why there is no such plan."""

    name: str
    total: str = ""
    sliders: tuple[Slider, ...] = ()
    seconds: float | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class TextChange:
    """`gone` lines of a text, from line `at` on (from 0), give way to `lines` (schema 6)."""

    at: int
    gone: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PassStep:
    """A pass of the optimizer that changed the gradient (schema 6). name: LLVM's; title, about: for people; on: what it worked on;
    caption: what changed; changes: of the text before, from its end to its beginning; instructions: afterwards, of all."""

    name: str
    title: str
    about: str
    on: str
    caption: str
    changes: tuple[TextChange, ...]
    instructions: int


@dataclass(frozen=True, slots=True)
class Passes:
    """The optimization after differentiation, pass by pass (schema 6). start: the module's text before the first of them."""

    start: str
    steps: tuple[PassStep, ...] = ()

    def text(self, index: int) -> str:
        """The module after the first `index` steps."""
        lines = self.start.split("\n")
        for step in self.steps[:index]:
            for change in step.changes:
                lines[change.at : change.at + change.gone] = change.lines
        return "\n".join(lines)


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


@dataclass(frozen=True, slots=True)
class GradientC:
    """The gradient as C text (schema 3). Without a text, `reason` is the sentence that says why there is none."""

    text: str
    reason: str = ""

    @property
    def available(self) -> bool:
        return bool(self.text)

    def __str__(self) -> str:
        return self.text or self.reason


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a person may want to see of one function and one request for its gradient."""

    function: str
    signature: str  # "relu3(double x) -> double"
    mode: str  # "reverse", "forward"
    wrt: tuple[str, ...]
    source_name: str  # "In[3]"
    source: tuple[SourceLine, ...]
    parameters: tuple[Parameter, ...]
    activity: ActivityGraph
    stages: tuple[Stage, ...]
    cache: CacheBreakdown
    facts: tuple[Fact, ...] = ()
    timings: tuple[Timing, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    check: Check | None = None
    example: str | None = None  # "grad(2.0) = 12.0"
    notes: tuple[str, ...] = ()  # "added #include <math.h>"
    cost: str | None = None  # "1.6 x the function itself (measured)"
    schema: int = SCHEMA
    why_not_called: str = (
        "not known"  # "" where a call with small numbers is certain to return and to do nothing else (schema 2)
    )
    selections: tuple[Selection, ...] = ()  # for all subsets of up to three active parameters
    gradient_c: GradientC | None = None  # None: not recorded (schema 3)
    traces: tuple[Trace, ...] = ()  # calls of the gradient, step by step (schema 4)
    plans: tuple[Plan, ...] = ()  # cache plans beside one another, where they were compared (schema 4)
    watched: Watched | None = None  # a call of the function, where one was watched (schema 4)
    passes: Passes | None = None  # what the optimizer did, where that was asked for (schema 6)

    def selection(self, *wrt: str) -> Selection | None:
        """What is active with respect to these parameters alone, in any order; None where that is not recorded."""
        return next((found for found in self.selections if set(found.wrt) == set(wrt)), None)

    def stage(self, name: str) -> Stage:
        return next(stage for stage in self.stages if stage.name == name)

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Report:
        """The report of a text that `to_json` gave, of this schema or an earlier one. No compiler is needed.

        ArgumentError EM334 for any other text.
        """
        try:
            data = json.loads(text)
            schema = data["schema"]
            if type(schema) is not int or not 1 <= schema <= SCHEMA:
                raise _unreadable(f"its schema is {schema!r}, and this version reads schemas 1 to {SCHEMA}")
            report = _decode(cls, data | {"schema": SCHEMA})
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            if isinstance(error, ArgumentError):
                raise
            raise _unreadable(f"it is not the JSON of a report ({error})") from error
        assert isinstance(report, Report)
        return report


def _unreadable(why: str) -> ArgumentError:
    return ArgumentError(
        f"no report can be read from this text: {why}", code="EM334", hint="text that report.to_json() gave"
    )


def _decode(kind: Any, data: Any) -> Any:
    """The dataclass tree of `kind` from what json.loads gave; tuples come back as tuples. ValueError where it does not fit."""
    origin = typing.get_origin(kind)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _decode_record(kind, data)
    if origin is tuple:
        return _decode_tuple(typing.get_args(kind), data)
    if origin in (types.UnionType, typing.Union):
        inner = next(part for part in typing.get_args(kind) if part is not type(None))
        return None if data is None else _decode(inner, data)
    if kind in (str, bool, int, float) and type(data) is not kind and not (kind is float and type(data) is int):
        raise ValueError(f"{kind.__name__} expected, {_kind(data)} found")
    return data


def _decode_record(kind: type[Any], data: Any) -> Any:
    """Fields this version does not know are passed over; one that is missing has its default."""
    if not isinstance(data, dict):
        raise ValueError(f"{kind.__name__} expected, {_kind(data)} found")
    hints = typing.get_type_hints(kind)
    required = {f.name for f in dataclasses.fields(kind) if _is_required(f)}
    if missing := sorted(required - set(data)):
        raise ValueError(f"{kind.__name__} without {', '.join(missing)}")
    return kind(**{key: _decode(hints[key], value) for key, value in data.items() if key in hints})


def _decode_tuple(parts: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise ValueError(f"a list expected, {_kind(data)} found")
    if len(parts) == 2 and parts[1] is Ellipsis:
        return tuple(_decode(parts[0], item) for item in data)
    return tuple(_decode(part, item) for part, item in zip(parts, data, strict=True))


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _kind(data: Any) -> str:
    return "null" if data is None else type(data).__name__
