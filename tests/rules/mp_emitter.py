"""The emitter of the tests: formulas evaluated as numbers with fifty digits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from mpmath import mp, mpf

from enzyme_magic.backend.rules.emitter import Emitter, Operand, Primals, Term
from enzyme_magic.backend.rules.formulas.numbers import Number

from .reference import REFERENCE, outputs

_COMPARE = {
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "ugt": lambda a, b: not a <= b,
    "uno": lambda a, b: mp.isnan(a) or mp.isnan(b),
}


def number(value: Any) -> Any:
    """A Python number as mpf; integers and truth values stay what they are."""
    if isinstance(value, Fraction):
        return mpf(value.numerator) / value.denominator
    return mpf(value) if isinstance(value, float) else value


class MpEmitter(Emitter):
    def term(self, value: Any) -> Term:
        return Term(self, value)

    def number(self, value: Number) -> Term:
        return self.term(number(value))

    def binary(self, opcode: str, a: Operand, b: Operand) -> Term:
        x, y = _value(a), _value(b)
        if opcode == "fdiv":
            return self.term(mpf(x) / y)
        return self.term({"fadd": x + y, "fsub": x - y, "fmul": x * y}[opcode])

    def negate(self, a: Operand) -> Term:
        return self.term(-_value(a))

    def compare(self, predicate: str, a: Operand, b: Operand) -> Term:
        return self.term(_COMPARE[predicate](_value(a), _value(b)))

    def logic(self, opcode: str, a: Term, b: Term) -> Term:
        return self.term((a.value and b.value) if opcode == "and" else (a.value or b.value))

    def select(self, condition: Term, a: Operand, b: Operand) -> Term:
        return self.term(_value(a) if condition.value else _value(b))

    def call(self, operation: str, *arguments: Operand) -> Term:
        return self.term(REFERENCE[operation](*map(_value, arguments)))

    def convert(self, a: Term) -> Term:
        return self.term(mpf(a.value))


def _value(a: Operand) -> Any:
    return a.value if isinstance(a, Term) else number(a)


class MpPrimals(Primals):
    """Primals of an operation at one point; `constants` are the operands the formula may specialize on."""

    def __init__(self, operation: str, point: tuple[Any, ...], constants: frozenset[int] = frozenset()) -> None:
        self.emitter = MpEmitter()
        self.point = point
        self.constants = constants
        self._outputs = outputs(operation, point)

    def operand(self, index: int) -> Term:
        return self.emitter.term(self.point[index])

    def output(self, index: int) -> Term:
        return self.emitter.term(self._outputs[index])

    def is_constant(self, index: int) -> bool:
        return index in self.constants

    def constant(self, index: int) -> float | None:
        if index not in self.constants:
            return None
        value = self.point[index]
        return value if isinstance(value, int) else float(value)
