"""Answers that are values: a number, lines of a C text, one of several options.

Invariant: the right answer is computed, by the compiler where it can be. What is right in another form is right: a single line
without braces, an option in its own words.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from enzyme_magic.workshop.exercises import Mistake, said

LETTERS = "abcdefgh"
NEAR = 0.02  # of a number that is no whole one: an answer with too few digits


@dataclass(frozen=True, slots=True)
class NumberAnswer:
    """A number, to six digits unless `tolerance` (relative) says otherwise."""

    expected: Callable[[], float]
    tolerance: float = 1e-6
    kind: str = "number"

    def untouched(self, answer: object) -> bool:
        return answer is ...

    def misformed(self, answer: object) -> str:
        try:
            float(answer)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return f"The answer is a number, and this is {answer!r}."
        return ""

    def trouble(self, answer: object, mistakes: Iterable[Mistake]) -> str:
        given = float(answer)  # type: ignore[arg-type]
        if self._same(given, float(self.expected())):
            return ""
        for mistake in mistakes:
            if self._same(given, float(mistake.given())):  # type: ignore[arg-type]
                return said(mistake.sentence)
        expected = float(self.expected())
        if not expected.is_integer() and math.isclose(given, expected, rel_tol=NEAR):
            return f"{answer} is near. Give more digits."
        return f"{answer} is not the number."

    def _same(self, given: float, wanted: float) -> bool:
        return math.isclose(given, wanted, rel_tol=self.tolerance, abs_tol=1e-12)

    def reference(self) -> object:
        return self.expected()

    def solution(self) -> str:
        return f"{self.expected():.10g}"

    def prompt(self) -> str:
        return ""

    def cells(self, key: str) -> tuple[str, ...]:
        return (f'answer = ...  # a number\nem.workshop.check("{key}", answer)',)


@dataclass(frozen=True, slots=True)
class Lines:
    """A set of line numbers of the C text."""

    expected: Callable[[], frozenset[int]]
    kind: str = "lines"

    def untouched(self, answer: object) -> bool:
        return answer is ...

    def misformed(self, answer: object) -> str:
        known = _lines(answer) is not None
        return "" if known else f"The answer is a set of line numbers, as {{2, 3}}, and this is {answer!r}."

    def trouble(self, answer: object, mistakes: Iterable[Mistake]) -> str:
        given = _lines(answer) or frozenset()
        wanted = self.expected()
        if given == wanted:
            return ""
        known = list(mistakes)
        for mistake in known:
            if given == mistake.given():
                return said(mistake.sentence)
        parts = []
        if wanted - given:
            parts.append(f"{_lines_said(len(wanted - given))} missing")
        if given - wanted:
            parts.append(f"{_lines_said(len(given - wanted))} too many")
        reasons = [said(mistake.sentence) for mistake in known if _part_of(mistake, given, wanted)]
        return " ".join([f"Not these lines: {' and '.join(parts)}.", *reasons])

    def reference(self) -> object:
        return set(self.expected())

    def solution(self) -> str:
        return "{" + ", ".join(map(str, sorted(self.expected()))) + "}"

    def prompt(self) -> str:
        return ""

    def cells(self, key: str) -> tuple[str, ...]:
        return (f'answer = ...  # line numbers, as {{2, 3}}\nem.workshop.check("{key}", answer)',)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several options. `right` computes the option itself, so that the order of options is nobody's business."""

    options: tuple[str, ...]
    right: Callable[[], str]
    kind: str = "choice"

    def untouched(self, answer: object) -> bool:
        return answer is ...

    def misformed(self, answer: object) -> str:
        known = ", ".join(LETTERS[: len(self.options)])
        return "" if self._letter(answer) else f'The answer is one of the letters {known}, as "a".'

    def trouble(self, answer: object, mistakes: Iterable[Mistake]) -> str:
        letter = self._letter(answer)
        if letter == self.reference():
            return ""
        found = [said(mistake.sentence) for mistake in mistakes if mistake.answer == letter]
        return found[0] if found else "Not this one."

    def _letter(self, answer: object) -> str:
        """The letter, where the answer is one, or the option itself; else empty."""
        text = str(answer).strip(" '\"").lower()
        options = [option.lower() for option in self.options]
        if text in options:
            return LETTERS[options.index(text)]
        return text if len(text) == 1 and text in LETTERS[: len(options)] else ""

    def reference(self) -> str:
        return LETTERS[self.options.index(self.right())]

    def solution(self) -> str:
        return f"{self.reference()}: {self.right()}"

    def prompt(self) -> str:
        return "\n".join(f"- **{letter}** {text}" for letter, text in zip(LETTERS, self.options, strict=False))

    def cells(self, key: str) -> tuple[str, ...]:
        return (f'answer = ...  # a letter, as "a"\nem.workshop.check("{key}", answer)',)


def _lines_said(count: int) -> str:
    """ "1 line": "2 missing" alone might be line 2."""
    return f"{count} line" + ("" if count == 1 else "s")


def _part_of(mistake: Mistake, given: frozenset[int], wanted: frozenset[int]) -> bool:
    """Whether the lines that the mistake has too many are among those that the answer has too many."""
    mistaken = mistake.given()
    too_many = frozenset(mistaken if isinstance(mistaken, (set, frozenset)) else ()) - wanted
    return bool(too_many) and too_many <= given - wanted


def _lines(answer: object) -> frozenset[int] | None:
    """The lines of a set, list, array, or of a single number; None where it is nothing like that."""
    if isinstance(answer, (str, bytes)):
        return None
    try:
        return frozenset(map(_line, answer if isinstance(answer, Iterable) else [answer]))
    except TypeError:
        return None


def _line(number: object) -> int:
    if isinstance(number, bool):
        raise TypeError
    return operator.index(number)  # type: ignore[arg-type]
