"""The entry: names, errors, `.graph` and DOT that any Graphviz draws."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping

import graphviz
import pytest

from enzyme_magic.errors import ViewError
from enzyme_magic.report import Report
from enzyme_magic.viz.drawing import render
from enzyme_magic.viz.drawing.render import Job
from enzyme_magic.viz.views import DEFAULT, VIEWS, stage_view, view

Samples = Mapping[str, Callable[[], Report]]


def test_names() -> None:
    assert {"source", "activity", "stages", "cache", "dashboard"} <= set(VIEWS)
    assert DEFAULT in VIEWS
    for name, found in VIEWS.items():
        assert found.name == name
        assert found.summary


def test_default_is_the_first_screen(samples: Samples) -> None:
    assert view(samples["empty"]()).name == "dashboard"


@pytest.mark.parametrize(("wrong", "meant"), [("activty", "activity"), ("Cache", "cache"), (7, None), ("zzz", None)])
def test_unknown_view_lists_what_exists(wrong: object, meant: str | None, samples: Samples) -> None:
    with pytest.raises(ViewError) as caught:
        view(samples["empty"](), wrong)  # type: ignore[arg-type]
    assert caught.value.code == "EM500"
    for name in VIEWS:
        assert name in str(caught.value)
    assert (f"did you mean {meant!r}" in str(caught.value)) == (meant is not None)


def test_unknown_stage_lists_what_exists(samples: Samples) -> None:
    with pytest.raises(ViewError, match="EM502") as caught:
        stage_view(samples["relu3_branch"](), "optimised")
    assert "gradient, gradient-optimized" in str(caught.value)


def test_one_stage(samples: Samples) -> None:
    picture = stage_view(samples["relu3_branch"](), "gradient-optimized", "dark")
    assert view(samples["relu3_branch"](), "gradient-optimized", "dark") == picture
    assert "gradient-optimized: 5 instructions" in picture.text
    assert 'id="a_gradient_optimized_0_3"' in picture.svg


def test_graph_is_a_graphviz_source_shown_without_dot(samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    graph = view(samples["loop"](), "activity").graph
    assert isinstance(graph, graphviz.Source)
    assert graph.source.startswith("digraph {")
    shown = graph._repr_mimebundle_()
    assert "<svg" in shown["image/svg+xml"]
    assert shown["text/plain"] == graph.source


def test_graph_without_an_engine_is_its_text(samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    render.forget()
    monkeypatch.setattr(render, "engines", lambda: ())
    shown = view(samples["loop"](), "activity").graph._repr_mimebundle_()
    assert set(shown) == {"text/plain"}
    assert "not drawn: no Graphviz engine" in shown["text/plain"]


@pytest.mark.parametrize("name", list(VIEWS))
def test_dot_draws_itself(report: Report, sample: str, name: str) -> None:
    """Also the views of several drawings, whose DOT has clusters in the place of the arranged card."""
    if sample == "large" and name == "stages":
        pytest.skip("drawn in test_bundle")
    (drawn,) = render.render([Job(view(report, name).dot)])
    assert b"<svg" in drawn


def test_importing_the_views_is_light() -> None:
    heavy = "('numpy', 'graphviz', 'pygraphviz', 'IPython')"
    code = f"import sys; import enzyme_magic.viz.views; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
