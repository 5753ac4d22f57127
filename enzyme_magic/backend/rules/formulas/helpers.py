"""Functions the derivatives need and libm does not have, written as internal functions of the gradient's module.

    polygamma.n (x)        the n-th derivative of digamma; lgamma' = polygamma.0
    pow_partial (x, y, r)  ∂ pow(x, y) / ∂x where r = pow(x, y): y·r/x without a second pow wherever that is exact
    pow_slope (x, y)       the same by a second pow
    remquo (x, y), lgamma_r (x)   libm's functions with the int in the result instead of behind a pointer
    cexp (x, y), …         complex.h's functions for float with the parts of a number as two floats instead of a vector

Invariant: a helper has no side effect, is made once per module and type, and its name (`em.polygamma.0.f64`) cannot be a C
name. polygamma is differentiable again (its rule gives polygamma.n+1), pow_partial by differentiating its body.

polygamma: reflection to the right half line, recurrence up to `start`, then Stirling's asymptotic series, cut where its terms
fall below the precision of the type (NIST Handbook of Mathematical Functions, 5.5, 5.11, 5.15). float computes in double.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from math import comb, factorial

from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.constants import FORMATS, poison
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    HALF,
    I32,
    FloatType,
    FunctionType,
    StructType,
    Type,
    VectorType,
)
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.backend.rules.emitter import Emitter, Term
from enzyme_magic.backend.rules.formulas import complex_functions
from enzyme_magic.backend.rules.formulas.numbers import PI
from enzyme_magic.backend.rules.ir_basic import BasicEmitter, constant, declared
from enzyme_magic.backend.rules.spelling import helper_name, libm_name, prototype

_POLYGAMMA = "polygamma."


def is_helper(operation: str) -> bool:
    return operation.startswith(_POLYGAMMA) or operation in _WRITERS


def function(module: Module, operation: str, type_: FloatType) -> Function:
    """The helper of this name and type in `module`, written if it is not there yet."""
    name = helper_name(operation, type_)
    if name in module.functions:
        return module.functions[name]
    if operation.startswith(_POLYGAMMA):
        return _write(module, name, FunctionType(type_, (type_,)), _polygamma_writer(int(operation[len(_POLYGAMMA) :])))
    signature, writer = _WRITERS[operation]
    return _write(module, name, signature(type_), writer)


Writer = Callable[["_Body"], None]


def _write(module: Module, name: str, type_: FunctionType, writer: Writer) -> Function:
    arguments = [Argument(t, f"x{k}", EMPTY, k) for k, t in enumerate(type_.parameters)]
    made = Function(name=name, linkage="internal", function_type=type_, arguments=arguments)
    module.add(made)
    writer(_Body(module, made))
    return made


class _Body:
    """A helper under construction: blocks by name, and an emitter at the end of the current one."""

    def __init__(self, module: Module, made: Function) -> None:
        self.module = module
        self.function = made
        type_ = made.function_type.parameters[0]
        self.emit = BasicEmitter(Builder(self.block("entry")), module, type_)
        self.arguments = [self.emit.term(a) for a in made.arguments]

    @property
    def builder(self) -> Builder:
        return self.emit.builder

    def block(self, name: str) -> Block:
        made = Block(name, parent=self.function)
        self.function.blocks.append(made)
        return made

    def branch(self, condition: Term, yes: str, no: str) -> Block:
        """Ends the block; goes on in `yes` and gives back `no`, to go on there with `at`."""
        blocks = self.block(yes), self.block(no)
        self.builder.cond_br(condition.value, *blocks)
        self.at(blocks[0])
        return blocks[1]

    def at(self, block: Block) -> None:
        self.builder.position(block)

    def give(self, value: Term) -> None:
        self.builder.ret(value.value)


# pow_partial


def _write_pow_partial(body: _Body) -> None:
    e, (x, y, r) = body.emit, body.arguments
    form = FORMATS[str(e.type)]
    smallest = Fraction(2) ** (1 - form.bias)  # below it r has lost digits
    largest = (2 - Fraction(1, 2**form.fraction)) * Fraction(2) ** form.bias
    size = e.fabs(r)
    exact = e.both(e.compare("oge", size, smallest), e.compare("ole", size, largest))
    otherwise = body.branch(exact, "quick", "slow")
    body.give(e.select(e.equal(y, 0), 0, y * (r / x)))
    body.at(otherwise)
    assert isinstance(e.type, FloatType)
    rare = function(body.module, "pow_slope", e.type)
    body.give(e.select(e.equal(y, 0), 0, e.emit(rare, [x.value, y.value])))


def _write_pow_slope(body: _Body) -> None:
    """Apart, and called where it is needed only: LLVM takes its own pow for cheap enough to compute it for every lane of a vector,
    where one in a million wants it."""
    e, (x, y) = body.emit, body.arguments
    body.function.attributes = AttributeSet((Attribute("noinline"), Attribute("cold")))
    body.give(y * e.call("pow", x, y - 1))


# polygamma


@cache
def _bernoulli(index: int) -> Fraction:
    """The Bernoulli number B_index (B_1 = -1/2)."""
    if index == 0:
        return Fraction(1)
    return -sum((comb(index + 1, k) * _bernoulli(k) for k in range(index)), Fraction(0)) / (index + 1)


@cache
def _series(order: int, precision: int, start: int) -> tuple[Fraction, ...] | None:
    """Coefficients of z^(-2k), k ≥ 1, of the asymptotic series, up to the first that is negligible at z = start beside the
    leading term; None where the series starts to diverge before that."""
    leading = Fraction(1) if order == 0 else Fraction(factorial(order - 1), start**order)
    scale = 1 if order == 0 else Fraction(1, start**order)
    terms: list[Fraction] = []
    before: Fraction | None = None
    while True:
        k = len(terms) + 1
        coefficient = _bernoulli(2 * k) * factorial(2 * k + order - 1) / factorial(2 * k)
        size = abs(coefficient) / start ** (2 * k) * scale
        if size * 2 ** (precision + 3) < leading:
            return tuple(terms)
        if before is not None and size > before:
            return None
        terms.append(coefficient)
        before = size


def _plan(order: int, precision: int) -> tuple[int, tuple[Fraction, ...]]:
    """(where the series is used from, its coefficients): the start that makes recurrence and series together short."""
    plans = [(start, s) for start in range(4, 200) if (s := _series(order, precision, start)) is not None]
    return min(plans, key=lambda plan: plan[0] + 2 * len(plan[1]))


def _polygamma_writer(order: int) -> Writer:
    def write(body: _Body) -> None:
        type_ = body.emit.type
        if type_ in (FLOAT, HALF, BFLOAT):
            _write_through_double(body, order)
        else:
            _write_polygamma(body, order)

    return write


def _write_through_double(body: _Body, order: int) -> None:
    wide = BasicEmitter(body.builder, body.module, DOUBLE)
    made = function(body.module, f"{_POLYGAMMA}{order}", DOUBLE)
    value = wide.emit(made, [wide.convert(body.arguments[0]).value])
    body.give(body.emit.convert(value))


def _write_polygamma(body: _Body, order: int) -> None:
    e, x = body.emit, body.arguments[0]
    left = e.compare("ole", x, 0)
    otherwise = body.branch(left, "reflect", "right")
    body.give(_reflected(e, x, order, _right(body, 1 - x, order, "reflected")))
    body.at(otherwise)
    body.give(_right(body, x, order, "direct"))


def _reflected(e: Emitter, x: Term, order: int, mirror: Term) -> Term:
    """polygamma(n, x) = (-1)^n polygamma(n, 1 - x) - π dⁿ/dxⁿ cot(πx), x ≤ 0; `mirror` is polygamma(n, 1 - x)."""
    fraction = x - e.call("rint", x)  # exact, so that the poles are exact
    cotangent = 1 / e.call("tan", fraction * PI)
    slope = _polynomial(cotangent, _cotangent_derivative(order)) * PI ** (order + 1)
    value = -slope + (mirror if order % 2 == 0 else -mirror)
    pole = _power(x, order + 1)
    at_zero = (-1) ** (order + 1) * factorial(order) / pole  # has the side of the signed zero
    at_integer = e.select(e.equal(x, 0), at_zero, float("nan"))
    return e.select(e.equal(fraction, 0), at_integer, value)


@cache
def _cotangent_derivative(order: int) -> tuple[int, ...]:
    """Coefficients of the polynomial P with dⁿ cot(t)/dtⁿ = P(cot t), lowest first: P' (-1 - c²) each time."""
    if order == 0:
        return (0, 1)
    below = _cotangent_derivative(order - 1)
    slope = [k * a for k, a in enumerate(below)][1:]
    padded = [*slope, 0, 0]
    shifted = [0, 0, *slope]
    return tuple(-(a + b) for a, b in zip(padded, shifted, strict=True))


def _polynomial(x: Term, coefficients: tuple[int, ...] | tuple[Fraction, ...]) -> Term:
    value: Term = x * 0 + coefficients[-1] if len(coefficients) == 1 else x * coefficients[-1] + coefficients[-2]
    for coefficient in coefficients[-3::-1]:
        value = value * x + coefficient if coefficient else value * x
    return value


def _right(body: _Body, x: Term, order: int, name: str) -> Term:
    """polygamma(n, x) for x > 0: recurrence up to `start`, then the series. Leaves the body in the block that follows."""
    e, builder = body.emit, body.builder
    start, series = _plan(order, FORMATS[str(e.type)].fraction + 1)
    before, test = builder.block, body.block(f"{name}.test")
    builder.br(test)
    body.at(test)
    position, total = builder.phi(_type(x)), builder.phi(_type(x))
    z, summed = e.term(position), e.term(total)
    after = body.branch(e.less(z, start), f"{name}.step", f"{name}.series")
    added, moved = summed + 1 / _power(z, order + 1), z + 1
    builder.br(test)
    zero = constant(_type(x), 0)
    for phi, first, next_ in ((position, x.value, moved.value), (total, zero, added.value)):
        builder.add_incoming(phi, first, before)
        builder.add_incoming(phi, next_, builder.block)
    body.at(after)
    value = _asymptotic(e, z, order, series) + summed * factorial(order)
    return value if order % 2 else -value


def _asymptotic(e: Emitter, z: Term, order: int, series: tuple[Fraction, ...]) -> Term:
    """(-1)^(n+1) polygamma(n, z) for large z."""
    inverse = 1 / z
    square = inverse * inverse
    tail = _series_sum(square, series)
    if order == 0:
        return inverse * Fraction(1, 2) + tail - e.call("log", z)
    lead = factorial(order - 1) + inverse * Fraction(factorial(order), 2) + tail
    return lead * _power(inverse, order)


def _series_sum(square: Term, series: tuple[Fraction, ...]) -> Term:
    """Σ series[k-1] square^k, smallest terms first."""
    value = square * series[-1]
    for coefficient in series[-2::-1]:
        value = (value + coefficient) * square
    return value


def _power(x: Term, exponent: int) -> Term:
    value = x
    for _ in range(exponent - 1):
        value = value * x
    return value


def _type(x: Term) -> Type:
    type_: Type = x.value.type
    return type_


# Results through pointers, turned into struct results


def _write_with_int(operation: str) -> Writer:
    """{T, i32} f(arguments): libm's function with the int it stores as second result."""

    def write(body: _Body) -> None:
        type_ = body.emit.type
        assert isinstance(type_, FloatType)
        name = libm_name(operation, type_)
        assert name is not None
        slot = body.builder.alloca(I32)
        libm = declared(body.module, name, prototype(operation, type_))
        value = body.builder.call(libm, [*(a.value for a in body.arguments), slot])
        pair: Value = poison(body.function.function_type.result)
        pair = body.builder.insert_value(pair, value, 0)
        body.builder.ret(body.builder.insert_value(pair, body.builder.load(I32, slot), 1))

    return write


# Complex functions for float


def _write_complex(operation: str) -> Writer:
    def write(body: _Body) -> None:
        builder, parts = body.builder, body.function.arguments
        type_ = complex_functions.single_type(operation)
        pairs = [pair_of(builder, *parts[k : k + 2]) for k in range(0, len(parts), 2)]
        result = builder.call(declared(body.module, operation + "f", type_), pairs)
        if not isinstance(type_.result, VectorType):
            builder.ret(result)
            return
        whole: Value = poison(body.function.function_type.result)
        for k in (0, 1):
            whole = builder.insert_value(whole, builder.extract_element(result, k), k)
        builder.ret(whole)

    return write


def pair_of(builder: Builder, real: Value, imaginary: Value) -> Value:
    """A vector of the two parts of a number."""
    pair = builder.insert_element(poison(VectorType(2, real.type)), real, 0)
    return builder.insert_element(pair, imaginary, 1)


_WRITERS: dict[str, tuple[Callable[[Type], FunctionType], Writer]] = {
    "pow_partial": (lambda t: FunctionType(t, (t, t, t)), _write_pow_partial),
    "pow_slope": (lambda t: FunctionType(t, (t, t)), _write_pow_slope),
    "remquo": (lambda t: FunctionType(StructType((t, I32)), (t, t)), _write_with_int("remquo")),
    "lgamma_r": (lambda t: FunctionType(StructType((t, I32)), (t,)), _write_with_int("lgamma_r")),
}
for _operation in complex_functions.BY_OPERATION:
    _WRITERS[_operation] = (partial(complex_functions.function_type, _operation), _write_complex(_operation))
