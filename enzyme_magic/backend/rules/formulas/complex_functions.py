"""Functions of complex.h: cexp, clog, csqrt, cpow, the circular and hyperbolic ones and their inverses, cabs, carg.

All but the last two are holomorphic, so that one complex slope is the whole derivative: with slope u + iv it is
d(re) = u dx - v dy, d(im) = v dx + u dy. A pair (x, y) travels as two doubles, a pair of results as a struct of two; pairs of
floats travel as vectors, and `lowering` takes these calls apart. On branch cuts the slope is that of the side the function itself
takes; at 0 csqrt and clog have an infinite one, or NaN, and cpow has NaN.

Source: C17, 7.3 and Annex G; slopes of inverse functions are reciprocals of those of the function at the result. Not here: cproj,
and the functions of long double, which take their argument in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, FloatType, FunctionType, StructType, Type, VectorType
from enzyme_magic.backend.rules.emitter import Emitter, Primals, Term
from enzyme_magic.backend.rules.rule import DEAR, Formula, OneOf, Rule, rule, rule_of_results

Complex = tuple[Term, Term]
Slope = Callable[[Emitter, Primals], Complex]
_PAIR = VectorType(2, FLOAT)
_ANY = OneOf((0.3, -1.7, 2.5))


def _reciprocal(e: Emitter, z: Complex) -> Complex:
    """1/z without squares that overflow."""
    size = e.call("fmax", e.fabs(z[0]), e.fabs(z[1]))
    u, v = z[0] / size, z[1] / size
    norm = (u * u + v * v) * size
    return u / norm, -v / norm


def _times(z: Complex, w: Complex) -> Complex:
    return z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0]


def _scaled(z: Complex, by: float) -> Complex:
    return z[0] * by, z[1] * by


def _one_and_square(z: Complex, sign: int) -> Complex:
    """1 + sign·z²."""
    real, imaginary = (z[0] - z[1]) * (z[0] + z[1]), z[0] * z[1] * 2
    return (real + 1, imaginary) if sign > 0 else (1 - real, -imaginary)


def _cos(e: Emitter, z: Complex) -> Complex:
    return (
        e.call("cos", z[0]) * e.call("cosh", z[1]),
        -(e.call("sin", z[0]) * e.call("sinh", z[1])),
    )


def _sin(e: Emitter, z: Complex) -> Complex:
    return e.call("sin", z[0]) * e.call("cosh", z[1]), e.call("cos", z[0]) * e.call("sinh", z[1])


def _cosh(e: Emitter, z: Complex) -> Complex:
    return e.call("cosh", z[0]) * e.call("cos", z[1]), e.call("sinh", z[0]) * e.call("sin", z[1])


def _sinh(e: Emitter, z: Complex) -> Complex:
    return e.call("sinh", z[0]) * e.call("cos", z[1]), e.call("cosh", z[0]) * e.call("sin", z[1])


def _log(e: Emitter, z: Complex) -> Complex:
    return e.call("log", e.call("hypot", z[0], z[1])), e.call("atan2", z[1], z[0])


def _argument(p: Primals) -> Complex:
    return p[0], p[1]


def _result(p: Primals) -> Complex:
    return p.results[0], p.results[1]


def _base_slope(e: Emitter, p: Primals) -> Complex:
    """∂ z^w / ∂z = w z^w / z."""
    return _times((p[2], p[3]), _times(_result(p), _reciprocal(e, _argument(p))))


def _power_slope(e: Emitter, p: Primals) -> Complex:
    """∂ z^w / ∂w = z^w log z."""
    return _times(_result(p), _log(e, _argument(p)))


def _parts(slope: Slope) -> tuple[tuple[Formula, Formula], tuple[Formula, Formula]]:
    """The formulas of both results for the real and the imaginary part of one argument."""

    def real(e: Emitter, d: Term, p: Primals) -> Term:
        return d * slope(e, p)[0]

    def imaginary(e: Emitter, d: Term, p: Primals) -> Term:
        return d * slope(e, p)[1]

    def minus_imaginary(e: Emitter, d: Term, p: Primals) -> Term:
        return -(d * slope(e, p)[1])

    return (real, minus_imaginary), (imaginary, real)


def _holomorphic(name: str, formula: str, *slopes: Slope) -> Rule:
    rows = [_parts(slope) for slope in slopes]
    first = tuple(f for row in rows for f in row[0])
    second = tuple(f for row in rows for f in row[1])
    return rule_of_results(name, formula, first, second, domain=(_ANY,) * len(first), cost=DEAR)


def _abs_slope(k: int) -> Formula:
    def write(e: Emitter, d: Term, p: Primals) -> Term:
        return d * e.select(e.equal(p.result, 0), e.number(0), p[k] / p.result)

    return write


def _angle_slope(k: int) -> Formula:
    def write(e: Emitter, d: Term, p: Primals) -> Term:
        inverse = _reciprocal(e, _argument(p))
        return d * (inverse[0] if k else inverse[1])

    return write


_RULES = (
    _holomorphic("cexp", "d cexp(z) = cexp(z) dz", lambda e, p: _result(p)),
    _holomorphic("clog", "d clog(z) = dz/z", lambda e, p: _reciprocal(e, _argument(p))),
    _holomorphic("csqrt", "d csqrt(z) = dz/(2 csqrt(z))", lambda e, p: _scaled(_reciprocal(e, _result(p)), 0.5)),
    _holomorphic("csin", "d csin(z) = ccos(z) dz", lambda e, p: _cos(e, _argument(p))),
    _holomorphic("ccos", "d ccos(z) = -csin(z) dz", lambda e, p: _scaled(_sin(e, _argument(p)), -1.0)),
    _holomorphic("ctan", "d ctan(z) = (1 + ctan(z)^2) dz", lambda e, p: _one_and_square(_result(p), 1)),
    _holomorphic("csinh", "d csinh(z) = ccosh(z) dz", lambda e, p: _cosh(e, _argument(p))),
    _holomorphic("ccosh", "d ccosh(z) = csinh(z) dz", lambda e, p: _sinh(e, _argument(p))),
    _holomorphic("ctanh", "d ctanh(z) = (1 - ctanh(z)^2) dz", lambda e, p: _one_and_square(_result(p), -1)),
    _holomorphic("casin", "d casin(z) = dz/ccos(casin(z))", lambda e, p: _reciprocal(e, _cos(e, _result(p)))),
    _holomorphic(
        "cacos", "d cacos(z) = -dz/csin(cacos(z))", lambda e, p: _scaled(_reciprocal(e, _sin(e, _result(p))), -1.0)
    ),
    _holomorphic("catan", "d catan(z) = dz/(1 + z^2)", lambda e, p: _reciprocal(e, _one_and_square(_argument(p), 1))),
    _holomorphic("casinh", "d casinh(z) = dz/ccosh(casinh(z))", lambda e, p: _reciprocal(e, _cosh(e, _result(p)))),
    _holomorphic("cacosh", "d cacosh(z) = dz/csinh(cacosh(z))", lambda e, p: _reciprocal(e, _sinh(e, _result(p)))),
    _holomorphic(
        "catanh", "d catanh(z) = dz/(1 - z^2)", lambda e, p: _reciprocal(e, _one_and_square(_argument(p), -1))
    ),
    _holomorphic("cpow", "d z^w = w z^w/z dz + z^w clog(z) dw", _base_slope, _power_slope),
    rule("cabs", "d cabs(z) = (x dx + y dy)/cabs(z)", _abs_slope(0), _abs_slope(1), domain=(_ANY, _ANY), cost=DEAR),
    rule("carg", "d carg(z) = (x dy - y dx)/|z|^2", _angle_slope(0), _angle_slope(1), domain=(_ANY, _ANY), cost=DEAR),
)
BY_OPERATION = MappingProxyType({rule.operation: rule for rule in _RULES})


def function_type(operation: str, type_: FloatType = DOUBLE) -> FunctionType:
    """The pure operation: parts in, parts out. For double it is the type of the C function too."""
    found = BY_OPERATION[operation]
    result: Type = type_ if found.results == 1 else StructType((type_, type_))
    return FunctionType(result, (type_,) * found.operands)


def rule_of(name: str, type_: FunctionType) -> Rule | None:
    """The rule of a function of complex.h by name, where its type is that of double precision."""
    found = BY_OPERATION.get(name)
    return found if found is not None and type_ == function_type(name) else None


def single(name: str, type_: FunctionType) -> str | None:
    """The operation of a function for float (`cexpf`), where its type is that of the C function."""
    operation = name.removesuffix("f")
    known = operation != name and operation in BY_OPERATION
    return operation if known and type_ == single_type(operation) else None


def single_type(operation: str) -> FunctionType:
    """The type of the C function for float: pairs are vectors of two."""
    found = BY_OPERATION[operation]
    return FunctionType(FLOAT if found.results == 1 else _PAIR, (_PAIR,) * (found.operands // 2))
