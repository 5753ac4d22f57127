"""Lines and letters of hand-made SVG: presentation attributes only, everything escaped."""

from __future__ import annotations

import html

from enzyme_magic.viz.theme import SANS, Theme


def document(width: float, height: float, title: str, description: str, body: str, theme: Theme) -> str:
    """The whole picture on an opaque card, with a final newline."""
    about = f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>"
    card = f'<rect x="0" y="0" width="{width:g}" height="{height:g}" fill="{theme.background}"/>'
    return (
        f'<svg role="img" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" '
        f'xmlns="http://www.w3.org/2000/svg">\n{about}\n{card}\n{body}\n</svg>\n'
    )


def say(x: float, y: float, text: str, colour: str, size: int = 12, anchor: str = "start", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-family="{SANS}" font-size="{size}"{weight} '
        f'fill="{colour}">{escape(text)}</text>'
    )


def rule(x1: float, y1: float, x2: float, y2: float, colour: str, dash: str = "", width: float = 1) -> str:
    more = f' stroke-dasharray="{dash}"' if dash else ""
    place = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {place} stroke="{colour}" stroke-width="{width:g}"{more}/>'


def escape(text: str) -> str:
    return html.escape(text, quote=False)
