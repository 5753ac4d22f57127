"""The talk in a browser at 1920 × 1080: nothing scrolls or is cut, no letter below 18 px, keys, notes, motion, paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import enzyme_magic as em
from enzyme_magic.report import Report
from enzyme_magic.viz import slides
from enzyme_magic.viz.theme import LIGHT

LONG = "double big(double x, double y) {\n  double s = 0;\n" + "".join(
    f"  s += sin(x*{k}.5) * cos(y + {k}.25){' * exp(x) / (1 + y*y) + x*y' * (k % 5)};\n" for k in range(45)
)
SOURCE = f"""double flow(double x, int n) {{ double v = x; for (int i = 0; i < n; i++) v = sin(v)*v; return v; }}
double many(double *a, const double *long_name_of_weights, int n, int m) {{
    double s = 0;
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++) {{
            if (a[i] * long_name_of_weights[i] > s) s += exp(a[i] * long_name_of_weights[i]);
            if (a[i] < 0.5 && s > a[i] * long_name_of_weights[n - i - 1]) a[i] = sin(s) * cos(a[i]) * long_name_of_weights[i];
            for (int j = 0; a[j] > s && j < n; j++) a[j] = tanh(a[j] * long_name_of_weights[j]) * exp(s);
        }}
    return s;
}}
static int place(const double *grid, int n, double x) {{
    int k = 0;
    while (k < n && grid[k] < x) k++;
    return k;
}}
double helped(const double *grid, double *v, int n, double x) {{
    int k = place(grid, n, x);
    if (grid[k] == x) k = 0;
    return v[k]*x;
}}
double looped(int n, double *a, const double *w) {{
    for (int i = 1; i < n; i++) {{
        double v = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > v) {{ a[j + 1] = a[j]; j--; }}
        a[j + 1] = v;
    }}
    double s = 0;
    for (int i = 0; i < n; i++) s += w[i]*a[i]*a[i];
    return s;
}}
double blocks(const double *x, int n) {{
    double s = 0;
    for (int i = 1; i < n; i++) {{
        double *b = malloc(i*sizeof *b);
        b[0] = x[0];
        for (int j = 1; j < i; j++) b[j] = b[j-1]*x[j];
        s += b[i-1]*b[0];
        if (s < 1e9) free(b);
    }}
    return s;
}}
double relu3(double x) {{ return x > 0 ? pow(x, 3) : 0; }}
{LONG}  return s;
}}
"""
MEASURE = """slide => {
  const frame = slide.getBoundingClientRect();
  const found = { small: [], cut: [], scrolls: slide.scrollHeight > 1080 || slide.scrollWidth > 1920 };
  const walker = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!node.data.trim() || !parent.getClientRects().length || ["TITLE", "DESC"].includes(parent.tagName.toUpperCase())) continue;
    const scale = parent.getScreenCTM ? parent.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(parent).fontSize) * scale;
    if (size < 18) found.small.push([node.data.trim().slice(0, 40), size]);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.left < frame.left || box.right > frame.right + 1 || box.top < frame.top || box.bottom > frame.bottom + 1)
        found.cut.push(node.data.trim().slice(0, 40));
  }
  return found;
}"""


LIT = """() => [...new Set([...document.querySelectorAll(".line.lit .number")].map(e => +e.textContent))].sort((a, b) => a - b)"""


@pytest.fixture(scope="module")
def program() -> em.Program:
    return em.compile_c(SOURCE)


@pytest.fixture
def deck(browser: Any, program: em.Program, tmp_path: Path) -> Iterator[Any]:
    """`deck("flow")`: the exported talk, offline."""
    contexts: list[Any] = []
    errors: list[str] = []

    def opened(name: str, motion: str = "reduce", size: tuple[int, int] = (1920, 1080), **options: Any) -> Any:
        path = program[name].export(tmp_path / f"{name}.html", view="slides", **options)
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(offline=True, reduced_motion=motion, viewport=viewport)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: errors.append(request.url) if not request.url.startswith("file:") else None)
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


@pytest.mark.parametrize(
    ("name", "options"),
    [("flow", {"at": (0.5, 9), "theme": "dark"}), ("relu3", {}), ("big", {}), ("many", {"theme": "dark"})],
)
def test_nothing_is_cut_or_small(deck: Any, name: str, options: dict[str, Any]) -> None:
    page = deck(name, **options)
    count = page.locator(".slide").count()
    assert count >= 5
    for number in range(1, count + 1):
        slide = page.locator(".slide.now")
        assert page.locator(".slide:visible").count() == 1
        found = slide.evaluate(MEASURE)
        assert found == {"small": [], "cut": [], "scrolls": False}, (number, found)
        assert page.inner_text(".slide.now .count") == f"{number} / {count}"
        page.keyboard.press("ArrowRight")
    assert page.evaluate(
        "document.documentElement.scrollHeight <= 1080 && document.documentElement.scrollWidth <= 1920"
    )


def test_sweeps_notes_motion_and_paper(deck: Any, program: em.Program) -> None:
    report: Report = program.flow.report
    page = deck("flow", motion="no-preference")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    assert page.inner_text(".slide.now h2") == "What carries a derivative"
    assert page.evaluate("document.getAnimations().length") > 0
    shown = "code => [getComputedStyle(code).opacity, getComputedStyle(code).color]"
    begun = [code.evaluate(shown) for code in page.locator(".slide.now .line.lit code").all()]
    plain = page.evaluate("getComputedStyle(document.documentElement).color")
    assert begun
    assert all(look == ["1", plain] for look in begun)  # the C text is there before the sweeps have come to it
    lit = page.locator(".slide.now .line.lit").count()
    rows = {row.identifier: row for row in report.activity.rows()}
    lines = {p.line for p in report.parameters if p.verdict.active}
    lines |= {
        line.number for line in report.source if any(rows[i].verdict.active for i in line.instructions if i in rows)
    }
    assert lit == len(lines)
    assert not page.is_visible(".slide.now .notes")
    page.keyboard.press("n")
    assert "reaches the result" in page.inner_text(".slide.now .notes")
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == page.locator(".slide").count()
    still = deck("flow")
    still.keyboard.press("PageDown")
    still.keyboard.press("PageDown")
    assert still.evaluate("document.getAnimations().length") == 0
    small = deck("relu3", size=(960, 540))
    assert small.evaluate("document.documentElement.scrollWidth <= 960")
    assert small.locator(".slide.now").bounding_box()["width"] == pytest.approx(960, abs=1)


@pytest.mark.parametrize("name", ["flow", "many", "relu3", "helped"])
def test_lines_are_marked_as_the_source_is(deck: Any, program: em.Program, name: str) -> None:
    """Whatever instructions stand on them: a brace, an address or a comparison carries nothing."""
    report: Report = program[name].report
    given = {parameter.line for parameter in report.parameters if parameter.verdict.active}
    active = {line.number for line in report.source if "active" in (line.sweeps or ())}
    told = {line.number for line in report.source if line.mark in ("active", "mixed")}
    assert told | given <= active
    assert not any(
        line.mark == "inactive" or line.text.strip() == "}" for line in report.source if line.number in active
    )
    page = deck(name)
    assert page.evaluate(LIT) == sorted(active)
    if name == "helped":  # whole numbers, what is compared only, and includes
        texts = {line.number: line.text.strip() for line in report.source}
        assert {texts[n] for n in active} == {texts[min(given)], "return v[k]*x;"}


def test_instructions_are_counted_in_c(program: em.Program) -> None:
    report: Report = program.many.report
    *_, last = slides.slides(report, LIGHT)
    assert last.title.startswith("Optimized: ")
    numbers = [[int(n.replace(",", "")) for n in re.findall(r"[\d,]+", line.split(": ")[-1])] for line in last.said]
    before, after = (report.stage(name) for name in ("gradient", "gradient-optimized"))
    assert [sum(column) for column in zip(*numbers, strict=True)] == [before.instructions, after.instructions]
    opcodes = {opcode for stage in (before, after) for opcode, _ in stage.opcodes}
    words = set(re.findall(r"\w+", " ".join(line.split(": ")[0] for line in last.said)))
    assert not words & opcodes - {"and"}


def test_what_is_no_c_is_told_by_its_operations(deck: Any, program: em.Program) -> None:
    """Instead of a slide with nothing but a reason; and the largest of what is kept is never among those that are left out."""
    report: Report = program.blocks.report
    assert report.gradient_c is not None
    assert not report.gradient_c.available
    told = next(
        slide for slide in slides.slides(report, LIGHT) if slide.title == "The gradient, operation by operation"
    )
    assert told.said[0] == report.gradient_c.reason
    lines = {f"line {row.line}" for row in report.activity.rows() if row.verdict.active and row.opcode == "fmul"}
    assert lines <= {line.split(" · ")[0] for line in told.said[1:]}
    page = deck("blocks")
    for _ in range(page.locator(".slide").count()):
        assert page.locator(".slide.now").evaluate(MEASURE) == {"small": [], "cut": [], "scrolls": False}
        page.keyboard.press("ArrowRight")


def test_the_twin_has_every_slide(program: em.Program, tmp_path: Path) -> None:
    report = program.relu3.report
    text = program.relu3.export(tmp_path / "talk.txt", view="slides").read_text(encoding="utf-8")
    for slide in slides.slides(report, LIGHT):
        assert slide.title in text
        assert all(line in text for line in slide.said)
    assert "note: " in text
