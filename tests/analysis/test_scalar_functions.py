"""What a function makes of integers alone, on printed IR of a few lines."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.analysis.calls.scalar_functions import ScalarFunction, summary
from enzyme_magic.backend.ir.text import parser

MOVES = {
    "define i32 @f(i32 %a, i32 %b) {\n %c = icmp slt i32 %a, %b\n %r = select i1 %c, i32 %a, i32 %b\n ret i32 %r\n}": (
        {0, 1},
        False,
    ),
    "define i32 @f(i32 %a, i32 %b) {\n %r = add i32 %a, %b\n ret i32 %r\n}": (set(), True),
    "define i8 @f(i32 %a) {\n %r = trunc i32 %a to i8\n ret i8 %r\n}": ({0}, False),
    "define i8 @f(i8 %a, i8 %b) {\n %x = sext i8 %a to i32\n %y = sext i8 %b to i32\n %s = mul i32 %x, %y\n"
    " %r = trunc i32 %s to i8\n ret i8 %r\n}": (set(), True),
    "define i64 @f(i64 %a, i64 %b) {\n %r = shl i64 %a, %b\n ret i64 %r\n}": (set(), True),
    "define i32 @f(i32 %a) {\n ret i32 7\n}": (set(), False),
}
NOT = [
    "define i64 @f(i32 %a) {\n %r = zext i32 %a to i64\n ret i64 %r\n}",  # a part of the result is the parameter
    "define i64 @f(i64 %a) {\n %r = shl i64 %a, 32\n ret i64 %r\n}",  # moves bytes to another place
    "define i64 @f(i64 %a, i64 %b) {\n %r = or i64 %a, %b\n ret i64 %r\n}",
    "define i64 @f(i64 %a, i64 %b) {\n %h = shl i64 %b, 32\n %r = add i64 %a, %h\n ret i64 %r\n}",  # the low bytes are those of %a
    "define i32 @f(ptr %p) {\n %r = load i32, ptr %p\n ret i32 %r\n}",
    "define i64 @f(double %x) {\n %r = bitcast double %x to i64\n ret i64 %r\n}",
    "declare i32 @f(i32)",
]


@pytest.mark.parametrize("text", MOVES)
def test_what_is_moved_and_what_is_computed(text: str) -> None:
    moved, computes = MOVES[text]
    assert summary(parser.parse(text).functions["f"]) == ScalarFunction(frozenset(moved), computes)


@pytest.mark.parametrize("text", NOT)
def test_what_is_not_of_this_kind(text: str) -> None:
    assert summary(parser.parse(text).functions["f"]) is None
