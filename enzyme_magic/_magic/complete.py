"""Tab in the lines of the magics: options, views, and the names of compiled functions.

A matcher of IPython's completion interface, added when the extension is loaded, removed when it is unloaded. Version 2 of that
interface exists since IPython 8.6; older ones (Colab's is 7.34) get a matcher of version 1, whose words stand among others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from IPython.core import completer as of_ipython

from enzyme_magic._magic.options import Option

if TYPE_CHECKING:
    from IPython.core.completer import CompletionContext, IPCompleter, SimpleMatcherResult


@dataclass(frozen=True, slots=True)
class CompletionWords:
    """What may stand in the line of one magic. `names`: positional words; `values`: those of an option, by its name."""

    options: Sequence[Option] = ()
    names: Callable[[], Sequence[str]] = tuple
    values: Callable[[str], Sequence[str]] = lambda option: ()


class Completion:
    """The matcher for a table of magics, keyed by how each is written (`%%enzyme_c`)."""

    def __init__(self, magics: dict[str, CompletionWords]) -> None:
        self.magics = magics
        self.matcher: Callable[[Any], Any] | None = None

    def install(self, completer: IPCompleter) -> None:
        new = hasattr(of_ipython, "context_matcher")
        self.matcher = _with_context(self.magics) if new else _of_words(self.magics, completer)
        completer.custom_matchers.append(self.matcher)

    def remove(self, completer: IPCompleter) -> None:
        if self.matcher in completer.custom_matchers:
            completer.custom_matchers.remove(self.matcher)


def _with_context(magics: dict[str, CompletionWords]) -> Callable[[Any], Any]:
    """Version 2: what it finds takes the place of all else."""

    def match(context: CompletionContext) -> SimpleMatcherResult:
        found = suggestions(magics, context.text_until_cursor, context.cursor_line)
        completions = [
            of_ipython.SimpleCompletion(word, type="magic") for word in found if word.startswith(context.token)
        ]
        return {"completions": completions, "suppress": bool(completions)}

    made: Callable[[Any], Any] = of_ipython.context_matcher(identifier="enzyme_magic")(match)
    return made


def _of_words(magics: dict[str, CompletionWords], completer: IPCompleter) -> Callable[[Any], Any]:
    """Version 1: is given the last word alone, and asks the completer for its line."""

    def match(text: str) -> list[str]:
        return [word for word in suggestions(magics, completer.text_until_cursor) if word.startswith(text)]

    match.matcher_identifier = "enzyme_magic"  # type: ignore[attr-defined]
    return match


def suggestions(magics: dict[str, CompletionWords], text: str, line: int = 0) -> list[str]:
    """Words that may stand at the end of `text`, the line up to the cursor; `line` is its number in the cell."""
    head = re.match(r"\s*(%%?\w+)\s", text)
    words = magics.get(head[1]) if head else None
    if head is None or words is None or (head[1].startswith("%%") and line > 0):
        return []
    *before, fragment = re.split(r"\s+", text[head.end() :])
    flags = {flag: option for option in words.options for flag in option.flags}
    flag, sign, _ = fragment.partition("=")
    option = flags.get(flag) if sign else flags.get(before[-1]) if before else None
    if option is not None and option.value is not None:
        return [*option.choices, *words.values(option.name)]
    if fragment.startswith("-"):
        return sorted(
            (name for name in flags if name.startswith(fragment)), key=lambda name: (not name.startswith("--"), name)
        )
    return [name for name in words.names() if name.startswith(fragment)]
