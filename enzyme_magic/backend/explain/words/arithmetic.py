"""Numbers, sums and products as C people write them, where LLVM has another form of the same number.

Invariant: what is written has the same value, bit for bit. Which operands have names of their own is c_text.py's to know.
"""

from __future__ import annotations

import ctypes
import json
import re

from enzyme_magic.backend.explain.words.c_operators import ADDITIVE, COMPARES, MULTIPLICATIVE, UNARY, Text, infix, wrap
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.instructions import Cast, Instruction, Unary
from enzyme_magic.backend.ir.text.print_values import ValueWriter
from enzyme_magic.backend.ir.values import Constant, ConstantFloat, ConstantString, Value

_EXPONENT = re.compile(r"e([+-])0*(\d)")


def added(a: Text, b: Text) -> Text:
    """A sum; what has a minus is subtracted."""
    if b[0].startswith("-") and b[1] >= MULTIPLICATIVE:
        return infix("-", ADDITIVE, a, (_without_brackets(b[0][1:]), MULTIPLICATIVE))
    return infix("+", ADDITIVE, a, b)


def _without_brackets(text: str) -> str:
    """`zi*zi` of `(zi*zi)`: a product that is subtracted needs none."""
    inner = text[1:-1]
    plain = text.startswith("(") and text.endswith(")") and not re.search(r"[()\s]", inner)
    return inner if plain and "*" in inner else text


def opposite(a: Value, b: Value) -> tuple[ConstantFloat | Instruction, Value] | None:
    """Of two factors the one with the minus, a negative constant or a value turned round, and the other one; None where none is."""
    for minus, other in ((a, b), (b, a)):
        if isinstance(other, Constant):
            continue
        if isinstance(minus, ConstantFloat) and number(minus).startswith("-"):
            return minus, other
        if isinstance(minus, Unary) and minus.opcode == "fneg":
            return minus, other
    return None


def multiplied(a: Text, b: Text, second: Value, turned: bool, leading: bool) -> Text:
    """A product. turned: its factors change places. leading: a constant stands before the other factor, as people write it and LLVM
    does not; behind a product, which would need brackets."""
    first = leading and isinstance(second, ConstantFloat) and a[1] != MULTIPLICATIVE
    return infix("*", MULTIPLICATIVE, *((b, a) if turned != first else (a, b)))


def negated(text: Text) -> Text:
    """`-x`, and `-(-x)`: two minus signs would be another operator."""
    inner = wrap(text, UNARY)
    return f"-({inner})" if inner.startswith("-") else f"-{inner}", UNARY


def once(factor: Text, other: Text, turned: bool) -> Text:
    """`2*x`, and `x` instead of `1*x`."""
    if factor[0] == "1":
        return other
    return infix("*", MULTIPLICATIVE, *((other, factor) if turned else (factor, other)))


def converted(value: Value) -> Value | None:
    """What an implicit conversion to a floating type converts."""
    if isinstance(value, Cast) and value.opcode in ("sitofp", "uitofp", "fpext"):
        return value.operands[0]
    return None


_LIMIT = re.compile(r"(.+) ([<>]=?) (-?\d+)$")


def same_test(text: str, written: str, *, whole: bool) -> bool:
    """Whether a comparison is the one that is written, as far as signs tell: LLVM has `n < 1` for `n <= 0`. whole: of integers."""
    if COMPARES.findall(text) == COMPARES.findall(written):
        return not whole or text == written
    a, b = (_LIMIT.match(words) for words in (text, written))
    return whole and a is not None and b is not None and _strict(a) == _strict(b)


def _strict(test: re.Match[str]) -> tuple[str, str, int]:
    """`n <= 0` of integers as `n < 1`."""
    sign, limit = test[2], int(test[3])
    return test[1], sign[0], limit + {"<=": 1, ">=": -1}.get(sign, 0)


def number(constant: ConstantFloat) -> str:
    """As C reads it: `3`, `0.5`, `1e-12`; a float by the shortest number that it is nearest to."""
    try:
        value = constants.float_value(constant)
    except (ValueError, OverflowError):
        return clipped(ValueWriter().text(constant))
    text = repr(value) if str(constant.type) != "float" else _shortest(value)
    text = _EXPONENT.sub(lambda found: f"e{found[1].removeprefix('+')}{found[2]}", text)
    return {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN"}.get(text, text.removesuffix(".0"))


def _shortest(value: float) -> str:
    """By the fewest digits of which the nearest float is `value`, itself a float."""
    candidates = (float(f"{value:.{digits}g}") for digits in range(1, 10))
    return repr(next((found for found in candidates if ctypes.c_float(found).value == value), value))


def clipped(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def string(constant: ConstantString) -> str:
    """As C writes it, cut where it is long."""
    text = constant.data.rstrip(b"\0").decode("utf-8", "replace")
    return json.dumps(clipped(text), ensure_ascii=False)
