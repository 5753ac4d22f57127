"""Markdown from Python's texts: docstrings, tables, headings with names that links can use.

What is no markup in a docstring (`*args`, `__enzyme_autodiff`, `x[n]`) is none here either: what is
outside of backticks is escaped.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence

_SPECIAL = re.compile(r"([\\*_<>\[\]{}#|$~])")
_CODE = re.compile(r"(`[^`\n]+`)")
_NAMED = re.compile(r"(?:^|(?<=[.;)]) )([a-z_]\w*(?:, [a-z_]\w*)*): ")


def escape(text: str) -> str:
    """A text whose only markup is code in backticks."""
    return "".join(
        part.replace("|", "\\|") if part.startswith("`") else _SPECIAL.sub(r"\\\1", part) for part in _CODE.split(text)
    )


def code(text: str) -> str:
    """Code within a line; in a table too."""
    return f"`{text}`".replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [list(head), ["---"] * len(head), *([cell.replace("\n", " ") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def target(name: str, title: str, level: int = 2) -> str:
    """A heading that `[](#name)` leads to."""
    return f"({name})=\n{'#' * level} {title}\n"


def prose(docstring: str | None) -> str:
    """A docstring: paragraphs, `name: meaning` at the start of a sentence as a list, indented examples as code."""
    blocks = [_block(text) for text in re.split(r"\n\s*\n", inspect.cleandoc(docstring or ""))]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _block(text: str) -> str:
    lines = text.splitlines()
    if lines and all(line.startswith("    ") for line in lines):
        return "\n".join(["```text", *(line[4:] for line in lines), "```"])
    text, raises, errors = " ".join(lines).partition("Raises ")
    first, *named = _NAMED.split(text)
    parts = [escape(first.strip().rstrip(";"))]
    for names, meaning in zip(named[::2], named[1::2], strict=True):
        parts.append(f"- {', '.join(f'`{name}`' for name in names.split(', '))}: {escape(meaning.strip().rstrip(';'))}")
    return "\n".join(parts).strip() + (f"\n\n{escape(raises + errors)}" if raises else "")
