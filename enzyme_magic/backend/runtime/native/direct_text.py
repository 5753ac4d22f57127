"""The text of a function that Python calls directly (METH_FASTCALL): checks, the native call and the result, without ctypes.

Invariant: it does its work only where every argument is exactly what C takes: a float, an int in range, an array of the very dtype,
C-contiguous, aligned, large enough, and sizes that agree. In every other case it calls the callable it was given for that, with the
same arguments, before anything has been written: what is accepted, and every error, is said there and nowhere else.

`self` is a tuple: a bytes object with the words of `BLOCK`, and that callable. This is text; calls/direct.py decides what is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from enzyme_magic.backend.runtime.native import constants, direct_writer
from enzyme_magic.backend.runtime.native.direct_writer import Writer
from enzyme_magic.backend.runtime.values import objects

SYMBOL = "em.direct"
METHOD = "em.direct.method"
BLOCK = (
    "target",
    "times",
    "kind",
)  # then a word for each parameter's dtype, then one for each parameter's result array

# A formula of integer parameters: a number, a parameter's index in a tuple of its own, or an operator and its operands.
Formula = int | tuple[object, ...]


@dataclass(frozen=True, slots=True)
class ByValue:
    """A parameter passed by value. word: LLVM's type with its extension; low, high: of integers."""

    word: str
    low: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True)
class Memory:
    """A pointer parameter. extents: as declared, None for one that is not known; result: where its adjoints lie ("" for none,
    "given" for an array of the caller's, "fresh")."""

    itemsize: int
    written: bool
    extents: tuple[Formula | None, ...] = ()
    result: str = ""


@dataclass(frozen=True, slots=True)
class Least:
    """Bytes that a parameter's memory has at least, where the parameters of `names` lie in 0 <= value < limit and no `when` is
    negative."""

    parameter: int
    size: Formula
    when: tuple[Formula, ...]
    names: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the result. kind: "number" (of LLVM type `word`, at `offset` of the results block or returned by value) or "memory"
    (the result array of parameter `offset`)."""

    kind: Literal["number", "memory"]
    word: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Direct:
    """One function. slots: native parameters, as (kind, C parameter). sizes: parameters that may be left out. result: LLVM's type
    of what is returned by value; block: bytes of the results block. pieces: what the user gets, as one object, or, where `several`,
    as a tuple of the type in the block's "kind"; value: what comes before them in a pair. handlers: Python may have been called.
    lock: whether the interpreter lock is "free" during the call, "kept", or kept where such calls were short ("measured")."""

    parameters: tuple[ByValue | Memory, ...]
    sizes: frozenset[int]
    checked: bool
    least: tuple[Least, ...]
    slots: tuple[tuple[str, int], ...]
    words: tuple[str, ...]
    result: str
    block: int
    pieces: tuple[Piece, ...]
    several: bool
    value: Piece | None
    handlers: bool
    lock: str


def text(direct: Direct) -> str:
    """A module with SYMBOL and METHOD."""
    return "\n".join([direct_writer.DECLARED, _guard(direct), _function(direct)])


def _guard(direct: Direct) -> str:
    plain, extension = _returned(direct)
    words = ", ".join(("ptr", *direct.words))
    return "\n".join(f"declare {extension} {plain} @em.run.guard_{way}({words})" for way in ("passed", "kept"))


def _returned(direct: Direct) -> tuple[str, str]:
    """LLVM's type of what the native function returns, and its extension."""
    plain = direct.result.split()[0]
    return plain, direct.result[len(plain) :].strip()


def _function(direct: Direct) -> str:
    w = Writer()
    w.line("%words.object = call ptr @PyTuple_GetItem(ptr %self, i64 0)")
    w.line("%words = call ptr @PyBytes_AsString(ptr %words.object)")
    block = w.variable(f"[{max(direct.block, 1)} x i8]")
    w.need(w.op("icmp eq ptr %names, null"))
    values = _arguments(w, direct)
    _check_least(w, direct, values)
    shadows = _results(w, direct, values)
    returned = _call(w, direct, values, shadows, block)
    _finish(w, direct, shadows, returned, block)
    body = "\n".join(["entry:", *w.variables, *w.lines])
    failing = _failing(w.owned)
    return f"""
define ptr @{SYMBOL}(ptr %self, ptr %args, i64 %count, ptr %names) {{
{body}
slow:
  %other = call ptr @PyTuple_GetItem(ptr %self, i64 1)
  %said = call ptr @PyObject_Vectorcall(ptr %other, ptr %args, i64 %count, ptr %names)
  ret ptr %said
{failing}
}}
@em.direct.name = internal constant [5 x i8] c"call\\00"
@{METHOD} = global {{ ptr, ptr, i32, ptr }} {{ ptr @em.direct.name, ptr @{SYMBOL}, i32 130, ptr null }}
"""


@dataclass(slots=True)
class _Value:
    """A converted argument. native: what C takes; number: an integer as i64; count, rank, shape: of an array."""

    native: str
    number: str = ""
    object: str = ""
    count: str = ""
    rank: str = ""
    shape: str = ""


# Arguments -----------------------------------------------------------------------------------------------------------


def _arguments(w: Writer, direct: Direct) -> list[_Value]:
    """Every argument, read and checked; sizes that were left out are taken from the arrays."""
    total = len(direct.parameters)
    short = [index for index in range(total) if index not in direct.sizes]
    full = w.op(f"icmp eq i64 %count, {total}")
    if direct.sizes:
        w.need(w.op(f"or i1 {full}, {w.op(f'icmp eq i64 %count, {len(short)}')}"))
    else:
        w.need(full)
    values: list[_Value] = []
    for index, parameter in enumerate(direct.parameters):
        if index in direct.sizes:
            values.append(_Value(""))
            continue
        place = w.op(f"select i1 {full}, i64 {index}, i64 {short.index(index)}") if direct.sizes else str(index)
        given = w.op(f"load ptr, ptr {w.op(f'getelementptr ptr, ptr %args, i64 {place}')}")
        values.append(_read(w, index, parameter, given))
    if direct.sizes:
        _sizes(w, direct, values, full)
    for index, parameter in enumerate(direct.parameters):
        if isinstance(parameter, Memory) and parameter.extents and direct.checked:
            _check_extents(w, parameter, values[index], values)
    return values


def _read(w: Writer, index: int, parameter: ByValue | Memory, given: str) -> _Value:
    if isinstance(parameter, Memory):
        return _array(w, index, parameter, given)
    if parameter.word in ("double", "float"):
        return _Value(w.real(given, parameter.word))
    return _integer(w, parameter, w.whole(given))


def _integer(w: Writer, parameter: ByValue, number: str) -> _Value:
    """An i64 in the parameter's range, as C takes it. (An unsigned 64-bit number beyond an i64's is read elsewhere.)"""
    w.need(w.op(f"icmp sge i64 {number}, {parameter.low}"))
    w.need(w.op(f"icmp sle i64 {number}, {min(parameter.high, (1 << 63) - 1)}"))
    word = parameter.word.split()[0]
    return _Value(number if word == "i64" else w.op(f"trunc i64 {number} to {word}"), number)


def _array(w: Writer, index: int, parameter: Memory, given: str) -> _Value:
    w.need(w.op(f"icmp eq ptr {w.field(given, objects.TYPE)}, @em.type.array"))
    wanted = (
        constants.ARRAY_CONTIGUOUS | constants.ARRAY_ALIGNED | (constants.ARRAY_WRITEABLE if parameter.written else 0)
    )
    flags = w.op(f"and i32 {w.field(given, objects.FLAGS, 'i32')}, {wanted}")
    w.need(w.op(f"icmp eq i32 {flags}, {wanted}"))
    w.need(w.op(f"icmp eq ptr {w.field(given, objects.DTYPE)}, {_word(w, len(BLOCK) + index)}"))
    rank, shape = w.field(given, objects.RANK, "i32"), w.field(given, objects.SHAPE)
    if len(parameter.extents) > 1:
        w.need(w.op(f"icmp eq i32 {rank}, {len(parameter.extents)}"))
    count = w.op(f"call i64 @em.direct.count(i32 {rank}, ptr {shape})")
    return _Value(w.field(given, constants.ARRAY_DATA), "", given, count, rank, shape)


def _word(w: Writer, place: int) -> str:
    return w.op(f"load ptr, ptr {w.op(f'getelementptr ptr, ptr %words, i64 {place}')}")


def _sizes(w: Writer, direct: Direct, values: list[_Value], full: str) -> None:
    """Sizes are given all, or none of them: then each is what the first array that has it says, and the others agree."""
    given, inferred, joined = w.label("given"), w.label("inferred"), w.label("joined")
    w.line(f"br i1 {full}, label %{given}, label %{inferred}")
    w.begin(given)
    said: dict[int, str] = {}
    for index in sorted(direct.sizes):
        said[index] = w.whole(w.op(f"load ptr, ptr {w.op(f'getelementptr ptr, ptr %args, i64 {index}')}"))
    given_end = w.here
    w.line(f"br label %{joined}")
    w.begin(inferred)
    found: dict[int, str] = {}
    for parameter, value in zip(direct.parameters, values, strict=True):
        for axis, extent in enumerate(parameter.extents if isinstance(parameter, Memory) else ()):
            if not (isinstance(extent, tuple) and extent[0] == "parameter" and extent[1] in direct.sizes):
                continue
            number = value.count if len(parameter.extents) == 1 else w.dimension(value.shape, axis)  # type: ignore[union-attr]
            first = found.setdefault(int(str(extent[1])), number)
            if first is not number:
                w.need(w.op(f"icmp eq i64 {first}, {number}"))
    inferred_end = w.here
    w.line(f"br label %{joined}")
    w.begin(joined)
    numbers = {
        index: w.op(f"phi i64 [ {said[index]}, %{given_end} ], [ {found[index]}, %{inferred_end} ]")
        for index in sorted(direct.sizes)
    }
    for index, number in numbers.items():
        parameter = direct.parameters[index]
        assert isinstance(parameter, ByValue)
        values[index] = _integer(w, parameter, number)


def _check_extents(w: Writer, parameter: Memory, value: _Value, values: Sequence[_Value]) -> None:
    """What extents.py checks, for an array of the declared rank."""
    sizes = [None if extent is None else _formula(w, extent, values) for extent in parameter.extents]
    needed = "1"
    for axis, size in enumerate(sizes):
        least = "0" if size is None else w.op(f"call i64 @llvm.smax.i64(i64 {size}, i64 0)")
        needed = least if axis == 0 else w.checked("mul", needed, least)
        if axis and size is not None:
            w.need(w.op(f"icmp eq i64 {size}, {w.dimension(value.shape, axis)}"))
    w.need(w.op(f"icmp sge i64 {value.count}, {needed}"))


def _formula(w: Writer, formula: Formula, values: Sequence[_Value]) -> str:
    """Its value as an i64; a call in which it does not fit goes the slow way."""
    if isinstance(formula, int):
        return str(formula)
    if formula[0] == "parameter":
        return values[int(str(formula[1]))].number
    a, b = (_formula(w, part, values) for part in formula[1:])  # type: ignore[arg-type]
    if formula[0] == "max":
        return w.op(f"call i64 @llvm.smax.i64(i64 {a}, i64 {b})")
    return w.checked(str(formula[0]), a, b)


def _check_least(w: Writer, direct: Direct, values: Sequence[_Value]) -> None:
    for least in direct.least:
        for index, limit in least.names:
            w.need(w.op(f"icmp sge i64 {values[index].number}, 0"))
            w.need(w.op(f"icmp slt i64 {values[index].number}, {min(limit, (1 << 63) - 1)}"))
        for condition in least.when:
            w.need(w.op(f"icmp sge i64 {_formula(w, condition, values)}, 0"))
        parameter = direct.parameters[least.parameter]
        assert isinstance(parameter, Memory)
        have = w.checked("mul", values[least.parameter].count, str(parameter.itemsize))
        w.need(w.op(f"icmp sge i64 {have}, {_formula(w, least.size, values)}"))


# Memory for results --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Shadow:
    object: str
    data: str
    fresh: bool


def _results(w: Writer, direct: Direct, values: Sequence[_Value]) -> dict[int, _Shadow]:
    """The arrays that adjoints lie in, zeroed; the caller's are all checked before the first is written."""
    given: dict[int, tuple[str, str, str]] = {}
    for index, parameter in enumerate(direct.parameters):
        if isinstance(parameter, Memory) and parameter.result == "given":
            given[index] = _given(w, direct, index, values, given)
    shadows = {}
    for index, (array, data, size) in given.items():
        w.line(f"call void @llvm.memset.p0.i64(ptr {data}, i8 0, i64 {size}, i1 false)")
        shadows[index] = _Shadow(array, data, False)
    for index, parameter in enumerate(direct.parameters):
        if isinstance(parameter, Memory) and parameter.result == "fresh":
            value = values[index]
            dtype = _word(w, len(BLOCK) + index)
            size = w.op(f"mul i64 {value.count}, {parameter.itemsize}")
            array = w.op(f"call ptr @em.direct.zeros(i64 {size}, ptr {dtype}, i32 {value.rank}, ptr {value.shape})")
            w.own(array)
            shadows[index] = _Shadow(array, w.field(array, constants.ARRAY_DATA), True)
    return shadows


def _given(
    w: Writer, direct: Direct, index: int, values: Sequence[_Value], earlier: dict[int, tuple[str, str, str]]
) -> tuple[str, str, str]:
    """The caller's array for a gradient, checked as purity.result_memory does."""
    parameter, value = direct.parameters[index], values[index]
    assert isinstance(parameter, Memory)
    array = _word(w, len(BLOCK) + len(direct.parameters) + index)
    taken = _array(w, index, Memory(parameter.itemsize, True), array)
    same = f"call i1 @em.direct.same(i32 {taken.rank}, ptr {taken.shape}, i32 {value.rank}, ptr {value.shape})"
    w.need(w.op(same))
    size = w.op(f"mul i64 {taken.count}, {parameter.itemsize}")
    for other, (_, data, other_size) in zip(direct.parameters, _extents_of(w, direct, values), strict=True):
        if isinstance(other, Memory):
            w.need(w.op(f"call i1 @em.direct.apart(ptr {taken.native}, i64 {size}, ptr {data}, i64 {other_size})"))
    for _, data, other_size in earlier.values():
        w.need(w.op(f"call i1 @em.direct.apart(ptr {taken.native}, i64 {size}, ptr {data}, i64 {other_size})"))
    return array, taken.native, size


def _extents_of(w: Writer, direct: Direct, values: Sequence[_Value]) -> list[tuple[str, str, str]]:
    found = []
    for parameter, value in zip(direct.parameters, values, strict=True):
        size = w.op(f"mul i64 {value.count}, {parameter.itemsize}") if isinstance(parameter, Memory) else ""
        found.append(("", value.native, size))
    return found


# The call and what it gives ------------------------------------------------------------------------------------------


def _call(w: Writer, direct: Direct, values: Sequence[_Value], shadows: dict[int, _Shadow], block: str) -> str:
    passed = [f"ptr {_word(w, 0)}"]
    for (kind, index), word in zip(direct.slots, direct.words, strict=True):
        if kind == "primal":
            given = values[index].native
        elif kind == "shadow":
            given = shadows[index].data
        elif kind == "results":
            given = block
        elif kind == "arena":
            given = w.op("call ptr @em.run.arena_current()")
        else:
            given = "1.0"
        passed.append(f"{word} {given}")
    if direct.lock == "measured":
        returned = _measured(w, direct, values, ", ".join(passed))
    else:
        returned = _guarded(w, direct, "kept" if direct.lock == "kept" else "passed", ", ".join(passed))
    if direct.handlers:
        fine = w.op("call i1 @em.direct.settled()")
    else:
        fine = w.op(f"icmp eq ptr {w.op('call ptr @PyErr_Occurred()')}, null")
    w.need(fine, w.failing())
    return returned


def _guarded(w: Writer, direct: Direct, way: str, passed: str) -> str:
    plain, extension = _returned(direct)
    call = f"call {extension} {plain} @em.run.guard_{way}({passed})"
    if plain != "void":
        return w.op(call)
    w.line(call)
    return ""


def _measured(w: Writer, direct: Direct, values: Sequence[_Value], passed: str) -> str:
    """The call, with or without the interpreter lock: as calls of this size have been short or not."""
    size = "0"
    for value in values:
        if value.count or value.number:
            part = value.count or w.op(f"call i64 @llvm.abs.i64(i64 {value.number}, i1 false)")
            size = w.op(f"call i64 @llvm.uadd.sat.i64(i64 {size}, i64 {part})")
    times = _word(w, BLOCK.index("times"))
    keeps = w.op(f"call i1 @em.direct.keeps(ptr {times}, i64 {size})")
    kept, free, joined = w.label("kept"), w.label("free"), w.label("joined")
    begun = w.op("call i64 @llvm.readcyclecounter()")
    w.line(f"br i1 {keeps}, label %{kept}, label %{free}")
    results = []
    for label, way in ((kept, "kept"), (free, "passed")):
        w.begin(label)
        results.append(_guarded(w, direct, way, passed))
        w.line(f"br label %{joined}")
    w.begin(joined)
    plain, _ = _returned(direct)
    returned = w.op(f"phi {plain} [ {results[0]}, %{kept} ], [ {results[1]}, %{free} ]") if results[0] else ""
    ended = w.op("call i64 @llvm.readcyclecounter()")
    ticks = w.op(f"sub i64 {ended}, {begun}")
    w.line(f"call void @em.direct.measured(ptr {times}, i64 {size}, i1 zeroext {keeps}, i64 {ticks})")
    return returned


def _finish(w: Writer, direct: Direct, shadows: dict[int, _Shadow], returned: str, block: str) -> None:
    given = [_object(w, piece, shadows, returned, block) for piece in direct.pieces]
    kept = {piece.offset for piece in direct.pieces if piece.kind == "memory"}
    for index, shadow in shadows.items():
        if shadow.fresh and index not in kept:
            w.line(f"call void @Py_DecRef(ptr {shadow.object})")
    if direct.several:
        kind = _word(w, BLOCK.index("kind"))
        made = w.op(f"call ptr @PyType_GenericAlloc(ptr {kind}, i64 {len(given)})")
        result = w.filled(made, given)
    else:
        result = given[0] if given else w.op("call ptr @em.direct.none()")
    if direct.value is not None:
        value = _object(w, direct.value, shadows, returned, block)
        result = w.filled(w.op("call ptr @PyTuple_New(i64 2)"), [value, result])
    w.line(f"ret ptr {result}")


def _object(w: Writer, piece: Piece, shadows: dict[int, _Shadow], returned: str, block: str) -> str:
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


def _failing(owned: Sequence[str]) -> str:
    """What releases the arrays made so far: one block for each number of them."""
    lines = []
    for count in range(len(owned), 0, -1):
        lines += [f"fail{count}:", f"  call void @Py_DecRef(ptr {owned[count - 1]})", f"  br label %fail{count - 1}"]
    return "\n".join([*lines, "fail0:", "  ret ptr null"])
