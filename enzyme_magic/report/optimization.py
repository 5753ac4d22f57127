"""What the optimizer did to the gradient, pass by pass, as changes of a text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextChange:
    """`gone` lines of a text, from line `at` on (from 0), give way to `lines` (schema 6)."""

    at: int
    gone: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PassStep:
    """A pass of the optimizer that changed the gradient (schema 6). name: LLVM's; title, about: for people; on: what it worked on;
    caption: what changed; changes: of the text before, from its end to its beginning; instructions: afterwards, of all."""

    name: str
    title: str
    about: str
    on: str
    caption: str
    changes: tuple[TextChange, ...]
    instructions: int


@dataclass(frozen=True, slots=True)
class Passes:
    """The optimization after differentiation, pass by pass (schema 6). start: the module's text before the first of them."""

    start: str
    steps: tuple[PassStep, ...] = ()

    def text(self, index: int) -> str:
        """The module after the first `index` steps."""
        lines = self.start.split("\n")
        for step in self.steps[:index]:
            for change in step.changes:
                lines[change.at : change.at + change.gone] = change.lines
        return "\n".join(lines)
