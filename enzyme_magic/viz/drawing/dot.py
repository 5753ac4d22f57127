"""A card as Graphviz DOT text: HTML-label tables, links, headings.

Invariant: the text is a pure function of card and theme and draws itself with any Graphviz `dot`; nothing of a report reaches
it unescaped. Every row with an identifier is clickable (`TD ID` + `HREF` become `<g id="a_…"><a>`). Traps kept out here: an
empty <FONT> makes Graphviz print an error and draw nothing, and "\\N" inside a label would be replaced by the node's name.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from enzyme_magic.viz.model import Card, Drawing, Link, Row, Table
from enzyme_magic.viz.theme import CODE_SIZE, LABEL_SIZE, MARKS, MONO, NOTE_SIZE, SANS, TITLE_SIZE, Theme
from enzyme_magic.viz.wording import clean, clip, legend, wrap, wrap_code

NODE_SEPARATION = 0.35
RANK_SEPARATION = 0.45
PADDING = 0.2
BAR_WIDTH = 150
_SENTENCE_COLUMNS = 120
_NARROW_COLUMNS = 64
_PROSE_COLUMNS = 64
_TITLE_COLUMNS = 90
_TOOLTIP = 110
_SPARE_COLUMNS = 18
_WHICH_LOOP = re.compile(r" of the loop at line \d+( \(at most [^ ()]+\))?")
_LABEL_COLUMNS = 36
MOST_LINES = 8  # of a sentence in a cell

Attributes = Mapping[str, str]


def escape(text: str) -> str:
    """`text` for an HTML label."""
    return html.escape(clean(text)).replace("\\", "\\\\")


def quote(text: str) -> str:
    """A DOT identifier or attribute value, quoted."""
    return '"' + clean(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def font(text: str, colour: str, size: int, face: str = SANS, bold: bool = False) -> str:
    """One run of text; a no-break space where it is empty.

    Browsers set proportional and bold text up to 3% wider than the engine measures it: no-break spaces at the end keep room
    for that.
    """
    spare = "&#160;" * (1 + len(text) // _SPARE_COLUMNS) if (face == SANS or bold) and len(text) > 1 else ""
    body = escape(text) + spare if text.strip() else "&#160;"
    body = f"<B>{body}</B>" if bold else body
    named = "" if face == SANS else f'FACE="{face}" '  # SANS is the default of every graph
    return f'<FONT {named}POINT-SIZE="{size}" COLOR="{colour}">{body}</FONT>'


def cell(content: str, align: str = "LEFT", **attributes: str | None) -> str:
    extra = "".join(f' {key}="{value}"' for key, value in attributes.items() if value)
    return f'<TD ALIGN="{align}"{extra}>{content}</TD>'


def _lines(parts: Iterable[str], align: str) -> str:
    return "".join(f'{part}<BR ALIGN="{align}"/>' for part in parts)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which of the four columns a table has: gutter | lead | text | note. `clip`: characters of code in a line."""

    gutter: bool
    lead: bool
    note: bool
    clip: int

    @property
    def count(self) -> int:
        return 1 + self.gutter + self.lead + self.note


def table_label(table: Table, theme: Theme, clip_at: int) -> str:
    """The HTML label of a box: header, then one table row per row; code is cut after `clip_at` columns."""
    gutter, lead, note = (any(getattr(row, part) for row in table.rows) for part in ("mark", "lead", "aside"))
    columns = _Columns(gutter, lead, note, clip_at)
    rows = [f"<TR>{_header(table, theme, columns)}</TR>"] if table.title else []
    least = _least_text_width(table, columns)
    last = len(table.rows) - 1
    for index, row in enumerate(table.rows):
        port = "last" if index == last else None
        rows.append(f"<TR>{''.join(_cells(row, table, theme, columns, port, least))}</TR>")
    body = "".join(rows) or f"<TR>{cell(font('', theme.text, LABEL_SIZE), PORT='last')}</TR>"
    padding = 2 if table.dense else 4
    return f'<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="{padding}" COLOR="{theme.border}">{body}</TABLE>'


def _least_text_width(table: Table, columns: _Columns) -> str | None:
    """About the points a wide header leaves to the text column, which would otherwise be shared with the gutter."""
    header = 7.0 * min(len(table.title), columns.clip) + 6.2 * min(len(table.subtitle), columns.clip) + 14
    note = max((min(len(row.aside), table.wrap or _LABEL_COLUMNS) for row in table.rows if row.aside), default=0)
    least = header - 26 * columns.gutter - 20 * columns.lead - 5.4 * note - 8
    return f"{least:.0f}" if table.title and least > 0 else None


def _header(table: Table, theme: Theme, columns: _Columns) -> str:
    content = font(clip(table.title, columns.clip), theme.text, LABEL_SIZE, bold=True)
    if table.subtitle:
        content += font(f"  {clip(table.subtitle, columns.clip)}", theme.text, LABEL_SIZE)
    return cell(content, COLSPAN=str(columns.count), BGCOLOR=theme.header, PORT="head")


def _cells(
    row: Row, table: Table, theme: Theme, columns: _Columns, port: str | None, least: str | None
) -> Iterator[str]:
    tone = theme.tones[row.mark]
    paint = tone.background
    gutter = tone.gutter
    if columns.gutter and not columns.lead and not row.mark:
        paint = gutter = theme.background  # an instruction of which a call does not tell: other views paint its cells
    if columns.gutter:
        sign = MARKS[row.mark].sign if row.mark else ""
        yield cell(font(sign, tone.sign, LABEL_SIZE), "CENTER", BGCOLOR=gutter, WIDTH="18")
    if columns.lead:
        yield cell(
            font(row.lead, theme.grey if tone.background is None else tone.text, NOTE_SIZE, MONO),
            "RIGHT",
            BGCOLOR=paint,
        )
    link = {}
    if row.identifier:
        target = row.link or f"a_{row.identifier}"
        tooltip = clip(row.title or row.text, _TOOLTIP)
        link = {"ID": row.identifier, "HREF": f"#{target}", "TITLE": escape(tooltip) or "&#160;"}
    note = _note(row, table, theme)
    own_port = None if note else port  # at the right edge, where arrows back start
    span = "2" if columns.note and not note else None
    yield cell(_text(row, table, theme, columns.clip), BGCOLOR=paint, PORT=own_port, COLSPAN=span, WIDTH=least, **link)
    if note:
        align = "LEFT" if table.wrap else None
        yield cell(note, align or "RIGHT", BGCOLOR=paint, BALIGN=align, PORT=port)


def _text(row: Row, table: Table, theme: Theme, columns: int) -> str:
    tone = theme.tones[row.mark]
    if row.share is not None:
        return _bar(row.share, theme)
    if row.prose:
        return _lines(
            (font(part, tone.text, LABEL_SIZE) for part in wrap(row.text, table.wrap or _PROSE_COLUMNS, MOST_LINES)),
            "LEFT",
        )
    parts = wrap_code(row.text, columns)
    if len(parts) == 1:
        return font(parts[0], tone.text, CODE_SIZE, MONO)
    return _lines((font(part, tone.text, CODE_SIZE, MONO) for part in parts), "LEFT")


def _brief(aside: str) -> str:
    """A note that is too long for its column without the line of a loop, which the text form has."""
    return aside if len(aside) <= _LABEL_COLUMNS else _WHICH_LOOP.sub("", aside)


def _note(row: Row, table: Table, theme: Theme) -> str:
    if not row.aside:
        return ""
    tone = theme.tones[row.mark]
    colour = theme.grey if tone.background is None else tone.text
    parts = wrap(row.aside, table.wrap, MOST_LINES) if table.wrap else [clip(_brief(row.aside), _LABEL_COLUMNS)]
    return "<BR/>".join(font(part, colour, NOTE_SIZE) for part in parts)


def _bar(share: float, theme: Theme) -> str:
    full = max(round(BAR_WIDTH * min(max(share, 0.0), 1.0)), 3)
    parts = [f'<TD WIDTH="{full}" HEIGHT="10" FIXEDSIZE="TRUE" BGCOLOR="{theme.bar}"></TD>']
    if full < BAR_WIDTH:
        parts.append(f'<TD WIDTH="{BAR_WIDTH - full}" HEIGHT="10" FIXEDSIZE="TRUE" BGCOLOR="{theme.header}"></TD>')
    frame = (
        f'BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" FIXEDSIZE="TRUE" WIDTH="{BAR_WIDTH}" HEIGHT="10"'
    )
    return f"<TABLE {frame}><TR>{''.join(parts)}</TR></TABLE>"


def heading_label(drawing: Drawing, theme: Theme) -> str | None:
    """Title, sentences and legend of a drawing; None where it has none of them."""
    rows = []
    if drawing.title:
        face, columns = (MONO, _TITLE_COLUMNS) if drawing.code_title else (SANS, _SENTENCE_COLUMNS)
        rows += [cell(font(part, theme.text, TITLE_SIZE, face, bold=True)) for part in wrap(drawing.title, columns)]
    for sentence in drawing.sentences:
        rows += [cell(font(part, theme.grey, LABEL_SIZE)) for part in wrap(sentence, _sentence_columns(drawing))]
    if drawing.legend and drawing.marks():
        rows.append(cell(font(legend(drawing.marks()), theme.text, NOTE_SIZE)))
    if not rows:
        return None
    body = "".join(f"<TR>{row}</TR>" for row in rows)
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">{body}</TABLE>'


def _sentence_columns(drawing: Drawing) -> int:
    """A heading is about as wide as the boxes below it, or as the picture where there are none."""
    return max(_NARROW_COLUMNS, min(drawing.clip * 5 // 3, _SENTENCE_COLUMNS)) if drawing.tables else _SENTENCE_COLUMNS


def attributes_text(attributes: Attributes) -> str:
    """ "[a=b c=<…>]": values that start with "<" are HTML labels."""
    parts = [f"{key}={value if value.startswith('<') else quote(value)}" for key, value in attributes.items()]
    return f"[{' '.join(parts)}]"


def node_attributes(drawing: Drawing, theme: Theme) -> dict[str, dict[str, str]]:
    """Attributes of each box, by its name, in order."""
    return {
        table.name: {
            "id": f"box_{table.name}",
            "shape": "plain",
            "label": f"<{table_label(table, theme, drawing.clip)}>",
        }
        for table in drawing.tables
    }


def _ports(link: Link, tables: Mapping[str, Table]) -> tuple[str, str]:
    """Where an arrow back starts and ends: last row and header, as far as the boxes have them."""
    source, target = tables[link.source], tables[link.target]
    return "last" if source.rows or not source.title else "head", "head" if target.title else "last"


def link_attributes(link: Link, identifier: str, tables: Mapping[str, Table], theme: Theme) -> dict[str, str]:
    """Attributes of one arrow. `identifier` names it in the drawn picture and when positions are read back."""
    bottom, top = _ports(link, tables)
    result = {"id": identifier, "color": theme.edge}
    match link.kind:
        case "hidden":
            return {"id": identifier, "style": "invis"}
        case "back":
            result |= {"style": "dashed", "tailport": f"{bottom}:e", "headport": f"{top}:e"}
        case "dotted":
            result |= {"style": "dotted", "arrowhead": "none"}
        case "data":
            result |= {"penwidth": "1.6"}
    if link.straight:
        result["weight"] = "10"
    if link.label:
        # the spaces keep the text off the arrow
        lines = [f"\N{NO-BREAK SPACE}{line} " for line in wrap(clean(link.label), _LABEL_COLUMNS, lines=3)]
        result["label"] = f"<{_lines((font(line, theme.text, LABEL_SIZE) for line in lines), 'LEFT')}>"
    return result


def link_attribute_list(drawing: Drawing, prefix: str, theme: Theme) -> list[tuple[Link, dict[str, str]]]:
    tables = {table.name: table for table in drawing.tables}
    return [(link, link_attributes(link, f"{prefix}_e{n}", tables, theme)) for n, link in enumerate(drawing.links)]


def graph_attributes(theme: Theme) -> dict[str, str]:
    return {
        "bgcolor": theme.background,
        "nodesep": str(NODE_SEPARATION),
        "ranksep": str(RANK_SEPARATION),
        "pad": str(PADDING),
        "fontname": SANS,
    }


def _body(drawing: Drawing, prefix: str, theme: Theme) -> Iterator[str]:
    for name, attributes in node_attributes(drawing, theme).items():
        yield f"{quote(name)} {attributes_text(attributes)};"
    for link, attributes in link_attribute_list(drawing, prefix, theme):
        yield f"{quote(link.source)} -> {quote(link.target)} {attributes_text(attributes)};"


def drawing_dot(drawing: Drawing, prefix: str, theme: Theme) -> str:
    """One drawing as a digraph of its own."""
    heading = heading_label(drawing, theme)
    attributes = graph_attributes(theme)
    if heading:
        attributes |= {"label": f"<{heading}>", "labelloc": "t", "labeljust": "l"}
    return _digraph(attributes, theme, _body(drawing, prefix, theme))


def positioned_dot(lines: Iterable[str], theme: Theme) -> str:
    """A digraph whose boxes and arrows carry their places already (layout=nop2)."""
    return _digraph(graph_attributes(theme) | {"layout": "nop2"}, theme, lines)


def card_dot(card: Card, theme: Theme) -> str:
    """The whole card as one digraph; several drawings become clusters without a frame."""
    drawings = card.drawings()
    if len(drawings) == 1:
        return drawing_dot(drawings[0], card.prefix(0), theme)
    lines: list[str] = []
    for n, drawing in enumerate(drawings):
        lines += _cluster(drawing, card.prefix(n), theme)
    return _digraph(graph_attributes(theme), theme, lines)


def _cluster(drawing: Drawing, prefix: str, theme: Theme) -> Iterator[str]:
    heading = heading_label(drawing, theme)
    yield f"subgraph cluster_{prefix} {{"
    yield "peripheries=0; labeljust=l;"
    if heading:
        yield f"label=<{heading}>;"
    if not drawing.tables:
        yield f'"heading_{prefix}" [style=invis shape=point];'
    yield from _body(drawing, prefix, theme)
    yield "}"


def _digraph(attributes: Attributes, theme: Theme, lines: Iterable[str]) -> str:
    settings = [
        f"graph {attributes_text(attributes)};",
        f"node {attributes_text({'fontname': SANS, 'fontcolor': theme.text})};",
        f"edge {attributes_text({'fontname': SANS, 'fontcolor': theme.text, 'arrowsize': '.7'})};",
    ]
    return "\n".join(["digraph {", *(f"  {line}" for line in (*settings, *lines)), "}", ""])
