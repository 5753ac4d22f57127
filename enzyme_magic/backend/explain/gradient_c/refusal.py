"""Why there is no C text."""

from __future__ import annotations


class NotInC(Exception):
    """Raised while the C text is written; nobody outside this room sees it: `gradient_c` gives a result that says so."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class TooLong(NotInC):
    """No other way to write it is shorter."""


def refuse(why: str) -> NotInC:
    """`why` ends the sentence "not available as C because …"."""
    return NotInC(why)
