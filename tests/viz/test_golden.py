"""Golden texts and DOT of the pictures, times masked. EM_UPDATE_GOLDEN=1 writes them anew: look at the difference then."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from enzyme_magic.report import Report
from enzyme_magic.viz.views import VIEWS, view
from enzyme_magic.viz.wording import spell

FOLDER = Path(__file__).with_name("golden")
PROGRAMS = ("relu3_branch", "relu3_select", "loop", "many_slots", "empty")
TIMES = re.compile(r"\d+(\.\d)? ms: [^<\n]*?(?=(\n|&#160;|<|$))")


def masked(text: str) -> str:
    return TIMES.sub("(times)", text)


def check(name: str, text: str) -> None:
    path = FOLDER / name
    if os.environ.get("EM_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{path.name} differs; look, then EM_UPDATE_GOLDEN=1"


@pytest.mark.parametrize("program", PROGRAMS)
def test_texts(program: str, samples: Mapping[str, Callable[[], Report]]) -> None:
    report = samples[program]()
    parts = [f"== {name}\n{masked(view(report, name).text)}\n" for name in VIEWS]
    check(f"{program}.txt", "\n".join(parts))


@pytest.mark.parametrize("program", PROGRAMS[:2])
def test_ascii_texts(program: str, samples: Mapping[str, Callable[[], Report]]) -> None:
    text = spell(masked(view(samples[program](), "dashboard").text), "ascii") + "\n"
    assert text.isascii()
    check(f"{program}.ascii.txt", text)


@pytest.mark.parametrize(
    ("program", "name", "theme"),
    [
        ("relu3_branch", "source", "light"),
        ("relu3_branch", "activity", "light"),
        ("relu3_branch", "activity", "dark"),
        ("relu3_branch", "stages", "light"),
        ("relu3_branch", "cache", "light"),
        ("loop", "activity", "light"),
        ("loop", "cache", "dark"),
    ],
)
def test_dot(program: str, name: str, theme: str, samples: Mapping[str, Callable[[], Report]]) -> None:
    check(f"{program}.{name}.{theme}.dot", view(samples[program](), name, theme).dot)


def test_the_mask_hides_times_and_nothing_else() -> None:
    assert masked("reverse mode | 39 ms: clang 21 | jit 5.0\n  1 double") == "reverse mode | (times)\n  1 double"
    assert masked("no times: 39 lines") == "no times: 39 lines"
