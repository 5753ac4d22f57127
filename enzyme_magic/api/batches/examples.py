"""The arguments of all examples of a batch, in the form in which the native loop takes them.

Invariant: everything is checked before anything runs, as in a call of one example: dtypes, exact numbers, declared extents, what
the loops of C are certain to touch, overlap with written arrays. An array that is not mapped is not copied, and one that is mapped
is copied only where its examples do not lie as C reads them, or where C writes to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from enzyme_magic.api.batches.axes import VmapLevel, mistake, of_arguments
from enzyme_magic.backend.runtime.calls.mapping import exact_array
from enzyme_magic.backend.runtime.values import buffers, layout
from enzyme_magic.backend.runtime.values.arguments import MISSING, ArgumentBinder
from enzyme_magic.backend.runtime.values.buffers import Buffer
from enzyme_magic.backend.runtime.values.purity import overlap


@dataclass(frozen=True)
class Examples:
    """shape: of the batch, the outermost vmap first. columns: per parameter, the axes of the batch and then those of an example; an
    axis of the batch has length 1 where the parameter is not mapped; None is NULL. axes: per level and parameter. values: the first
    example as converted. written: parameters that C writes through.
    """

    shape: tuple[int, ...]
    columns: tuple[Any, ...]
    axes: tuple[Mapping[int, int | None], ...]
    values: tuple[Any, ...]
    written: frozenset[int]

    @property
    def rank(self) -> int:
        return len(self.shape)

    def core(self, index: int) -> tuple[int, ...]:
        """The shape of one example."""
        value = self.values[index]
        return tuple(value.array.shape) if isinstance(value, Buffer) and value.array is not None else ()

    def one(self, index: int) -> tuple[int, ...]:
        """Lengths along the batch: 1 where the parameter is not mapped."""
        return tuple(n if axes.get(index) is not None else 1 for n, axes in zip(self.shape, self.axes, strict=True))

    def all_of(self, index: int) -> Any:
        """A copy for each example, of memory of its own."""
        column = self.columns[index]
        if column is None:
            return None
        made = buffers.empty((*self.shape, *column.shape[self.rank :]), column.dtype)
        made[...] = column
        return made

    def zeros(self, index: int, extra: tuple[int, ...] = (), *, shared: bool = False) -> Any:
        """Memory like that of a pointer parameter, for each example or for all; NULL for NULL. extra: axes behind the batch's."""
        column = self.columns[index]
        if column is None:
            return None
        lengths = (1,) * (self.rank + len(extra)) if shared else (*self.shape, *extra)
        return buffers.zeros((*lengths, *column.shape[self.rank :]), column.dtype)

    def working(self) -> list[Any]:
        """The columns for a call of each example: copies of what C writes."""
        return [self.all_of(k) if k in self.written else column for k, column in enumerate(self.columns)]

    def kept(self, read: frozenset[int]) -> Examples:
        """These, with copies of what is read: the caller may change it before a pullback is called."""
        columns = [
            column.copy() if column is not None and k in read and column.ndim else column
            for k, column in enumerate(self.columns)
        ]
        return replace(self, columns=tuple(columns))


def examples(
    arguments: ArgumentBinder,
    written: frozenset[int],
    levels: Sequence[VmapLevel],
    args: Sequence[Any],
    named: Mapping[str, Any],
) -> Examples:
    """Raises ArgumentError EM339 for axes that do not fit, otherwise what a call of one example raises."""
    return _Reader(arguments, written, levels, args, named).examples()


class _Reader:
    """Takes the arguments of one call apart."""

    def __init__(
        self,
        arguments: ArgumentBinder,
        written: frozenset[int],
        levels: Sequence[VmapLevel],
        args: Sequence[Any],
        named: Mapping[str, Any],
    ) -> None:
        self.arguments, self.written = arguments, written
        self.name, self.names = arguments.function, arguments.names
        self.raw = arguments.bind(args, named)
        self.axes = tuple(of_arguments(level, arguments, len(args), tuple(named)) for level in levels)
        self.rank = len(levels)
        self.sizes: list[dict[int, int]] = [{} for _ in levels]

    def examples(self) -> Examples:
        moved = [self._moved(k, value) for k, value in enumerate(self.raw)]
        shape = tuple(self._size(level) for level in range(self.rank))
        self._refuse_overlap(moved)
        columns = [self._laid_out(k, column, shape) for k, column in enumerate(moved)]
        values = self._checked(columns, shape)
        for value in values[len(columns) :]:  # memory that the function gets beyond the arguments
            like = value.array
            columns.append(buffers.zeros((*(1,) * self.rank, *like.shape), like.dtype) if like is not None else None)
        for k, column in enumerate(columns):
            if column is MISSING:
                number = buffers.zeros((1,) * self.rank, layout.dtype_of(self.arguments.signature.parameters[k].type))
                number[...] = values[k]
                columns[k] = number
        beyond = frozenset(range(len(self.names), len(columns)))
        return Examples(shape, tuple(columns), self.axes, tuple(values), self.written | beyond)

    # Axes --------------------------------------------------------------------------------------------------------

    def _moved(self, index: int, value: Any) -> Any:
        """The argument with the axes of the batch first, of length 1 where it is not mapped."""
        if value is MISSING:
            return MISSING
        pointer = self.arguments.pointers.get(index)
        if pointer is not None:
            if value is None:
                return None
            buffers.refuse_mask(value, f"{self.name}: {self.names[index]}")
            array = pointer.as_array(value)
        else:
            type_ = self.arguments.signature.parameters[index].type
            array = exact_array(self.name, self.names[index], value, layout.dtype_of(type_))
        for level, axes in enumerate(self.axes):
            array = self._level(level, index, array, axes.get(index))
        if pointer is None and array.ndim > self.rank:
            left = array.shape[self.rank :]
            raise mistake(
                f"{self.name}: {self.names[index]} is one number, and an array of shape {left} is left of it for each example",
                "map its other axes too: em.vmap of the vmap",
            )
        return array

    def _level(self, level: int, index: int, array: Any, axis: int | None) -> Any:
        import numpy as np

        if axis is None:
            return np.expand_dims(array, level)
        rank = array.ndim - level
        if not -rank <= axis < rank:
            what = f"has {rank} axes" if rank else "is one number"
            hint = "None for what is the same for all examples: in_axes=(0, None)"
            raise mistake(f"{self.name}: {self.names[index]} {what}, and in_axes maps axis {axis} of it", hint)
        self.sizes[level][index] = array.shape[level + axis % rank]
        return np.moveaxis(array, level + axis % rank, level)

    def _size(self, level: int) -> int:
        sizes = self.sizes[level]
        if not sizes:
            raise mistake(f"{self.name}: nothing is mapped", "in_axes gives an axis for one argument at least")
        if len(set(sizes.values())) > 1:
            listed = ", ".join(f"axis {self.axes[level][k]} of {self.names[k]} has {n}" for k, n in sizes.items())
            raise mistake(
                f"{self.name}: the mapped axes differ in size: {listed}",
                "arrays with as many examples; None in in_axes for what is the same for all",
            )
        return next(iter(sizes.values()))

    # Memory ------------------------------------------------------------------------------------------------------

    def _refuse_overlap(self, moved: Sequence[Any]) -> None:
        """As in a call of one example: a written array shares no memory with another argument."""
        arrays = [(k, a) for k, a in enumerate(moved) if k in self.arguments.pointers and a is not None]
        for k, array in arrays:
            for other, second in arrays:
                if k in self.written and other != k and _shares(array, second):
                    raise overlap(self.arguments, self.names[k], self.names[other])

    def _laid_out(self, index: int, column: Any, shape: tuple[int, ...]) -> Any:
        """Examples without gaps, where they are read as they lie; those of written arrays are copied later."""
        import numpy as np

        if column is MISSING or column is None or index not in self.arguments.pointers:
            return column
        first = column[(slice(0, 1),) * self.rank]
        return column if first.flags.c_contiguous and column.flags.aligned else np.ascontiguousarray(column)

    def _checked(self, columns: Sequence[Any], shape: tuple[int, ...]) -> list[Any]:
        """The first example as converted, after the checks of all: shapes are alike, integers may differ."""
        import numpy as np

        integers = [
            k
            for k, column in enumerate(columns)
            if column is not None
            and column is not MISSING
            and k not in self.arguments.pointers
            and layout.is_integer(self.arguments.signature.parameters[k].type)
            and column.size > 1
        ]
        values = self._converted(columns, {})
        if integers and 0 not in shape:
            spread = np.broadcast_arrays(*(columns[k].astype(object) for k in integers))
            for numbers in dict.fromkeys(zip(*(part.ravel().tolist() for part in spread), strict=True)):
                self._converted(columns, dict(zip(integers, numbers, strict=True)))
        return values

    def _converted(self, columns: Sequence[Any], integers: Mapping[int, int]) -> list[Any]:
        import numpy as np

        named: dict[str, Any] = {}
        for k, (name, column) in enumerate(zip(self.names, columns, strict=True)):
            if column is MISSING:
                continue
            if k in integers:
                named[name] = integers[k]
            elif column is None:
                named[name] = None
            else:
                full = column.size or all(column.shape[: self.rank])
                first = column[(*(0,) * self.rank, ...)] if full else np.zeros(column.shape[self.rank :], column.dtype)
                named[name] = first if k in self.arguments.pointers else first.item()
        return self.arguments.convert((), named)


def _shares(first: Any, second: Any) -> bool:
    import numpy as np

    try:
        return bool(np.shares_memory(first, second, max_work=cast(Any, 100_000)))
    except np.exceptions.TooHardError:
        return True
