"""The files around the code say what is so: documents, lock file, licence, and the commands of dev.py."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import re
import shutil
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("enzyme_magic/**/*.md")])
TEXT = {".py", ".md", ".toml", ".yml", ".yaml", ".lock", ".ipynb", ".js", ".css", ".txt", ""}


def tracked() -> list[Path]:
    """The files git knows; all but the generated ones where there is no git."""
    if shutil.which("git"):
        listing = ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"]
        done = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True)
        if done.returncode == 0:
            return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]
    ignored = [line.strip("/\n") for line in (ROOT / ".gitignore").read_text().splitlines()] + [".git"]
    files = (path for path in ROOT.rglob("*") if path.is_file())
    return [
        path for path in files if not any(fnmatch(part, p) for part in path.relative_to(ROOT).parts for p in ignored)
    ]


def test_the_documents_exist() -> None:
    names = {path.name for path in ROOT.iterdir()}
    assert {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "Makefile", "dev.py"} <= names
    assert "MIT License" in (ROOT / "LICENSE").read_text()


def test_nothing_was_left_behind() -> None:
    """By a test that ran in the checkout, say: in its first folder lies no file without a suffix but these."""
    bare = {path.name for path in tracked() if path.parent == ROOT and "." not in path.name}
    assert bare <= {"Dockerfile", "LICENSE", "Makefile"}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_folders_that_documents_mention_exist(document: Path) -> None:
    text = re.sub(r"```.*?```", "", document.read_text(), flags=re.S)
    spans = re.findall(r"`([\w.][\w./-]*)`", text) + re.findall(r"\]\((?!\w+:|#)([^)#]+)", text)
    paths = [name for name in spans if "/" in name or re.search(r"\.(py|md|toml|lock|ipynb)$", name)]
    places = (document.parent, ROOT, ROOT / "enzyme_magic", ROOT / "enzyme_magic" / "backend")
    made_later = ("out/", ".venv", "errors.md", "magics.md", "python.md", "rules.md")  # by dev.py docs
    missing = [
        name
        for name in paths
        if not name.startswith(made_later) and not any((place / name).exists() for place in places)
    ]
    assert missing == []


def test_every_page_of_the_documentation_has_its_place() -> None:
    """In the contents of the site; the site itself is built by tests/docs."""
    index = (ROOT / "docs" / "index.md").read_text()
    contents = set(re.findall(r"^(\w+)$", index, re.M))
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"} - contents == set(), (
        "name it in docs/index.md"
    )


def test_the_architecture_page_knows_every_room() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    package = ROOT / "enzyme_magic"
    rooms = [*package.iterdir(), *(package / "backend").iterdir()]
    names = {path.name + ("/" if path.is_dir() else "") for path in rooms if path.suffix == ".py" or path.is_dir()}
    names -= {"__init__.py", "__pycache__/", "py.typed"}
    assert {name for name in names if name not in text} == set()


def test_dev_commands_that_documents_mention_exist() -> None:
    commands = set(re.findall(r'"(\w+)": \w+', (ROOT / "dev.py").read_text().split("COMMANDS = ")[1].split("}")[0]))
    assert {"demo", "test", "lint", "bench", "notebooks", "docs", "classroom", "nightly", "lock", "native"} == commands
    makefile = (ROOT / "Makefile").read_text()
    for document in [
        *DOCUMENTS,
        ROOT / ".ci" / "run",
        ROOT / ".github" / "workflows" / "ci.yml",
        ROOT / ".pre-commit-config.yaml",
    ]:
        text = document.read_text()
        assert set(re.findall(r"dev\.py ([a-z]\w*)", text)) <= commands, document
        assert set(re.findall(r"`make (\w+)", text)) <= set(makefile.split()), document


def test_dev_py_can_say_on_an_old_python_that_it_is_too_old() -> None:
    ast.parse((ROOT / "dev.py").read_text(), feature_version=(3, 7))


def lock(name: str = "requirements.lock") -> dict[str, str]:
    lines = (ROOT / name).read_text().splitlines()
    assert lines[0].startswith("#")
    pins = [re.fullmatch(r"([A-Za-z0-9._-]+)==([A-Za-z0-9._!+-]+)", line) for line in lines[1:]]
    assert all(pins), "exact versions and nothing else: no host, no path"
    return {canonical(pin[1]): pin[2] for pin in pins if pin}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_lock_fits_the_bounds() -> None:
    pins = lock()
    extras = PROJECT["optional-dependencies"]
    wanted = [Requirement(text) for text in [*PROJECT["dependencies"], *extras["test"], *extras["dev"]]]
    wrong = [
        str(requirement)
        for requirement in wanted
        if requirement.name != PROJECT["name"]
        and not requirement.specifier.contains(pins.get(canonical(requirement.name), "0"))
    ]
    assert wrong == [], "run `python3 dev.py lock`"


def test_the_lock_of_the_frameworks_only_adds() -> None:
    """It holds every framework within its bounds, and says nothing of a package that the other lock has."""
    pins, more = lock(), lock("requirements-frameworks.lock")
    assert pins.keys() & more.keys() == set()
    extras = PROJECT["optional-dependencies"]
    (every,) = map(Requirement, extras["frameworks"])
    for extra in every.extras:
        for requirement in map(Requirement, extras[extra]):
            assert requirement.specifier.contains(more.get(canonical(requirement.name), "0")), requirement
            assert requirement.specifier, "a lower bound"


@pytest.mark.parametrize("file", ["requirements.lock", "requirements-frameworks.lock"])
def test_the_lock_is_closed(file: str) -> None:
    """Nothing that a locked package needs on this platform is left to chance."""
    pins = lock() | lock(file)
    for name in lock(file):
        if not installed(name) and (file != "requirements.lock" or not environment_of_the_locks()):
            continue
        for text in importlib.metadata.requires(name) or []:
            need = Requirement(text)
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                assert canonical(need.name) in pins, f"{name} needs {need.name}"


def environment_of_the_locks() -> bool:
    """Whether dev.py made the environment from the locks as they are now. It may be older while a lock is being changed."""
    stamp = ROOT / ".venv" / "ready"
    contents = b"\0".join((ROOT / name).read_bytes() for name in ("requirements.lock", "pyproject.toml"))
    return stamp.is_file() and hashlib.sha256(contents).hexdigest() in stamp.read_text()


def installed(name: str) -> bool:
    return bool(list(importlib.metadata.distributions(name=name)))


def test_every_dependency_has_a_lower_bound() -> None:
    extras = PROJECT["optional-dependencies"]
    for text in [*PROJECT["dependencies"], *extras["test"], *extras["dev"]]:
        requirement = Requirement(text)
        assert requirement.name == PROJECT["name"] or requirement.specifier, text


def test_the_version_is_said_once() -> None:
    import enzyme_magic

    assert enzyme_magic.__version__ == PROJECT["version"]
    assert f"## [{PROJECT['version']}] - " in (ROOT / "CHANGELOG.md").read_text()


def test_the_repository_names_no_machine() -> None:
    machine = re.compile(
        "|".join(["/" + place + "/" for place in ("root", "work", "home/[a-z]")] + ["/" + "tmp/(?!x)"])
    )
    wrong = []
    for path in tracked():
        if path.suffix not in TEXT or path == Path(__file__):
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        wrong += [f"{path.relative_to(ROOT)}: {match[0]}" for match in machine.finditer(text)]
    assert wrong == []
