"""Random C expressions whose values stay finite and smooth.

Invariant: with every real variable within ±LIMIT an expression stays within ±its bound, and no argument leaves a function's domain.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from .syntax import Expression

LIMIT = 3.0


@dataclass(frozen=True, slots=True)
class Array:
    """length: C text of the number of elements (at least 2)."""

    name: str
    length: str
    writable: bool = True


@dataclass(slots=True)
class Scope:
    """What can be named. counters: loop variable → C text of its exclusive bound (values from 0). small: nonnegative integers.
    functions: callable helpers by kind."""

    reals: list[str] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    structs: list[str] = field(default_factory=list)
    counters: dict[str, str] = field(default_factory=dict)
    small: list[str] = field(default_factory=list)
    indices: list[str] = field(default_factory=list)

    def inner(self) -> Scope:
        """A copy for a block."""
        return Scope(
            list(self.reals),
            list(self.fixed),
            list(self.arrays),
            list(self.structs),
            dict(self.counters),
            list(self.small),
            list(self.indices),
        )


Bound = Callable[..., float]


@dataclass(frozen=True, slots=True)
class Form:
    """A way to combine: template over its operands, bound from theirs."""

    template: str
    bound: Bound
    construct: str
    weight: float = 1.0

    @property
    def operands(self) -> int:
        return sum(f"${k}" in self.template for k in range(3))


FORMS = (
    Form("($0 + $1)", lambda a, b: a + b, "arithmetic", 6),
    Form("($0 - $1)", lambda a, b: a + b, "arithmetic", 5),
    Form("$0*$1", lambda a, b: a * b, "arithmetic", 7),
    Form("-($0)", lambda a: a, "arithmetic", 2),
    Form("#0.7*$0", lambda a: 0.7 * a, "arithmetic", 3),
    Form("$0/(#1.2 + @square($1))", lambda a, b: a / 1.2, "division", 3),
    Form("@square($0)", lambda a: a * a, "arithmetic", 2),
    Form("@sin($0)", lambda a: 1, "sin, cos, tan", 3),
    Form("@cos($0)", lambda a: 1, "sin, cos, tan", 3),
    Form("@tan(#0.3*@sin($0))", lambda a: 0.4, "sin, cos, tan", 0.7),
    Form("@tanh($0)", lambda a: 1, "hyperbolic", 1),
    Form("@sinh(#0.3*$0)", lambda a: math.sinh(0.3 * min(a, 60)), "hyperbolic", 0.7),
    Form("@cosh(#0.3*$0)", lambda a: math.cosh(0.3 * min(a, 60)), "hyperbolic", 0.7),
    Form("@asinh($0)", lambda a: math.asinh(a), "hyperbolic", 0.5),
    Form("@acosh(#1.5 + @square($0))", lambda a: math.acosh(1.5 + a * a), "hyperbolic", 0.4),
    Form("@atanh(#0.5*@sin($0))", lambda a: 0.6, "hyperbolic", 0.4),
    Form("@exp(#0.2*$0)", lambda a: math.exp(0.2 * min(a, 60)), "exp, log, pow", 2),
    Form("@exp2(#0.2*$0)", lambda a: 2 ** (0.2 * min(a, 60)), "exp, log, pow", 0.5),
    Form("@expm1(#0.3*$0)", lambda a: math.exp(0.3 * min(a, 60)), "exp, log, pow", 0.5),
    Form("@log(#1.3 + @square($0))", lambda a: math.log(1.3 + a * a), "exp, log, pow", 2),
    Form("@log1p(@square($0))", lambda a: math.log1p(a * a), "exp, log, pow", 0.5),
    Form("@log2(#1.5 + @square($0))", lambda a: math.log2(1.5 + a * a), "exp, log, pow", 0.5),
    Form("@log10(#1.5 + @square($0))", lambda a: math.log10(1.5 + a * a), "exp, log, pow", 0.3),
    Form("@pow(#1.1 + @square($0), #0.6)", lambda a: (1.1 + a * a) ** 0.6, "exp, log, pow", 0.8),
    Form("@pow($0, 3)", lambda a: a**3, "exp, log, pow", 0.8),
    Form("@pow(#1.1 + @square($0), @sin($1))", lambda a, b: 1.1 + a * a, "exp, log, pow", 0.8),
    Form("@sqrt(#0.5 + @square($0))", lambda a: math.sqrt(0.5 + a * a), "roots", 2),
    Form("@cbrt(#1.5 + @square($0))", lambda a: (1.5 + a * a) ** (1 / 3), "roots", 0.7),
    Form("@hypot($0, #0.7)", lambda a: a + 0.7, "roots", 0.7),
    Form("@atan($0)", lambda a: 1.6, "inverse trigonometric", 1),
    Form("@atan2($0, #1.5 + @square($1))", lambda a, b: 1.6, "inverse trigonometric", 0.7),
    Form("@asin(#0.7*@sin($0))", lambda a: 0.8, "inverse trigonometric", 0.5),
    Form("@acos(#0.7*@sin($0))", lambda a: 2.4, "inverse trigonometric", 0.5),
    Form("@erf($0)", lambda a: 1, "erf, tgamma, fma", 0.6),
    Form("@erfc($0)", lambda a: 2, "erf, tgamma, fma", 0.3),
    Form("@tgamma(#1.7 + #0.5*@sin($0))", lambda a: 1.2, "erf, tgamma, fma", 0.3),
    Form("@lgamma(#1.7 + @square($0))", lambda a: (1.7 + a * a) ** 1.5, "erf, tgamma, fma", 0.3),
    Form("@fma($0, $1, $2)", lambda a, b, c: a * b + c, "erf, tgamma, fma", 1),
    Form("@fmax($0, $1)", lambda a, b: max(a, b), "fmax, fmin, fabs", 0.7),
    Form("@fmin($0, $1)", lambda a, b: max(a, b), "fmax, fmin, fabs", 0.7),
    Form("@fabs($0)", lambda a: a, "fmax, fmin, fabs", 0.7),
    Form("@copysign($0, $1)", lambda a, b: a, "fmax, fmin, fabs", 0.3),
    Form("(real)(long double)$0", lambda a: a, "conversion", 0.4),
    Form("($0 > $1 ? $2 : $0)", lambda a, b, c: max(a, c), "conditional expression", 1.5),
    Form("($0 > 0 ? @sqrt($0 + #0.1) : $1)", lambda a, b: max(math.sqrt(a + 0.1), b), "guarded expression", 1),
    Form("($0 < #0.9 && $0 > #0.1 ? @log($0) : $1)", lambda a, b: max(2.4, b), "guarded expression", 1),
    Form("($0 != 0 ? @sin($0)/$0 : $1)", lambda a, b: max(1, b), "guarded expression", 0.6),
)
_WEIGHTS = [form.weight for form in FORMS]


@dataclass(slots=True)
class Expressions:
    """Draws expressions. `real`: the program's real type."""

    random: Random
    real: str

    def leaf(self, scope: Scope) -> Expression:
        """A variable, an array element, a field, an integer made real, or a literal."""
        choices: list[tuple[float, Callable[[], Expression]]] = [(0.5, self._literal)]
        names = scope.reals + scope.fixed
        if names:
            choices.append((4, lambda: Expression(self.random.choice(names), (), LIMIT)))
        if scope.arrays:
            choices.append((4, lambda: self.element(self.random.choice(scope.arrays), scope)))
        if scope.structs:
            choices.append((2, lambda: self.field(scope)))
        if scope.counters:
            choices.append((0.7, lambda: self._counter(scope)))
        return self.random.choices([c for _, c in choices], [w for w, _ in choices])[0]()

    def _literal(self) -> Expression:
        value = self.random.randint(2, 15) / 10
        return Expression(f"#{value}", (), value)

    def _counter(self, scope: Scope) -> Expression:
        return Expression(f"#0.1*{self.random.choice(sorted(scope.counters))}", (), 1.0, "integer to real")

    def field(self, scope: Scope) -> Expression:
        name = self.random.choice(scope.structs)
        member = self.random.choice(("x", "y[0]", "y[1]"))
        return Expression(f"{name}{member}", (), LIMIT, "struct")

    def element(self, array: Array, scope: Scope) -> Expression:
        return Expression(f"{array.name}[{self.index(array, scope)}]", (), LIMIT, "array")

    def index(self, array: Array, scope: Scope) -> str:
        """An index within the array: a counter of the same length, or anything small modulo the length."""
        fitting = [name for name, bound in scope.counters.items() if bound == array.length]
        if fitting and self.random.random() < 0.7:
            name = self.random.choice(fitting)
            return name if self.random.random() < 0.75 else f"{array.length} - 1 - {name}"
        integers = [*scope.counters, *scope.small, *(f"{name}[{self._within(scope)}]" for name in scope.indices)]
        if not integers or self.random.random() < 0.15:
            return str(self.random.randint(0, 1))
        chosen = self.random.choice(integers)
        form = self.random.choice(("{0}", "{0} + 1", "2*{0} + 1", "3*{0}", "{0}/2")).format(chosen)
        return f"({form}) % {array.length}"

    def _within(self, scope: Scope) -> str:
        """An index for an integer array of n elements."""
        fitting = [name for name, bound in scope.counters.items() if bound == "n"]
        return self.random.choice(fitting) if fitting else "0"

    def draw(self, scope: Scope, depth: int | None = None) -> Expression:
        """A random expression of at most `depth` levels."""
        if depth is None:
            depth = self.random.choice((1, 2, 2, 3))
        if depth == 0 or self.random.random() < 0.15:
            return self.leaf(scope)
        form = self.random.choices(FORMS, _WEIGHTS)[0]
        parts = tuple(self.draw(scope, depth - 1) for _ in range(form.operands))
        bound = form.bound(*(part.bound for part in parts))
        made = Expression(form.template, parts, bound, form.construct)
        return made if bound < 1e3 else Expression("@tanh($0)", (made,), 1.0)

    def bounded(self, scope: Scope, limit: float = LIMIT, depth: int | None = None) -> Expression:
        """A random expression within ±limit."""
        return within(self.draw(scope, depth), limit)

    def condition(self, scope: Scope) -> Expression:
        """A C condition, on data or on integers."""
        integers = [*scope.counters, *scope.small]
        if integers and self.random.random() < 0.45:
            name = self.random.choice(integers)
            form = self.random.choice(("{0} % 2 == 0", "{0} > 1", "{0} == 1", "({0} & 2) == 0", "{0} != 2"))
            return Expression(form.format(name), (), 1.0, "integer condition")
        a, b = self.draw(scope, 1), self.draw(scope, 0)
        relation = self.random.choice(("<", ">", "<=", ">="))
        if self.random.random() < 0.15:
            joined = self.random.choice(("&&", "||"))
            template = f"$0 {relation} $1 {joined} $1 > #0.2"
        else:
            template = f"$0 {relation} $1"
        return Expression(template, (a, b), 1.0, "data condition")


def within(expression: Expression, limit: float) -> Expression:
    """The expression scaled or squashed into ±limit."""
    if expression.bound <= limit:
        return expression
    factor = math.floor(1000 * limit / expression.bound) / 1000
    if factor >= 0.3:
        return Expression(f"#{factor}*($0)", (expression,), limit)
    if limit >= 1:
        return Expression("@tanh($0)", (expression,), 1.0, "hyperbolic")
    return Expression(f"#{limit}*@sin($0)", (expression,), limit, "sin, cos, tan")
