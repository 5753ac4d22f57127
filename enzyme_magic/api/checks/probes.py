"""Points that can be moved, and weighted outputs: what a derivative is compared with.

Invariant: nothing of the caller's is touched: a point owns copies. A derivative and a direction are lists of real arrays, one per
floating part of an argument (`floats.views`), so structs and complex numbers need no cases of their own.

The slope of a weighted sum of outputs is found by central differences with Richardson extrapolation (error O(h^4)).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from enzyme_magic.api.derivatives.outputs import Output
from enzyme_magic.api.derivatives.setting import Setting
from enzyme_magic.backend.runtime.values import floats, layout

LIMIT = 32  # coordinates looked at one by one, per floating part of an argument

Parts = list[Any]  # real arrays, one per floating part


@dataclass(frozen=True, slots=True)
class Probe:
    """A direction in one argument: a coordinate ("[0, 1].x"), or a fixed random direction."""

    index: int
    where: str
    direction: Parts


@dataclass(frozen=True, slots=True)
class Slopes:
    """To the left, to the right, and the extrapolated central one; rough: several steps give slopes that differ by more than a
    thousandth, so that the central one means little; uneven: the two that are extrapolated differ by more than the given precision
    explains."""

    left: float
    right: float
    central: float
    rough: bool = False
    uneven: bool = False


def parts_of(value: Any) -> Parts:
    """The floating parts of a number, a struct or an array."""
    import numpy as np

    return floats.views(np.asarray(value))


def dot(a: Parts, b: Parts) -> Any:
    """The sum of products, in the wider of the two types."""
    import numpy as np

    return sum((np.sum(x * y) for x, y in zip(a, b, strict=True)), np.longdouble(0))


class Point:
    """Arguments of one call, those of `setting.wrt` as arrays that can be moved."""

    def __init__(self, setting: Setting, values: Sequence[Any]) -> None:
        """values: converted arguments."""
        self.setting = setting
        self.values = [self._owned(index, value) for index, value in enumerate(values)]

    def _owned(self, index: int, value: Any) -> Any:
        import numpy as np

        if self.setting.is_pointer(index):
            return None if value.array is None else value.array.copy()
        if index not in self.setting.wrt.indices:
            return value
        type_ = self.setting.types[index]
        if layout.is_long_double(type_):
            return np.array(np.frombuffer(bytes(value), np.longdouble)[0])
        return np.array(value, layout.dtype_of(type_))

    def arguments(self, values: Sequence[Any] | None = None) -> list[Any]:
        """What to call the function with: copies of the arrays, numbers as numbers."""
        given = (self.values if values is None else values)[: len(self.setting.names)]
        return [
            value if not hasattr(value, "shape") else value.copy() if self.setting.is_pointer(index) else value[()]
            for index, value in enumerate(given)
        ]

    def weighted(self, weights: Mapping[int, Parts], values: Sequence[Any] | None = None) -> Any:
        """The sum of all outputs, each number with its weight."""
        arguments = self.arguments(values)
        outputs = self.setting.function.evaluate(arguments)
        return sum((dot(weight, parts_of(outputs[index])) for index, weight in weights.items()), 0.0)

    def probes(self, index: int) -> Iterator[Probe]:
        """The directions along which one argument is moved."""
        import numpy as np

        value = self.values[index]
        parts = floats.views(value)
        names = floats.paths(value.dtype)
        for k, (part, path) in enumerate(zip(parts, names, strict=True)):
            for flat in np.unique(np.linspace(0, part.size - 1, min(part.size, LIMIT)).astype(int)):
                direction = [np.zeros(other.shape) for other in parts]
                direction[k].flat[flat] = 1.0
                yield Probe(index, _where(np.unravel_index(flat, part.shape), value.ndim, path), direction)
        if sum(part.size for part in parts) > 1:
            yield Probe(index, " along a random direction", random_parts(parts, 7))

    def moved(self, probe: Probe, distance: Any) -> list[Any]:
        """The arguments, one of them `distance` away along the probe."""
        values = list(self.values)
        moved = values[probe.index].copy()
        for part, direction in zip(floats.views(moved), probe.direction, strict=True):
            part[...] = (part + distance * direction).astype(part.dtype)
        values[probe.index] = moved
        return values

    def size(self, probe: Probe) -> float:
        """How large the numbers are that a probe moves; at least 1."""
        import numpy as np

        value = floats.views(self.values[probe.index])
        reach = [np.max(np.abs(part * (d != 0)), initial=0.0) for part, d in zip(value, probe.direction, strict=True)]
        return max(1.0, float(max(reach)))

    def step(self, probe: Probe, precision: float) -> float:
        """How far differences look to each side: a power of two, so that x + h is exact more often."""
        return 2.0 ** round(math.log2(precision ** (1 / 5) * self.size(probe) * 2.0))

    def slopes(self, probe: Probe, weights: Mapping[int, Parts], precision: float) -> Slopes:
        """How the weighted sum changes along a probe. precision: distance from 1 to the next number."""
        h = self.step(probe, precision)

        def at(distance: float) -> Any:
            return self.weighted(weights, self.moved(probe, distance))

        wide, narrow = ((at(step) - at(-step)) / (2 * step) for step in (h, h / 2))
        near = h / 64
        middle = at(0.0)
        left, right = float((middle - at(-near)) / near), float((at(near) - middle) / near)
        found = [float(wide), float(narrow), left, right]
        rough = not max(found) - min(found) <= 1e-3 * max(map(abs, found))
        uneven = not abs(float(wide) - float(narrow)) <= precision ** (2 / 5) * max(map(abs, found))
        return Slopes(left, right, float((4 * narrow - wide) / 3), rough, uneven)


def _where(position: Sequence[Any], rank: int, path: str) -> str:
    """`[1].inner.w[2]`."""
    outer, inner = position[:rank], position[rank:]
    first = f"[{', '.join(str(int(k)) for k in outer)}]" if outer else ""
    return first + path + (f"[{', '.join(str(int(k)) for k in inner)}]" if inner else "")


def random_parts(like: Parts, seed: int) -> Parts:
    """Fixed random numbers of the shapes of `like`."""
    import numpy as np

    random = np.random.default_rng(seed)
    return [random.standard_normal(part.shape) for part in like]


def random_derivative(value: Any, seed: int) -> Any:
    """A tangent or cotangent for `value` (an array or a number), filled with fixed random numbers."""
    import numpy as np

    made = np.zeros_like(np.asarray(value))
    for part, numbers in zip(floats.views(made), random_parts(floats.views(made), seed), strict=True):
        part[...] = numbers
    return made


def weights_of(outputs: Sequence[Output], cotangents: Sequence[Any]) -> dict[int, Parts]:
    """Cotangents as weights, by output."""
    return {
        output.index: parts_of(cotangent)
        for output, cotangent in zip(outputs, cotangents, strict=True)
        if cotangent is not None
    }
