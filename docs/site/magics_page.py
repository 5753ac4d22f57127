"""The page of all magics with every option, from the parsers that read them."""

from __future__ import annotations

import argparse

import markdown

from enzyme_magic import magics
from enzyme_magic._magic.options import Parser
from enzyme_magic.viz.views import VIEWS

MAGICS = tuple(dict.fromkeys(parser for parser in vars(magics).values() if isinstance(parser, Parser)))
INTRODUCTION = """# Magics

`%load_ext enzyme_magic` brings them. `?` behind a name shows the same help in a notebook, and Tab completes options, names
and views. Lines are split as a shell splits them: `-c "-O3 -g"`, `--compile-args='-O3 -g'` and `-O2` mean what they say.
"""


def page() -> str:
    parts = [INTRODUCTION]
    for parser in MAGICS:
        named = [action for action in parser._actions if action.option_strings]
        parts.append(markdown.target(parser.prog.strip("%").replace("_", "-"), f"`{parser.prog}`"))
        parts.append(markdown.prose(parser.description))
        rows = ((spelling(action), markdown.escape(action.help or "")) for action in named)
        parts.append(markdown.table(("option", "meaning"), rows))
        parts.append(f"```text\n{parser.format_usage().strip()}\n```\n")
    views = ((markdown.code(name), markdown.escape(view.summary)) for name, view in VIEWS.items())
    parts += ["## Views\n", "For `--show` and `--view`; how to read them is in [](pictures.md).\n"]
    parts.append(markdown.table(("view", "shows"), views))
    return "\n".join(parts)


def spelling(action: argparse.Action) -> str:
    value = f" {action.metavar}" if action.nargs != 0 else ""
    repeatable = " (repeatable)" if isinstance(action, argparse._AppendAction) else ""
    return ", ".join(markdown.code(flag + value) for flag in action.option_strings) + repeatable
