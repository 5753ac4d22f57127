"""Signatures of LLVM IR text."""

from __future__ import annotations

from enzyme_magic.backend.frontend.ir_text import unit
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.llvm import binding

TEXT = """
define double @f(double %x, i32 %k, ptr %p) {
  ret double %x
}
define i1 @flag(i1 %b, float %y, x86_fp80 %z, i64 %n) {
  ret i1 %b
}
define void @nothing() {
  ret void
}
define {double, double} @pair(double %x) {
  ret {double, double} zeroinitializer
}
define internal double @hidden(double %x) {
  ret double %x
}
define <4 x double> @vector(<4 x double> %v) {
  ret <4 x double> %v
}
"""


def test_signatures_from_the_types():
    made = unit([binding.canonical(TEXT)], [Source(TEXT, "ir")])
    assert str(made.signatures["f"]) == "f(double x, int k, void *p) -> double"
    assert str(made.signatures["flag"]) == "flag(_Bool b, float y, long double z, long n) -> _Bool"
    assert str(made.signatures["nothing"]) == "nothing() -> void"
    assert made.signatures["hidden"].static
    assert "pair" not in made.signatures
    assert [note.split(" ")[0] for note in made.notes] == ["pair", "vector"]
    assert made.entries == ()
