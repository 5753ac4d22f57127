"""Whether LLVM's work on a text is known to be short.

What LLVM does takes about the same time for each instruction, a second or two for a megabyte of text. The exception is what must be
inlined: a function that calls another one twice is two of it, and a chain of such functions grows as the powers of two. So the
size that counts is the one after that. Another one is an operation of a vector or an integer of thousands of parts: the code
generator makes one of each part. Invariant: what is said to be quick is no longer than `LARGE` then and has no such operation.
Nothing is said about loops that LLVM unrolls and about calls that it may inline: for those it has limits of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from graphlib import CycleError, TopologicalSorter

from enzyme_magic.backend.llvm import irtext, moduletext

LARGE = 1 << 18  # characters
_GROUP = re.compile(r"^attributes (#\d+) = \{[^\n]*\balwaysinline\b", re.MULTILINE)
_WIDE = re.compile(r"<\d{4,} x |(?<![%@\w.$-])i\d{4,}\b")
_CALLED = re.compile(rf"({irtext.SYMBOL})\(")


def is_quick(text: str) -> bool:
    """Whether LLVM's passes and its code generator will be done with the module soon."""
    return len(text) <= LARGE and not _WIDE.search(text) and ("alwaysinline" not in text or _inlined(text) <= LARGE)


def _inlined(text: str) -> float:
    """How long the text is when all is inlined that must be; infinity where that is recursive."""
    groups = set(_GROUP.findall(text))
    functions = {item.name: item.text for item in moduletext.split(text) if item.kind == "function"}
    always = {name for name, body in functions.items() if _is_always_inlined(body.partition("\n")[0], groups)}
    calls = {name: _calls(body, always) for name, body in functions.items()}
    sizes: dict[str, float] = {}
    try:
        for name in TopologicalSorter(calls).static_order():
            sizes[name] = len(functions[name]) + sum(times * sizes[callee] for callee, times in calls[name].items())
    except CycleError:
        return float("inf")
    return sum(sizes.values())


def _is_always_inlined(head: str, groups: set[str]) -> bool:
    return "alwaysinline" in head or not groups.isdisjoint(head.split())


def _calls(body: str, always: set[str]) -> Counter[str]:
    found = _CALLED.findall(body, body.find("\n")) if always else ()  # behind the line that defines it
    return Counter(name for symbol in found if (name := irtext.name_of(symbol)) in always)
