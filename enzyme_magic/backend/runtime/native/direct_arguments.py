"""The text that reads and checks the arguments of a function that Python calls directly.

Invariant: a check that fails goes the slow way, and nothing has been written before. What is asked of one object is C
(c/objects.c); the text says of which, and computes the formulas of sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from enzyme_magic.backend.runtime.native.constants import ARRAY_ALIGNED, ARRAY_CONTIGUOUS, ARRAY_WRITEABLE
from enzyme_magic.backend.runtime.native.direct_form import BLOCK, ByValue, Direct, Formula, Memory
from enzyme_magic.backend.runtime.native.direct_writer import Writer

LARGEST = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class DirectArgument:
    """A converted argument. native: what C takes; number: an integer as i64; view, count: of an array."""

    native: str
    number: str = ""
    view: str = ""
    count: str = ""


def read(w: Writer, direct: Direct) -> list[DirectArgument]:
    """Every argument, read and checked; sizes that were left out are taken from the arrays."""
    total = len(direct.parameters)
    short = [index for index in range(total) if index not in direct.sizes]
    full = w.op(f"icmp eq i64 %count, {total}")
    if direct.sizes:
        w.need(w.op(f"or i1 {full}, {w.op(f'icmp eq i64 %count, {len(short)}')}"))
    else:
        w.need(full)
    values: list[DirectArgument] = []
    for index, parameter in enumerate(direct.parameters):
        if index in direct.sizes:
            values.append(DirectArgument(""))
            continue
        place = w.op(f"select i1 {full}, i64 {index}, i64 {short.index(index)}") if direct.sizes else str(index)
        values.append(_read(w, index, parameter, _given(w, place)))
    if direct.sizes:
        _sizes(w, direct, values, full)
    for index, parameter in enumerate(direct.parameters):
        if isinstance(parameter, Memory) and parameter.extents and direct.checked:
            _check_extents(w, parameter, values[index], values)
    return values


def _given(w: Writer, place: int | str) -> str:
    return w.op(f"load ptr, ptr {w.op(f'getelementptr ptr, ptr %args, i64 {place}')}")


def _read(w: Writer, index: int, parameter: ByValue | Memory, given: str) -> DirectArgument:
    if isinstance(parameter, Memory):
        return array(w, parameter, given, w.word(len(BLOCK) + index))
    if parameter.word in ("double", "float"):
        return DirectArgument(w.real(given, parameter.word))
    return _integer(w, parameter, w.whole(given))


def _integer(w: Writer, parameter: ByValue, number: str) -> DirectArgument:
    """An i64 in the parameter's range, as C takes it. (An unsigned 64-bit number beyond an i64's is read elsewhere.)"""
    w.need(w.op(f"icmp sge i64 {number}, {parameter.low}"))
    w.need(w.op(f"icmp sle i64 {number}, {min(parameter.high, LARGEST)}"))
    word = parameter.word.split()[0]
    return DirectArgument(number if word == "i64" else w.op(f"trunc i64 {number} to {word}"), number)


def array(w: Writer, parameter: Memory, given: str, dtype: str) -> DirectArgument:
    """An array that C may take as it is."""
    wanted = ARRAY_CONTIGUOUS | ARRAY_ALIGNED | (ARRAY_WRITEABLE if parameter.written else 0)
    view = w.variable("%em.view")
    w.need(w.op(f"call i1 @em.direct.array(ptr {given}, ptr {dtype}, i32 {wanted}, ptr {view})"))
    if len(parameter.extents) > 1:
        w.need(w.op(f"icmp eq i64 {w.field(view, 'rank')}, {len(parameter.extents)}"))
    return DirectArgument(w.field(view, "data"), "", view, w.field(view, "count"))


def _sizes(w: Writer, direct: Direct, values: list[DirectArgument], full: str) -> None:
    """Sizes are given all, or none of them: then each is what the first array that has it says, and the others agree."""
    given, inferred, joined = w.label("given"), w.label("inferred"), w.label("joined")
    w.line(f"br i1 {full}, label %{given}, label %{inferred}")
    w.begin(given)
    said: dict[int, str] = {}
    for index in sorted(direct.sizes):
        said[index] = w.whole(_given(w, index))
    given_end = w.here
    w.line(f"br label %{joined}")
    w.begin(inferred)
    found: dict[int, str] = {}
    for parameter, value in zip(direct.parameters, values, strict=True):
        for axis, extent in enumerate(parameter.extents if isinstance(parameter, Memory) else ()):
            if not (isinstance(extent, tuple) and extent[0] == "parameter" and extent[1] in direct.sizes):
                continue
            number = value.count if len(parameter.extents) == 1 else w.dimension(value.view, axis)  # type: ignore[union-attr]
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


def _check_extents(w: Writer, parameter: Memory, value: DirectArgument, values: Sequence[DirectArgument]) -> None:
    """What extents.py checks, for an array of the declared rank."""
    sizes = [None if extent is None else _formula(w, extent, values) for extent in parameter.extents]
    needed = "1"
    for axis, size in enumerate(sizes):
        least = "0" if size is None else w.op(f"call i64 @llvm.smax.i64(i64 {size}, i64 0)")
        needed = least if axis == 0 else w.checked("mul", needed, least)
        if axis and size is not None:
            w.need(w.op(f"icmp eq i64 {size}, {w.dimension(value.view, axis)}"))
    w.need(w.op(f"icmp sge i64 {value.count}, {needed}"))


def _formula(w: Writer, formula: Formula, values: Sequence[DirectArgument]) -> str:
    """Its value as an i64; a call in which it does not fit goes the slow way."""
    if isinstance(formula, int):
        return str(formula)
    if formula[0] == "parameter":
        return values[int(str(formula[1]))].number
    a, b = (_formula(w, part, values) for part in formula[1:])  # type: ignore[arg-type]
    if formula[0] == "max":
        return w.op(f"call i64 @llvm.smax.i64(i64 {a}, i64 {b})")
    return w.checked(str(formula[0]), a, b)


def check_least(w: Writer, direct: Direct, values: Sequence[DirectArgument]) -> None:
    """Every array has the bytes that the function is certain to touch."""
    for least in direct.least:
        for index, limit in least.names:
            w.need(w.op(f"icmp sge i64 {values[index].number}, 0"))
            w.need(w.op(f"icmp slt i64 {values[index].number}, {min(limit, LARGEST)}"))
        for condition in least.when:
            w.need(w.op(f"icmp sge i64 {_formula(w, condition, values)}, 0"))
        parameter = direct.parameters[least.parameter]
        assert isinstance(parameter, Memory)
        have = w.checked("mul", values[least.parameter].count, str(parameter.itemsize))
        w.need(w.op(f"icmp sge i64 {have}, {_formula(w, least.size, values)}"))
