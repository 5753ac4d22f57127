"""The function and its gradient as texts and graphs: what each line is, what is active, and why.

Not here: what is kept (kept.py), calls of it (calls.py).
"""

from __future__ import annotations

from dataclasses import dataclass

PRIMAL, SHADOW, ADJOINT = "primal", "shadow", "adjoint"


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


@dataclass(frozen=True, slots=True)
class StageBlock:
    """`origins`, for the stage "gradient", one word a line: "primal" (copied from the function), "shadow" (added to the forward
    sweep: shadows, adjoint slots, the tape), "adjoint" (the reverse sweep); empty where that is not known (schema 2). `c_lines`:
    the lines of the C text that its instructions come from, in order."""

    name: str
    lines: tuple[str, ...]  # LLVM lines without metadata and debug records
    origins: tuple[str, ...] = ()
    c_lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LoopCopy:
    """A loop that takes several iterations of another at once: `times` of them, each in vectors of `lanes` numbers (schema 6).
    of: the block that the other begins with; it takes the iterations that are left. blocks: its own."""

    of: str
    blocks: tuple[str, ...]
    lanes: int
    times: int

    @property
    def words(self) -> str:
        """ "for.body × 8 lanes × 2", "for.body × 4"."""
        lanes = f" × {self.lanes} lanes" if self.lanes > 1 else ""
        return f"{self.of}{lanes}" + (f" × {self.times}" if self.times > 1 else "")


@dataclass(frozen=True, slots=True)
class Stage:
    """One IR stage. `name`: input, optimized, gradient, gradient-optimized. `text` is the whole parseable module. copies: loops
    that LLVM made from others."""

    name: str
    title: str
    text: str
    blocks: tuple[StageBlock, ...]
    edges: tuple[Edge, ...]
    instructions: int
    opcodes: tuple[tuple[str, int], ...] = ()
    copies: tuple[LoopCopy, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceLine:
    """`mark`: "active", "mixed", "inactive", "cached" or "" where no instruction belongs to the line. sweeps: those of "varies",
    "matters", "active" that hold of something on the line, parameters included (schema 8); None: not recorded."""

    number: int
    text: str
    mark: str = ""
    note: str = ""
    instructions: tuple[str, ...] = ()
    sweeps: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """What is active when only the parameters `wrt` are: identifiers of instructions and parameters (schema 2)."""

    wrt: tuple[str, ...]
    active: tuple[str, ...]
    varies: tuple[str, ...] = ()


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
