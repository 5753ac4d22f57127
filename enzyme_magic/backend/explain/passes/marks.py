"""Where the instructions of a gradient come from, as debug locations that survive LLVM, with a name for each value.

Invariant: instructions, attributes and hints stay as they are, so that LLVM does the same as without; whoever reads its texts
compares them. Only the function that was asked for has lines: what it calls has those of other texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from enzyme_magic.backend.autodiff.derivation import Derivation
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.explain.words.variables import Variables
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.instructions import GetElementPtr, Instruction, Load, Store
from enzyme_magic.backend.ir.metadata import MDRecord, MDString, MDTuple, Metadata, ValueAsMetadata
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import I32, VoidType
from enzyme_magic.backend.ir.values import ConstantInt, Value

FORWARD: Final = "forward sweep"
REVERSE: Final = "reverse sweep"
TAPE: Final = "tape write"
UNNAMED = "em.value"
MOST = 1 << 16  # columns that debug info can tell


@dataclass(frozen=True, slots=True)
class Origin:
    """What an instruction does for a C line. kept: of a tape write, the C variable that is kept, where it is one. call: the line of
    the function itself that calls what was inlined, 0 where nothing was."""

    line: int
    kind: Literal["forward sweep", "reverse sweep", "tape write"]
    kept: str = ""
    call: int = 0


def origins(derivative: Derivative | ForwardDerivative) -> dict[Instruction, Origin]:
    """The instructions of a gradient that belong to a C line."""
    found: dict[Instruction, Origin] = {}
    if isinstance(derivative, ForwardDerivative):
        copies: Mapping[Value, Value] = derivative.copies
        written = [(w, own) for own, w in derivative.tangents]
    else:
        copies, written = derivative.sweep.copy.values, list(derivative.sweep.written_for.items())
    for own, copy in copies.items():
        if isinstance(own, Instruction) and isinstance(copy, Instruction) and own.line:
            found[copy] = Origin(own.line, FORWARD, call=_call(own))
    for made, own in written:
        if isinstance(made, Instruction) and isinstance(own, Instruction) and own.line:
            found[made] = Origin(own.line, REVERSE, call=_call(own))
    if isinstance(derivative, Derivative):
        found |= _tape_writes(derivative)
    return found


def _call(own: Instruction) -> int:
    """See `Origin.call`."""
    found = locations.called_from(own)
    return found[1] if found is not None else 0


def _tape_writes(derivative: Derivative) -> dict[Instruction, Origin]:
    prepared = {old: new for new, old in derivative.subject.prepared.origin.items()}
    variables = Variables.of(derivative.subject.prepared.source).renamed(prepared)
    kept: dict[Value, Instruction] = {
        slot.data: slot.need.value
        for loop in derivative.sweep.tape.loops.values()
        for slot in loop.slots
        if isinstance(slot.need.value, Instruction)
    }
    found: dict[Instruction, Origin] = {}
    for i in derivative.function.instructions():
        if isinstance(i, Store) and isinstance(i.pointer, GetElementPtr) and isinstance(i.pointer.pointer, Load):
            value = kept.get(i.pointer.pointer.pointer)
            line = _line(value) if value is not None else None
            if value is not None and line:
                held = variables.held.get(value)
                found[i] = Origin(line, TAPE, held.name if held is not None else "", _call(value))
    return found


def _line(kept: Instruction) -> int | None:
    """The C line of a value; of a phi, which has none, that of what follows it."""
    following = kept.parent.instructions if kept.parent is not None else []
    return kept.line or next((i.line for i in following if i.line), None)


def describe(derivation: Derivation, found: Mapping[Instruction, Origin]) -> tuple[Origin, ...]:
    """Writes debug locations and names into the module; column k + 1 stands for the k-th of the origins that are given back."""
    known = tuple(dict.fromkeys(found.values()))[: MOST - 1]
    numbers = {origin: k for k, origin in enumerate(known, 1)}
    module = derivation.module
    file, unit, type_ = _unit(module)
    for function in module.definitions():
        fields: dict[str, Metadata | int | str] = {"name": MDString(function.name), "scope": file, "file": file}
        fields |= {"line": 1, "type": type_, "spFlags": "DISPFlagDefinition", "unit": unit}
        program = MDRecord("DISubprogram", fields, distinct=True)
        function.metadata["dbg"] = program
        places: dict[int, MDRecord] = {}
        for number, instruction in enumerate(function.instructions()):
            if not instruction.name and not isinstance(instruction.type, VoidType):
                instruction.name = f"{UNNAMED}{number}"
            origin = found.get(instruction)
            column = numbers.get(origin, 0) if origin is not None else 0
            if column not in places:
                line = origin.line if origin is not None and column else 0
                places[column] = MDRecord("DILocation", {"line": line, "column": column, "scope": program})
            others = {kind: locations.without_places(node) for kind, node in instruction.metadata.items()}
            instruction.metadata = {**others, "dbg": places[column]}
        for number, block in enumerate(function.blocks):
            block.name = block.name or f"{UNNAMED}block{number}"
    return known


def _unit(module: Module) -> tuple[MDRecord, MDRecord, MDRecord]:
    file = MDRecord("DIFile", {"filename": MDString("gradient.c"), "directory": MDString("")})
    fields: dict[str, Metadata | int | str] = {"language": "DW_LANG_C11", "file": file, "isOptimized": "true"}
    unit = MDRecord("DICompileUnit", {**fields, "runtimeVersion": 0, "emissionKind": "FullDebug"}, distinct=True)
    module.named_metadata["llvm.dbg.cu"] = MDTuple([unit])
    version = [
        ValueAsMetadata(ConstantInt(I32, 2)),
        MDString("Debug Info Version"),
        ValueAsMetadata(ConstantInt(I32, 3)),
    ]
    module.named_metadata["llvm.module.flags"] = MDTuple([MDTuple(list(version))])
    return file, unit, MDRecord("DISubroutineType", {"types": MDTuple([])})
