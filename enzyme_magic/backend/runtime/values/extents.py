"""How many elements a C array parameter has, as its declarator says it.

Invariant: an extent is what frontend/extent.py reads. A size is inferred only from extents that are a bare name.

It does not know what the function's body reads: such ranges come in as further extents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.frontend.extent import Extent, Sizes, parse
from enzyme_magic.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class ArrayShape:
    """The declared dimensions of one array parameter; None where the program does not say one (`double (*A)[m]`)."""

    name: str
    extents: tuple[Extent | None, ...]

    def inferred(self, shape: tuple[int, ...]) -> dict[str, int]:
        """Sizes that follow from an array of this shape."""
        if len(self.extents) == 1 and len(shape) != 1:
            shape = (_product(shape),)
        if len(shape) != len(self.extents):
            return {}
        return {extent.bare: size for extent, size in zip(self.extents, shape, strict=True) if extent and extent.bare}

    def known(self, shape: tuple[int | None, ...]) -> dict[str, int]:
        """As `inferred`, of a shape of which some sizes are not known (None): what follows from the others."""
        if None in shape and len(self.extents) != len(shape):
            return {}
        probe = self.inferred(tuple(-1 if size is None else size for size in shape))
        return {name: size for name, size in probe.items() if size >= 0}

    def needed(self, sizes: Sizes) -> int:
        """Elements that C may touch, as far as the declaration tells."""
        only = self.extents[0]
        if len(self.extents) == 1 and only is not None:
            return max(only.value(sizes), 0)
        return _product([max(extent.value(sizes), 0) if extent else 0 for extent in self.extents])

    @property
    def names(self) -> frozenset[str]:
        """The integer parameters the dimensions are made of."""
        return frozenset[str]().union(*(extent.names for extent in self.extents if extent))

    def describe(self, sizes: Sizes) -> str:
        """`n = 10`, `n*m = 12`, `7`."""
        known = [extent for extent in self.extents if extent]
        text = "*".join(e.text if e.bare or len(known) == 1 else f"({e.text})" for e in known)
        needed = self.needed(sizes)
        return text if text == str(needed) else f"{text} = {needed}"


def _product(numbers: Sequence[int]) -> int:
    result = 1
    for number in numbers:
        result *= number
    return result


class Extents:
    """The declared extents of all array parameters of one function."""

    __slots__ = ("arrays", "function", "inferable", "spelled")

    def __init__(self, function: str, declared: Mapping[str, Sequence[str]], integers: frozenset[str]) -> None:
        """declared: extents by array parameter; integers: the integer parameters a size may be given by."""
        self.function = function
        self.arrays: dict[str, ArrayShape] = {}
        for name, texts in declared.items():
            read = [parse(text) for text in texts]
            extents = tuple(extent if extent is not None and extent.names <= integers else None for extent in read)
            if any(extents):
                self.arrays[name] = ArrayShape(name, extents)
        bare = {extent.bare for array in self.arrays.values() for extent in array.extents if extent}
        self.inferable = frozenset(name for name in bare if name is not None)

    def infer(self, given: dict[str, int], shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
        """`given` plus the sizes that follow from the arrays. shapes: of the arrays with extents that are not NULL, in C order.

        Raises ArgumentError EM311 when two arrays disagree about a size that is not given.
        """
        sizes = dict(given)
        if self.inferable <= given.keys():
            return sizes
        origin: dict[str, str] = {}
        for name, shape in shapes.items():
            for size, value in self.arrays[name].inferred(shape).items():
                if size in given:
                    continue
                if sizes.setdefault(size, value) != value:
                    raise self._disagreement(size, origin[size], sizes[size], name, value)
                origin.setdefault(size, name)
        return sizes

    def check(self, sizes: Sizes, shapes: Mapping[str, tuple[int, ...]]) -> None:
        """Raises ArgumentError EM309 when an array is shorter than declared, EM314 for a rank that fits no declaration."""
        for name, shape in shapes.items():
            array = self.arrays[name]
            count = len(array.extents)
            self.check_ranks({name: shape})
            have = _product(shape)
            if have < array.needed(sizes):
                raise self._too_short(array, sizes, have)
            if len(shape) == count > 1:
                self._check_rows(array, sizes, shape)

    def check_ranks(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        """Raises ArgumentError EM314 for an array that has neither the declared rank nor is flat."""
        for name, shape in shapes.items():
            count = len(self.arrays[name].extents)
            if count > 1 and len(shape) not in (0, 1, count):
                raise self._wrong_rank(self.arrays[name], shape)

    def _check_rows(self, array: ArrayShape, sizes: Sizes, shape: tuple[int, ...]) -> None:
        """Rows of another length than declared would shift every element."""
        for axis, extent in enumerate(array.extents[1:], 1):
            if extent is not None and extent.value(sizes) != shape[axis]:
                raise ArgumentError(
                    f"{self.function}: {array.name} needs rows of {extent.text} = {extent.value(sizes)} elements,"
                    f" got {shape[axis]} (axis {axis} of shape {shape})",
                    code="EM309",
                    hint=f"pass an array of the declared shape, or {extent.text}={shape[axis]}",
                )

    def _wrong_rank(self, array: ArrayShape, shape: tuple[int, ...]) -> ArgumentError:
        declared = "".join(f"[{extent.text if extent else ''}]" for extent in array.extents)
        return ArgumentError(
            f"{self.function}: {array.name}{declared} has {len(array.extents)} dimensions, got an array of rank {len(shape)}",
            code="EM314",
            hint=f"{array.name}.reshape(…) to rank {len(array.extents)}, or pass it flat",
        )

    def _too_short(self, array: ArrayShape, sizes: Sizes, have: int) -> ArgumentError:
        names = " and ".join(sorted(array.names))
        hint = f"pass a longer {array.name}" + (f", or a smaller {names}" if names else "")
        return ArgumentError(
            f"{self.function}: {array.name} needs at least {array.describe(sizes)} elements, got {have}",
            code="EM309",
            hint=hint,
        )

    def _disagreement(self, size: str, first: str, a: int, second: str, b: int) -> ArgumentError:
        return ArgumentError(
            f"{self.function}: {size} would be {a} by {first} and {b} by {second}",
            code="EM311",
            hint=f"pass arrays that agree, or {size}=… to use a part of them",
        )
