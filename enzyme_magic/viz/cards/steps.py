"""The synthesis steps, as talks about Enzyme show them: active instructions, shadows allocated, adjoints added, optimized.

Four panels of the IR of this one compilation. The middle two are the stage "gradient": first its forward sweep, where what was
added to the function is marked, then all of it, where the reverse sweep is marked. Nothing is drawn that is not in the report:
where it does not say what the gradient's instructions come from, the two panels are one without marks.
"""

from __future__ import annotations

from collections.abc import Collection

from enzyme_magic.report import ADJOINT, SHADOW, BlockRow, Report, Stage, StageBlock
from enzyme_magic.viz.cards.activity import links_of, regions_of
from enzyme_magic.viz.cards.regions import of_blocks
from enzyme_magic.viz.facts import AFTER, BEFORE, activity_sentence, line_text, opcodes, stage
from enzyme_magic.viz.ir_text import short
from enzyme_magic.viz.model import Card, Drawing, Group, Row, Table
from enzyme_magic.viz.wording import plural

CLIP = 40
MOST_ROWS = 120
_UNKNOWN = "the report does not say where these instructions come from"


def card(report: Report) -> Card:
    title = f"{report.function}: from the function to its gradient"
    panels = [_active(report)]
    gradient, optimized = stage(report, BEFORE), stage(report, AFTER)
    if gradient is not None and all(block.origins for block in gradient.blocks) and gradient.blocks:
        panels += [_shadows(gradient), _adjoints(gradient)]
    elif gradient is not None:
        panels.append(_panel("2-3. the gradient", (_UNKNOWN,), gradient, "steps_2", gradient.blocks, ""))
    if optimized is not None:
        counted = (plural(optimized.instructions, "instruction"), opcodes(optimized))
        panels.append(_panel("4. optimized", counted, optimized, "steps_4", optimized.blocks, ""))
    said = tuple(f"{panel.title}: {', '.join(panel.sentences)}" for panel in panels)
    pairs = tuple(Group(tuple(panels[k : k + 2]), together=True) for k in range(0, len(panels), 2))
    return Card("steps", title, said, (Group((Drawing(title),)), *pairs), MOST_ROWS)


def _active(report: Report) -> Drawing:
    names = {block.name: f"steps_1_{n}" for n, block in enumerate(report.activity.blocks)}
    tables = tuple(_activity_table(block, names[block.name]) for block in report.activity.blocks)
    links = tuple(links_of(report.activity.edges, names))
    found = regions_of(report, names, "steps_1_")
    said = (activity_sentence(report),)
    return Drawing("1. active instructions", said, tables, links, clip=CLIP, legend=True, regions=found)


def _activity_table(block: BlockRow, name: str) -> Table:
    rows = tuple(
        Row(
            short(row.text),
            "active" if row.verdict.active else "inactive",
            aside=line_text(row.line),
            identifier=f"steps_{row.identifier}",
            link=f"a_{row.identifier}",
            title=row.llvm,
        )
        for row in block.instructions
    )
    return Table(name, block.name, rows=rows)


def _shadows(gradient: Stage) -> Drawing:
    """The blocks of the forward sweep, without what belongs to the reverse sweep."""
    forward = tuple(_without(block, ADJOINT) for block in gradient.blocks)
    added = sum(block.origins.count(SHADOW) for block in forward)
    if added:
        said = f"{plural(added, 'instruction')} added: shadow memory, adjoint slots, the tape"
    else:
        said = "nothing to allocate: every adjoint stays in a register, nothing is stored"
    kept = tuple(block for block in forward if block.lines)
    return _panel("2. shadows allocated", (said,), gradient, "steps_2", kept, SHADOW)


def _adjoints(gradient: Stage) -> Drawing:
    added = sum(block.origins.count(ADJOINT) for block in gradient.blocks)
    said = f"{plural(added, 'instruction')} added: {gradient.instructions} in all"
    return _panel("3. adjoints added", (said,), gradient, "steps_3", gradient.blocks, ADJOINT)


def _without(block: StageBlock, origin: str) -> StageBlock:
    kept = [(line, word) for line, word in zip(block.lines, block.origins, strict=True) if word != origin]
    return StageBlock(block.name, tuple(line for line, _ in kept), tuple(word for _, word in kept), block.c_lines)


def _panel(
    title: str, sentences: tuple[str, ...], found: Stage, stem: str, blocks: Collection[StageBlock], added: str
) -> Drawing:
    names = {block.name: f"{stem}_{n}" for n, block in enumerate(blocks)}
    tables = tuple(
        Table(names[block.name], block.name, rows=_rows(block, names[block.name], added)) for block in blocks
    )
    links = tuple(links_of(found.edges, names))
    return Drawing(
        title,
        tuple(filter(None, sentences)),
        tables,
        links,
        clip=CLIP,
        legend=bool(added),
        regions=tuple(of_blocks(found.edges, blocks, names, f"{stem}_")),
    )


def _rows(block: StageBlock, stem: str, added: str) -> tuple[Row, ...]:
    words = block.origins if added else ("",) * len(block.lines)
    lines = (line.strip() for line in block.lines)
    rows = tuple(
        Row(short(line), "added" if added and word == added else "", identifier=f"{stem}_{k}", title=line)
        for k, (line, word) in enumerate(zip(lines, words, strict=True))
    )
    return rows or (Row("no instructions", prose=True),)
