"""One sentence about what a pass changed. Invariant: every number in it is one of `Changes`, every line one of `Origin`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from enzyme_magic.backend.explain.passes.changes import Changes, Moved
from enzyme_magic.backend.explain.passes.effects import effects
from enzyme_magic.backend.explain.passes.listing import Listed, ListedLoop
from enzyme_magic.backend.explain.passes.marks import TAPE, Origin
from enzyme_magic.backend.explain.passes.words import counted, plural, spoken

MOST_OPCODES = 4
MOST_MOVES = 3
_UNSWITCHED = re.compile(r"\.us\d*$")
_INLINED = re.compile(r"\.i\d*$")
INLINERS = frozenset({"InlinerPass", "AlwaysInlinerPass", "ModuleInlinerPass"})
# LLVM's class of a pass -> what people call it, and what it is for. A pass that is not listed goes by its own name.
PASSES: Mapping[str, tuple[str, str]] = {
    "ADCEPass": ("aggressive dead code elimination", "removes what no result needs"),
    "AlwaysInlinerPass": ("always inline", "puts small helper functions into their callers"),
    "ArgumentPromotionPass": ("argument promotion", "passes values instead of pointers to them"),
    "BDCEPass": ("bit-tracking dead code elimination", "removes bits that no result needs"),
    "CorrelatedValuePropagationPass": ("correlated values", "uses what a branch says about a value"),
    "DSEPass": ("DSE", "removes stores that nobody reads"),
    "DeadArgumentEliminationPass": ("dead arguments", "removes parameters that nobody reads"),
    "EarlyCSEPass": ("early CSE", "computes equal things once"),
    "GVNPass": ("GVN", "finds values that are equal, and loads that are known"),
    "GlobalOptPass": ("global variables", "simplifies variables and functions that only this module uses"),
    "IPSCCPPass": ("constants across calls", "puts in what is constant, across functions"),
    "IndVarSimplifyPass": ("induction variables", "simplifies the counters of loops"),
    "InferFunctionAttrsPass": ("known functions", "writes down what library functions do"),
    "InlinerPass": ("inliner", "puts functions into their callers"),
    "InstCombinePass": ("instruction combining", "writes instructions in fewer or simpler ones"),
    "InstSimplifyPass": ("instruction simplification", "replaces instructions by values that are there"),
    "JumpThreadingPass": ("jump threading", "jumps straight to where a branch will go"),
    "LCSSAPass": ("LCSSA", "notes the values that leave a loop"),
    "LICMPass": ("LICM", "moves what every iteration repeats out of the loop"),
    "LoopDeletionPass": ("loop deletion", "removes loops that compute nothing"),
    "LoopFullUnrollPass": ("full unrolling", "writes short loops out, or some iterations apart from the loop"),
    "LoopIdiomRecognizePass": ("loop idioms", "recognizes loops that copy or set memory"),
    "LoopInstSimplifyPass": ("simplification in loops", "replaces instructions of a loop by values that are there"),
    "LoopLoadEliminationPass": ("loop loads", "keeps what the last iteration stored"),
    "LoopRotatePass": ("loop rotation", "moves the test of a loop to its end"),
    "LoopSimplifyPass": ("loop form", "gives loops one entry and one way back"),
    "LoopSimplifyCFGPass": ("control flow of loops", "removes and merges blocks of a loop"),
    "LoopSinkPass": ("loop sinking", "moves computations to where they are needed"),
    "LoopUnrollPass": ("unrolling", "writes several iterations in one, or some apart from the loop"),
    "LoopVectorizePass": ("loop vectorizer", "computes several iterations at once"),
    "MemCpyOptPass": ("memory copies", "leaves out copies of memory"),
    "PostOrderFunctionAttrsPass": ("function attributes", "writes down what functions do"),
    "ReassociatePass": ("reassociation", "orders sums and products"),
    "SCCPPass": ("constants", "puts in what is constant"),
    "SLPVectorizerPass": ("SLP vectorizer", "computes equal operations at once"),
    "SROAPass": ("SROA", "turns local memory into values"),
    "SimpleLoopUnswitchPass": ("unswitching", "moves a test that every iteration repeats out of the loop"),
    "SimplifyCFGPass": ("control flow", "removes and merges blocks and branches"),
    "SinkingPass": ("sinking", "moves computations to where they are needed"),
    "TailCallElimPass": ("tail calls", "marks calls that need no frame, and turns recursion into loops"),
    "VectorCombinePass": ("vector combining", "simplifies vector instructions"),
    "end": ("the end of the passes", ""),  # what none of them printed
}


@dataclass(frozen=True, slots=True)
class Text:
    """A module's text at one moment: its functions, and the origins of its lines. places: those of loops in texts before it, by
    function and header."""

    functions: Mapping[str, Listed]
    origins: Mapping[int, Origin]
    places: Mapping[tuple[str, str], str] = field(default_factory=dict)


def title(name: str) -> str:
    """What people call a pass."""
    found = PASSES.get(name)
    return found[0] if found is not None else name.split("<")[0].removesuffix("Pass")


def about(name: str) -> str:
    """What it is for; empty where that is not known here."""
    found = PASSES.get(name)
    return found[1] if found is not None else ""


def caption(name: str, found: Changes, before: Text, after: Text) -> str:
    """What the pass changed, the most telling first."""
    parts = [
        *_calls(name, found),
        *_moves(found.moved, before, after),
        *_tape(found, before, after),
        *_loops(found),
        *effects(name, before.functions, after.functions, lambda f, loop: place(before, f, loop)),
        *_instructions(found),
    ]
    if found.rewritten:
        parts.append(f"{plural(found.rewritten, 'instruction')} changed in place")
    if found.blocks[0] != found.blocks[1]:
        parts.append(f"{found.blocks[0]} → {plural(found.blocks[1], 'block')}")
    if not parts and found.touched:
        parts = [f"{plural(sum(found.after.values()), 'instruction')} as before: other order, flags, names or uses"]
    return "; ".join(parts) or "no instruction changed: attributes and declarations only"


def _calls(name: str, found: Changes) -> Iterator[str]:
    word = "inlined" if name in INLINERS else "removed"
    calls: Counter[str] = Counter()
    for callee, count in found.inlined:
        calls[spoken(callee)] += count
    for callee, count in calls.items():
        yield f"{word} {plural(count, 'call')} of {callee}"
    for did, names in (("removed", found.gone), ("added", found.new)):
        if names:
            yield f"{did} {functions_in_words(names)}"


def functions_in_words(names: Iterable[str]) -> str:
    """ "the function f", "2 functions: f, the gradient of g"."""
    words = [spoken(name) for name in names]
    said = ", ".join(dict.fromkeys(words))
    return (
        said
        if len(words) == 1 and " " in said
        else f"the function {said}"
        if len(words) == 1
        else f"{len(words)} functions: {said}"
    )


def _moves(moved: Iterable[Moved], before: Text, after: Text) -> Iterator[str]:
    several: dict[tuple[str, str, bool], list[Moved]] = {}
    for move in moved:
        several.setdefault((move.function, move.loop.header, move.inwards), []).append(move)
    for (function, _, inwards), moves in list(several.items())[:MOST_MOVES]:
        text = after if inwards else before
        what = ", ".join(counted(m.opcode, m.count) for m in sorted(moves, key=lambda m: -m.count))
        where = place(text, text.functions[function], moves[0].loop)
        yield f"moved {what} {'into' if inwards else 'out of'} {where}"


def place(text: Text, function: Listed, loop: ListedLoop) -> str:
    """ "the loop of lines 5–10 (reverse sweep)"; where this text knows no C line, as an earlier one has it."""
    return lines_of(text, function, loop) or _earlier(text.places, function.name, loop.header) or "a loop"


def lines_of(text: Text, function: Listed, loop: ListedLoop) -> str:
    """The same, as far as this text knows; empty where it does not. What was inlined counts as the line that calls it, unless the
    loop has nothing else: then it is a loop of that function."""
    found = [
        text.origins[row.number] for row in function.rows if row.block in loop.blocks and row.number in text.origins
    ]
    if not found:
        return ""
    whole = all(o.call for o in found)
    numbers = [o.line if whole else o.call or o.line for o in found]
    first, last = min(numbers), max(numbers)
    lines = f"line {first}" if first == last else f"lines {first}–{last}"
    kinds = {o.kind for o in found if o.kind != TAPE}
    return f"the loop of {lines}" + (f" ({kinds.pop()})" if len(kinds) == 1 else "")


def _earlier(places: Mapping[tuple[str, str], str], function: str, header: str) -> str:
    """The place of the loop that this one was, or is a copy of: unswitching names its copies `x.us`, and inlining `x.i`."""
    if known := places.get((function, header), ""):
        return known
    if (original := _UNSWITCHED.sub("", header)) != header:
        return _earlier(places, function, original)
    if (inner := _INLINED.sub("", header)) == header:
        return ""
    others = {name for name, _ in places} - {function}
    names = (inner, _UNSWITCHED.sub("", inner))
    found = {known for other in others if (known := next(filter(None, (places.get((other, n)) for n in names)), ""))}
    return found.pop() if len(found) == 1 else ""


def _tape(found: Changes, before: Text, after: Text) -> Iterator[str]:
    for origin in lost_tape_writes(found, before, after):
        yield tape_write_is_gone(origin)


def tape_write_is_gone(origin: Origin) -> str:
    return f"the tape write of {origin.kept or 'a value'} (line {origin.line}) is gone"


def lost_tape_writes(found: Changes, before: Text, after: Text) -> list[Origin]:
    """Tape writes of which none is left. Only said where that many stores are gone, and none has become a vector's."""
    had, has = (Counter(o for o in text.origins.values() if o.kind == TAPE) for text in (before, after))
    lost = [origin for origin in had if origin not in has]
    stores = found.before.get("store", 0) - found.after.get("store", 0)
    if not lost or found.vectors[0] != found.vectors[1] or stores < sum(had[o] for o in lost):
        return []
    return lost


def _loops(found: Changes) -> Iterator[str]:
    if found.loops[0] != found.loops[1]:
        yield f"{found.loops[0]} → {plural(found.loops[1], 'loop')}"
    if found.vectors[0] != found.vectors[1]:
        yield f"{found.vectors[0]} → {plural(found.vectors[1], 'instruction')} on vectors of up to {found.widest} numbers"


def _instructions(found: Changes) -> Iterator[str]:
    before, after = found.counts
    names = {*found.before, *found.after}
    differences = {name: found.after.get(name, 0) - found.before.get(name, 0) for name in names}
    told = sorted((n for n in differences if differences[n]), key=lambda n: (-abs(differences[n]), n))
    if not told:
        return
    parts = [f"{'+' if differences[n] > 0 else '−'}{counted(n, abs(differences[n]))}" for n in told[:MOST_OPCODES]]
    rest = ", …" if len(told) > MOST_OPCODES else ""
    yield f"{before} → {plural(after, 'instruction')} ({', '.join(parts)}{rest})"
