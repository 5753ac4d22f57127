"""How far somebody is: one file in the cache folder, exported for a class, gathered by the teacher.

Invariant: what cannot be kept on disk is kept in the process; a damaged file counts as an empty one. No answer is kept, only
whether one was right and how many wrong ones came before.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from enzyme_magic.config import settings
from enzyme_magic.errors import ArgumentError, ViewError, user_frames
from enzyme_magic.workshop.course import EXERCISES

FORMAT = "enzyme_magic workshop 1"
_here: dict[str, dict[str, Any]] = {}  # where the disk is of no use


@dataclass(frozen=True, slots=True)
class Progress:
    """`notebooks`: (notebook, solved, exercises). `wrong`: wrong answers by exercise. `learner`: "" for oneself."""

    notebooks: tuple[tuple[str, int, int], ...]
    wrong: tuple[tuple[str, int], ...] = ()
    learner: str = ""

    @property
    def solved(self) -> int:
        return sum(solved for _, solved, _ in self.notebooks)

    def __repr__(self) -> str:
        lines = [
            f"{name}  {'●' * solved}{'○' * (count - solved)}  {solved} of {count}"
            for name, solved, count in self.notebooks
        ]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Class:
    """What `gather` gives: one Progress for each learner, and the files that are none."""

    learners: tuple[Progress, ...]
    others: tuple[str, ...] = ()

    def __repr__(self) -> str:
        if not self.learners:
            return "no exported files here"
        names = [name for name, _, _ in self.learners[0].notebooks]
        width = max(len("learner"), *(len(p.learner) for p in self.learners))
        lines = [f"{'learner':{width}}  {'  '.join(names)}  all"]
        for progress in self.learners:
            row = "  ".join(f"{solved}/{count}" for _, solved, count in progress.notebooks)
            lines.append(f"{progress.learner:{width}}  {row}  {progress.solved}")
        return "\n".join([*lines, *(f"not an exported file: {name}" for name in self.others)])


def record(key: str, *, right: bool) -> int:
    """Keep one answer; the number of wrong answers so far."""
    known = _read()
    entry = known.setdefault(key, {"wrong": 0, "right": False})
    if right:
        entry["right"] = True
    else:
        entry["wrong"] += 1
    _write(known)
    return int(entry["wrong"])


def forget(key: str) -> None:
    known = _read()
    known.pop(key, None)
    _write(known)


@user_frames
def progress() -> Progress:
    """How far one is, notebook by notebook."""
    return _progress(_read())


@user_frames
def export(path: str | os.PathLike[str], learner: str = "") -> Path:
    """Write what `progress` says as one file, for the teacher; its absolute path. learner: the name that the table shows."""
    try:
        made = Path(path).resolve()
        made.write_text(json.dumps({"format": FORMAT, "learner": learner or made.stem, "exercises": _read()}, indent=1))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ViewError(
            f"{os.fspath(path)!r} cannot be written: {why}", code="EM504", hint="name a file in a folder"
        ) from None
    return made


@user_frames
def gather(folder: str | os.PathLike[str]) -> Class:
    """The exported files of a folder as one table. ArgumentError EM347 where there is no such folder."""
    place = Path(folder)
    if not _is_folder(place):
        raise ArgumentError(f"{place} is no folder", code="EM347", hint="put the exported files into one folder")
    learners, others = [], []
    for path in sorted(place.glob("*.json")):
        data = _load(path)
        if data.get("format") != FORMAT:
            others.append(path.name)
        else:
            learners.append(_progress(_entries(data.get("exercises")), str(data.get("learner", path.stem))))
    return Class(tuple(learners), tuple(others))


def _is_folder(place: Path) -> bool:
    try:
        return place.is_dir()
    except OSError:  # no name that a file can have
        return False


def _progress(known: dict[str, dict[str, Any]], learner: str = "") -> Progress:
    rows = []
    for notebook in _unique(exercise.key.partition(".")[0] for exercise in EXERCISES):
        keys = [exercise.key for exercise in EXERCISES if exercise.key.startswith(f"{notebook}.")]
        rows.append((notebook, sum(known.get(key, {}).get("right") is True for key in keys), len(keys)))
    wrong = tuple((key, int(entry["wrong"])) for key, entry in sorted(known.items()) if entry["wrong"])
    return Progress(tuple(rows), wrong, learner)


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _path() -> Path:
    return settings().cache_dir / "workshop.json"


def _read() -> dict[str, dict[str, Any]]:
    return {**_entries(_load(_path()).get("exercises")), **_here}


def _write(known: dict[str, dict[str, Any]]) -> None:
    path = _path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_text(json.dumps({"format": FORMAT, "exercises": known}))
        beside.replace(path)
        _here.clear()
    except OSError:
        _here.clear()
        _here.update(known)


def _load(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _entries(data: object) -> dict[str, dict[str, Any]]:
    """What of a file is what we write."""
    if not isinstance(data, dict):
        return {}
    return {
        str(key): {"wrong": entry["wrong"], "right": entry["right"]}
        for key, entry in data.items()
        if isinstance(entry, dict) and type(entry.get("wrong")) is int and type(entry.get("right")) is bool
    }
