"""Metadata of a format that is not read says nothing: what is overwritten is kept, whatever its tags look like."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

SOURCE = """
define double @f(ptr %p) {
  %x = load double, ptr %p, align 8, !tbaa !1
  %square = fmul double %x, %x
  %cube = fmul double %square, %x
  store double %cube, ptr %p, align 8, !tbaa !1
  %again = load double, ptr %p, align 8, !tbaa !1
  %r = fmul double %again, %x
  ret double %r
}
"""
NAMED_FIRST = """
!1 = !{!2, !2, i64 0}
!2 = !{!"double", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
"""
SIZED = """
!1 = !{!2, !2, i64 0, i64 8}
!2 = !{!3, i64 8, !"double"}
!3 = !{!4, i64 1, !"omnipotent char"}
!4 = !{!"Simple C/C++ TBAA"}
"""


@pytest.mark.parametrize("tags", [NAMED_FIRST, SIZED], ids=["named first", "sized"])
@pytest.mark.parametrize("opt", [0, 2])
def test_overwritten_values_are_kept(tags: str, opt: int) -> None:
    program = em.compile(SOURCE + tags, language="ir", opt=opt)
    assert program.f.grad(np.array([1.5])) == [13.5]
