"""Exercises of notebook 05: optimization before differentiation."""

from __future__ import annotations

from typing import Any

from enzyme_magic.api.function import CFunction
from enzyme_magic.workshop.c_task import CTask
from enzyme_magic.workshop.course.programs import NORMALIZE, line_of, most_runs, of
from enzyme_magic.workshop.exercises import Exercise, Mistake
from enzyme_magic.workshop.values import Choice, NumberAnswer

UNIT = """\
void unit(double *restrict out, const double *restrict x, int n) {
%s
}"""
SLOW = (
    UNIT
    % """\
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
            s += x[j] * x[j];
        out[i] = x[i] / sqrt(s);
    }"""
)
FAST = (
    UNIT
    % """\
    double s = 0;
    for (int j = 0; j < n; j++)
        s += x[j] * x[j];
    for (int i = 0; i < n; i++)
        out[i] = x[i] / sqrt(s);"""
)
INNER = line_of(NORMALIZE, "x[i] * x[i]")
REASONS = (
    "the length is computed once, before the loop",
    "the call of mag is replaced by its body",
    "the loops run on several numbers at once",
)


def _arrays() -> list[tuple[Any, ...]]:
    import numpy as np

    return [(np.zeros(3), np.array([1.0, -2.0, 0.5]), 3), (np.zeros(2), np.array([3.0, 4.0]), 2)]


def _is_linear(function: CFunction) -> str:
    runs = most_runs(function, 1, n=1000)
    return "" if runs <= 1001 else f"Some line still runs {runs:,.0f} times for n = 1000."


def _written() -> float:
    return most_runs(of(NORMALIZE, "normalize"), 1, n=1000)


def _what_helped() -> str:
    """Level 1 replaces calls by bodies, too; if that were enough it would be as fast."""
    normalize = of(NORMALIZE, "normalize")
    return REASONS[0] if _written() > 1001 >= most_runs(normalize, 2, n=1000) else REASONS[1]


EXERCISES = (
    Exercise(
        "05.1",
        "count",
        f"```c\n{NORMALIZE}\n```\nHow often does line {INNER} run for n = 1000 if the program is differentiated as it is written?",
        NumberAnswer(_written),
        lambda: (
            f"mag runs once for each of the n elements, and each time it has n steps: {_written():,.0f} for n = 1000. "
            "The derivative "
            "would have as many."
        ),
        ("How often is mag called?", "n calls with n steps each."),
        (
            Mistake(1000, "That is one call of mag. It is called in a loop."),
            Mistake(2000, "The two loops are not one behind the other: one is inside of the other."),
        ),
    ),
    Exercise(
        "05.2",
        "what helped?",
        "At `-O1` the gradient of `normalize` takes n² steps, at `-O2` only n. The call of `mag` is replaced by its body at both. "
        "What made the difference?",
        Choice(REASONS, _what_helped),
        "x does not change in the loop, so the length does not either. It is moved before the loop, and only then differentiated.",
        ("n² became n: something runs less often.", "What in the loop is the same for every i?"),
        (
            Mistake("b", "That happens at -O1, too, and there it is still n²."),
            Mistake("c", "Several numbers at once save a constant factor. n² becomes a part of n², not n."),
        ),
    ),
    Exercise(
        "05.3",
        "move it yourself",
        "`unit` does the same in one function. Write it so that even without an optimizer no line runs more than n times.",
        CTask("unit", SLOW, FAST, _arrays, also=_is_linear),
        "You did by hand what the optimizer does before differentiation.",
        ("The inner loop does not depend on i.", "Move the inner loop, with s, in front of the outer one."),
        (
            Mistake(
                SLOW.replace("sqrt(s)", "sqrt(s) * 1.0"),
                "The inner loop still runs for every i. Move it in front of the outer one.",
            ),
            Mistake(FAST.replace("sqrt(s)", "s"), "That is linear now, but the length is the square root of the sum."),
        ),
    ),
)
