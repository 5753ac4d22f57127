"""Code for a level of x86-64: the IR is the level's, the numbers are the same, and what this machine is not is refused."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.llvm import binding
from enzyme_magic.backend.llvm.objects import tuning

SOURCE = """double weigh(const double *x, const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i]*x[i]*w[i];
  return s;
}
double square(double x) { return x*x + x; }"""
HERE = binding.host_triple().startswith("x86_64") and not tuning.lacking("x86-64-v3")
needs_v3 = pytest.mark.skipif(not HERE, reason="this machine cannot run x86-64-v3")


def lanes(text: str) -> int:
    """The widest vector of doubles."""
    return max((int(found) for found in re.findall(r"<(\d+) x double>", text)), default=1)


@needs_v3
def test_the_level_decides_what_the_code_looks_like_and_no_number() -> None:
    x, w = np.array([0.5, 2.0, -1.0] * 7), np.array([3.0, 1.0, 2.0] * 7)
    for cpu, widest in (("x86-64", 2), ("x86-64-v3", 4)):
        f = em.compile_c(SOURCE, cpu=cpu).weigh
        assert lanes(f.ir("gradient-optimized")) == widest, cpu
        assert list(f.grad(x, w, 21).x) == list(2 * x * w)
        assert f.report.stages


@needs_v3
def test_all_code_of_a_program_is_for_its_cpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Gradients, gradients of gradients, maps, traces: no code generator is used for anything else."""
    asked: list[str] = []
    real = binding.kept_machine

    def watched(*args: object, target: tuple[str, str] | None = None, **named: object) -> object:
        target = target or (args[3] if len(args) > 3 else None)  # type: ignore[assignment]
        asked.append(target[0] if target else "host")
        return real(*args[:3], target=target, **named)  # type: ignore[arg-type]

    program = em.compile_c(SOURCE, cpu="x86-64-v3", force=True)
    program.square(1.0)
    monkeypatch.setattr(binding, "kept_machine", watched)
    f = em.compile_c(SOURCE, cpu="x86-64-v3", force=True).square
    assert f.grad(2.0) == 5.0
    assert em.grad(em.grad(f))(2.0) == 2.0
    assert list(f.grad.map(np.array([1.0, 2.0]))) == [3.0, 5.0]
    f.export(tmp_path / "square.html", at=(2.0,))
    compiling = [cpu for cpu in asked if cpu != "host"]
    assert set(compiling) == {"x86-64-v3"}
    assert tuning.target()[0] == binding.host_cpu(), "nothing stays behind"


def test_what_this_machine_is_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(em.ArgumentError, match=r"no cpu 'znver9'.*EM345") as caught:
        em.compile_c(SOURCE, cpu="znver9")
    assert "x86-64-v3" in (caught.value.hint or "")
    monkeypatch.setattr(binding, "host_features", lambda: "+sse2,-avx2")
    with pytest.raises(em.ArgumentError, match=r"cannot run code for x86-64-v3: it has no .*EM345"):
        em.compile_c(SOURCE, cpu="x86-64-v3", force=True)
