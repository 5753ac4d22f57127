"""Byte formulas of the cache plan ("8*n*(n+1)/2"): shown to people, and evaluated at an example size.

Invariant: only integers, names, + - * / // ** and min, max are read; anything else is shown as it stands and has no value.
Nothing is executed. Units: bytes, kB = 1000 B.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

EXAMPLE = 1000  # the size pictures assume for every name of a formula
_COUNTED = ("iterations of ", "tests of ")  # what terms begin with that the call itself counts
_MOST = re.compile(r" \(at most (\d+)\)$")
_LONGEST = 400
_LARGEST_POWER = 8

_BINARY: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: lambda a, b: Fraction(a // b),
}


def _parse(formula: str) -> ast.expr | None:
    if not formula or len(formula) > _LONGEST:
        return None
    try:
        return ast.parse(formula.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def names(formula: str) -> tuple[str, ...]:
    """The parameters a formula speaks of, in order of appearance."""
    tree = _parse(formula)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Name)] if tree else []
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    return tuple(dict.fromkeys(node.id for node in found if node.id not in ("min", "max")))


def value(formula: str, size: int = EXAMPLE) -> float | None:
    """The formula with every name = `size`; None where it cannot be read."""
    tree = _parse(formula)
    if tree is None:
        return None
    try:
        return float(_evaluate(tree, size))
    except (ValueError, ZeroDivisionError, OverflowError, RecursionError):
        return None


def _evaluate(node: ast.expr, size: int) -> Fraction:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return Fraction(number)
        case ast.Name():
            return Fraction(size)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_evaluate(inner, size)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)) if (
            0 <= power <= _LARGEST_POWER
        ):
            return _evaluate(left, size) ** power
        case ast.BinOp(left=left, op=operation, right=right) if type(operation) in _BINARY:
            return _BINARY[type(operation)](_evaluate(left, size), _evaluate(right, size))
        case ast.Call(func=ast.Name(id="min" | "max" as function), args=[_, *_] as arguments, keywords=[]):
            parts = [_evaluate(part, size) for part in arguments]
            return min(parts) if function == "min" else max(parts)
    raise ValueError(f"not an arithmetic formula: {ast.dump(node)[:40]}")


def pretty(formula: str) -> str:
    """ "8*n" as people write it: "8·n"."""
    return formula.replace(" * ", "·").replace("*", "·") if "**" not in formula else formula


def human(size: float) -> str:
    """Bytes for people: "0 B", "24 B", "8.0 kB", "1.2 MB"."""
    if size < 1000:
        return f"{size:.0f} B"
    for unit in ("kB", "MB", "GB", "TB"):
        size /= 1000
        if size < 1000:
            return f"{size:.1f} {unit}"
    return f"{size / 1000:.1f} PB"


def _in_words(formula: str) -> str:
    """ "8·n B + 8 B × iterations of the loop at line 4": a formula of which a part is known after the call only."""
    terms = [term.partition(" × ") for term in formula.split(" + ")]
    known = [number for number, times, _ in terms if not times and not number.startswith(_COUNTED)]
    counted = [
        f"{number} B × {what}" if times else f"1 B × {number}"
        for number, times, what in terms
        if times or number.startswith(_COUNTED)
    ]
    return " + ".join(([f"{pretty(' + '.join(known))} B"] if known else []) + counted)


def with_counts(formula: str, size: int = EXAMPLE) -> str:
    """What a formula with loops that count themselves comes to where each name and each such count is `size`: "16 GB where n, k and
    the counts of 2 other loops are 1000"; where a loop has a largest number, that is taken: "at most 800 B, with 50 iterations
    of the loop at line 5". "" for any other formula."""
    if not any(words in formula for words in _COUNTED):
        return ""
    parts = [term.partition(" × ") for term in formula.split(" + ")]
    counted = [(number, what or number) for number, _, what in parts if (what or number).startswith(_COUNTED)]
    known = " + ".join(number for number, times, _ in parts if not times and not number.startswith(_COUNTED))
    first = value(known, size) if known else 0.0
    if first is None or not all(number.isdigit() or number == what for number, what in counted):
        return ""
    sizes = {what: min(size, int(most[1])) if (most := _MOST.search(what)) else size for _, what in counted}
    amount = first + sum((int(number) if number.isdigit() else 1) * sizes[what] for number, what in counted)
    free = [what for what in sizes if not _MOST.search(what)]
    loops = [f"the {free[0]}"] if len(free) == 1 else [f"the counts of {len(free)} other loops"] if free else []
    said = _listed([*names(known), *loops])
    least = [f"{count} {_MOST.sub('', what)}" for what, count in sizes.items() if what not in free]
    if not said:
        return f"at most {human(amount)}, with {_listed(least)}"
    at = f"{human(amount)} where {said} {'are' if loops or len(names(known)) > 1 else 'is'} {size}"
    return f"{at}, with {_listed(least)} at most" if least else at


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def bytes_text(formula: str, size: int = EXAMPLE) -> str:
    """ "8·n B = 8.0 kB at n = 1000"; "24 B" for a constant; the bare formula where it has no value."""
    amount = value(formula, size)
    if amount is None:
        return _in_words(formula) if formula else "size unknown"
    free = names(formula)
    if not free:
        return human(amount)
    at = ", ".join(f"{name} = {size}" for name in free)
    return f"{pretty(formula)} B = {human(amount)} at {at}"
