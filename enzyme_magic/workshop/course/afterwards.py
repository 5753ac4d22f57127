"""Exercises of the notebooks for afterwards: memory, Enzyme's functions in C, rules of one's own, applications."""

from __future__ import annotations

import math
from typing import Any

from enzyme_magic.api.compilation import compile_c
from enzyme_magic.api.custom import custom_vjp
from enzyme_magic.api.function import CFunction
from enzyme_magic.workshop.c_task import CTask
from enzyme_magic.workshop.course.programs import of
from enzyme_magic.workshop.exercises import Exercise, Mistake
from enzyme_magic.workshop.values import Choice, NumberAnswer

THROUGH = """\
double through(double x) {
    double a[2] = {x, 2 * x}, b[2];
    memcpy(b, a, sizeof a);
    return b[0] * b[1];
}"""
BODY = """\
typedef struct { double mass, speed; int id; } body;
double energy_of(body b) {
    return 0.5 * b.mass * b.speed * b.speed;
}"""
SLOPE = """\
double __enzyme_autodiff(void *, ...);
static double wave(double x) { return x * sin(x); }
double slope(double x) {
    return %s;
}"""
WAVE = "double wave(double x) { return x * sin(x); }"
POWER_RULE = """\
double __enzyme_autodiff(void *, ...);
static double scaled(double x, double a) { return a * x * x; }
double slope(double x, double a) {
    return __enzyme_autodiff((void *)scaled, x, enzyme_const, a);
}"""
RULE = """\
double gradient_rsqrt(double x, double d) {
    return %s;
}"""
RSQRT = "double rsqrt(double x) { return 1 / sqrt(x); }"
CUBE = "double cube(double x) { return x * x * x; }"
SQUARE_MINUS = "double square_minus(double x) { return x * x - 2; }"


def _rule(x: float, d: float) -> tuple[Any, ...]:
    return (d * of(RSQRT, "rsqrt").grad(x),)


def _wrong_rule() -> str:
    """The slope of x³ at 2 with the rule that says 1."""
    program = compile_c(
        CUBE, name="cube.c", custom=[custom_vjp("cube", "double one(double x, double d) { return d; }")]
    )
    return f"{program.cube.grad(2.0):g}"


def _plate() -> str:
    return f"{of(BODY, 'energy_of').grad((2.0, 3.0, 7))['id']:g}"


def _newton(x: float = 1.0) -> float:
    f = of(SQUARE_MINUS, "square_minus")
    return float(x - f(x) / f.grad(x))


def _steps_to_the_root() -> int:
    """Until x is √2 to fifteen digits."""
    x, steps = 1.0, 0
    while not math.isclose(x, math.sqrt(2.0), rel_tol=1e-15):
        x, steps = _newton(x), steps + 1
    return steps


def _asks(function: CFunction) -> str:
    called = any("call" in line and "@__enzyme_" in line for line in str(function.ir("input")).splitlines())
    return "" if called else "The numbers are right, but nobody asked the compiler: call __enzyme_autodiff."


EXERCISES = (
    Exercise(
        "06.1",
        "through memcpy",
        f"```c\n{THROUGH}\n```\nWhat is the slope of `through` at x = 3?",
        NumberAnswer(lambda: of(THROUGH, "through").grad(3.0)),
        "The result is x·2x, and memcpy carries the derivative along: its shadow is copied, too.",
        ("What does the function compute, without the arrays?", "2x² has the slope 4x."),
        (
            Mistake(lambda: of(THROUGH, "through")(3.0), "That is the value at 3. Asked for is the slope."),
            Mistake(2 * 3, "b[1] is 2x, not x: the result is 2x²."),
        ),
    ),
    Exercise(
        "06.2",
        "the derivative of a number plate",
        f"```c\n{BODY}\n```\nThe gradient of `energy_of` is a struct of the same type. What is in its field `id`?",
        Choice(("0", "1", "an error"), _plate),
        lambda: f"An integer carries no derivative; in a gradient its place holds {_plate()}.",
        ("Does the energy change with the id?", "An integer carries no derivative."),
        (
            Mistake("b", "The energy does not depend on the id."),
            Mistake("c", "Structs may hold integers: their place in the gradient is there, too."),
        ),
    ),
    Exercise(
        "07.1",
        "ask for a derivative in C",
        "Let `slope` give the derivative of `wave`, with `__enzyme_autodiff`.",
        CTask(
            "slope",
            SLOPE % "0",
            SLOPE % "__enzyme_autodiff((void *)wave, x)",
            lambda: [(x,) for x in (-1.0, 0.5, 2.0)],
            truth=lambda x: (of(WAVE, "wave").grad(x),),
            also=_asks,
        ),
        "The call was replaced by the derivative when the cell was compiled. No such function exists when it runs.",
        ("The first argument is the function, then come its own arguments.", "__enzyme_autodiff((void *)wave, x)"),
        (
            Mistake(SLOPE % "wave(x)", "That is the function itself, not its derivative."),
            Mistake(
                SLOPE % "sin(x) + x * cos(x)",
                "That is the derivative, made by hand. Let the compiler do it: __enzyme_autodiff.",
            ),
            Mistake(
                SLOPE % "x * cos(x)", "That is half of the product rule. Let the compiler do it: __enzyme_autodiff."
            ),
        ),
    ),
    Exercise(
        "07.2",
        "const",
        f"```c\n{POWER_RULE}\n```\nWhat does `slope(3, 2)` give?",
        Choice(
            ("12", "9", "21"),
            lambda: f"{compile_c(POWER_RULE, name='slope.c').slope(3.0, 2.0):g}",
        ),
        "enzyme_const belongs to the argument behind it: only the derivative with respect to x is asked for, 2ax.",
        ("Which of the two arguments is marked?", "The derivative of a·x² with respect to x is 2ax."),
        (
            Mistake("b", "That is the derivative with respect to a. It is a that is marked const."),
            Mistake("c", "That is the sum of both derivatives. One of the arguments is marked const."),
        ),
    ),
    Exercise(
        "08.1",
        "who is right?",
        "`cube` is x³, and a rule of ours says: its derivative is 1. What does `cube.grad(2.0)` give?",
        Choice(("1", "12", "an error"), _wrong_rule),
        "A rule is believed. `em.check_grads` compares it with differences, and says when it is wrong.",
        ("Is the body of a function with a rule differentiated?", "The rule replaces the derivative."),
        (
            Mistake("b", "That would be the true slope. But a function with a rule is not differentiated."),
            Mistake("c", "Nothing is compared when a gradient is made. `em.check_grads` does that."),
        ),
    ),
    Exercise(
        "08.2",
        "a rule in C",
        "Write the rule for 1/√x: what x gets when the result gets d.",
        CTask(
            "gradient_rsqrt",
            RULE % "0",
            RULE % "-0.5 * d / (x * sqrt(x))",
            lambda: [(1.0, 1.0), (4.0, 1.0), (2.0, -3.0)],
            truth=_rule,
        ),
        "With `em.custom_vjp` this text becomes the derivative of a function whose own body cannot be differentiated.",
        ("The derivative of x^(−1/2) is −1/2 · x^(−3/2).", "x^(3/2) is x * sqrt(x)."),
        (
            Mistake(RULE % "-0.5 / (x * sqrt(x))", "Where is d? The rule gives d times the slope."),
            Mistake(
                RULE % "-1 / 2 * d / (x * sqrt(x))",
                "In C a quotient of integers is an integer: write the numbers with a point.",
            ),
            Mistake(
                RULE % "-0.5 * d / pow(x, 3 / 2)",
                "The exponent is a quotient of integers, and that is an integer in C: write it with a point.",
            ),
            Mistake(RULE % "0.5 * d / (x * sqrt(x))", "1/√x falls: look at the sign."),
        ),
    ),
    Exercise(
        "11.1",
        "one step of Newton",
        "Newton's method goes from x to x − f(x)/f′(x). Where does one step lead from x = 1, for f(x) = x² − 2?",
        NumberAnswer(_newton),
        lambda: f"The slope is exact, so {_steps_to_the_root() - 1} more steps give √2 to fifteen digits.",
        (
            lambda: f"f(1) = {of(SQUARE_MINUS, 'square_minus')(1.0):g}.",
            lambda: f"The slope of f at 1 is {of(SQUARE_MINUS, 'square_minus').grad(1.0):g}.",
        ),
        (
            Mistake(lambda: 2.0 - _newton(), "Minus minus is plus: f(1) is negative."),
            Mistake(
                lambda: 1.0 - of(SQUARE_MINUS, "square_minus")(1.0),
                lambda: f"The step is divided by the slope, {of(SQUARE_MINUS, 'square_minus').grad(1.0):g}.",
            ),
        ),
    ),
)
