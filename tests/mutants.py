"""Faults put into the engine one at a time, and the tests that must see each of them.

    python -m tests.mutants            # all of them, 2 to 60 seconds each
    python -m tests.mutants 7 12 40:45 # some
    python -m tests.mutants --list

Each mutant (`mutants.txt`) is one changed line in a copy of the tree. It is killed when the tests of every change
(`-m "not nightly"`) in the files named beside it fail. One that survives is a class of fault that `python3 dev.py test` no longer
finds: whoever thins out
a sweep runs this before and after. A test reads whether each line is still there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIED = (
    "enzyme_magic",
    "tests",
    "pyproject.toml",
    "docs",
    "notebooks",
    "ARCHITECTURE.md",
    "benchmarks",
    "README.md",
    "dev.py",
)
LIMIT = 1200.0  # seconds


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old`, which `file` holds once, becomes `new`; `tests` are arguments for pytest."""

    file: str
    old: str
    new: str
    tests: tuple[str, ...]


def read() -> tuple[Mutant, ...]:
    """The list of mutants.txt: the file, `- old`, `+ new`, the tests."""
    text = (Path(__file__).parent / "mutants.txt").read_text(encoding="utf-8")
    blocks = [block.splitlines() for block in text.strip().split("\n\n")]
    return tuple(Mutant(file, old[2:], new[2:], tuple(tests.split())) for file, old, new, tests in blocks)


MUTANTS = read()


def main(arguments: list[str]) -> int:
    if "--list" in arguments:
        for number, mutant in enumerate(MUTANTS):
            print(f"{number:3} {mutant.file}: {mutant.old}  ->  {mutant.new}")
        return 0
    survivors = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder)
        for name in COPIED:
            _copy(ROOT / name, tree / name)
        for number in _chosen(arguments):
            mutant = MUTANTS[number]
            killed = tried(mutant, tree)
            print(f"{number:3} {'killed' if killed else 'SURVIVED'} {mutant.file}: {mutant.new}", flush=True)
            if not killed:
                survivors.append(number)
    print(f"{len(survivors)} survived: {survivors}" if survivors else "all killed")
    return 1 if survivors else 0


def _chosen(arguments: list[str]) -> list[int]:
    found: list[int] = []
    for word in arguments:
        first, colon, end = word.partition(":")
        found += range(int(first), int(end)) if colon else [int(first)]
    return found or list(range(len(MUTANTS)))


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    else:
        shutil.copy(source, target)


def mutated(mutant: Mutant, root: Path) -> str:
    """The text of the changed file. ValueError where the line is not there once."""
    text = (root / mutant.file).read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        raise ValueError(f"{mutant.file} holds {text.count(mutant.old)} times: {mutant.old}")
    return text.replace(mutant.old, mutant.new)


def tried(mutant: Mutant, tree: Path) -> bool:
    """Whether the tests fail with the mutant in the tree; the file is put back."""
    file = tree / mutant.file
    before, changed = file.read_text(encoding="utf-8"), mutated(mutant, tree)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-n0",
        "-p",
        "no:cacheprovider",
        "-m",
        "not nightly",
        *mutant.tests,
    ]
    env = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    env.pop("ENZYME_MAGIC_CACHE_DIR", None)
    try:
        file.write_text(changed, encoding="utf-8")
        code = subprocess.run(
            command, cwd=tree, env=env, capture_output=True, timeout=LIMIT, stdin=subprocess.DEVNULL
        ).returncode
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_text(before, encoding="utf-8")
    if code in (2, 3, 4, 5) and not _collects(command, tree, env):
        raise SystemExit(f"the tests of {mutant.file} are not there: {' '.join(mutant.tests)}")
    return code != 0


def _collects(command: list[str], tree: Path, env: dict[str, str]) -> bool:
    """Whether the tests are there without the mutant."""
    return subprocess.run([*command, "--collect-only"], cwd=tree, env=env, capture_output=True).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
