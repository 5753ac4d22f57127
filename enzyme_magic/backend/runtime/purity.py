"""What keeps derivative calls pure: working copies, and no memory shared with what is written.

Invariant: a buffer the function may write is copied once per call unless donated, one proven unwritten never. Overlap with a
written range is an error: the adjoints of the two would be mixed up.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from enzyme_magic.backend.runtime import buffers
from enzyme_magic.backend.runtime.arguments import Arguments
from enzyme_magic.backend.runtime.buffers import Buffer
from enzyme_magic.errors import ArgumentError


def working_copies(values: list[Any], indices: frozenset[int]) -> list[Any]:
    """Converted arguments with fresh memory for those of `indices`, as a list of the caller's own."""
    return [
        buffers.buffer_of(buffers.copy_of(value.array))
        if index in indices and type(value) is Buffer and value.array is not None
        else value
        for index, value in enumerate(values)
    ]


def check_overlap(arguments: Arguments, values: Sequence[Any], written: frozenset[int]) -> None:
    """ArgumentError EM312 when a written buffer shares memory with another argument."""
    if not written:
        return
    taken = [(index, value) for index, value in enumerate(values) if type(value) is Buffer and value.array is not None]
    for (a, first), (b, second) in combinations(taken, 2):
        if (a in written or b in written) and first.overlaps(second):
            raise _overlap(arguments, arguments.names[a], arguments.names[b])


def result_memory(arguments: Arguments, index: int, given: Any, values: Sequence[Any]) -> Buffer:
    """The caller's memory for the gradient of a pointer parameter, after every check.

    Raises ArgumentError EM317 for another dtype, shape or layout, EM312 when an argument lies there.
    """
    import numpy as np

    array, name = values[index].array, arguments.names[index]
    fits = isinstance(given, np.ndarray) and given.dtype == array.dtype and given.shape == array.shape
    if not fits or not (given.flags.c_contiguous and given.flags.aligned and given.flags.writeable):
        raise ArgumentError(
            f"{arguments.function}: out for {name} must be a writable, C-contiguous {array.dtype} array"
            f" of shape {array.shape}",
            code="EM317",
            hint=f"np.empty_like({name})",
        )
    target = buffers.buffer_of(given)
    for other, value in zip(arguments.names, values, strict=True):
        if type(value) is Buffer and target.overlaps(value):
            raise _overlap(arguments, f"out for {name}", other)
    return target


def _overlap(arguments: Arguments, first: str, second: str) -> ArgumentError:
    return ArgumentError(
        f"{arguments.function}: {first} and {second} share memory, and the function writes to one of them",
        code="EM312",
        hint=f"pass {second}.copy()",
    )
