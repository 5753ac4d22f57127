"""The exported page: self-contained, both themes, every picture with its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from html.parser import HTMLParser

import pytest

from enzyme_magic.report import Report
from enzyme_magic.viz.drawing import render
from enzyme_magic.viz.page import page

Samples = Mapping[str, Callable[[], Report]]
VOID = {"meta", "br"}


class Reader(HTMLParser):
    """Collects tags, ids and links, and checks that tags close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        if tag not in VOID:
            self.open.append(tag)
        for key, value in attrs:
            assert not key.startswith("on"), "no script"
            if key == "id":
                self.ids.append(str(value))
            if key in ("href", "src", "xlink:href"):
                self.links.append(str(value))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_page_is_self_contained(report: Report) -> None:
    text = page(report)
    reader = read(text)
    assert reader.tags["script"] == reader.tags["link"] == reader.tags["img"] == 0
    assert all(link.startswith("#") for link in reader.links)
    outside = set(re.findall(r"https?://[^\"'\s<)]+", text))
    assert outside <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "@import" not in text
    assert "url(" not in text
    assert text.encode("utf-8")


def test_ids_are_unique_and_links_lead_somewhere(samples: Samples) -> None:
    for name in ("relu3_branch", "loop", "odd", "empty"):
        reader = read(page(samples[name]()))
        assert len(set(reader.ids)) == len(reader.ids)
        assert {link[1:] for link in reader.links} <= set(reader.ids)


def test_both_themes_follow_the_reader(samples: Samples) -> None:
    text = page(samples["loop"]())
    assert "prefers-color-scheme: dark" in text
    assert text.count('<figure class="light">') == text.count('<figure class="dark">') == 6
    assert 'id="a_i4"' in text
    assert 'id="dark_a_i4"' in text
    assert 'xlink:href="#dark_a_L3"' in text


def test_text_twins_and_ir_are_there(samples: Samples) -> None:
    text = page(samples["relu3_branch"]())
    assert "○ %cmp = fcmp ogt double %x, 0.0   line 3" in text
    assert "define double @diffe_relu3(double %x) { … }" in text
    assert "clang 22.1.8" in text


def test_nothing_of_a_report_becomes_markup(samples: Samples) -> None:
    text = page(samples["odd"]())
    assert "<β>" not in text
    assert "</FONT>" not in text
    read(text)


def test_page_without_an_engine(samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    render.forget()
    monkeypatch.setattr(render, "engines", lambda: ())
    text = page(samples["relu3_branch"]())
    read(text)
    assert text.count("No picture: no Graphviz engine was found.") == 6
    assert "○ %cmp = fcmp ogt double %x, 0.0   line 3" in text


def test_a_page_starts_the_engine_a_few_times_only(
    samples: Mapping[str, Callable[[], Report]], monkeypatch: pytest.MonkeyPatch
) -> None:
    render.forget()
    starts = []
    run = render._run
    monkeypatch.setattr(render, "_run", lambda *given: starts.append(given) or run(*given))
    page(samples["loop"]())
    assert len(starts) <= 3
