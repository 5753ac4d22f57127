"""Pointers that functions of the C library store, made from the argument whose memory they lead to.

    v = strtod(s, &end);   becomes   v = strtod(s, &end); end = s + (end - s)

So the shadow of what is stored is as far behind the shadow of `s`, as with any address. The table of the C library tells which
functions store a pointer, where, and into the memory of which argument. Invariant: the program sees what it saw; where the place
is null, nothing is stored.

Does not rewrite functions that may store one of several pointers (`strtok_r`).
"""

from __future__ import annotations

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.cfg import split_before
from enzyme_magic.backend.ir.instructions import Alloca, Call, GetElementPtr
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import I8, I64, POINTER
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.library.summary import ARGUMENT


def to_addresses(module: Module) -> int:
    """Rewrite every such call in the definitions of `module`, in place; gives back how many."""
    count = 0
    for function in list(module.definitions()):
        for call in [i for i in function.instructions() if type(i) is Call]:
            found = _stored(call)
            if found is not None:
                _rewrite(function, call, *found)
                count += 1
    return count


def _stored(call: Call) -> tuple[Value, Value] | None:
    """(place, argument): where a pointer into the memory of an argument is stored."""
    called = call.called_function
    known = libc.find(called.name) if called is not None and called.is_declaration else None
    if known is None or known.summary is None or len(known.summary.stores) != 1:
        return None
    ((into, pointee),) = known.summary.stores
    if {into.kind, pointee.kind} != {ARGUMENT} or min(into.index, pointee.index) < 0:
        return None
    if max(into.index, pointee.index) >= len(call.arguments):
        return None
    place, argument = call.arguments[into.index], call.arguments[pointee.index]
    given = place.type == argument.type == POINTER and not constants.is_zero(place)
    return (place, argument) if given else None


def _rewrite(function: Function, call: Call, place: Value, argument: Value) -> None:
    block = call.parent
    assert block is not None
    following = block.instructions[block.instructions.index(call) + 1]
    if _leads_somewhere(place):
        builder = Builder(block, following)
        builder.debug_location = call.metadata.get("dbg")
        _store_again(builder, place, argument)
        return
    rest = split_before(block, following)
    stored = Block(f"{block.name}.stored", parent=function)
    function.blocks.insert(function.blocks.index(rest), stored)
    builder = Builder(block)
    builder.debug_location = call.metadata.get("dbg")
    builder.cond_br(builder.icmp("eq", place, constants.zero(POINTER)), rest, stored)
    builder.position(stored)
    _store_again(builder, place, argument)
    builder.br(rest)


def _store_again(builder: Builder, place: Value, argument: Value) -> None:
    end = builder.ptrtoint(builder.load(POINTER, place), I64)
    distance = builder.sub(end, builder.ptrtoint(argument, I64))
    builder.store(builder.gep(I8, argument, [distance]), place)


def _leads_somewhere(place: Value) -> bool:
    while isinstance(place, GetElementPtr):
        place = place.operands[0]
    return isinstance(place, (Alloca, GlobalVariable))
