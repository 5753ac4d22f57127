"""The text of what a function that Python calls directly gives: arrays for adjoints before the call, Python's objects after it.

Invariant: the caller's arrays are all checked before the first is written, and every array made by the call is given back or
released. What makes an object is C (c/objects.c) or Python's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from enzyme_magic.backend.runtime.native import direct_arguments as arguments
from enzyme_magic.backend.runtime.native.constants import ARRAY_DATA
from enzyme_magic.backend.runtime.native.direct_arguments import DirectArgument
from enzyme_magic.backend.runtime.native.direct_form import BLOCK, Direct, Memory, Piece
from enzyme_magic.backend.runtime.native.direct_writer import Writer


@dataclass(frozen=True, slots=True)
class ResultArray:
    """An array that adjoints lie in. fresh: made by the call."""

    object: str
    data: str
    fresh: bool


def shadows_of(w: Writer, direct: Direct, values: Sequence[DirectArgument]) -> dict[int, ResultArray]:
    """The arrays that adjoints lie in, zeroed; the caller's are all checked before the first is written."""
    given: dict[int, tuple[str, str, str]] = {}
    for index, parameter in enumerate(direct.parameters):
        if isinstance(parameter, Memory) and parameter.result == "given":
            given[index] = _given(w, direct, index, values, given)
    shadows = {}
    for index, (array, data, size) in given.items():
        w.line(f"call void @llvm.memset.p0.i64(ptr {data}, i8 0, i64 {size}, i1 false)")
        shadows[index] = ResultArray(array, data, False)
    for index, parameter in enumerate(direct.parameters):
        if isinstance(parameter, Memory) and parameter.result == "fresh":
            value = values[index]
            dtype = w.word(len(BLOCK) + index)
            size = w.op(f"mul i64 {value.count}, {parameter.itemsize}")
            array = w.op(f"call ptr @em.direct.zeros(i64 {size}, ptr {dtype}, ptr {value.view})")
            w.own(array)
            data = w.op(f"load ptr, ptr {w.op(f'getelementptr i8, ptr {array}, i64 {ARRAY_DATA}')}")
            shadows[index] = ResultArray(array, data, True)
    return shadows


def _given(
    w: Writer, direct: Direct, index: int, values: Sequence[DirectArgument], earlier: dict[int, tuple[str, str, str]]
) -> tuple[str, str, str]:
    """The caller's array for a gradient, checked as purity.result_memory does."""
    parameter, value = direct.parameters[index], values[index]
    assert isinstance(parameter, Memory)
    array = w.word(len(BLOCK) + len(direct.parameters) + index)
    taken = arguments.array(w, Memory(parameter.itemsize, True), array, w.word(len(BLOCK) + index))
    w.need(w.op(f"call i1 @em.direct.same(ptr {taken.view}, ptr {value.view})"))
    size = w.op(f"mul i64 {taken.count}, {parameter.itemsize}")
    others = [(data, other_size) for _, data, other_size in earlier.values()]
    for other, argument in zip(direct.parameters, values, strict=True):
        if isinstance(other, Memory):
            others.append((argument.native, w.op(f"mul i64 {argument.count}, {other.itemsize}")))
    for data, other_size in others:
        w.need(w.op(f"call i1 @em.direct.apart(ptr {taken.native}, i64 {size}, ptr {data}, i64 {other_size})"))
    return array, taken.native, size


def finish(w: Writer, direct: Direct, shadows: dict[int, ResultArray], returned: str, block: str) -> None:
    """Python's object for what the function gave, and the return."""
    given = [_object(w, piece, shadows, returned, block) for piece in direct.pieces]
    kept = {piece.offset for piece in direct.pieces if piece.kind == "memory"}
    for index, shadow in shadows.items():
        if shadow.fresh and index not in kept:
            w.line(f"call void @Py_DecRef(ptr {shadow.object})")
    if direct.several:
        kind = w.word(BLOCK.index("kind"))
        made = w.op(f"call ptr @PyType_GenericAlloc(ptr {kind}, i64 {len(given)})")
        result = w.filled(made, given)
    else:
        result = given[0] if given else w.op("call ptr @em.direct.none()")
    if direct.value is not None:
        value = _object(w, direct.value, shadows, returned, block)
        result = w.filled(w.op("call ptr @PyTuple_New(i64 2)"), [value, result])
    w.line(f"ret ptr {result}")


def _object(w: Writer, piece: Piece, shadows: dict[int, ResultArray], returned: str, block: str) -> str:
    """A new reference, null where there was no memory for it."""
    if piece.kind == "memory":
        shadow = shadows[piece.offset]
        if not shadow.fresh:
            w.line(f"call void @Py_IncRef(ptr {shadow.object})")
        return shadow.object
    word, unsigned = piece.word.removeprefix("u"), piece.word.startswith("u")
    number = returned
    if not returned:
        at = w.op(f"getelementptr i8, ptr {block}, i64 {piece.offset}")
        number = w.op(f"load {word}, ptr {at}, align 1")
    if word == "double":
        return w.op(f"call ptr @PyFloat_FromDouble(double {number})")
    if word == "float":
        return w.op(f"call ptr @em.direct.single(float {number})")
    if word == "i1":
        return w.op(f"call ptr @PyBool_FromLong(i64 {w.op(f'zext i1 {number} to i64')})")
    wide = number if word == "i64" else w.op(f"{'zext' if unsigned else 'sext'} {word} {number} to i64")
    return w.op(f"call ptr @PyLong_From{'Unsigned' if unsigned else ''}LongLong(i64 {wide})")
