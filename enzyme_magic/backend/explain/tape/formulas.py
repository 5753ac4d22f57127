"""The byte formulas of a report, with numbers put in: `8*n*(n + 1)//2`, `8*max((n - 1)//3, 0)`.

Invariant: exact integer arithmetic on integers, names, + - * // / (which must come out even), max and min; anything else, such as
"8 × iterations of the loop at line 4", is no formula.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction

_CALLS = {"max": max, "min": min}


def names_of(text: str) -> frozenset[str] | None:
    """The names a formula needs; None when `text` is no formula."""
    tree = _parsed(text)
    if tree is None:
        return None
    return frozenset(n.id for n in ast.walk(tree) if isinstance(n, ast.Name)) - _CALLS.keys()


def value_of(text: str, sizes: Mapping[str, int]) -> int:
    """The value of a formula; ValueError when `text` is none."""
    tree = _parsed(text)
    if tree is None:
        raise ValueError(f"{text!r} is no formula")
    return int(_value(tree, sizes))


def _parsed(text: str) -> ast.expr | None:
    try:
        tree = ast.parse(text.replace("·", "*"), mode="eval").body
    except SyntaxError:
        return None
    return tree if _is_formula(tree) else None


def _is_formula(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        operators = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv)
        return isinstance(node.op, operators) and _is_formula(node.left) and _is_formula(node.right)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_formula(node.operand)
    if isinstance(node, ast.Call):
        known = isinstance(node.func, ast.Name) and node.func.id in _CALLS and not node.keywords
        return known and bool(node.args) and all(map(_is_formula, node.args))
    return isinstance(node, ast.Name) or (isinstance(node, ast.Constant) and type(node.value) is int)


def _value(node: ast.expr, sizes: Mapping[str, int]) -> Fraction:
    if isinstance(node, ast.BinOp):
        a, b = _value(node.left, sizes), _value(node.right, sizes)
        if isinstance(node.op, ast.Add):
            return a + b
        if isinstance(node.op, ast.Sub):
            return a - b
        if isinstance(node.op, ast.Mult):
            return a * b
        return Fraction(a // b) if isinstance(node.op, ast.FloorDiv) else a / b
    if isinstance(node, ast.UnaryOp):
        return -_value(node.operand, sizes)
    if isinstance(node, ast.Call):
        assert isinstance(node.func, ast.Name)
        return _CALLS[node.func.id](_value(argument, sizes) for argument in node.args)
    if isinstance(node, ast.Name):
        return Fraction(sizes[node.id])
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, int)
    return Fraction(node.value)
