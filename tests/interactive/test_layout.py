"""Everything can be read: no text of an exported page is cut or lies over another, and all of it has contrast.

At four widths in both themes, of a small function and a large one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import enzyme_magic as em
from enzyme_magic.api.checks import measuring
from enzyme_magic.report import Plan, Report
from tests.interactive.measuring import too_weak, untidy

Visit = Callable[..., Any]
TABS = ("source", "activity", "ir", "cache", "steps", "values")
MARKED = "document.getElementById('em-inspector').shadowRoot.querySelector('.source .row.active').click()"
SIZES = tuple((width, theme) for width in (480, 1024, 1440, 3840) for theme in ("light", "dark"))
EVERY_DAY = {
    ("gmm", 480, "light"),
    ("relu3", 1024, "light"),
    ("relu3", 3840, "dark"),
    ("gmm", 1024, "dark"),
    ("gmm", 3840, "light"),
}
CASES = [
    pytest.param(kernel, *size, marks=() if (kernel, *size) in EVERY_DAY else pytest.mark.nightly)
    for kernel in ("relu3", "gmm")
    for size in SIZES
]


@pytest.fixture(scope="module")
def kernels() -> Mapping[str, Report]:
    text = Path(__file__).parents[1].joinpath("explain", "ten_kernels.c").read_text(encoding="utf-8")
    program = em.compile_c(text)
    return {name: program[name].report for name in ("relu3", "gmm")}


@pytest.mark.parametrize(("kernel", "width", "theme"), CASES)
def test_everything_can_be_read(
    kernel: str, width: int, theme: str, visit: Visit, kernels: Mapping[str, Report]
) -> None:
    page = visit(kernels[kernel], theme=theme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate(MARKED)  # with its reasons
    for tab in (
        TABS if kernel == "relu3" else [tab for tab in TABS if tab != "ir"]
    ):  # thousands of lines like those of relu3
        page.click(f"[data-tab={tab}]")
        assert untidy(page) == [], tab
        assert too_weak(page) == [], tab


def test_numbers_in_the_curve_of_memory_can_be_read(visit: Visit) -> None:
    """They stand on the colour of their function."""
    function = em.compile_c("double f(double x, int n) { double y = 1; while (n--) y = y*x + 1; return y; }").f
    page = visit(
        measuring.of_call(function, None, function.report, ((1.5, 20), {})), theme="dark", reduced_motion="reduce"
    )
    page.click("[data-tab=cache]")
    assert page.locator("#em-inspector svg polygon").count() > 0
    assert too_weak(page) == []


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1440, 900)])
def test_the_first_screen_is_one_screen(width: int, height: int, visit: Visit, kernels: Mapping[str, Report]) -> None:
    """Of a function in a long text, too, with what stands below it."""
    page = visit(kernels["gmm"], reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert page.locator(".source.listing").evaluate("box => box.scrollHeight > box.clientHeight")


@pytest.mark.parametrize("width", [480, 1440])
def test_saved_values_are_read_without_scrolling(width: int, visit: Visit, kernels: Mapping[str, Report]) -> None:
    """The reason of each stands on the page, however narrow that is, and the line says what it is where its heading is gone."""
    page = visit(kernels["gmm"], reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    page.click("[data-tab=cache]")
    assert page.locator(".slots tr.row").count() > 1
    edges = page.locator(".slots tr.row td:last-child").evaluate_all("all => all.map(e => e.getBoundingClientRect())")
    assert all(edge["right"] <= width and edge["width"] > 100 for edge in edges)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    narrow = "all => all.map(e => getComputedStyle(e, '::before').content)"
    heads = page.locator(".slots td[data-head]").evaluate_all(narrow)
    assert set(heads) == ({'"line" " "', '"line "'} & set(heads) if width == 480 else {"none"})
    assert heads


def test_reasons_of_a_small_function_need_no_scrolling(visit: Visit) -> None:
    """On a narrow page, where they stand below the text."""
    square = em.compile_c("double square(double x) {\n    return x * x;\n}").square
    page = visit(square.report, reduced_motion="reduce")
    page.set_viewport_size({"width": 640, "height": 900})
    page.evaluate(MARKED)
    assert page.inner_text("aside h3") == "Line 2"
    assert page.locator("aside").evaluate("box => box.scrollHeight - box.clientHeight") <= 1


def test_pictures_below_keep_their_letters_on_a_narrow_page(visit: Visit, kernels: Mapping[str, Report]) -> None:
    """They scroll in their own boxes, and the page does not."""
    page = visit(kernels["gmm"], reduced_motion="reduce")
    page.set_viewport_size({"width": 480, "height": 900})
    page.click("#em-more")
    shrunk = "all => all.map(e => e.getBoundingClientRect().width / Number(e.getAttribute('width'))).filter(Boolean)"
    found = page.locator("#em-below figure > svg").evaluate_all(shrunk)
    assert found
    assert min(found) > 0.95
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


SWAPPED = """double heat(int n, int steps, double *u, double *v, double k) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) v[i] = u[i] + k*(u[i-1] - 2*u[i] + u[i+1]);
        double *swap = u; u = v; v = swap;
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += u[i]*u[i];
    return s;
}"""


def test_a_wide_drawing_has_the_room_of_the_reasons(visit: Visit, kernels: Mapping[str, Report]) -> None:
    """At 1024 pixels it does not scroll sideways: reasons stand below it, once there are some; beside a narrow one they stay."""
    reports = {"heat": em.compile_c(SWAPPED).heat.report, "relu3": kernels["relu3"]}
    for name, below in (("heat", True), ("relu3", False)):
        page = visit(reports[name], reduced_motion="reduce")
        page.set_viewport_size({"width": 1024, "height": 900})
        page.click("[data-tab=activity]")
        assert page.locator(".picture").evaluate("box => box.scrollWidth - box.clientWidth") <= 1, name
        assert page.locator(".columns.wide").count() == int(below), name
        if below:
            assert not page.locator("aside").is_visible()
            page.locator(".picture [data-key]").first.dispatch_event("click")
            assert page.locator("aside").is_visible()
            drawing, reasons = page.locator(".picture").bounding_box(), page.locator("aside").bounding_box()
            assert reasons["width"] >= drawing["width"]
        assert untidy(page) == []


def test_what_overlaps_is_found(visit: Visit, kernels: Mapping[str, Report]) -> None:
    """The measure itself: it sees what is put over something else, and what is cut."""
    page = visit(kernels["relu3"], reduced_motion="reduce")
    style = "document.getElementById('em-inspector').shadowRoot.querySelector('h2').style"
    page.evaluate(f"{style}.marginBottom = '-1.2em'")
    assert "over" in {kind for kind, *_ in untidy(page)}
    page.evaluate(f"{style}.cssText = 'width: 3em; overflow: hidden; white-space: nowrap'")
    assert "cut" in {kind for kind, *_ in untidy(page)}


def test_lower_bounds_and_one_other_size_are_said(visit: Visit, reports: Mapping[str, Report]) -> None:
    """Bytes that leave something out are no amounts, in the table of values and of plans."""
    smooth = reports["smooth"]
    slider = smooth.cache.sliders[0]
    two = tuple(dataclasses.replace(slider, parameter=name, others=((other, 100),)) for name, other in ("nm", "mn"))
    rows = tuple(dataclasses.replace(row, least=row.decision == "store") for row in smooth.cache.rows)
    plans = (Plan("minimum-cut", "8*n", two, 1e-6, bound="at least"), Plan("store-all", "16*n", two, 2e-6))
    cache = dataclasses.replace(smooth.cache, sliders=two, rows=rows)
    page = visit(dataclasses.replace(smooth, cache=cache, plans=plans))
    page.click("[data-tab=cache]")
    assert "Each slider moves alone: the other size is 100." in page.inner_text("fieldset")
    first, second = (page.locator(".plot tbody tr").nth(k).inner_text().split("\t") for k in range(2))
    assert [text.startswith("at least ") for text in (*first[1:3], *second[1:3])] == [True, True, False, False]
    sizes = [text for text in page.locator(".slots td.size").all_inner_texts() if text]
    assert sizes
    assert all(text.startswith("at least ") for text in sizes)


def test_long_formulas_of_plans_stay_on_the_page(visit: Visit, kernels: Mapping[str, Report]) -> None:
    gmm = kernels["gmm"]
    total = " + ".join(f"{k}*n*d*k" for k in range(8, 28))
    plans = tuple(Plan(name, total, gmm.cache.sliders, 1e-6) for name in ("minimum-cut", "store-all"))
    page = visit(dataclasses.replace(gmm, plans=plans), reduced_motion="reduce")
    page.set_viewport_size({"width": 1024, "height": 900})
    page.click("[data-tab=cache]")
    assert untidy(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
