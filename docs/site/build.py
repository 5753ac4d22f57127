"""The documentation as a site that is read without a network: `python3 dev.py docs [FOLDER]`.

Sources are `docs/*.md` and the texts beside the code. Pages whose facts live in the code (errors, rules, magics, the Python
interface) are written from it here, each by a file of its own, and are kept nowhere. Sphinx builds with every warning as an error;
then all links within the site are followed. Nothing is fetched.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import api_page
import errors_page
import links
import magics_page
import pictures
import rules_page

from enzyme_magic.errors_catalog import CATALOG
from enzyme_magic.viz.drawing import render

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent
ROOT = DOCS.parent
GENERATED = {
    "errors.md": errors_page.page,
    "rules.md": rules_page.page,
    "magics.md": magics_page.page,
    "python.md": api_page.page,
}
BESIDE_THE_CODE = {
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "notebooks/TEACHING.md": "teaching.md",
}
_CODE = re.compile(
    r"(^```[^\n]*\n.*?^```$|^ {4}[^\n]*$|`[^`\n]+`|\]\([^)\n]*\)|^#+ [^\n]*$|^\([\w-]+\)=$)", re.M | re.S
)
_ERROR = re.compile(r"\b(EM\d{3})\b")
_MADE = re.compile(r"^@(picture|plot|table|plan) (\w+)(?: ([\w-]+))?: (.+)$", re.M)


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0] if arguments else ROOT / "out" / "site").resolve()
    source = folder.parent / f"{folder.name}-source"
    for old in (folder, source):
        shutil.rmtree(old, ignore_errors=True)
    render.TIMEOUT = 120.0  # a build may take its time
    sources(source)
    if build(source, folder):
        return 1
    shutil.rmtree(source)
    wrong = links.broken(folder) + links.from_the_web(folder)
    for line in wrong:
        print(f"docs: {line}", file=sys.stderr)
    if not wrong:
        print(
            f"{folder / 'index.html'}: {len(list(folder.rglob('*.html')))} pages, every link followed; open it in a browser."
        )
    return 1 if wrong else 0


def sources(folder: Path) -> None:
    """Everything that Sphinx reads."""
    (folder / "images").mkdir(parents=True)
    for file in (DOCS / "images").iterdir():
        shutil.copy(file, folder / "images")
    shutil.copy(HERE / "conf.py", folder)
    texts = {path.name: path.read_text() for path in sorted(DOCS.glob("*.md"))}
    texts |= {name: (ROOT / path).read_text() for path, name in BESIDE_THE_CODE.items()}
    texts |= {name: page() for name, page in GENERATED.items()}
    for name, text in texts.items():
        text = _MADE.sub(lambda found: drawn(folder / "images", *found.groups()), text)
        (folder / name).write_text(linked(text, frozenset(texts)))


def drawn(folder: Path, kind: str, name: str, view: str | None, alt: str) -> str:
    """A picture for each theme, of which the page shows the one that fits; a table as it was written; a plan as text."""
    if kind == "table":
        return (pictures.MEASURED / f"{name}.md").read_text()
    if kind == "plan":
        return f"```text\n{pictures.function_of(name).plan().strip()}\n```"
    files = pictures.plot(folder, name) if kind == "plot" else pictures.write(folder, name, view or "dashboard")
    return "\n\n".join(f"![{alt}](images/{file}){{.only-{theme}}}" for theme, file in files.items())


def linked(text: str, pages: frozenset[str]) -> str:
    """Names of pages and error codes lead there."""
    names = {f"docs/{name}": name for name in pages} | BESIDE_THE_CODE

    def link(found: re.Match[str]) -> str:
        name = found[0].strip("`")
        return f"[]({names[name]})" if name in names else found[0]

    parts = _CODE.split(text)
    for at, part in enumerate(parts):
        if at % 2:
            parts[at] = re.sub(r"^`[\w/.]+`$", link, part)
        else:
            parts[at] = _ERROR.sub(
                lambda found: f"[{found[0]}](#{found[0].lower()})" if found[0] in CATALOG else found[0], part
            )
    return "".join(parts)


def build(source: Path, folder: Path) -> int:
    strict = ["--fail-on-warning", "--keep-going", "--nitpicky"]
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", *strict, "-d", str(source / ".doctrees")]
    return subprocess.run([*command, str(source), str(folder)]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
