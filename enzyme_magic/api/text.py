"""LLVM IR as a string with a picture.

Invariant: the string is a whole parseable module with the requested function first; everything a str can do works.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from enzyme_magic.api.views_hook import views
from enzyme_magic.errors import for_users
from enzyme_magic.report import Report


@for_users
class IRText(str):
    """The text of one IR stage. `.graph` draws its CFG (a graphviz.Source); `print` shows the text."""

    __slots__ = ("_report", "stage")
    stage: str
    _report: Callable[[], Report]

    def __new__(cls, text: str, stage: str, report: Callable[[], Report]) -> IRText:
        self = super().__new__(cls, text)
        self.stage = stage
        self._report = report
        return self

    @property
    def graph(self) -> Any:
        """The control flow graph of this stage."""
        return views().graph(self._report(), self.stage)

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (str(self),)
