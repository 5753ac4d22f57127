"""For everybody: the keyboard alone, roles, contrast in both themes, forced colours, reduced motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .measuring import contrasts

Visit = Callable[..., Any]
TABS = ("source", "activity", "ir", "cache", "steps", "values")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast(visit: Visit, theme: str) -> None:
    page = visit("smooth", theme=theme, reduced_motion="reduce")
    measured = 0
    for name in TABS:
        page.click(f"[data-tab={name}]")
        if name == "activity":
            page.uncheck("label:has-text('w') >> nth=0 >> input")
        if name == "steps":
            page.click("text=next → >> visible=true")
        if name == "values":
            page.click("button:text-is('to the reverse sweep')")
            page.click("text=next → >> visible=true")
        if name == "cache":
            page.click("summary:has-text('as a diagram')")
            page.wait_for_selector("details svg")
        if name in ("source", "activity", "cache"):
            page.locator("[role=tabpanel]:visible [data-key]").nth(3).click(position={"x": 3, "y": 3})
        found = contrasts(page)
        measured += len(found)
        assert [item for item in found if item[1] < 4.5] == [], (theme, name)
    assert measured > 500


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast_of_the_quiz(visit: Visit, theme: str) -> None:
    page = visit("smooth", theme=theme, quiz=True)
    page.click("button:text-is('reveal')")
    assert [item for item in contrasts(page) if item[1] < 4.5] == []


def test_keys_alone(visit: Visit) -> None:
    page = visit("smooth")
    page.focus("[data-tab=source]")
    page.keyboard.press("Tab")
    page.keyboard.press("j")
    assert page.inner_text("aside h3") == "Line 3"
    page.keyboard.press("ArrowDown")
    assert page.inner_text("aside h3") == "Line 4"
    page.keyboard.press("k")
    assert page.inner_text("aside h3") == "Line 3"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the first fact
    assert page.inner_text("aside h3").startswith("Instruction")
    page.keyboard.press("Escape")
    assert page.inner_text("aside h3") == "Why?"
    page.keyboard.press("/")
    page.keyboard.type("fcmp")
    assert page.get_attribute("[data-tab=ir]", "aria-selected") == "true"
    assert page.inner_text("output >> nth=0").startswith("1 of")
    page.keyboard.press("Enter")
    assert page.inner_text("output >> nth=0").startswith("2 of")


def test_the_graph_by_keys(visit: Visit) -> None:
    page = visit("smooth")
    page.focus("[data-tab=source]")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getElementById('em-inspector').shadowRoot.activeElement.dataset.tab") == "activity"
    page.keyboard.press("Tab")
    page.keyboard.press("j")
    assert page.inner_text("aside h3") == "Parameter a"
    for _ in range(3):
        page.keyboard.press("j")
    assert page.inner_text("aside h3") == "Instruction 1 of 25"
    label = page.evaluate("document.getElementById('em-inspector').shadowRoot.activeElement.getAttribute('aria-label')")
    assert label.startswith("Instruction 1 of 25: %cmp15")
    assert "inactive" in label


def test_choices_by_keys(visit: Visit) -> None:
    page = visit("smooth")
    page.focus("[data-tab=source]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")  # the first parameter
    page.keyboard.press("Space")
    assert "with respect to w" in page.inner_text("[role=tabpanel]:visible .change")
    page.focus("[data-tab=activity]")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")  # the slider
    before = page.inner_text("fieldset:visible output")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("fieldset:visible output") != before
    page.focus("[data-tab=cache]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")  # the stepper's slider: back is disabled at the first step
    assert page.inner_text("[role=tabpanel]:visible .change").startswith("step 2 of")


def test_a_call_by_keys(visit: Visit) -> None:
    page = visit("smooth")
    page.focus("[data-tab=source]")
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    first = page.inner_text(".sentence")
    page.keyboard.press("ArrowRight")
    second = page.inner_text(".sentence")
    assert second != first
    page.keyboard.press("j")
    assert page.inner_text(".sentence") not in (first, second)
    page.keyboard.press("k")
    page.keyboard.press("ArrowLeft")
    assert page.inner_text(".sentence") == first
    assert page.locator(".sweeps [aria-current=step]").count() == 1


def test_the_measure_sees_bad_colours(visit: Visit) -> None:
    page = visit("relu3")
    page.evaluate("document.getElementById('em-inspector').shadowRoot.querySelector('header p').style.color = '#aaa'")
    assert [item[0][:8] for item in contrasts(page) if item[1] < 4.5] == ["gradient"]


def test_roles(visit: Visit) -> None:
    page = visit("relu3")
    tabs = page.locator("[role=tab]")
    assert [tabs.nth(k).get_attribute("tabindex") for k in range(tabs.count())] == ["0", "-1", "-1", "-1", "-1", "-1"]
    for k in range(tabs.count()):
        panel = page.locator(f"[id='{tabs.nth(k).get_attribute('aria-controls')}']")
        assert panel.get_attribute("aria-labelledby") == tabs.nth(k).get_attribute("id")


def test_forced_colours_and_reduced_motion(visit: Visit) -> None:
    page = visit("smooth", forced_colors="active", reduced_motion="reduce")
    page.click(".source [data-key=L4]")
    style = page.evaluate(
        "(e => [getComputedStyle(e).outlineStyle, getComputedStyle(e).transitionDuration])"
        "(document.getElementById('em-inspector').shadowRoot.querySelector('.row.selected'))"
    )
    assert style == ["solid", "0s"]
    page.click("[data-tab=values]")
    now = page.evaluate(
        "(e => [...e.querySelectorAll('.sweeps .row')].map(row => getComputedStyle(row).backgroundColor))"
        "(document.getElementById('em-inspector').shadowRoot)"
    )
    assert len(set(now)) == 2  # the line of this moment stands out


def test_the_theme_follows_the_page(visit: Visit) -> None:
    page = visit("relu3")
    page.click("[data-tab=activity]")
    theme = "document.getElementById('em-inspector').shadowRoot.querySelector('.inspector').dataset.theme"
    assert page.evaluate(theme) == "light"
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"{theme} === 'dark'")
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")  # as JupyterLab says it
    page.wait_for_function(f"{theme} === 'light'")
    assert page.locator("[role=tabpanel]:visible svg").count() == 1
