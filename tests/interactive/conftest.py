"""Exported pages of real reports in a real browser (tests/browser.py)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.checks import following
from enzyme_magic.api.checks.inspection import Inspection
from enzyme_magic.report import Report
from enzyme_magic.viz.interactive.page import page

SOURCE = """double smooth(double *a, const double *w, int n) {
  double s = 0;
  for (int i = 1; i < n; i++) {
    a[i] = a[i] * a[i-1] + w[i];
    if (exp(a[i]) > 2.72)
      s += a[i] * a[i];
  }
  return s;
}
double relu3(double x) { return x > 0 ? pow(x, 3) : 0; }
"""


@pytest.fixture(scope="session")
def reports() -> dict[str, Report]:
    """With calls that are followed."""
    program = em.compile_c(SOURCE)
    call = (np.array([1.0, 0.9, 0.5, 0.2]), np.array([0.1, 0.5, 0.2, 0.3]), 4)
    smooth = following.at(program.smooth, None, program.smooth.report, (call, {}))
    return {
        "smooth": dataclasses.replace(
            smooth, plans=Inspection(program.smooth, "reverse", (call, {})).plans(smooth.wrt, {})
        ),
        "relu3": following.of_small_numbers(program.relu3, None, program.relu3.report),
    }


@pytest.fixture
def visit(browser: Any, reports: dict[str, Report], tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """`visit("smooth", theme="dark")`: the exported page opened from disk, offline. An error in its script fails the test."""
    contexts: list[Any] = []
    errors: list[str] = []

    def open_page(name: str, *, theme: str = "light", quiz: bool = False, **options: Any) -> Any:
        report = name if isinstance(name, Report) else reports[name]
        path = tmp_path / f"{report.function}.html"
        path.write_text(page(report, quiz=quiz), encoding="utf-8")
        context = browser.new_context(
            offline=True, color_scheme=theme, viewport={"width": 1280, "height": 900}, **options
        )
        contexts.append(context)
        opened = context.new_page()
        opened.set_default_timeout(15_000)
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        opened.on(
            "request", lambda request: errors.append(request.url) if not request.url.startswith("file:") else None
        )
        opened.goto(path.as_uri())
        opened.wait_for_selector("[role=tab]")
        return opened

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
