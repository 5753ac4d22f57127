"""Type-based alias analysis over `!tbaa` access tags.

Rules: LLVM Language Reference, "TBAA Metadata". A tag {base type, access type, offset} names a path into a struct;
two accesses may overlap only if one of the two paths leads through the other's. `char` is an ancestor of every scalar
type and so overlaps all.

Read is the format in which a type node begins with its name and a tag is {base, access, offset[, constant]}. In the newer one
(`-new-struct-path-tbaa`) a type node begins with its parent and has a size, and so has a tag: {base, access, offset, size[,
constant]}. A tag of that format, or of any other, is no tag: accesses without a tag may overlap anything. `!tbaa.struct` is not
read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.metadata import MDString, MDTuple, Metadata, ValueAsMetadata
from enzyme_magic.backend.ir.types import I64
from enzyme_magic.backend.ir.values import ConstantInt

CHAR = "omnipotent char"
OWN_MEMORY = "a derivative's own memory"
FLOATING = {"float": "float", "double": "double", "long double": "x86_fp80", "_Float16": "half", "__float128": "fp128"}
NARROW = frozenset(["bool", "_Bool", "short", "int", "unsigned int", "unsigned short"])
INTEGERS = NARROW | {"long", "long long", "unsigned long", "unsigned long long", "__int128"}
NEVER_POINTERS = NARROW | frozenset(FLOATING)


@dataclass(frozen=True, slots=True)
class Tag:
    """One access tag: `base` and `access` are type nodes (compared by identity)."""

    base: MDTuple
    access: MDTuple
    offset: int
    constant: bool = False


def tag_of(instruction: Instruction) -> Tag | None:
    """The access tag of a load, store or memory intrinsic; None where there is none in the format read here."""
    node = instruction.metadata.get("tbaa")
    if not isinstance(node, MDTuple) or len(node.operands) not in (3, 4):
        return None
    base, access, *numbers = node.operands
    if not (_is_type(base) and _is_type(access) and all(map(_is_integer, numbers))):
        return None
    assert isinstance(base, MDTuple)
    assert isinstance(access, MDTuple)
    return Tag(base, access, _integer(numbers[0]), len(numbers) > 1 and _integer(numbers[1]) == 1)


def scalar_name(instruction: Instruction) -> str | None:
    """Name of the access type ("double", "int", "p1 float", …); None without tag, and for char, which says nothing."""
    tag = tag_of(instruction)
    name = type_name(tag.access) if tag is not None else None
    return None if name == CHAR else name


@cache
def integer_tag() -> MDTuple:
    """A tag of an access to an integer in a derivative's own memory, of which the next order would have to guess what it is. Its
    root is no program's: it tells what is accessed, and nothing about overlaps."""
    zero = ValueAsMetadata(ConstantInt(I64, 0))
    type_ = MDTuple([MDString("long"), MDTuple([MDString(OWN_MEMORY)]), zero])
    return MDTuple([type_, type_, zero])


def is_kept_integer(instruction: Instruction) -> bool:
    """Whether `integer_tag` is on an access: that tag is no claim of C's, but what was known when the derivative was written."""
    tag = tag_of(instruction)
    root = tag.access.operands[1] if tag is not None and len(tag.access.operands) > 1 else None
    return isinstance(root, MDTuple) and type_name(root) == OWN_MEMORY


def type_name(node: MDTuple) -> str | None:
    first = node.operands[0] if node.operands else None
    return first.text if isinstance(first, MDString) else None


def _is_type(node: Metadata | None) -> bool:
    """Whether a node is a type of the format read here: its name, then members (or a parent) with their offsets."""
    if not isinstance(node, MDTuple) or not node.operands or not isinstance(node.operands[0], MDString):
        return False
    members = node.operands[1:]
    return all(isinstance(member, MDTuple) for member in members[::2]) and all(map(_is_integer, members[1::2]))


def _is_integer(node: Metadata | None) -> bool:
    return isinstance(node, ValueAsMetadata) and isinstance(node.value, ConstantInt)


def _integer(node: Metadata) -> int:
    if isinstance(node, ValueAsMetadata) and isinstance(node.value, ConstantInt):
        return node.value.value
    return 0


def field_at(node: MDTuple, offset: int) -> tuple[MDTuple | None, int]:
    """The member of type `node` that holds byte `offset`, and the offset inside it. For a scalar type: its parent."""
    best: MDTuple | None = None
    start = 0
    members = node.operands[1:]
    for k in range(0, len(members), 2):
        member = members[k]
        at = _integer(members[k + 1]) if k + 1 < len(members) else 0
        if isinstance(member, MDTuple) and (best is None or at <= offset):
            best, start = member, at
    return best, offset - start


def member_offsets(node: MDTuple) -> list[int]:
    """Where the members of a struct lie."""
    return [_integer(at) for at in node.operands[2::2] if at is not None]


def _ancestors(node: MDTuple) -> list[MDTuple]:
    """A scalar type, its parent, … up to the root."""
    path: list[MDTuple] = []
    current: MDTuple | None = node
    while current is not None and current not in path:
        path.append(current)
        current, _ = field_at(current, 0)
    return path


def _common(a: MDTuple, b: MDTuple) -> MDTuple | None:
    mine = _ancestors(a)
    theirs = {id(n) for n in _ancestors(b)}
    return next((n for n in mine if id(n) in theirs), None)


def _leads_through(outer: Tag, inner: Tag, common: MDTuple) -> bool | None:
    """Whether `inner`'s path may continue `outer`'s: True or False when the paths meet, None when they do not."""
    if outer.access is outer.base and outer.access is common:
        return True
    node: MDTuple | None = outer.base
    offset = outer.offset
    seen: set[int] = set()
    while node is not None and id(node) not in seen:
        seen.add(id(node))
        if node is inner.base:
            return offset == inner.offset or node is outer.access or inner.base is inner.access
        node, offset = field_at(node, offset)
    return None


def may_alias(a: Tag | None, b: Tag | None) -> bool:
    """Whether accesses with these tags may touch the same bytes."""
    if a is None or b is None or (a.base is b.base and a.access is b.access and a.offset == b.offset):
        return True
    common = _common(a.access, b.access)
    if common is None:
        return True
    for outer, inner in ((a, b), (b, a)):
        answer = _leads_through(outer, inner, common)
        if answer is not None:
            return answer
    return False
