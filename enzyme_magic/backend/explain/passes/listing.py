"""LLVM's text of a module as functions, blocks and instructions, with the loops of each function.

Read from the layout that LLVM's printer guarantees, line by line: between two passes hundreds of texts are compared, and nothing is
asked of an instruction but its name, opcode, type and place. A loop is a back edge to a block that dominates its source (Hecht and
Ullman, 1974). Does not check validity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

_DEFINE = re.compile(r'^define .*?@("(?:[^"]*)"|[-\w$.]+)\(')
_LABEL = re.compile(r'^("(?:[^"]*)"|[-\w$.]+):')
_NAMED = re.compile(r'^  (%(?:"[^"]*"|[-\w$.]+)) = (?:(?:tail|musttail|notail) )?(\w+)')
_PLAIN = re.compile(r"^  (?:(?:tail|musttail|notail) )?(\w+)")
_TARGET = re.compile(r'label %("(?:[^"]*)"|[-\w$.]+)')
_CALLED = re.compile(r'(?:call|invoke) [^@]*?@("(?:[^"]*)"|[-\w$.]+)\(')
_VECTOR = re.compile(r"<(?:vscale x )?(\d+) x (?:double|float|half|bfloat|i\d+|ptr)>")
_METADATA = re.compile(r"(?:, ![\w.]+ !\d+)+$")
LOCAL = re.compile(r'%(?:"[^"]*"|[-\w$.]+)')
TERMINATORS = frozenset({"br", "switch", "ret", "unreachable", "invoke", "indirectbr", "resume", "callbr"})


@dataclass(frozen=True, slots=True)
class ListedInstruction:
    """An instruction. number: of its line in the module's text; text: without metadata; name: what stays with its value from
    text to text, "" where there is nothing like that."""

    number: int
    name: str
    own: str  # "%x" in this text
    opcode: str
    block: str
    text: str

    @property
    def called(self) -> str:
        found = _CALLED.search(self.text)
        return found[1].strip('"') if found else ""

    @property
    def lanes(self) -> int:
        """Numbers of the vectors it works with; 1 without."""
        return max((int(width) for width in _VECTOR.findall(self.text)), default=1)


@dataclass(frozen=True)
class ListedLoop:
    header: str
    blocks: frozenset[str]


@dataclass(frozen=True)
class Listed:
    """A defined function. blocks: the successors of each."""

    name: str
    rows: tuple[ListedInstruction, ...]
    blocks: Mapping[str, tuple[str, ...]]
    lines: tuple[str, ...] = field(repr=False)

    @cached_property
    def loops(self) -> tuple[ListedLoop, ...]:
        """One for each header, in the order of the text."""
        return _loops(self.blocks)


def functions(text: str, names: Mapping[int, str] | None = None) -> dict[str, Listed]:
    """The defined functions of a module, by name. names: those that stay, by the number of the line; the text's own unless given,
    but for numbers, which each text gives anew."""
    found: dict[str, Listed] = {}
    lines = text.split("\n")
    start: int | None = None
    name = ""
    for number, line in enumerate(lines):
        if start is None:
            head = _DEFINE.match(line)
            if head:
                start, name = number, head[1].strip('"')
        elif line == "}":
            found[name] = _function(name, start, tuple(lines[start : number + 1]), names)
            start = None
    return found


@lru_cache(maxsize=4096)
def _body(lines: tuple[str, ...]) -> tuple[tuple[tuple[int, str, str, str, str], ...], dict[str, tuple[str, ...]]]:
    rows: list[tuple[int, str, str, str, str]] = []
    blocks: dict[str, tuple[str, ...]] = {}
    label, ending = "", ""
    for number, line in enumerate(lines[1:-1], 1):
        head = _LABEL.match(line)
        if head:
            label = head[1].strip('"')
            blocks[label] = ()
            ending = ""
        elif line.startswith("   ") or line.startswith("  ]"):
            ending += line  # more of a terminator: the cases of a switch
            if rows and rows[-1][2] in TERMINATORS:
                blocks[label] = tuple(t.strip('"') for t in _TARGET.findall(ending))
        elif line.startswith("  ") and not line.lstrip().startswith(("#dbg_", ";")):
            if not blocks:
                blocks[label] = ()
            named, plain = _NAMED.match(line), _PLAIN.match(line)
            result, opcode = (named[1], named[2]) if named else ("", plain[1] if plain else "")
            rows.append((number, result, opcode, label, _METADATA.sub("", line.strip())))
            if opcode in TERMINATORS:
                ending = line
                blocks[label] = tuple(t.strip('"') for t in _TARGET.findall(line))
    return tuple(rows), blocks


def _function(name: str, start: int, lines: tuple[str, ...], names: Mapping[int, str] | None) -> Listed:
    rows, blocks = _body(lines)
    return Listed(name, tuple(_row(start, names, *row) for row in rows), blocks, lines)


def _row(
    start: int, names: Mapping[int, str] | None, number: int, own: str, opcode: str, block: str, text: str
) -> ListedInstruction:
    number += start
    name = names.get(number, "") if names else ("" if own[1:].isdigit() else own)
    return ListedInstruction(number, name, own, opcode, block, text)


def _loops(blocks: Mapping[str, tuple[str, ...]]) -> tuple[ListedLoop, ...]:
    order = _postorder(blocks)
    above = _dominators(blocks, order)
    before: dict[str, list[str]] = {}
    for block in order:
        for target in blocks[block]:
            before.setdefault(target, []).append(block)
    bodies: dict[str, set[str]] = {}
    for block in reversed(order):
        for target in blocks[block]:
            if target in above[block]:
                bodies.setdefault(target, {target}).update(_reaching(block, target, before))
    return tuple(ListedLoop(header, frozenset(bodies[header])) for header in blocks if header in bodies)


def _reaching(latch: str, header: str, before: Mapping[str, list[str]]) -> Iterator[str]:
    seen, waiting = {header}, [latch]
    while waiting:
        block = waiting.pop()
        if block not in seen:
            seen.add(block)
            yield block
            waiting += before.get(block, [])


def _postorder(blocks: Mapping[str, tuple[str, ...]]) -> list[str]:
    entry = next(iter(blocks), None)
    found: list[str] = []
    if entry is None:
        return found
    seen, path = {entry}, [(entry, iter(blocks[entry]))]
    while path:
        block, rest = path[-1]
        following = next((t for t in rest if t not in seen and t in blocks), None)
        if following is None:
            found.append(block)
            path.pop()
        else:
            seen.add(following)
            path.append((following, iter(blocks[following])))
    return found


def _dominators(blocks: Mapping[str, tuple[str, ...]], order: list[str]) -> dict[str, set[str]]:
    """The blocks on every path to a block, itself included: the greatest fixed point."""
    before: dict[str, list[str]] = {}
    for block in order:
        for target in blocks[block]:
            before.setdefault(target, []).append(block)
    everything = set(order)
    found = {block: set(everything) for block in order}
    if order:
        found[order[-1]] = {order[-1]}
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            paths = [found[p] for p in before.get(block, []) if p in found]
            now = set.intersection(*paths) | {block} if paths else {block}
            if now != found[block]:
                found[block], changed = now, True
    return found
