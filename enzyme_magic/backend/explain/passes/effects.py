"""What a pass is for, as far as it happened: one more sentence about passes of which people know what they do.

Invariant: each number is the difference of two that are counted in the texts, and a sentence is left out where nothing became less
(or more) in the way it tells of. Nothing is said about why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from enzyme_magic.backend.explain.passes.listing import Listed, ListedLoop
from enzyme_magic.backend.explain.passes.words import plural
from enzyme_magic.backend.ir import intrinsics

Functions = Mapping[str, Listed]
MOST_LOOPS = 3
_COUNTER = re.compile(r" = phi i\d+ ")
_TEST = re.compile(r"^br i1 ")
_COPIES = dict(zip(intrinsics.TRANSFERS, ("copy of memory", "move of memory", "setting of memory"), strict=True))
_COMPUTED = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem", "fneg"})


def effects(
    name: str, before: Functions, after: Functions, place: Callable[[Listed, ListedLoop], str]
) -> Iterator[str]:
    """place: where a loop that is in both texts lies in C."""
    for tell in _TELLERS.get(name, ()):
        yield from tell(before, after)
    if name in _UNROLLERS:
        yield from _grown(before, after, place)


def opcodes(functions: Functions, *wanted: str) -> int:
    return sum(row.opcode in wanted for f in functions.values() for row in f.rows)


def values(functions: Functions) -> int:
    """Instructions that give a value, but for merges, which compute nothing."""
    return sum(bool(row.own) and row.opcode != "phi" for f in functions.values() for row in f.rows)


def tests(functions: Functions) -> int:
    """Branches that depend on something."""
    return sum(_TEST.match(row.text) is not None for f in functions.values() for row in f.rows)


def tested_at_the_end(functions: Functions) -> int:
    """Loops that are left from where they go back to their beginning."""
    return sum(_tests_at_the_end(f, loop) for f in functions.values() for loop in f.loops)


def counters(functions: Functions) -> int:
    """Whole numbers that loops hand on from one iteration to the next."""
    headers = {(f.name, loop.header) for f in functions.values() for loop in f.loops}
    return sum(
        (f.name, row.block) in headers and _COUNTER.search(row.text) is not None
        for f in functions.values()
        for row in f.rows
    )


def loops_on_vectors(functions: Functions) -> int:
    """Loops with no loop in them that have instructions on vectors."""
    return sum(
        any(row.lanes > 1 and row.block in loop.blocks for row in f.rows)
        for f in functions.values()
        for loop in f.loops
        if not any(other is not loop and other.blocks < loop.blocks for other in f.loops)
    )


def copies(functions: Functions, kind: str) -> int:
    """Calls that copy, move or set memory."""
    return sum(intrinsics.transfer_of(row.called) == kind for f in functions.values() for row in f.rows)


def size(function: Listed, loop: ListedLoop) -> int:
    return sum(row.block in loop.blocks for row in function.rows)


def _tests_at_the_end(function: Listed, loop: ListedLoop) -> bool:
    back = [b for b in loop.blocks if loop.header in function.blocks[b]]
    return any(target not in loop.blocks for b in back for target in function.blocks[b])


def _fewer(before: int, after: int, word: str) -> Iterator[str]:
    if after < before:
        yield f"{before - after} fewer {plural(before - after, word).split(' ', 1)[1]}"


def _slots(before: Functions, after: Functions) -> Iterator[str]:
    had, has = opcodes(before, "alloca"), opcodes(after, "alloca")
    if has < had:
        one = had - has == 1
        yield f"{had - has} local {'variable or array no longer lies' if one else 'variables or arrays no longer lie'} in memory"
    yield from _traffic(before, after)


def _traffic(before: Functions, after: Functions) -> Iterator[str]:
    yield from _fewer(opcodes(before, "load"), opcodes(after, "load"), "memory read")
    yield from _fewer(opcodes(before, "store"), opcodes(after, "store"), "memory write")


def _computations(before: Functions, after: Functions) -> Iterator[str]:
    had, has = values(before), values(after)
    if has < had:
        yield f"{plural(had - has, 'value')} fewer to compute"
    yield from _fewer(opcodes(before, *_COMPUTED), opcodes(after, *_COMPUTED), "floating operation")


def _ways(before: Functions, after: Functions) -> Iterator[str]:
    yield from _fewer(tests(before), tests(after), "conditional branch")
    more = opcodes(after, "select") - opcodes(before, "select")
    if more > 0 and tests(after) < tests(before):
        yield f"{more} more {'choice' if more == 1 else 'choices'} without a branch"


def _rotated(before: Functions, after: Functions) -> Iterator[str]:
    more = tested_at_the_end(after) - tested_at_the_end(before)
    if more > 0:
        yield f"{more} more {'loop is' if more == 1 else 'loops are'} tested at the end of each iteration"


def _counting(before: Functions, after: Functions) -> Iterator[str]:
    yield from _fewer(counters(before), counters(after), "loop counter")
    widenings = ("sext", "zext", "trunc")
    yield from _fewer(opcodes(before, *widenings), opcodes(after, *widenings), "integer conversion")


def _vectorized(before: Functions, after: Functions) -> Iterator[str]:
    more = loops_on_vectors(after) - loops_on_vectors(before)
    if more > 0:
        yield f"{more} more innermost {'loop works' if more == 1 else 'loops work'} on vectors"


def _moved_memory(before: Functions, after: Functions) -> Iterator[str]:
    for kind, word in _COPIES.items():
        more = copies(after, kind) - copies(before, kind)
        one = (
            word
            if abs(more) == 1
            else word.replace("copy", "copies").replace("move ", "moves ").replace("setting", "settings")
        )
        if more:
            yield f"{abs(more)} {'more' if more > 0 else 'fewer'} {one} ({kind})"
    yield from _fewer(opcodes(before, "store"), opcodes(after, "store"), "memory write")


def _grown(before: Functions, after: Functions, place: Callable[[Listed, ListedLoop], str]) -> Iterator[str]:
    """The loops that became longer, the longest growth first."""
    found: list[tuple[int, str]] = []
    for name in before.keys() & after.keys():
        later = {loop.header: loop for loop in after[name].loops}
        for loop in before[name].loops:
            had, has = size(before[name], loop), size(after[name], later[loop.header]) if loop.header in later else 0
            if has >= 2 * had:
                found.append(
                    (has - had, f"an iteration of {place(before[name], loop)} grew from {had} to {has} instructions")
                )
    for _, text in sorted(found, reverse=True)[:MOST_LOOPS]:
        yield text


Teller = Callable[[Functions, Functions], Iterator[str]]
_UNROLLERS = frozenset({"LoopFullUnrollPass", "LoopUnrollPass"})
_BY_EFFECT: Mapping[Teller, str] = {
    _slots: "SROAPass",
    _computations: "EarlyCSEPass GVNPass InstCombinePass InstSimplifyPass ReassociatePass ADCEPass BDCEPass SCCPPass IPSCCPPass"
    " CorrelatedValuePropagationPass LoopInstSimplifyPass VectorCombinePass LoopDeletionPass",
    _traffic: "EarlyCSEPass GVNPass LoopLoadEliminationPass ArgumentPromotionPass",
    _ways: "SimplifyCFGPass JumpThreadingPass LoopSimplifyCFGPass SimpleLoopUnswitchPass CorrelatedValuePropagationPass",
    _rotated: "LoopRotatePass",
    _counting: "IndVarSimplifyPass",
    _vectorized: "LoopVectorizePass SLPVectorizerPass",
    _moved_memory: "DSEPass MemCpyOptPass LoopIdiomRecognizePass",
}
_TELLERS: Mapping[str, tuple[Teller, ...]] = {
    name: tuple(tell for tell, names in _BY_EFFECT.items() if name in names.split())
    for name in " ".join(_BY_EFFECT.values()).split()
}
