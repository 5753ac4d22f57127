"""What is written by whoever thinks in formulas or in Python, and does not compile: a power, a sign that is no sign of C.

Invariant: asked only about an error of clang, at its place; a text that compiles is never judged. It does not repair.
"""

from __future__ import annotations

from enzyme_magic.errors import Diagnostic, Span

_POWER = "C has no sign for powers: x*x, or pow(x, 2)"
_SIGNS = {
    **dict.fromkeys("·⋅×∙", "*"),
    **dict.fromkeys("−–—", "-"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’", "'"),
    "÷": "/",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "²": "a product, as x*x",
    "³": "a product, as x*x*x",
}


def hint(error: Diagnostic) -> str | None:
    """The smallest repair, where the error is such a slip."""
    if error.span is None or error.span.text is None:
        return None
    return _sign(error.span, error.span.text) or _power(error.message, error.span.text, error.span.column)


def _sign(span: Span, line: str) -> str | None:
    """Of a character of the place that the error marks: `·` may stand in a name, so y·dx is one."""
    end = span.end_column or span.column + 1
    found = next((sign for sign in line[span.column - 1 : end - 1] if sign in _SIGNS), None)
    return f"in C, {found} is written as {_SIGNS[found]}" if found else None


def _power(message: str, line: str, column: int) -> str | None:
    """`x^2` of floating numbers, and `x**2`: to C the second star reads what a pointer points to."""
    if message.startswith("invalid operands to binary expression") and line[column - 1 : column] == "^":
        return _POWER
    stars = line[max(column - 2, 0) : column]
    return _POWER if message.startswith("indirection requires pointer operand") and stars == "**" else None
