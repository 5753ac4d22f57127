"""How long a click takes until its chain of reasons is on the screen, on the page of a function of about 3,000 instructions; and
how long the tabs of a Gaussian mixture take to open, and to come back.

Asked for: a median of at most 100 ms over 20 clicks in Chromium, 100 ms for a tab that was open before. Needs `chromium` and the
package playwright.

    python -m benchmarks.interactive
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import enzyme_magic as em
from benchmarks.pictures import WANTED_INSTRUCTIONS, source

CLICKS = 20
WANTED_MILLISECONDS = 100
# From the click to the frame in which its chain has been painted: rows, the list of reasons, the frames in the graph.
CLICK = """key => new Promise(resolve => {
  const root = document.getElementById("em-inspector").shadowRoot;
  const row = root.querySelector(`[role=tabpanel]:not([hidden]) [data-key=${key}]`);
  const start = performance.now();
  row.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
  requestAnimationFrame(() => setTimeout(() => resolve([performance.now() - start, root.querySelectorAll("aside li").length])));
})"""

TAB = """name => new Promise(resolve => {
  const tab = document.getElementById("em-inspector").shadowRoot.querySelector(`[data-tab=${name}]`);
  const start = performance.now();
  tab.click();
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
})"""


def main() -> int:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if program is None:
        print("not measured: needs chromium and the package playwright")
        return 0
    report = em.compile_c(source(WANTED_INSTRUCTIONS // 3), name="large.c", opt=1).large.report
    keys = [row.identifier for row in report.activity.rows()]
    chosen = keys[:: max(1, len(keys) // CLICKS)][:CLICKS]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "large.html"
        started = time.perf_counter()
        written = _export(report, path)
        print(f"{len(keys):,} instructions, a page of {written / 1e6:.1f} MB in {time.perf_counter() - started:.1f} s")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        started = time.perf_counter()
        page.goto(path.as_uri())
        page.wait_for_selector("[role=tab]")
        print(f"opened in {time.perf_counter() - started:.1f} s")
        for tab in ("source", "ir", "cache", "activity"):
            page.click(f"[data-tab={tab}]")
        page.check("label:has-text('as rows') input")
        found = [page.evaluate(CLICK, key) for key in chosen]
        tell_tabs(browser, Path(folder) / "mixture.html")
        browser.close()
    times = [milliseconds for milliseconds, _ in found]
    reasons = statistics.median(count for _, count in found)
    print(
        f"click to chain: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms, of {len(times)} clicks"
    )
    print(f"wanted: at most {WANTED_MILLISECONDS} ms; median chain: {reasons:.0f} reasons shown")
    return 0


def tell_tabs(browser: Any, path: Path) -> None:
    """First and second opening of each tab."""
    text = (Path(__file__).parents[1] / "tests" / "explain" / "ten_kernels.c").read_text(encoding="utf-8")
    _export(em.compile_c(text).gmm.report, path)
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(path.as_uri())
    page.wait_for_selector("[role=tab]")
    times: dict[str, list[float]] = {name: [] for name in ("activity", "ir", "cache", "steps", "values", "source")}
    for name in [*times, *times]:
        times[name].append(page.evaluate(TAB, name))
    print("tabs of gmm, first and again:", ", ".join(f"{name} {a:.0f}, {b:.0f} ms" for name, (a, b) in times.items()))


def _export(report: em.Report, path: Path) -> int:
    from enzyme_magic.viz.export import export

    return export(report, path).stat().st_size


if __name__ == "__main__":
    sys.exit(main())
