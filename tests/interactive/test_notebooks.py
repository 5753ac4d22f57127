"""The widget in real JupyterLab and Notebook 7, with a kernel: clicks, keys, rebuilds, traits."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
CELLS = [
    "%load_ext enzyme_magic",
    """%%enzyme_c smooth --widget
double smooth(double *a, const double *w, int n) {
  double s = 0;
  for (int i = 1; i < n; i++) {
    a[i] = a[i] * a[i-1] + w[i];
    if (a[i] > 1.0)
      s += a[i] * a[i];
  }
  return s;
}""",
    """import ipywidgets
import numpy as np
w = smooth.inspect(at=(np.linspace(1, 2, 2000), np.ones(2000), 2000))
text = ipywidgets.Text()
ipywidgets.link((w, 'selected'), (text, 'value'))
seen = ipywidgets.Label()
w.observe(lambda change: setattr(seen, 'value', 'tab ' + change.new), 'tab')
ipywidgets.VBox([w, text, seen])""",
]


def _helpers() -> Any:
    spec = importlib.util.spec_from_file_location("em_jupyter", HERE / "jupyter.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["em_jupyter"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def jupyter(request: pytest.FixtureRequest) -> Any:
    request.getfixturevalue("browser")
    for name in ("jupyterlab", "notebook", "anywidget"):
        if importlib.util.find_spec(name) is None:
            request.getfixturevalue("missing")(name)
    return _helpers()


@pytest.fixture(scope="module")
def server(jupyter: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with jupyter.serving(tmp_path_factory.mktemp("jupyter")) as running:
        running.write("x.ipynb", CELLS)
        yield running


@pytest.fixture
def tab_of(browser: Any) -> Iterator[Callable[..., Any]]:
    contexts: list[Any] = []

    def new(**options: Any) -> Any:
        context = browser.new_context(viewport={"width": 1400, "height": 1200}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        return page

    yield new
    for context in contexts:
        context.close()


@pytest.mark.parametrize("path", ["lab/tree/x.ipynb", "notebooks/x.ipynb"])
def test_the_widget_of_a_cell(path: str, server: Any, jupyter: Any, tab_of: Callable[..., Any]) -> None:
    page = tab_of()
    jupyter.run_cells(page, server, path, 2)
    page.click(".source [data-key=L4]")
    assert "holds active data on entry" in page.inner_text("aside:has(h3)")
    page.click("[data-tab=activity]")
    page.wait_for_selector("svg g[id='a_i5']")  # the kernel drew it
    page.click("svg [data-key=i0]")
    page.wait_for_selector("aside h3:has-text('Instruction 1 of')")
    page.keyboard.press("j")  # ours, not the notebook's
    page.wait_for_selector("aside h3:has-text('Instruction 2 of')")
    assert page.locator(".jp-CodeCell").count() == 3
    page.uncheck(".inspector label:has-text('w') >> nth=0 >> input")
    page.wait_for_selector(".inspector header p:has-text('with respect to a ')")  # the kernel's new record
    page.wait_for_selector(".change:has-text('against the previous choice (a, w)')")


def test_traits_compose_with_ipywidgets(server: Any, jupyter: Any, tab_of: Callable[..., Any]) -> None:
    page = tab_of()
    jupyter.run_cells(page, server, "lab/tree/x.ipynb", 3)
    last = page.locator(".inspector").nth(1)
    last.locator(".source [data-key=L8]").click()
    page.wait_for_function("[...document.querySelectorAll('.widget-text input')].some(e => e.value === 'L8')")
    last.locator("[data-tab=cache]").click()
    page.wait_for_selector("text=tab cache")
    box = page.locator(".widget-text input")
    box.fill("i5")
    box.press("Enter")
    page.wait_for_selector("aside h3:has-text('Instruction 6 of')")


def test_what_if(server: Any, jupyter: Any, tab_of: Callable[..., Any]) -> None:
    page = tab_of()
    jupyter.run_cells(page, server, "lab/tree/x.ipynb", 3)
    last = page.locator(".inspector").nth(1)
    last.locator("[data-tab=cache]").click()
    last.locator("button:has-text('compare the plans')").click()
    last.locator(".trade-off circle").nth(2).wait_for()
    assert "µs" in last.locator(".plot").inner_text() or "ms" in last.locator(".plot").inner_text()
    last.locator("label:has-text('compute all again') input").check()
    last.locator("header p:has-text('3 values stored')").wait_for()
    last.locator("label:has-text('the cheapest') input").check()
    last.locator("header p:has-text('4 values stored')").wait_for()
    last.locator("select[aria-label='plan for a[i]']").select_option("recompute")
    last.locator(".message:has-text('cannot be computed again')").wait_for()
    assert last.locator("select[aria-label='plan for a[i]']").input_value() == ""
    last.locator("select[aria-label^='plan for']").first.select_option("recompute")  # the comparison
    last.locator("header p:has-text('3 values stored')").wait_for()
