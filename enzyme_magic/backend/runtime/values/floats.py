"""The floating numbers inside NumPy arrays of any C type: what derivatives are made of.

Invariant: a derivative has the dtype of what it belongs to (structs included), and is zero in everything that is no floating
number. Complex numbers are pairs of reals. Nothing here copies or changes memory but `clear_others` and `exact_copy`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from enzyme_magic.backend.runtime.values import buffers


def holds_floats(dtype: Any) -> bool:
    """Whether elements of `dtype` hold floating numbers."""
    if dtype.names is not None:
        return any(holds_floats(dtype[name]) for name in dtype.names)
    base = dtype.base
    return holds_floats(base) if base is not dtype else str(dtype.kind) in "fc"


def is_plain(dtype: Any) -> bool:
    """Whether elements of `dtype` are real floating numbers and nothing else."""
    return bool(dtype.kind == "f")


def views(array: Any) -> list[Any]:
    """The floating parts of an array, as real floating views of its memory, in the order of the fields."""
    return list(_views(array))


def _views(array: Any) -> Iterator[Any]:
    if array.dtype.names is not None:
        for name in array.dtype.names:
            yield from _views(array[name])
    elif array.dtype.kind == "f":
        yield array
    elif array.dtype.kind == "c":
        yield array.real
        yield array.imag


def paths(dtype: Any) -> list[str]:
    """What each of `views` is called inside an element: ".x", ".inner.w", " (imaginary part)"."""
    if dtype.names is not None:
        return [f".{name}{rest}" for name in dtype.names for rest in paths(dtype[name])]
    if dtype.base is not dtype:
        return paths(dtype.base)
    kind = dtype.kind
    return [""] if kind == "f" else [" (real part)", " (imaginary part)"] if kind == "c" else []


def clear_others(array: Any) -> Any:
    """Zeroes everything in `array` that is no floating number; gives it back."""
    if array.dtype.names is not None:
        for name in array.dtype.names:
            clear_others(array[name])
    elif array.dtype.kind not in "fc":
        array[...] = 0
    return array


def exact_copy(value: Any, shape: tuple[int, ...], dtype: Any, wrong: Callable[[str], Exception]) -> Any:
    """A fresh 64-byte aligned array of `shape` and `dtype` with the derivative `value`, zero outside floating numbers.

    As for numbers, a finite float may be rounded to a narrower floating type; nothing else may change. What does not fit raises
    `wrong(problem)`.
    """
    import numpy as np

    buffers.refuse_mask(value, "a derivative")
    given = buffers.array_of(value, wrong)
    if given.shape != shape:
        raise wrong(f"has shape {given.shape} instead of {shape}")
    made = buffers.empty(shape, dtype)
    if given.dtype == dtype:
        made[...] = given
        return clear_others(made)
    if dtype.kind not in "fc" or given.dtype.kind not in ("biufc" if dtype.kind == "c" else "biuf"):
        raise wrong(f"has dtype {given.dtype} instead of {dtype}")
    with np.errstate(all="ignore"):
        made[...] = given
    rounds = given.dtype.kind in "fc"
    same = np.isfinite(made) | ~np.isfinite(given) if rounds else made.astype(object) == given.astype(object)
    if not np.all(same):
        raise wrong(f"holds numbers that a {dtype} does not")
    return made
