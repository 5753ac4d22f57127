"""Whether a function of a printed module does a bounded, small amount of work: no loop, no recursion, no call of anything unknown.

Invariant: `True` is a promise. A loop needs a jump to a block that stands earlier in the text or is the jump's own; a function
without one runs each of its instructions once at most. It may call functions of the same text of which that holds too, and what
`_MATH` and `_INTRINSICS` list: those compute and neither wait nor call back. What is not recognized is not bounded.

It does not count instructions: a function of straight-line code passes up to `_LONGEST` characters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from enzyme_magic.backend.llvm import irtext, moduletext

_LONGEST, _DEEPEST = 1 << 16, 8
_LABEL = re.compile(r'label %("[^"]*"|[-\w$.]+)')
_BLOCK = re.compile(r'^("[^"]*"|[-\w$.]+):')
_CALLEE = re.compile(rf"({irtext.SYMBOL})\(")
_CALL = re.compile(r"(?:^|= )(?:tail |musttail |notail )?call ")
_OTHER_TRANSFERS = re.compile(r"(?:%\S+ = )?(?:indirectbr|invoke|callbr|resume|catch|cleanup)")
_INTRINSICS = (
    *(
        "abs",
        "assume",
        "bswap",
        "ceil",
        "copysign",
        "cos",
        "ctlz",
        "ctpop",
        "cttz",
        "dbg",
        "exp",
        "exp2",
        "fabs",
        "floor",
    ),
    *(
        "fma",
        "fmuladd",
        "is",
        "lifetime",
        "log",
        "log10",
        "log2",
        "maximum",
        "maxnum",
        "minimum",
        "minnum",
        "nearbyint",
    ),
    *("pow", "powi", "rint", "round", "roundeven", "sin", "smax", "smin", "sqrt", "trunc", "umax", "umin", "vector"),
    *("experimental", "expect"),
)
_MATH = frozenset(
    name + suffix
    for name in (
        *(
            "acos",
            "acosh",
            "asin",
            "asinh",
            "atan",
            "atan2",
            "atanh",
            "cbrt",
            "cos",
            "cosh",
            "erf",
            "erfc",
            "exp",
            "exp2",
        ),
        *(
            "expm1",
            "fabs",
            "floor",
            "ceil",
            "fmax",
            "fmin",
            "fmod",
            "hypot",
            "ldexp",
            "log",
            "log10",
            "log1p",
            "log2",
            "pow",
        ),
        *("round", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc"),
    )
    for suffix in ("", "f")
)


def is_bounded(text: str, symbol: str) -> bool:
    """Whether one call of `symbol`, which the printed module `text` defines, does little for certain."""
    functions = {item.name: item.text for item in moduletext.split(text) if item.kind == "function"}
    return _is_bounded(functions, symbol, (), set())


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
