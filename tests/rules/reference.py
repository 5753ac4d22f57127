"""What the operations compute, with as many digits as asked: the reference every derivative rule is tested against.

Written from the definitions of the C standard and, for the rest, of mpmath; nothing here knows a derivative but `polygamma` and
`pow_partial`, which are functions in their own right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import mp, mpf

Function = Callable[..., Any]


def _round_half_even(x: Any) -> Any:
    return mp.nint(x)


def _round_half_away(x: Any) -> Any:
    return mp.sign(x) * mp.floor(abs(x) + mpf("0.5"))


def _truncated(x: Any) -> Any:
    return mp.sign(x) * mp.floor(abs(x))


def _fmod(x: Any, y: Any) -> Any:
    return x - y * _truncated(x / y)


def _remainder(x: Any, y: Any) -> Any:
    return x - y * _round_half_even(x / y)


def _frexp(x: Any) -> tuple[Any, int]:
    exponent = int(mp.floor(mp.log(abs(x), 2))) + 1
    return x / mpf(2) ** exponent, exponent


def _negative(x: Any) -> bool:
    return bool(x < 0)  # the reference is not asked about negative zeros


def _copysign(x: Any, y: Any) -> Any:
    return -abs(x) if _negative(y) else abs(x)


def _power(x: Any, y: Any) -> Any:
    return x ** int(y) if y == int(y) else x**y


def _real(function: Function) -> Function:
    return lambda *arguments: mp.re(function(*arguments))


REFERENCE: dict[str, Function] = {
    "fadd": lambda x, y: x + y,
    "fsub": lambda x, y: x - y,
    "fmul": lambda x, y: x * y,
    "fdiv": lambda x, y: x / y,
    "frem": _fmod,
    "fmod": _fmod,
    "remainder": _remainder,
    "remquo": lambda x, y: (_remainder(x, y), int(_round_half_even(x / y))),
    "fneg": lambda x: -x,
    "fma": lambda x, y, z: x * y + z,
    "fmuladd": lambda x, y, z: x * y + z,
    "freeze": lambda x: x,
    "canonicalize": lambda x: x,
    "arithmetic.fence": lambda x: x,
    "select": lambda c, x, y: x if c else y,
    "fpext": lambda x: x,
    "fptrunc": lambda x: x,
    "fptrunc.round": lambda x, mode: x,
    "pow": _power,
    "powi": _power,
    "sqrt": mp.sqrt,
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
    "hypot": mp.hypot,
    "exp": mp.exp,
    "exp2": lambda x: mpf(2) ** x,
    "exp10": lambda x: mpf(10) ** x,
    "expm1": mp.expm1,
    "log": mp.log,
    "log2": lambda x: mp.log(x, 2),
    "log10": mp.log10,
    "log1p": mp.log1p,
    "ldexp": lambda x, n: x * mpf(2) ** n,
    "scalbn": lambda x, n: x * mpf(2) ** n,
    "scalbln": lambda x, n: x * mpf(2) ** n,
    "frexp": _frexp,
    "modf": lambda x: (x - _truncated(x), _truncated(x)),
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "asin": _real(mp.asin),
    "acos": _real(mp.acos),
    "atan": mp.atan,
    "atan2": mp.atan2,
    "sinpi": mp.sinpi,
    "cospi": mp.cospi,
    "tanpi": lambda x: mp.sinpi(x) / mp.cospi(x),
    "asinpi": lambda x: _real(mp.asin)(x) / mp.pi,
    "acospi": lambda x: _real(mp.acos)(x) / mp.pi,
    "atanpi": lambda x: mp.atan(x) / mp.pi,
    "sincos": lambda x: (mp.sin(x), mp.cos(x)),
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": mp.tanh,
    "asinh": mp.asinh,
    "acosh": _real(mp.acosh),
    "atanh": _real(mp.atanh),
    "erf": mp.erf,
    "erfc": mp.erfc,
    "lgamma": lambda x: mp.log(abs(mp.gamma(x))),
    "lgamma_r": lambda x: (mp.log(abs(mp.gamma(x))), int(mp.sign(mp.gamma(x)))),
    "tgamma": mp.gamma,
    "j0": lambda x: mp.besselj(0, x),
    "j1": lambda x: mp.besselj(1, x),
    "jn": lambda n, x: mp.besselj(int(n), x),
    "y0": lambda x: mp.bessely(0, x),
    "y1": lambda x: mp.bessely(1, x),
    "yn": lambda n, x: mp.bessely(int(n), x),
    "floor": mp.floor,
    "ceil": mp.ceil,
    "trunc": _truncated,
    "rint": _round_half_even,
    "nearbyint": _round_half_even,
    "roundeven": _round_half_even,
    "round": _round_half_away,
    "lrint": _round_half_even,
    "llrint": _round_half_even,
    "lround": _round_half_away,
    "llround": _round_half_away,
    "logb": lambda x: mpf(_frexp(x)[1] - 1),
    "ilogb": lambda x: mpf(_frexp(x)[1] - 1),
    "nextafter": lambda x, y: x,  # up to one unit in the last place of the type
    "nexttoward": lambda x, y: x,
    "fabs": abs,
    "copysign": _copysign,
    "fmax": max,
    "fmin": min,
    "fmaximum": max,
    "fminimum": min,
    "fmaximum_num": max,
    "fminimum_num": min,
    "fdim": lambda x, y: max(x - y, mpf(0)),
    "polygamma.0": lambda x: mp.psi(0, x),
    "polygamma.1": lambda x: mp.psi(1, x),
    "polygamma.2": lambda x: mp.psi(2, x),
    "polygamma.3": lambda x: mp.psi(3, x),
    "pow_partial": lambda x, y, r: y * _power(x, y - 1),
}

# Operations that pass on no float at all: there is nothing to compare.
WITHOUT_VALUE = frozenset(["sitofp", "uitofp", "fptosi", "fptoui", "is.fpclass", "nan"])


def outputs(operation: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """All results of the operation."""
    value = REFERENCE[operation](*arguments)
    return value if isinstance(value, tuple) else (value,)
