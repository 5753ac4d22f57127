"""Functions of numbers with their derivatives, written down once more: a judge needs formulas of its own.

Values come from the C library, so that they are those of the program. The partials are closed forms; a function without one here is
differentiated by central differences, good to about nine digits.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import math
from collections.abc import Callable
from functools import cache

Partial = Callable[..., float]

ROUNDING = frozenset(
    [
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "roundeven",
        "lround",
        "llround",
        "lrint",
        "llrint",
        "logb",
        "ilogb",
    ]
)
_TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)
ONE: dict[str, Partial] = {
    "exp": lambda x: call("exp", x),
    "exp2": lambda x: call("exp2", x) * math.log(2),
    "exp10": lambda x: call("exp10", x) * math.log(10),
    "expm1": lambda x: call("exp", x),
    "log": lambda x: quotient(1, x),
    "log2": lambda x: quotient(1, x * math.log(2)),
    "log10": lambda x: quotient(1, x * math.log(10)),
    "log1p": lambda x: quotient(1, 1 + x),
    "sqrt": lambda x: quotient(0.5, call("sqrt", x)),
    "cbrt": lambda x: quotient(1, 3 * call("cbrt", x) ** 2),
    "sin": lambda x: call("cos", x),
    "cos": lambda x: -call("sin", x),
    "tan": lambda x: quotient(1, call("cos", x) ** 2),
    "asin": lambda x: quotient(1, call("sqrt", 1 - x * x)),
    "acos": lambda x: quotient(-1, call("sqrt", 1 - x * x)),
    "atan": lambda x: 1 / (1 + x * x),
    "sinh": lambda x: call("cosh", x),
    "cosh": lambda x: call("sinh", x),
    "tanh": lambda x: 1 - call("tanh", x) ** 2,
    "asinh": lambda x: 1 / math.sqrt(1 + x * x),
    "acosh": lambda x: quotient(1, call("sqrt", x * x - 1)),
    "atanh": lambda x: quotient(1, 1 - x * x),
    "erf": lambda x: _TWO_OVER_ROOT_PI * call("exp", -x * x),
    "erfc": lambda x: -_TWO_OVER_ROOT_PI * call("exp", -x * x),
    "fabs": lambda x: math.copysign(1.0, x) if x else 0.0,
}
TWO: dict[str, tuple[Partial, Partial]] = {
    "pow": (
        lambda x, y: y * call("pow", x, y - 1) if y else 0.0,
        lambda x, y: call("pow", x, y) * call("log", x) if x else 0.0,
    ),
    "atan2": (lambda y, x: quotient(x, x * x + y * y), lambda y, x: quotient(-y, x * x + y * y)),
    "hypot": (lambda x, y: quotient(x, call("hypot", x, y)), lambda x, y: quotient(y, call("hypot", x, y))),
    "fmod": (lambda x, y: 1.0, lambda x, y: -truncated(quotient(x, y))),
    "remainder": (lambda x, y: 1.0, lambda x, y: -quotient(x - call("remainder", x, y), y)),
    "fdim": (lambda x, y: float(x > y), lambda x, y: -float(x > y)),
    "copysign": (lambda x, y: math.copysign(1.0, x) * math.copysign(1.0, y), lambda x, y: 0.0),
}
CHOOSING: dict[str, Callable[[float, float], int]] = {  # which operand is the result
    "fmax": lambda x, y: 0 if y != y or x >= y else 1,
    "fmin": lambda x, y: 0 if y != y or x <= y else 1,
}
DIFFERENCES = frozenset(["lgamma", "tgamma", "j0", "j1", "y0", "y1"])
KNOWN = frozenset([*ONE, *TWO, *CHOOSING, *ROUNDING, *DIFFERENCES])
_ALIASES = {"maxnum": "fmax", "minnum": "fmin", "maximumnum": "fmax", "minimumnum": "fmin"}


@cache
def _function(name: str, arguments: int) -> Callable[..., float]:
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    function = getattr(library, name)
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * arguments
    return function  # type: ignore[no-any-return]


def call(name: str, *arguments: float) -> float:
    """The C library's value in double precision."""
    return _function(name, len(arguments))(*arguments)


def quotient(a: float, b: float) -> float:
    """a / b as C divides."""
    if b:
        return a / b
    if a != a or not a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def truncated(x: float) -> float:
    """The whole part; infinities and NaN as they are."""
    return float(math.trunc(x)) if math.isfinite(x) else x


def scaled(x: float, power: int) -> float:
    """x * 2^power; too large a number is an infinity, as in C."""
    try:
        return math.ldexp(x, power)
    except OverflowError:
        return math.copysign(math.inf, x)


@cache
def _exponent() -> Callable[[float], int]:
    function = ctypes.CDLL(ctypes.util.find_library("m")).ilogb
    function.restype, function.argtypes = ctypes.c_int, [ctypes.c_double]
    return function


def rounded_to_integer(name: str, x: float) -> float:
    """Of a function of ROUNDING whose result is an integer: `ilogb`, and `lround` and its like."""
    return _exponent()(x) if name == "ilogb" else call(name.removeprefix("l").removeprefix("l"), x)


def classes(x: float, smallest: float) -> int:
    """The bits of LLVM's `is.fpclass` that a number has. smallest: the smallest positive one that is normal."""
    if math.isnan(x):
        return 3
    positive = 6 if not x else 7 if abs(x) < smallest else 8 if math.isfinite(x) else 9
    return 1 << (positive if math.copysign(1, x) > 0 else 11 - positive)


def plain_name(name: str) -> str | None:
    """ "sin" for sin, sinf and llvm.sin.f64; None for what is not known here."""
    if name.startswith("llvm."):
        stem, _, kind = name.removeprefix("llvm.").rpartition(".")
        stem = _ALIASES.get(stem, stem)
        if stem.rpartition(".")[2] in ("i32", "i64"):  # lround.i64.f64
            stem = stem.rpartition(".")[0]
        return stem if kind in ("f64", "f32") and stem in KNOWN else None
    if name in KNOWN:
        return name
    return name[:-1] if name.endswith("f") and name[:-1] in KNOWN else None


def partials(name: str, arguments: list[float]) -> list[float]:
    """The derivatives with respect to each argument, for a function of ONE, TWO or DIFFERENCES."""
    if name in ONE:
        return [ONE[name](*arguments)]
    if name in TWO:
        return [partial(*arguments) for partial in TWO[name]]
    (x,) = arguments
    step = 1e-5 * max(1.0, abs(x))
    wide, near = (call(name, x + h) - call(name, x - h) for h in (2 * step, step))
    return [(8 * near - wide) / (12 * step)]
