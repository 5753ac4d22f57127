"""Elements of vectors that are known while a program is rewritten.

Invariant: what is given back equals an `extractelement` at that place. Constants and elements that were just put in are found
without one, so that a mask or an index that the C text spells out is a constant here, too.
"""

from __future__ import annotations

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Cast, InsertElement
from enzyme_magic.backend.ir.types import FloatType, IntType, VectorType
from enzyme_magic.backend.ir.values import (
    ConstantAggregate,
    ConstantFloat,
    ConstantInt,
    ConstantKeyword,
    ConstantSplat,
    Value,
)


def element(builder: Builder, vector: Value, lane: int) -> Value:
    """Element `lane` of `vector`; what must be computed for it is written by `builder`."""
    vector = _as_made(vector)
    while isinstance(vector, InsertElement) and isinstance(vector.operands[2], ConstantInt):
        if vector.operands[2].unsigned == lane:
            return vector.operands[1]
        vector = vector.operands[0]
    if isinstance(vector, ConstantSplat):
        return vector.element
    if isinstance(vector, ConstantAggregate):
        return vector.elements[lane]
    if isinstance(vector, ConstantKeyword) and isinstance(vector.type, VectorType):
        known = vector.keyword == "zeroinitializer"
        return constants.zero(vector.type.element) if known else ConstantKeyword(vector.type.element, vector.keyword)
    return builder.extract_element(vector, lane)


def _as_made(vector: Value) -> Value:
    """What was reinterpreted as another vector and back, as x86's functions do with theirs."""
    while isinstance(vector, Cast) and vector.opcode == "bitcast":
        between = vector.operands[0]
        if not isinstance(between, Cast) or between.opcode != "bitcast" or between.operands[0].type != vector.type:
            break
        vector = between.operands[0]
    return vector


def vector_of(builder: Builder, type_: VectorType, parts: list[Value]) -> Value:
    """The vector of these elements."""
    vector: Value = constants.poison(type_)
    for lane, part in enumerate(parts):
        vector = builder.insert_element(vector, part, lane)
    return vector


def is_negative(builder: Builder, value: Value) -> Value:
    """Whether the highest bit of an element is set, an i1: what the masks of vector instructions are asked for."""
    if isinstance(value, ConstantInt):
        return constants.TRUE if value.value < 0 else constants.FALSE
    if isinstance(value, ConstantFloat):
        return constants.TRUE if value.bits >> (constants.format_of(value.type).width - 1) else constants.FALSE
    if isinstance(value.type, FloatType):
        value = builder.bitcast(value, IntType(constants.format_of(value.type).width))
    return builder.icmp("slt", value, constants.zero(value.type))


def shuffle_lanes(mask: Value) -> list[int | None]:
    """Source lane of each result lane; None for poison."""
    assert isinstance(mask.type, VectorType)
    elements = getattr(mask, "elements", None)
    if elements is not None:
        return [e.unsigned if isinstance(e, ConstantInt) else None for e in elements]
    splat = getattr(mask, "element", None)
    lane = splat.unsigned if isinstance(splat, ConstantInt) else 0 if constants.is_zero(mask) else None
    return [lane] * mask.type.count
