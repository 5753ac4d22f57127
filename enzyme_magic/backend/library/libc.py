"""The C library: what is known of a function by its name. The reader of `functions.txt`, which says everything once.

A line is a prototype and words. Those of `words.py` say what the function does to memory; and these what derivatives are told:

  rule               it is an operation of that name, which has a rule (`rules`; of complex.h's functions for float and double)
  like NAME          it is the operation NAME
  inactive WHY       no derivative passes through it, neither by its result nor by memory: one of INACTIVE
  characters         it writes characters, or what a format reads: without derivative where that is text or whole numbers
  files WHAT         what it is given may be read again, from a file or the environment (saves); it reads from there (loads),
                     characters (lines); makes a file of memory (memory)
  smooth             a small change of what it takes is a small change of what it gives: nothing is decided in it
  vectored TYPES     the library has forms of it for several numbers of these types (libmvec, glibc 2.35), at most 4 ulp off
  unhinted           a plain word that programs use for themselves: no header is proposed for it

Invariant: a name counts only while it is a declaration. The bytes of long double are those of the x87 format, of the one platform
that is supported (x86-64 Linux).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from enzyme_magic.backend.library import words
from enzyme_magic.backend.library.summary import NOTHING, Summary

TANGENT = "em.tangent"  # begins the names of the functions that forward mode computes tangents with

INACTIVE: Mapping[str, str] = MappingProxyType(
    {
        "output": "prints and computes nothing that is used again",
        "text": "text and bytes carry no derivative",
        "truth": "a truth value carries no derivative",
        "integer": "whole numbers carry no derivative",
        "parsed": "a number read from text depends on no input of the function",
        "random": "a random number depends on no input of the function",
        "time": "the time depends on no input of the function",
        "environment": "the environment depends on no input of the function",
        "file": "files are not followed: what is read from one depends on no input of the function",
        "ends": "does not return",
        "rounding": "sets or reads the floating-point environment, which has no slope",
        "threads": "threads and locks compute nothing",
    }
)
REAL = "real"
_FORMATS = (
    ("", "double", 8),
    ("f", "float", 4),
    ("l", "long double", 10),
)  # suffix, type and bytes of what `real` stands for
_SECTION = re.compile(r"\[(\S+)(?: (\w+))?\]\Z")
_PROTOTYPE = re.compile(r"(?P<result>.*?)(?P<name>\w+)\((?P<parameters>.*)\)\Z")
_REAL = re.compile(r"\breal\b")


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """One function. header: what declares it ("": nothing needs to), where `macro` is defined before ("": anywhere).

    result, parameters: C types, in the words of the header. generic: the same with `real` for the floating type. operation: the
    operation it is, "" for none. inactive: why no derivative passes through it, "" if one may. allocated: the arguments whose
    product is the number of bytes it allocates. summary: what it does; None: unknown.
    files, smooth, vectored: as the words of the table.
    """

    name: str
    header: str
    macro: str
    result: str
    parameters: tuple[str, ...]
    generic: tuple[str, ...]
    operation: str
    inactive: str
    characters: bool
    allocated: tuple[int, ...]
    summary: Summary | None
    smooth: bool = False
    vectored: tuple[str, ...] = ()
    files: str = ""

    @property
    def variadic(self) -> bool:
        return self.parameters[-1:] == ("...",)

    @property
    def prototype(self) -> str:
        """The declaration in C, without its semicolon."""
        return f"{self.result} ({self.name})({', '.join(self.parameters) or 'void'})"

    @property
    def block_copy(self) -> tuple[int, int, int] | None:
        """The arguments (target, source, bytes) of a function that copies a block as it is; None for any other."""
        if self.summary is None or len(self.summary.write_extents) != 1 or len(self.summary.read_extents) != 1:
            return None
        into, from_ = self.summary.write_extents[0], self.summary.read_extents[0]
        same = len(into.factors) == 1 and into.factors == from_.factors and into.constant == from_.constant == 1
        if not same or not self.summary.stores:
            return None
        return into.index, from_.index, into.factors[0]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with one meaning of `real`: type and bytes ("" and 0: it has none)."""

    header: str
    macro: str
    text: str
    real: str
    size: int


def find(name: str) -> LibraryFunction | None:
    """What is known of the library's function `name` (a symbol's version may follow it: `memcpy@GLIBC_2.14`)."""
    return _read(name.split("@")[0])


def names() -> tuple[str, ...]:
    """All functions of the table, in its order."""
    return tuple(_lines())


@cache
def headers() -> Mapping[str, tuple[str, str]]:
    """(header, macro) of every function that a header declares; no prototype is read for it."""
    return MappingProxyType({name: (line.header, line.macro) for name, line in _lines().items() if line.header})


@cache
def unhinted() -> frozenset[str]:
    """Functions whose names programs use for themselves."""
    return frozenset(name for name, line in _lines().items() if "unhinted" in line.text)


def table() -> dict[str, Summary]:
    """What every function does of which that is known, by name."""
    return {f.name: f.summary for f in map(_found, names()) if f.summary is not None}


def summary_of(name: str) -> Summary | None:
    """The summary of library function `name`, or of one that forward mode computes tangents with; None when the table does not
    know it."""
    if name.startswith(TANGENT):
        return replace(NOTHING, reason="it computes a tangent")
    found = find(name)
    return found.summary if found is not None else None


@cache
def operations() -> Mapping[str, LibraryFunction]:
    """The operations on real numbers that the library computes: each with its function for double."""
    lines = (name for name, line in _lines().items() if line.real == "double" and "complex" not in line.text)
    return MappingProxyType({name: function for name in lines if (function := _found(name)).operation == name})


@cache
def aliases() -> Mapping[str, str]:
    """Names of libm that are other names of an operation: `drem` is `remainder`."""
    lines = (name for name, line in _lines().items() if line.real == "double" and "like " in line.text)
    return MappingProxyType({name: _found(name).operation for name in lines})


@cache
def _lines() -> Mapping[str, _Line]:
    found: dict[str, _Line] = {}
    header = macro = ""
    for text in Path(__file__).with_name("functions.txt").read_text("utf-8").splitlines():
        section = _SECTION.match(text)
        if section is not None:
            header, macro = section[1].replace("-", ""), section[2] or ""
        elif text and not text.startswith("#"):
            found |= _meanings(header, macro, text)
    return MappingProxyType(found)


def _meanings(header: str, macro: str, text: str) -> dict[str, _Line]:
    prototype = text.partition(";")[0]
    name = _name(prototype)
    if not _REAL.search(prototype):
        return {name: _Line(header, macro, text, "", 0)}
    return {_suffixed(name, suffix): _Line(header, macro, text, type_, size) for suffix, type_, size in _FORMATS}


def _name(prototype: str) -> str:
    matched = _PROTOTYPE.match(prototype)
    assert matched is not None, prototype
    return matched["name"]


def _suffixed(name: str, suffix: str) -> str:
    """`sin` -> `sinf`; a reentrant function's suffix stands before its own: `lgammaf_r`."""
    return name.removesuffix("_r") + suffix + "_r" if name.endswith("_r") else name + suffix


def _found(name: str) -> LibraryFunction:
    found = _read(name)
    assert found is not None
    return found


@cache
def _read(name: str) -> LibraryFunction | None:
    line = _lines().get(name)
    if line is None:
        return None
    prototype, _, rest = line.text.partition(";")
    matched = _PROTOTYPE.match(prototype)
    assert matched is not None, prototype
    result, parameters = matched["result"].strip(), _parameters(matched["parameters"])
    told, effects = _told(rest.split(), matched["name"])
    kind = re.search(r"\balloc \w+:(\S+)", effects)
    return LibraryFunction(
        name,
        line.header,
        line.macro,
        _REAL.sub(line.real, result),
        tuple(_REAL.sub(line.real, parameter) for parameter in parameters),
        (result, *parameters),
        told.get("operation", ""),
        told.get("inactive", ""),
        "characters" in told,
        words.factors(kind[1]) if kind is not None else (),
        _summary(name, effects, line.size),
        "smooth" in told,
        tuple(told["vectored"].split("+")) if "vectored" in told else (),
        told.get("files", ""),
    )


def _summary(name: str, effects: str, real: int) -> Summary | None:
    if effects == "unknown":
        return None
    summary = words.summary(effects, real, f"{name} is a function of the C library")
    alone = summary.pure and summary.repeatable
    return replace(summary, reason=f"{name} computes from its arguments alone") if alone else summary


def _parameters(text: str) -> tuple[str, ...]:
    """The types between the outer parentheses; a type may have parentheses and commas of its own."""
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    types = tuple(part.strip() for part in parts)
    return () if types == ("void",) else types


def _told(line: list[str], name: str) -> tuple[dict[str, str], str]:
    """What derivatives are told, which is said first; and the words of the effects."""
    told: dict[str, str] = {}
    while line and line[0] in ("rule", "like", "inactive", "characters", "unhinted", "files", "smooth", "vectored"):
        word = line.pop(0)
        if word == "rule":
            told["operation"] = name
        elif word == "like":
            told["operation"] = line.pop(0)
        elif word == "inactive":
            told["inactive"] = INACTIVE[line.pop(0)]
        elif word in ("vectored", "files"):
            told[word] = line.pop(0)
        else:
            told[word] = ""
    return told, " ".join(line)
