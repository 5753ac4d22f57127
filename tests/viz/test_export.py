"""Files: every format, whole or not at all, and saved reports that open again or say why not."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from enzyme_magic.errors import ViewError
from enzyme_magic.report import Report
from enzyme_magic.viz import facts
from enzyme_magic.viz.export import FORMATS, export, saved
from enzyme_magic.viz.page import page
from enzyme_magic.viz.views import VIEWS, view

Samples = Mapping[str, Callable[[], Report]]
BEGINNINGS = {
    ".html": b"<!DOCTYPE html>",
    ".svg": b"<",
    ".png": b"\x89PNG",
    ".dot": b"digraph",
    ".txt": b"relu3",
    ".ll": b"define double @diffe_relu3",
    ".c": b"double diffe_relu3(double x) {",
    ".json": b'{"function":"relu3"',
}


@pytest.mark.parametrize("ending", list(FORMATS))
def test_each_format(ending: str, samples: Samples, tmp_path: Path) -> None:
    report = samples["relu3_branch"]()
    target = export(report, tmp_path / f"new folder/relu3{ending.upper()}")
    data = target.read_bytes()
    assert data.startswith(BEGINNINGS[ending])
    assert len(data) > 40
    assert [path.name for path in target.parent.iterdir()] == [target.name], "nothing else is left there"


def test_a_view_a_stage_and_a_theme(samples: Samples, tmp_path: Path) -> None:
    report = samples["loop"]()
    picture = view(report, "cache", "dark")
    assert export(report, tmp_path / "a.txt", "cache").read_text() == picture.text + "\n"
    assert export(report, tmp_path / "a.dot", "cache", "dark").read_text() == picture.dot
    assert export(report, tmp_path / "a.svg", "cache", "dark").read_text() == picture.svg
    report = samples["relu3_branch"]()
    stage = report.stages[0]
    assert export(report, tmp_path / "a.ll", stage.name).read_text().strip() == stage.text.strip()


def test_a_saved_report_opens_again(report: Report, tmp_path: Path) -> None:
    again = saved(export(report, tmp_path / "a.json"))
    assert again == report
    assert [view(again, name).text for name in VIEWS] == [view(report, name).text for name in VIEWS]


def test_the_page_of_a_saved_report_is_the_same(samples: Samples, tmp_path: Path) -> None:
    report = samples["loop"]()
    assert page(saved(export(report, tmp_path / "a.json"))) == page(report)


@pytest.mark.parametrize(
    ("name", "options", "code", "said"),
    [
        ("a.pdf", (), "EM503", ".html .svg .png .dot"),
        ("noending", (), "EM503", "has no ending"),
        ("a.html", ("cache",), "EM503", "leave the view out"),
        ("a.svg", ("nope",), "EM500", "views: dashboard"),
        ("a.ll", ("nope",), "EM502", "stages: "),
        ("a.svg", ("cache", "pink"), "EM501", "light"),
        ("a.json", (None, "pink"), "EM501", "light"),
    ],
)
def test_what_does_not_exist(
    name: str, options: tuple[str, ...], code: str, said: str, samples: Samples, tmp_path: Path
) -> None:
    with pytest.raises(ViewError) as caught:
        export(samples["loop"](), tmp_path / name, *options)
    assert caught.value.code == code
    assert said in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written(samples: Samples, tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "file").write_text("")
    for target in ("folder.json", "file/a.json"):
        with pytest.raises(ViewError, match="cannot be written") as caught:
            export(samples["loop"](), tmp_path / target)
        assert caught.value.code == "EM504"


def test_a_failed_picture_leaves_the_old_file(
    samples: Samples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from enzyme_magic.viz.drawing import render

    target = export(samples["loop"](), tmp_path / "a.svg", "cache")
    before = target.read_bytes()
    render.forget()
    monkeypatch.setattr(render, "engines", lambda: ())
    with pytest.raises(ViewError, match="no Graphviz engine"):
        export(samples["loop"](), target, "source")
    assert target.read_bytes() == before


def damaged(report: Report) -> dict[str, str]:
    """What may lie in a file called .json."""
    data = json.loads(report.to_json())
    return {
        "nothing": "",
        "cut": report.to_json()[:200],
        "a list": "[]",
        "a number": "7",
        "deep": "[" * 100_000,
        "another form": json.dumps(data | {"schema": 99}),
        "no function": json.dumps({key: value for key, value in data.items() if key != "function"}),
        "a wrong kind": json.dumps(data | {"source": "int main"}),
        "a wrong kind inside": json.dumps(data | {"facts": [{"sentence": 3}]}),
        "null": json.dumps(data | {"cache": None}),
    }


def test_what_is_no_report(samples: Samples, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for what, text in damaged(samples["loop"]()).items():
        path.write_text(text)
        with pytest.raises(ViewError, match="is no saved report") as caught:
            saved(path)
        assert caught.value.code == "EM505", what
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ViewError, match="is no saved report"):
        saved(path)
    with pytest.raises(ViewError, match="cannot be read"):
        saved(tmp_path / "none.json")


def test_fields_of_later_versions_are_passed_over(samples: Samples, tmp_path: Path) -> None:
    report = samples["loop"]()
    path = tmp_path / "a.json"
    path.write_text(
        json.dumps(dataclasses.asdict(report) | {"invented": 1, "schema": 6})
    )  # from 7 on a digest is asked for
    assert saved(path) == report


def test_the_foot_of_a_page_speaks_to_people(samples: Samples) -> None:
    report = dataclasses.replace(samples["loop"](), options=(("opt", "2"), ("post_opt", "3"), ("strict", "True")))
    foot = page(report).partition("<footer>")[2]
    assert "optimized before differentiation at level 2, after it at level 3 · sums in their order" in foot
    assert "post_opt" not in foot
    assert facts.levels_text("0", "0") == "not optimized"
    assert facts.levels_text("2", "2") == "optimized before and after differentiation at level 2"
    assert facts.levels_text("0", "3") == "optimized after differentiation only, at level 3"
