"""What an idiom is: a way to write C that takes two live numbers and gives a new one.

An idiom is a function of a `Use`, which draws variants; it returns `Code`, C text with `<p>` (a prefix that no other use has),
`<a>` and `<b>` (variables of type double, within about ±3), `<n>` (an int of at least 4) and `<r>` (a double to assign, within
about ±12). The text has no undefined behaviour, frees what it allocates, and is smooth but for isolated points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

NOINLINE = "static __attribute__((noinline))"


@dataclass(frozen=True, slots=True)
class Code:
    """support: at file level, before all functions; body: statements in a block of their own."""

    support: str
    body: str


@dataclass(frozen=True, slots=True)
class Use:
    """One use of an idiom: its draws."""

    random: Random

    def pick(self, *choices: str) -> str:
        """One of these."""
        return self.random.choice(choices)

    def number(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return self.random.randint(low, high)

    def place(self) -> str:
        """How a helper is declared: to be inlined or not."""
        return self.pick("static", "static inline", NOINLINE, NOINLINE)


Idiom = Callable[[Use], Code]
