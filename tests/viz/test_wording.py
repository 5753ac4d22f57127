"""Characters, columns and formulas."""

from __future__ import annotations

import hypothesis
import hypothesis.strategies as st
import pytest

from enzyme_magic.viz import formula
from enzyme_magic.viz.wording import (
    clean,
    clip,
    pad,
    plural,
    short_constants,
    spell,
    width,
    wrap,
    wrap_code,
)


@hypothesis.given(st.text())
def test_clean_text_is_xml_on_one_line(text: str) -> None:
    import xml.etree.ElementTree as ET
    from html import escape

    cleaned = clean(text)
    assert "\n" not in cleaned
    assert ET.fromstring(f"<t>{escape(cleaned)}</t>").text in (cleaned, None)
    cleaned.encode("utf-8")  # no lone surrogates


def test_clean_replaces_what_xml_forbids() -> None:
    assert clean("a\tb\nc\x00d\x1b\x7f\ud800\ufffe") == "a   b c" + "\ufffd" + "d" + "\ufffd" * 4


@hypothesis.given(st.text(max_size=200), st.integers(8, 60), st.integers(1, 4))
def test_wrapped_code_fits_and_loses_only_what_it_says(text: str, columns: int, lines: int) -> None:
    parts = wrap_code(text, columns, lines)
    assert 1 <= len(parts) <= lines
    assert all(len(part) <= columns for part in parts)
    if not parts[-1].endswith("…"):
        assert "".join("".join(parts).split()) == "".join(clean(text).split())


def test_code_is_broken_behind_brackets_and_commas() -> None:
    assert wrap_code("%r = phi double [ %call, %if.then ], [ 0.0, %entry ]", 44) == [
        "%r = phi double [ %call, %if.then ],",
        "    [ 0.0, %entry ]",
    ]


def test_wrap_keeps_the_number_of_lines() -> None:
    assert wrap("one two three four", 9, lines=2) == ["one two", "three fo…"]
    assert wrap("", 9) == []
    assert wrap("whatever it is", 0) == ["whatever it is"]


def test_formulas_are_broken_behind_operators() -> None:
    """A name is not cut where there is an operator before it."""
    assert wrap("active: energy - mass[i]*mass[j]/sqrt(dx*dx + dy*dy)", 20) == [
        "active: energy -",
        "mass[i]*mass[j]/",
        "sqrt(dx*dx + dy*dy)",
    ]
    assert wrap_code("(x*x*x - 2)/__enzyme_autodiff(f, x)", 28) == ["(x*x*x - 2)/", "    __enzyme_autodiff(f, x)"]
    assert wrap_code("a*" + "b" * 40, 28) == ["a*" + "b" * 26, "    " + "b" * 14]  # nothing is lost for it
    assert wrap("total->values+1e-9*weight[k++]", 16) == ["total->values+", "1e-9*weight[k++]"]
    assert wrap("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]
    assert "".join(wrap("a*b" * 30, 7, 99)) == "a*b" * 30


def test_width_counts_terminal_columns() -> None:
    assert width("漢字é\u0301") == 5
    assert pad("漢", 4) == "漢  "
    assert clip("abcdef", 4) == "abc…"


@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        ("● ○ ◐ ▣ → ≤ …", "utf-8", "● ○ ◐ ▣ → ≤ …"),
        ("● ○ ◐ ▣ → ≤ …", "ascii", "* - + # -> <= ..."),
        ("é · α", "latin-1", "é * \\u03b1"),
        ("8·n", None, "8*n"),
        ("8·n", "bogus", "8*n"),
    ],
)
def test_spell(text: str, encoding: str | None, expected: str) -> None:
    assert spell(text, encoding) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fmul double %x, 3.000000e+00", "fmul double %x, 3.0"),
        ("fadd double -1.500000e-03, 0x3FB999999999999A", "fadd double -0.0015, 0.1"),
        ("x86_fp80 0xK4000C8F5C28F5C28F5C3", "x86_fp80 0xK4000C8F5C28F5C28F5C3"),
        ("%a1.000000e+00 @f.1.000000e+00", "%a1.000000e+00 @f.1.000000e+00"),
        ("double 0x7FF0000000000000", "double inf"),
    ],
)
def test_constants_are_short(text: str, expected: str) -> None:
    assert short_constants(text) == expected


def test_plural() -> None:
    assert [plural(n, "value") for n in (0, 1, 3000)] == ["0 values", "1 value", "3,000 values"]


@pytest.mark.parametrize(
    ("text", "value", "names"),
    [
        ("8*n", 8000, ("n",)),
        ("8*n*(n+1)/2", 4_004_000, ("n",)),
        ("24", 24, ()),
        ("8*n*m + 16", 8_000_016, ("n", "m")),
        ("8*max(n-1, 0)", 7992, ("n",)),
        ("n**2 // 3", 333_333, ("n",)),
        ("-n", -1000, ("n",)),
    ],
)
def test_formulas(text: str, value: float, names: tuple[str, ...]) -> None:
    assert formula.value(text) == value
    assert formula.names(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n n",
        "__import__('os')",
        "n.real",
        "n[0]",
        "'a'*3",
        "True",
        "9**9**9",
        "1/0",
        "n if n else 1",
        "f(n)",
        "min()",
        "(" * 300,
        "1+" * 200,
    ],
)
def test_anything_else_has_no_value(text: str) -> None:
    assert formula.value(text) is None
    assert isinstance(formula.bytes_text(text), str)


def test_bytes_for_people() -> None:
    assert formula.bytes_text("8*n") == "8·n B = 8.0 kB at n = 1000"
    assert formula.bytes_text("8*n*m") == "8·n·m B = 8.0 MB at n = 1000, m = 1000"
    assert formula.bytes_text("24") == "24 B"
    assert formula.bytes_text("") == "size unknown"
    assert formula.bytes_text("rank(a)") == "rank(a) B"
    assert [formula.human(x) for x in (0, 999, 1000, 2.5e6, 3e9, 4e12, 5e15)] == [
        "0 B", "999 B", "1.0 kB", "2.5 MB", "3.0 GB", "4.0 TB", "5.0 PB",
    ]  # fmt: skip


def test_bytes_of_loops_that_count_themselves() -> None:
    loop = "iterations of the loop at line 4"
    assert formula.bytes_text(f"8 × {loop}") == f"8 B × {loop}"
    assert formula.bytes_text(f"8*n + 3 + {loop}") == f"8·n + 3 B + 1 B × {loop}"
    tests = "tests of the loop at line 4 (at most 20*n)"
    assert formula.bytes_text(f"8 × {tests}") == f"8 B × {tests}"
    assert formula.with_counts(f"16 × {tests}") == f"16.0 kB where the {tests} are 1000"


def test_the_number_of_a_total_with_loops_that_count_themselves() -> None:
    loop = "iterations of the loop at line 4"
    assert formula.with_counts("8*n") == ""
    assert formula.with_counts(f"8 × {loop}") == f"8.0 kB where the {loop} are 1000"
    said = formula.with_counts(f"8*n*k + max(k - 1, 0) + 8 × {loop} + iterations of the loop at line 3")
    assert said == f"{formula.human(8e6 + 999 + 8000 + 1000)} where n, k and the counts of 2 other loops are 1000"
    assert formula.with_counts(f"rank(a) + 8 × {loop}") == ""


def test_loops_that_may_end_early_count_at_most_what_the_text_says() -> None:
    loop = "iterations of the loop at line 5"
    most = f"{loop} (at most 50)"
    assert formula.bytes_text(f"16 × {most}") == f"16 B × {most}"
    assert formula.with_counts(f"16 × {most}") == f"at most 800 B, with 50 {loop}"
    assert formula.with_counts(f"8*n + 16 × {most}") == f"8.8 kB where n is 1000, with 50 {loop} at most"
    assert formula.with_counts(f"16 × {loop} (at most 5000)") == f"at most 16.0 kB, with 1000 {loop}"
