"""Exercises of notebook 01: a function and its slope."""

from __future__ import annotations

from enzyme_magic.workshop.c_task import CTask
from enzyme_magic.workshop.course.programs import RELU3, active_lines, line_of, listed, of
from enzyme_magic.workshop.exercises import Exercise, Mistake
from enzyme_magic.workshop.values import Choice, Lines, NumberAnswer

LEAKY = """\
double leaky(double x) {
    return %s;
}"""

TAKES, DECIDES, CONSTANT, RETURNS = (line_of(RELU3, part) for part in ("relu3(", "x > 0", "result = 0", "return"))


def _active() -> frozenset[int]:
    return active_lines(of(RELU3, "relu3"))


EXERCISES = (
    Exercise(
        "01.1",
        "before you run it",
        "What is the slope of `relu3` at x = 4? Work it out on paper first.",
        NumberAnswer(lambda: of(RELU3, "relu3").grad(4.0)),
        lambda: (
            f"Right of zero, relu3 is x³, and its derivative is 3x²: at x = 4 that is {of(RELU3, 'relu3').grad(4.0):g}."
        ),
        ("Which branch does x = 4 take?", "The derivative of x³ is 3x²."),
        (
            Mistake(lambda: of(RELU3, "relu3")(4.0), "That is the value of relu3 at 4. Asked for is the slope."),
            Mistake(16, "That is x². The exponent comes down as a factor."),
            Mistake(12, "That is 3x. The exponent becomes smaller by one, and x is squared."),
        ),
    ),
    Exercise(
        "01.2",
        "at the corner",
        "`x > 0` is false at x = 0. What does `relu3.grad(0.0)` give?",
        Choice(("0", "3", "an error"), lambda: f"{of(RELU3, 'relu3').grad(0.0):g}"),
        lambda: (
            f"The compiler differentiates the branch that is taken. At 0 that is the constant {of(RELU3, 'relu3')(0.0):g}, and "
            f"its slope is {of(RELU3, 'relu3').grad(0.0):g}."
        ),
        ("Which branch is taken at 0?", "The branch that is taken gives a constant."),
        (
            Mistake("b", "That is the factor of 3x², not its value at x = 0. And which branch is taken there?"),
            Mistake("c", "A branch is no obstacle: one of its two sides runs, and that side is differentiated."),
        ),
    ),
    Exercise(
        "01.3",
        "which lines carry a derivative?",
        "Which lines of `relu3` are active, that is: which of them compute a floating value "
        "that depends on x and reaches the result?",
        Lines(_active),
        lambda: (
            f"Active are the lines {listed(_active())}: they compute from x, and return it. Line {DECIDES} only decides which way "
            f"to go, and line {CONSTANT} is a constant."
        ),
        (
            lambda: f"Line {DECIDES} decides. Does it compute a number that is returned?",
            lambda: f"{len(_active())} lines are active.",
        ),
        (
            Mistake(
                lambda: _active() | {DECIDES},
                lambda: (
                    f"Line {DECIDES} compares: its result is true or false, and that carries no derivative. (The `select` that the "
                    "picture puts there only takes one of the two results.)"
                ),
            ),
            Mistake(
                lambda: _active() - {RETURNS},
                lambda: f"Right so far: {listed(_active() - {RETURNS})}. Which other line does the value pass through?",
            ),
            Mistake(
                lambda: _active() | {CONSTANT},
                lambda: f"Line {CONSTANT} gives a constant: it is the same for every x.",
            ),
            Mistake(
                lambda: _active() | {TAKES},
                lambda: f"Line {TAKES} only gives x its name. Which lines compute with it?",
            ),
        ),
    ),
    Exercise(
        "01.4",
        "your own function",
        "Write `leaky`: x³ for positive x, and x/10 elsewhere. Its slope is then 0.1 left of zero; the compiler finds "
        "that alone.",
        CTask(
            "leaky",
            LEAKY % "0",
            LEAKY % "x > 0 ? x * x * x : 0.1 * x",
            lambda: [(x,) for x in (-2.5, -1.0, 0.0, 0.75, 1.5)],
            slopes=True,
        ),
        "You wrote only the function. Its slope came from the compiler.",
        ("C's short form of if and else is  condition ? this : that", "return x > 0 ? … : 0.1 * x;"),
        (
            Mistake(
                LEAKY % "x > 0 ? x * x * x : 0",
                "Left of zero it should be x/10, and yours is constant. (In C a quotient of integers is an integer: write 0.1.)",
            ),
            Mistake(LEAKY % "x > 0 ? x : 0.1 * x", "The left side is right. On the right side it is x³."),
        ),
    ),
)
