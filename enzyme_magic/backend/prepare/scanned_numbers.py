"""Floating numbers that the library reads by a format, as stores that can be seen: `sscanf` and its kin, with a constant format.

    n = sscanf(s, "%d %lf", &k, &v);   becomes   n = sscanf(s, "%d %lf", &k, &t); if (n > 1) v = t;

A format says how many bytes each conversion writes, and the result how many did. So the place may lie among numbers with
derivatives, or over one: what is overwritten there is known. The table of the C library tells which functions read by a format.

Invariant: the program sees what it saw. Whole numbers and text are written where they were; a format that is not understood changes
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.cfg import split_before
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, POINTER, X86_FP80, Type
from enzyme_magic.backend.ir.values import Block, ConstantString, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.library.summary import argument

_CONVERSION = re.compile(rb"%(?:%|(\*?)\d*(hh|h|ll|l|j|z|t|L|)([a-zA-Z]|\[\^?\]?[^\]]*\]))")
_FLOATS: dict[bytes, Type] = {b"": FLOAT, b"l": DOUBLE, b"L": X86_FP80}


@dataclass(frozen=True, slots=True)
class _Item:
    """What one conversion writes: the type of a floating number, or None; whether the result counts it."""

    type: Type | None
    counted: bool = True


def to_stores(module: Module) -> int:
    """Rewrite every such call in the definitions of `module`, in place; gives back how many."""
    count = 0
    for function in list(module.definitions()):
        for call in [i for i in function.instructions() if type(i) is Call]:
            items = _items(call)
            types = [item.type for item in items if item.type is not None]
            if types and (X86_FP80 not in types or module.triple.startswith("x86_64")):
                _rewrite(function, call, items)
                count += 1
    return count


def _items(call: Call) -> list[_Item]:
    """What the variable arguments get; nothing where that is not known."""
    called = call.called_function
    known = libc.find(called.name) if called is not None and called.is_declaration else None
    if known is None or known.summary is None or not (known.characters and known.variadic):
        return []
    fixed = len(call.function_type.parameters)
    given = call.arguments[fixed:]
    found = _read(_text(call.arguments[fixed - 1])) if argument(-1) in known.summary.writes and fixed else []
    return found if len(found) == len(given) and all(v.type == POINTER for v in given) else []


def _text(pointer: Value) -> bytes:
    if not isinstance(pointer, GlobalVariable) or not pointer.constant:
        return b""
    text = pointer.initializer
    return text.data.partition(b"\0")[0] if isinstance(text, ConstantString) else b""


def _read(text: bytes) -> list[_Item]:
    found = list(_CONVERSION.finditer(text))
    if _CONVERSION.sub(b"", text).count(b"%"):
        return []
    items = [_item(*match.groups()) for match in found if match[3] and not match[1]]
    return [item for item in items if item] if all(items) else []


def _item(_suppressed: bytes, length: bytes, letter: bytes) -> _Item | None:
    """None for what is not understood."""
    if letter in b"aefgAEFG":
        return _Item(_FLOATS[length]) if length in _FLOATS else None
    known = letter in b"diouxXnp" or (not length and (letter in b"sc" or letter[:1] == b"["))
    return _Item(None, counted=letter != b"n") if known else None


def _rewrite(function: Function, call: Call, items: list[_Item]) -> None:
    block = call.parent
    assert block is not None
    places = list(_moved(function, call, items))
    following = block.instructions[block.instructions.index(call) + 1]
    for number, type_, place, temporary in places:
        rest = split_before(block, following)
        stored = Block(f"{block.name}.scanned", parent=function)
        function.blocks.insert(function.blocks.index(rest), stored)
        builder = Builder(block)
        builder.debug_location = call.metadata.get("dbg")
        done = builder.icmp("sgt", call, constants.int_constant(call.type, number))
        builder.cond_br(done, stored, rest)
        builder.position(stored)
        builder.store(builder.load(type_, temporary), place)
        builder.br(rest)
        block = rest


def _moved(function: Function, call: Call, items: list[_Item]) -> Iterator[tuple[int, Type, Value, Value]]:
    """The call writes to variables of its own: which conversion it is, what it reads, where it wrote, and where it does now."""
    entry = function.blocks[0]
    builder = Builder(entry, entry.instructions[0])
    first, counted = len(call.function_type.parameters), 0
    for k, item in enumerate(items):
        if item.type is not None:
            place = call.arguments[first + k]
            call.operands[first + k] = builder.alloca(item.type)
            yield counted, item.type, place, call.operands[first + k]
        counted += item.counted
