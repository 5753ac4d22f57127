"""Alternatives of the cache plan that are worth a sentence: "restrict on `out` saves 8*n bytes".

Only what could help is tried: `restrict` on the pointers of a function that saves a value because its memory may change. Each
trial plans the changed program anew (`assumptions`), which takes somewhat less than a millisecond an instruction. How many are
tried follows from the size of the function and never from a clock: a report is the same on every machine. A trial that fails
says nothing.
"""

from __future__ import annotations

from dataclasses import replace

from enzyme_magic.backend.analysis.counts.formula import Formula, surely_counts
from enzyme_magic.backend.analysis.derivatives.recompute import EXISTS_ONCE
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.explain.facts import FactList
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.tape.assumptions import RESTRICT, assume, words
from enzyme_magic.backend.explain.tape.breakdown import Cache
from enzyme_magic.backend.explain.words.counts import Counts
from enzyme_magic.backend.frontend.c_types import Pointer
from enzyme_magic.backend.pipeline import CompiledProgram
from enzyme_magic.errors import EnzymeError
from enzyme_magic.report import Alternative, CacheBreakdown

ROOM = 300  # instructions that are planned anew in all trials together
LARGEST = 1_000  # instructions of a function for which one trial is made all the same


def with_alternatives(
    found: CacheBreakdown, base: Formula | None, program: CompiledProgram, request: Request
) -> CacheBreakdown:
    """`found`, the plan of `request`, with the alternatives that save something, and their sentences as hints. base: its bytes,
    where they are known before the call."""
    size = sum(1 for _ in program.module.module.functions[request.function].instructions())
    trials = max(ROOM // max(size, 1), 1) if size <= LARGEST else 0
    names = _candidates(found, program, request)[:trials]
    if not names:
        return found
    tried = [_alternative(program, request, name, found, base) for name in names]
    better = tuple(alternative for alternative in tried if alternative is not None)
    return replace(found, alternatives=better, hints=(*found.hints, *(alternative.sentence for alternative in better)))


def _candidates(found: CacheBreakdown, program: CompiledProgram, request: Request) -> list[str]:
    """Pointers without restrict, written ones first, where a saved value is lost to a write, or a call has a tape: it may be that
    its memory changes after it."""
    if not any(row.overwritten_by or row.overwritten_line or row.reason == EXISTS_ONCE for row in found.stored()):
        return []
    parameters = program.signatures[request.function].parameters
    pointers = [k for k, p in enumerate(parameters) if isinstance(p.type, Pointer) and not p.type.restrict and p.name]
    pointers = [k for k in pointers if k not in program.said]
    if len([p for p in parameters if isinstance(p.type, Pointer)]) < 2:
        return []
    written = program.primal(request.function).written
    return [parameters[k].name for k in sorted(pointers, key=lambda k: (k not in written, k))]


def _alternative(
    program: CompiledProgram, request: Request, name: str, found: CacheBreakdown, base: Formula | None
) -> Alternative | None:
    """The plan with restrict on one parameter; None where it saves nothing, or where that is not known."""
    try:
        assumed = assume(program, request, {name: RESTRICT})
        scene = Scene.of(assumed.program, assumed.request)
    except EnzymeError:
        return None
    counts = Counts.of(scene)
    cache = Cache(scene, counts)
    then = cache.breakdown(FactList(scene))
    total = cache.known_total()
    if not then.stored():
        saves = found.total
    elif base is not None and total is not None and base != total and surely_counts(base - total):
        saves = counts.written(base - total)
    else:
        return None
    assumption = {name: RESTRICT}
    return Alternative(((name, RESTRICT),), f"{words(assumption)} saves {saves} bytes", then.total, saves)
