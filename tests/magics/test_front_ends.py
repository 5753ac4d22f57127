"""The real thing in real front ends: terminal IPython, a kernel without a front end, nbconvert, the demo."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.viz.png_pixels import pixels

ROOT = Path(__file__).resolve().parents[2]
RELU3 = """double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}
"""
BROKEN = RELU3.replace("result = 0", "result = zero")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A user without a home folder to speak of: what front ends write goes to a folder of the test."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON", "PYTEST"))}
    return env | {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "TERM": "dumb", "PYTHONWARNINGS": ""}


def call(*words: str, env: dict[str, str], folder: Path, feed: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], env=env, cwd=folder, input=feed, capture_output=True, text=True, timeout=120
    )


def test_terminal_ipython(environment: dict[str, str], tmp_path: Path) -> None:
    cells = ["%load_ext enzyme_magic", *(f"%%enzyme_c relu3\n{text}\n" for text in (RELU3, BROKEN))]
    session = "\n".join([*cells, "print('at 2:', relu3.grad(2.0))\n"])
    words = ("-m", "IPython", "--simple-prompt", "--no-banner", "--colors=nocolor", "--no-confirm-exit")
    done = call(*words, env=environment, folder=tmp_path, feed=session)
    out = done.stdout + done.stderr
    assert "relu3(double x) -> double" in out
    assert "added #include <math.h>" in out
    assert "<svg" not in out
    assert "    9" not in out.split("CompileError")[0], "the empty lines that end a cell in a terminal are not shown"
    assert "CompileError: In[3], line 6, column 18: use of undeclared identifier 'zero'" in out
    assert "    6 |         result = zero;\n      |                  ^" in out
    assert "Nothing was compiled; relu3 still refers to the version from In[2]." in out
    assert "Traceback" not in out
    assert "at 2: 12.0" in out


def notebook(tmp_path: Path, *cells: str) -> Path:
    made = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in ("%load_ext enzyme_magic", *cells)]
    )
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path = tmp_path / "made.ipynb"
    nbformat.write(made, path)
    return path


def test_nbconvert(environment: dict[str, str], tmp_path: Path) -> None:
    path = notebook(tmp_path, f"%%enzyme_c relu3\n{RELU3}", "relu3.grad(2.0)", "%enzyme_why relu3 4")
    done = call("-m", "nbconvert", "--execute", "--to", "html", str(path), env=environment, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    page = path.with_suffix(".html").read_text()
    assert "data:image/svg+xml" in page or "<svg" in page
    assert "12.0" in page


VIEWS = {"source": "a_L4", "activity": "a_i0", "steps": "a_steps_3_0_0", "stages": "a_gradient_0_0", "cache": "a_c0"}


def distinct(png: bytes) -> int:
    """Pixels of a PNG that are not of its most frequent colour."""
    counts = pixels(png)
    return sum(counts.values()) - max(counts.values())


def drawings(text: str) -> list[str]:
    """Our SVG pictures in an HTML page, as they are or as data; the page has icons of its own."""
    coded = re.findall(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=\s]+)", text)
    every = [*re.findall(r"<svg.*?</svg>", text, flags=re.S), *(base64.b64decode(data).decode() for data in coded)]
    return [drawing for drawing in every if 'id="a_' in drawing]


def test_nbconvert_keeps_each_picture_and_its_ids(environment: dict[str, str], tmp_path: Path) -> None:
    path = notebook(tmp_path, f"%%enzyme_c relu3 -q\n{RELU3}", *(f"%enzyme_show relu3 --view {name}" for name in VIEWS))
    words = ("-m", "nbconvert", "--to", "notebook", "--execute", "--inplace")
    assert call(*words, str(path), env=environment, folder=tmp_path).returncode == 0
    stored = [cell["outputs"] for cell in json.loads(path.read_text())["cells"][2:]]
    for (output,), name in zip(stored, VIEWS, strict=True):
        assert distinct(base64.b64decode("".join(output["data"]["image/png"]))) > 100, name
        assert "text/html" not in output["data"], "it would outrank the picture"
    for kind in ("html", "markdown"):
        assert call("-m", "nbconvert", "--to", kind, str(path), env=environment, folder=tmp_path).returncode == 0
    markdown = path.with_suffix(".md").read_text()
    linked = [tmp_path / name for name in re.findall(r"!\[svg\]\(([^)]+)\)", markdown)]
    for found in (drawings(path.with_suffix(".html").read_text()), [file.read_text() for file in linked]):
        assert len(found) == len(VIEWS)
        for drawing, (name, identifier) in zip(found, VIEWS.items(), strict=True):
            assert f'id="{identifier}"' in drawing, name


@pytest.mark.nightly
def test_a_failing_cell_stops_nbconvert_and_is_in_the_notebook(environment: dict[str, str], tmp_path: Path) -> None:
    path = notebook(tmp_path, f"%%enzyme_c relu3\n{BROKEN}", "print('not reached')")
    words = ("-m", "nbconvert", "--execute", "--to", "notebook", "--output", "out.ipynb")
    done = call(*words, str(path), env=environment, folder=tmp_path)
    assert done.returncode != 0
    assert "use of undeclared identifier 'zero'" in done.stderr
    done = call(*words, "--allow-errors", str(path), env=environment, folder=tmp_path)
    assert done.returncode == 0
    (error,) = json.loads((tmp_path / "out.ipynb").read_text())["cells"][1]["outputs"]
    card = "\n".join(error["traceback"])
    assert error["ename"] == "CompileError"
    assert "line 6, column 18" in error["evalue"]
    assert re.search(r"^ +6 \| +result = zero;\n +\| +\^", card, flags=re.M)
    assert "enzyme_magic/" not in card, "no frame of ours"


def test_jupyter_run(environment: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "shell = get_ipython()\n"
        "shell.run_line_magic('load_ext', 'enzyme_magic')\n"
        f"shell.run_cell_magic('enzyme_c', 'relu3', {RELU3!r})\n"
        "print('at 2:', relu3.grad(2.0))\n"
    )
    code = "from jupyter_client.runapp import RunApp; RunApp.launch_instance()"
    done = call("-c", code, str(script), env=environment, folder=tmp_path)
    assert "at 2: 12.0" in done.stdout, done.stderr
    assert "relu3(double x) -> double" in done.stdout


def test_without_utf8(environment: dict[str, str], tmp_path: Path) -> None:
    env = environment | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    done = call("-m", "enzyme_magic", "demo", "page.html", env=env, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()


def test_the_demo(environment: dict[str, str], tmp_path: Path) -> None:
    done = call("-m", "enzyme_magic", "demo", "out/relu3.html", env=environment, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for line in ("double relu3(double x) {", "relu3(2.0) = 8.0    relu3.grad(2.0) = 12.0", "relu3.grad(-1.0) = 0.0"):
        assert line in done.stdout
    assert "[0.0, 0.0, 0.0, 3.0, 12.0]" in done.stdout
    page = (tmp_path / "out" / "relu3.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "http-equiv" not in page
    assert 'id="em-state"' in page, "it answers clicks"
    assert done.stdout.endswith(f"open it in a browser:\n{(tmp_path / 'out' / 'relu3.html').resolve().as_uri()}\n")


def test_the_doctor(environment: dict[str, str], tmp_path: Path) -> None:
    done = call("-m", "enzyme_magic", "doctor", env=environment, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith("Everything works.\n")
    broken = environment | {
        "ENZYME_MAGIC_CLANG": str(tmp_path / "no-such-clang"),
        "ENZYME_MAGIC_CACHE_DIR": "/dev/null/x",
    }
    done = call("-m", "enzyme_magic", "doctor", env=broken, folder=tmp_path)
    assert done.returncode == 1
    bad = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("NOT")}
    assert {"clang", "trial", "kept"} <= bad
    assert "machine" not in bad
    assert "hint: " in done.stdout
    assert "need attention" in done.stdout.splitlines()[-1]


@pytest.fixture
def shell(tmp_path: Path) -> Any:
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance(config=config, ipython_dir=str(tmp_path))
    made.run_line_magic("load_ext", "enzyme_magic")
    yield made
    made.restore_sys_module_state()
    InteractiveShell.clear_instance()


def test_the_main_job(shell: Any) -> None:
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        assert shell.run_cell(f"%%enzyme_c relu3 --at 2.0 --check\n{RELU3}").success
        assert shell.run_cell("import numpy as np; slopes = relu3.grad.map(np.linspace(-2, 2, 200))").success
    (screen,) = captured.outputs
    assert "grad(2.0) = 12.0" in screen.data["text/plain"]
    assert "checked" in screen.data["text/plain"]
    relu3 = shell.user_ns["relu3"]
    assert (relu3(2.0), relu3.grad(2.0), relu3.grad(-1.0)) == (8.0, 12.0, 0.0)
    assert shell.user_ns["slopes"].shape == (200,)
    assert repr(relu3).endswith("In[1]>")
    for where in ("4", "line 3", "x"):
        with capture_output() as captured:
            assert shell.run_cell(f"%enzyme_why relu3 {where}").success
        assert captured.stdout.strip()
    for view in ("source", "activity", "stages", "cache", "gradient-optimized"):
        with capture_output() as captured:
            assert shell.run_cell(f"%enzyme_show relu3 --view {view}").success
        assert "<svg" in captured.outputs[0].data["image/svg+xml"]


@pytest.mark.parametrize(
    ("cell", "code", "words"),
    [
        (" \n\t\n", "EM1", "In.2. has no code"),
        ("double f(double x) { return x + ; }\n", "EM110", "expected expression"),
        ('#include "nowhere.h"\ndouble f(double x) { return x; }\n', "EM1", "nowhere.h"),
        ("double f(double x) { return unheard_of(x); }\n", "EM110", "unheard_of"),
    ],
)
def test_bad_cells_lose_nothing(shell: Any, cell: str, code: str, words: str) -> None:
    from IPython.utils.capture import capture_output

    with capture_output():
        assert shell.run_cell("%%enzyme_c -q\ndouble f(double x) { return 2 * x; }", store_history=True).success
        before = shell.user_ns["f"]
        error = shell.run_cell(f"%%enzyme_c f\n{cell}", store_history=True).error_in_exec
    assert error.code.startswith(code)
    assert re.search(words, str(error)), str(error)
    assert error.hint or code == "EM110", "clang's own words are the hint of a syntax error"
    assert shell.user_ns["f"] is before
    assert before.grad(1.0) == 2.0
    assert "f still refers to the version from In[1]." in error._render_traceback_()[-1]
