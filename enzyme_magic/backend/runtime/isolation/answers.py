"""Answers of a worker, read as what they may be: anything.

C code may have damaged the memory of the worker, or have written into the line. Invariant: an answer is the one that the
request asked for, with a status, and with an error of this package in plain data; or it is `Unreadable`. Nothing that a worker
sends is unpickled.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from enzyme_magic.backend.runtime.isolation.protocol import DONE, HEADER, RAISED, SPOILED
from enzyme_magic.errors import EnzymeError, Span

_LONGEST = 1 << 20
_CODE = re.compile(r"EM\d{3}")


class Unreadable(Exception):
    """No answer."""


@dataclass(frozen=True, slots=True)
class Raised:
    """What the worker raised. place: of a fault, as it says. spoiled: its memory may be damaged."""

    error: EnzymeError
    place: Any
    spoiled: bool


def answer_in(data: bytes | bytearray, mark: int) -> bool | Raised:
    """The answer to the request with this mark; False while it is not complete, True for one without news."""
    if len(data) < HEADER.size:
        return False
    status, repeated, size = HEADER.unpack_from(data)
    end = HEADER.size + size
    if repeated != mark or status not in (DONE, RAISED, SPOILED) or not 0 <= size <= _LONGEST or len(data) > end:
        raise Unreadable
    if len(data) < end:
        return False
    if status == DONE:
        if size:
            raise Unreadable
        return True
    return _raised(bytes(data[HEADER.size : end]), spoiled=status == SPOILED)


def _raised(data: bytes, *, spoiled: bool) -> Raised:
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        raise Unreadable from None
    if not isinstance(told, dict):
        raise Unreadable
    kind, message, code, hint = (told.get(name) for name in ("class", "message", "code", "hint"))
    made = _kinds().get(kind) if isinstance(kind, str) else None
    if made is None or not isinstance(message, str) or not isinstance(hint, str | None):
        raise Unreadable
    if not isinstance(code, str) or not _CODE.fullmatch(code):
        raise Unreadable
    return Raised(made(message, code=code, hint=hint, span=_span(told)), told.get("place"), spoiled)


def _span(told: dict[str, Any]) -> Span | None:
    file, line = told.get("file"), told.get("line")
    if file is None and line is None:
        return None
    if not isinstance(file, str) or type(line) is not int or not 0 <= line < 1 << 31:
        raise Unreadable
    return Span(file, line)


def _kinds() -> dict[str, type[EnzymeError]]:
    """The errors of this package, by name."""
    return {kind.__name__: kind for kind in _below(EnzymeError) if kind.__module__ == EnzymeError.__module__}


def _below(kind: type[EnzymeError]) -> list[type[EnzymeError]]:
    return [below for sub in kind.__subclasses__() for below in (sub, *_below(sub))]
