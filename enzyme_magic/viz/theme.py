"""Colours, fonts and marks: the one place that chooses how a picture looks.

Invariant: hue is never alone. Each state has a sign (● ◇ ○ ◐ ▣ ✚), a text, and a solid gutter, so that a picture reads the same
in grey and to the colour-blind; hues are Okabe and Ito's. Every text/background pair a picture may use is listed by
`Theme.pairs` and has a contrast of at least 4.5 (a test measures the list and the drawn pictures). No layout here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from enzyme_magic.errors import ViewError

MONO = "DejaVu Sans Mono,Menlo,Consolas,monospace"
SANS = "DejaVu Sans,Helvetica,Arial,sans-serif"
CODE_SIZE = 11
NOTE_SIZE = 9
LABEL_SIZE = 10
TITLE_SIZE = 13


@dataclass(frozen=True, slots=True)
class Mark:
    """A state of a row. `sign` for UTF-8 streams, `ascii` for the others, `word` for the legend."""

    sign: str
    ascii: str
    word: str


MARKS = MappingProxyType(
    {
        "active": Mark("●", "*", "active"),
        "idle": Mark("◇", "~", "predicted, but not in this call"),
        "mixed": Mark("◐", "+", "mixed"),
        "inactive": Mark("○", "-", "inactive"),
        "cached": Mark("▣", "#", "stored for the reverse sweep"),
        "added": Mark("✚", ">", "added by this step"),
    }
)


@dataclass(frozen=True, slots=True)
class Tone:
    """How one kind of row is painted. None for `background` or `gutter`: the card shows through."""

    text: str
    sign: str
    background: str | None = None
    gutter: str | None = None


@dataclass(frozen=True, slots=True)
class Theme:
    """One complete set of colours. `tones` has a tone for each mark and "" for rows without one."""

    name: str
    background: str
    text: str
    grey: str
    border: str
    edge: str
    header: str
    bar: str
    tones: MappingProxyType[str, Tone]

    def colours(self) -> set[str]:
        """Every colour of the theme."""
        own = {self.background, self.text, self.grey, self.border, self.edge, self.header, self.bar}
        return own | {colour for _, text, background in self.pairs() for colour in (text, background)}

    def pairs(self) -> Iterator[tuple[str, str, str]]:
        """(what, text colour, background colour) of everything that is written."""
        for surface, colour in (("card", self.background), ("header", self.header)):
            yield f"text on {surface}", self.text, colour
            yield f"grey on {surface}", self.grey, colour
        for mark, tone in self.tones.items():
            background = tone.background or self.background
            yield f"{mark or 'plain'} text", tone.text, background
            yield f"{mark or 'plain'} note", self.grey if tone.background is None else tone.text, background
            yield f"{mark or 'plain'} sign", tone.sign, tone.gutter or background


LIGHT = Theme(
    name="light",
    background="#ffffff",
    text="#1a1a1a",
    grey="#5f6368",
    border="#8f959b",
    edge="#3c4043",
    header="#eef1f4",
    bar="#E69F00",
    tones=MappingProxyType(
        {
            "active": Tone("#0b3d61", "#ffffff", "#d6eaf8", "#0072B2"),
            "idle": Tone("#6b2148", "#1a1a1a", "#f8e6f0", "#CC79A7"),
            "mixed": Tone("#0b3d61", "#0b3d61", "#eef6fc", "#9ccbeb"),
            "inactive": Tone("#5f6368", "#5f6368"),
            "cached": Tone("#6b4200", "#1a1a1a", "#fff0cc", "#E69F00"),
            "added": Tone("#004d38", "#ffffff", "#dcf3ec", "#007a5a"),
            "": Tone("#1a1a1a", "#1a1a1a"),
        }
    ),
)

DARK = Theme(
    name="dark",
    background="#1e1e1e",
    text="#e8eaed",
    grey="#a8adb3",
    border="#777d84",
    edge="#c4c7c5",
    header="#2d3136",
    bar="#E69F00",
    tones=MappingProxyType(
        {
            "active": Tone("#cfe9fb", "#000000", "#12374f", "#56B4E9"),
            "idle": Tone("#f5cfe3", "#000000", "#45203a", "#CC79A7"),
            "mixed": Tone("#cfe9fb", "#cfe9fb", "#17303f", "#24587a"),
            "inactive": Tone("#a8adb3", "#a8adb3"),
            "cached": Tone("#ffe2a3", "#000000", "#4a3500", "#E69F00"),
            "added": Tone("#bff0df", "#000000", "#0d3b2e", "#009E73"),
            "": Tone("#e8eaed", "#e8eaed"),
        }
    ),
)

THEMES = MappingProxyType({theme.name: theme for theme in (LIGHT, DARK)})


_AUTO = "auto"
CHOICES = (_AUTO, *THEMES)
_chosen = [_AUTO]


def choose(name: str) -> None:
    """What pictures look like from now on where nothing else is asked for: "light", "dark", or "auto".

    Under "auto" widgets follow the page, and still pictures are light. ViewError EM501 for any other name."""
    if name not in CHOICES:
        raise ViewError(f"there is no theme {name!r}", code="EM501", hint=f"themes: {', '.join(CHOICES)}")
    _chosen[0] = name


def chosen() -> str:
    return _chosen[0]


def of_pictures() -> str:
    """The theme of still pictures."""
    return LIGHT.name if _chosen[0] == _AUTO else _chosen[0]


def theme_of(name: str) -> Theme:
    """The theme called `name`; ViewError EM501 naming those that exist."""
    theme = THEMES.get(name)
    if theme is None:
        raise ViewError(f"there is no theme {name!r}", code="EM501", hint=f"themes: {', '.join(THEMES)}")
    return theme
