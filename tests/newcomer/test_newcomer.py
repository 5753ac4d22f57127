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
from tests.notebooks.test_notebooks import load_builder

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
    done = machine.run(f"{TEST} -q -p no:cacheprovider tests/project/test_codes.py tests/project/test_project.py")
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
                assert page.evaluate("'enzyme-magic' in window._JUPYTERLAB"), "C in cells, and pictures that fit"
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


FENCES = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)
WORDS = re.compile(r"<text[^>]*>([^<]*)</text>|<title>([^<]*)</title>|<desc>([^<]*)</desc>")
SAID = re.compile(r"about ([\d.]+) GB: ")  # of the environment


def test_the_picture_is_what_the_cell_shows(tmp_path: Path) -> None:
    """The C beside it is what is drawn, and the picture says today what it said when it was drawn."""
    (cell,) = [text for _, text in FENCES if text.startswith("%%enzyme_c")]
    build = load_builder()
    assert cell == f"%%enzyme_c relu3\n{build.programs.RELU3}\n"
    build.picture_of_readme(tmp_path)
    for theme in ("light", "dark"):
        kept, now = (folder / f"relu3-{theme}.svg" for folder in (ROOT / "docs" / "images", tmp_path))
        assert WORDS.findall(kept.read_text()) == WORDS.findall(now.read_text()), "python3 dev.py notebooks"


def test_the_examples_say_what_happens() -> None:
    """A line with numbers behind its `#` gives them."""
    import enzyme_magic as em

    (cell,) = [text for _, text in FENCES if text.startswith("%%enzyme_c")]
    known = {"relu3": em.compile_c(cell.partition("\n")[2]).relu3}
    for python in (text for language, text in FENCES if language == "python"):
        for line in python.splitlines():
            code, _, wanted = line.partition("  # ")
            if not wanted:
                exec(line, known)
            elif wanted[0].isdigit() or wanted.startswith("Gradients"):
                assert repr(eval(code, known)).strip("()") == wanted.strip("()"), line
            else:
                assert "line 4 is active" in str(eval(code, known)), line


def test_every_command_is_there_after_the_demo(tmp_path: Path) -> None:
    """What the README tells one to type begins with a program that this machine has now."""
    machine = fresh(tmp_path)
    machine.installed()
    lines = [line for language, text in FENCES if not language for line in text.splitlines()]
    programs = {
        line.split()[0] for line in lines if line.split()[1:] and not line.startswith((" ", "%", "double", "}"))
    }
    assert programs == {"python3", ".venv/bin/jupyter", ".venv/bin/python"}
    spans = re.findall(r"`((?:\S*python\S*) [^`]*)`", README)
    for program in {*programs, *(span.split()[0] for span in spans)} - {".venv/bin/jupyter"}:
        assert machine.run(f"{program} -c 'import sys'").returncode == 0, program


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
    (said,) = SAID.findall(README)
    taken = sum(path.lstat().st_size for path in (machine.checkout / ".venv").rglob("*")) / 1e9
    assert abs(taken - float(said)) < 0.25, f"{taken:.2f} GB"
    program, _ = jupyter_of_the_readme()
    lab = [str(machine.checkout / word) if word.startswith(".venv") else word for word in program.split()]
    works_in_jupyter(machine, lab, browser, ["00_start_here.ipynb", "01_relu3.ipynb"])
