"""Functions of the C library and LLVM intrinsics whose results and effects carry no derivative, each with the sentence that says
why (the views quote it). The functions are told by the table of the C library (`library/functions.txt`).

Invariant: nothing here can pass a floating value on to where it is used as a number again: not through its result, not
through memory. What reads or writes memory at all is told by the effects analysis, not here. A name counts only while it is
a declaration: a function the program defines under one of these names is differentiated like any other.
"""

from __future__ import annotations

from functools import cache

from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.library import libc

_FLOATING = ("float", "double", "long double")
_COMPILER = "speaks to the compiler, computes nothing"

INTRINSICS: dict[str, str] = {
    _COMPILER: """expect annotation ptr.annotation objectsize is.constant allow.runtime.check allow.ubsan.check
        codeview.annotation instrprof.increment""",  # and the markers
    libc.INACTIVE["ends"]: "trap debugtrap ubsantrap",
    libc.INACTIVE["environment"]: "readcyclecounter readsteadycounter returnaddress frameaddress thread.pointer",
    libc.INACTIVE["rounding"]: "get.rounding set.rounding get.fpenv set.fpenv reset.fpenv get.fpmode set.fpmode reset.fpmode",
    libc.INACTIVE["integer"]: """
        abs smax smin umax umin ctlz cttz ctpop bitreverse bswap fshl fshr sadd.with.overflow uadd.with.overflow ssub.with.overflow
        usub.with.overflow smul.with.overflow umul.with.overflow sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat scmp ucmp
        fptosi.sat fptoui.sat vscale""",
}  # fmt: skip

_BY_INTRINSIC: dict[str, str] = {name: why for why, names in INTRINSICS.items() for name in names.split()}


def writes_characters(name: str) -> bool:
    """Whether a declared function of this name writes characters, or what a format reads: without derivatives where that is text
    or whole numbers."""
    found = libc.find(name)
    return found is not None and found.characters


@cache
def writes_text(name: str) -> bool:
    """Whether a declared function of this name writes its arguments as text into memory, from where they may be read again."""
    found = libc.find(name)
    return (
        found is not None and found.inactive == libc.INACTIVE["text"] and bool(found.summary and found.summary.writes)
    )


@cache
def reads_number(name: str) -> bool:
    """Whether a declared function of this name gives the floating number that a text spells."""
    found = libc.find(name)
    return found is not None and found.inactive == libc.INACTIVE["parsed"] and found.result in _FLOATING


@cache
def reads_digits(name: str) -> bool:
    """Whether a declared function of this name gives the whole number that a text spells."""
    found = libc.find(name)
    return found is not None and found.inactive == libc.INACTIVE["parsed"] and found.result not in _FLOATING


@cache
def makes_characters(name: str) -> bool:
    """Whether a declared function of this name gives a character, or tells a property of one: memory does not count."""
    found = libc.find(name)
    text = found is not None and found.inactive == libc.INACTIVE["text"]
    return text and found is not None and not (found.summary and (found.summary.reads or found.summary.writes))


@cache
def scans_text(name: str) -> bool:
    """Whether a declared function of this name reads what a format says from a text in memory."""
    found = libc.find(name)
    return found is not None and found.characters and name.endswith("sscanf")


@cache
def files(name: str) -> str:
    """What a declared function of this name does with files and the environment (the word `files` of the table)."""
    found = libc.find(name)
    return found.files if found is not None else ""


def reads_file(name: str) -> bool:
    """Whether a declared function of this name reads from a file or the environment."""
    return files(name) in ("loads", "lines")


@cache
def reason(name: str) -> str | None:
    """Why a declared function of this name carries no derivative, None if that is not known."""
    if not name.startswith("llvm."):
        found = libc.find(name)
        return found.inactive or None if found is not None else None
    if intrinsics.is_marker(name):
        return _COMPILER
    parts = name.removeprefix("llvm.").split(".")
    for length in range(len(parts), 0, -1):  # what is left off are type suffixes: smax.i32
        why = _BY_INTRINSIC.get(".".join(parts[:length]))
        if why is not None:
            return why
    return None
