"""A report as one HTML page that answers clicks without a kernel and without a network.

Invariant: it is the static page with the front end on top. Where no script runs, everything of the static page is there; where one
does, the inspector shows it, and the pictures and texts below it are folded, so that nothing is there twice. The data are JSON
in the page, the module is inline.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

from enzyme_magic.errors import ViewError
from enzyme_magic.report import Report
from enzyme_magic.viz.drawing.svg import prefixed
from enzyme_magic.viz.interactive.front_end import module
from enzyme_magic.viz.interactive.state import initial, record
from enzyme_magic.viz.memory import MemoryPicture
from enzyme_magic.viz.page import page as static_page
from enzyme_magic.viz.parts import OpenPart, parts, picture_name
from enzyme_magic.viz.picture import draw_together
from enzyme_magic.viz.plots.of_report import plot_named, plots
from enzyme_magic.viz.theme import THEMES
from enzyme_magic.viz.views import view

DRAWN = ("activity", "cache")  # what the front end shows of the pictures
_BODY = "<main>"
_MAIN_END = "</main>"
_END = "</body>"
_BELOW = "All pictures and texts, one below the other"
_STYLE = (
    "body.interactive > header > :is(:not(p), .request) { display: none; } "
    "body.interactive { max-width: none; } #em-more { margin: .6rem 0 .2rem; } "
    "body.interactive > footer { font-size: .8rem; } "
    "@media print { #em-below[hidden] { display: block; } #em-more { display: none; } }"
)


def page(report: Report, *, quiz: bool = False) -> str:
    """The whole page as HTML text (write it as UTF-8). quiz: predictions first, see docs/interactive.md."""
    state = initial(report, quiz=quiz) | {"report": record(report)}
    text = static_page(report)
    host = f'<style>{_STYLE}</style>\n<div id="em-inspector" hidden></div>\n'
    scripts = (
        f'<script type="application/json" id="em-state">{_inline(json.dumps(state, ensure_ascii=False))}</script>\n'
        f'<script type="module">\n{_closed(module())}\nstartPage();\n</script>\n{_END}'
    )
    head, body = text.split(_BODY, 1)
    body, end = body.rsplit(_END, 1)
    main, footer = body.split(_MAIN_END, 1)
    button = (
        f'<button type="button" id="em-more" aria-controls="em-below" aria-expanded="false" hidden>{_BELOW}</button>'
    )
    opened = f"<div hidden>{_parts(report)}</div>"
    below = f'{button}\n<div id="em-below">{_BODY}{main}{_MAIN_END}</div>{opened}{footer}'
    return f"{head}{host}{below}{scripts}{end}"


def bare(report: Report, *, quiz: bool = False, previous: dict[str, Any] | None = None) -> str:
    """A page of the inspector alone, for a frame: the two drawings it uses, and nothing else to read below it."""
    state = initial(report, quiz=quiz) | {"report": record(report), "previous": previous or {}}
    drawings = "".join(
        f'<section id="{name}">{"".join(_figure(report, name, theme) for theme in THEMES)}</section>'
        for name in (*DRAWN, "memory")
    )
    drawings += "".join(_plot(report, found.name) for found in plots(report)) + _parts(report)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(report.signature)}</title>'
        f'<style>body {{ margin: 0; }}</style></head><body><div id="em-inspector" hidden></div><div hidden>{drawings}</div>\n'
        f'<script type="application/json" id="em-state">{_inline(json.dumps(state, ensure_ascii=False))}</script>\n'
        f'<script type="module">\n{_closed(module())}\nstartPage();\n</script></body></html>'
    )


def _parts(report: Report) -> str:
    """What a click on a folded loop or call opens. Each drawing has a prefix for its ids, so that every id occurs once."""
    found = parts(report)
    draw_together([part.picture(report, theme) for part in found for theme in THEMES.values()])
    return "".join(
        f'<section id="{picture_name(part)}">{"".join(_part(report, part, number, name) for name in THEMES)}</section>'
        for number, part in enumerate(found)
    )


def _part(report: Report, part: OpenPart, number: int, theme: str) -> str:
    try:
        drawn = part.picture(report, THEMES[theme]).svg
    except ViewError:
        return ""
    prefix = f"{'dark_' if theme == 'dark' else ''}part{number}_"
    return f'<figure class="{theme}">{prefixed(drawn, prefix)}</figure>'


def _plot(report: Report, name: str) -> str:
    drawn = {theme: plot_named(report, name, THEMES[theme]) for theme in THEMES}
    figures = (f'<figure class="{theme}">{plot.svg}</figure>' for theme, plot in drawn.items() if plot is not None)
    return f'<section id="{name}">{"".join(figures)}</section>'


def _figure(report: Report, name: str, theme: str) -> str:
    """A drawing; nothing where it cannot be drawn, for the page has the rows as well."""
    if name == "memory":
        return f'<figure class="{theme}">{MemoryPicture(report, THEMES[theme]).svg}</figure>'
    try:
        drawn = view(report, name, theme).svg
    except ViewError:
        return ""
    return f'<figure class="{theme}">{drawn[drawn.index("<svg") :]}</figure>'


def _inline(data: str) -> str:
    """JSON that no HTML parser can mistake for markup."""
    return data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _closed(script: str) -> str:
    """The module does not contain what would end its element; a string that did would be a bug of ours."""
    assert "</script" not in script.lower()
    assert "<!--" not in script
    return script
