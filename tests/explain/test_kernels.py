"""Ten kernels as people write them: everything that is shown of them can be drawn, within a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import enzyme_magic as em
from enzyme_magic.report import Report
from enzyme_magic.viz.drawing import svg
from enzyme_magic.viz.views import view

KERNELS = ("relu3", "dot", "norm", "heat", "vdp", "fft", "gmm", "lstm", "bisect", "sorted")
TALLEST = 2_800  # pixels: three screens


@pytest.fixture(scope="module")
def program() -> em.Program:
    return em.compile_c(Path(__file__).with_name("ten_kernels.c").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def reports(program: em.Program) -> Mapping[str, Report]:
    return {name: program[name].make_report() for name in KERNELS}


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_graph_is_laid_out(kernel: str, program: em.Program) -> None:
    function = program[kernel]
    for stage in ("input", "optimized", "gradient", "gradient-optimized"):
        assert "image/svg+xml" in function.ir(stage).graph._repr_mimebundle_()
    for answer in (function.activity(), function.cache()):
        assert "image/svg+xml" in answer.graph._repr_mimebundle_()


@pytest.mark.parametrize("kernel", KERNELS)
def test_pictures_of_graphs_are_no_taller_than_three_screens(kernel: str, reports: Mapping[str, Report]) -> None:
    for name in ("activity", "optimized"):
        _, tall = svg.pixels(view(reports[kernel], name).svg)
        assert tall <= TALLEST, name


def test_gmm_is_folded_by_loop_and_by_call(reports: Mapping[str, Report]) -> None:
    drawn = view(reports["gmm"], "activity").svg.replace("\N{NO-BREAK SPACE}", " ").replace("&#160;", " ")
    assert ">loop i " in drawn
    assert "logsumexp, called at line 84" in drawn
