"""The files of `static/` as one ES module: the same one for the widget and for the exported page.

They are plain scripts that share one scope, joined in the order of `SCRIPTS`; nothing is rewritten. The colours are those of
viz/theme.py, put before the style sheet as variables, so that there is one place that chooses them. Nothing is fetched.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from enzyme_magic.viz.theme import DARK, LIGHT, MONO, SANS, Theme

SCRIPTS = (
    "dom.js",
    "record.js",
    "ir_text.js",
    "panes.js",
    "source.js",
    "graph.js",
    "activity.js",
    "passes.js",
    "ir.js",
    "cache.js",
    "steps.js",
    "plots.js",
    "values.js",
    "quiz.js",
    "inspector.js",
    "front_end.js",
)
FOCUS = {"light": "#a3005c", "dark": "#ffb3d9"}  # a hue that no mark uses


@cache
def module() -> str:
    """The module's text."""
    style = json.dumps(f"{variables(LIGHT)}\n{variables(DARK)}\n{_read('inspector.css')}")
    return "\n".join([f"const CSS = {style};", *map(_read, SCRIPTS)])


def variables(theme: Theme) -> str:
    """A theme's colours as CSS variables: --background, --text, …; for each mark --active and --active-text, -gutter, -sign."""
    found = {name: getattr(theme, name) for name in ("background", "text", "grey", "border", "header", "bar")}
    for mark, tone in theme.tones.items():
        if not mark:
            continue
        background = tone.background or theme.background
        found |= {
            mark: background,
            f"{mark}-text": tone.text,
            f"{mark}-gutter": tone.gutter or background,
            f"{mark}-sign": tone.sign,
        }
    found |= {"sign-on-drawing": theme.tones["active"].sign, "focus": FOCUS[theme.name], "mono": MONO, "sans": SANS}
    text = " ".join(f"--{name}: {value};" for name, value in found.items())
    return f'.inspector[data-theme="{theme.name}"] {{ {text} color-scheme: {theme.name}; }}'


def _read(name: str) -> str:
    return (files(__package__) / "static" / name).read_text(encoding="utf-8")
