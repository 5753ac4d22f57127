"""Bits that are moved as what they are not are moved as what they are.

    store bitcast(i64 %a to double)      stores %a            bitcast(load double) to i64   loads an i64
    store inttoptr(i64 %a)               stores %a            ptrtoint(load ptr)            loads an i64
    store bitcast(double %x to i64)      stores %x            inttoptr(load i64)            loads a ptr
                                                              bitcast(load i64)             loads a double
    store (load ptr)                     stores what another load loads
    bitcast(bitcast(i64 %a to double))   is %a

Optimizers keep the members of a union in one variable, of the type of any of them. Afterwards nothing but what uses a number or
follows a pointer has its type. Invariant: exact; a load beside another one has its place and its address.
"""

from __future__ import annotations

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Cast, Instruction, Load, Store
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, Type
from enzyme_magic.backend.ir.values import Value

_TO_INTEGERS, _OF_INTEGERS = ("bitcast", "ptrtoint"), ("bitcast", "inttoptr")


def move(function: Function) -> None:
    """In place."""
    replaced: dict[Value, Value] = {}
    for i in list(function.instructions()):
        if isinstance(i, Store):
            _store(i)
        elif isinstance(i, Cast) and _is_integer_of(i):
            source = i.operands[0]
            if isinstance(source, Cast) and _is_made_of_integer(source) and source.operands[0].type == i.type:
                replaced[i] = source.operands[0]
            elif isinstance(source, Load) and _is_plain(source):
                replaced[i] = _beside(source, i.type)
        elif isinstance(i, Cast) and _is_made_of_integer(i):
            source = replaced.get(i.operands[0], i.operands[0])
            if isinstance(source, Load) and _is_plain(source):
                replaced[i] = _beside(source, i.type)
    for block in function.blocks:
        block.instructions[:] = [i for i in block.instructions if i not in replaced]
    replace_uses(function, replaced)
    _drop_unused(function)


def _store(i: Store) -> None:
    value = i.value
    if isinstance(value, Cast) and (_is_made_of_integer(value) or _is_integer_of(value)):
        while isinstance(value, Cast) and (_is_made_of_integer(value) or _is_integer_of(value)):
            i.operands[0] = value = value.operands[0]
    elif isinstance(value, Load) and isinstance(value.type, PointerType) and _is_plain(value):
        i.operands[0] = _beside(value, value.type)
    else:
        return
    i.metadata = {kind: node for kind, node in i.metadata.items() if kind != "tbaa"}


def _is_made_of_integer(i: Cast) -> bool:
    return i.opcode in _OF_INTEGERS and isinstance(i.operands[0].type, IntType) and _is_word(i.type, i.operands[0].type)


def _is_integer_of(i: Cast) -> bool:
    return i.opcode in _TO_INTEGERS and isinstance(i.type, IntType) and _is_word(i.operands[0].type, i.type)


def _is_word(type_: Type, integer: Type) -> bool:
    """Whether an integer has all bits of a number or a pointer."""
    return isinstance(type_, FloatType) or (isinstance(type_, PointerType) and integer == IntType(64))


def _is_plain(load: Load) -> bool:
    return load.parent is not None and not (load.volatile or load.ordering)


def _beside(load: Load, type_: Type) -> Load:
    assert load.parent is not None
    return Builder(load.parent, load).load(type_, load.pointer, align=load.align)


def _drop_unused(function: Function) -> None:
    """Casts, and loads of pointers, that nobody reads any more."""
    while True:
        used = {operand for i in function.instructions() for operand in i.operands}
        gone = {i for i in function.instructions() if i not in used and _computes_nothing(i)}
        if not gone:
            return
        for block in function.blocks:
            block.instructions[:] = [i for i in block.instructions if i not in gone]


def _computes_nothing(i: Instruction) -> bool:
    if isinstance(i, Cast):
        return _is_made_of_integer(i) or _is_integer_of(i)
    return isinstance(i, Load) and isinstance(i.type, PointerType) and _is_plain(i)
