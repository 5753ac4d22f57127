"""Exercises of notebook 03: what is active, what is not, and why a gradient is zero."""

from __future__ import annotations

from typing import Any

from enzyme_magic.api.checks.why_zero import why_zero
from enzyme_magic.workshop.c_task import CTask
from enzyme_magic.workshop.course.programs import LIMITED, TARIFF, WHOLE, active_lines, line_of, of
from enzyme_magic.workshop.exercises import Exercise, Mistake
from enzyme_magic.workshop.values import Choice, Lines, NumberAnswer

ENERGY = """\
double energy(double v) {
    %s
    return 0.5 * m * m;
}"""
REASONS = {
    "does not reach the result": "no way from x to the result carries a derivative, in any call",
    "branch": "x does not reach the result on the way that this call takes",
    "number": "x reaches the result, and the slope happens to be the number 0",
}


HOURS, RATE = 8.5, 20.0  # of 03.2
HEAD, INTEGER, LOG, BONUS = (line_of(TARIFF, part) for part in ("double tariff", "int whole", "log[0]", "double bonus"))


def _active() -> frozenset[int]:
    return active_lines(of(TARIFF, "tariff"))


def _tariff_slope() -> float:
    import numpy as np

    slope: Any = of(TARIFF, "tariff").grad(HOURS, RATE, np.zeros(1))
    return float(slope.hours)


def _one_hour_more() -> float:
    import numpy as np

    tariff: Any = of(TARIFF, "tariff")
    return float(tariff(HOURS + 1, RATE, np.zeros(1)) - tariff(HOURS, RATE, np.zeros(1)))


def _below_the_limit() -> float:
    slope: Any = of(LIMITED, "limited").grad(1.0, 2.0)
    return float(slope.x)


EXERCISES = (
    Exercise(
        "03.1",
        "active lines",
        f"```c\n{TARIFF}\n```\nWhich lines are active?",
        Lines(_active),
        lambda: (
            f"pay, tax and the result. Line {INTEGER} makes an integer, line {BONUS} computes from it, and line {LOG} does not "
            "reach the result."
        ),
        (
            "Active needs both: it depends on hours or rate, and it reaches the result.",
            "An integer carries no derivative.",
        ),
        (
            Mistake(
                lambda: _active() | {LOG},
                lambda: f"Line {LOG} depends on hours, but what it computes does not reach the result.",
            ),
            Mistake(
                lambda: _active() | {INTEGER},
                lambda: f"Line {INTEGER} makes an integer: it moves in steps, not a little.",
            ),
            Mistake(
                lambda: _active() | {BONUS},
                lambda: f"Line {BONUS} reaches the result, but it starts from an integer: nothing varies there.",
            ),
            Mistake(
                lambda: _active() | {HEAD},
                lambda: f"Line {HEAD} only names the inputs. Which lines compute with them?",
            ),
        ),
    ),
    Exercise(
        "03.2",
        "what the derivative leaves out",
        "What is the derivative of `tariff` with respect to `hours`, at hours = 8.5 and rate = 20?",
        NumberAnswer(_tariff_slope),
        lambda: (
            f"{_tariff_slope() / RATE:g}·rate, that is {_tariff_slope():g}. The bonus goes up in steps: "
            "between them its derivative is "
            "zero."
        ),
        ("The result is pay − 0.2·pay + bonus.", "Between two whole hours the bonus is a constant."),
        (
            Mistake(RATE, "That is the slope of the pay alone. The tax takes a part of it."),
            Mistake(
                lambda: _tariff_slope() / RATE, "That is the part of the pay that is left. How much is an hour paid?"
            ),
            Mistake(
                _one_hour_more,
                "That is what a whole hour more brings. The bonus jumps once on the way: between whole hours it is constant.",
            ),
        ),
    ),
    Exercise(
        "03.3",
        "why zero? (1)",
        f"```c\n{LIMITED}\n```\nThe derivative with respect to x at x = 3, limit = 2 is 0. Why?",
        Choice(tuple(REASONS.values()), lambda: REASONS[why_zero(of(LIMITED, "limited"), (3.0, 2.0), "x").kind]),
        lambda: (
            f"At x = 3 the function returns the limit. Below the limit, at x = 1, the derivative is {_below_the_limit():g}."
        ),
        ("Which return runs at x = 3?", "Would it be zero below the limit, too?"),
        (
            Mistake(
                "a",
                lambda: (
                    f"It does reach the result: below the limit, at x = 1, the derivative is {_below_the_limit():g}."
                ),
            ),
            Mistake("c", "No number is multiplied by zero here. Which return runs?"),
        ),
    ),
    Exercise(
        "03.4",
        "why zero? (2)",
        f"```c\n{WHOLE}\n```\nThe derivative with respect to x is 0 at x = 3.7, and everywhere. Why?",
        Choice(tuple(REASONS.values()), lambda: REASONS[why_zero(of(WHOLE, "whole"), (3.7,), "x").kind]),
        "The way from x to the result goes through an integer, and an integer carries no derivative.",
        ("Would another x change it?", "What is the type of (int)x?"),
        (
            Mistake("b", "There is no branch: every call takes the same way."),
            Mistake("c", "It is zero for every x: not by chance."),
        ),
    ),
    Exercise(
        "03.5",
        "repair it",
        "The derivative of `energy` is 0 everywhere, because v is cut to an integer. Repair it: half of v² for every v.",
        CTask(
            "energy",
            ENERGY % "int m = v;",
            ENERGY % "double m = v;",
            lambda: [(v,) for v in (-1.5, 0.25, 2.0, 3.75)],
            slopes=True,
        ),
        "Now the way from v to the result carries a derivative: the slope is v.",
        ("Which type does m need?", "double m = v;"),
        (
            Mistake(
                ENERGY % "double m = floor(v);", "floor cuts v, too: it is a double now, but it still moves in steps."
            ),
            Mistake(
                ENERGY % "double m = (int)v;",
                "(int) still cuts v: m is a double now, but only whole numbers arrive there.",
            ),
            Mistake(
                ENERGY % "double m = 2 * v;", "The derivative is there, but the value has changed: it was half of v²."
            ),
        ),
    ),
)
