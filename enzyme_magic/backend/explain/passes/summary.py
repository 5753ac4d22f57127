"""One sentence for each kind of optimization: what all its runs did together.

Invariant: each number is a sum over the changes of its runs, which are counted in the texts; what one run adds and a later one
takes away cancels out. Kinds of which nothing can be counted are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.explain.passes import captions
from enzyme_magic.backend.explain.passes.changes import Changes
from enzyme_magic.backend.explain.passes.marks import Origin
from enzyme_magic.backend.explain.passes.words import counted, plural, spoken
from enzyme_magic.report import Optimization

MOST_PLACES = 3
MOST_OPCODES = 5


@dataclass(frozen=True, slots=True)
class Run:
    """A pass that changed something. moved: (where, inwards, opcode, how many); lost: tape writes of which none is left."""

    name: str
    changes: Changes
    moved: tuple[tuple[str, bool, str, int], ...]
    lost: tuple[Origin, ...]


def run(name: str, found: Changes, before: captions.Text, after: captions.Text) -> Run:
    """What is told of a run, while its texts are there."""
    moved = []
    for move in found.moved:
        text = after if move.inwards else before
        where = captions.place(text, text.functions[move.function], move.loop)
        moved.append((where, move.inwards, move.opcode, move.count))
    return Run(name, found, tuple(moved), tuple(captions.lost_tape_writes(found, before, after)))


def optimizations(runs: Iterable[Run]) -> tuple[Optimization, ...]:
    """In the order in which they first changed something."""
    kinds: dict[str, list[Run]] = {}
    for found in runs:
        kinds.setdefault(captions.title(found.name), []).append(found)
    told = ((title, several, sentence(several)) for title, several in kinds.items())
    return tuple(
        Optimization(title, captions.about(several[0].name), len(several), text)
        for title, several, text in told
        if text
    )


def sentence(runs: Sequence[Run]) -> str:
    """What these runs did together; empty where nothing can be counted."""
    parts = [*_calls(runs), *_moves(runs), *_tape(runs), *_loops(runs), *_instructions(runs)]
    changed = sum(found.changes.rewritten for found in runs)
    return "; ".join([*parts, f"{plural(changed, 'instruction')} changed in place"] if changed else parts)


def _calls(runs: Sequence[Run]) -> Iterator[str]:
    calls: Counter[str] = Counter()
    for found in runs:
        for callee, count in found.changes.inlined:
            calls[spoken(callee)] += count
    inliner = any(found.name in captions.INLINERS for found in runs)
    if calls:
        listed = _and([f"{plural(count, 'call')} of {callee}" for callee, count in calls.most_common()])
        yield f"{'inlined' if inliner else 'removed'} {listed}"
    gone = [name for found in runs for name in found.changes.gone]
    if gone:
        yield f"removed {captions.functions_in_words(gone)}"


def _moves(runs: Sequence[Run]) -> Iterator[str]:
    places: dict[tuple[str, bool], Counter[str]] = {}
    for found in runs:
        for where, inwards, opcode, count in found.moved:
            places.setdefault((where, inwards), Counter())[opcode] += count
    largest = sorted(places.items(), key=lambda item: -item[1].total())
    for (where, inwards), opcodes in largest[:MOST_PLACES]:
        yield f"moved {_listed(opcodes)} {'into' if inwards else 'out of'} {where}"
    rest = sum(opcodes.total() for _, opcodes in largest[MOST_PLACES:])
    if rest:
        yield f"moved {plural(rest, 'instruction')} out of or into {plural(len(largest) - MOST_PLACES, 'other loop')}"


def _listed(opcodes: Counter[str]) -> str:
    named = [counted(opcode, count) for opcode, count in opcodes.most_common(MOST_OPCODES)]
    rest = opcodes.total() - sum(count for _, count in opcodes.most_common(MOST_OPCODES))
    return _and([*named, plural(rest, "other")] if rest else named)


def _and(parts: list[str]) -> str:
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def _tape(runs: Sequence[Run]) -> Iterator[str]:
    for found in runs:
        for origin in found.lost:
            yield captions.tape_write_is_gone(origin)


def _loops(runs: Sequence[Run]) -> Iterator[str]:
    more = sum(found.changes.loops[1] - found.changes.loops[0] for found in runs)
    if more:
        yield _difference("loop", more)
    vectors = sum(found.changes.vectors[1] - found.changes.vectors[0] for found in runs)
    if vectors:
        widest = max(found.changes.widest for found in runs)
        many = plural(abs(vectors), "instruction")
        yield f"{many} more on vectors of up to {widest} numbers" if vectors > 0 else f"{many} fewer on vectors"


def _difference(word: str, more: int) -> str:
    return f"{plural(abs(more), word)} {'more' if more > 0 else 'fewer'}"


def _instructions(runs: Sequence[Run]) -> Iterator[str]:
    """How many more and fewer of which instructions there are."""
    total: Counter[str] = Counter()
    for found in runs:
        total.update(found.changes.after)
        total.subtract(found.changes.before)
    for word, sign in (("fewer", -1), ("more", 1)):
        of_sign = Counter({opcode: count * sign for opcode, count in total.items() if count * sign > 0})
        if of_sign:
            yield f"{_listed(of_sign)} {word}"
