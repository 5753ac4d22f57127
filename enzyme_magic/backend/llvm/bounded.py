"""How much one call of a function of a printed module can do: whether it may keep others waiting.

Invariant: LITTLE and ALONE are promises. LITTLE: no loop, no recursion, a bounded number of instructions. ALONE: it computes and
does not wait for anybody: it reads and writes memory as one thread does (nothing volatile, nothing atomic), and calls only what
does the same. A loop needs a jump to a block that stands earlier in the text or is the jump's own. Functions of the text are looked
into; of others `_MATH`, `_INTRINSICS` and `_OURS` list those that keep the promise. What is not recognized is UNKNOWN.

It does not count instructions: a function of straight-line code passes up to `_LONGEST` characters. How long a loop runs it does
not know.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum

from enzyme_magic.backend.llvm import irtext, moduletext

_LONGEST, _DEEPEST = 1 << 16, 8
_LABEL = re.compile(r'label %("[^"]*"|[-\w$.]+)')
_BLOCK = re.compile(r'^("[^"]*"|[-\w$.]+):')
_CALLEE = re.compile(rf"({irtext.SYMBOL})\(")
_CALL = re.compile(r"(?:^|= )(?:tail |musttail |notail )?call ")
_UNWINDS = re.compile(r"(?:%\S+ = )?(?:invoke|callbr|resume|catch|cleanup)")
_SHARED = re.compile(r"\b(?:volatile|atomic|atomicrmw|cmpxchg|fence)\b")
_MEMORY = re.compile(r"llvm\.(?:memcpy|memmove|memset)\.")
_OURS = frozenset(["em.run.arena_current", "em.run.arena_grow", "em.run.arena_unwind", "em.run.too_deep"])
_OTHER_TRANSFERS = re.compile(r"(?:%\S+ = )?(?:indirectbr|invoke|callbr|resume|catch|cleanup)")
_INTRINSICS = frozenset(
    re.findall(
        r"\w+",
        """
        abs assume bswap ceil copysign cos ctlz ctpop cttz dbg exp exp2 expect experimental fabs floor fma fmuladd frameaddress is
        lifetime log log10 log2 maximum maxnum minimum minnum nearbyint pow powi rint round roundeven sadd sin smax smin smul sqrt
        ssub trunc uadd umax umin umul usub vector
        """,
    )
)
_MATH = frozenset(
    name + suffix
    for name in re.findall(
        r"\w+",
        """
        acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor fmax fmin fmod hypot ldexp log
        log10 log1p log2 pow round sin sinh sqrt tan tanh tgamma trunc
        """,
    )
    for suffix in ("", "f")
)


class Effort(Enum):
    """What is known of a call's work."""

    LITTLE = "little"
    ALONE = "alone"
    UNKNOWN = "unknown"


def effort(text: str, symbol: str) -> Effort:
    """How much one call of `symbol`, which the printed module `text` defines, can do."""
    functions = {item.name: item.text for item in moduletext.split(text) if item.kind == "function"}
    if _is_bounded(functions, symbol, (), set()):
        return Effort.LITTLE
    return Effort.ALONE if _works_alone(functions, symbol) else Effort.UNKNOWN


def _works_alone(functions: Mapping[str, str], symbol: str) -> bool:
    """Whether neither the function nor what it calls waits for another thread, or can be seen waiting."""
    open_, seen = [symbol], {symbol}
    while open_:
        body = functions.get(name := open_.pop())
        if body is None:
            if not _is_library(name) and name not in _OURS and not _MEMORY.match(name):
                return False
            continue
        for line in body.split("\n")[1:]:
            plain = moduletext.without_strings(line).strip()
            if _SHARED.search(plain) or _UNWINDS.match(plain):
                return False
            callee = _callee(line, plain)
            if callee is not None and callee not in seen:
                seen.add(callee)
                open_.append(callee)
    return True


def _is_bounded(functions: Mapping[str, str], symbol: str, above: tuple[str, ...], known: set[str]) -> bool:
    """above: the functions that are being looked at; known: those that are bounded."""
    if symbol in known:
        return True
    body = functions.get(symbol)
    if body is None:
        return _is_library(symbol)
    if symbol in above or len(above) == _DEEPEST or len(body) > _LONGEST:
        return False
    seen: set[str] = set()
    for line in body.split("\n")[1:]:
        block = _BLOCK.match(line)
        if block:
            seen.add(block[1])
            continue
        plain = moduletext.without_strings(line).strip()
        if not _goes_on(line, plain, seen):
            return False
        callee = _callee(line, plain)
        if callee is not None and not _is_bounded(functions, callee, (*above, symbol), known):
            return False
    known.add(symbol)
    return True


def _goes_on(line: str, plain: str, seen: set[str]) -> bool:
    """Whether no jump of the line goes back. (Nothing jumps to a function's first block.)"""
    targets = _LABEL.findall(line)
    return plain.count("label ") == len(targets) and seen.isdisjoint(targets) and not _OTHER_TRANSFERS.match(plain)


def _callee(line: str, plain: str) -> str | None:
    """The name that the line calls; one that nobody has for an address or assembly; None where it calls nothing."""
    if not _CALL.search(plain):
        return None
    found = _CALLEE.search(line)
    return "" if found is None or " asm " in plain else irtext.name_of(found[1])


def _is_library(name: str) -> bool:
    if name.startswith("llvm."):
        return name.split(".")[1] in _INTRINSICS
    return name in _MATH
