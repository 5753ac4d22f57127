"""Which functions are called from where no call is seen."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.analysis.calls.callbacks import called_unseen
from enzyme_magic.backend.ir.text import parser

HEAD = """
@table = internal global [2 x ptr] [ptr @one, ptr @two]
declare void @qsort(ptr, i64, i64, ptr)
declare double @sin(double)
declare void @unknown(ptr)
define internal i32 @one(ptr %a, ptr %b) {
  ret i32 0
}
define internal void @two(ptr %a) {
  ret void
}
define internal void @three(ptr %a) {
  ret void
}
"""
FOUND = {
    "%s = call double @sin(double 1.0)": set(),
    "call void @three(ptr %p)": set(),
    "call void @qsort(ptr %p, i64 4, i64 8, ptr @one)": {"one"},
    "call void @qsort(ptr %p, i64 4, i64 8, ptr %q)": {"one", "two"},
    "call void @unknown(ptr %p)": {"one", "two"},
    "call void %q(ptr %p)": {"two"},
}


@pytest.mark.parametrize("call", FOUND)
def test_who_may_be_called(call: str) -> None:
    module = parser.parse(HEAD + f"define void @f(ptr %p, ptr %q) {{\n  {call}\n  ret void\n}}\n")
    assert {f.name for f in called_unseen(module)} == FOUND[call]
