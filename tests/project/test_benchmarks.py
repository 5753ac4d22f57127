"""The benchmark of gradients works, and its gradients by hand are right. Nothing here looks at a time."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.timing import plot, ratios, worker
from benchmarks.timing.catalogue import CORE, KERNELS, OPTIMIZED
from benchmarks.timing.points import Point
from benchmarks.timing.variants import by_hand, ours, primal

ROOT = Path(__file__).resolve().parents[2]
QUICK = {"scale_a", "tri", "ba", "orbit", "normalize", "newton"}


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.nightly) for name in KERNELS]
)
def test_the_gradient_by_hand_is_ours(name: str) -> None:
    kernel = KERNELS[name]
    worker.check(kernel, ours(kernel, Point(kernel)))


@pytest.mark.parametrize("name", sorted(QUICK))
def test_the_gradient_by_hand_is_the_slope(name: str) -> None:
    """Along one direction, from the function's own values."""
    kernel = KERNELS[name]
    point = Point(kernel)
    gradient = by_hand(kernel, point).gradient()
    direction = np.random.default_rng(2).normal(size=gradient.size)

    def at(step: float) -> float:
        moved, place = Point(kernel), 0
        for k in kernel.active:
            size = np.size(moved.arguments[k])
            change = step * direction[place : place + size]
            place += size
            if isinstance(moved.arguments[k], np.ndarray):
                moved.arguments[k] += change.reshape(moved.arguments[k].shape)
            else:
                moved.arguments[k] += float(change[0])
        return float(primal(kernel, moved)())

    slope = (at(1e-6) - at(-1e-6)) / 2e-6
    assert slope == pytest.approx(float(gradient @ direction), rel=1e-5)


def test_a_gradient_that_is_not_the_one_by_hand_is_not_timed() -> None:
    kernel = KERNELS["sumsq"]
    right = by_hand(kernel, Point(kernel))
    wrong = type(right)(right.run, lambda: right.gradient() * (1 + 1e-6))
    with pytest.raises(SystemExit, match="not the gradient by hand"):
        worker.check(kernel, wrong)


def test_the_command(tmp_path: Path) -> None:
    words = ["-m", "benchmarks.kernels", "sumsq", "--rounds", "1", "--variants", "opt=0"]
    files = ["--json", str(tmp_path / "figures.json"), "--docs", str(tmp_path)]
    done = subprocess.run([sys.executable, *words, *files], cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    assert "ours / by hand: geometric mean" in done.stdout
    stored = json.loads((tmp_path / "figures.json").read_text())
    (turn,) = stored["figures"]["sumsq"]
    assert set(turn) == {"by hand", "ours", "opt=0"}
    assert all(done["primal"] > 0 and done["gradient"] > 0 for done in turn.values())
    assert {"processor", "LLVM", "ziglang"} <= set(stored["versions"])
    assert "<svg" in (tmp_path / "kernels-light.svg").read_text()
    assert (tmp_path / "kernels.md").read_text().count("| `sumsq` |") == 1
    assert set(json.loads((tmp_path / "kernels.json").read_text())["kernels"]) == {"sumsq"}


def test_the_interval_of_a_median() -> None:
    """Conover's table: of ten, the second and the ninth; of six, all; of five, none says enough."""
    ten = ratios.ratio_of([float(k) for k in range(10)])
    assert (ten.median, ten.low, ten.high) == (4.5, 1.0, 8.0)
    assert (ratios.ratio_of([1, 2, 3, 4, 5, 6]).low, ratios.ratio_of([1, 2, 3, 4, 5, 6]).high) == (1, 6)
    assert math.isinf(ratios.ratio_of([1, 2, 3, 4, 5]).high)


def test_ratios_are_of_one_round() -> None:
    pairs = [(2.0, 1.0), (30.0, 10.0)]
    rounds = [{"ours": {"gradient": this}, "by hand": {"gradient": that}} for this, that in pairs]
    found = ratios.between(rounds, "ours", "by hand")
    assert found is not None
    assert found.median == 2.5
    assert ratios.between(rounds, "ours", "jax") is None


def test_a_mark_stands_at_its_ratio() -> None:
    one = ratios.Ratio(1.0, 0.5, 2.0)
    text = plot.picture({"k": {"ours": one}}, "title", "light")
    (line,) = [part for part in text.split("<") if part.startswith('line class="one"')]
    x = line.split('x1="')[1].split('"')[0]
    assert f'<text class="ours" x="{x}"' in text


def test_means_are_over_eighteen() -> None:
    assert len(CORE) == 18
    assert set(OPTIMIZED) <= set(KERNELS)
