"""The error card: what a notebook shows instead of a traceback when a cell fails.

The card is text, the same in a terminal, in a notebook and in a log. It is attached to the exception object itself, which IPython
asks for it; the class of the exception, its attributes, `except` and `%tb`-less tools are not affected, and no global hook of
the shell is taken away from others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from enzyme_magic.errors import CompileError, Diagnostic, EnzymeError

MORE = 4


def text(error: EnzymeError, consequence: str = "") -> str:
    """Kind of error, message with caret and hint, the further errors of the same run, and what the failure left as it was."""
    lines = [f"{type(error).__name__}: {error}", *_further(error)]
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


def _further(error: EnzymeError) -> list[str]:
    """clang's other errors: the first is the message itself; later ones are often consequences, so only a few are shown."""
    if not isinstance(error, CompileError):
        return []
    others = [item for item in error.diagnostics if "error" in item.severity and not _is_message(item, error)]
    lines = [line for item in others[:MORE] for line in str(item).splitlines()]
    if len(others) > MORE:
        lines.append(f"and {len(others) - MORE} more errors")
    return lines


def _is_message(item: Diagnostic, error: EnzymeError) -> bool:
    return item.message == error.message and item.span == error.span
