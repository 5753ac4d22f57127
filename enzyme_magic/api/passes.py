"""The optimizer's passes over a gradient: rows to loop over, texts, and what one changed.

Invariant: read from a `report.Passes` and nothing else.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from enzyme_magic.errors import ArgumentError, for_users
from enzyme_magic.progress import shown
from enzyme_magic.report import Optimization, Passes, PassStep, Report

if TYPE_CHECKING:
    from enzyme_magic.api.derivatives.caching import CachingChoice
    from enzyme_magic.api.derivatives.wrt import Wrt
    from enzyme_magic.api.function import CFunction


@for_users
class PassTable(Sequence[PassStep]):
    """One row for each pass that changed the gradient: its name, what it worked on, and a caption computed from the change."""

    def __init__(self, function: str, found: Passes) -> None:
        self.function = function
        self.passes = found

    def __len__(self) -> int:
        return len(self.passes.steps)

    def __getitem__(self, index: Any) -> Any:
        return self.passes.steps[index]

    def __iter__(self) -> Iterator[PassStep]:
        return iter(self.passes.steps)

    @property
    def optimizations(self) -> tuple[Optimization, ...]:
        """One sentence for each kind of pass: what all its runs did together."""
        return self.passes.optimizations

    def text(self, number: int) -> str:
        """The whole module after the pass of that number, from 1; 0 is what the first pass begins with."""
        return self.passes.text(self._checked(number, 0))

    def diff(self, number: int) -> str:
        """What the pass of that number, from 1, changed, as a unified diff."""
        number = self._checked(number, 1)
        before, after = (self.passes.text(k).split("\n") for k in (number - 1, number))
        step = self.passes.steps[number - 1]
        return "\n".join(difflib.unified_diff(before, after, "before", f"after {step.title}", lineterm=""))

    def _checked(self, number: int, least: int) -> int:
        if type(number) is not int or not least <= number <= len(self):
            raise ArgumentError(
                f"there is no pass {number!r}", code="EM323", hint=f"a number from {least} to {len(self)}"
            )
        return number

    def __repr__(self) -> str:
        head = f"{self.function}: {len(self)} passes changed the gradient"
        width = max((len(step.title) for step in self), default=0)
        rows = [f"{k:4d}  {step.title.ljust(width)}  {step.caption}" for k, step in enumerate(self, 1)]
        return "\n".join([head, *rows])


@shown("the passes of {}")
def made(function: CFunction, mode: str, wrt: Wrt, caching: CachingChoice = None) -> Passes:
    """The optimizer is run again, in a process of its own, and prints what each pass changed."""
    from enzyme_magic.backend.explain.passes.run import passes

    request = function.request(wrt, mode=mode, caching=caching)
    return passes(cast(Any, function.program.compiled), request)


def added(function: CFunction, mode: str, wrt: Wrt, report: Report) -> Report:
    """The record with its passes."""
    return dataclasses.replace(report, passes=made(function, mode, wrt))
