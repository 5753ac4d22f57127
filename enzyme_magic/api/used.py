"""Programs that another one uses: their C text is compiled with it, and their functions are declared for it.

Invariant: the text means there what it meant before: options that change what C text means are the same, or it is an ArgumentError.
A used program is not changed; its static data is another copy in the program that uses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from enzyme_magic.api.function import CFunction
from enzyme_magic.api.program import Program
from enzyme_magic.backend.frontend.c_types import CType, Pointer, Scalar, Signature, Void, declare
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.config import Options
from enzyme_magic.errors import ArgumentError

Uses = CFunction | Program | Sequence[CFunction | Program]
SAME = (
    "language",
    "include",
    "define",
    "compile_args",
    "strict_headers",
    "custom",
)  # what C text means depends on them


def programs(uses: Uses) -> tuple[Program, ...]:
    """The programs, each once. ArgumentError EM343 for anything that is none."""
    several = uses if isinstance(uses, (tuple, list)) else [uses]
    found: list[Program] = []
    for item in several:
        if not isinstance(item, (CFunction, Program)):
            raise ArgumentError(
                f"uses takes C functions and programs, got {type(item).__name__}", code="EM343", hint="uses=[p.f]"
            )
        program = item.program if isinstance(item, CFunction) else item
        if program not in found:
            found.append(program)
    return tuple(found)


def joined(sources: Sequence[Source], used: Sequence[Program], options: Options) -> list[Source]:
    """The sources with those of the programs they use, each once."""
    for program in used:
        other = [name for name in SAME if getattr(program.options, name) != getattr(options, name)]
        if other:
            raise ArgumentError(
                f"{program.name} was compiled with another {other[0]}: {getattr(program.options, other[0])!r}",
                code="EM343",
                hint="compile both with the same options",
            )
    known = tuple(dict.fromkeys(pair for program in used for pair in _declarations(program)))
    mine = [replace(source, known=known) for source in sources]
    theirs = dict.fromkeys(source for program in used for source in program.sources)
    return [*mine, *(source for source in theirs if source not in mine)]


def _declarations(program: Program) -> Iterator[tuple[str, str]]:
    """(name, declaration) of the functions whose types need nothing of the program's own."""
    for signature in program.compiled.signatures.values():
        if signature.static or signature.variadic or not signature.prototyped:
            continue
        text = _declaration(signature)
        if text is not None:
            yield signature.name, text


def _declaration(signature: Signature) -> str | None:
    types = [_plain(parameter.type) for parameter in signature.parameters]
    result = _plain(signature.result)
    parts = [declare(t, p.name) for t, p in zip(types, signature.parameters, strict=True) if t is not None]
    if result is None or len(parts) < len(types):
        return None
    called = f"{signature.name}({', '.join(parts) or 'void'})"
    return f"{declare(result, called)};"


def _plain(type_: CType) -> CType | None:
    """The type without names of the program's own; None where that cannot be."""
    if isinstance(type_, Void):
        return type_
    if isinstance(type_, Scalar):
        return replace(type_, name=type_.base)
    if isinstance(type_, Pointer):
        to = _plain(type_.to)
        return None if to is None else replace(type_, to=to)
    return None
