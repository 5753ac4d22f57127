"""Reports written by hand, of the shapes the pictures must show: branches, a select, a loop with a tape, nothing at all, too
much, and odd characters. They stand in for the compiler's: viz reads nothing but reports.
"""

from __future__ import annotations

import dataclasses
import itertools

from enzyme_magic.report import (
    ActivityGraph,
    BlockRow,
    CacheBreakdown,
    CacheRow,
    Check,
    Edge,
    Fact,
    GradientC,
    InstructionRow,
    Parameter,
    Report,
    SourceLine,
    Stage,
    StageBlock,
    Timing,
    Verdict,
)

ACTIVE = Verdict(active=True, varies=True, matters=True)
INACTIVE = Verdict(active=False, varies=False, matters=True)

TIMINGS = (
    Timing("clang", 21.4),
    Timing("activity", 1.2),
    Timing("adjoint", 2.05),
    Timing("-O3", 9.5),
    Timing("jit", 5.0),
)
GRADIENT_C = """double diffe_relu3(double x) {
    return x > 0.0 ? x*x*3.0 : 0.0;          /* line 2: d (x*y) = y dx + x dy */
}
"""
VERSIONS = (("clang", "22.1.8"), ("LLVM", "22.1.0"))


def row(
    number: int, text: str, active: bool, line: int | None, slot: str | None = None, why: int | None = None
) -> InstructionRow:
    """An instruction; its opcode and result are read off the text."""
    result, _, rest = text.partition(" = ")
    opcode = (rest or text).split(" ")[0]
    verdict = Verdict(active, active, True, () if why is None else (why,))
    return InstructionRow(f"i{number}", text, text, opcode, verdict, result if rest else None, line, slot=slot)


def source(
    text: str, marks: dict[int, tuple[str, str]], rows: tuple[InstructionRow, ...] = ()
) -> tuple[SourceLine, ...]:
    """C text with {line: (mark, note)}."""
    return tuple(
        SourceLine(
            number,
            line,
            *marks.get(number, ("", "")),
            instructions=tuple(row.identifier for row in rows if row.line == number),
        )
        for number, line in enumerate(text.splitlines(), 1)
    )


RELU3_C = """double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}"""

RELU3_FACTS = (
    Fact("x is active: it is differentiated with respect to", "a0", 1),
    Fact("%cmp is inactive: an integer carries no derivative", "i0", 3),
    Fact("%call varies because %x varies (line 4)", "i2", 4, (0,)),
)

GRADIENT = Stage(
    "gradient",
    "synthesized adjoint",
    "define double @diffe_relu3(double %x, double %differet) { … }",
    (
        StageBlock("entry", ("%cmp = fcmp ogt double %x, 0.000000e+00", "br i1 %cmp, label %if.then, label %if.end")),
        StageBlock("if.then", ("%call = call double @pow(double %x, double 3.000000e+00)", "br label %if.end")),
        StageBlock(
            "if.end",
            (
                "%result = phi double [ %call, %if.then ], [ 0.000000e+00, %entry ]",
                "br i1 %cmp, label %invert.then, label %invert.entry",
            ),
        ),
        StageBlock(
            "invert.then",
            (
                "%square = fmul double %x, %x",
                "%partial = fmul double 3.000000e+00, %square",
                "%x.adjoint = fmul double %differet, %partial",
                "br label %invert.entry",
            ),
        ),
        StageBlock(
            "invert.entry",
            ("%dx = phi double [ %x.adjoint, %invert.then ], [ 0.000000e+00, %if.end ]", "ret double %dx"),
        ),
    ),
    (
        Edge("entry", "if.then", "x > 0", fallthrough=True),
        Edge("entry", "if.end", "otherwise"),
        Edge("if.then", "if.end", fallthrough=True),
        Edge("if.end", "invert.then", "x > 0", fallthrough=True),
        Edge("if.end", "invert.entry", "otherwise"),
        Edge("invert.then", "invert.entry", fallthrough=True),
    ),
    12,
    (("br", 4), ("call", 1), ("fcmp", 1), ("fmul", 3), ("phi", 2), ("ret", 1)),
)

OPTIMIZED = Stage(
    "gradient-optimized",
    "after O3, seed 1.0 folded in",
    "define double @diffe_relu3(double %x) { … }",
    (
        StageBlock(
            "entry",
            (
                "%cmp = fcmp ogt double %x, 0.000000e+00",
                "%square = fmul double %x, %x",
                "%partial = fmul double %square, 3.000000e+00",
                "%dx = select i1 %cmp, double %partial, double 0.000000e+00",
                "ret double %dx",
            ),
        ),
    ),
    (),
    5,
    (("fcmp", 1), ("fmul", 2), ("ret", 1), ("select", 1)),
)


def relu3_branch() -> Report:
    """The talk's cell at opt 0: a branch and a phi."""
    blocks = (
        BlockRow("entry", (row(0, "%cmp = fcmp ogt double %x, 0.0", False, 3, why=1), row(1, "br %cmp", False, 3))),
        BlockRow(
            "if.then", (row(2, "%call = call double @pow(%x, 3.0)", True, 4, why=2), row(3, "br %if.end", False, 4))
        ),
        BlockRow("if.end", (row(4, "%result = phi [%call], [0.0]", True, 7), row(5, "ret double %result", True, 7))),
    )
    edges = (
        Edge("entry", "if.then", "x > 0", fallthrough=True),
        Edge("entry", "if.end", "otherwise"),
        Edge("if.then", "if.end", fallthrough=True),
    )
    return relu3(ActivityGraph(blocks, edges))


def relu3_select() -> Report:
    """The same at opt 2: one block with a select."""
    rows = (
        row(0, "%cmp = fcmp ogt double %x, 0.0", False, 3, why=1),
        row(1, "%0 = fmul double %x, %x", True, 4, why=2),
        row(2, "%call = fmul double %0, %x", True, 4),
        row(3, "%result = select %cmp, %call, 0.0", True, 3),
        row(4, "ret double %result", True, 7),
    )
    return relu3(ActivityGraph((BlockRow("entry", rows),), ()))


def relu3(activity: ActivityGraph) -> Report:
    marks = {
        3: ("inactive", "x > 0 decides which branch, carries no derivative"),
        4: ("active", "pow(x, 3) depends on x"),
        6: ("inactive", "0 is a constant"),
        7: ("active", "result reaches the return"),
    }
    return Report(
        function="relu3",
        signature="relu3(double x) -> double",
        mode="reverse",
        wrt=("x",),
        source_name="In[3]",
        source=source(RELU3_C, marks, activity.rows()),
        parameters=(Parameter("a0", "x", "double", "value", Verdict(True, True, True, (0,)), line=1),),
        activity=activity,
        gradient_c=GradientC(GRADIENT_C),
        stages=(GRADIENT, OPTIMIZED),
        cache=CacheBreakdown(
            (CacheRow("c0", None, "x", "available", 1, "double", "1", "8", 8, "an argument, never overwritten"),),
            "nothing saved: x is an argument and still available",
        ),
        facts=RELU3_FACTS,
        timings=TIMINGS,
        versions=VERSIONS,
        check=Check(True, "gradient checked", 3, 2.2e-16),
        example="relu3.grad(2.0) = 12.0",
        notes=("added #include <math.h>",),
    )


STEP_C = """void step(double *a, int n, double k) {
    for (int i = 0; i < n; i++)
        a[i] = k * a[i] * a[i];
}"""


def loop() -> Report:
    """A loop that overwrites what the reverse sweep needs: one value of four on the tape."""
    blocks = (
        BlockRow("entry", (row(0, "%cmp = icmp sgt i32 %n, 0", False, 2), row(1, "br %cmp", False, 2))),
        BlockRow(
            "for.body",
            (
                row(2, "%i = phi i64 [0], [%i.next]", False, 2),
                row(3, "%arrayidx = gep double, ptr %a, %i", True, 3),
                row(4, "%0 = load double, ptr %arrayidx", True, 3, slot="s0"),
                row(5, "%mul = fmul double %0, %0", True, 3),
                row(6, "%mul3 = fmul double %k, %mul", True, 3),
                row(7, "store double %mul3, ptr %arrayidx", True, 3),
                row(8, "%i.next = add nuw nsw i64 %i, 1", False, 2),
                row(9, "br %exitcond", False, 2),
            ),
            "runs n times",
        ),
        BlockRow("exit", (row(10, "ret void", False, 4),)),
    )
    edges = (
        Edge("entry", "for.body", "n > 0", fallthrough=True),
        Edge("entry", "exit", "n ≤ 0"),
        Edge("for.body", "for.body", "next i", back=True),
        Edge("for.body", "exit", "done", fallthrough=True),
    )
    rows = (
        CacheRow(
            "s0",
            "i4",
            "a[i]",
            "store",
            3,
            "double",
            "n",
            "8*n",
            8,
            "overwritten before the reverse sweep reads it",
            "i7",
            3,
            "i5",
            3,
        ),
        CacheRow(
            "c1", "i5", "a[i]*a[i]", "recompute", 3, "double", "n", "8*n", 8, "one multiplication from the stored a[i]"
        ),
        CacheRow("c2", None, "k", "available", 1, "double", "1", "8", 8, "an argument, never overwritten"),
        CacheRow("c3", "i2", "i", "recompute", 2, "long", "n", "8*n", 8, "counts down with the reverse loop"),
    )
    graph = ActivityGraph(blocks, edges)
    marks = {
        2: ("inactive", "i and n are integers"),
        3: ("cached", "a[i] is saved before it is overwritten"),
    }
    return Report(
        function="step",
        signature="step(double *a, int n, double k) -> void",
        mode="reverse",
        wrt=("a", "k"),
        source_name="In[4]",
        source=source(STEP_C, marks, graph.rows()),
        parameters=(
            Parameter("a0", "a", "double *", "in/out", ACTIVE, "n", 1),
            Parameter("a1", "n", "int", "value", INACTIVE, line=1),
            Parameter("a2", "k", "double", "value", ACTIVE, line=1),
        ),
        activity=graph,
        stages=(),
        cache=CacheBreakdown(
            rows, "a[i] is saved in each iteration: line 3 overwrites it", "8*n", ("restrict changes nothing here",)
        ),
        timings=TIMINGS,
        versions=VERSIONS,
        check=Check(False, "not checked: give example arguments with --at"),
    )


def many_slots(count: int = 5) -> Report:
    """Several stored values of different sizes."""
    base = loop()
    rows = tuple(
        CacheRow(
            f"s{k}",
            "i4",
            f"value{k}",
            "store",
            3,
            "double",
            "n" if k else "1",
            f"{8 * k}*n" if k else "8",
            8,
            "overwritten",
            "i7",
            3,
            "i5",
            3,
        )
        for k in range(count)
    )
    total = "+".join(row.bytes for row in rows)
    return _with(base, cache=CacheBreakdown((*rows, *base.cache.rows[1:]), f"{count} values are saved", total))


def _with(report: Report, **changes: object) -> Report:
    return dataclasses.replace(report, **changes)  # type: ignore[arg-type]


def empty() -> Report:
    """void nothing(void) {}"""
    blocks = (BlockRow("entry", (row(0, "ret void", False, 1),)),)
    stage = Stage(
        "gradient", "adjoint", "define void @diffe_nothing() { ret void }", (StageBlock("entry", ("ret void",)),), (), 1
    )
    return Report(
        function="nothing",
        signature="nothing() -> void",
        mode="reverse",
        wrt=(),
        source_name="In[1]",
        source=source("void nothing(void) {}", {}),
        parameters=(),
        activity=ActivityGraph(blocks, ()),
        stages=(stage,),
        cache=CacheBreakdown((), "nothing saved: nothing is active"),
    )


def bare() -> Report:
    """The least a report may hold."""
    return Report("f", "", "reverse", (), "", (), (), ActivityGraph((), ()), (), CacheBreakdown((), ""))


ODD = 'α<β>&"q"\'s\\N\\l漢字é\u0301\u200d'
LONG = "n" * 300


def odd() -> Report:
    """Markup, quotes, backslashes, Unicode identifiers, control characters, 300-character names, tabs, empty lines."""
    rows = (
        row(0, f"%{ODD} = fadd double %{LONG}, %{ODD}", True, 2),
        row(1, '%b = call double @"</FONT>&#0;\\E"(%x)\x00\x1b[31m', False, 2),
        row(2, f"ret double %{ODD}", True, None, slot="s0"),
    )
    graph = ActivityGraph(
        (BlockRow(f"{ODD} 1", rows, f"runs {ODD} times"), BlockRow(LONG, (row(3, "", False, 4),))),
        (
            Edge(f"{ODD} 1", LONG, f"{ODD} > \\N {LONG}", fallthrough=True),
            Edge(LONG, f"{ODD} 1", "<i>", back=True),
            Edge("no such block", LONG),
        ),
    )
    text = f'double {ODD}(double {LONG}) {{\n\treturn "<&>\\"" ? {ODD} : \'\\N\';\n\n}}'
    return Report(
        function=ODD,
        signature=f"{ODD}(double {LONG}) -> double",
        mode="reverse",
        wrt=(LONG,),
        source_name='<In & "3">',
        source=source(text, {2: ("mixed", f"{ODD} {LONG}")}, graph.rows()),
        parameters=(Parameter("a0", LONG, "struct α *", "in/out", ACTIVE, "n", 1),),
        activity=graph,
        stages=(
            Stage(
                "gradient", ODD, "", (StageBlock(ODD, (f"%{LONG} = x", ODD, "")),), (Edge(ODD, ODD, ODD, back=True),), 3
            ),
            Stage("gradient-optimized", "", "", (StageBlock("", ()),), (), 0),
        ),
        cache=CacheBreakdown(
            (
                CacheRow("s0", "i2", ODD, "store", 2, ODD, ODD, f"8*{ODD}", 8, ODD, ODD, None, ODD, None),
                CacheRow("c1", None, LONG, "recompute", None, "", "", "", 8, f"{ODD} {LONG}"),
            ),
            f"saved: {ODD}",
            f"8*{ODD}",
            (LONG, ODD),
        ),
        facts=(Fact(ODD, "i0"),),
        example=f"{ODD} = 1",
        notes=(ODD,),
        check=Check(False, LONG),
    )


def large(instructions: int = 3000, per_block: int = 25) -> Report:
    """A function of many instructions in many blocks."""
    numbers = range(instructions)
    rows = [row(n, f"%v{n} = fmul double %v{n - 1}, %k{n}", n % 3 != 0, 2 + n // 10) for n in numbers]
    rows = [row(n, r.text, True, r.line, slot=f"s{n}") if n % 97 == 5 else r for n, r in enumerate(rows)]
    blocks = tuple(
        BlockRow(f"block{start // per_block}", tuple(rows[start : start + per_block]))
        for start in range(0, instructions, per_block)
    )
    edges = tuple(Edge(a.name, b.name, fallthrough=True) for a, b in itertools.pairwise(blocks))
    jumps = tuple(Edge(a.name, b.name, "otherwise") for a, b in zip(blocks[::7], blocks[5::7], strict=False))
    lines = "\n".join(f"    v{n} = v{n - 1} * k{n};" for n in range(2, 2 + instructions // 10))
    cached = tuple(
        CacheRow(
            f"s{n}", f"i{n}", f"v{n}", "store", 2 + n // 10, "double", "n", "8*n", 8, "overwritten", read_by=f"i{n + 1}"
        )
        for n in numbers
        if n % 97 == 5
    )
    marks = {n: ("active" if n % 4 else "mixed", "product") for n in range(2, 2 + instructions // 10)}
    stage = Stage(
        "gradient",
        "adjoint",
        "",
        tuple(StageBlock(block.name, tuple(r.llvm for r in block.instructions)) for block in blocks),
        edges,
        instructions,
        (("fmul", instructions),),
    )
    optimized = dataclasses.replace(stage, name="gradient-optimized")
    return Report(
        function="large",
        signature="large(double v0) -> double",
        mode="reverse",
        wrt=("v0",),
        source_name="In[9]",
        source=source(f"double large(double v0) {{\n{lines}\n}}", marks, tuple(rows)),
        parameters=(Parameter("a0", "v0", "double", "value", ACTIVE, line=1),),
        activity=ActivityGraph(blocks, edges + jumps),
        stages=(stage, optimized),
        cache=CacheBreakdown(cached, f"{len(cached)} values are saved", f"{8 * len(cached)}*n"),
        timings=TIMINGS,
    )


def middle() -> Report:
    """Between the limits: more than 200 kB of SVG when drawn whole, fewer than 1,500 rows."""
    return large(900, 30)


SAMPLES = {
    "relu3_branch": relu3_branch,
    "relu3_select": relu3_select,
    "loop": loop,
    "many_slots": many_slots,
    "empty": empty,
    "bare": bare,
    "odd": odd,
    "middle": middle,
    "large": large,
}
