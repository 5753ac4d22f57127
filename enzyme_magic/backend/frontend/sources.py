"""The C text of one compilation, checked before any compiler sees it.

Invariant: a `Source` that passed `check` is UTF-8 text without NUL, within the size limit, with something in it, and its name
fits on one line. Lines are counted as the compiler counts them (`\\n`, `\\r\\n`, `\\r`; no Unicode line separators).
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from io import BufferedReader
from pathlib import Path
from typing import Any

from enzyme_magic.errors import CompileError, Span

_NEWLINE = re.compile(r"\r\n|\n|\r")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class Source:
    """One translation unit. `name` is what messages call it (`In[3]`, a path); `path` is the file it was read from: its folder
    is where `#include "…"` looks first. known: (name, declaration) of functions of other sources, which the text may call without
    declaring them."""

    text: str
    name: str
    path: Path | None = None
    known: tuple[tuple[str, str], ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return Source, (
            self.text,
            self.name,
            self.path,
            self.known,
        )  # equal sources pickle to equal bytes, whatever was asked of them

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return tuple(_NEWLINE.split(self.text))

    def line(self, number: int) -> str | None:
        """Line `number` (from 1) without its newline, None outside the text."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else None


def read(path: Path | str, name: str | None = None) -> Source:
    """The source kept in a file. Raises CompileError EM118 (not readable) and EM112 (not UTF-8)."""
    path = Path(path).expanduser()
    try:
        with _ordinary(path) as file:
            data = file.read()
    except (OSError, ValueError) as error:  # of a name that no file can have, too
        why = error.strerror or error if isinstance(error, OSError) else error
        raise CompileError(
            f"{str(path)!r:.200}: {why}", code="EM118", hint="check the path, relative to the working directory"
        ) from error
    return from_bytes(data, name or str(path), path)


def digest(path: Path | str) -> str | None:
    """The sha256 of a file's content; None where there is no ordinary file that can be read."""
    try:
        with _ordinary(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _ordinary(path: Path | str) -> BufferedReader:
    """A file, opened. Raises OSError also for a device or a pipe, which may never end, and does not wait for one."""
    file = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb")
    mode = os.fstat(file.fileno()).st_mode
    if not stat.S_ISREG(mode):
        file.close()
        raise OSError(errno.EINVAL, "Is a directory" if stat.S_ISDIR(mode) else "Not an ordinary file")
    return file


def from_bytes(data: bytes, name: str, path: Path | None = None) -> Source:
    """The source given as bytes. Raises CompileError EM112 naming the first line that is not UTF-8."""
    try:
        return Source(data.decode("utf-8"), name, path)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _not_utf8(name, line) from error


def _not_utf8(name: str, line: int) -> CompileError:
    return CompileError(
        "the source is not valid UTF-8",
        code="EM112",
        hint="save the file as UTF-8, or remove the character",
        span=Span(name, line),
    )


def check(source: Source, limit: int) -> Source:
    """`source`, ready for the compiler: no byte order mark, a name on one line.

    Raises CompileError: EM111 nothing but white space, EM112 no UTF-8, EM113 a NUL character, EM114 over `limit` bytes.
    """
    name = _CONTROL.sub(" ", source.name) or "source"
    text = source.text.removeprefix("\ufeff")
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise _not_utf8(name, text.count("\n", 0, error.start) + 1) from error
    if size > limit:
        raise CompileError(
            f"{name} has {size:,} bytes of source, at most {limit:,} are accepted",
            code="EM114",
            hint="move data out of the cell into an array argument, or raise ENZYME_MAGIC_SOURCE_LIMIT",
        )
    if not text.strip():
        raise CompileError(f"{name} has no code", code="EM111", hint="write a C function below the magic line")
    if "\0" in text:
        at = text.index("\0")
        line = text.count("\n", 0, at) + 1
        column = at - text.rfind("\n", 0, at)
        raise CompileError(
            "the source contains a NUL character", code="EM113", hint="delete it", span=Span(name, line, column)
        )
    return replace(source, text=text, name=name)


def by_name(sources: Iterable[Source]) -> dict[str, Source]:
    return {source.name: source for source in sources}
