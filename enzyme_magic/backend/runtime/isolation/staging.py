"""Arrays on their way to a worker and back.

Invariant: what lies in shared memory is passed as it is, everything else as a copy there; arrays that overlap, overlap there too.
What the call may write is copied back when it has returned, and not when it raised: then such arrays hold what they held.
Shadows that nobody gave are made in shared memory, and are the result itself.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any

from enzyme_magic.backend.frontend.c_types import Array, Pointer
from enzyme_magic.backend.llvm.objects.elsewhere import Elsewhere
from enzyme_magic.backend.runtime.calls.exchange import NOTHING, Derivative, Given, LanesCall, Taken
from enzyme_magic.backend.runtime.calls.native_types import Code
from enzyme_magic.backend.runtime.isolation import shared
from enzyme_magic.backend.runtime.values.buffers import ALIGNMENT, NULL, Buffer, buffer_of


class StagedArrays:
    """The arrays of one call."""

    def __init__(self, given: Iterable[Any]) -> None:
        self._region = shared.region()
        self._held: list[Any] = []
        self._moved: dict[tuple[int, int], int] = {}
        private = {(v.address, v.end) for v in given if type(v) is Buffer and self._is_private(v)}
        if private:
            self._copy(sorted(private))

    def _is_private(self, value: Buffer) -> bool:
        return value.array is not None and not self._region.holds(value.address, value.end)

    def _copy(self, ranges: list[tuple[int, int]]) -> None:
        groups: list[tuple[int, int]] = []
        for start, end in ranges:
            if groups and start < groups[-1][1]:
                groups[-1] = groups[-1][0], max(groups[-1][1], end)
            else:
                groups.append((start, end))
        for start, end in groups:
            shift = start % ALIGNMENT
            block = self._region.take(end - start + shift)
            self._held.append(block)
            ctypes.memmove(block.address + shift, start, end - start)
            for one in ranges:
                if start <= one[0] and one[1] <= end:
                    self._moved[one] = block.address + shift + one[0] - start

    def there(self, value: Any) -> Any:
        """The argument as the worker takes it."""
        if type(value) is not Buffer or value.array is None:
            return value
        address = self._moved.get((value.address, value.end))
        return value if address is None else Buffer(address, value.array)

    def back(self, value: Any) -> None:
        """What the call wrote, in the caller's array."""
        if type(value) is Buffer and value.array is not None and value.array.flags.writeable:
            address = self._moved.get((value.address, value.end))
            if address is not None:
                ctypes.memmove(value.address, address, value.end - value.address)


def _written(code: Code) -> frozenset[int]:
    """The pointer parameters that a call may write through; all where it is not known."""
    everything = frozenset(range(len(code.signature.parameters)))
    library = code.keep
    return library.written.get(code.signature.name, everything) if isinstance(library, Elsewhere) else everything


class StagedPrimal:
    """The C function in a worker. `inner`: the same, of converted arguments in shared memory."""

    __slots__ = ("arguments", "inner", "written")

    def __init__(self, inner: Any, code: Code) -> None:
        self.inner, self.arguments, self.written = inner, inner.arguments, _written(code)

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        return self.run(self.arguments.convert(args, named))

    def run(self, values: Sequence[Any]) -> Any:
        """The C result for converted arguments."""
        stage = StagedArrays(values)
        result = self.inner.run([stage.there(value) for value in values])
        for index in self.written:
            stage.back(values[index])
        return result


class StagedDerivative:
    """A derivative in a worker."""

    __slots__ = ("inner", "native", "shadowed", "written")

    def __init__(self, inner: Derivative, code: Code) -> None:
        self.inner, self.native, self.written = inner, inner.native, _written(code)
        self.shadowed = _shadowed(code)

    def __call__(self, values: Sequence[Any], given: Given = NOTHING) -> Taken:
        (taken,) = _run([given], values, self.shadowed, self.written, lambda v, g: [self.inner(v, g[0])])
        return taken


class StagedLanes:
    """A derivative that makes several sweeps at once, in a worker."""

    __slots__ = ("inner", "shadowed", "written")

    def __init__(self, inner: LanesCall, code: Code) -> None:
        self.inner, self.written, self.shadowed = inner, _written(code), _shadowed(code)

    def __call__(self, values: Sequence[Any], given: Sequence[Given]) -> list[Taken]:
        return _run(given, values, self.shadowed, self.written, self.inner)


def _shadowed(code: Code) -> tuple[int, ...]:
    if code.uniform:
        types = [parameter.type for parameter in code.signature.parameters]
        return tuple(k for k, type_ in enumerate(types) if isinstance(type_, (Pointer, Array)))
    slots = code.entry.slots
    return tuple(sorted({s.parameter for s in slots if s.kind == "shadow" and s.parameter is not None}))


def _run(
    given: Sequence[Given], values: Sequence[Any], shadowed: Sequence[int], written: frozenset[int], inner: Any
) -> list[Taken]:
    """The call, with each lane's shadows."""
    shadows = [{k: g.memory[k] if k in g.memory else _shadow(values[k]) for k in shadowed} for g in given]
    stage = StagedArrays([*values, *(shadow for lane in shadows for shadow in lane.values())])
    there = [
        Given(g.numbers, {k: stage.there(shadow) for k, shadow in lane.items()}, g.result)
        for g, lane in zip(given, shadows, strict=True)
    ]
    taken: list[Taken] = inner([stage.there(value) for value in values], there)
    for index in written:
        stage.back(values[index])
    for lane in shadows:
        for shadow in lane.values():
            stage.back(shadow)
    return [Taken(one.value, one.tangent, one.numbers, lane) for one, lane in zip(taken, shadows, strict=True)]


def _shadow(value: Buffer) -> Buffer:
    return NULL if value.array is None else buffer_of(shared.zeros(value.array.shape, value.array.dtype))
