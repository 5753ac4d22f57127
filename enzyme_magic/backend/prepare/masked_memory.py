"""Loads and stores of chosen elements become loads and stores of these elements, each behind its own branch.

    r = masked.load(p, m, rest)    becomes    r[k] = m[k] ? p[k] : rest[k]
    masked.store(v, p, m)                     if (m[k]) p[k] = v[k]
    masked.gather, masked.scatter             the same with an address for each element

and so do x86's own forms: `maskload`, `maskstore` and AVX2's gathers, whose masks are sign bits, AVX-512's gathers and scatters.

Invariant: memory of an element that is not chosen is not touched, and elements are visited in order, as LLVM defines it. A mask
that is known leaves no branch. Afterwards masks decide and nothing flows through them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.elements import element, is_negative, vector_of
from enzyme_magic.backend.ir.graphs.cfg import split_before
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call, GetElementPtr
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import I1, I8, I64, Type, VectorType, VoidType
from enzyme_magic.backend.ir.values import Block, ConstantInt, ConstantKeyword, Value

_MASKED = re.compile(r"llvm\.masked\.(load|store|gather|scatter)\.v")
_MOVED = re.compile(r"llvm\.x86\.avx2?\.mask(load|store)\.(?:p[sd]|[dq])(?:\.256)?\Z")
_GATHERED = re.compile(
    r"llvm\.x86\.(?:avx2\.(gather)\.[dq]\.(?:p[sd]|[dq])(?:\.256)?|avx512\.mask\.(gather|scatter)(?:\.[dq]p[sdiq]\.512|3?[sd]iv\d\.[ds][fi]))\Z"
)


@dataclass(frozen=True, slots=True)
class _Lanes:
    """One call as its elements: what asks, where, and what is loaded where nobody asks (or stored where somebody does).

    `count`: how many elements are asked for; of a result with more, the others are zero (gathers by wide indices)."""

    count: int
    type: VectorType
    chosen: Callable[[Builder, int], Value]
    address: Callable[[Builder, int], Value]
    value: Value


def to_branches(module: Module) -> int:
    """Rewrite every such call in the definitions of `module`, in place; gives back how many."""
    if not any(_MASKED.match(n) or _MOVED.match(n) or _GATHERED.match(n) for n in module.functions):
        return 0
    count = 0
    for function in list(module.definitions()):
        for call in [i for i in function.instructions() if type(i) is Call]:
            lanes = _lanes(call)
            if lanes is not None:
                _rewrite(function, call, lanes)
                count += 1
    return count


def _lanes(call: Call) -> _Lanes | None:
    called = call.called_function
    if called is None or not called.is_declaration:
        return None
    match = _MASKED.match(called.name)
    if match is not None:
        return _generic(call, match[1])
    match = _MOVED.match(called.name)
    if match is not None:
        return _moved(call, match[1])
    match = _GATHERED.match(called.name)
    return None if match is None else _gathered(call, match[1] or match[2])


def _generic(call: Call, kind: str) -> _Lanes | None:
    """LLVM's own. The alignment stands among the arguments, or is an attribute, by LLVM's version."""
    arguments = [v for v in call.arguments if not isinstance(v, ConstantInt)]
    if kind in ("store", "scatter"):
        value, place, mask = arguments
    else:
        place, mask, value = arguments
    type_ = value.type
    if not isinstance(type_, VectorType) or type_.scalable:
        return None
    each = isinstance(place.type, VectorType)
    return _Lanes(
        type_.count,
        type_,
        lambda builder, k: element(builder, mask, k),
        lambda builder, k: _pointer(builder, place, k) if each else _behind(builder, place, type_.element, k),
        value,
    )


def _moved(call: Call, kind: str) -> _Lanes:
    place, mask = call.arguments[:2]
    value = call.arguments[2] if kind == "store" else constants.zero(call.type)
    type_ = value.type
    assert isinstance(type_, VectorType)
    return _Lanes(
        type_.count,
        type_,
        lambda builder, k: is_negative(builder, element(builder, mask, k)),
        lambda builder, k: _behind(builder, place, type_.element, k),
        value,
    )


def _gathered(call: Call, kind: str) -> _Lanes | None:
    """Base, indices and their scale; of AVX2 with sign bits as mask, of AVX-512 with a mask of its own."""
    if kind == "scatter":
        place, mask, index, value, scale = call.arguments
    else:
        value, place, index, mask, scale = call.arguments
    type_ = value.type
    assert isinstance(type_, VectorType)
    assert isinstance(index.type, VectorType)
    if not isinstance(scale, ConstantInt):
        return None

    def address(builder: Builder, k: int) -> Value:
        at = element(builder, index, k)
        wide = at if at.type == I64 else _extended(builder, at)
        return builder.gep(I8, place, [builder.mul(wide, constants.int_constant(I64, scale.unsigned))])

    def chosen(builder: Builder, k: int) -> Value:
        truth = element(builder, mask, k)
        return truth if truth.type == I1 else is_negative(builder, truth)

    return _Lanes(min(type_.count, index.type.count), type_, chosen, address, value)


def _extended(builder: Builder, value: Value) -> Value:
    return constants.int_constant(I64, value.value) if isinstance(value, ConstantInt) else builder.sext(value, I64)


def _behind(builder: Builder, place: Value, type_: Type, k: int) -> Value:
    return place if k == 0 else builder.gep(type_, place, [constants.int_constant(I64, k)])


def _pointer(builder: Builder, places: Value, k: int) -> Value:
    """One of several pointers, made as the vector was made, so that it is known where it leads."""
    if isinstance(places, GetElementPtr):
        parts = [element(builder, v, k) if isinstance(v.type, VectorType) else v for v in places.indices]
        base = places.pointer
        start = _pointer(builder, base, k) if isinstance(base.type, VectorType) else base
        return builder.gep(places.source_type, start, parts, flags=places.flags)
    return element(builder, places, k)


def _rewrite(function: Function, call: Call, lanes: _Lanes) -> None:
    loads = not isinstance(call.type, VoidType)
    parts: list[Value] = []
    for k in range(lanes.count):
        assert call.parent is not None
        builder = _before(call)
        truth = lanes.chosen(builder, k)
        if isinstance(truth, ConstantInt):
            parts.append(_accessed(builder, lanes, k, loads) if truth.value else element(builder, lanes.value, k))
        elif isinstance(truth, ConstantKeyword):  # undefined: as if not asked for
            parts.append(element(builder, lanes.value, k))
        else:
            parts.append(_branched(builder, call, lanes, k, truth, loads))
    builder = _before(call)
    if loads:
        zero = constants.zero(lanes.type.element)
        parts += [zero] * (lanes.type.count - lanes.count)
        replace_uses(function, {call: vector_of(builder, lanes.type, parts)})
    assert call.parent is not None
    call.parent.instructions.remove(call)


def _branched(builder: Builder, call: Call, lanes: _Lanes, k: int, truth: Value, loads: bool) -> Value:
    before = element(builder, lanes.value, k)
    here = call.parent
    assert here is not None
    assert here.parent is not None
    rest = split_before(here, call)
    blocks = here.parent.blocks
    chosen = Block(f"{here.name}.lane", parent=here.parent)
    blocks.insert(blocks.index(rest), chosen)
    end = Builder(here)
    end.debug_location = builder.debug_location
    end.cond_br(truth, chosen, rest)
    inside = Builder(chosen)
    inside.debug_location = builder.debug_location
    found = _accessed(inside, lanes, k, loads)
    inside.br(rest)
    if not loads:
        return found
    top = Builder(rest)
    top.debug_location = builder.debug_location
    phi = top.phi(before.type)
    top.add_incoming(phi, found, chosen)
    top.add_incoming(phi, before, here)
    return phi


def _accessed(builder: Builder, lanes: _Lanes, k: int, loads: bool) -> Value:
    place = lanes.address(builder, k)
    if loads:
        return builder.load(lanes.type.element, place, align=1)
    value = element(builder, lanes.value, k)
    builder.store(value, place, align=1)
    return value


def _before(call: Call) -> Builder:
    assert call.parent is not None
    builder = Builder(call.parent, call)
    builder.debug_location = call.metadata.get("dbg")
    return builder
