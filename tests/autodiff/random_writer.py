"""What the writers of random statements share: a source of chance, names, the expressions, and the block under construction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from .random_expressions import Array, Expressions, Scope
from .syntax import Statement

Body = tuple[Statement, ...]
LENGTH = 6  # elements of every array parameter, and the value of n


@dataclass(frozen=True, slots=True)
class Helper:
    """A function that can be called; `kind` says how."""

    kind: str
    name: str
    inlined: bool


@dataclass(slots=True)
class Writer:
    """Writes one program."""

    random: Random
    name: str
    real: str
    expressions: Expressions
    simple: list[Maker]
    nested: list[Maker]
    helpers: list[Helper] = field(default_factory=list)
    names: Counter[str] = field(default_factory=Counter)
    returns: bool = False  # the function being written returns a real
    tables: list[str] = field(default_factory=list)  # global arrays
    supports: list[str] = field(default_factory=list)  # types and functions as C text, before all functions

    def fresh(self, stem: str) -> str:
        """A name not used before in the program."""
        self.names[stem] += 1
        return f"{stem}{self.names[stem]}"

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # Blocks

    def block(self, scope: Scope, count: int, depth: int) -> Body:
        """About `count` statements; declarations stay visible until its end."""
        statements: list[Statement] = []
        for _ in range(count):
            statements += self.statement(scope, depth)
        return tuple(statements)

    def statement(self, scope: Scope, depth: int) -> list[Statement]:
        makers = list(self.simple)
        if depth > 0:
            makers += self.nested
        makers = [m for m in makers if m.needs(self, scope)]
        chosen = self.random.choices(makers, [m.weight for m in makers])[0]
        return chosen.make(self, scope, depth)

    def small_block(self, scope: Scope, depth: int) -> Body:
        return self.block(scope, self.random.choice((1, 1, 2, 3)), depth - 1)

    # Parts

    def target(self, scope: Scope) -> str:
        """Something that can be assigned: a variable, an element, a field."""
        places: list[str] = list(scope.reals)
        writable = [a for a in scope.arrays if a.writable]
        if writable:
            array = self.random.choice(writable)
            places += [f"{array.name}[{self.expressions.index(array, scope)}]"] * (1 + len(places))
        if scope.structs:
            places.append(self.expressions.field(scope).template)
        return self.random.choice(places)

    def array(self, scope: Scope, writable: bool = True) -> Array:
        return self.random.choice([a for a in scope.arrays if a.writable or not writable])


@dataclass(frozen=True, slots=True)
class Maker:
    """A kind of statement: `make` writes one (and what must come before it), `needs` says whether the scope allows it."""

    make: Callable[[Writer, Scope, int], list[Statement]]
    weight: float
    needs: Callable[[Writer, Scope], bool] = lambda w, s: True


def has_writable_array(w: Writer, s: Scope) -> bool:
    return any(a.writable for a in s.arrays)
