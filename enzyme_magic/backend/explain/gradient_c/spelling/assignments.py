"""Assignments as people write them: `i++`, `s += x`, `d -= 1.0`, where these say what `s = s + x` says."""

from __future__ import annotations

import re

from enzyme_magic.backend.explain.gradient_c.spelling.expressions import Expressions
from enzyme_magic.backend.explain.words.c_operators import TERNARY
from enzyme_magic.backend.ir.instructions import Binary
from enzyme_magic.backend.ir.values import ConstantFloat, ConstantInt, Value

_FLOATING = {"fadd": "+", "fsub": "-", "fmul": "*", "fdiv": "/"}
_WHOLE = {"add": "+", "sub": "-"}
_NEGATIVE = re.compile(r"-[\d.]+\S*")


def assignment(text: Expressions, name: str, i: Value, value: str) -> str:
    """name: of the variable or the place that gets what `i` computes; value: its text."""
    if not isinstance(i, Binary):
        return f"{name} = {value}"
    if i.opcode in _FLOATING:
        text.watch(i)
        return _floating(text, name, i) or f"{name} = {value}"
    exact = i.opcode in _WHOLE and "nsw" in i.flags and text.text(i.operands[0]) == name
    return _whole(text, name, i) if exact else f"{name} = {value}"


def _floating(text: Expressions, name: str, i: Binary) -> str | None:
    sign = _FLOATING[i.opcode]
    left, right = i.operands
    if text.text(left) == name:
        by = text.text(right, TERNARY)
        if i.opcode == "fadd" and isinstance(right, ConstantFloat) and _NEGATIVE.fullmatch(by):
            return f"{name} -= {by[1:]}"  # the same number
        return f"{name} {sign}= {by}"
    if i.opcode in ("fadd", "fmul") and text.text(right) == name:
        return f"{name} {sign}= {text.text(left, TERNARY)}"
    return None


def _whole(text: Expressions, name: str, i: Binary) -> str:
    sign, by = _WHOLE[i.opcode], i.operands[1]
    if i.opcode == "add" and isinstance(by, ConstantInt):
        if abs(by.value) == 1:
            return f"{name}{'++' if by.value == 1 else '--'}"
        return f"{name} {'-' if by.value < 0 else '+'}= {text.text(by).removeprefix('-')}"
    return f"{name} {sign}= {text.text(by, TERNARY)}"
