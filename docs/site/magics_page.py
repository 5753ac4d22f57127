"""The page of all magics with every option, from the parsers that read them."""

from __future__ import annotations

from collections.abc import Sequence

import markdown

from enzyme_magic import magics
from enzyme_magic._magic import options
from enzyme_magic.viz.views import VIEWS

MAGICS = (
    (magics._CELL, options.CELL),
    (magics._SHOW, options.SHOW),
    (magics._EXPORT, options.EXPORT),
    (magics._WHY, options.HELP),
    (magics._DOCTOR, options.HELP),
    (magics._CONFIG, options.CONFIG),
    (magics._ARTIFACTS, options.ARTIFACTS),
)
INTRODUCTION = """# Magics

`%load_ext enzyme_magic` brings them. `?` behind a name shows the same help in a notebook, and Tab completes options, names
and views. Lines are split as a shell splits them: `-c "-O3 -g"`, `--compile-args='-O3 -g'` and `-O2` mean what they say.
"""


def page() -> str:
    parts = [INTRODUCTION]
    for parser, table in MAGICS:
        parts.append(markdown.target(parser.prog.strip("%").replace("_", "-"), f"`{parser.prog}`"))
        parts.append(markdown.prose(parser.description))
        parts.append(markdown.table(("option", "meaning"), ((spelling(o), markdown.escape(o.help)) for o in table)))
        parts.append(f"```text\n{parser.format_usage().strip()}\n```\n")
    views = ((markdown.code(name), markdown.escape(view.summary)) for name, view in VIEWS.items())
    parts += ["## Views\n", "For `--show` and `--view`; how to read them is in [](pictures.md).\n"]
    parts.append(markdown.table(("view", "shows"), views))
    return "\n".join(parts)


def spelling(option: options.Option) -> str:
    flags: Sequence[str] = option.flags
    value = f" {option.value}" if option.value else ""
    return ", ".join(markdown.code(flag + value) for flag in flags) + (" (repeatable)" if option.repeat else "")
