"""Where an instruction stands in the C text.

Invariant: answers come from the debug location alone (`!dbg`), through inlining, and are None where it is missing or has line 0;
nothing is guessed from neighbours. Columns are 1-based, 0 where unknown.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.metadata import MDRecord, MDString, MDTuple, Metadata
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.errors import Span


def line_of(instruction: Instruction, file: str | None = None) -> int | None:
    """The C line `instruction` comes from, in `file` (as debug info names it). Of several, the innermost counts: for an
    operation inlined from a helper of the same file, the helper's line. Without `file` it is the file of the outermost
    function, so that what comes from an included header is found at the line that used it."""
    place = _place(instruction, file)
    return None if place is None else _number(place, "line")


def span(instruction: Instruction, file: str | None = None) -> Span | None:
    """Like `line_of`, with file and column."""
    place = _place(instruction, file)
    if place is None:
        return None
    return Span(file_of(place) or "<C source>", _number(place, "line") or 0, _number(place, "column") or 0)


def inlined_chain(instruction: Instruction) -> list[MDRecord]:
    """The debug locations of `instruction`, innermost first; each next one is the call it was inlined at."""
    return list(_chain(instruction.metadata.get("dbg")))


def stands_in_own_line(value: object) -> bool:
    """Whether an instruction stands in a line of the function that holds it, and was not inlined into it."""
    return isinstance(value, Instruction) and len(inlined_chain(value)) == 1


def loop_line(latch: Instruction, file: str) -> int | None:
    """The line on which the loop begins that a branch goes back in, in `file`; None where clang says nothing of it."""
    hints = latch.metadata.get("llvm.loop")
    places = [o for o in hints.operands if isinstance(o, MDRecord)] if isinstance(hints, MDTuple) else []
    chain = list(_chain(places[0])) if places and places[0].name == "DILocation" else []
    return next((_number(place, "line") for place in chain if file_of(place) == file), None)


def called_from(instruction: Instruction) -> tuple[str, int] | None:
    """The function whose call was inlined where `instruction` comes from, and the line of that call in the function that holds it.

    None where nothing was inlined. Of calls within calls, the outermost."""
    chain = inlined_chain(instruction)
    if len(chain) < 2:
        return None
    name = function_around(chain[-2])
    line = _number(chain[-1], "line")
    return (name, line) if name and line else None


def calls_around(instruction: Instruction, file: str) -> list[tuple[str, int, int]]:
    """The functions whose calls were inlined where `instruction` comes from, innermost first, and the lines and columns of these
    calls in `file`."""
    chain = inlined_chain(instruction)
    found = [
        (function_around(inner), _number(outer, "line"), _number(outer, "column") or 0)
        for inner, outer in itertools.pairwise(chain)
        if file_of(outer) == file
    ]
    return [(name, line, column) for name, line, column in found if name and line]


def column_of(instruction: Instruction) -> int:
    """Where it stands in its line; 0 where that is not known."""
    place = next(_chain(instruction.metadata.get("dbg")), None)
    return _number(place, "column") or 0 if place is not None else 0


def spot(instruction: Instruction) -> tuple[str, int, int] | None:
    """The C function, line and column of an operation as it was written; None where one of them is not known."""
    place = next(_chain(instruction.metadata.get("dbg")), None)
    found = (function_around(place), _number(place, "line"), _number(place, "column")) if place is not None else ()
    match found:
        case (str(name), int(line), int(column)):
            return name, line, column
    return None


def inlined_functions(function: Function) -> frozenset[str]:
    """What C calls the functions that were inlined into `function`, at any depth."""
    places = {place for instruction in function.instructions() for place in inlined_chain(instruction)[:-1]}
    return frozenset(name for place in places if (name := function_around(place)))


def function_span(function: Function) -> Span | None:
    """Where `function` is defined."""
    subprogram = function.subprogram
    line = _number(subprogram, "line") if subprogram else None
    return Span(file_of(subprogram) or "<C source>", line) if subprogram and line else None


def file_of(node: Metadata | None) -> str | None:
    """The file name of a location, a scope or a subprogram, found by walking outwards."""
    while isinstance(node, MDRecord):
        name = node.fields.get("filename")
        if isinstance(name, MDString):
            return name.text
        outer = node.fields.get("file")
        node = outer if isinstance(outer, MDRecord) else _record(node.fields.get("scope"))
    return None


def function_around(place: MDRecord) -> str | None:
    """The C name of the function that a location, or a variable, is in."""
    scope: MDRecord | None = place
    while scope is not None and "linkageName" not in scope.fields and "unit" not in scope.fields:
        scope = _record(scope.fields.get("scope"))
    name = scope.fields.get("name") if scope is not None else None
    return name.text if isinstance(name, MDString) else None


def without_places(node: Metadata) -> Metadata:
    """A loop's hints without where the loop is in the text."""
    if not isinstance(node, MDTuple) or not node.distinct:
        return node
    made = MDTuple([], distinct=True)
    kept = (o for o in node.operands if not (isinstance(o, MDRecord) and o.name == "DILocation"))
    made.operands = [made if operand is node else operand for operand in kept]
    return made


def _record(value: object) -> MDRecord | None:
    return value if isinstance(value, MDRecord) else None


def _chain(location: Metadata | None) -> Iterator[MDRecord]:
    while isinstance(location, MDRecord):
        yield location
        location = _record(location.fields.get("inlinedAt"))


def _number(node: MDRecord, key: str) -> int | None:
    value = node.fields.get(key)
    return value if isinstance(value, int) and value > 0 else None


def _place(instruction: Instruction, file: str | None) -> MDRecord | None:
    chain = inlined_chain(instruction)
    if file is None and chain:
        file = file_of(chain[-1])
    return next((place for place in chain if _number(place, "line") and file_of(place) == file), None)
