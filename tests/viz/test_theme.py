"""Contrast and distinctness, measured: of the table of colours, and of every text in the drawn pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from enzyme_magic.errors import ViewError
from enzyme_magic.report import Report
from enzyme_magic.viz.theme import DARK, LIGHT, MARKS, THEMES, theme_of
from enzyme_magic.viz.views import VIEWS, view

SVG = "{http://www.w3.org/2000/svg}"


def luminance(colour: str) -> float:
    """WCAG relative luminance of "#rrggbb"."""
    channels = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_known_pairs() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", list(THEMES))
def test_every_pair_has_contrast(name: str) -> None:
    theme = THEMES[name]
    weak = [(what, text, back) for what, text, back in theme.pairs() if contrast(text, back) < 4.5]
    assert not weak
    for line in (theme.border, theme.edge):
        assert contrast(line, theme.background) >= 3
    assert contrast(theme.edge, theme.background) >= 4.5


def test_colours_are_okabe_and_ito() -> None:
    okabe_ito = {"#000000", "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"}
    for theme in (LIGHT, DARK):
        for mark in ("active", "cached"):
            assert str(theme.tones[mark].gutter).lower() in okabe_ito
        assert theme.bar.lower() in okabe_ito


def test_marks_differ_in_sign_and_word() -> None:
    for attribute in ("sign", "ascii", "word"):
        assert len({getattr(mark, attribute) for mark in MARKS.values()}) == len(MARKS)
    for mark in MARKS.values():
        assert mark.ascii.isascii()
    for theme in THEMES.values():
        assert set(theme.tones) == {*MARKS, ""}


def test_unknown_theme_names_those_that_exist() -> None:
    with pytest.raises(ViewError, match="EM501") as caught:
        theme_of("solarized")
    assert "light" in str(caught.value)
    assert "dark" in str(caught.value)


def painted(svg: str) -> list[tuple[str, str, str]]:
    """(text, its colour, the colour below it) of every text of a drawing, found by geometry in drawing order."""
    boxes: list[tuple[float, float, float, float, str]] = []
    found = []
    for element in ET.fromstring(svg).iter():
        if element.tag == f"{SVG}polygon" and element.get("fill") not in (None, "none"):
            numbers = [float(part) for part in re.split(r"[ ,]+", element.get("points", "").strip())]
            xs, ys = numbers[::2], numbers[1::2]
            boxes.append((min(xs), max(xs), min(ys), max(ys), str(element.get("fill"))))
        if element.tag == f"{SVG}text" and (element.text or "").strip():
            x, y = float(element.get("x", 0)) + 1, float(element.get("y", 0)) - 2
            below = [fill for left, right, top, bottom, fill in boxes if left <= x <= right and top <= y <= bottom]
            found.append((str(element.text), str(element.get("fill")), below[-1]))
    return found


@pytest.mark.parametrize("theme", list(THEMES))
def test_every_drawn_text_has_contrast(report: Report, sample: str, theme: str) -> None:
    known = {colour.lower() for colour in THEMES[theme].colours()}
    for name in VIEWS:
        if sample in ("large", "middle") and name != "dashboard":
            continue
        texts = painted(view(report, name, theme).svg)
        assert texts
        for text, colour, below in texts:
            assert {colour, below} <= known, text
            assert contrast(colour, below) >= 4.5, (name, text, colour, below)
