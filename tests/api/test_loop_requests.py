"""Requests for loops that LLVM could not follow are warnings at their line; those that it followed, and derivatives, have none."""

from __future__ import annotations

import numpy as np

import enzyme_magic as em

C = """double f(double *x, int n) {
  double s = 0;
#pragma clang loop vectorize(enable)
  for (int i = 0; i < n; i++) x[i] = x[i] * 2;
#pragma clang loop vectorize(enable)
  for (int i = 0; i < n && x[i] > 0; i++) s += x[i] * s + x[i];
  return s;
}
"""


def test_a_loop_that_is_not_vectorized_has_a_warning() -> None:
    p = em.compile_c(C, force=True)
    (found,) = p.diagnostics
    assert found.span is not None
    assert (found.severity, found.option, found.span.line) == ("warning", "-Wpass-failed", 6)
    assert found.message.startswith("loop not vectorized: ")
    assert found.span.text == C.splitlines()[5]
    again = em.compile_c(C)
    assert again.diagnostics == p.diagnostics  # from disk, too
    assert p.f.grad(np.ones(3), 3).shape == (3,)
    assert p.diagnostics == again.diagnostics


def test_nobody_is_told_what_nobody_asks() -> None:
    assert em.compile_c(C, compile_args=["-Wno-pass-failed"]).diagnostics == ()
    assert em.compile_c(C.replace("#pragma", "//")).diagnostics == ()
