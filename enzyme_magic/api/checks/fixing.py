"""A hint tried out: `f.try_fix("restrict on A saves …")` applies it to a copy of the C text, builds that, and compares.

Invariant: the user's program stays as it is. The hint is the report's own; the text changes in the one place that the hint names;
whether the gradients agree is found by calling both with copies of the same arguments, and said with the largest difference.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from enzyme_magic.api.checks import measuring
from enzyme_magic.api.checks.timing import fastest
from enzyme_magic.backend.frontend.c_types import Pointer
from enzyme_magic.backend.frontend.restricting import with_restrict
from enzyme_magic.errors import ArgumentError
from enzyme_magic.progress import shown
from enzyme_magic.report import Alternative, Fix

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction

AGREES = 1e-9  # relative: sums may be written in another order
Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]


@dataclasses.dataclass(frozen=True)
class Tried:
    """What became of a hint. function: the rebuilt one, to go on with; fix: what there is to say about it."""

    function: CFunction
    fix: Fix

    def __repr__(self) -> str:
        return words(self.fix)


@shown("try_fix of {}")
def tried(function: CFunction, hint: str | int, arguments: Arguments | None) -> Tried:
    """ArgumentError EM335 where there is no such hint, or the C text has no place for it; raises what building and calling
    raise."""
    found = _alternative(function, hint)
    text = _changed(function, found)
    rebuilt = _rebuilt(function, text)
    before, after = function.make_report(), rebuilt.make_report()
    fix = Fix(found.sentence, text, _diff(function, text), before.cache.total, after.cache.total)
    if arguments is not None:
        fix = _compared(function, rebuilt, fix, arguments)
    return Tried(rebuilt, fix)


def _alternative(function: CFunction, hint: str | int) -> Alternative:
    known = function.make_report().cache.alternatives
    sentences = [found.sentence for found in known]
    if isinstance(hint, int) and not isinstance(hint, bool) and 0 <= hint < len(known):
        return known[hint]
    for found in known:
        if hint == found.sentence:
            return found
    listed = "; ".join(sentences) or "there is none"
    raise ArgumentError(f"{function.name} has no hint {hint!r}", code="EM335", hint=f"hints: {listed}")


def _changed(function: CFunction, found: Alternative) -> str:
    signature = function.c_signature
    text: str = _source(function).text
    word = "restrict" if function.program.options.language == "c" else "__restrict"
    for name, what in found.assume:
        parameter = next(p for p in signature.parameters if p.name == name)
        changed = with_restrict(text, parameter.line, parameter.column, word) if what == "restrict" else None
        if changed is None or not parameter.column:
            raise ArgumentError(
                f"{what} on {name}: {function.name} has no declarator in its text where that can be written",
                code="EM335",
                hint=f"f.cache(assume={{'{name}': '{what}'}}) plans it without the text",
            )
        text = changed
    return text


def _source(function: CFunction) -> Any:
    sources = function.program.sources
    own = [source for source in sources if source.name == function.c_signature.file]
    if len(own) == 1 or len(sources) == 1:
        return own[0] if own else sources[0]
    raise ArgumentError(f"{function.name} is in none of its program's texts", code="EM335", hint="apply it by hand")


def _rebuilt(function: CFunction, text: str) -> CFunction:
    own = _source(function)
    sources = [dataclasses.replace(s, text=text) if s is own else s for s in function.program.sources]
    program = type(function.program).of(sources, function.program.options, function.program.name)
    rebuilt = program[function.name]
    old, new = function.c_signature.parameters, rebuilt.c_signature.parameters
    said = [n.name for o, n in zip(old, new, strict=True) if _restricted(n.type) and not _restricted(o.type)]
    if not said:
        raise ArgumentError(
            f"the changed text says nothing new of {function.name}", code="EM335", hint="apply it by hand"
        )
    return rebuilt


def _restricted(type_: Any) -> bool:
    return isinstance(type_, Pointer) and type_.restrict


def _diff(function: CFunction, text: str) -> str:
    own = _source(function)
    lines = difflib.unified_diff(own.text.split("\n"), text.split("\n"), own.name, "with the hint", lineterm="", n=0)
    return "\n".join(lines)


def _compared(function: CFunction, rebuilt: CFunction, fix: Fix, arguments: Arguments) -> Fix:
    args, named = arguments
    pairs = list(_numbers(function.grad(*args, **named), rebuilt.grad(*args, **named)))
    worst = max((_difference(a, b) for a, b in pairs), default=0.0)
    kept = [measuring.of_call(f, None, f.make_report(), arguments).cache.measured for f in (function, rebuilt)]
    seconds = tuple(fastest(f, None, None, arguments) for f in (function, rebuilt))
    return dataclasses.replace(
        fix,
        call=kept[0].call if kept[0] is not None else function.name,
        kept=tuple(found.kept for found in kept if found is not None),
        seconds=seconds,
        difference=worst,
        agrees=worst <= AGREES,
    )


def _numbers(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    """The numbers of two gradients of the same structure, array by array."""
    if isinstance(a, tuple) and not hasattr(a, "dtype"):
        for x, y in zip(a, b, strict=True):
            yield from _numbers(x, y)
        return
    left, right = np.asarray(a), np.asarray(b)
    if left.dtype.names:
        for name in left.dtype.names:
            yield from _numbers(left[name], right[name])
    elif left.dtype.kind in "fc":
        yield left, right


def _difference(a: Any, b: Any) -> float:
    """The largest difference, against the largest number of the array; NaN and infinities must be the same."""
    if a.shape != b.shape or not np.array_equal(np.isfinite(a), np.isfinite(b)):
        return float("inf")
    finite = np.isfinite(a)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return float("inf")
    scale = float(np.max(np.abs(a[finite]), initial=0.0))
    return float(np.max(np.abs(a[finite] - b[finite]), initial=0.0)) / (scale or 1.0)


def words(fix: Fix) -> str:
    """The text twin."""
    lines: Sequence[str] = [fix.hint, fix.diff, f"bytes: {fix.totals[0]} → {fix.totals[1]}"]
    if fix.agrees is None:
        return "\n".join(
            [*lines, "not called: the gradients are compared where arguments are given, try_fix(hint, at=(…))"]
        )
    verdict = "agree" if fix.agrees else "DISAGREE: the arguments share memory, or the hint does not hold"
    told = [f"at {fix.call}: the gradients {verdict} (largest relative difference {fix.difference:.1e})"]
    if len(fix.kept) == 2:
        told.append(f"kept: {fix.kept[0]:,} B → {fix.kept[1]:,} B")
    if len(fix.seconds) == 2:
        told.append(f"one gradient: {fix.seconds[0] * 1e6:,.1f} µs → {fix.seconds[1] * 1e6:,.1f} µs")
    return "\n".join([*lines, *told])
