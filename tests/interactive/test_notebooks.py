"""The widget in real JupyterLab and Notebook 7, with a kernel, in light and in dark: everything by mouse, everything by keyboard.

One server serves all of them (tests of a file run in one process, see dev.py); every page has a notebook of its own, so that no
test waits for cells of another. Each tab is measured for contrast as it is met, and photographed into the test's folder.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .jupyter import Server, run_cells, serving
from .measuring import too_weak

LOAD = "%load_ext enzyme_magic\nimport numpy as np"
SMOOTH = """double smooth(double *a, const double *w, int n) {
  double s = 0;
  for (int i = 1; i < n; i++) {
    a[i] = a[i] * a[i-1] + w[i];
    if (exp(a[i]) > 2.72)
      s += a[i] * a[i];
  }
  return s;
}"""
WIDGET = (
    f'%%enzyme_c smooth --widget --at "np.array([1.0, 0.9, 0.5, 0.2]), np.array([0.1, 0.5, 0.2, 0.3]), 4"\n{SMOOTH}'
)
QUIZ = f"%%enzyme_c smooth --quiz\n{SMOOTH}"
RELU3 = "%%enzyme_c relu3 --widget\ndouble relu3(double x) {\n  return x > 0 ? pow(x, 3) : 0;\n}"
TRAITS = """import ipywidgets
w = smooth.inspect()
text = ipywidgets.Text()
ipywidgets.link((w, 'selected'), (text, 'value'))
seen = ipywidgets.Label()
w.observe(lambda change: setattr(seen, 'value', 'tab ' + change.new), 'tab')
out = ipywidgets.interactive_output(lambda selected: print('interacts with', selected), {'selected': w})
display(out)
ipywidgets.VBox([w, text, seen])"""
FIRST = "%%enzyme_c f --widget\ndouble f(double x, double y) {\n  double s = sin(x) * 2;\n  return s * 3;\n}"
SECOND = "%%enzyme_c f --widget\ndouble f(double x, double y) {\n  double s = sin(x) * 2;\n  return s * y;\n}"
C_CELL = """%%enzyme_c --opt 1
// numbers as in the card
double relu(double x) {
  double def = x > 0 ? x*x : zero;
  return def;
}"""
FRONT_ENDS = {"lab": "lab/tree", "notebook": "notebooks"}


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    request.getfixturevalue("browser")
    for name in ("jupyterlab", "notebook", "anywidget"):
        if importlib.util.find_spec(name) is None:
            request.getfixturevalue("missing")(name)
    with serving(tmp_path_factory.mktemp("jupyter")) as running:
        yield running


@pytest.fixture(scope="module")
def context(browser: Any, server: Server) -> Iterator[Any]:
    """One for all pages: what a front end consists of is fetched once."""
    made = browser.new_context(viewport={"width": 1400, "height": 1200})
    yield made
    made.close()


@pytest.fixture
def open_cells(context: Any, server: Server, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """`open_cells("lab", "dark", cells)`: a page in which they have run. An error in the page's script fails the test."""
    pages: list[Any] = []
    errors: list[str] = []

    def new(front_end: str, theme: str, cells: list[str]) -> Any:
        server.use_theme(theme)
        name = re.sub(r"\W", "_", request.node.name) + ".ipynb"
        server.write(name, cells)
        page = context.new_page()
        pages.append(page)
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        run_cells(page, server, f"{FRONT_ENDS[front_end]}/{name}", len(cells))
        return page

    yield new
    for page in pages:
        page.close()
    server.end_kernels()
    assert [error for error in errors if "nspector" in error or "anywidget" in error] == []


class Inspector:
    """The last inspector of a page, which looks at every tab with a critical eye."""

    def __init__(self, page: Any, theme: str, folder: Path) -> None:
        self.page, self.theme, self.folder = page, theme, folder
        self.root = page.locator(".inspector").last
        self.root.wait_for()

    def find(self, selector: str) -> Any:
        """In the open tab."""
        return self.root.locator("[role=tabpanel]:not([hidden])").locator(selector).first

    def within(self, selector: str, text: str) -> None:
        """Waits until an element of the inspector holds the text."""
        self.root.locator(selector).filter(has_text=text, visible=True).first.wait_for()

    def seen(self, name: str) -> None:
        assert self.root.get_attribute("data-theme") == self.theme
        assert too_weak(self.page, self.root) == [], name
        self.root.screenshot(path=self.folder / f"{name}-{self.theme}.png")

    def focused(self) -> str:
        found: str = self.root.evaluate("e => { const a = e.getRootNode().activeElement; return a ? a.outerHTML : '' }")
        return found


@pytest.mark.parametrize(("front_end", "theme"), [("lab", "dark"), ("notebook", "light")])
def test_everything_by_mouse(front_end: str, theme: str, open_cells: Callable[..., Any], tmp_path: Path) -> None:
    page = open_cells(front_end, theme, [LOAD, WIDGET])
    it = Inspector(page, theme, tmp_path)
    tab = it.root.locator

    it.find(".source [data-key=L4]").click()
    it.within("aside", "holds active data on entry")
    it.seen("source")

    tab("[data-tab=activity]").click()
    it.find("svg g[id='a_i5']").wait_for()  # the kernel drew it
    it.find("svg [data-key=i0]").click()
    it.within("aside h3", "Instruction 1 of")
    it.within("aside", "inactive")
    it.find("label:has-text('varies') input").check()
    it.find("label:has-text('hide inactive') input").check()
    it.find("label:has-text('w') >> input").uncheck()
    it.within("header p", "with respect to a, reverse mode ·")  # the kernel's new record
    it.within(".change", "Against the previous choice (a, w)")
    it.find("svg").wait_for()
    it.seen("activity")

    tab("[data-tab=ir]").click()
    it.find("select >> nth=0").select_option("input")
    it.find("select >> nth=1").select_option("optimized")
    it.find("label:has-text('lifetimes') input").uncheck()
    it.find("input[type=search]").fill("fcmp")
    it.within("output", "1 of ")
    it.seen("ir")

    tab("[data-tab=cache]").click()
    it.find("button:has-text('compare the plans')").click()
    it.find(".trade-off circle >> nth=2").wait_for()
    before = it.find("label:has-text('n') output").inner_text()
    slider = it.find("input[type=range]")
    slider.click(position={"x": 5, "y": 5})
    it.root.locator("label:has-text('n') output").filter(has_not_text=before).first.wait_for()
    it.find("label:has-text('compute all again') input").check()
    it.within("header p", "2 values stored")
    it.find("label:has-text('as planned (minimum cut)') input").check()
    it.within("header p", "3 values stored")
    it.find("select[aria-label='plan for a[i]']").select_option("recompute")
    it.within(".message", "cannot be computed again")
    assert it.find("select[aria-label='plan for a[i]']").input_value() == ""
    it.find("select[aria-label^='plan for']").select_option(
        "recompute"
    )  # the comparison: now exp(a[i]) is stored for it
    it.within("header p", "3 values stored: 24·")
    it.seen("cache")

    tab("[data-tab=steps]").click()
    it.find("text=next →").click()
    it.within(".change", "2 of")
    it.seen("steps")

    tab("[data-tab=values]").click()
    it.find(".sentence code").wait_for()  # of the plan that was chosen
    it.find("button:text-is('to the reverse sweep')").click()
    it.within(".sentence b", "reverse")
    assert it.root.locator(".tape .cell").count() >= 6  # two values, three iterations
    it.seen("values")


@pytest.mark.parametrize(("front_end", "theme"), [("lab", "light"), ("notebook", "dark")])
def test_everything_by_keyboard(front_end: str, theme: str, open_cells: Callable[..., Any], tmp_path: Path) -> None:
    page = open_cells(front_end, theme, [LOAD, WIDGET])
    it = Inspector(page, theme, tmp_path)
    key = page.keyboard.press
    cells = page.locator(".jp-CodeCell").count()

    def to_tab(name: str) -> None:
        it.root.locator(f"[data-tab={name}]").focus()
        key("Home")
        while it.root.locator(f"[data-tab={name}]").get_attribute("aria-selected") != "true":
            key("ArrowRight")

    to_tab("source")
    key("Tab")
    for _ in range(2):
        key("j")
    it.within("aside h3", "Line 4")
    it.within("aside", "holds active data on entry")
    key("Enter")
    key("Tab")
    key("Enter")  # the first fact
    it.within("aside h3", "Instruction")
    key("Escape")
    it.within("aside h3", "Why?")

    to_tab("activity")
    it.find("svg g[id='a_i5']").wait_for()
    key("Tab")
    for _ in range(4):
        key("j")
    it.within("aside h3", "Instruction 1 of")
    to_tab("activity")
    for _ in range(3):
        key("Tab")
    assert "checkbox" in it.focused()
    key("Space")  # the second parameter
    it.within("header p", "with respect to a, reverse mode ·")
    it.within(".change", "Against the previous choice (a, w)")
    it.find("svg").wait_for()
    it.seen("activity")

    key("/")  # the panel has the focus: the graph is searched
    page.keyboard.type("fcmp")
    it.within("output", "1 of ")

    to_tab("source")
    key("Tab")
    key("/")  # elsewhere the IR
    page.keyboard.type("fcmp")
    it.within("output", "1 of ")
    key("Enter")
    it.within("output", "2 of ")

    to_tab("cache")
    key("Tab")
    key("Tab")
    assert "range" in it.focused()
    before = it.find("label:has-text('n') output").inner_text()
    key("ArrowLeft")
    it.root.locator("label:has-text('n') output").filter(has_not_text=before).first.wait_for()
    key("Tab")
    assert "radio" in it.focused()
    key("ArrowRight")  # store all
    it.within("header p", "values stored: 33·")
    it.find("select[aria-label^='plan for']").focus()
    page.keyboard.type("compute")
    it.within("header p", "values stored: 40·")  # exp(a[i]), and not what it is compared to
    it.seen("cache")

    to_tab("steps")
    key("Tab")
    key("ArrowRight")
    it.within(".change", "2 of")

    to_tab("values")
    it.find(".sentence code").wait_for()
    key("Tab")
    first = it.find(".sentence").inner_text()
    key("ArrowRight")
    it.root.locator(".sentence").filter(has_not_text=first).wait_for()
    it.seen("values")
    assert page.locator(".jp-CodeCell").count() == cells  # the keys were ours, not the notebook's


@pytest.mark.parametrize(("front_end", "theme"), [("lab", "light"), ("notebook", "dark")])
def test_quiz(front_end: str, theme: str, open_cells: Callable[..., Any], tmp_path: Path) -> None:
    page = open_cells(front_end, theme, [LOAD, QUIZ])
    it = Inspector(page, theme, tmp_path)
    assert it.root.locator("[data-tab=cache]").is_disabled()
    it.seen("quiz")
    it.find("select").select_option("inactive")
    it.within("output", "1 of 9 answered")
    it.find("select >> nth=1").focus()
    page.keyboard.type("active")
    it.within("output", "2 of 9 answered")
    it.find("button:text-is('reveal')").focus()
    page.keyboard.press("Enter")
    it.within(".change", "2 of 9 right")
    it.seen("revealed")
    it.root.locator("[data-tab=cache]").click()
    it.find(".slots").wait_for()


def test_another_point_of_the_call(open_cells: Callable[..., Any], tmp_path: Path) -> None:
    page = open_cells("lab", "light", [LOAD, RELU3])
    it = Inspector(page, "light", tmp_path)
    it.root.locator("[data-tab=values]").click()
    it.within(".kink", "kink where x = 0")
    it.find("input[type=number]").fill("-1.5")
    it.find("input[type=number]").press("Enter")
    it.within(".call", "relu3(-1.5)")
    it.find("input[type=number]").fill("0")
    it.find("input[type=number]").press("Enter")
    it.within(".kink.here", "exactly on it")


def test_traits_compose_with_ipywidgets(open_cells: Callable[..., Any], tmp_path: Path) -> None:
    page = open_cells("lab", "light", [LOAD, WIDGET, TRAITS])
    page.wait_for_selector(".widget-text input")
    it = Inspector(page, "light", tmp_path)
    it.find(".source [data-key=L8]").click()
    page.wait_for_function("[...document.querySelectorAll('.widget-text input')].some(e => e.value === 'L8')")
    page.wait_for_selector("text=interacts with L8")
    it.root.locator("[data-tab=ir]").click()
    page.wait_for_selector("text=tab ir")
    box = page.locator(".widget-text input")
    box.fill("i5")
    box.press("Enter")
    it.within("aside h3", "Instruction 6 of")


def test_an_edited_cell_is_compared_with_its_previous_run(open_cells: Callable[..., Any], tmp_path: Path) -> None:
    page = open_cells("lab", "light", [LOAD, FIRST, SECOND])
    page.locator(".inspector").nth(1).wait_for()
    it = Inspector(page, "light", tmp_path)
    it.root.locator("[data-tab=activity]").click()
    it.within(".change", "Against the run before (In[2])")
    it.within(".change", "1 became active")  # y


@pytest.mark.parametrize("front_end", list(FRONT_ENDS))
def test_cells_of_c_look_like_c_and_count_their_lines(open_cells: Callable[..., Any], front_end: str) -> None:
    """Keywords of C have the colour of keywords, words of Python in C have not, and the card's line is the editor's."""
    page = open_cells(front_end, "light", [LOAD, C_CELL])
    cells = page.locator(".jp-CodeCell")
    cell = cells.nth(1)
    keyword = colour(cells.nth(0).locator(".cm-line span", has_text=re.compile("^import$")).first)
    word = cell.locator(".cm-line span", has_text=re.compile("^return$")).first
    word.wait_for()
    assert colour(word) == keyword
    cell.locator(".cm-line span", has_text="// numbers as in the card").wait_for()
    cell.locator(".cm-line span", has_text=re.compile("^double$")).first.wait_for()
    assert cell.locator(".cm-line span", has_text=re.compile("^def$")).count() == 0
    cell.get_by_text("line 3, column").first.wait_for()
    cell.locator(".cm-content").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+L")
    gutter = cell.locator(".cm-lineNumbers .cm-gutterElement:visible")
    gutter.filter(has_text=re.compile("^5$")).wait_for()
    shown = [text for text in gutter.all_inner_texts() if text.strip()]
    assert shown[-5:] == ["1", "2", "3", "4", "5"]
    lines = cell.locator(".cm-line")
    assert "zero" in lines.nth(3).inner_text()
    lines.first.click()
    page.keyboard.press("Home")
    page.keyboard.type("#")  # no cell of C any more
    gutter.filter(has_text=re.compile("^6$")).wait_for()
    word.wait_for()
    assert cell.locator(".cm-line span", has_text="// numbers as in the card").count() == 0


NARROW = {"width": 1024, "height": 1200}  # in the lab beside the list of files
PICTURES = f"""%%enzyme_c smooth
{SMOOTH}"""
OTHERS = """from IPython.display import SVG, display
other = '<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="20"><rect width="1500" height="20"/></svg>'
display(SVG(other))
picture = smooth.show()._repr_mimebundle_()[0]["image/svg+xml"]
display({"image/svg+xml": picture}, raw=True, metadata={"image/svg+xml": {"unconfined": True}})"""


@pytest.mark.parametrize("front_end", list(FRONT_ENDS))
def test_pictures_fit_a_narrow_page(open_cells: Callable[..., Any], front_end: str, tmp_path: Path) -> None:
    """They are as wide as their place, the whole of them can be seen, and pictures of others stay as they are."""
    page = open_cells(front_end, "light", [LOAD, PICTURES, OTHERS])
    page.set_viewport_size(NARROW if front_end == "lab" else {**NARROW, "width": 700})
    pictures = page.locator(".jp-RenderedSVG > img")
    pictures.nth(2).wait_for()
    page.wait_for_function("[...document.querySelectorAll('.jp-RenderedSVG > img')].every(e => e.complete)")
    sizes = "e => [e.naturalWidth, e.naturalHeight, e.width, e.height, e.parentElement.clientWidth]"
    width, height, shown_width, shown_height, place = pictures.nth(0).evaluate(sizes)
    page.screenshot(path=tmp_path / "narrow.png")
    assert 512 < place < width, "else there is nothing to see here"
    assert shown_width <= place
    assert abs(shown_height / shown_width - height / width) < 0.01
    assert [pictures.nth(k).evaluate("e => e.width - e.naturalWidth") for k in (1, 2)] == [0, 0]
    page.set_viewport_size({"width": 1900, "height": 1200})
    assert pictures.nth(0).evaluate("e => [e.width, e.height]") == [width, height]


def colour(element: Any) -> str:
    return str(element.evaluate("it => getComputedStyle(it).color"))
