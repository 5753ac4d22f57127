"""The activity graph: which instructions carry a derivative, block by block, with the C lines they come from.

One box for the arguments, one per block; edges carry the C condition, back edges are dashed; rows whose value is stored show
their bytes. The verdicts are the report's. Where a call was watched, the marks tell what carried a derivative in it from what was
predicted and did not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from enzyme_magic.report import BlockRow, Edge, InstructionRow, Parameter, Report
from enzyme_magic.viz.cards.regions import regions, with_lines
from enzyme_magic.viz.facts import activity_sentence, line_text, mark_of, reason_of, row_bytes, wrt_text
from enzyme_magic.viz.in_call import call_mark, call_text, watched_sentences
from enzyme_magic.viz.ir_text import short
from enzyme_magic.viz.model import Card, Drawing, Link, Region, Row, Table, single

CLIP = 60
_ROLES = {"in/out", "out"}


def drawing(report: Report) -> Drawing:
    tables = (_arguments(report), *(_block(report, block, n) for n, block in enumerate(report.activity.blocks)))
    title = f"Activity of {report.function}"
    sentences = (f"{activity_sentence(report)} with respect to {wrt_text(report)}", *watched_sentences(report))
    regions = regions_of(report)
    return Drawing(title, sentences, tables, tuple(_links(report)), clip=CLIP, legend=True, regions=regions)


def regions_of(report: Report, names: Mapping[str, str] | None = None, stem: str = "") -> tuple[Region, ...]:
    """The loops and inlined calls of the graph; a loop with its lines and how often its head runs. names: the box of each block,
    and stem: see `regions`, where another card draws the graph."""
    blocks = names or {block.name: f"b{n}" for n, block in enumerate(report.activity.blocks)}
    calls = {block.name: block.call for block in report.activity.blocks if block.call}
    about = {block.name: block.runs or "" for block in report.activity.blocks}
    found = regions(report.activity.edges, blocks, calls, about, stem)
    members = {blocks[block.name]: block for block in report.activity.blocks}
    return tuple(with_lines(region, _lines(members[name] for name in region.tables)) for region in found)


def _lines(blocks: Iterable[BlockRow]) -> Iterator[int]:
    return (row.line for block in blocks for row in block.instructions if row.line is not None)


def card(report: Report) -> Card:
    return single("activity", drawing(report))


def _arguments(report: Report) -> Table:
    names = ", ".join(parameter.name for parameter in report.parameters)
    rows = tuple(_parameter(report, parameter) for parameter in report.parameters)
    rows = rows or (Row("no arguments", prose=True),)
    return Table("arguments", f"{report.function}({names})", "arguments", rows)


def _parameter(report: Report, parameter: Parameter) -> Row:
    text = declaration(parameter)
    if parameter.role in _ROLES:
        text += f"   [{parameter.role}]"
    verdict = parameter.verdict
    return Row(
        text=text,
        mark="active" if verdict.active else "inactive",
        aside=line_text(parameter.line),
        identifier=parameter.identifier,
        link=f"a_L{parameter.line}" if parameter.line is not None else "",
        title=reason_of(report, verdict.because) or _verdict(verdict.active),
    )


def declaration(parameter: Parameter) -> str:
    """ "double *a": the type before the name, the star with the name."""
    kind = parameter.c_type.rstrip()
    stem = kind.rstrip("*").rstrip()
    return f"{stem} {kind[len(stem) :].strip()}{parameter.name}"


def _verdict(active: bool) -> str:
    return "active" if active else "inactive"


def _block(report: Report, block: BlockRow, number: int) -> Table:
    saved = {row.identifier: row_bytes(row) for row in report.cache.rows}
    rows = tuple(_instruction(report, row, saved) for row in block.instructions)
    return Table(f"b{number}", block.name, block.runs or "", rows)


def _instruction(report: Report, row: InstructionRow, saved: dict[str, str]) -> Row:
    size = saved.get(row.slot, "") if row.slot is not None else ""
    return Row(
        text=short(row.text),
        mark=mark_of(row) if (mark := call_mark(report, row)) is None else mark,
        aside=" · ".join(part for part in (line_text(row.line), call_text(report, row), size) if part),
        identifier=row.identifier,
        link=f"a_L{row.line}" if row.line is not None else "",
        title=reason_of(report, row.verdict.because) or _verdict(row.verdict.active),
    )


def _links(report: Report) -> list[Link]:
    blocks = {block.name: f"b{n}" for n, block in enumerate(report.activity.blocks)}
    links = [Link("arguments", "b0", kind="dotted", straight=True)] if blocks else []
    return links + links_of(report.activity.edges, blocks)


def links_of(edges: tuple[Edge, ...], names: dict[str, str]) -> list[Link]:
    """Arrows of a CFG; edges to blocks that are not drawn are left out."""
    return [
        Link(
            names[edge.source],
            names[edge.target],
            edge.label or "",
            "back" if edge.back else "flow",
            straight=edge.fallthrough and not edge.back,
        )
        for edge in edges
        if edge.source in names and edge.target in names
    ]
