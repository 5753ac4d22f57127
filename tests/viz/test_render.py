"""The engines: without a `dot` program, with one, with none; too slow, broken, and complaining ones."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from enzyme_magic.errors import ViewError
from enzyme_magic.viz.drawing import render
from enzyme_magic.viz.drawing.render import Job, RenderError

GOOD = "digraph { a -> b }"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    render.forget()


def without_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render.importlib.util, "find_spec", lambda name: None)


def program(folder: Path, body: str) -> None:
    """A `dot` program in `folder`."""
    script = folder / "dot.py"
    script.write_text(textwrap.dedent(body), encoding="utf-8")
    path = folder / "dot"
    path.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(script))} "$@"\n', encoding="utf-8"
    )
    path.chmod(0o755)


def test_draws_with_an_empty_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    svg, png = render.render([Job(GOOD), Job(GOOD, "png", dpi=192)])
    assert b"<svg" in svg
    assert png.startswith(PNG)


def test_dpi_scales_the_png() -> None:
    one, two = render.render([Job(GOOD, "png", dpi=96), Job(GOOD, "png", dpi=192)])
    widths = [int.from_bytes(png[16:20], "big") for png in (one, two)]
    assert widths[1] == pytest.approx(2 * widths[0], abs=2)


def test_no_engine_is_an_error_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    without_wheel(monkeypatch)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ViewError, match="no Graphviz engine") as caught:
        render.render([Job(GOOD)])
    assert caught.value.code == "EM510"
    assert "pip install pygraphviz" in str(caught.value)


def test_a_dot_program_serves_as_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(
        tmp_path,
        """
        import sys, pygraphviz
        options = {a[:2]: a[2:] for a in sys.argv[1:]}
        graph = pygraphviz.AGraph(string=sys.stdin.read())
        sys.stdout.buffer.write(graph.draw(format=options["-T"], prog=options["-K"]))
        """,
    )
    without_wheel(monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [engine.name for engine in render.engines()] == ["dot"]
    (svg,) = render.render([Job(GOOD)])
    assert b"<svg" in svg


def test_dot_on_path_helps_where_the_wheel_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path, 'print("<svg from dot/>")')
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(render, "_with_wheel", lambda jobs, timeout: (_ for _ in ()).throw(RenderError("broken wheel")))
    assert render.render([Job(GOOD)]) == (b"<svg from dot/>\n",)


def test_a_layout_that_computes_for_too_long_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path, "while True: pass")
    without_wheel(monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RenderError, match="took longer than") as caught:
        render.render([Job(GOOD)], timeout=1)
    assert caught.value.code == "EM511"


@pytest.mark.skipif(not hasattr(render.resource, "prlimit"), reason="processor time cannot be limited from outside")
def test_waiting_for_a_busy_machine_is_no_layout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path, "import time; time.sleep(1.5); print('<svg/>')")
    without_wheel(monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert render.render([Job(GOOD)], timeout=1) == (b"<svg/>\n",)


def test_a_child_that_only_waits_is_ended_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    program(tmp_path, f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(60)")
    without_wheel(monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(render, "_PATIENCE", 4)
    with pytest.raises(RenderError, match="took longer than") as caught:
        render.render([Job(GOOD)], timeout=0.5)
    assert caught.value.code == "EM511"
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)


def test_a_complaint_on_stderr_is_a_failure() -> None:
    empty_font = 'digraph { a [shape=plain label=<<TABLE><TR><TD><FONT COLOR="red"></FONT></TD></TR></TABLE>>] }'
    with pytest.raises(RenderError, match="the Graphviz engine failed") as caught:
        render.render([Job(empty_font)])
    assert caught.value.code == "EM512"


def test_fontconfig_remarks_are_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path, "import sys; print('Fontconfig warning: x', file=sys.stderr); print('<svg/>')")
    without_wheel(monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert render.render([Job(GOOD)]) == (b"<svg/>\n",)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("import os; os.abort()", "exit status"),
        ("import sys; print('Error: syntax', file=sys.stderr)", "Error: syntax"),
        ("import sys; sys.exit(3)", "exit status 3"),
    ],
)
def test_a_broken_engine_is_an_error(body: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path, body)
    without_wheel(monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RenderError, match=said):
        render.render([Job(GOOD)])


def test_a_syntax_error_in_dot_is_an_error() -> None:
    with pytest.raises(RenderError, match="EM512"):
        render.render([Job("digraph { -> ")])


def test_pictures_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = render.render([Job(GOOD)])
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("drawn a second time"))
    assert render.render([Job(GOOD), Job(GOOD)]) == first * 2


def test_failures_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(render, "engines", lambda: ())
        with pytest.raises(RenderError):
            render.render([Job(GOOD)])
    assert b"<svg" in render.render([Job(GOOD)])[0]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "_KEPT_BYTES", 2000)
    for number in range(4):
        render.render([Job(f"digraph {{ a{number} }}")])
    assert len(render._kept) < 4


@pytest.mark.parametrize("text", ["\U000e0067", "x\U000c0001y", "ó", "\U0001f3f4"])
def test_a_character_whose_width_no_table_has_is_drawn(text: str) -> None:
    (svg,) = render.render([Job(f'digraph {{ a [label="{text}" fontname="DejaVu Sans Mono"] }}')])
    assert text in svg.decode("utf-8") or f"&#{ord(text[0])};" in svg.decode("utf-8")
