"""What is written by whoever thinks in formulas or in Python, and does not compile: a power, a sign that is no sign of C.

Invariant: asked only about an error of clang, at its place; a text that compiles is never judged. It does not repair.
"""

from __future__ import annotations

import re

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
    place, line = error.span, error.span.text
    found = _sign(place, line) or _power(error.message, line, place.column)
    return found or _python(error.message, line) or _open(error)


_FIRST = re.compile(r"\s*(def|import|from)\b")


def _python(message: str, line: str) -> str | None:
    """A line of Python, where clang meets it first."""
    begins = _FIRST.match(line)
    if begins is None or not message.startswith(("unknown type name", "expected")):
        return None
    return (
        "this is Python, and the cell is C: double f(double x) { return x*x; }"
        if begins[1] == "def"
        else ("this is Python, and the cell is C: #include <math.h>")
    )


def undeclared(name: str, error: Diagnostic) -> str | None:
    """A variable that a line assigns as its first thing, as in Python."""
    line = error.span.text if error.span is not None else None
    assigned = line is not None and re.match(rf"\s*{re.escape(name)}\s*=(?!=)", line)
    return f"C has to know its type: double {name} = …" if assigned else None


def _open(error: Diagnostic) -> str | None:
    """What has a beginning and no end."""
    if error.message.startswith("unterminated /* comment"):
        return "end the comment with */"
    begun = next((note.span for note in error.notes if note.message.startswith("to match this '{'")), None)
    if error.message != "expected '}'" or begun is None:
        return None
    return f"a }} is missing: of the {{ at line {begun.line}, or of one behind it"


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
