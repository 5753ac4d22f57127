"""Makes a failing random program small: statements and functions are dropped, blocks unwrapped, expressions replaced by their
parts, as long as the failure stays the same. What has no construct (return, start values) stays. Greedy, largest pieces first;
candidates that do not compile fail differently and are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from .syntax import Expression, Program, Statement

Body = tuple[Statement, ...]


def shrink(program: Program, fails: Callable[[Program], bool], tries: int = 300) -> Program:
    """The smallest program found for which `fails` holds; `fails(program)` must hold."""
    improved = True
    while improved and tries > 0:
        improved, place = False, 0
        candidates = list(_candidates(program))
        while place < len(candidates) and tries > 0:
            tries -= 1
            if fails(candidates[place]):
                program, improved = candidates[place], True
                candidates = list(_candidates(program))
            else:
                place += 1
    return program


def _candidates(program: Program) -> Iterator[Program]:
    functions = program.functions
    for k in range(len(functions) - 1):
        yield replace(program, functions=functions[:k] + functions[k + 1 :])
    for k in range(len(program.tables)):
        yield replace(program, tables=program.tables[:k] + program.tables[k + 1 :])
    for k in range(len(program.supports)):
        yield replace(program, supports=program.supports[:k] + program.supports[k + 1 :])
    for k in reversed(range(len(functions))):
        for body in _bodies(functions[k].body):
            changed = replace(functions[k], body=body)
            yield replace(program, functions=(*functions[:k], changed, *functions[k + 1 :]))


def _bodies(body: Body) -> Iterator[Body]:
    """Every body that is one step smaller."""
    size = len(body)
    while size >= 1:
        for start in range(0, len(body), size):
            kept = tuple(s for s in body[start : start + size] if not s.construct)
            if len(kept) < len(body[start : start + size]):
                yield body[:start] + kept + body[start + size :]
        size //= 2
    for k, statement in enumerate(body):
        before, after = body[:k], body[k + 1 :]
        for inner in statement.bodies:
            yield before + inner + after
        for smaller in _statements(statement):
            yield (*before, smaller, *after)


def _statements(statement: Statement) -> Iterator[Statement]:
    for k, inner in enumerate(statement.bodies):
        for smaller in _bodies(inner):
            yield replace(statement, bodies=(*statement.bodies[:k], smaller, *statement.bodies[k + 1 :]))
    for k, expression in enumerate(statement.expressions):
        for part in _expressions(expression):
            yield replace(statement, expressions=(*statement.expressions[:k], part, *statement.expressions[k + 1 :]))


def _expressions(expression: Expression) -> Iterator[Expression]:
    if expression.template != "#0.5" and expression.template:
        yield Expression("#0.5", (), 0.5)
    yield from expression.parts
    for k, part in enumerate(expression.parts):
        for smaller in _expressions(part):
            yield replace(expression, parts=(*expression.parts[:k], smaller, *expression.parts[k + 1 :]))
