"""`check`: the answer to an answer. Wrong ones climb a ladder: the reason, with a first hint, a second hint, then the solution.

Invariant: the skeleton that a notebook came with is no attempt, so running a notebook from top to bottom changes nothing; nor
is what has another form than an answer, as a text for a number. What an answer says is decided by the exercise and by the number
of wrong answers before it.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.errors import ArgumentError, user_frames
from enzyme_magic.workshop import standing
from enzyme_magic.workshop.course import EXERCISES
from enzyme_magic.workshop.exercises import Exercise, said


@dataclass(frozen=True, slots=True)
class Answer:
    """What `check` gives. `state`: "right", "wrong" or "open" (nothing was answered yet). `attempts`: wrong answers so far."""

    key: str
    state: str
    reason: str
    help: str = ""
    attempts: int = 0

    @property
    def right(self) -> bool:
        return self.state == "right"

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        mark = {"right": "✓", "wrong": "✗", "open": "○"}[self.state]
        head = {"right": "right", "wrong": "not yet", "open": "waits for your answer"}[self.state]
        lines = [f"{mark} {self.key} {head}" + (f": {self.reason}" if self.reason else ""), self.help]
        return "\n".join(line for line in lines if line)


@user_frames
def check(key: str, answer: object) -> Answer:
    """Judge an answer. A right one is kept (`progress`); a wrong one is told why, and gets more help each time.

    Raises ArgumentError EM346 for an exercise that does not exist. What is wrong about an answer is never raised.
    """
    exercise = find(key)
    if exercise.task.untouched(answer):
        return Answer(key, "open", "")
    if misformed := exercise.task.misformed(answer):
        return Answer(key, "open", misformed)
    trouble = exercise.task.trouble(answer, exercise.mistakes)
    attempts = standing.record(key, right=not trouble)
    if not trouble:
        return Answer(key, "right", said(exercise.because), attempts=attempts)
    return Answer(key, "wrong", trouble, _help(exercise, attempts), attempts)


@user_frames
def again(key: str) -> None:
    """Forget the answers to one exercise."""
    find(key)
    standing.forget(key)


class Question(str):
    """A text that a notebook shows as Markdown."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return str(self)


@user_frames
def question(key: str) -> Question:
    """The exercise's text."""
    return Question(find(key).text())


def find(key: str) -> Exercise:
    """The exercise `key`; ArgumentError EM346 where there is none."""
    for exercise in EXERCISES:
        if exercise.key == key:
            return exercise
    raise ArgumentError(f"there is no exercise {key!r}", code="EM346", hint=_meant(str(key)))


def _meant(key: str) -> str:
    """What to ask for instead: 01.1 is easily written 1.1, or as a number."""
    near = [e.key for e in EXERCISES if e.key.startswith(key[:2])]
    if any(e.key == f"0{key}" for e in EXERCISES):
        return f'did you mean "0{key}"?'
    return f"notebook {key[:2]} has {', '.join(near)}" if near else "for instance 01.1"


def _help(exercise: Exercise, attempts: int) -> str:
    if attempts <= len(exercise.hints):
        return f"Hint {attempts} of {len(exercise.hints)}: {said(exercise.hints[attempts - 1])}"
    return f"The solution:\n{exercise.task.solution()}"
