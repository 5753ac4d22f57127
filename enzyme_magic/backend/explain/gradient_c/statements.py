"""Statements of the C text before they are text: what each reads and writes is known, so that they can be moved and joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from enzyme_magic.backend.explain.gradient_c.lowering import SourceOf
from enzyme_magic.backend.explain.gradient_c.refusal import refuse
from enzyme_magic.backend.ir.values import Value


@dataclass(slots=True, eq=False)
class PlainStatement:
    """One statement. `writes`: the variable it assigns; then `value` is what, and `text` the whole statement (without `;`)."""

    text: str
    reads: frozenset[Value] = frozenset()
    writes: Value | None = None
    value: str = ""
    source: SourceOf | None = None
    declares: bool = False
    ends: bool = False  # break, continue, return, goto: nothing behind it is reached
    jumps: bool = False  # goto
    label: bool = False  # what jumps lead to; `text` is its name


@dataclass(slots=True, eq=False)
class If:
    test: str
    opposite: str
    reads: frozenset[Value]
    then: list[Statement]
    otherwise: list[Statement]
    guard: Value | None = None


@dataclass(slots=True, eq=False)
class LoopStatement:
    """`kind`: "forever", "do", "while", "for". `head`: what stands in the parentheses; of a for loop its test. `set_before`: test
    and step of a for loop whose variable is set before it."""

    kind: Literal["forever", "do", "while", "for"]
    body: list[Statement]
    head: str = ""
    reads: frozenset[Value] = frozenset()
    variable: Value | None = None
    start: str = ""
    step: str = ""
    set_before: tuple[str, str] = ("", "")
    guard: Value | None = None
    declares: bool = False
    source: SourceOf | None = None


Statement = PlainStatement | If | LoopStatement


def mentioned(statement: Statement) -> set[Value]:
    """All variables that a statement reads or writes, inside too."""
    found: set[Value] = set()
    for part in walk([statement]):
        found |= part.reads
        if isinstance(part, PlainStatement) and part.writes is not None:
            found.add(part.writes)
        if isinstance(part, LoopStatement) and part.variable is not None:
            found.add(part.variable)
    return found


def walk(statements: list[Statement]) -> Iterator[Statement]:
    pending = list(reversed(statements))
    while pending:
        statement = pending.pop()
        yield statement
        for inner in reversed(insides(statement)):
            pending.extend(reversed(inner))


def insides(statement: Statement) -> list[list[Statement]]:
    if isinstance(statement, If):
        return [statement.then, statement.otherwise]
    return [statement.body] if isinstance(statement, LoopStatement) else []


def tidy(statements: list[Statement]) -> list[Statement]:
    """The same with assignments of both arms before their `if`, and tests joined with the loops they guard. Innermost first."""
    made: list[Statement] = []
    for statement in statements:
        if isinstance(statement, If):
            statement.then, statement.otherwise = tidy(statement.then), tidy(statement.otherwise)
            made += _tidy_if(statement)
        else:
            if isinstance(statement, LoopStatement):
                statement.body = tidy(statement.body)
                _take_start(made, statement)
            made.append(statement)
    return made


def _take_start(before: list[Statement], loop: LoopStatement) -> None:
    """A `for` sets its variable itself; the assignment before it goes. What it starts from must be as it was there."""
    if loop.kind != "for" or loop.variable is None:
        return
    for index in range(len(before) - 1, -1, -1):
        statement = before[index]
        if isinstance(statement, PlainStatement) and statement.writes is loop.variable:
            del before[index]
            return
        parts = [s for s in walk([statement]) if isinstance(s, PlainStatement)]
        written = {s.writes for s in parts}
        if any(s.label or s.jumps for s in parts):
            loop.head, loop.step = loop.set_before
            loop.reads |= {loop.variable}
            loop.variable = None
            return
        if loop.variable in mentioned(statement) or written & loop.reads:
            break
    raise refuse("what a loop starts from is overwritten before the loop")


def _tidy_if(statement: If) -> list[Statement]:
    if not statement.then and statement.otherwise:
        statement.then, statement.otherwise = statement.otherwise, []
        statement.test, statement.opposite = statement.opposite, statement.test
    before = _hoisted(statement)
    if not statement.then and not statement.otherwise:
        return before
    only = statement.then[0] if len(statement.then) == 1 and not statement.otherwise else None
    if isinstance(only, LoopStatement) and only.kind == "do" and only.head == statement.test:
        only.kind = "while"
        return [*before, only]
    if (
        isinstance(only, LoopStatement)
        and only.kind == "for"
        and only.guard is not None
        and only.guard is statement.guard
    ):
        return [*before, only]
    return [*before, statement]


def _hoisted(statement: If) -> list[Statement]:
    """Assignments that the other arm consists of, where the first arm sets the same variables before it reads them."""
    if not statement.otherwise or not all(_assigns(line) for line in statement.otherwise):
        return []
    moved: list[Statement] = []
    for line in list(statement.otherwise):
        assert isinstance(line, PlainStatement)
        assert line.writes is not None
        first = _first(statement.then, line.writes)
        others = [o for o in statement.otherwise if o is not line]
        if (
            line.writes in statement.reads
            or line.reads
            or first is None
            or any(line.writes in mentioned(o) for o in others)
        ):
            return moved
        statement.otherwise.remove(line)
        same = statement.then[first]
        assert isinstance(same, PlainStatement)
        if same.value == line.value:
            statement.then.remove(same)
        moved.append(line)
    return moved


def _assigns(statement: Statement) -> bool:
    return isinstance(statement, PlainStatement) and statement.writes is not None


def _first(statements: list[Statement], variable: Value) -> int | None:
    """The statement that sets the variable, if nothing before reads it or leads by it."""
    for index, statement in enumerate(statements):
        if _is_passed(statement):
            return None
        if isinstance(statement, PlainStatement) and statement.writes is variable:
            return index if variable not in statement.reads else None
        if variable in mentioned(statement):
            return None
    return None


def _is_passed(statement: Statement, inside: bool = False) -> bool:
    """Whether the program may go on elsewhere than behind a statement, or come to it from elsewhere. inside: of a loop of its own,
    which takes `break` and `continue`."""
    if isinstance(statement, PlainStatement):
        return statement.label or (statement.ends and not (inside and statement.text in ("break", "continue")))
    inside = inside or isinstance(statement, LoopStatement)
    return any(_is_passed(part, inside) for inner in insides(statement) for part in inner)


@dataclass(slots=True, eq=False)
class Declarations:
    """Puts each variable's declaration where C needs it. `declare(variable)` gives the text before an initial value."""

    variables: Sequence[Value]
    found: dict[Value, list[Statement]] = field(default_factory=dict)

    def place(self, statements: list[Statement]) -> dict[int, list[tuple[int, Value]]]:
        """Marks declaring statements; gives by id(list) the variables to declare without a value, with the index to do so at."""
        bare: dict[int, list[tuple[int, Value]]] = {}
        for variable in self.variables:
            self._place(variable, statements, bare)
        return bare

    def _place(self, variable: Value, statements: list[Statement], bare: dict[int, list[tuple[int, Value]]]) -> None:
        while True:
            indices = [k for k, s in enumerate(statements) if variable in mentioned(s)]
            if not indices:
                return
            first = statements[indices[0]]
            if len(indices) == 1 and not isinstance(first, PlainStatement):
                if isinstance(first, LoopStatement) and first.variable is variable:
                    first.declares = True
                    return
                deeper = None if variable in first.reads else self._only(variable, first)
                if deeper is not None:
                    statements = deeper
                    continue
            if isinstance(first, PlainStatement) and first.writes is variable and variable not in first.reads:
                first.declares = True
            else:
                bare.setdefault(id(statements), []).append((indices[0], variable))
            return

    @staticmethod
    def _only(variable: Value, statement: Statement) -> list[Statement] | None:
        inner = [body for body in insides(statement) if any(variable in mentioned(s) for s in body)]
        return inner[0] if len(inner) == 1 else None
