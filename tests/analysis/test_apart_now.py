"""Two accesses of one block: do they touch different bytes in each iteration?"""

from __future__ import annotations

import pytest

from enzyme_magic.backend.ir.instructions import Load, Store

from .small_ir import analysed

LOOP = """define double @f(ptr noalias %a, ptr noalias %b, ptr %c, ptr %d, i64 %n, i64 %m) {{
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %w = phi ptr [ %c, %entry ], [ %moved, %loop ]
  {addresses}
  %v = load double, ptr %p
  store double %v, ptr %q
  %moved = getelementptr double, ptr %w, i64 %m
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret double 0.0
}}"""
A_I, B_I = "%p = getelementptr double, ptr %a, i64 %i", "%q = getelementptr double, ptr %b, i64 %i"
APART = {
    "other arrays": f"{A_I}\n  {B_I}",
    "the next element": f"{A_I}\n  %k = add i64 %i, 1\n  %q = getelementptr double, ptr %a, i64 %k",
    "beside a pointer that moves": "%p = getelementptr i8, ptr %w, i64 0\n  %q = getelementptr i8, ptr %w, i64 8",
}
PERHAPS = {
    "as far as the loop goes": f"{A_I}\n  %k = add i64 %i, %n\n  %q = getelementptr double, ptr %a, i64 %k",
    "the same": f"{A_I}\n  %q = getelementptr double, ptr %a, i64 %i",
    "a part of it": f"{A_I}\n  %q = getelementptr i8, ptr %p, i64 4",
    "an unknown number further": f"{A_I}\n  %k = add i64 %i, %m\n  %q = getelementptr double, ptr %a, i64 %k",
    "arrays that may be one": "%p = getelementptr double, ptr %c, i64 %i\n  %q = getelementptr double, ptr %d, i64 %i",
    "a pointer that moves, and where it began": "%p = getelementptr i8, ptr %w, i64 0\n  %q = getelementptr double, ptr %c, i64 %i",
}


@pytest.mark.parametrize(
    ("addresses", "apart"),
    [*((a, True) for a in APART.values()), *((a, False) for a in PERHAPS.values())],
    ids=[*APART, *PERHAPS],
)
def test_accesses_of_one_iteration(addresses: str, apart: bool) -> None:
    found = analysed(LOOP.format(addresses=addresses))
    load = found.instruction("v")
    assert isinstance(load, Load)
    assert load.parent is not None
    store = next(i for i in load.parent.instructions if isinstance(i, Store))
    alias = found.subject.alias
    assert alias.apart_now(load, store) == alias.apart_now(store, load) == apart
