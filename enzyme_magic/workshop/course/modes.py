"""Exercises of notebook 02: forward and reverse mode by hand."""

from __future__ import annotations

import math
from typing import Any

from enzyme_magic.api.transforms import jvp
from enzyme_magic.workshop.c_task import CTask
from enzyme_magic.workshop.course.programs import PAPER, PARCEL, line_of, of, useless_lines
from enzyme_magic.workshop.exercises import Exercise, Mistake
from enzyme_magic.workshop.values import Choice, Lines, NumberAnswer

TANGENT = """\
double paper_tangent(double x, double dx, double y, double dy) {
    return %s;
}"""
ADJOINT = """\
void paper_adjoint(double x, double y, double seed, double *xb, double *yb) {
%s
}"""
X, Y = 2.0, 3.0  # of 02.1: only x moves
PRICE, INTEGER, LOG, RESULT = (line_of(PARCEL, part) for part in ("double price", "int stamps", "log[0]", "return"))
SWEEPS = {"forward mode, 3 sweeps": 3, "reverse mode, 1 sweep": None, "reverse mode, 1000 sweeps": 1000}


def _tangent(x: float, dx: float, y: float, dy: float) -> tuple[Any, ...]:
    return (jvp(of(PAPER, "paper"), (x, y), (dx, dy))[1],)


def _moved() -> float:
    return float(_tangent(X, 1.0, Y, 0.0)[0])


def _adjoint(x: float, y: float, seed: float, xb: Any, yb: Any) -> tuple[Any, ...]:
    gradient = of(PAPER, "paper").grad(x, y)
    return xb + seed * gradient.x, yb + seed * gradient.y


def _adjoint_inputs() -> list[tuple[Any, ...]]:
    import numpy as np

    points = ((2.0, 3.0, 1.0), (0.5, -1.0, 2.0), (-1.0, 0.25, -3.0))
    return [(x, y, seed, np.array([0.5]), np.array([-4.0])) for x, y, seed in points]


def _fewest() -> str:
    """Forward mode needs a sweep for each input, reverse mode one for each output."""
    possible = {text: sweeps for text, sweeps in SWEEPS.items() if sweeps in (3, 1000)}
    return min(possible, key=lambda text: possible[text] or 0)


EXERCISES = (
    Exercise(
        "02.1",
        "a tangent by hand",
        "`paper` is a = xy, b = sin(x), result a + b. At x = 2, y = 3 only x moves: dx = 1, dy = 0. How fast does the result move?",
        NumberAnswer(_moved, 3e-3),
        lambda: f"da = y·dx = {Y:g}, db = cos(x)·dx = {math.cos(X):.4f}, and the two are added: {_moved():.4f}.",
        ("Write down da and db first.", "da = y·dx + x·dy, db = cos(x)·dx."),
        (
            Mistake(Y, "That is da alone. b moves with x, too."),
            Mistake(lambda: math.cos(X), "That is db alone. a moves with x, too."),
            Mistake(lambda: Y + math.sin(X), "The derivative of sin is cos."),
            Mistake(
                lambda: Y + math.cos(math.radians(X)),
                "Your calculator counts in degrees. C and Python count in radians.",
            ),
        ),
    ),
    Exercise(
        "02.2",
        "forward mode by hand",
        "Write `paper_tangent`: how fast the result of `paper` moves when x moves with dx and y with dy.",
        CTask(
            "paper_tangent",
            TANGENT % "0",
            TANGENT % "y * dx + x * dy + cos(x) * dx",
            lambda: [(2.0, 1.0, 3.0, 0.0), (0.5, 0.0, -1.0, 1.0), (-1.0, 2.0, 0.25, -0.5)],
            truth=_tangent,
        ),
        "This is forward mode: beside every value its tangent, in the order of the program.",
        ("Each line of `paper` gets a line beside it: da = …, db = …", "da = y * dx + x * dy;  db = cos(x) * dx;"),
        (
            Mistake(
                TANGENT % "dx * dy + cos(x) * dx", "The derivative of a product is not the product of derivatives."
            ),
            Mistake(TANGENT % "y * dx + x * dy + cos(x)", "sin(x) moves only as fast as x does: cos(x) times dx."),
            Mistake(TANGENT % "y * dx + x * dy + sin(x) * dx", "The derivative of sin is cos."),
            Mistake(TANGENT % "y * dx + cos(x) * dx", "y moves, too: that adds x times dy."),
        ),
    ),
    Exercise(
        "02.3",
        "reverse mode by hand",
        "Write `paper_adjoint`. `seed` is the adjoint of the result (in the table it was 1), `*xb` and `*yb` stand for x̄ and ȳ: "
        "*add* to them what the lines give.",
        CTask(
            "paper_adjoint",
            ADJOINT % "    /* *xb += … */",
            ADJOINT
            % "    double ab = seed, bb = seed;\n    *xb += bb * cos(x);\n    *xb += ab * y;\n    *yb += ab * x;",
            _adjoint_inputs,
            truth=_adjoint,
        ),
        "This is reverse mode: the lines backwards, each giving its adjoint to what it has read. "
        "x is read twice, so it is given twice.",
        (
            "Go backwards: the result gives its seed to a and to b.",
            "b = sin(x) gives bb * cos(x) to x; a = x * y gives ab * y to x and ab * x to y.",
        ),
        (
            Mistake(
                ADJOINT % "    *xb = seed * (y + cos(x));\n    *yb = seed * x;",
                "Adjoints are added (+=): somebody else may have given something to x before.",
            ),
            Mistake(
                ADJOINT % "    *xb += y + cos(x);\n    *yb += x;",
                "Where is the seed? It says how much the result matters to whoever uses it.",
            ),
            Mistake(
                ADJOINT % "    *xb += seed * y;\n    *yb += seed * x;",
                "x is read twice: sin(x) gives something to it, too.",
            ),
        ),
    ),
    Exercise(
        "02.4",
        "which mode?",
        "A function has 3 inputs and 1000 outputs, and you want all 3000 derivatives. What is cheapest?",
        Choice(tuple(SWEEPS), _fewest),
        "Forward mode needs one sweep per input, reverse mode one per output.",
        ("A forward sweep follows one input. A reverse sweep follows one output.", "Count the sweeps: 3 or 1000?"),
        (
            Mistake("b", "One reverse sweep gives the gradient of one output, and there are 1000."),
            Mistake("c", "That works, but there is a way with fewer sweeps."),
        ),
    ),
    Exercise(
        "02.5",
        "varies, but does not matter",
        f"```c\n{PARCEL}\n```\nWhich line computes a number that varies with `weight`, and that the result does not depend on?",
        Lines(lambda: useless_lines(of(PARCEL, "parcel"))),
        lambda: (
            f"1.5·weight of line {LOG} goes into the log, and nobody reads it there: it varies, and it does not matter."
        ),
        ("A number has to be used on the way to the return.", "What happens to what is written into log?"),
        (
            Mistake(
                frozenset({INTEGER}),
                lambda: f"Line {INTEGER} makes an integer, and an integer does not move a little: it does not vary.",
            ),
            Mistake(frozenset({PRICE}), lambda: f"The price is added in line {RESULT}: it matters."),
            Mistake(frozenset({RESULT}), lambda: f"Line {RESULT} computes the result itself: it matters."),
        ),
    ),
)
