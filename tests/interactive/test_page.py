"""The exported page in a browser, by mouse: every tab, the chain of reasons, choices, filters, sliders, steps."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.checks import following
from enzyme_magic.points import CostRow, Costs
from enzyme_magic.report import Check, LoopCopy, Report, Trace
from enzyme_magic.viz import facts
from enzyme_magic.viz.drawing.chart import LEFT, RIGHT, WIDTH
from enzyme_magic.viz.interactive.frame import Framed

Visit = Callable[..., Any]
Reports = dict[str, Report]


def keys(page: Any, mark: str, scope: str = "") -> set[str]:
    """The keys of the elements of `scope` that carry a mark."""
    found: list[str] = page.locator(f"{scope} .{mark}[data-key]").evaluate_all("all => all.map(e => e.dataset.key)")
    return set(found)


def tab(page: Any, name: str) -> None:
    page.click(f"[data-tab={name}]")
    assert page.get_attribute(f"[data-tab={name}]", "aria-selected") == "true"


def row(report: Report, opcode: str) -> str:
    """The first instruction of that kind."""
    return next(row.identifier for row in report.activity.rows() if row.opcode == opcode)


def test_source_line_lights_its_chain(visit: Visit) -> None:
    page = visit("smooth")
    page.click(".source [data-key=L4]")
    assert keys(page, "selected", ".source") == {"L4"}
    assert {"L1", "L4", "L5"} <= keys(page, "chain", ".source")  # from the parameter to the line of the result
    why = page.inner_text("aside")
    assert "what a points to holds active data on entry" in why
    assert "the returned value is what smooth is differentiated for" in why


def test_headings_of_reasons_are_in_c(visit: Visit) -> None:
    page = visit("smooth")
    page.click(".source [data-key=L4]")
    headings = page.locator("aside h4").all_inner_texts()
    assert any(heading.startswith("a[i] = ") for heading in headings)
    assert [heading for heading in headings if "%" in heading or heading == "br"] == []


def test_an_inactive_instruction_says_why(visit: Visit, reports: Reports) -> None:
    page = visit("smooth")
    tab(page, "activity")
    page.click(f"svg [data-key={row(reports['smooth'], 'icmp')}]")
    assert "inactive" in page.inner_text("aside")
    assert page.locator("svg .overlay.selected").count() == 1


def test_a_click_in_the_graph_lights_source_ir_and_cache(visit: Visit, reports: Reports) -> None:
    report = reports["smooth"]
    load = next(row for row in report.activity.rows() if row.slot and row.opcode == "load")
    page = visit("smooth")
    for name in ("cache", "ir", "activity"):
        tab(page, name)
    page.click(f"svg [data-key={load.identifier}]")
    assert load.identifier in keys(page, "selected", ".ir")
    assert load.slot in keys(page, "selected", ".slots")
    assert f"L{load.line}" in keys(page, "same-line", ".source")
    assert page.locator("svg .overlay.chain").count() > 1


def test_a_fact_leads_on(visit: Visit) -> None:
    page = visit("smooth")
    page.click(".source [data-key=L8]")
    page.click("aside li button >> nth=0")
    assert page.inner_text("aside h3").startswith("Instruction")
    assert keys(page, "same-line", ".source") == {"L8"}
    page.keyboard.press("Escape")
    assert page.inner_text("aside h3") == "Why?"
    assert page.locator(".selected, .chain, .same-line").count() == 0


def test_active_parameters_change_the_graph(visit: Visit, reports: Reports) -> None:
    report = reports["smooth"]
    chosen = report.selection("a")
    assert chosen is not None
    page = visit("smooth")
    tab(page, "activity")
    page.uncheck("label:has-text('w') >> nth=0 >> input")
    drawn = page.locator("svg g.cell.active, svg g.cell.cached").evaluate_all("all => all.map(e => e.dataset.key)")
    stored = {row.identifier for row in report.activity.rows() if row.slot}
    assert set(drawn) - stored == set(chosen.active) - stored
    said = page.inner_text(".change >> nth=0")
    gone = {row.identifier for row in report.activity.rows() if row.verdict.active} - set(chosen.active)
    assert f"{len(gone) + 1} became inactive" in said  # and the parameter itself
    assert "previous choice (a, w)" in said


def test_hide_inactive_and_directions(visit: Visit, reports: Reports) -> None:
    rows = reports["smooth"].activity.rows()
    page = visit("smooth")
    tab(page, "activity")
    page.check("label:has-text('as rows') input")
    page.check("label:has-text('hide inactive') input")
    shown = page.locator(".instructions .row:visible").evaluate_all("all => all.map(e => e.dataset.key)")
    assert [key for key in shown if key.startswith("i")] == [row.identifier for row in rows if row.verdict.active]
    assert "inactive" in page.inner_text(".folded >> nth=1")
    page.check("label:has-text('varies') input")
    shown = page.locator(".instructions .row:visible").evaluate_all("all => all.map(e => e.dataset.key)")
    assert [key for key in shown if key.startswith("i")] == [row.identifier for row in rows if row.verdict.varies]


def test_ir_filters(visit: Visit) -> None:
    page = visit("smooth")
    tab(page, "ir")
    page.select_option("fieldset select >> nth=0", "input")
    page.select_option("fieldset select >> nth=1", "")
    text = page.inner_text(".ir")
    assert "define double @smooth" in text
    for hidden in ("#dbg_", "!dbg", "lifetime", "attributes #", "noundef", "relu3"):
        assert hidden not in text
    for label, word in (
        ("lifetimes", "llvm.lifetime"),
        ("other functions", "relu3"),
        ("debug records", "#dbg_declare"),
    ):
        page.uncheck(f"fieldset label:has-text('{label}') input")
        assert word in page.inner_text(".ir")


def test_words_of_llvm_are_highlighted_whatever_its_release(visit: Visit, reports: Reports) -> None:
    """By lexical grammar, not by a list of words: attributes, flags and records of LLVM 22, and one that no release has yet."""
    report = reports["smooth"]
    line = '  %"a b" = call nuw samesign nofpclass(nan) float @"f g"(ptr dead_on_unwind captures(none) %p, i32 -1) brandnew #7'
    old = report.stage("optimized")
    text = re.sub(r"(\{\n\w+:.*\n)", lambda found: found[1] + line + "\n", old.text, count=1)
    page = visit(dataclasses.replace(report, stages=(dataclasses.replace(old, text=text),)))
    tab(page, "ir")
    for label in ("attributes", "metadata"):
        page.uncheck(f"fieldset label:has-text('{label}') input")
    shown = page.locator(".ir .row:has-text('samesign') code >> nth=0")
    assert shown.inner_text().strip() == line.strip()

    def of(kind: str) -> set[str]:
        return set(shown.locator(f".{kind}").all_inner_texts())

    assert {"call", "nuw", "samesign", "nofpclass", "dead_on_unwind", "captures", "brandnew"} <= of("word")
    assert of("value") == {'%"a b"', "%p"}
    assert of("global") == {'@"f g"'}
    assert of("type") == {"float", "ptr", "i32"}


def test_ir_diff_and_search(visit: Visit) -> None:
    page = visit("smooth")
    tab(page, "ir")
    page.select_option("fieldset select >> nth=0", "optimized")
    page.select_option("fieldset select >> nth=1", "optimized")
    summary = page.inner_text("[role=tabpanel]:visible .change")
    assert " 0 renamed, 0 changed, 0 gone, 0 new" in summary
    page.fill("input[type=search]", "fcmp")
    assert page.inner_text("output >> nth=0") == "1 of 2"
    page.press("input[type=search]", "Enter")
    assert page.inner_text("output >> nth=0") == "2 of 2"
    page.fill("input[type=search]", "nothing like it")
    assert page.inner_text("output >> nth=0") == "not found"


def test_the_diff_survives_renaming(visit: Visit, reports: Reports) -> None:
    report = reports["smooth"]
    old = report.stage("optimized")
    text = re.sub(r"^([\w.]+):", r"new.\1:", re.sub(r"%([\w.]+)", r"%new.\1", old.text), flags=re.M)
    other = re.sub(r"(fcmp ogt double) (\S+), \S+", r"\1 \2, 2.0", text)
    assert text != other

    def summary(changed: str) -> str:
        new = dataclasses.replace(old, name="gradient", text=changed)
        page = visit(dataclasses.replace(report, stages=(old, new)))
        tab(page, "ir")
        return str(page.inner_text("[role=tabpanel]:visible .change"))

    assert " 0 changed, 0 gone, 0 new." in summary(text)
    assert " 1 changed, 1 gone, 1 new." in summary(other)  # the select takes another comparison now
    swapped = re.sub(r"(fmuladd\.f64\()(double \S+), (double %new\.store\S+), ", r"\1\3, \2, ", text)
    assert swapped != text
    assert " 1 changed, 0 gone, 0 new." in summary(swapped)  # the same operation on other values


def test_the_head_says_the_size_as_the_pictures_do(visit: Visit, reports: Reports) -> None:
    smooth = reports["smooth"]
    page = visit(smooth)
    assert f"stored: {facts.short_total(smooth)}" in page.inner_text(".inspector header")
    long = " + ".join(f"{k}*n*m" for k in range(8, 28))
    page = visit(dataclasses.replace(smooth, cache=dataclasses.replace(smooth.cache, total=long)))
    assert "stored: 350.0 MB at n = 1000, m = 1000" in page.inner_text(".inspector header")


def test_a_line_without_instructions_says_what_is_known_of_it(visit: Visit) -> None:
    report = em.compile_c(
        "double f(double x, int n) {\n  double y = x;\n  for (int i = 0; i < n; i++) y = sin(y);\n  return y;\n}"
    ).f.report
    page = visit(report)
    page.locator(".source .row").nth(1).click()
    assert "active: y = x" in page.inner_text("aside[aria-label=reasons]")


def test_cache_slider(visit: Visit, reports: Reports) -> None:
    slider = reports["smooth"].cache.sliders[0]
    page = visit("smooth")
    tab(page, "cache")
    at = slider.values.index(100)
    page.fill("input[type=range]", str(at))
    assert f"n = 100: {slider.totals[at] / 1000:.1f} kB" in page.inner_text("fieldset:visible output")
    first = page.inner_text(".slots tbody tr >> nth=0")
    assert f"{dict(slider.rows)['s0'][at]} B" in first
    slot = next(row.identifier for row in reports["smooth"].cache.stored() if row.overwritten_line is not None)
    page.click(f".slots tr[data-key={slot}]")
    assert "overwrites" in page.inner_text("aside")
    page.click("summary:has-text('as a diagram')")
    page.wait_for_selector(f"details svg [data-key={slot}]")
    assert page.locator(f"details svg [data-key={slot}].selected").count() >= 2


def test_bytes_of_loops_that_count_themselves_have_their_unit_behind_the_number(visit: Visit, reports: Reports) -> None:
    own = reports["smooth"]
    for total, said in (
        ("iterations of the loop at line 4", "1 B × iterations of the loop at line 4"),
        ("8*n + 8 × iterations of the loop at line 4", "8·n B + 8 B × iterations of the loop at line 4"),
        ("16*n", "16·n bytes"),
    ):
        page = visit(
            dataclasses.replace(own, cache=dataclasses.replace(own.cache, total=total, measured=None, bound=""))
        )
        tab(page, "cache")
        assert f"In total: {said}." in page.inner_text("fieldset:visible >> nth=0")


def test_cache_alternatives(visit: Visit, reports: Reports) -> None:
    page = visit("smooth")
    tab(page, "cache")
    for other in reports["smooth"].cache.alternatives:
        assert other.total.replace("*", "·") in page.inner_text("[role=tabpanel]:visible")


def test_plans_that_were_compared(visit: Visit, reports: Reports) -> None:
    page = visit("smooth")
    tab(page, "cache")
    assert page.locator(".trade-off circle").count() == 3
    assert page.is_disabled("text=compare the plans")
    rows = page.locator(".plot tbody tr")
    assert [rows.nth(k).inner_text().split("\t")[0] for k in range(3)] == ["minimum-cut", "store-all", "recompute-all"]
    before = rows.nth(1).inner_text()
    page.fill("input[type=range]", "1")
    assert rows.nth(1).inner_text() != before
    size = reports["smooth"].cache.sliders[0].values[1]
    assert page.inner_text(".plot caption") == f"The plans beside one another: bytes at n = {size}, times of the call"


def test_steps(visit: Visit) -> None:
    page = visit("relu3")
    tab(page, "steps")
    titles = [page.inner_text("[role=tabpanel]:visible .change")]
    while page.is_enabled("text=next →"):
        page.click("text=next →")
        titles.append(page.inner_text("[role=tabpanel]:visible .change"))
    assert "are active" in titles[0]
    assert "adjoints" in titles[-2]
    assert "optimized" in titles[-1]
    page.click("text=← back")
    assert page.locator(".steps .row.added").count() > 0


def test_values_step_by_step(visit: Visit, reports: Reports) -> None:
    (trace,) = reports["smooth"].traces
    page = visit("smooth")
    tab(page, "values")
    heights, said = [], []
    for moment in range(len(trace.steps)):
        said.append(page.inner_text(".sentence code"))
        heights.append(page.locator(".tape .cell").count())
        if moment + 1 < len(trace.steps):
            page.click("text=next → >> visible=true")
    assert page.is_disabled("text=next → >> visible=true")
    most = heights.index(max(heights))
    assert max(heights) == len(trace.tape)
    assert heights[:most] == sorted(heights[:most])
    assert heights[most:] == sorted(heights[most:], reverse=True)
    assert heights[-1] == 0
    assert "a[1] is 1.4" in said
    assert any("gives 2.8 to a[1], 2.52 to" in text for text in said)
    assert "gradient: a: [2.52, 2.8, 0, 0], w: [0, 2.8, 0, 0]" in page.inner_text(".sentence")
    page.click("button:text-is('start')")
    assert page.inner_text(".sentence code") == said[0]
    page.click("button:text-is('to the reverse sweep')")
    assert page.inner_text(".sentence b") == "reverse"
    assert page.locator(".sweeps .row.now").get_attribute("data-line") == "8"


def test_the_kink_is_marked(visit: Visit) -> None:
    page = visit("relu3")
    tab(page, "values")
    assert "kink where x = 0" in page.inner_text(".kink")
    assert page.locator(".kink.here").count() == 0
    page.select_option("select[aria-label='the call']", label="relu3(0)")
    assert "exactly on it" in page.inner_text(".kink.here")
    assert page.inner_text(".tape .head") == "tape: not needed"


def test_no_call_to_follow(visit: Visit, reports: Reports) -> None:
    page = visit(dataclasses.replace(reports["relu3"], traces=()))
    tab(page, "values")
    assert "follows no call" in page.inner_text("[role=tabpanel]:visible")
    page = visit(dataclasses.replace(reports["relu3"], traces=(Trace("relu3", reason="it is not called"),)))
    tab(page, "values")
    assert "No steps to show: it is not called." in page.inner_text("[role=tabpanel]:visible")


def test_quiz(visit: Visit, reports: Reports) -> None:
    page = visit("smooth", quiz=True)
    assert page.is_disabled("[data-tab=source]")
    assert "stored" not in page.inner_text("header >> nth=1")
    lists = page.locator("select:visible")
    total = lists.count()
    for index in range(total):
        lists.nth(index).select_option("inactive" if "active" in lists.nth(index).inner_text() else "stored")
    right = sum(line.mark == "inactive" and bool(line.instructions) for line in reports["smooth"].source)
    right += len(reports["smooth"].cache.stored())
    page.click("button:text-is('reveal')")
    assert f"{right} of {total} right" in page.inner_text("[role=tabpanel]:visible")
    tab(page, "source")


def test_a_question_names_the_value_and_not_its_line(visit: Visit) -> None:
    """`t*c + b` is a part of the line, whatever order its sum has there."""
    function = em.compile_c("double cubic(double a, double b, double c, double t) { return a + t*(b + t*c); }").cubic
    page = visit(function.make_report(), quiz=True)
    asked = page.inner_text("[role=tabpanel]:visible").split("is the value stored for the reverse sweep?")[1]
    assert "t*c + b" in asked
    assert "return" not in asked


def test_without_a_script_the_pictures_are_there(visit: Visit, browser: Any, reports: Reports, tmp_path: Any) -> None:
    from enzyme_magic.viz.interactive.page import page as text

    path = tmp_path / "still.html"
    path.write_text(text(reports["relu3"]), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator("#em-inspector").is_hidden()
    assert page.locator("#activity svg >> nth=0").is_visible()
    context.close()


def test_numbers_that_are_not_finite(visit: Visit, reports: Reports) -> None:
    check = Check(True, "checked", 3, float("nan"))
    page = visit(dataclasses.replace(reports["relu3"], check=check))
    assert page.locator("[role=tab]").count() == 6


def test_what_is_stored_is_marked_though_it_carries_no_derivative(visit: Visit, reports: Reports) -> None:
    compare = next(row for row in reports["smooth"].activity.rows() if row.opcode == "fcmp")
    assert compare.slot is not None
    assert not compare.verdict.active
    page = visit("smooth")
    tab(page, "activity")
    assert "cached" in str(page.get_attribute(f"svg [data-key={compare.identifier}]", "class"))


def test_a_page_in_a_frame(browser: Any, reports: Reports, tmp_path: Any) -> None:
    data, _ = Framed(reports["smooth"])._repr_mimebundle_()
    assert {"image/svg+xml", "text/plain"} <= set(data)
    assert len(data["text/html"]) < 600_000
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><meta charset=utf-8>{data['text/html']}", encoding="utf-8")
    context = browser.new_context(offline=True, color_scheme="dark")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(path.as_uri())
    inner = page.frame_locator("iframe")
    for name in ("activity", "ir", "cache", "steps", "values", "source"):
        inner.locator(f"[data-tab={name}]").click()
    inner.locator(".source [data-key=L4]").click()
    inner.locator("aside", has_text="holds active data on entry").wait_for()
    inner.locator("[data-tab=activity]").click()
    assert inner.locator(".picture svg [data-key=i5]").count() == 1
    assert inner.locator(".inspector").get_attribute("data-theme") == "dark"
    context.close()
    assert errors == []


ODD = {
    "constant": "double constant(double x) { return 4; }",
    "itself": "double itself(double x) { return x; }",
    "power": "double power(double x, int n) { return n > 0 ? x * power(x, n - 1) : 1.0; }",
    "pair": "struct P { double x, y; };\ndouble pair(struct P p, struct P *q) { q->x = p.x * q->y; return q->x * q->x; }",
    "squares": "void squares(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= a[i]; }",
}
# Clicks, keys and changes in any order, most of them in the open tab; what they throw fails the test (see `visit`).
MONKEY = """(seed) => {
  const root = document.getElementById("em-inspector").shadowRoot;
  let state = seed;
  const pick = (items) => { state = (state * 1103515245 + 12345) % 2147483648; return items[state % items.length]; };
  for (let turn = 0; turn < 150; turn++) {
    const open = root.querySelector("[role=tabpanel]:not([hidden])");
    const what = pick(["tab", "click", "click", "key", "change", "change"]);
    if (what === "tab") pick([...root.querySelectorAll("[role=tab]")]).click();
    else if (what === "click") {
      const targets = [...open.querySelectorAll("button, [data-key], input"), root.querySelector("aside")];
      pick(targets).dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
    } else if (what === "key") {
      const key = pick(["j", "k", "Enter", "Escape", "/", "ArrowLeft", "ArrowRight", "ArrowDown", "Home"]);
      open.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
    } else {
      const field = pick([...open.querySelectorAll("select, input[type=range], input[type=search]"), null]);
      if (!field) continue;
      if (field.tagName === "SELECT") field.selectedIndex = state % field.options.length;
      else field.value = field.type === "search" ? pick(["fmul", "%", ""]) : String(state % 7);
      for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
    }
    const now = root.querySelector("[role=tabpanel]:not([hidden])");
    if (!now.textContent.trim()) throw new Error(`blank: ${now.id} after ${what}`);
  }
  return root.querySelectorAll("[role=tabpanel]:not([hidden])").length;
}"""


@pytest.mark.parametrize("name", ["smooth", "relu3", *ODD])
def test_any_order(name: str, visit: Visit, reports: Reports) -> None:
    if name in reports:
        report = reports[name]
    else:
        function = em.compile_c(ODD[name])[name]
        report = following.of_small_numbers(function, None, function.report)
    page = visit(report, quiz=name == "smooth")
    for seed in (1, 2, 3):
        assert page.evaluate(MONKEY, seed) == 1


def test_forward_mode(visit: Visit) -> None:
    page = visit(em.compile_c("double f(double x, double y) { return x * sin(y); }").f.make_report(mode="forward"))
    for name in ("activity", "ir", "cache", "steps", "values"):
        tab(page, name)
        assert page.inner_text("[role=tabpanel]:visible").strip()
    assert page.evaluate(MONKEY, 4) == 1


def test_passes_one_by_one(visit: Visit) -> None:
    """Each pass with its sentence; the lines that are said to be gone and new are those of the record."""
    function = em.compile_c(
        "double cube(double x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x*x*i; return s; }"
    ).cube
    found = function.passes()
    page = visit(dataclasses.replace(function.report, passes=found.passes))
    tab(page, "ir")
    page.click(".passes summary")
    listed = page.locator(".passes .together li").all_inner_texts()
    assert [found.sentence in text for found, text in zip(found.optimizations, listed, strict=True)].count(False) == 0
    page.click(".passes button:has-text('next')")
    for number, step in enumerate(found[:12], 1):
        assert step.caption in page.inner_text(".passes .change")
        assert page.locator(".passes .row.new").count() == sum(len(change.lines) for change in step.changes)
        assert page.locator(".passes .row.gone").count() == sum(change.gone for change in step.changes)
        assert f"{number} of {len(found)}" in page.inner_text(".passes .change")
        page.focus(".passes input[type=range]")
        page.keyboard.press("ArrowRight")
    page = visit("relu3")
    tab(page, "ir")
    page.click(".passes summary")
    page.get_by_text("need a kernel").wait_for()  # it is written when the box has opened


def test_memory_over_time(visit: Visit) -> None:
    """The drawing, and every number of it in a table."""
    source = "double flow(double x, int n) { double v = x; for (int i = 0; i < n; i++) v = sin(v)*v; return v; }"
    report = em.compile_c(source).flow.memory((0.5, 9)).report
    assert report.cache.measured is not None
    curve = report.cache.measured.curve
    assert curve is not None
    page = visit(report)
    tab(page, "cache")
    assert page.locator(".memory svg polygon").count() == 1
    page.click(".memory summary")
    page.locator(".memory tbody tr").first.wait_for()
    told = page.locator(".memory tbody tr").evaluate_all("all => all.map(e => [...e.cells].map(c => c.innerText))")
    assert [row[0] for row in told] == [str(moment) for moment in curve.moments]
    assert [row[2] for row in told] == [f"{total} B" for total in curve.totals()]
    assert told[-1][1:] == ["reverse sweep", "0 B"]


def test_predicted_and_actual_activity(visit: Visit) -> None:
    source = (
        "double f(double x, double y, int n) { double s = x;"
        " for (int i = 0; i < n; i++) s += y > 9 ? sin(x*y) : y; return s; }"
    )
    report = em.compile_c(source).f.activity(at=(1.0, 2.0, 3)).report
    assert report.watched is not None
    active = {row.identifier for row in report.activity.rows() if row.verdict.active}
    idle = {row.identifier for row in report.watched.rows if row.identifier in active and not row.carried}
    page = visit(report)
    tab(page, "activity")
    page.check("label:has-text('this call') input")
    drawn = page.locator("svg g.cell.idle").evaluate_all("all => all.map(e => e.dataset.key)")
    assert idle
    assert set(drawn) == idle
    assert f"{len(idle)} {'was' if len(idle) == 1 else 'were'} predicted and did not" in page.inner_text(
        ".change >> nth=0"
    )
    page.check("label:has-text('both') input")
    assert page.locator("svg g.cell.idle").count() == 0


def test_rows_of_which_the_call_does_not_tell_have_their_mark(visit: Visit) -> None:
    """An address carries no number: the drawing of a watched call leaves its mark out, and the other views of it put it in."""
    text = "void twice(double *x) { x[0] *= 2; } double f(double *x, int n) { twice(x + n); return x[n]*x[0]; }"
    report = em.compile_c(text).f.activity(at=(np.array([1.0, 2.0, 3.0]), 2)).report
    address = next(row.identifier for row in report.activity.rows() if row.opcode == "getelementptr")
    page = visit(report)
    tab(page, "activity")
    sign = f"svg .node:has(#a_{address}) text.sign.active"
    drawn = "all => all.map(e => e.nextElementSibling?.id || '')"
    assert f"a_{address}" in page.locator(sign).evaluate_all(drawn)
    fill = f"getComputedStyle(document.querySelector('#em-inspector').shadowRoot.querySelector('#a_{address} polygon')).fill"
    active = "svg g.cell.active polygon"
    assert page.evaluate(fill) == page.locator(active).first.evaluate("e => getComputedStyle(e).fill")
    page.check("label:has-text('this call') input")
    assert f"a_{address}" not in page.locator(sign).evaluate_all(drawn)


def test_three_panes_are_linked(visit: Visit, reports: Reports) -> None:
    """A line lights up its statements in the gradient and its instructions in the IR, and no others; links are the record's."""
    report = reports["smooth"]
    assert report.gradient_c is not None
    page = visit("smooth")
    page.check("label:has-text('beside it') input")
    statements = re.findall(r"^(.*?)\s*/\* line (\d+)(?:: (.*))? \*/$", report.gradient_c.text, re.MULTILINE)
    gradient = ".pane >> nth=0"
    assert statements
    for number in sorted({int(line) for _, line, _ in statements}):
        page.click(f".trio > .listing [data-key=L{number}]")
        lit = page.locator(f"{gradient} >> .row.selected > code").all_inner_texts()
        assert [text.strip() for text in lit] == [text.strip() for text, line, _ in statements if int(line) == number]
        own = {row.identifier for row in report.activity.rows() if row.line == number}
        rows = page.locator(".pane >> nth=1 >> .row.same-line").evaluate_all("all => all.map(e => e.dataset.key)")
        assert set(rows) == own
    rules = {(row.line, row.rule) for row in report.activity.rows() if row.rule}
    told = {(int(line), rule) for _, line, rule in statements if rule and rule.startswith("d (")}
    assert told <= rules
    load = next(row for row in report.activity.rows() if row.opcode == "load" and row.line)
    page.click(f".pane >> nth=1 >> [data-key={load.identifier}]")
    assert f"L{load.line}" in keys(page, "same-line", ".trio")
    page.uncheck("label:has-text('beside it') input")
    assert page.locator(".pane").count() == 0


def test_nothing_is_on_the_page_twice(visit: Visit) -> None:
    """With a script the pictures below are folded away, and one click brings them back. The request is said once."""
    page = visit("smooth")
    assert page.get_by_text("gradient with respect to a, w").locator("visible=true").count() == 1
    assert not page.locator("main section#source").is_visible()
    page.click("#em-more")
    assert page.locator("main section#source").is_visible()
    assert page.get_attribute("#em-more", "aria-expanded") == "true"


SEEN = """(selector) => {
  const element = document.getElementById("em-inspector").shadowRoot.querySelector(`[role=tabpanel]:not([hidden]) ${selector}`);
  const [box, own] = [element.closest(".listing, .picture").getBoundingClientRect(), element.getBoundingClientRect()];
  return own.top >= box.top - 2 && own.bottom <= box.bottom + 2;
}"""


def test_the_function_and_the_selection_are_in_sight(visit: Visit) -> None:
    """Other functions of the text stand above it; what is selected is seen in each tab."""
    others = "".join(f"double other{n}(double x) {{ return {n}*x; }}\n" for n in range(90))
    body = "".join(f"  s = s*x + {n};\n" for n in range(90))
    report = em.compile_c(f"{others}double last(double x) {{\n  double s = x;\n{body}  return s;\n}}\n").last.report
    page = visit(report)
    assert page.evaluate(SEEN, ".source [data-key=L91]")
    final = max(line.number for line in report.source if line.instructions)
    chosen = [row.identifier for row in report.activity.rows() if row.line == final]
    tab(page, "activity")
    page.check("label:has-text('as rows') input")
    page.locator(f".instructions [data-key={chosen[-1]}]").click()
    for name, place in (("source", ".same-line"), ("activity", ".row.selected"), ("ir", ".selected, .same-line")):
        tab(page, name)
        if name == "ir":
            page.select_option("fieldset select >> nth=0", "optimized")
        assert page.evaluate(SEEN, place), name


def drawn(page: Any) -> set[str]:
    found: list[str] = page.locator(".picture svg [data-key]").evaluate_all("all => all.map(e => e.dataset.key)")
    return set(found)


def test_folded_loops_open(visit: Visit) -> None:
    """By mouse and by keyboard; a search leads to what is folded; no id is on the page twice."""
    text = Path(__file__).parents[1].joinpath("explain", "ten_kernels.c").read_text(encoding="utf-8")
    report = em.compile_c(text).gmm.report
    page = visit(report)
    tab(page, "activity")
    top = drawn(page)
    everything = {row.identifier for row in report.activity.rows()}
    assert not everything <= top
    box = page.locator("svg .fold[aria-label^='open loop i']")
    box.locator("text >> nth=0").click()
    assert page.inner_text(".trail [aria-current]") == "loop i"
    outer = drawn(page)
    assert outer - top
    page.locator("svg .fold[aria-label^='open loop j']").focus()
    page.keyboard.press("Enter")
    assert page.inner_text(".trail [aria-current]") == "loop j"
    assert drawn(page) - outer
    page.keyboard.press("Backspace")
    assert page.inner_text(".trail [aria-current]") == "loop i"
    page.click(".trail button >> nth=0")
    assert not page.locator(".trail").is_visible()
    assert drawn(page) == top
    page.locator("[role=tabpanel]:visible").focus()
    page.keyboard.press("/")
    page.keyboard.type("line 77")
    found = [row.identifier for row in report.activity.rows() if row.line == 77]
    assert page.inner_text("[role=tabpanel]:visible output >> nth=0") == f"1 of {len(found)}"
    for number in range(len(found)):
        (chosen,) = keys(page, "selected", ".picture svg")
        assert chosen == found[number]
        assert page.evaluate(SEEN, f"svg [data-key={chosen}]")
        page.keyboard.press("Enter")
    assert page.locator("svg.map").is_visible()
    assert page.locator("svg.map rect").count() > 2
    before = page.evaluate("document.getElementById('em-inspector').shadowRoot.querySelector('.picture').scrollTop")
    page.locator("svg.map").click(position={"x": 20, "y": 60 if before < 100 else 2})
    after = page.evaluate("document.getElementById('em-inspector').shadowRoot.querySelector('.picture').scrollTop")
    assert after != before
    ids = page.evaluate("[...document.querySelectorAll('svg [id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_what_moved_and_what_is_repeated(visit: Visit, reports: Reports) -> None:
    """Of the same C line, at another place or in vectors; a run of repeated operations is one row that opens."""
    report = reports["smooth"]
    old = report.stage("optimized")
    lines = old.text.split("\n")
    at = next(k for k, line in enumerate(lines) if " fcmp ogt double " in line)
    moved = [*lines[: at - 2], lines[at], *lines[at - 2 : at], *lines[at + 1 :]]
    wide = re.sub(r"%\S+ = (fcmp \w+) double (\S+), (\S+),", r"%wide{} = \1 <4 x double> \2, \3,", lines[at])
    assert "<4 x double>" in wide
    end = next(k for k, line in enumerate(moved) if " ret double " in line)
    repeated = [*moved[:end], *(wide.replace("{}", str(k)) for k in range(5)), *moved[end:]]
    page = visit(
        dataclasses.replace(report, stages=(old, dataclasses.replace(old, name="gradient", text="\n".join(repeated))))
    )
    tab(page, "ir")
    said = page.inner_text("[role=tabpanel]:visible > .change")
    number = next(row.line for row in report.activity.rows() if row.opcode == "fcmp")
    assert " 0 gone, 0 new. 1 more line is found in another place." in said
    assert f" 5 more lines repeat operations of the same C lines (line {number}; 5 in vectors of 4)." in said
    button = page.locator(".ir .row.copy button")
    assert "5 more lines of operations that were there before" in button.inner_text()
    assert page.locator(".ir .row.copy code:visible").count() == 0
    button.press("Enter")
    assert page.locator(".ir .row.copy code:visible").count() == 5
    assert button.get_attribute("aria-expanded") == "true"


def test_loops_made_of_others_are_folded_under_their_names(visit: Visit, reports: Reports) -> None:
    report = reports["smooth"]
    old = report.stage("optimized")
    lines = old.text.split("\n")
    added = ["vector.body:", *(f"  %wide{k} = fadd <4 x double> %a, %b" for k in range(3)), "  br label %vector.body"]
    at = lines.index("}", next(k for k, line in enumerate(lines) if line.startswith("define ")))
    text = "\n".join([*lines[:at], *added, *lines[at:]])
    copies = (LoopCopy("for.body", ("vector.body",), 4, 2),)
    page = visit(
        dataclasses.replace(report, stages=(old, dataclasses.replace(old, name="gradient", text=text, copies=copies)))
    )
    tab(page, "ir")
    said = page.inner_text("[role=tabpanel]:visible > .change")
    assert "4 more lines are in loops that take several iterations at once." in said
    inside = next(block.c_lines for block in old.blocks if block.name == "for.body")
    with_lines = f"the loop with lines {inside[0]}–{inside[-1]} (forward sweep)"
    assert f"In vectors: {with_lines} × 4 lanes × 2 (vector.body)." in said
    button = page.locator(".ir .row.copy button")
    assert button.inner_text() == "for.body × 4 lanes × 2: 4 lines"
    button.click()
    assert page.locator(".ir .row.copy code:visible").count() == 4


def test_names_that_contain_an_attribute_are_left_alone(visit: Visit, reports: Reports) -> None:
    old = reports["relu3"].stage("optimized")
    text = old.text.replace(
        "entry:", "entry:\n  %readonly.x = call noundef double @llvm.some.noalias.f(double noundef %x)", 1
    )
    page = visit(dataclasses.replace(reports["relu3"], stages=(dataclasses.replace(old, text=text),)))
    tab(page, "ir")
    assert "%readonly.x = call double @llvm.some.noalias.f(double %x)" in page.inner_text(".ir")


def test_curves_and_times(visit: Visit) -> None:
    """The plots of `f.show("curve")` and `f.cost()` in the page: the drawing, a cursor for keys, every point as text."""
    function = em.compile_c("double f(double x, double y) { return x > 1 ? x*y : y; }").f
    curve = function.show("curve", over="x", at=(0.5, 3.0)).record
    costs = Costs("f", "f(0.5, 3)", "", (CostRow("function", False, 2e-9), CostRow("gradient", False, 6e-9)), True)
    page = visit(dataclasses.replace(function.report, curves=(curve,), costs=costs))
    tab(page, "values")
    assert page.locator(".plots svg").count() == 2
    assert "kink at 1 (line 1)" in page.inner_text(".plots ul")
    page.click(".plots figure summary")
    rows = page.locator(".plots figure tbody tr").evaluate_all(
        "all => all.map(e => [...e.cells].map(c => Number(c.innerText)))"
    )
    expected = [[p.x, p.value, p.gradient, p.difference] for p in curve.points]
    assert rows == [pytest.approx(row, rel=1e-5) for row in expected]
    page.focus(".plots input[type=range]")
    places = []
    for key, point in (("Home", expected[0]), ("ArrowRight", expected[1]), ("End", expected[-1])):
        page.keyboard.press(key)
        assert f"x = {point[0]:.6g}: value {point[1]:.6g}" in page.inner_text(".plots output")
        places.append(float(page.get_attribute(".plots .cursor", "x1")))
    share = (expected[1][0] - expected[0][0]) / (expected[-1][0] - expected[0][0])
    assert places == pytest.approx([LEFT, LEFT + share * (WIDTH - RIGHT - LEFT), WIDTH - RIGHT])
    assert "the gradient takes 3 times as long as the function" in page.locator(".plots").last.text_content()


def test_a_page_without_plots_says_how_to_get_them(visit: Visit) -> None:
    page = visit("relu3")
    tab(page, "values")
    page.click(".plots summary >> nth=0")
    page.get_by_text('f.export("f.html", view="curve", over="x")').wait_for()


def test_the_page_ends_where_its_last_line_does(visit: Visit) -> None:
    """What is hidden in a listing that scrolls makes the page no longer: there is one scrollbar, not two."""
    others = "".join(f"double g{k}(double x) {{ return x*{k}; }}\n" for k in range(60))
    page = visit(em.compile_c(f"double f(double x) {{ return x*x; }}\n{others}").f.report, reduced_motion="reduce")
    page.set_viewport_size({"width": 1024, "height": 300})
    for name in ("source", "activity", "ir", "cache", "steps", "values"):
        tab(page, name)
        end, bottom = page.evaluate(
            "[document.documentElement.scrollHeight, document.querySelector('footer').getBoundingClientRect().bottom + scrollY]"
        )
        assert end <= bottom + 40, name
