"""What keeps derivative calls pure: working copies, and no memory shared with what is written.

Invariant: a buffer the function may write is copied once per call unless donated, one proven unwritten never. Overlap with a
written range is an error: the adjoints of the two would be mixed up. So it is with the memory that `out` gives for results, which
shares no byte with an argument or with that of another result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from enzyme_magic.backend.runtime.values import buffers
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder
from enzyme_magic.backend.runtime.values.buffers import Buffer
from enzyme_magic.errors import ArgumentError


def working_copies(values: list[Any], indices: frozenset[int]) -> list[Any]:
    """Converted arguments with fresh memory for those of `indices`, as a list of the caller's own."""
    return [
        buffers.buffer_of(buffers.copy_of(value.array))
        if index in indices and type(value) is Buffer and value.array is not None
        else value
        for index, value in enumerate(values)
    ]


def check_overlap(arguments: ArgumentBinder, values: Sequence[Any], written: frozenset[int]) -> None:
    """ArgumentError EM312 when a written buffer shares memory with another argument."""
    if not written:
        return
    taken = [(index, value) for index, value in enumerate(values) if type(value) is Buffer and value.array is not None]
    for (a, first), (b, second) in combinations(taken, 2):
        if (a in written or b in written) and first.overlaps(second):
            raise overlap(arguments, arguments.names[a], arguments.names[b])


def result_memory(arguments: ArgumentBinder, out: Mapping[int, Any], values: Sequence[Any]) -> dict[int, Buffer]:
    """The caller's memory for the gradients of pointer parameters, after every check; nothing has been written to it.

    Raises ArgumentError EM317 for another dtype, shape or layout, or where there is no gradient to take, EM312 when an argument or
    another result lies there.
    """
    targets: dict[int, Buffer] = {}
    for index, given in out.items():
        target = _result(arguments, index, given, values)
        for other, earlier in targets.items():
            if target.overlaps(earlier):
                raise _shared_results(arguments, arguments.names[other], arguments.names[index])
        targets[index] = target
    return targets


def _result(arguments: ArgumentBinder, index: int, given: Any, values: Sequence[Any]) -> Buffer:
    import numpy as np

    array, name = values[index].array, arguments.names[index]
    if array is None:
        raise ArgumentError(
            f"{arguments.function}: out has an array for {name}, which is None (NULL) and has no gradient",
            code="EM317",
            hint=f"None for {name} in out",
        )
    buffers.refuse_mask(given, f"{arguments.function}: out for {name}")
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
            raise overlap(arguments, f"out for {name}", other)
    return target


def _shared_results(arguments: ArgumentBinder, first: str, second: str) -> ArgumentError:
    return ArgumentError(
        f"{arguments.function}: out for {first} and out for {second} share memory, and each gradient is added up in its own",
        code="EM312",
        hint=f"np.empty_like({second})",
    )


def overlap(arguments: ArgumentBinder, first: str, second: str) -> ArgumentError:
    """EM312 for two arguments of these names."""
    return ArgumentError(
        f"{arguments.function}: {first} and {second} share memory, and the function writes to one of them",
        code="EM312",
        hint=f"pass {second}.copy()",
    )
