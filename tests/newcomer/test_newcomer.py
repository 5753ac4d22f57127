"""The README, followed to the letter by somebody who has Python and nothing else.

Quick, in every run: the environment that dev.py would install is there, all else is fresh; the demo, a part of the tests, and the
first notebook in JupyterLab. Nightly: everything is installed from the index, with and without Debian's python3-venv.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.interactive.jupyter import run_all, serving

from .machine import ROOT, Machine, fresh

README = (ROOT / "README.md").read_text()
DEMO, TEST = re.findall(r"^python3 dev\.py (?:demo|test)$", README, re.M)[:2]
JUPYTER = re.compile(r"^(\.venv/bin/jupyter lab) (notebooks/00_start_here\.ipynb)$", re.M)


def follow(machine: Machine) -> None:
    """The two commands; of the second a part, because all tests would run in a test."""
    done = machine.run(DEMO, seconds=1500)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert "relu3.grad(2.0) = 12.0" in done.stdout
    assert done.stdout.splitlines()[-1] == (machine.checkout / "out" / "relu3.html").resolve().as_uri()
    assert 'id="em-state"' in (machine.checkout / "out" / "relu3.html").read_text()
    done = machine.run(f"{TEST} -q -p no:cacheprovider tests/project/test_codes.py")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert machine.called() == ""


def works_in_jupyter(machine: Machine, program: list[str], browser: Any, names: list[str]) -> None:
    """Notebooks of the checkout, from top to bottom: no cell fails, and the first picture answers clicks."""
    environment = machine.environment | {"ENZYME_MAGIC_CACHE_DIR": str(machine.folder / "kept")}
    with serving(machine.folder / "lab", program, environment) as server:
        page = browser.new_context(viewport={"width": 1400, "height": 1200}).new_page()
        page.set_default_timeout(60_000)
        for name in names:
            notebook = nbformat.read(machine.checkout / "notebooks" / name, 4)
            for cell in notebook.cells:
                if cell.cell_type == "code":
                    cell.outputs, cell.execution_count = [], None
            nbformat.write(notebook, server.root / name)
            outputs = [output for cell in run_all(page, server, name) for output in cell.outputs]
            assert [output.ename for output in outputs if output.output_type == "error"] == []
            assert [output.text for output in outputs if output.get("name") == "stderr"] == []
            if name.startswith("00"):
                page.locator(".inspector [role=tab]").first.scroll_into_view_if_needed()
                page.locator(".inspector [role=tab]").last.click()
                assert any("Everything works." in output.get("text", "") for output in outputs)
            page.screenshot(path=machine.folder / f"{name}.png")
            server.end_kernels()
        page.context.close()
    assert machine.called() == ""


def jupyter_of_the_readme() -> tuple[str, str]:
    found = JUPYTER.search(README)
    assert found is not None, "the README says how to open the first notebook"
    return found[1], found[2]


def needs_jupyter(missing: Any) -> None:
    for name in ("jupyterlab", "anywidget"):
        if importlib.util.find_spec(name) is None:
            missing(name)


def test_the_two_commands(tmp_path: Path) -> None:
    machine = fresh(tmp_path)
    machine.installed()
    follow(machine)


def test_the_first_notebook(tmp_path: Path, browser: Any, missing: Any) -> None:
    needs_jupyter(missing)
    machine = fresh(tmp_path)
    machine.installed()
    _, notebook = jupyter_of_the_readme()
    works_in_jupyter(
        machine,
        [str(machine.checkout / ".venv" / "bin" / "python"), "-m", "jupyterlab"],
        browser,
        [Path(notebook).name],
    )


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("pip", "ensurepip"), [(True, False), (False, True)], ids=["without-venv", "without-pip"])
def test_from_nothing(pip: bool, ensurepip: bool, tmp_path: Path, browser: Any) -> None:
    machine = fresh(tmp_path, pip=pip, ensurepip=ensurepip)
    follow(machine)
    program, _ = jupyter_of_the_readme()
    lab = [str(machine.checkout / word) if word.startswith(".venv") else word for word in program.split()]
    works_in_jupyter(machine, lab, browser, ["00_start_here.ipynb", "01_relu3.ipynb"])
