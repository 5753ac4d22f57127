"""Byte layouts of C types from debug information.

Source: the DWARF 5 standard, sections 5.1 to 5.7, as LLVM's `DIBasicType`, `DIDerivedType` and `DICompositeType`
spell it. A union whose members disagree about a byte says nothing about it (Unknown); one whose members agree says
what they say. Plain characters are weak evidence: they may be raw storage. void has no layout.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.types.layouts import (
    Layout,
    LayoutLeaf,
    Part,
    array,
    float_layout,
    record,
    same,
    scalar,
)
from enzyme_magic.backend.analysis.types.type_tree import BYTES, INTEGER, POINTER, UNKNOWN, Concrete, floating
from enzyme_magic.backend.ir.metadata import DebugRecord, MDRecord, MDString, MDTuple, Metadata, ValueAsMetadata
from enzyme_magic.backend.ir.values import ConstantInt, Value

TRANSPARENT = frozenset(
    [
        "DW_TAG_typedef",
        "DW_TAG_const_type",
        "DW_TAG_volatile_type",
        "DW_TAG_restrict_type",
        "DW_TAG_atomic_type",
        "DW_TAG_member",
        "DW_TAG_inheritance",
    ]
)
POINTERS = frozenset(["DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"])
RECORDS = frozenset(["DW_TAG_structure_type", "DW_TAG_class_type"])
CHARACTERS = frozenset(["DW_ATE_signed_char", "DW_ATE_unsigned_char", "DW_ATE_UTF"])
_KINDS = {2: "half", 4: "float", 8: "double", 16: "x86_fp80"}
MOST_UNION_BYTES = 4096
DECLARED_TYPE = "em.type"  # metadata of memory that we made for an object: its C type


def record_of(node: object) -> MDRecord | None:
    return node if isinstance(node, MDRecord) else None


def plain(node: Metadata | int | str | None) -> MDRecord | None:
    """The type below typedefs and qualifiers; None for void."""
    found = record_of(node)
    while found is not None and found.fields.get("tag") in TRANSPARENT:
        found = record_of(found.fields.get("baseType"))
    return found


def pointee(node: Metadata | int | str | None) -> MDRecord | None:
    """What a pointer type points to, below typedefs and qualifiers; None for void* and for anything that is no pointer."""
    found = plain(node)
    if found is None or found.fields.get("tag") not in POINTERS:
        return None
    return plain(found.fields.get("baseType"))


def type_of(node: MDRecord) -> Metadata | None:
    """The `type:` of a variable, a subprogram or the like."""
    found = node.fields.get("type")
    return found if isinstance(found, Metadata) else None


def fragment(expression: Metadata | int | str | None) -> int | None:
    """Byte offset of the part of its variable that a `DIExpression` names; None when it is not that simple."""
    operations = expression.arguments if isinstance(expression, MDRecord) else ("?",)
    if not operations:
        return 0
    if len(operations) == 3 and operations[0] == "DW_OP_LLVM_fragment" and isinstance(operations[1], int):
        return operations[1] // 8
    return None


def signature_types(subprogram: MDRecord | None) -> list[MDRecord | None]:
    """[result, parameters …] of a function's debug type (None: void); empty when unknown."""
    type_ = plain(type_of(subprogram)) if subprogram is not None else None
    types = type_.fields.get("types") if type_ is not None else None
    return [record_of(node) for node in types.operands] if isinstance(types, MDTuple) else []


def is_character(node: MDRecord | None) -> bool:
    return node is not None and node.fields.get("encoding") in CHARACTERS


@dataclass(slots=True, eq=False)
class DebugTypes:
    """Layouts by type node."""

    _layouts: dict[int, Layout | None] = field(default_factory=dict)
    _kept: list[MDRecord] = field(default_factory=list)  # ids stay valid while the nodes live

    def layout(self, node: Metadata | int | str | None) -> Layout | None:
        """The layout of a type; None for void, functions, and types declared but not defined."""
        found = plain(node)
        if found is None:
            return None
        key = id(found)
        if key not in self._layouts:
            self._layouts[key] = None  # a type cannot contain itself
            self._kept.append(found)
            self._layouts[key] = self._make(found)
        return self._layouts[key]

    def _make(self, node: MDRecord) -> Layout | None:
        tag = node.fields.get("tag")
        if node.name == "DIBasicType":
            return _basic(node)
        if tag in POINTERS or tag == "DW_TAG_ptr_to_member_type":
            return scalar(POINTER, _bytes(node) or 8, target=node, name="pointer")
        if tag == "DW_TAG_array_type":
            return self._array(node)
        if tag in RECORDS:
            return self._struct(node)
        if tag == "DW_TAG_union_type":
            return self._union(node)
        if tag == "DW_TAG_enumeration_type":
            return scalar(INTEGER, _bytes(node) or 4, name=_name(node))
        return None

    def _array(self, node: MDRecord) -> Layout | None:
        item = self.layout(node.fields.get("baseType"))
        if item is None or not item.size:
            return None
        count = 1
        for subrange in _elements(node):
            extent = _count(subrange)
            if extent is None:
                return item  # no known end: like a pointer to items
            count *= extent
        return array(item, count) if count else None

    def _members(self, node: MDRecord) -> list[tuple[MDRecord, int]]:
        found = []
        for member in _elements(node):
            tag, flags = member.fields.get("tag"), str(member.fields.get("flags", ""))
            if tag in ("DW_TAG_member", "DW_TAG_inheritance") and "StaticMember" not in flags:
                found.append((member, _number(member, "offset")))
        return found

    def _struct(self, node: MDRecord) -> Layout | None:
        size = _bytes(node)
        if not size:
            return None
        parts: list[Part] = []
        end = 0
        for member, bits in self._members(node):
            if "BitField" in str(member.fields.get("flags", "")):
                start = max(bits // 8, end)
                stop = -(-(bits + _number(member, "size")) // 8)
                item: Layout | None = scalar(INTEGER, stop - start) if stop > start else None
            else:
                start, item = bits // 8, self._member(member, bits // 8, size)
            if item is not None and start >= end:
                parts.append(Part(start, 1, item))
                end = start + item.size
        return record(_name(node), size, parts, flexible_tail(self, node), goes_on=_goes_on(node))

    def _member(self, member: MDRecord, start: int, size: int) -> Layout | None:
        """A member's layout; a flexible array at the end gets what room there is (none, in the struct itself)."""
        item = self.layout(member.fields.get("baseType"))
        if item is not None and start + item.size > size:
            return None
        flexible = plain(member.fields.get("baseType"))
        if flexible is not None and flexible.fields.get("tag") == "DW_TAG_array_type" and not _bytes(flexible):
            return None
        return item or scalar(UNKNOWN, max(_bytes(member), 1))

    def _union(self, node: MDRecord) -> Layout | None:
        size = _bytes(node)
        if not size or size > MOST_UNION_BYTES:
            return None
        members = [self.layout(m.fields.get("baseType")) for m, _ in self._members(node)]
        known = [m for m in members if m is not None]
        parts: list[Part] = []
        position = 0
        while position < size:
            part = _agreed(known, position, size)
            parts.append(part)
            position = part.end
        return record(_name(node), size, parts)


def _agreed(members: list[Layout], position: int, size: int) -> Part:
    """What all members that reach `position` say about it."""
    found = [m.leaf_at(position) for m in members if position < m.size]
    leaves = [f for f in found if f is not None and f[0] == position]
    if leaves and len(leaves) == len(found) and all(same(leaf, leaves[0][1]) for _, leaf in leaves):
        return Part(position, 1, leaves[0][1])
    if found and all(f is not None and f[1].concrete == INTEGER for f in found):  # integers of several sizes
        weak = any(f is not None and f[1].weak for f in found)
        return Part(position, 1, LayoutLeaf(INTEGER, 1, weak))
    among = (leaf.among | {leaf.concrete} for _, leaf in filter(None, found))
    return Part(position, 1, LayoutLeaf(UNKNOWN, 1, among=frozenset[Concrete]().union(*among)))


def _basic(node: MDRecord) -> Layout | None:
    encoding, size = node.fields.get("encoding"), _bytes(node)
    if not size:
        return None
    if encoding == "DW_ATE_float":
        kind = _float_kind(_name(node), size)
        return float_layout(kind, size) if kind else None
    if encoding == "DW_ATE_complex_float":
        kind = _float_kind(_name(node), size // 2)
        return array(float_layout(kind, size // 2), 2) if kind else None
    return scalar(INTEGER, size, weak=encoding in CHARACTERS, name=_name(node))


def _float_kind(name: str, size: int) -> str | None:
    if "bf16" in name:
        return "bfloat"
    if "128" in name and size == 16:
        return "fp128"
    return _KINDS.get(size)


def flexible_tail(types: DebugTypes, node: MDRecord | None) -> tuple[int, Layout] | None:
    """(offset, item) of the array without length at the end of a struct."""
    if node is None or node.fields.get("tag") not in RECORDS:
        return None
    for member in _elements(node):
        base = plain(member.fields.get("baseType"))
        if base is None or base.fields.get("tag") != "DW_TAG_array_type" or _bytes(base):
            continue
        item = types.layout(base.fields.get("baseType"))
        if item is not None:
            return _number(member, "offset") // 8, item
    return None


def _goes_on(node: MDRecord) -> bool:
    """Whether the last member of a struct is an array of one item: `struct node { ...; struct node *children[1]; }`."""
    base = next((plain(m.fields.get("baseType")) for m in reversed(_elements(node))), None)
    if base is None or base.fields.get("tag") != "DW_TAG_array_type":
        return False
    item = plain(base.fields.get("baseType"))
    return item is not None and _bytes(base) == _bytes(item) > 0


def _elements(node: MDRecord) -> list[MDRecord]:
    found = node.fields.get("elements")
    return [e for e in found.operands if isinstance(e, MDRecord)] if isinstance(found, MDTuple) else []


def _count(subrange: MDRecord) -> int | None:
    count = subrange.fields.get("count")
    if isinstance(count, ValueAsMetadata) and isinstance(count.value, ConstantInt):
        count = count.value.value
    return count if isinstance(count, int) and count >= 0 else None


def _number(node: MDRecord, name: str) -> int:
    found = node.fields.get(name)
    return found if isinstance(found, int) else 0


def _bytes(node: MDRecord) -> int:
    return _number(node, "size") // 8


def _name(node: MDRecord) -> str:
    found = node.fields.get("name")
    return found.text if isinstance(found, MDString) else str(node.fields.get("tag", "type")).removeprefix("DW_TAG_")


def plain_variable(record_: DebugRecord) -> list[tuple[Value, Metadata | None]]:
    """The value of a whole variable, and the variable's type."""
    if record_.kind not in ("value", "assign") or len(record_.operands) < 3:
        return []
    place, variable, expression = record_.operands[:3]
    if not (isinstance(place, ValueAsMetadata) and isinstance(variable, MDRecord) and isinstance(expression, MDRecord)):
        return []
    return [(place.value, type_of(variable))] if not expression.arguments else []


def variable_name(node: MDRecord) -> str:
    """The name of a variable that debug information describes."""
    found = node.fields.get("name")
    return found.text if isinstance(found, MDString) else "a variable"


__all__ = [
    "BYTES",
    "DebugTypes",
    "flexible_tail",
    "floating",
    "is_character",
    "plain",
    "plain_variable",
    "pointee",
    "type_of",
    "variable_name",
]
