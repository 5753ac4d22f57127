"""The loops and inlined calls of a drawn control flow graph: what may be folded into one box.

Invariant: regions are sets of boxes that are nested or apart; a loop is what can reach its arrow back without passing its head.
Read off the arrows and the blocks' own notes, nothing is inferred about the program.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence

from enzyme_magic.report import Edge, StageBlock
from enzyme_magic.viz.facts import line_text
from enzyme_magic.viz.model import Region

Members = frozenset[str]


def regions(
    edges: Sequence[Edge],
    names: Mapping[str, str],
    calls: Mapping[str, str] | None = None,
    about: Mapping[str, str] | None = None,
    stem: str = "",
) -> tuple[Region, ...]:
    """Loops and calls, outer before inner. names: the drawn box of each block; calls: the inlined call that a block belongs to;
    about: what is known of a block as the head of a loop ("lines 3 to 5 · runs n times"); stem: what the names of the regions begin
    with, where a card has several drawings, since each box of a card has a name of its own."""
    drawn = [edge for edge in edges if edge.source in names and edge.target in names]
    found: dict[Members, tuple[str, str]] = {}
    for head, members in _loops(drawn).items():
        label = next((edge.label for edge in drawn if edge.back and edge.target == head and edge.label), "")
        counted = label.removeprefix("next ") if label.startswith("next ") else ""
        found.setdefault(members, (f"loop {counted}".strip(), (about or {}).get(head, "")))
    for call, members in _calls(calls or {}).items():
        if len(members) > 1 and all(_nested(members, other) for other in found):
            found.setdefault(members, (call, ""))
    ordered = sorted(found, key=lambda members: -len(members))
    return tuple(
        Region(
            f"{stem}region{number}",
            *found[members],
            tuple(box for block, box in names.items() if block in members),
            sum(1 for other in ordered if members < other),
        )
        for number, members in enumerate(ordered)
    )


def with_lines(region: Region, lines: Iterable[int]) -> Region:
    """The region with the C lines that it comes from."""
    found = sorted(set(lines))
    where = f"lines {found[0]} to {found[-1]}" if len(found) > 1 else line_text(found[0]) if found else ""
    return dataclasses.replace(region, subtitle=" · ".join(part for part in (where, region.subtitle) if part))


def of_blocks(
    edges: Sequence[Edge], blocks: Collection[StageBlock], names: Mapping[str, str], stem: str
) -> list[Region]:
    """The loops of a stage, with their C lines; by LLVM's name of its head where a loop comes from no line."""
    lines = {names[block.name]: block.c_lines for block in blocks}
    first = {names[block.name]: f"from {block.name}" for block in blocks}
    found = []
    for region in regions(edges, names, stem=stem):
        inside = [line for box in region.tables for line in lines[box]]
        told = with_lines(region, inside)
        found.append(told if inside else dataclasses.replace(region, subtitle=first[region.tables[0]]))
    return found


def _loops(edges: Sequence[Edge]) -> dict[str, Members]:
    """The blocks of each loop by its head."""
    before: dict[str, list[str]] = {}
    for edge in edges:
        before.setdefault(edge.target, []).append(edge.source)
    found: dict[str, Members] = {}
    for edge in edges:
        if not edge.back:
            continue
        members, work = {edge.target}, [edge.source]
        while work:
            block = work.pop()
            if block not in members:
                members.add(block)
                work += before.get(block, ())
        found[edge.target] = found.get(edge.target, frozenset()) | members
    return {
        head: members for head, members in found.items() if all(_nested(members, other) for other in found.values())
    }


def _calls(calls: Mapping[str, str]) -> dict[str, Members]:
    found: dict[str, set[str]] = {}
    for block, call in calls.items():
        found.setdefault(call, set()).add(block)
    return {call: frozenset(members) for call, members in found.items()}


def _nested(one: Members, other: Members) -> bool:
    return one <= other or other <= one or not one & other
