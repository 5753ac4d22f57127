"""What a compilation leaves for later sessions: plain records in the artifact store.

Invariant: a record is found again only for the same sources, options, compiler, LLVM, state of the package and CPU, and
while every included header still has the content it had. Anything unreadable counts as absent.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import enzyme_magic
from enzyme_magic.backend.frontend import c_types, sources
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.llvm import binding, vector_library
from enzyme_magic.backend.native import Entry, MemoryNeed, ResultField, Slot, Static
from enzyme_magic.backend.store import serialize
from enzyme_magic.backend.store.artifacts import ArtifactStore
from enzyme_magic.config import Options
from enzyme_magic.errors import Diagnostic, Span

FORMAT = 11
C_TYPES = tuple(v for v in vars(c_types).values() if isinstance(v, type) and v.__module__ == c_types.__name__)


@dataclass(frozen=True, slots=True)
class Primal:
    """One C function of a program. `uniform`: called through the front end's uniform entry. written: pointer
    parameters whose memory may be written; read: whose content before the call may be read; needs: how much a call is certain
    to touch. reads_variables, writes_variables: of the program; remembers: a call may read what an earlier one wrote.
    outside, draws: functions of the library that may give something else in each call (program/remembering.py).
    separable: the written ones that derivatives take for `restrict` where they have memory of their own (program/separable.py)."""

    entry: Entry
    written: tuple[int, ...] = ()
    read: tuple[int, ...] = ()
    uniform: bool = False
    needs: tuple[MemoryNeed, ...] = ()
    reads_variables: tuple[str, ...] = ()
    writes_variables: tuple[str, ...] = ()
    remembers: bool = False
    outside: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    separable: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramRecord:
    """A compiled program without its object code. keeps_blocks: static variables of it may hold heap blocks between calls."""

    input_ir: str
    optimized_ir: str
    signatures: dict[str, c_types.Signature]
    primals: dict[str, Primal]
    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[str, ...]
    files: tuple[tuple[str, str], ...]  # included headers: path, sha256
    names: tuple[str, ...] = ()  # of the sources
    keeps_blocks: bool = False


@dataclass(frozen=True, slots=True)
class DerivativeRecord:
    """A derivative without its object code. `needs_program`: it refers to functions or globals of the program."""

    entry: Entry
    gradient_ir: str
    gradient_optimized_ir: str
    needs_program: bool
    names: tuple[str, ...] = ()  # of the program's sources


CLASSES = (
    *C_TYPES,
    Primal,
    MemoryNeed,
    ProgramRecord,
    DerivativeRecord,
    Entry,
    Slot,
    Static,
    ResultField,
    Diagnostic,
    Span,
)
RECORD, OBJECT = "record.json", "code.o"


def program_key(sources: Sequence[Source], options: Options, compiler: str) -> str:
    """The key of a program. `compiler`: version text of clang."""
    return ArtifactStore.key(
        {
            "format": FORMAT,
            "sources": [[s.name, s.text, str(s.path or ""), s.known] for s in sources],
            "options": replace(options, isolate=False),  # the code is the same
            "compiler": compiler,
            "llvm": ".".join(map(str, binding.llvm_version())),
            "package": [enzyme_magic.__version__, package_state()],
            "cpu": [binding.host_triple(), binding.host_cpu(), binding.host_features(), vector_library.state()],
        }
    )


@cache
def package_state() -> str:
    """A digest of the names, sizes and times of this package's own files, tables included: code that an older state of a checkout
    made is not taken for its own. Reads no file."""
    found: list[str] = []
    pending = [Path(enzyme_magic.__file__).parent]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if not entry.is_dir():
                    known = entry.stat()
                    found.append(f"{entry.path} {known.st_size} {known.st_mtime_ns}")
                elif entry.name != "__pycache__":
                    pending.append(Path(entry.path))
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()


def part_key(key: str, program: ProgramRecord, part: object) -> str:
    """The key of something derived from the program that is kept under `key`. What decides whether a kept program still holds is in
    it, the content of the included files too, so a derivative lives no longer than the program it is of."""
    return ArtifactStore.key({"program": key, "files": [list(file) for file in program.files], "part": part})


def save(store: ArtifactStore | None, key: str, record: object, code: bytes) -> str | None:
    """Keep a record and its object code; the sentence says why that was not possible."""
    if store is None:
        return None
    return store.put(key, {RECORD: serialize.dump(record).encode(), OBJECT: code})


def load(store: ArtifactStore | None, key: str) -> tuple[object, bytes] | None:
    """What `save` kept; None when there is nothing, or nothing usable."""
    files = store.get(key) if store is not None else None
    if files is None or set(files) != {RECORD, OBJECT}:
        return None
    try:
        record = serialize.load(files[RECORD].decode(), CLASSES)
    except ValueError:
        return None
    if isinstance(record, ProgramRecord) and not _unchanged(record.files):
        return None
    return record, files[OBJECT]


def _unchanged(files: Sequence[tuple[str, str]]) -> bool:
    return all(sources.digest(path) == digest for path, digest in files)
