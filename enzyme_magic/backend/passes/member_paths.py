"""Members that are used as the beginning of an array: `(&v->x)[i]`, `*(&v->x + i)`, `(&m->row)[i].x`.

C has no meaning for that, and everybody writes it; other compilers take it as it looks. Clang tells LLVM that each such access
is one of the named member (by its path in `!tbaa`), so that a store to `v->y` may be removed, or moved behind a read of it.
Here such an access is told by the type of what is accessed alone: it may be any member of that type.

Theorem: a path that is told holds for an address with which no step over elements has left the member. Only accesses whose address
does that are changed; what an array member holds is an array's. Before anything is optimized, so that value and derivative agree.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.ir.instructions import GetElementPtr, Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.metadata import MDTuple, ValueAsMetadata
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import I8, I64, ArrayType, StructType, Type
from enzyme_magic.backend.ir.values import ConstantInt, Value

_GEP = r"= getelementptr (?:inbounds |nuw |nusw )*"
_MEMBER = re.compile(rf"^ *(%\S+) {_GEP}%[^,]+, ptr [^,]+, i32 0, i32 ", re.MULTILINE)
_START = r"ptr (?:(%[^,\s]+)|@[^,\s]+|getelementptr [^\n]*\))"
_STEP = re.compile(rf"{_GEP}[^,\[{{]+, {_START}, i(?:32|64) [^,\s]+(?:, !.*)?$", re.MULTILINE)


def lower(text: str) -> str:
    """A module's text without such claims; the same text where there is none."""
    if "!tbaa" not in text or not _may_leave(text):
        return text
    module = parser.parse(text)
    return printer.print_module(module) if _told_by_type(module) else text


def _may_leave(text: str) -> bool:
    """Whether a step over elements may begin at a member."""
    members = set(_MEMBER.findall(text))
    return any(not start or start in members for start in _STEP.findall(text))


def _told_by_type(module: Module) -> bool:
    layout, changed = DataLayout.of(module), False
    for function in module.definitions():
        for access in function.instructions():
            tag = tbaa.tag_of(access) if isinstance(access, (Load, Store)) else None
            if tag is not None and tag.base is not tag.access and _leaves(access, tag, layout):
                zero, constant = (ValueAsMetadata(ConstantInt(I64, n)) for n in (0, 1))
                access.metadata["tbaa"] = MDTuple([tag.access, tag.access, zero, *[constant] * tag.constant])
                changed = True
    return changed


def _leaves(access: Instruction, tag: tbaa.Tag, layout: DataLayout) -> bool:
    """Whether the address may lie beyond the member of the path: the last step was not over objects that the path begins in."""
    assert isinstance(access, (Load, Store))
    pointer: Value = access.pointer
    while isinstance(pointer, GetElementPtr):
        type_ = pointer.source_type
        if _steps(pointer) and isinstance(layout.resolve(type_), StructType):
            return not _begins(tag.base, type_, layout)
        if _steps(pointer) and not isinstance(type_, ArrayType):
            return type_ != I8 or pointer is access.pointer  # else bytes, and a pointer made of their address
        pointer = pointer.pointer
    return False


def _steps(pointer: GetElementPtr) -> bool:
    first = pointer.indices[0]
    return not (isinstance(first, ConstantInt) and first.value == 0)


def _begins(base: MDTuple, type_: Type, layout: DataLayout) -> bool:
    """Whether a path may begin in a struct: the members of both lie at the same places."""
    struct = layout.resolve(type_)
    assert isinstance(struct, StructType)
    return tbaa.member_offsets(base) == [layout.field_offset(type_, k) for k in range(len(struct.elements))]
