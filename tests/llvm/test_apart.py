"""LLVM's work in another process: which texts go there, that it is the same work, and how it ends."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.llvm import optimize
from enzyme_magic.backend.llvm.apart import quick, worker
from enzyme_magic.backend.llvm.objects import codegen
from enzyme_magic.errors import InternalError, ToolchainError, UnsupportedIRError

SUM = "double f(int n, const double x[n]) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i] + s; return s; }"


def chain(levels: int) -> str:
    """C of a few lines whose function f has 2 to the power of `levels` operations once it is inlined."""
    always = "static inline __attribute__((always_inline)) double"
    calls = (f"{always} g{k + 1}(double x) {{ return g{k}(x) * g{k}(x + {k}); }}" for k in range(levels))
    return "\n".join(
        [f"{always} g0(double x) {{ return x; }}", *calls, f"double f(double x) {{ return g{levels}(x); }}"]
    )


def test_what_must_be_inlined_counts(clang) -> None:
    assert quick.is_quick(clang(chain(4)))
    assert not quick.is_quick(clang(chain(20)))
    assert not quick.is_quick("; " + "x" * quick.LARGE)
    groups = "define double @f() #0 {\n  %r = call double @f()\n  ret double %r\n}\nattributes #0 = { alwaysinline }\n"
    assert not quick.is_quick(groups)


def test_the_worker_does_the_same(clang, monkeypatch) -> None:
    text = clang(SUM)
    made = []
    for large in (quick.LARGE, 0):
        monkeypatch.setattr(quick, "LARGE", large)
        assert worker.wanted(text) == (large == 0)
        before = optimize.pre_ad(text, 2, {"f"})
        after = optimize.post_ad(before, 3, exports=["f"])
        shown = optimize.readable(before, ["f"])
        made.append((before, after, shown, optimize.promote(text), codegen.compile_object(after, 3)))
    assert made[0] == made[1]
    assert em.compile_c(SUM, force=True).f.grad(np.ones(2)).tolist() == [4.0, 2.0]


def test_errors_come_from_there_as_they_are(monkeypatch) -> None:
    monkeypatch.setattr(quick, "LARGE", 0)
    with pytest.raises(InternalError, match="EM910"):
        optimize.pre_ad("define double @f() {\n  ret double %x\n}\n", 2)
    with pytest.raises(UnsupportedIRError, match="EM121"):
        optimize.pre_ad("@t = thread_local global i32 0\n", 2)


def test_a_limit_ends_the_worker_and_the_next_text_has_another(clang, monkeypatch) -> None:
    text = clang(chain(24))
    with monkeypatch.context() as patch:
        patch.setattr(worker, "SECONDS", 0.5)
        with pytest.raises(ToolchainError, match="LLVM did not finish") as caught:
            optimize.pre_ad(text, 2, {"f"})
    assert caught.value.code == "EM125"
    assert worker._workers == []
    monkeypatch.setattr(quick, "LARGE", 0)
    assert "fmul" in optimize.pre_ad(clang(chain(2)), 2, {"f"})


def test_one_that_had_much_memory_is_not_kept(clang, monkeypatch) -> None:
    monkeypatch.setattr(quick, "LARGE", 0)
    monkeypatch.setattr(worker, "_LARGEST", 0)
    assert "fmul" in optimize.pre_ad(clang(chain(2)), 2, {"f"})
    assert worker._workers == []


WIDE = (
    "typedef double v __attribute__((vector_size(1 << 16))); double f(double x) { v a = {x}; a = a * a; return a[0]; }"
)


def test_operations_of_thousands_of_parts_are_not_quick(clang) -> None:
    assert not quick.is_quick(clang(WIDE))
    assert not quick.is_quick(clang("int f(int k) { unsigned _BitInt(9000) a = k; return a * a; }"))
    assert quick.is_quick("define i64 @f(i64 %i1000) {\n  %i2000 = add i64 %i1000, 1\n  ret i64 %i2000\n}\n")


ASKED = """double f(double x) {
  double s = 0;
  #pragma clang loop vectorize(enable)
  for (int i = 0; i < (int)x; i++) { if (s > 5) break; s += x * i; }
  return s;
}"""
REPORTED = """__attribute__((warning("hm"), noinline)) static void g(volatile int *p) { *p = 1; }
double f(double x) { volatile int k; g(&k); return x * x; }"""


@pytest.mark.parametrize(("text", "gradient"), [(ASKED, 3.0), (REPORTED, 6.0)])
def test_llvm_writes_nothing_to_stderr(text: str, gradient: float, capfd: pytest.CaptureFixture[str]) -> None:
    p = em.compile_c(text, force=True)
    assert p.f.grad(3.0) == gradient
    assert capfd.readouterr().err == ""


ENDS = {
    "error": ('__attribute__((error("never"))) void g(void); double f(double x) { g(); return x * x; }', "never"),
    "section": (
        '__attribute__((section(".bss"))) double q = 1; double f(double x) { return x * x * q; }',
        "BSS section",
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_what_would_end_this_process_is_an_error(name: str) -> None:
    text, words = ENDS[name]
    with pytest.raises(ToolchainError, match=words) as caught:
        em.compile_c(text, force=True).f.grad(3.0)
    assert caught.value.code == "EM125"
