"""Copies of instructions and functions.

Invariant: a copy shares metadata nodes, types and constants with its original; operands, blocks and debug records are its
own. A cloned function has no `!dbg` of its own, because LLVM allows one function per subprogram: the locations of its
instructions still lead to the original's lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import fields
from typing import cast

from enzyme_magic.backend.ir.graphs.def_use import copy_record, map_operands
from enzyme_magic.backend.ir.instructions import (
    Branch,
    Call,
    CallBranch,
    IndirectBranch,
    Instruction,
    Invoke,
    OperandBundle,
    Phi,
    Switch,
)
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.errors import UnsupportedIRError

_FIELDS: dict[type[Instruction], tuple[str, ...]] = {}  # of each class, looked up once


def clone_instruction(instruction: Instruction, values: Mapping[Value, Value]) -> Instruction:
    """A copy without a parent; operands and blocks found in `values` are replaced. `values` is not filled."""
    new = _shallow(instruction)
    new.parent = None
    new.operands = list(instruction.operands)
    new.metadata = dict(instruction.metadata)
    new.debug_records = [copy_record(record) for record in instruction.debug_records]
    if isinstance(new, Call):
        new.argument_attributes = list(new.argument_attributes)
        new.bundles = [OperandBundle(b.tag, b.start, b.stop) for b in new.bundles]
    elif isinstance(new, Switch):
        new.cases = list(new.cases)
    remap(new, values)
    return new


def _shallow(instruction: Instruction) -> Instruction:
    """What `copy` makes, in a third of the time."""
    kind = type(instruction)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(field.name for field in fields(kind))
    made = kind.__new__(kind)
    for name in names:
        setattr(made, name, getattr(instruction, name))
    return made


def remap(instruction: Instruction, values: Mapping[Value, Value]) -> None:
    """Replaces operands and blocks of `instruction` in place, by `values`."""
    map_operands(instruction, values)
    if isinstance(instruction, Phi):
        instruction.blocks = [_block(b, values) for b in instruction.blocks]
    elif isinstance(instruction, (Branch, Switch, IndirectBranch, CallBranch)):
        instruction.targets = [_block(b, values) for b in instruction.targets]
    elif isinstance(instruction, Invoke):
        instruction.normal = instruction.normal and _block(instruction.normal, values)
        instruction.unwind = instruction.unwind and _block(instruction.unwind, values)


def _block(block: Block, values: Mapping[Value, Value]) -> Block:
    return cast(Block, values.get(block, block))


def clone_function(function: Function, name: str, values: dict[Value, Value]) -> Function:
    """A copy called `name`, in no module yet (`Module.add`), in no comdat, external unless the original was local.

    `values` is filled with old → new for arguments, blocks and instructions; entries it has already for arguments are kept, so
    a caller may substitute arguments by other values. Recursive calls still go to the original. Functions with indirectbr
    raise UnsupportedIRError: their block addresses name the original."""
    new = copy(function)
    new.name, new.parent, new.blocks = name, None, []
    new.linkage = function.linkage if function.linkage in ("internal", "private") else ""
    new.suffix = tuple(word for word in function.suffix if not word.startswith("comdat"))
    new.metadata = {kind: node for kind, node in function.metadata.items() if kind != "dbg"}
    new.arguments = [Argument(a.type, a.name, a.attributes, a.index) for a in function.arguments]
    for old_argument, new_argument in zip(function.arguments, new.arguments, strict=True):
        values.setdefault(old_argument, new_argument)
    for block in function.blocks:
        values[block] = copied = Block(block.name, parent=new)
        new.blocks.append(copied)
    for block, copied in zip(function.blocks, new.blocks, strict=True):
        for instruction in block.instructions:
            if isinstance(instruction, IndirectBranch):
                raise UnsupportedIRError(
                    f"indirectbr in @{function.name} cannot be copied: replace the computed goto by a switch"
                )
            values[instruction] = copied.append(clone_instruction(instruction, {}))
    for instruction in new.instructions():
        remap(instruction, values)
    return new
