"""C lines for the instructions of a derivative, as debug info of its own.

Invariant: only what was copied from the program has a line, that of its original; the rest has line 0, which means none. The
program's own debug info cannot be kept: LLVM wants every location of a function to lead to that function's subprogram.

It serves whoever asks for the line of an instruction in the compiled code; what is compiled, shown and kept has no debug info.
"""

from __future__ import annotations

from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.constants import int_constant
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.metadata import MDNull, MDRecord, MDString, MDTuple, ValueAsMetadata
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import I32

_FLAGS = (("Debug Info Version", 3), ("Dwarf Version", 4))
_WARN = 2


def rewrite(module: Module) -> None:
    """Locations of the program's functions become locations of the functions that hold them."""
    unit = _unit(module)
    for function in module.definitions():  # all of them: what is inlined into a function without lines loses its own
        if function.subprogram is None:
            _rewrite(function, unit)
        else:
            _complete(function, function.subprogram)


def _complete(function: Function, scope: MDRecord) -> None:
    """What was added since has no line."""
    nowhere = MDRecord("DILocation", {"line": 0, "scope": scope})
    for instruction in function.instructions():
        instruction.metadata.setdefault("dbg", nowhere)


def _rewrite(function: Function, unit: MDRecord) -> None:
    scope = MDRecord(
        "DISubprogram",
        {
            "name": MDString(function.name),
            "scope": unit.fields["file"],
            "file": unit.fields["file"],
            "line": 1,
            "type": MDRecord("DISubroutineType", {"types": MDTuple([MDNull()])}),
            "spFlags": "DISPFlagDefinition",
            "unit": unit,
        },
        distinct=True,
    )
    function.metadata["dbg"] = scope
    files: dict[str, MDRecord] = {}
    places: dict[tuple[str, int], MDRecord] = {}
    for instruction in function.instructions():
        place = _line(instruction) or ("", 0)
        if place not in places:
            file = files.setdefault(place[0], _block(scope, place[0]) if place[0] else scope)
            places[place] = MDRecord("DILocation", {"line": place[1], "scope": file})
        hints = {kind: locations.without_places(node) for kind, node in instruction.metadata.items() if kind != "dbg"}
        instruction.metadata = {**hints, "dbg": places[place]}


def _line(instruction: Instruction) -> tuple[str, int] | None:
    span = locations.span(instruction)
    return (span.file, span.line) if span is not None else None


def _block(scope: MDRecord, file: str) -> MDRecord:
    return MDRecord("DILexicalBlockFile", {"scope": scope, "file": _file(file), "discriminator": 0})


def _file(name: str) -> MDRecord:
    return MDRecord("DIFile", {"filename": MDString(name), "directory": MDString("")})


def _unit(module: Module) -> MDRecord:
    known = module.named_metadata.get("llvm.dbg.cu")
    if known is not None and isinstance(known.operands[0], MDRecord):
        return known.operands[0]
    unit = MDRecord(
        "DICompileUnit",
        {
            "language": "DW_LANG_C11",
            "file": _file(module.source_filename or "C"),
            "producer": MDString("enzyme_magic"),
            "isOptimized": "true",
            "runtimeVersion": 0,
            "emissionKind": "LineTablesOnly",
        },
        distinct=True,
    )
    module.named_metadata["llvm.dbg.cu"] = MDTuple([unit])
    flags = module.named_metadata.setdefault("llvm.module.flags", MDTuple([]))
    for name, value in _FLAGS:
        behaviour, number = (ValueAsMetadata(int_constant(I32, n)) for n in (_WARN, value))
        flags.operands.append(MDTuple([behaviour, MDString(name), number]))
    return unit
