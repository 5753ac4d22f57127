"""A report as one HTML page: all pictures, their text twins, the IR texts. Nothing is fetched and nothing runs.

Invariant: the page is self-contained (no script, no network, no outside font) and follows the reader's light or dark setting by
itself. Both themes are in it; the dark picture's ids begin with "dark_", so that every id occurs once and links lead to the
picture that is seen. A picture that cannot be drawn is there as text with a sentence why.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any

from enzyme_magic.errors import ViewError
from enzyme_magic.report import Report
from enzyme_magic.viz.cards.dashboard import facts_table, head_lines
from enzyme_magic.viz.drawing.svg import prefixed
from enzyme_magic.viz.facts import made_with, request, stage
from enzyme_magic.viz.memory import MemoryPicture
from enzyme_magic.viz.picture import draw_together
from enzyme_magic.viz.plots.of_report import plot_named, plots
from enzyme_magic.viz.plots.picture import Plot
from enzyme_magic.viz.theme import DARK, LIGHT, MONO, SANS, Theme
from enzyme_magic.viz.views import VIEWS, view
from enzyme_magic.viz.wording import clean

_SECTIONS = (
    ("source", "Source"),
    ("activity", "Activity"),
    ("cache", "Cache"),
    ("memory", "Memory over time"),
    ("gradient-c", "Gradient as C"),
    ("steps", "Steps"),
    ("stages", "IR of the gradient"),
    ("primal-stages", "IR of the function"),
)


def page(report: Report) -> str:
    """The whole page as HTML text (write it as UTF-8)."""
    title = html.escape(clean(report.signature or report.function))
    measured = [(found.name, found.label) for found in plots(report)]
    sections = [item for item in _SECTIONS if _shown(report, item[0])]
    drawn = [name for name, _ in sections if name in VIEWS]
    draw_together([view(report, name, theme.name) for name in drawn for theme in (LIGHT, DARK)])
    links = "".join(f'<a href="#{name}">{label}</a>' for name, label in [*sections, *measured, ("text", "IR as text")])
    parts = [
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{_style()}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>",
        *(_head_line(line, line == request(report)) for line in head_lines(report)),
        _facts(report),
        f'<nav aria-label="pictures">{links}</nav>\n</header>\n<main>',
        *(_section(report, name, label) for name, label in sections),
        *(_plot(report, name, label) for name, label in measured),
        _texts(report),
        f"</main>\n<footer><p>{_versions(report)}</p></footer>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _head_line(line: str, is_request: bool) -> str:
    """The request has a name: the inspector says it, and hides it here."""
    return f"<p{' class=request' * is_request}>{html.escape(clean(line))}</p>"


def _shown(report: Report, name: str) -> bool:
    if name == "memory":
        return MemoryPicture(report, LIGHT).available
    return name != "primal-stages" or stage(report, "input") is not None or stage(report, "optimized") is not None


def _facts(report: Report) -> str:
    rows = facts_table(report).rows
    items = "".join(f"<dt>{html.escape(row.lead)}</dt><dd>{html.escape(clean(row.text))}</dd>" for row in rows)
    return f"<dl>{items}</dl>"


def _memory(report: Report, label: str) -> str:
    pictures = {theme.name: MemoryPicture(report, theme) for theme in (LIGHT, DARK)}
    return _measured("memory", label, pictures)


def _plot(report: Report, name: str, label: str) -> str:
    found = {theme.name: plot_named(report, name, theme) for theme in (LIGHT, DARK)}
    return _measured(name, label, {theme: plot for theme, plot in found.items() if plot is not None})


def _measured(name: str, label: str, pictures: Mapping[str, MemoryPicture | Plot[Any]]) -> str:
    """Plots have no ids, so that both themes can stand in one page."""
    figures = "\n".join(f'<figure class="{theme}">\n{made.svg}</figure>' for theme, made in pictures.items())
    text = html.escape(pictures[LIGHT.name].text, quote=False)
    twin = f"<details><summary>as text</summary>\n<pre>{text}</pre></details>"
    label = html.escape(label)
    return f'<section id="{name}" aria-label="{label}">\n<h2>{label}</h2>\n{figures}\n{twin}\n</section>'


def _section(report: Report, name: str, label: str) -> str:
    if name == "memory":
        return _memory(report, label)
    text = html.escape(view(report, name).text, quote=False)
    twin = f"<details><summary>as text</summary>\n<pre>{text}</pre></details>"
    try:
        drawings = "\n".join(_figures(report, name))
    except ViewError as error:
        drawings = f"<p>No picture: {html.escape(error.message)}.</p>"
        twin = f"<pre>{text}</pre>"
    about = html.escape(VIEWS[name].summary)
    return (
        f'<section id="{name}" aria-label="{label}">\n<h2>{label}</h2>\n<p>{about}</p>\n{drawings}\n{twin}\n</section>'
    )


def _figures(report: Report, name: str) -> Iterator[str]:
    for theme, prefix in ((LIGHT, ""), (DARK, "dark_")):
        drawing = view(report, name, theme.name).svg
        yield f'<figure class="{theme.name}">\n{prefixed(drawing, prefix)}</figure>'


def _texts(report: Report) -> str:
    blocks = "\n".join(
        f"<details><summary>{html.escape(found.name)}</summary>\n<pre>{html.escape(found.text, quote=False)}</pre></details>"
        for found in report.stages
    )
    return f'<section id="text" aria-label="IR as text">\n<h2>IR as text</h2>\n{blocks or "<p>none</p>"}\n</section>'


def _versions(report: Report) -> str:
    return html.escape(clean(made_with(report)))


def _colours(theme: Theme) -> str:
    return (
        f"--background: {theme.background}; --text: {theme.text}; --grey: {theme.grey}; --border: {theme.border}; "
        f"--header: {theme.header}; --link: {theme.tones['active'].text};"
    )


def _style() -> str:
    return f""":root {{ color-scheme: light dark; {_colours(LIGHT)} }}
body {{ margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--background); color: var(--text); font-family: {SANS}; }}
h1, pre {{ font-family: {MONO}; }}
h1 {{ font-size: 1.4rem; overflow-wrap: anywhere; }}
header p, footer p, section > p, dt {{ color: var(--grey); margin: .3rem 0; overflow-wrap: anywhere; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }}
dt, dd {{ margin: 0; }}
nav {{ position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 1rem; padding: .6rem 0; background: var(--background); }}
nav a, summary {{ color: var(--link); }}
figure {{ margin: 0; overflow-x: auto; }}
svg {{ max-width: 100%; height: auto; }}
@media (max-width: 60rem) {{ figure > svg {{ max-width: none; }} }}
pre {{ background: var(--header); border: 1px solid var(--border); padding: .6rem; overflow-x: auto; font-size: .8rem; }}
.dark {{ display: none; }}
:target > a > text {{ text-decoration: underline; }}
@media (prefers-color-scheme: dark) {{
:root {{ {_colours(DARK)} }}
.light {{ display: none; }}
.dark {{ display: block; }}
}}
@media print {{ nav {{ display: none; }} }}
"""
