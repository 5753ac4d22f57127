"""Tab in the lines of the magics: options, views, and the names of compiled functions.

A matcher of IPython's completion interface, version 2; added when the extension is loaded, removed when it is unloaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from IPython.core.completer import (
    CompletionContext,
    IPCompleter,
    SimpleCompletion,
    SimpleMatcherResult,
    context_matcher,
)

from enzyme_magic._magic.options import Option


@dataclass(frozen=True, slots=True)
class Words:
    """What may stand in the line of one magic. `names`: positional words; `values`: those of an option, by its name."""

    options: Sequence[Option] = ()
    names: Callable[[], Sequence[str]] = tuple
    values: Callable[[str], Sequence[str]] = lambda option: ()


class Completion:
    """The matcher for a table of magics, keyed by how each is written (`%%enzyme_c`)."""

    def __init__(self, magics: dict[str, Words]) -> None:
        def match(context: CompletionContext) -> SimpleMatcherResult:
            found = suggestions(magics, context.text_until_cursor, context.cursor_line)
            completions = [SimpleCompletion(word, type="magic") for word in found if word.startswith(context.token)]
            return {"completions": completions, "suppress": bool(completions)}

        self.matcher = context_matcher(identifier="enzyme_magic")(match)

    def install(self, completer: IPCompleter) -> None:
        completer.custom_matchers.append(self.matcher)

    def remove(self, completer: IPCompleter) -> None:
        if self.matcher in completer.custom_matchers:
            completer.custom_matchers.remove(self.matcher)


def suggestions(magics: dict[str, Words], text: str, line: int = 0) -> list[str]:
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
