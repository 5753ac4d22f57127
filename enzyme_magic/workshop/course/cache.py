"""Exercises of notebook 04: what the reverse sweep needs, and what it costs to keep it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from enzyme_magic.api.function import CFunction
from enzyme_magic.errors import DifferentiationError
from enzyme_magic.workshop.c_task import CTask
from enzyme_magic.workshop.course.programs import POWER, REMEMBER, SMOOTH, SQUARES, line_of, of, stored_bytes, value
from enzyme_magic.workshop.exercises import Exercise, Mistake
from enzyme_magic.workshop.values import Choice, NumberAnswer

POWER_BODY = """\
double power(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        %s
    }
    return s;
}"""


def _arrays() -> list[tuple[Any, ...]]:
    import numpy as np

    return [(np.zeros(3), np.array([1.0, -2.0, 0.5]), 3), (np.ones(1), np.array([3.0]), 1)]


def _array() -> list[tuple[Any, ...]]:
    import numpy as np

    return [(np.array([1.0, -2.0, 0.5]), 3), (np.array([3.0]), 1)]


def _steps() -> list[tuple[Any, ...]]:
    return [(0.3, 0.01, 40), (1.7, 0.05, 7)]


def _can_be_checkpointed(function: CFunction) -> str:
    try:
        function.plan(wrt="x", caching="checkpoint")
    except DifferentiationError as error:
        return f"The loop still cannot be checkpointed. {error.message}."
    return ""


def _stores_nothing(function: CFunction) -> str:
    cache = function.report.cache
    if function.name == "squares" and "d_squares" not in function.program:
        return "Keep d_squares: without it nobody asks for a gradient with memory of which nothing is known."
    return "" if cache.total == "0" else f"The gradient still stores {cache.total} bytes: {cache.sentence}."


LOOP, WRITES, READS = (line_of(SMOOTH, part) for part in ("for (", "a[i] =", "if ("))


def _overwriting_line() -> str:
    (row,) = (row for row in of(SMOOTH, "smooth").report.cache.stored() if row.overwritten_line is not None)
    return f"line {row.overwritten_line}"


def _bytes(plan: str = "minimum-cut", n: int = 1001) -> float:
    return stored_bytes(of(SMOOTH, "smooth"), plan, n=n)


def _largest_row() -> float:
    return max(value(row.bytes, n=1001) for row in of(SMOOTH, "smooth").report.cache.stored())


def _every_row() -> float:
    return sum(value(row.bytes, n=1001) for row in of(SMOOTH, "smooth").report.cache.rows)


def _what_is_stored() -> str:
    """Types, bytes and iterations as the plan has them."""
    rows = of(SMOOTH, "smooth").report.cache.stored()
    kinds = Counter((row.type, row.size) for row in rows)
    each = " and ".join(
        f"{count} {kind} value{'s' * (count > 1)} of {size} byte{'s' * (size > 1)}"
        for (kind, size), count in kinds.items()
    )
    (iterations,) = {value(row.count, n=1001) for row in rows}
    return f"{each} for each of the {iterations:g} iterations."


EXERCISES = (
    Exercise(
        "04.1",
        "how many bytes?",
        f"```c\n{SMOOTH}\n```\n`smooth.cache()` says what is stored for each iteration. How many bytes is that for n = 1001?",
        NumberAnswer(_bytes),
        _what_is_stored,
        ("The loop starts at 1: how many iterations are there?", "Add up the column bytes of the rows that say store."),
        (
            Mistake(lambda: _bytes(n=1002), "The loop starts at 1: there are n − 1 iterations."),
            Mistake(_every_row, "That is the sum of all rows. Only those that say *store* take memory."),
            Mistake(_largest_row, "That is one value for each iteration. How many rows say *store*?"),
            Mistake(lambda: _bytes(n=2), "That is for one iteration only."),
        ),
    ),
    Exercise(
        "04.2",
        "who destroys it?",
        "The reverse sweep needs the old `a[i]`. Which line of `smooth` overwrites it?",
        Choice(tuple(f"line {number}" for number in (LOOP, WRITES, READS)), _overwriting_line),
        lambda: (
            f"{_overwriting_line().capitalize()} reads a[i] and then writes it. Afterwards the old number is gone, "
            "unless it was stored."
        ),
        ("Look for an assignment to a[i].", lambda: f"Line {READS} only reads a[i]."),
        (
            Mistake("a", lambda: f"Line {LOOP} counts i. It does not touch the array."),
            Mistake("c", lambda: f"Line {READS} reads a[i]. Reading destroys nothing."),
        ),
    ),
    Exercise(
        "04.3",
        "a promise",
        "The compiler stores every `x[i]` of `squares`, because C code may pass the same memory for `out` and `x`. Promise that "
        "it is not the same, so that nothing is stored.",
        CTask(
            "squares",
            SQUARES,
            SQUARES.replace("double *out", "double *restrict out"),
            _arrays,
            also=_stores_nothing,
        ),
        "`restrict` says: what one of the two pointers reads, the other does not write. So x[i] is still there afterwards.",
        ("C has a word for pointers that share no memory.", "double *restrict out"),
        (
            Mistake(
                SQUARES.replace("out[i] = x[i] * x[i]", "{ double t = x[i]; out[i] = t * t; }").replace(" };", " }"),
                "A name for x[i] changes nothing: writing out[i] may still change the memory of x. Say that they are apart.",
            ),
            Mistake(
                SQUARES.replace("x[i] * x[i]", "2 * x[i]").replace("double *out", "double *restrict out"),
                "Nothing is stored now, but out[i] is no longer the square of x[i].",
            ),
        ),
    ),
    Exercise(
        "04.4",
        "do not overwrite",
        "`power` squares its array in place, and so the old x[i] is stored. Change it: the same result, x stays as it is, "
        "and nothing is stored.",
        CTask("power", POWER, POWER_BODY % "s += x[i] * x[i];", _array, also=_stores_nothing),
        "What is not overwritten is still there for the reverse sweep.",
        ("Does anybody need the squares in the array?", "s += x[i] * x[i];"),
        (
            Mistake(
                POWER_BODY % "double t = x[i] * x[i]; x[i] = t; s += t;",
                "x[i] is still overwritten. Leave the array as it is.",
            ),
            Mistake(POWER_BODY % "s += x[i];", "Nothing is overwritten now, but the square got lost."),
        ),
    ),
    Exercise(
        "04.5",
        "store everything?",
        'How many bytes would `smooth` store for n = 1001 with `caching="store-all"`?',
        NumberAnswer(lambda: _bytes("store-all")),
        lambda: (
            "A minimum cut chooses what to store, so that everything else can be computed from it: "
            f"{_bytes():g} bytes instead of {_bytes('store-all'):g}."
        ),
        (
            '`smooth.make_report(caching="store-all").cache.total` is a formula.',
            "The formula at n = 1001.",
        ),
        (
            Mistake(
                _bytes,
                "That is what the minimum cut stores. Storing everything costs more.",
            ),
            Mistake(
                lambda: _bytes("store-all", n=1002),
                "Almost: there is one iteration less than n.",
            ),
            Mistake(lambda: _bytes("store-all", n=2), "That is for one iteration only."),
        ),
    ),
    Exercise(
        "04.6",
        "what a checkpoint cannot hold",
        "The loop of `remember` cannot run again from a checkpoint, because a variable outside of the function remembers the step "
        "before. Change that: the same result, and a loop that can be checkpointed.",
        CTask(
            "remember",
            REMEMBER,
            REMEMBER.replace("double before;\n\n", "").replace("    before = x;", "    double before = x;"),
            _steps,
            also=_can_be_checkpointed,
        ),
        "A checkpoint holds what one iteration hands to the next: local variables, and memory of known size.",
        (
            '`remember.plan(wrt="x", caching="checkpoint")` says why not.',
            "Make `before` a variable of the function.",
        ),
        (
            Mistake(
                REMEMBER.replace("        before = y;\n", ""),
                "The loop could run again now, but `before` keeps its first value: the step before is never remembered.",
            ),
            Mistake(
                REMEMBER.replace("double before;\n\n", "")
                .replace("    before = x;\n", "")
                .replace("        before = y;\n", "")
                .replace("y * before", "y * y"),
                "The loop could run again now, but the step before got lost.",
            ),
        ),
    ),
)
