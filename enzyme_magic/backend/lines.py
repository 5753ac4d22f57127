"""Which C line an instruction of compiled code belongs to, asked after a fault.

Code is made without debug info, because LLVM takes longer with it. Who asks for a line has the same code made once more, with debug
info; an answer is given only where both are the same, byte by byte (llvm/objects/line_table.py). It may take as long as making
the code did, so programs beyond a size have no lines.

Nothing here keeps a program alive.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.llvm.objects import line_table
from enzyme_magic.errors import Span

if TYPE_CHECKING:
    from enzyme_magic.backend.pipeline import CompiledProgram

_LONGEST = 1 << 20  # characters of IR
_VERSION = re.compile(r'(!"Dwarf Version", i32 )\d+')

Lines = Callable[[str, int], "Span | None"]


def of_program(program: CompiledProgram) -> Lines:
    """Lines of the program's own code, by a function's name there and an offset in it."""
    from enzyme_magic.backend import building

    asked = weakref.ref(program)

    @cache
    def told() -> bytes:
        found = _living(asked)
        with found.tuned():
            return building.object_code(
                _as_version_4(found.record.optimized_ir), found.options, found.record.primals, lines=True
            )

    def line(function: str, offset: int) -> Span | None:
        found = _living(asked)
        if len(found.record.optimized_ir) > _LONGEST:
            return None
        return _span(found, line_table.line_at(found.code, told(), function, offset))

    return line


def of_derivative(program: CompiledProgram, request: Request, code: bytes) -> Lines:
    """The same for the code of a derivative: of what it copies from the program."""
    from enzyme_magic.backend import deriving

    asked = weakref.ref(program)

    @cache
    def told() -> bytes:
        whole = _living(asked)
        with whole.tuned():
            found = whole.told(request)
            return deriving.code_with_lines(found.module, request, found.record, found.options, found.beside)

    def line(function: str, offset: int) -> Span | None:
        found = _living(asked)
        if len(found.record.optimized_ir) > _LONGEST:
            return None
        return _span(found, line_table.line_at(code, told(), function, offset))

    return line


def of_loop(program: CompiledProgram, request: Request | None, code: bytes, again: Callable[[str], bytes]) -> Lines:
    """The same for the code of a loop around one of its functions, or around a derivative.
    again: makes the same code of the text that was inlined, with debug info."""
    from enzyme_magic.backend import deriving
    from enzyme_magic.backend.passes import supports

    asked = weakref.ref(program)

    @cache
    def told() -> bytes:
        found = _living(asked)
        found = found.whole or found
        if request is None:
            return again(_as_version_4(supports.with_own_support(found.record.optimized_ir)))
        own, nested = request, found.nested(request.function)
        if nested is not found:  # as where the derivative is made (pipeline.py)
            found, own = nested, replace(request, separate=())
        whole = found.told(own)
        with found.tuned():
            return again(deriving.with_lines(whole.module, own, whole.record, whole.options, whole.beside))

    def line(function: str, offset: int) -> Span | None:
        found = _living(asked)
        if len(found.record.optimized_ir) > _LONGEST:
            return None
        return _span(found, line_table.line_at(code, told(), function, offset))

    return line


def _living(asked: weakref.ref[CompiledProgram]) -> CompiledProgram:
    found = asked()
    if found is None:
        raise LookupError("the program is gone")
    return found


def _as_version_4(text: str) -> str:
    return _VERSION.sub(r"\g<1>4", text)


def _span(program: CompiledProgram, place: tuple[str, int] | None) -> Span | None:
    if place is None:
        return None
    source = next((source for source in program.sources if source.name == place[0]), None)
    return Span(place[0], place[1], text=source.line(place[1]) if source is not None else "")
