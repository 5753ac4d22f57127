"""The page of all derivative rules and of what they give at edge points, from the registry that the compiler uses."""

from __future__ import annotations

import math
from collections.abc import Iterable

import markdown

from enzyme_magic.backend.library import libc
from enzyme_magic.backend.rules import inactive
from enzyme_magic.backend.rules.formulas import complex_arithmetic, complex_functions
from enzyme_magic.backend.rules.registry import _FAMILIES
from enzyme_magic.backend.rules.rule import EdgePoint, Rule

TITLES = {
    "casts": "Conversions",
    "powers": "Powers and roots",
    "exponential": "Exponentials and logarithms",
    "trigonometric": "Circular functions",
    "hyperbolic": "Hyperbolic functions",
    "special": "Special functions",
    "extrema": "Maximum, minimum, absolute value",
}
INTRODUCTION = """# Derivative rules

One entry for each operation: forward and reverse mode both follow from it. Vectors follow element by element, `float`,
`double` and `long double` share a rule. Where a derivative does not exist, or is a convention, the second
table says what you get and why; the tests read the same entries. The policy behind them is in [](api.md#edge-points).
"""


def page() -> str:
    parts = [INTRODUCTION]
    for family in _FAMILIES:
        name = family.__name__.rpartition(".")[2]
        parts.append(f"## {TITLES.get(name, name.capitalize())}\n")
        parts.append(formulas(family.RULES))
        edges = [(rule, edge) for rule in family.RULES for edge in rule.edges]
        if edges:
            parts.append("At edge points:\n")
            parts.append(at_edges(edges))
    complex_rules = [*complex_arithmetic.BY_OPERATION.values(), *complex_functions.BY_OPERATION.values()]
    parts += ["## Complex numbers\n", markdown.prose(complex_functions.__doc__), formulas(complex_rules), without()]
    return "\n".join(parts)


def formulas(rules: Iterable[Rule]) -> str:
    return markdown.table(("operation", "derivative"), ((markdown.code(r.operation), formula(r)) for r in rules))


def formula(rule: Rule) -> str:
    return "none: " + markdown.escape(rule.formula) if rule.is_inactive else markdown.code(rule.formula)


def at_edges(edges: Iterable[tuple[Rule, EdgePoint]]) -> str:
    rows = (
        (markdown.code(call(rule, edge)), markdown.code(slopes(edge)), markdown.escape(edge.why))
        for rule, edge in edges
    )
    return markdown.table(("at", "derivative by each operand", "why"), rows)


def call(rule: Rule, edge: EdgePoint) -> str:
    result = f", result {edge.result}" if edge.result else ""
    return f"{rule.operation}({', '.join(map(number, edge.at))}){result}"


def slopes(edge: EdgePoint) -> str:
    return ", ".join("any" if slope is None else number(slope) for slope in edge.partials)


def number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.6g}"


def without() -> str:
    """Functions through which no derivative flows."""
    rows = (
        (why, ", ".join(markdown.code(name) for name in sorted(libc.names()) if inactive.reason(name) == why))
        for why in libc.INACTIVE.values()
    )
    return (
        "## Functions of the C library without derivatives\n\nA name counts only where the program does not define the function "
        "itself.\n\n" + markdown.table(("why", "functions"), rows)
    )
