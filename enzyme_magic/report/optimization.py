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
class Optimization:
    """What all runs of one kind of pass did together (schema 6). title, about: for people; runs: how many changed something."""

    title: str
    about: str
    runs: int
    sentence: str

    @property
    def words(self) -> str:
        """ "SROA turns local memory into values. 2 runs changed something: 70 stores and 59 loads fewer"."""
        runs = "1 run" if self.runs == 1 else f"{self.runs} runs"
        return (
            f"{f'{self.title} {self.about}' if self.about else self.title}. {runs} changed something: {self.sentence}"
        )


@dataclass(frozen=True, slots=True)
class Passes:
    """The optimization after differentiation, pass by pass (schema 6). start: the module's text before the first of them;
    optimizations: one sentence for each kind of pass."""

    start: str
    steps: tuple[PassStep, ...] = ()
    optimizations: tuple[Optimization, ...] = ()

    def text(self, index: int) -> str:
        """The module after the first `index` steps."""
        lines = self.start.split("\n")
        for step in self.steps[:index]:
            for change in step.changes:
                lines[change.at : change.at + change.gone] = change.lines
        return "\n".join(lines)
