"""Integers that are put together from several values are stored one value after the other, and taken apart where they are loaded.

    store (zext %tag) | (zext (bits of %x) << 32)     stores %tag, and %x behind it
    trunc ((load i64) >> 32) to i32                   loads an i32 four bytes on
    (load i64 << 16) >> 48                            loads an i16 four bytes on, and extends its sign

Small structs travel so in registers. Which bytes go where is read by byte_reader.py. Invariant: exact; a load beside another one
has its place, and its address or one in the bytes that were loaded. Bytes are counted lowest first.

Not done: parts that are no whole values, bytes that a condition chooses, vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Instruction, Load, Store
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I8, I64, IntType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.prepare.bits.byte_forms import ALL, ZERO, ByteLeaf, Form, sign
from enzyme_magic.backend.prepare.bits.byte_reader import ByteReader, bytes_in


@dataclass(frozen=True, slots=True)
class RegisterPart:
    """`size` bytes from byte `first` on of `value`; or, of None, those of the number `first`."""

    value: Value | None
    first: int
    size: int


@dataclass(frozen=True, slots=True)
class LoadedPart:
    """A piece of what a load loads; `extended` to the integer that is meant: by "zext", "sext", or not at all ("")."""

    part: RegisterPart
    extended: str


_OF_PARTS = ("trunc", "lshr", "ashr", "and", "sext", "zext")
_PURE = (*_OF_PARTS, "or", "xor", "shl", "bitcast", "insertvalue", "extractvalue")
_WIDTHS = (1, 2, 4, 8)


def take_apart(function: Function) -> None:
    """In place."""
    reader = ByteReader(function)
    stores = [(i, _parts(reader, i.value)) for i in function.instructions() if isinstance(i, Store) and _is_plain(i)]
    narrow = [i for i in function.instructions() if i.opcode in _OF_PARTS and bytes_in(i.type)]
    loads = [(i, found) for i in narrow if (found := _loaded(reader, i)) is not None]
    for store, parts in stores:
        if len(parts) > 1:
            _store(store, parts)
    replace_uses(function, {i: _read(i, found) for i, found in loads})
    _drop_unused(function)


def _loaded(reader: ByteReader, i: Instruction) -> LoadedPart | None:
    """The piece of a load of which an integer is made; None where it is made otherwise."""
    size = bytes_in(i.type)
    if not isinstance(i.type, IntType) or not size:
        return None
    forms = [reader.byte(i, k) for k in range(size)]
    kept = next((k for k, form in enumerate(forms) if _byte(form) is None or not _byte_of_load(form)), size)
    parts = tuple(_joined(filter(None, map(_byte, forms[:kept]))))
    if len(parts) != 1 or not _is_loaded(parts[0]):
        return None
    if kept == size:
        return LoadedPart(parts[0], "")
    rest = set(forms[kept:])
    extended = {frozenset([ZERO]): "zext", frozenset([sign(forms[kept - 1])]): "sext"}.get(frozenset(rest))
    return LoadedPart(parts[0], extended) if extended is not None else None


def _byte_of_load(form: Form) -> bool:
    found = _byte(form)
    return found is not None and isinstance(found.value, Load)


def _read(i: Instruction, found: LoadedPart) -> Value:
    value = _taken(found.part)
    if not found.extended:
        return value
    assert i.parent is not None
    builder = Builder(i.parent, i)
    builder.debug_location = i.metadata.get("dbg")
    return builder.cast(found.extended, value, i.type)


def _is_plain(i: Store | Load) -> bool:
    return not (i.volatile or i.ordering)


def _parts(reader: ByteReader, value: Value) -> tuple[RegisterPart, ...]:
    """What an integer is put together from, lowest bytes first; empty where something of it cannot be taken."""
    size = bytes_in(value.type)
    if not isinstance(value.type, IntType) or not size:
        return ()
    found = tuple(_joined(filter(None, (_byte(reader.byte(value, k)) for k in range(size)))))
    whole = sum(part.size for part in found) == size and all(map(_can_be_taken, found))
    return found if whole else ()


def _byte(form: Form) -> RegisterPart | None:
    if not isinstance(form, ByteLeaf):
        return None
    if not form.terms:
        return RegisterPart(None, form.constant, 1)
    if len(form.terms) > 1 or form.constant:
        return None
    (((number, k), mask),) = form.terms
    return RegisterPart(number.value, k, 1) if mask == ALL and number.lane is None else None


def _joined(parts: Iterator[RegisterPart]) -> Iterator[RegisterPart]:
    """Neighbours become one part."""
    held: RegisterPart | None = None
    for part in parts:
        if held is not None and held.value is part.value is None:
            held = RegisterPart(None, held.first | part.first << 8 * held.size, held.size + 1)
        elif held is not None and held.value is part.value and part.first == held.first + held.size:
            held = RegisterPart(held.value, held.first, held.size + 1)
        else:
            if held is not None:
                yield held
            held = part
    if held is not None:
        yield held


def _can_be_taken(part: RegisterPart) -> bool:
    whole = part.value is None or (part.first == 0 and part.size == bytes_in(part.value.type))
    return whole or _is_loaded(part)


def _is_loaded(part: RegisterPart) -> bool:
    """Whether it is a piece of what a load loads, and can be loaded by itself."""
    load = part.value
    plain = isinstance(load, Load) and isinstance(load.type, IntType) and _is_plain(load) and load.parent is not None
    return plain and part.size in _WIDTHS


def _taken(part: RegisterPart) -> Value:
    """The part as a value of its own."""
    if part.value is None:
        return constants.int_constant(IntType(8 * part.size), part.first)
    if part.first == 0 and part.size == bytes_in(part.value.type):
        return part.value
    load = part.value
    assert isinstance(load, Load)
    assert load.parent is not None
    builder = Builder(load.parent, load)
    builder.debug_location = load.metadata.get("dbg")
    return builder.load(IntType(8 * part.size), _at(builder, load.pointer, part.first), align=1)


def _store(store: Store, parts: tuple[RegisterPart, ...]) -> None:
    assert store.parent is not None
    at = 0
    for part in parts:
        value = _taken(part)
        builder = Builder(store.parent, store)
        builder.debug_location = store.metadata.get("dbg")
        builder.store(value, _at(builder, store.pointer, at), align=1)
        at += part.size
    store.parent.instructions.remove(store)


def _at(builder: Builder, pointer: Value, offset: int) -> Value:
    return builder.gep(I8, pointer, [constants.int_constant(I64, offset)]) if offset else pointer


def _drop_unused(function: Function) -> None:
    """What was computed to put together or to take apart and is not read any more: who computes with a number's bits is asked."""
    unused = True
    while unused:
        used = {operand for i in function.instructions() for operand in i.operands}
        unused = False
        for block in function.blocks:
            kept = [i for i in block.instructions if i in used or not _only_computes(i)]
            unused |= len(kept) < len(block.instructions)
            block.instructions[:] = kept


def _only_computes(i: Instruction) -> bool:
    return i.opcode in _PURE or (isinstance(i, Load) and _is_plain(i))
