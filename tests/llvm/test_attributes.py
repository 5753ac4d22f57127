"""Generated functions keep what says how values are passed and what arithmetic means, and no promise."""

import pytest

from enzyme_magic.backend.llvm import attributes, binding

GENERATED = """
define weak_odr noundef nonnull ptr @generated(ptr noalias noundef readonly align 8 captures(none) dereferenceable(8) initializes((0, 16)) %readonly, i8 noundef signext %x, ...) local_unnamed_addr #0 section "a #0" align 16 personality ptr @personality {
  %r = call noundef double @primal(ptr readonly @generated, double noundef 1.0) #0, !tbaa !1
  %s = tail call noundef range(i32 0, 4) i32 @second(ptr readonly @generated, double noundef 1.0) #0, !tbaa !1
  %t = tail call noundef i32 @second(ptr captures(address, read_provenance) %readonly, double noundef 1.0) nounwind memory(read, argmem: none) "x"="y" [ "deopt"(i32 1) ], !tbaa !1
  %u = invoke noundef i32 @second(ptr null, double noundef 1.0) nounwind memory(none) to label %a unwind label %b
a:
  ret ptr null
b:
  %l = landingpad i32 cleanup
  ret ptr null
}
declare i32 @personality(...)
declare noundef double @primal(ptr noundef, double)
declare noundef range(i32 0, 4) i32 @second(ptr noundef, double noundef) #0
attributes #0 = { noinline memory(none) strictfp "denormal-fp-math"="ieee" "no-trapping-math"="true" "target-cpu"="x" }
!1 = !{!2, !2, i64 0}
!2 = !{!"double", !3, i64 0}
!3 = !{!"x"}
"""  # noqa: E501
KEPT = 'noinline strictfp "denormal-fp-math"="ieee" "no-trapping-math"="true"'


@pytest.fixture(scope="module")
def stripped():
    text = attributes.strip_generated(GENERATED, {"generated", "second"})
    binding.verify(text)
    return text.split("\n")


def starting(lines, words):
    (found,) = [line.strip() for line in lines if line.strip().startswith(words)]
    return found


def test_definitions_and_declarations(stripped):
    assert starting(stripped, "define") == (
        "define weak_odr ptr @generated(ptr noalias align 8 %readonly, i8 signext %x, ...) local_unnamed_addr "
        f'{KEPT} section "a #0" align 16 personality ptr @personality {{'
    )
    assert starting(stripped, "declare i32 @second") == f"declare i32 @second(ptr, double) {KEPT}"


def test_calls_promise_nothing_and_may_see_the_stack(stripped):
    assert starting(stripped, "%s") == "%s = call i32 @second(ptr @generated, double 1.0), !tbaa !1"
    assert starting(stripped, "%t") == '%t = call i32 @second(ptr %readonly, double 1.0) [ "deopt"(i32 1) ], !tbaa !1'
    assert starting(stripped, "%u") == "%u = invoke i32 @second(ptr null, double 1.0) to label %a unwind label %b"


def test_other_functions_keep_their_promises(stripped):
    assert starting(stripped, "%r").endswith("@primal(ptr readonly @generated, double noundef 1.0) #0, !tbaa !1")
    assert starting(stripped, "declare noundef double @primal") == "declare noundef double @primal(ptr noundef, double)"


def test_stripping_twice_changes_nothing(stripped):
    text = "\n".join(stripped)
    assert attributes.strip_generated(text, {"generated", "second"}) == text


def test_must_tail_stays():
    text = "define double @f(double %x) {\n  %r = musttail call double @f(double %x)\n  ret double %r\n}\n"
    assert "musttail call" in attributes.strip_generated(text, {"f"})
