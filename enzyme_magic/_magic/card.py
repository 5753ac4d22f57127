"""The error card: what a notebook shows instead of a traceback when a cell fails.

The card is text, the same in a terminal, in a notebook and in a log. It is attached to the exception object itself, which IPython
asks for it; the class of the exception, its attributes, `except` and `%tb`-less tools are not affected, and no global hook of
the shell is taken away from others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from enzyme_magic.errors import EnzymeError


def text(error: EnzymeError, consequence: str = "") -> str:
    """Kind of error, message with caret and hint, a line for each further error of clang, and what the failure left as it was."""
    lines = [f"{type(error).__name__}: {error}"]
    if consequence:
        lines += ["", consequence]
    return "\n".join(lines)


def attach(error: EnzymeError, consequence: str = "") -> None:
    """Let IPython show the card in place of the traceback. The error stays picklable."""
    lines = text(error, consequence).splitlines()
    vars(error)["_render_traceback_"] = partial(list, lines)


@contextmanager
def instead_of_traceback() -> Iterator[None]:
    """An EnzymeError that passes through is shown as a card."""
    try:
        yield
    except EnzymeError as error:
        attach(error)
        raise
