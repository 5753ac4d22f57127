"""One extent of a C array parameter: integer arithmetic over integer parameters (`n`, `2*n + 1`, `n*(n+1)/2`).

Invariant: it is read with C's integer arithmetic; what cannot be read is no extent, never a wrong one. It knows no arrays: see
runtime/values/extents.py for what a call is given, and passes/bounds.py for what C touches.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

Sizes = Mapping[str, int]
_LONGEST, _DEEPEST = 4000, 100  # characters, operations in each other: so that it is evaluated wherever it is read


@dataclass(frozen=True, slots=True)
class Extent:
    """One dimension. `text` as in C; `names` are the parameters it is made of; `bare` is the name where it is nothing else."""

    text: str
    tree: ast.expr
    names: frozenset[str]
    bare: str | None = None

    def value(self, sizes: Sizes) -> int:
        if self.bare is not None:
            return sizes[self.bare]
        return _evaluate(self.tree, sizes)


@cache
def parse(text: str) -> Extent | None:
    """The extent `text` of a declarator (`static n` included); None when it is not plain integer arithmetic."""
    words = [word for word in text.split() if word not in ("static", "const", "restrict", "volatile")]
    spelled = " ".join(words)
    if len(spelled) > _LONGEST:
        return None
    try:
        tree = ast.parse(spelled, mode="eval").body
        if not _is_arithmetic(tree):
            return None
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two: nested too deeply for Python
        return None
    names = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    return Extent(spelled, tree, names, tree.id if isinstance(tree, ast.Name) else None)


def split(text: str) -> tuple[str, ...]:
    """`n, m` as extents; commas inside parentheses belong to the expression."""
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return tuple(part.strip() for part in parts)


_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.LShift, ast.RShift)


def _is_arithmetic(node: ast.expr, depth: int = 0) -> bool:
    if depth > _DEEPEST:
        return False
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        return isinstance(node.op, _OPERATORS) and all(_is_arithmetic(side, depth + 1) for side in sides)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, (ast.USub, ast.UAdd)) and _is_arithmetic(node.operand, depth + 1)
    return isinstance(node, ast.Name) or (isinstance(node, ast.Constant) and type(node.value) is int)


def _evaluate(node: ast.expr, sizes: Sizes) -> int:
    if isinstance(node, ast.BinOp):
        return _apply(node.op, _evaluate(node.left, sizes), _evaluate(node.right, sizes))
    if isinstance(node, ast.UnaryOp):
        value = _evaluate(node.operand, sizes)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.Name):
        return sizes[node.id]
    assert isinstance(node, ast.Constant)
    return int(node.value)  # type: ignore[arg-type]


def _apply(operator: ast.operator, a: int, b: int) -> int:
    if isinstance(operator, (ast.Div, ast.Mod)):
        quotient = _divided(a, b)
        return quotient if isinstance(operator, ast.Div) else a - b * quotient
    if isinstance(operator, ast.Add):
        return a + b
    if isinstance(operator, ast.Sub):
        return a - b
    if isinstance(operator, ast.Mult):
        return a * b
    if not 0 <= b < 64:
        return 0
    return a << b if isinstance(operator, ast.LShift) else a >> b


def _divided(a: int, b: int) -> int:
    """Towards zero, as C divides. Symbols of frameworks know no abs()."""
    if b == 0:
        return 0
    if a >= 0 and b > 0:
        return a // b
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
