"""What an exercise is: a question, a task that judges answers, two hints, and the mistakes that people make.

Invariant: frozen. A task says of an answer either nothing (it is right) or what is wrong about it; how often somebody has tried is
not its business (`checking.py`). A text that holds a number of a program, of a plan or of a call is a function: the number is
computed when the text is said, as answers are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

Told = str | Callable[[], str]


def said(told: Told) -> str:
    """A text with its numbers."""
    return told if isinstance(told, str) else told()


@dataclass(frozen=True, slots=True)
class Mistake:
    """A typical wrong answer, and the sentence that helps whoever gave it. Of a number or of lines, `answer` may be a function
    that computes it."""

    answer: object
    sentence: Told

    def given(self) -> object:
        """The wrong answer, computed where it is."""
        return self.answer() if callable(self.answer) else self.answer


class Task(Protocol):
    """How answers are judged."""

    @property
    def kind(self) -> str:
        """ "number", "lines", "choice" or "C"."""

    def untouched(self, answer: object) -> bool:
        """Whether this is the skeleton that the notebook came with."""

    def misformed(self, answer: object) -> str:
        """What an answer looks like, where this one does not; else empty."""

    def trouble(self, answer: object, mistakes: Iterable[Mistake]) -> str:
        """Why the answer is wrong; empty where it is right."""

    def reference(self) -> object:
        """A right answer."""

    def solution(self) -> str:
        """The right answer as people read it."""

    def prompt(self) -> str:
        """What is added to the question: the options of a choice, the form of an answer."""

    def cells(self, key: str) -> tuple[str, ...]:
        """The code cells of a notebook in which the answer is given."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """`key`: notebook and number, "04.2". `because`: said with a right answer."""

    key: str
    title: str
    question: str
    task: Task
    because: Told
    hints: tuple[Told, Told]
    mistakes: tuple[Mistake, ...]

    def text(self) -> str:
        """The question as Markdown."""
        return f"### Exercise {self.key}: {self.title}\n\n{self.question}\n\n{self.task.prompt()}".rstrip()
