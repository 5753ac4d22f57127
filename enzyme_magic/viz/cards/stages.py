"""The IR before and after optimization: two CFGs side by side, with the real instruction counts.

`compare` draws any two stages, `one` a single stage (what `f.ir(...).graph` shows).
"""

from __future__ import annotations

from enzyme_magic.errors import ViewError
from enzyme_magic.report import Report, Stage
from enzyme_magic.viz.cards.activity import links_of
from enzyme_magic.viz.cards.regions import of_blocks
from enzyme_magic.viz.facts import AFTER, BEFORE, change, opcodes, stage
from enzyme_magic.viz.ir_text import short
from enzyme_magic.viz.model import Card, Drawing, Group, Row, Table, single
from enzyme_magic.viz.wording import plural

CLIP = 40
CLIP_ALONE = 96
MOST_ROWS = 120


def card(report: Report) -> Card:
    """Gradient against optimized gradient; what there is of the two."""
    return compare(report, BEFORE, AFTER, "stages")


def primal_card(report: Report) -> Card:
    """The function itself: as compiled against as differentiated."""
    return compare(report, "input", "optimized", "primal-stages")


def compare(report: Report, before: str, after: str, name: str) -> Card:
    """Two stages side by side; one alone where the report lacks the other, a sentence where it lacks both."""
    found = [item for item in (stage(report, before), stage(report, after)) if item is not None]
    if not found:
        return single(name, Drawing(report.function, (f"this report has no IR of the stages {before} and {after}",)))
    if len(found) == 1:
        return _alone(report, found[0])
    first, second = found
    title = f"{report.function}: {change(first, second)}"
    head = Drawing(title)
    pair = Group((drawing(first, CLIP), drawing(second, CLIP)), together=True)
    return Card(name, title, (_description(first), _description(second)), (Group((head,)), pair), MOST_ROWS)


def one(report: Report, name: str) -> Card:
    """A single stage. ViewError EM502 naming the stages that exist."""
    found = stage(report, name)
    if found is None:
        raise _unknown(report, name)
    return _alone(report, found)


def _alone(report: Report, found: Stage) -> Card:
    return single(f"stage_{identifier(found)}", drawing(found, CLIP_ALONE))


def _unknown(report: Report, name: str) -> ViewError:
    known = ", ".join(item.name for item in report.stages) or "none"
    return ViewError(f"there is no stage {name!r} in this report", code="EM502", hint=f"stages: {known}")


def _description(found: Stage) -> str:
    listed = opcodes(found)
    return f"{found.name}: {plural(found.instructions, 'instruction')}" + (f" ({listed})" if listed else "")


def identifier(found: Stage) -> str:
    return found.name.replace("-", "_")


def _rows(lines: tuple[str, ...], stem: str) -> tuple[Row, ...]:
    found = (line.strip() for line in lines)
    rows = tuple(Row(short(line), identifier=f"{stem}_{k}", title=line) for k, line in enumerate(found))
    return rows or (Row("no instructions", prose=True),)


def drawing(found: Stage, clip: int) -> Drawing:
    """One CFG under its name and opcode counts."""
    stem = identifier(found)
    names = {block.name: f"{stem}_{n}" for n, block in enumerate(found.blocks)}
    copied = {block: copy.words for copy in found.copies for block in copy.blocks}
    tables = tuple(
        Table(names[block.name], block.name, copied.get(block.name, ""), _rows(block.lines, f"{stem}_{n}"))
        for n, block in enumerate(found.blocks)
    )
    title = f"{found.name}: {plural(found.instructions, 'instruction')}"
    sentences = tuple(part for part in (found.title if found.title != found.name else "", opcodes(found)) if part)
    return Drawing(
        title,
        sentences,
        tables,
        tuple(links_of(found.edges, names)),
        clip=clip,
        regions=tuple(of_blocks(found.edges, found.blocks, names, f"{stem}_")),
    )
