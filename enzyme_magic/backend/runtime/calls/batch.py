"""One native function for every example of a batch: the primal, or any derivative, in one native loop.

Invariant: `Batch.run` calls the function once for each point of `shape`, in the order of C, with pointers into the arrays it is
given: the leading axes of an array are those of the batch (one of length 1 is the same memory for all), the others one example.
It checks nothing and copies nothing: arrays have the C types' dtypes, and what C writes lies apart for each example.

Results by value come in fresh arrays of the batch's shape. Functions that take or return structs or complex numbers by value are
refused.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.llvm.objects.elsewhere import Elsewhere, refused
from enzyme_magic.backend.runtime.calls import invoke, loops
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.native import batch_loop, loop_text
from enzyme_magic.backend.runtime.native.batch_loop import BatchPlace
from enzyme_magic.backend.runtime.values import buffers, layout
from enzyme_magic.errors import ArgumentError

Key = tuple[str, int | None]  # kind and parameter of a native parameter or result
RESULT_KINDS = ("value", "gradient", "tangent")


class Batch:
    """A native function. inlined: its program. shadowed: parameters whose shadows it takes."""

    def __init__(self, code: Code, inlined: loops.Inlined) -> None:
        """ArgumentError EM340 where a call needs more than numbers and pointers, ToolchainError EM151 where it is isolated."""
        if code.uniform:
            raise ArgumentError(
                f"{code.signature.name} takes or returns by value what is no real number or pointer; em.vmap has no loop for it",
                code="EM340",
                hint="let it take a pointer and write its result to one",
            )
        if isinstance(code.keep, Elsewhere):
            raise refused(code.keep.called)
        self.code, self.inlined = code, inlined
        self.given, self.made = batch_loop.places_of(code)
        self.shadowed = batch_loop.parameters_used(self.given, "shadow")
        self._loops: dict[int, tuple[Any, jit.Library]] = {}
        self._lock = threading.Lock()

    def dtype(self, place: BatchPlace) -> Any:
        """Of one number."""
        signature = self.code.signature
        if place.kind == "seed":
            return layout.dtype_of(signature.result)
        if place.kind in RESULT_KINDS and (place.kind != "value" or self.code.entry.result is None):
            return loop_text.dtype_of_word(place.word)
        return layout.dtype_of(
            signature.result if place.kind == "value" else signature.parameters[place.parameter or 0].type
        )

    def ones(self, rank: int) -> Any:
        """The seed 1 of the result, for all examples; None for functions without one."""
        seed = next((place for place in self.given if place.kind == "seed"), None)
        if seed is None:
            return None
        made = buffers.zeros((1,) * rank, self.dtype(seed))
        made[...] = 1
        return made

    def run(self, shape: Sequence[int], arrays: Mapping[Key, Any]) -> dict[Key, Any]:
        """The results by value. arrays: for each place the array it is read from or points into; None is NULL, and what is left
        out is a zero."""
        made: dict[Key, Any] = {
            (place.kind, place.parameter): buffers.empty(tuple(shape), self.dtype(place)) for place in self.made
        }
        count = math.prod(shape)
        if count:
            held = [self._array(place, arrays, len(shape)) for place in self.given] + list(made.values())
            self._call(tuple(shape), count, held)
        return made

    def _array(self, place: BatchPlace, arrays: Mapping[Key, Any], rank: int) -> Any:
        key = (place.kind, place.parameter)
        if key in arrays:
            return arrays[key]
        return None if place.word == "ptr" else buffers.zeros((1,) * rank, self.dtype(place))

    def _call(self, shape: tuple[int, ...], count: int, held: Sequence[Any]) -> None:
        rank = len(shape)
        bases = (ctypes.c_void_p * len(held))()
        strides = (ctypes.c_int64 * (len(held) * rank))()
        for k, array in enumerate(held):
            if array is None:
                continue
            bases[k] = buffers.address_of(array)
            for axis in range(rank):
                strides[k * rank + axis] = array.strides[axis] if array.shape[axis] != 1 else 0
        dims = (ctypes.c_int64 * rank)(*shape)
        tables = [ctypes.addressof(table) for table in (dims, bases, strides)]
        self._loop(rank)(count, *invoke.context(self.code.entry), *tables)

    def _loop(self, rank: int) -> Any:
        with self._lock:
            if rank not in self._loops:
                text, words = batch_loop.text_of(self.code, rank), batch_loop.loop_words(self.code)
                self._loops[rank] = loops.loaded(
                    self.code, self.inlined, text, batch_loop.SYMBOL, batch_loop.OWN, words
                )
            return self._loops[rank][0]
