"""The form of one description."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorEntry:
    """`repair` is empty where the message's own hint says everything."""

    title: str
    meaning: str
    repair: str = ""
