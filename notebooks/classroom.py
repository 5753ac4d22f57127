"""One folder for a room without a network: `python3 dev.py classroom [FOLDER]`.

Writes the wheel of this checkout, the notebooks, the texts and, for each notebook, a page that answers clicks without a kernel: it
is run once more with `ENZYME_MAGIC_INSPECTOR=page`, so that what is a widget in Jupyter is a page in a frame there. `dev.py` then
adds the wheels of everything else. Nothing is left out in silence: a notebook whose package is missing is named.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = "from setuptools import build_meta; import sys; folder = sys.argv[1]; build_meta.build_wheel(folder)"
INSTALL = """\
#!/bin/sh
# Installs the course beside this file, without a network, and starts it: sh start.sh
set -e
cd "$(dirname "$0")"
[ -x env/bin/jupyter ] || {
    python3 -m venv env
    env/bin/python -m pip install --quiet --no-index --find-links wheels 'enzyme_magic[course]'
}
[ $# -gt 0 ] || set -- notebooks/00_start_here.ipynb
exec env/bin/jupyter lab "$@"
"""
READ_ME = """\
# The course, without a network

    sh start.sh

installs everything from `wheels/` into `env/` (about 1 GB) and opens the first notebook. It needs Linux, and Python with its venv
module; the wheels are for the Python version and the processor family of the machine that made this folder.

- `notebooks/`: the course; `notebooks/TEACHING.md` for the teacher
- `pages/`: every notebook as a page for a browser, which answers clicks without Python
- `docs/`: the documentation; open `docs/index.html`
"""


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]).resolve()
    if folder.exists() and not (folder / "start.sh").exists() and any(folder.iterdir()):
        print(f"classroom: {folder} holds something else", file=sys.stderr)
        return 2
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "wheels").mkdir(parents=True)
    (folder / "start.sh").write_text(INSTALL)
    (folder / "README.md").write_text(READ_ME)
    wheel(folder / "wheels")
    documents(folder / "docs")
    (folder / "notebooks").mkdir()
    for path in [*HERE.glob("*.ipynb"), HERE / "TEACHING.md"]:
        shutil.copy(path, folder / "notebooks")
    return pages(folder / "pages", arguments[1:])


def documents(folder: Path) -> None:
    """The site; the texts it is made of where Sphinx is not installed."""
    if importlib.util.find_spec("sphinx") is None:
        print("docs: the texts alone, because Sphinx is not installed")
        shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("site", "__pycache__"))
    elif subprocess.run([sys.executable, str(ROOT / "docs" / "site" / "build.py"), str(folder)]).returncode:
        raise SystemExit("classroom: the documentation could not be built")


def wheel(folder: Path) -> None:
    """Built in a copy, because setuptools leaves traces where it works."""
    copy = folder.parent / "copy"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "out", "build", "dist", "tests", "*.egg-info")
    shutil.copytree(ROOT, copy, ignore=ignored)
    done = subprocess.run([sys.executable, "-c", BUILD, str(folder)], cwd=copy, capture_output=True, text=True)
    shutil.rmtree(copy)
    if done.returncode:
        raise SystemExit(f"classroom: the wheel could not be built\n{done.stdout}{done.stderr}")


def pages(folder: Path, names: list[str]) -> int:
    """Each notebook, or those named, as a page."""
    from nbconvert import HTMLExporter

    build = builder()
    folder.mkdir()
    os.environ["ENZYME_MAGIC_INSPECTOR"] = "page"
    for name in [n for n in build.names() if not names or n in names]:
        made = build.notebook(name)
        if missing := [n for n in build.needs(made) if importlib.util.find_spec(n) is None]:
            print(f"{name}: no page, because {', '.join(missing)} is not installed")
            continue
        made = build.executed(made)
        for cell in made.cells:
            for output in cell.get("outputs", []):
                prefer_the_page(output)
        text, _ = HTMLExporter(embed_images=True).from_notebook_node(made)
        (folder / f"{name}.html").write_text(text)
        print(f"{name}: {len(text.encode()):,} bytes", flush=True)
    return 0


def prefer_the_page(output: Any) -> None:
    """Of a page in a frame and its picture the page is shown."""
    data = output.get("data", {})
    if "<iframe" in data.get("text/html", ""):
        for kind in ("image/svg+xml", "image/png"):
            data.pop(kind, None)


def builder() -> Any:
    spec = importlib.util.spec_from_file_location("notebooks_build", HERE / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
