"""What a notebook stores: media types, sizes, honest text where there is no picture, and no exception ever."""

from __future__ import annotations

import base64
import dataclasses
import io
import sys
from collections.abc import Callable, Mapping

import pytest

from enzyme_magic.report import Report
from enzyme_magic.viz import bundle as bundle_module
from enzyme_magic.viz import picture as picture_module
from enzyme_magic.viz.bundle import CELL_LIMIT, PNG_LIMIT, bundle
from enzyme_magic.viz.drawing import render
from enzyme_magic.viz.drawing.fit import SVG_LIMIT
from enzyme_magic.viz.drawing.png import exact_palette, size
from enzyme_magic.viz.theme import THEMES
from enzyme_magic.viz.views import VIEWS, mimebundle, view
from tests.viz.png_pixels import pixels

Samples = Mapping[str, Callable[[], Report]]


@pytest.mark.parametrize("name", list(VIEWS))
def test_media_types_and_sizes(report: Report, name: str) -> None:
    data = mimebundle(report, name)
    assert {"image/svg+xml", "text/plain"} <= set(data) <= {"image/svg+xml", "image/png", "text/plain"}
    assert len(data["image/svg+xml"].encode()) <= SVG_LIMIT
    png = base64.b64decode(data.get("image/png", ""))
    assert len(png) <= PNG_LIMIT
    assert sum(len(text.encode()) for text in data.values()) <= CELL_LIMIT


@pytest.mark.parametrize("theme", list(THEMES))
@pytest.mark.parametrize("name", ["relu3_branch", "relu3_select", "loop", "empty"])
def test_first_screen_has_a_sharp_png(name: str, theme: str, samples: Samples) -> None:
    data, metadata = view(samples[name](), "dashboard", theme)._repr_mimebundle_()
    width, height = size(base64.b64decode(data["image/png"]))
    about = metadata["image/png"]
    assert (width, height) == (pytest.approx(2 * about["width"], abs=3), pytest.approx(2 * about["height"], abs=3))
    assert "instructions" in about["alt"]


@pytest.mark.parametrize("theme", list(THEMES))
def test_palette_png_has_the_exact_colours(theme: str, samples: Samples) -> None:
    found = pixels(view(samples["loop"](), "activity", theme).png(1, palette=True))
    colours = THEMES[theme]
    surfaces = {colours.background, colours.header, str(colours.tones["active"].background)}
    assert {colour for colour, _ in found.most_common(3)} == {colour.lower() for colour in surfaces}
    assert found[str(colours.tones["cached"].gutter).lower()] > 200


def test_exact_palette_leaves_other_files_alone(samples: Samples) -> None:
    assert exact_palette(b"no png", ["#ffffff"]) == b"no png"
    assert size(b"no png") == (0, 0)
    true_colour = view(samples["empty"](), "cache").png(1)
    assert exact_palette(true_colour, ["#ffffff"]) == true_colour


def test_first_screen_text_has_at_most_20_lines(report: Report) -> None:
    lines = view(report, "dashboard").text.splitlines()
    assert 3 <= len(lines) <= 20
    assert max(map(len, lines)) <= 132


def test_text_is_ascii_where_the_stream_is(samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    for name in VIEWS:
        assert mimebundle(samples["odd"](), name)["text/plain"].isascii()


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "cp1252", "no-such-encoding"])
def test_text_fits_the_encoding(samples: Samples, encoding: str) -> None:
    text = bundle(view(samples["loop"](), "activity"), encoding)[0]["text/plain"]
    assert text.encode("ascii" if encoding.startswith("no") else encoding)
    assert "for.body  runs n times" in text


def test_no_engine_gives_text_and_a_sentence(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    render.forget()
    monkeypatch.setattr(render, "engines", lambda: ())
    for name in VIEWS:
        data, metadata = view(report, name)._repr_mimebundle_()
        assert set(data) == {"text/plain"}
        assert "no Graphviz engine was found" in data["text/plain"]
        assert "pip install pygraphviz" in data["text/plain"]
        assert metadata == {}


def test_an_endless_layout_gives_text_and_a_sentence(samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    render.forget()
    calls = []

    def slow(command: list[str], data: bytes, timeout: float) -> bytes:
        calls.append(timeout)
        raise render.RenderError(f"laying the picture out took longer than {timeout:g} s", code="EM511")

    monkeypatch.setattr(render, "_run", slow)
    monkeypatch.setattr(render, "TIMEOUT", 5.0)
    text = mimebundle(samples["loop"](), "activity")["text/plain"]
    assert "took longer than 5 s" in text
    assert "%0 = load double" in text
    assert calls == [5.0, 5.0], "the graph, then the table in its place"
    drawn = mimebundle(samples["loop"](), "activity")["image/svg+xml"]
    assert "simpler picture" in drawn
    assert "%0 = load double" in drawn
    assert "<style" not in drawn


@pytest.mark.parametrize("where", ["svg", "text"])
def test_our_own_bugs_stay_out_of_the_display_hook(
    where: str, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> str:
        raise KeyError("a bug")

    if where == "svg":
        monkeypatch.setattr(picture_module, "card_dot", broken)
    else:
        monkeypatch.setattr(picture_module, "card_text", broken)
    data, _ = view(samples["loop"](), "activity")._repr_mimebundle_()
    assert set(data) == {"text/plain"}
    assert "KeyError" in data["text/plain"]
    assert data["text/plain"].strip()


def test_large_pictures_become_a_table_and_say_so(samples: Samples) -> None:
    report = samples["large"]()
    data = mimebundle(report, "activity")
    assert "too many to draw as a graph" in data["image/svg+xml"]
    assert "more lines are left out here" in data["text/plain"]
    assert len(data["text/plain"].encode()) <= bundle_module.TEXT_LIMIT + 200
    assert view(report, "activity").text.count("fmul") == 3000, "the whole text is still to be had"


def test_middling_pictures_are_folded_and_say_so(samples: Samples) -> None:
    report = samples["middle"]()
    picture = view(report, "activity")
    assert "rows shown; the text form has them all" in picture.svg
    assert "…" in picture.svg
    stored = [row for row in report.activity.rows() if row.slot]
    assert stored
    for row in stored:
        assert f'id="a_{row.identifier}"' in picture.svg, "stored values are folded last"


def test_png_is_left_out_where_it_is_too_large(samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_module, "PNG_LIMIT", 100)
    assert set(mimebundle(samples["loop"](), "activity")) == {"image/svg+xml", "text/plain"}


def test_a_smaller_png_is_chosen_where_it_fits(samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = view(samples["loop"](), "activity")
    monkeypatch.setattr(bundle_module, "PNG_LIMIT", len(picture.png(2, palette=True)) - 1)
    data, metadata = picture._repr_mimebundle_()
    assert size(base64.b64decode(data["image/png"]))[0] == pytest.approx(1.5 * metadata["image/png"]["width"], abs=3)


def test_a_report_from_json_draws_the_same(report: Report) -> None:
    again = Report.from_json(report.to_json())
    for name in VIEWS:
        assert view(again, name).dot == view(report, name).dot


def test_picture_is_frozen(samples: Samples) -> None:
    picture = view(samples["empty"]())
    with pytest.raises(dataclasses.FrozenInstanceError):
        picture.name = "other"  # type: ignore[misc]
    assert str(picture) == picture.text
