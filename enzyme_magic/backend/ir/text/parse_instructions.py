"""One function per shape of instruction: tokens behind the opcode in, Instruction out.

Invariant: a reader leaves the cursor behind everything but the metadata attachments. `READERS` is the subset of LLVM IR this
package models; an opcode that is not in it is refused by the body parser.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from enzyme_magic.backend.ir import instructions as ir
from enzyme_magic.backend.ir.constants import int_constant
from enzyme_magic.backend.ir.types import (
    I1,
    I32,
    VOID,
    ArrayType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from enzyme_magic.backend.ir.values import Value

if TYPE_CHECKING:
    from enzyme_magic.backend.ir.text.parse_function import BodyParser

Reader = Callable[["BodyParser", str], ir.Instruction]

_FLAGS = """
    nuw nsw exact nneg disjoint samesign inbounds nusw fast nnan ninf nsz arcp contract afn reassoc weak cleanup
"""
FLAGS = frozenset(_FLAGS.split())
ORDERINGS = frozenset(["unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"])


def read_flags(body: BodyParser) -> tuple[str, ...]:
    cursor = body.cursor
    tokens, start = cursor.tokens, cursor.at
    if tokens[start] not in FLAGS:
        return ()
    while tokens[cursor.at] in FLAGS:
        cursor.at += 1
    return tuple(tokens[start : cursor.at])


def _ordering(body: BodyParser) -> str:
    """`syncscope("agent") acquire` or nothing; cmpxchg has two orderings."""
    cursor = body.cursor
    words: list[str] = []
    while True:
        if cursor.accept("syncscope"):
            cursor.expect("(")
            words.append(f"syncscope({cursor.parenthesized()})")
        elif cursor.peek() in ORDERINGS:
            words.append(cursor.next())
        else:
            return " ".join(words)


def _align(body: BodyParser) -> int | None:
    cursor = body.cursor
    if cursor.tokens[cursor.at] == "," and cursor.tokens[cursor.at + 1] == "align":
        cursor.at += 2
        return cursor.integer()
    return None


def _more(body: BodyParser) -> bool:
    """Steps over a comma, unless metadata follows it."""
    cursor = body.cursor
    if cursor.tokens[cursor.at] == "," and cursor.tokens[cursor.at + 1][:1] != "!":
        cursor.at += 1
        return True
    return False


def _unary(body: BodyParser, opcode: str) -> ir.Instruction:
    flags = read_flags(body)
    type_ = body.types.parse()
    return ir.Unary(opcode, type_, [body.value(type_)], "", flags)


def _binary(body: BodyParser, opcode: str) -> ir.Instruction:
    flags = read_flags(body)
    type_ = body.types.parse()
    a = body.value(type_)
    body.cursor.expect(",")
    return ir.Binary(opcode, type_, [a, body.value(type_)], "", flags)


def _compare(body: BodyParser, opcode: str) -> ir.Instruction:
    flags = read_flags(body)
    predicate = body.cursor.next()
    type_ = body.types.parse()
    a = body.value(type_)
    body.cursor.expect(",")
    result: Type = VectorType(type_.count, I1, type_.scalable) if isinstance(type_, VectorType) else I1
    return ir.Compare(opcode, result, [a, body.value(type_)], "", flags, predicate=predicate)


def _cast(body: BodyParser, opcode: str) -> ir.Instruction:
    flags = read_flags(body)
    operand = body.typed()
    body.cursor.expect("to")
    return ir.Cast(opcode, body.types.parse(), [operand], "", flags)


def _select(body: BodyParser, opcode: str) -> ir.Instruction:
    flags = read_flags(body)
    condition = body.typed()
    body.cursor.expect(",")
    type_ = body.types.parse()
    a = body.value(type_)
    body.cursor.expect(",")
    body.types.parse()
    return ir.Select(opcode, type_, [condition, a, body.value(type_)], "", flags)


def _freeze(body: BodyParser, opcode: str) -> ir.Instruction:
    type_ = body.types.parse()
    return ir.Freeze(opcode, type_, [body.value(type_)])


def _phi(body: BodyParser, opcode: str) -> ir.Instruction:
    flags = read_flags(body)
    type_ = body.types.parse()
    cursor = body.cursor
    phi = ir.Phi(opcode, type_, flags=flags)
    while True:
        cursor.expect("[")
        phi.operands.append(body.value(type_))
        cursor.expect(",")
        phi.blocks.append(body.block(cursor.next()))
        cursor.expect("]")
        if not _more(body):
            return phi


def _alloca(body: BodyParser, opcode: str) -> ir.Instruction:
    cursor = body.cursor
    flags = tuple(word for word in ("inalloca", "swifterror") if cursor.accept(word))
    allocated = body.types.parse()
    count: Value = int_constant(I32, 1)
    align, address_space = None, 0
    while _more(body):
        if cursor.accept("align"):
            align = cursor.integer()
        elif cursor.accept("addrspace"):
            address_space = body.types.address_space()
        else:
            count = body.typed()
    pointer = PointerType(address_space)
    return ir.Alloca(
        opcode, pointer, [count], "", flags, allocated_type=allocated, align=align, address_space=address_space
    )


def _load(body: BodyParser, opcode: str) -> ir.Instruction:
    cursor = body.cursor
    cursor.accept("atomic")
    volatile = cursor.accept("volatile")
    type_ = body.types.parse()
    cursor.expect(",")
    pointer = body.typed()
    ordering = _ordering(body) if cursor.tokens[cursor.at] != "," else ""
    return ir.Load(opcode, type_, [pointer], align=_align(body), volatile=volatile, ordering=ordering)


def _store(body: BodyParser, opcode: str) -> ir.Instruction:
    cursor = body.cursor
    cursor.accept("atomic")
    volatile = cursor.accept("volatile")
    value = body.typed()
    cursor.expect(",")
    pointer = body.typed()
    ordering = _ordering(body) if cursor.tokens[cursor.at] != "," else ""
    return ir.Store(opcode, VOID, [value, pointer], align=_align(body), volatile=volatile, ordering=ordering)


def _gep(body: BodyParser, opcode: str) -> ir.Instruction:
    flags = read_flags(body)
    source = body.types.parse()
    operands: list[Value] = []
    result: Type | None = None
    while _more(body):
        type_ = body.types.parse()
        operands.append(body.value(type_))
        if result is None:
            result = type_
        elif isinstance(type_, VectorType) and not isinstance(result, VectorType):
            result = VectorType(type_.count, result, type_.scalable)
    if result is None:
        raise body.cursor.error("a pointer expected")
    return ir.GetElementPtr(opcode, result, operands, "", flags, source_type=source)


def _integers(body: BodyParser) -> tuple[int, ...]:
    found: list[int] = []
    while _more(body):
        found.append(body.cursor.integer())
    return tuple(found)


def _extract_value(body: BodyParser, opcode: str) -> ir.Instruction:
    type_ = body.types.parse()
    aggregate = body.value(type_)
    indices = _integers(body)
    for index in indices:
        type_ = _member(body, type_, index)
    return ir.ExtractValue(opcode, type_, [aggregate], indices=indices)


def _member(body: BodyParser, type_: Type, index: int) -> Type:
    resolved = body.resolve(type_)
    if isinstance(resolved, StructType) and index < len(resolved.elements):
        return resolved.elements[index]
    if isinstance(resolved, ArrayType):
        return resolved.element
    raise body.cursor.error(f"type {type_} has no member {index}")


def _insert_value(body: BodyParser, opcode: str) -> ir.Instruction:
    type_ = body.types.parse()
    aggregate = body.value(type_)
    body.cursor.expect(",")
    element = body.typed()
    return ir.InsertValue(opcode, type_, [aggregate, element], indices=_integers(body))


def _vector_operands(body: BodyParser) -> tuple[Type, list[Value]]:
    type_ = body.types.parse()
    operands = [body.value(type_)]
    while _more(body):
        operands.append(body.typed())
    return type_, operands


def _extract_element(body: BodyParser, opcode: str) -> ir.Instruction:
    type_, operands = _vector_operands(body)
    return ir.ExtractElement(opcode, type_.scalar, operands)


def _insert_element(body: BodyParser, opcode: str) -> ir.Instruction:
    type_, operands = _vector_operands(body)
    return ir.InsertElement(opcode, type_, operands)


def _shuffle(body: BodyParser, opcode: str) -> ir.Instruction:
    type_, operands = _vector_operands(body)
    mask = operands[2].type
    assert isinstance(mask, VectorType)
    return ir.ShuffleVector(opcode, VectorType(mask.count, type_.scalar, mask.scalable), operands)


def _fence(body: BodyParser, opcode: str) -> ir.Instruction:
    return ir.Fence(opcode, ordering=_ordering(body))


def _atomic_rmw(body: BodyParser, opcode: str) -> ir.Instruction:
    cursor = body.cursor
    volatile = cursor.accept("volatile")
    operation = cursor.next()
    pointer = body.typed()
    cursor.expect(",")
    type_ = body.types.parse()
    operands = [pointer, body.value(type_)]
    ordering = _ordering(body)
    return ir.AtomicRMW(
        opcode, type_, operands, operation=operation, align=_align(body), volatile=volatile, ordering=ordering
    )


def _compare_exchange(body: BodyParser, opcode: str) -> ir.Instruction:
    cursor = body.cursor
    flags = read_flags(body)
    volatile = cursor.accept("volatile")
    pointer = body.typed()
    cursor.expect(",")
    type_ = body.types.parse()
    expected = body.value(type_)
    cursor.expect(",")
    operands = [pointer, expected, body.typed()]
    ordering = _ordering(body)
    result = StructType((type_, I1))
    return ir.CompareExchange(
        opcode, result, operands, "", flags, align=_align(body), volatile=volatile, ordering=ordering
    )


def _va_arg(body: BodyParser, opcode: str) -> ir.Instruction:
    pointer = body.typed()
    body.cursor.expect(",")
    return ir.VAArg(opcode, body.types.parse(), [pointer])


_BINARY = """
    add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem
"""
_CASTS = """
    trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast addrspacecast
"""
READERS: dict[str, Reader] = {
    "fneg": _unary,
    "icmp": _compare,
    "fcmp": _compare,
    "select": _select,
    "freeze": _freeze,
    "phi": _phi,
    "alloca": _alloca,
    "load": _load,
    "store": _store,
    "getelementptr": _gep,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
    "extractelement": _extract_element,
    "insertelement": _insert_element,
    "shufflevector": _shuffle,
    "fence": _fence,
    "atomicrmw": _atomic_rmw,
    "cmpxchg": _compare_exchange,
    "va_arg": _va_arg,
}
READERS.update(dict.fromkeys(_BINARY.split(), _binary))
READERS.update(dict.fromkeys(_CASTS.split(), _cast))
