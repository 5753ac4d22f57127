"""The record of one compilation: the door between the compiler and the pictures.

Invariant: frozen, made of plain data, `Report.from_json(report.to_json()) == report`. It holds everything a picture
needs, so a saved report can be drawn without a compiler. viz reads reports and nothing else; `backend/explain/`
writes them.

Identifiers: instructions are "i0", "i1", … in textual order of the optimized function, arguments "a0", …, blocks by
name, cache slots "s0", …, facts by their index in `Report.facts`.
"""

from enzyme_magic.report.calls import TapeEntry, Trace, TraceStep, Watched, WatchedRow
from enzyme_magic.report.kept import (
    AT_LEAST,
    Alternative,
    CacheBreakdown,
    CacheRow,
    Fix,
    Measured,
    MeasuredRow,
    MemoryCurve,
    Plan,
    Slider,
)
from enzyme_magic.report.optimization import Optimization, Passes, PassStep, TextChange
from enzyme_magic.report.program import (
    ADJOINT,
    PRIMAL,
    SHADOW,
    ActivityGraph,
    BlockRow,
    Edge,
    Fact,
    GradientC,
    InstructionRow,
    LoopCopy,
    Parameter,
    Selection,
    SourceLine,
    Stage,
    StageBlock,
    Verdict,
)
from enzyme_magic.report.record import SCHEMA, Check, Report, Timing

__all__ = [
    "ADJOINT",
    "AT_LEAST",
    "PRIMAL",
    "SCHEMA",
    "SHADOW",
    "ActivityGraph",
    "Alternative",
    "BlockRow",
    "CacheBreakdown",
    "CacheRow",
    "Check",
    "Edge",
    "Fact",
    "Fix",
    "GradientC",
    "InstructionRow",
    "LoopCopy",
    "Measured",
    "MeasuredRow",
    "MemoryCurve",
    "Optimization",
    "Parameter",
    "PassStep",
    "Passes",
    "Plan",
    "Report",
    "Selection",
    "Slider",
    "SourceLine",
    "Stage",
    "StageBlock",
    "TapeEntry",
    "TextChange",
    "Timing",
    "Trace",
    "TraceStep",
    "Verdict",
    "Watched",
    "WatchedRow",
]
