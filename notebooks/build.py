"""The notebooks of the course from their texts: `python3 dev.py notebooks [NAME …]`.

A text in `notebooks/source/` is Markdown. It opens with `key: value` lines (title, minutes, goal, ideas; `part: afterwards`,
`needs: torch`) up to an empty line. A fence ```cell is a code cell (```cell masked: its output may change,
because it holds words of the compiler or times), everything else is Markdown cells. `@c NAME` in a cell stands for a C text of
`enzyme_magic.workshop.course.programs`, a line `@exercise 01.1` for the exercise's question and the cells in which it is answered:
what exercises ask has one home. Every notebook is run in a fresh kernel, with nothing on disk, and written with its outputs, except
those that need a package that is missing.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from enzyme_magic.workshop.checking import find
from enzyme_magic.workshop.course import programs

FOLDER = Path(__file__).resolve().parent
SOURCES = FOLDER / "source"
LARGEST = 2_000_000  # bytes of a committed notebook
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
_PARTS = re.compile(r"^(```cell(?: masked)?\n.*?^```$|@exercise [\d.]+$)", re.M | re.S)
_PATH = re.compile(r"(?<![\w.])/(?:[\w.+-]+/)+[\w.+-]+")
_WIDGET = "application/vnd.jupyter.widget-view+json"


def names() -> list[str]:
    """All notebooks, in the order of the course."""
    return sorted(path.stem for path in SOURCES.glob("*.md"))


def header_of(text: str) -> tuple[dict[str, str], str]:
    """(the `key: value` lines, the rest)."""
    head, _, body = text.partition("\n\n")
    return dict(line.split(": ", 1) for line in head.splitlines()), body


def opening(header: dict[str, str]) -> str:
    """The first cell."""
    lines = [f"# {header['title']}", "", f"**Goal:** {header['goal']}", "", f"**Time:** {header['minutes']} minutes."]
    if "ideas" in header:
        lines += ["", f"**New ideas:** {header['ideas']}"]
    if header.get("part") == "afterwards":
        lines += ["", "*This notebook is for afterwards: it is not part of the 90 minutes.*"]
    if "needs" in header:
        lines += ["", f"Needs `pip install 'enzyme_magic[{header['needs']}]'`."]
    return "\n".join(lines)


def notebook(name: str) -> Any:
    """The notebook of a text, without outputs."""
    header, body = header_of((SOURCES / f"{name}.md").read_text())
    cells = [nbformat.v4.new_markdown_cell(opening(header))]
    for part in _PARTS.split(body):
        if part.startswith("```cell"):
            kind, _, text = part.partition("\n")
            cells.append(_code(text.removesuffix("```"), masked=kind.endswith("masked")))
        elif part.startswith("@exercise "):
            exercise = find(part.split()[1])
            cells.append(nbformat.v4.new_markdown_cell(exercise.text()))
            cells += [_code(text) for text in exercise.task.cells(exercise.key)]
        elif part.strip():
            cells.append(nbformat.v4.new_markdown_cell(part.strip()))
    for number, cell in enumerate(cells):
        cell["id"] = f"{name.partition('_')[0]}-{number}"
    made = nbformat.v4.new_notebook(cells=cells)
    made.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    if "needs" in header:
        made.metadata["enzyme_magic"] = nbformat.from_dict({"needs": header["needs"].split(",")})
    return made


def counted_minutes(made: Any) -> int:
    """How long a learner takes, by counting: 150 words a minute, 25 seconds for each cell that is run and looked at, and
    a minute and a half for each exercise. A class may differ."""
    code = [cell["source"] for cell in made.cells if cell["cell_type"] == "code"]
    exercises = sum("workshop.check(" in source for source in code)
    words = sum(len(cell["source"].split()) for cell in made.cells if cell["cell_type"] == "markdown")
    return round(words / 150 + (len(code) - exercises) * 25 / 60 + exercises * 1.5)


def _code(text: str, masked: bool = False) -> Any:
    text = re.sub(r"^@c (\w+)$", lambda found: getattr(programs, found[1]), text.strip(), flags=re.M)
    return nbformat.v4.new_code_cell(text, metadata={"tags": ["masked"]} if masked else {})


def executed(made: Any, timeout: int = 120) -> Any:
    """Runs in a fresh kernel, as if nothing had been compiled or answered before."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "ENZYME_MAGIC_CACHE_DIR": folder}
        client = NotebookClient(
            made, timeout=timeout, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
        )
        client.execute(env=env)
    return made


def vanished(output: Any) -> bool:
    """Whether it is a display that shows nothing."""
    return output["output_type"] == "display_data" and not any(output["data"].values())


def slim(made: Any) -> Any:
    """What is kept in the repository: no widget without its kernel, no second copy of a picture, no paths of a machine, no line of
    progress that has vanished (a slow machine shows more of them)."""
    for cell in made.cells:
        cell.metadata.pop("execution", None)
        if "outputs" in cell:
            cell["outputs"] = [output for output in cell["outputs"] if not vanished(output)]
        for output in cell.get("outputs", []):
            if "text" in output:
                output["text"] = _PATH.sub("…", output["text"])
            data = output.get("data", {})
            data.pop(_WIDGET, None)
            if "image/svg+xml" in data:
                data.pop("image/png", None)
                output.get("metadata", {}).pop("image/png", None)
    made.metadata.pop("widgets", None)
    made.metadata["language_info"] = nbformat.from_dict({"name": "python"})
    return made


def needs(made: Any) -> list[str]:
    """Packages that a notebook needs."""
    return list(made.metadata.get("enzyme_magic", {}).get("needs", []))


def write(name: str) -> int:
    """The bytes written; the old outputs stay where a package is missing."""
    import importlib.util

    made = notebook(name)
    missing = [package for package in needs(made) if importlib.util.find_spec(package) is None]
    if missing:
        print(f"{name}: skipped, {', '.join(missing)} is not installed")
        return 0
    text = nbformat.writes(slim(executed(made))) + "\n"
    if len(text.encode()) > LARGEST:
        raise SystemExit(f"{name}: {len(text.encode()):,} bytes are too many for the repository")
    (FOLDER / f"{name}.ipynb").write_text(text)
    return len(text.encode())


def picture_of_readme(folder: Path = FOLDER.parent / "docs" / "images") -> None:
    """The first screen of relu3 as the README's cell shows it, without times, for light and for dark pages."""
    import dataclasses

    import enzyme_magic as em
    from enzyme_magic.api.checks import trial
    from enzyme_magic.pictures import Pictures

    function = em.compile_c(programs.RELU3, name="In[2]").relu3
    report = dataclasses.replace(trial.of_small_numbers(function, None, function.report), timings=())
    for theme in ("light", "dark"):
        Pictures().export(report, folder / f"relu3-{theme}.svg", None, theme)


def main(arguments: list[str]) -> int:
    if not arguments:
        picture_of_readme()
    for name in [n for n in names() if not arguments or n in arguments or n.partition("_")[0] in arguments]:
        print(f"{name}: {write(name):,} bytes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
