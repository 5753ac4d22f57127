"""What a derivative formula is written in: terms with operators, and the emitter that turns them into something.

Invariant: a formula sees only this interface, so the same table entry writes LLVM IR (`ir_emitter`), is evaluated with many
digits in the tests, and is dry-run to learn which primals it reads (`dry_run`). Every emitter works with scalars of one
floating type, and with integers where a function takes one (the n of ldexp or jn).

Plain Python numbers may stand wherever a term may: they become constants of the emitter's type.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from enzyme_magic.backend.rules.formulas.numbers import Number


class Term:
    """A value of some emitter. `value` is the emitter's own: an ir.Value, a number with fifty digits, nothing at all."""

    __slots__ = ("emitter", "value")

    def __init__(self, emitter: Emitter, value: Any) -> None:
        self.emitter = emitter
        self.value = value

    def __add__(self, other: Operand) -> Term:
        return self.emitter.binary("fadd", self, other)

    def __radd__(self, other: Number) -> Term:
        return self.emitter.binary("fadd", other, self)

    def __sub__(self, other: Operand) -> Term:
        return self.emitter.binary("fsub", self, other)

    def __rsub__(self, other: Number) -> Term:
        return self.emitter.binary("fsub", other, self)

    def __mul__(self, other: Operand) -> Term:
        return self.emitter.binary("fmul", self, other)

    def __rmul__(self, other: Number) -> Term:
        return self.emitter.binary("fmul", other, self)

    def __truediv__(self, other: Operand) -> Term:
        return self.emitter.binary("fdiv", self, other)

    def __rtruediv__(self, other: Number) -> Term:
        return self.emitter.binary("fdiv", other, self)

    def __neg__(self) -> Term:
        return self.emitter.negate(self)


Operand = Term | Number


class Emitter(ABC):
    """The operations of the formulas. Comparisons are ordered (false with a NaN) unless the name says otherwise."""

    @abstractmethod
    def term(self, value: Any) -> Term:
        """Wraps a value of this emitter."""

    @abstractmethod
    def number(self, value: Number) -> Term:
        """A constant of the emitter's type."""

    @abstractmethod
    def binary(self, opcode: str, a: Operand, b: Operand) -> Term:
        """fadd fsub fmul fdiv; the integer operation of the same kind where the terms are integers."""

    @abstractmethod
    def negate(self, a: Operand) -> Term: ...

    @abstractmethod
    def compare(self, predicate: str, a: Operand, b: Operand) -> Term:
        """`predicate` is LLVM's fcmp word (oeq, ogt, ugt, uno, …); integers compare signed."""

    @abstractmethod
    def logic(self, opcode: str, a: Term, b: Term) -> Term:
        """and, or of two truth values."""

    @abstractmethod
    def select(self, condition: Term, a: Operand, b: Operand) -> Term: ...

    @abstractmethod
    def call(self, operation: str, *arguments: Operand) -> Term:
        """A mathematical function by its operation name (see `spelling`), or one of `helpers`."""

    @abstractmethod
    def convert(self, a: Term) -> Term:
        """To the emitter's floating type: from another one, or from a signed integer."""

    def less(self, a: Operand, b: Operand) -> Term:
        return self.compare("olt", a, b)

    def greater(self, a: Operand, b: Operand) -> Term:
        return self.compare("ogt", a, b)

    def equal(self, a: Operand, b: Operand) -> Term:
        return self.compare("oeq", a, b)

    def is_nan(self, a: Operand) -> Term:
        return self.compare("uno", a, a)

    def both(self, a: Term, b: Term) -> Term:
        return self.logic("and", a, b)

    def either(self, a: Term, b: Term) -> Term:
        return self.logic("or", a, b)

    def sqrt(self, a: Operand) -> Term:
        return self.call("sqrt", a)

    def not_below_zero(self, a: Term) -> Term:
        """`a`, and NaN where it is below 0: for the slope of a function that has no value there. A root, no constant, so that
        the slope of the slope is NaN too."""
        return self.select(self.less(a, 0), self.sqrt(a), a)

    def fabs(self, a: Operand) -> Term:
        return self.call("fabs", a)

    def copysign(self, magnitude: Operand, sign: Operand) -> Term:
        return self.call("copysign", magnitude, sign)


class Primals(ABC):
    """What a formula may read of the operation it belongs to: `p[k]` is operand k, `p.results[j]` result j. Reading is what
    makes a primal needed in the reverse sweep; `constant` and `is_constant` are answered while compiling and cost nothing."""

    @abstractmethod
    def operand(self, index: int) -> Term: ...

    @abstractmethod
    def output(self, index: int) -> Term: ...

    @abstractmethod
    def is_constant(self, index: int) -> bool:
        """Whether the operand is a constant of the program."""

    @abstractmethod
    def constant(self, index: int) -> float | None:
        """Its value if it is a constant that a Python float holds exactly (an int for integer operands), else None."""

    def __getitem__(self, index: int) -> Term:
        return self.operand(index)

    @property
    def result(self) -> Term:
        return self.output(0)

    @property
    def results(self) -> RuleResults:
        return RuleResults(self)


class RuleResults:
    """`p.results[j]`."""

    __slots__ = ("_primals",)

    def __init__(self, primals: Primals) -> None:
        self._primals = primals

    def __getitem__(self, index: int) -> Term:
        return self._primals.output(index)
