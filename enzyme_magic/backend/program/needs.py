"""What a call from outside needs of the arrays it passes, as plain text to be kept on disk.

Invariant: a `native.Need` says the same as the `ranges.Touch` it was made of, in the program's own names. Its expressions are
Python's and use integers, names, + - * / // and max only; a division / is exact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.analysis.counts import assumed, formula_text
from enzyme_magic.backend.analysis.counts.formula import Formula, number
from enzyme_magic.backend.analysis.counts.ranges import Touch
from enzyme_magic.backend.ir.values import Argument
from enzyme_magic.backend.native import MemoryNeed
from enzyme_magic.errors import Span


@dataclass(frozen=True, slots=True)
class Pointee:
    """A pointer parameter: its index and name, and the bytes of one element."""

    index: int
    name: str
    element: int


def needs(
    touches: Sequence[Touch],
    pointers: Mapping[Argument, Pointee],
    order: Sequence[str],
    spans: Sequence[Span | None],
) -> tuple[MemoryNeed, ...]:
    """order: the names of all parameters; spans: per touch its place in the C text."""
    made = []
    for touch, span in zip(touches, spans, strict=True):
        pointee = pointers.get(touch.argument)
        if pointee is None:
            continue
        elements = _elements(touch.size, pointee.element)
        written = formula_text.text(elements, order)
        names = touch.size.names.union(*(condition.names for condition in touch.when))
        made.append(
            MemoryNeed(
                pointee.index,
                formula_text.text(touch.size, order),
                tuple(formula_text.text(condition, order) for condition in touch.when),
                tuple(name for name in order if name in names),
                written,
                _place(span, "writes" if touch.writes else "reads", pointee.name, written),
            )
        )
    return tuple(made)


def _elements(size: Formula, element: int) -> Formula:
    """Bytes as elements, rounded up: of element*q + r, q and what r makes."""
    constant = next((int(c) for term, c in size.terms if not term and c.denominator == 1), 0)
    whole = assumed.divided(size - number(constant), element)
    if whole.times(element) == size - number(constant):
        return whole + number(-(-constant // element))
    return assumed.divided(size + number(element - 1), element)


def _place(span: Span | None, verb: str, name: str, elements: str) -> str:
    """`line 3 reads x[i], i < n`, as far as the line's text tells."""
    if span is None:
        return ""
    found = _subscripted(span.text or "", name)
    there = found.get(span.column) or (min(found.values()) if len(set(found.values())) == 1 else name)
    index = there.removeprefix(f"{name}[").removesuffix("]")
    limit = f", {index} < {elements}" if there != name and re.fullmatch(r"[^\W\d]\w*", index) else ""
    return f"line {span.line} {verb} {there}{limit}"


def _subscripted(text: str, name: str) -> dict[int, str]:
    """Every `name[…]` in a line of C, with all its brackets, by its column."""
    found = {}
    for match in re.finditer(rf"(?<!\w){re.escape(name)}\s*(?=\[)", text):
        end = match.end()
        while end < len(text) and text[end] == "[":
            depth = 0
            for position in range(end, len(text)):
                depth += {"[": 1, "]": -1}.get(text[position], 0)
                if depth == 0:
                    break
            else:
                break
            end = position + 1
        if end > match.end():
            found[match.start() + 1] = name + text[match.end() : end]
    return found
