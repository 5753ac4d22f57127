"""Derivatives of a batch as a whole: what `em.vjp(em.vmap(f), …)` and `em.jvp(em.vmap(f), …)` do.

Invariant: as if the loop over the batch were one function. A parameter that is the same for all examples gets the sum of what the
examples give, one that is mapped an entry for each, along the axis on which it was mapped. One native loop over f's own derivative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.batches import native
from enzyme_magic.api.batches.axes import axis_of
from enzyme_magic.api.batches.examples import Examples, examples
from enzyme_magic.api.derivatives.outputs import RESULT, Output
from enzyme_magic.api.derivatives.setting import Setting, call_of
from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.backend.frontend.c_types import Void
from enzyme_magic.backend.runtime.calls.batch import Batch
from enzyme_magic.backend.runtime.values import buffers, floats, layout
from enzyme_magic.errors import ArgumentError, user_frames

if TYPE_CHECKING:
    from enzyme_magic.api.batches.vmapped import Vmapped
    from enzyme_magic.api.function import CFunction

Shape = tuple[int, ...]


class Way:
    """One function over a batch, with the parameters and outputs of interest."""

    def __init__(self, vmapped: Vmapped, function: CFunction, wrt: Wrt, outputs: Wrt, unchecked: bool) -> None:
        self.vmapped, self.function, self.unchecked = vmapped, function, unchecked
        self.setting = Setting(function, wrt, outputs, unchecked=unchecked)

    # Native code -----------------------------------------------------------------------------------------------------

    @cached_property
    def primal(self) -> Batch:
        """The function itself; the program's static data is afterwards what it was."""
        return native.primal(self.function, put_back=True)

    def derivative(self, mode: str) -> Batch:
        """Of one example: "forward" gives the result too, "reverse" takes its seed."""
        setting = self.setting
        request = self.function.request_of(setting.wrt, mode, setting.outputs.buffers, value=mode == "forward")
        return native.derivative(self.function, request)

    # Reverse mode ----------------------------------------------------------------------------------------------------

    def vjp(self, args: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, BatchPullback]:
        """(value, pullback)."""
        given = self._examples(args, named).kept(self.function.roles.read)
        working = given.working()
        made = self.primal.run(given.shape, {("primal", k): array for k, array in enumerate(working)})
        leaves = [made["value", None] if o.index == RESULT else working[o.index] for o in self.setting.outputs.outputs]
        return self.vmapped.placed(self.setting.outputs.pack(leaves)), BatchPullback(self, given)

    def _examples(self, args: Sequence[Any], named: Mapping[str, Any]) -> Examples:
        function = self.function
        arguments = function.arguments(unchecked=self.unchecked, copied=True)
        return examples(arguments, function.roles.written, self.vmapped.levels, args, named)

    # Forward mode ----------------------------------------------------------------------------------------------------

    def jvp(self, primals: Any, tangents: Any) -> tuple[Any, Any]:
        """(value, tangent)."""
        setting, function = self.setting, self.function
        args, named = call_of(primals)
        given = self._examples(args, named)
        directions = setting.tangents(primals, tangents)
        working = given.working()
        arrays: dict[Any, Any] = {("primal", k): array for k, array in enumerate(working)}
        for k in setting.wrt.indices:
            direction = self._direction(given, k, directions.get(k))
            arrays["shadow" if setting.is_pointer(k) else "tangent", k] = direction
        batch = self.derivative("forward")
        for k in batch.shadowed:
            if ("shadow", k) not in arrays:
                arrays["shadow", k] = given.zeros(k, shared=k not in given.written)
        made = batch.run(given.shape, arrays)
        returns = not isinstance(function.c_signature.result, Void)
        value, moved = [], []
        for output in setting.outputs.outputs:
            if output.index != RESULT:
                value.append(working[output.index])
                moved.append(arrays["shadow", output.index] if output.active else None)
                continue
            value.append(made["value", None] if returns else None)
            moved.append(made["tangent", None] if output.active else None)
        pack, placed = setting.outputs.pack, self.vmapped.placed
        return placed(pack(value)), placed(pack(moved))

    def _direction(self, given: Examples, index: int, value: Any) -> Any:
        """The tangents of a parameter, the batch's axes first; where C writes, of memory of their own for each example."""
        column = given.columns[index]
        label = f"tangent of {self.setting.names[index]}"
        if column is None:
            if value is not None:
                raise self.setting.mistake(label, "is given, and the argument is None (NULL)", "None")
            return None
        own = self.setting.is_pointer(index) and index in given.written
        if value is None:
            return given.zeros(index, shared=not own)
        taken = self.exactly(label, value, given, index, column)
        if not own:
            return taken
        made = given.zeros(index)
        made[...] = taken
        return made

    def exactly(self, label: str, value: Any, given: Examples, index: int, like: Any) -> Any:
        """A derivative as given, exactly converted, in the form of the parameter's column `like`."""
        axes = [level.get(index) for level in given.axes]
        shape = self.outer(like.shape, axes, given.rank)

        def wrong(problem: str) -> ArgumentError:
            return self.setting.mistake(label, problem, f"np.asarray(…, dtype=np.{like.dtype}).reshape({shape})")

        import numpy as np

        made = floats.exact_copy(value, shape, like.dtype, wrong)
        return np.ascontiguousarray(self.vmapped.taken(made, axes))

    def outer(self, shape: Shape, axes: Sequence[int | None], rank: int) -> Shape:
        """The shape of an argument whose column has `shape`."""
        core = list(shape[rank:])
        for level in range(rank - 1, -1, -1):
            axis = axes[level]
            if axis is not None:
                core.insert(axis % (len(core) + 1), shape[level])
        return tuple(core)

    def back(self, array: Any, given: Examples, index: int) -> Any:
        """A derivative for each example as the argument lay: the way back of `exactly`; sums where it was not mapped."""
        import numpy as np

        shared = tuple(level for level in range(given.rank) if given.axes[level].get(index) is None)
        array = array.sum(axis=shared, keepdims=True) if shared and any(array.shape[k] != 1 for k in shared) else array
        for level in range(given.rank - 1, -1, -1):
            axis = given.axes[level].get(index)
            rank = array.ndim - level
            array = array.squeeze(level) if axis is None else np.moveaxis(array, level, level + axis % rank)
        return np.ascontiguousarray(array) if array.shape else array[()]


class BatchPullback:
    """`pullback(cotangent)`: the gradient of the outputs of all examples, weighted with the cotangent, which has their form."""

    __slots__ = ("_given", "_way")

    def __init__(self, way: Way, given: Examples) -> None:
        self._way, self._given = way, given

    @user_frames
    def __call__(self, cotangent: Any) -> Any:
        way, given, setting = self._way, self._given, self._way.setting
        roles = way.function.roles
        arrays: dict[Any, Any] = {}
        for k, column in enumerate(given.columns):
            if k not in given.written:
                arrays["primal", k] = column
            else:
                arrays["primal", k] = given.all_of(k) if k in roles.read else given.zeros(k)
        batch = way.derivative("reverse")
        for k in batch.shadowed:
            reduced = k not in given.written
            arrays["shadow", k] = _zeros(given, k) if reduced else given.zeros(k)
        for output, weight in zip(setting.outputs.outputs, setting.outputs.unpack(cotangent), strict=True):
            self._seed(arrays, output, weight)
        made = batch.run(given.shape, arrays)
        parts = [arrays["shadow", k] if setting.is_pointer(k) else made["gradient", k] for k in setting.wrt.indices]
        found = [None if p is None else way.back(p, given, k) for k, p in zip(setting.wrt.indices, parts, strict=True)]
        return setting.pack_gradients(found)

    def _seed(self, arrays: dict[Any, Any], output: Output, weight: Any) -> None:
        way, given, setting = self._way, self._given, self._way.setting
        label = f"cotangent of {output.name}"
        if weight is None:
            return
        if not output.active:
            raise setting.mistake(label, "is given, and it holds no floating numbers", "None")
        own = output.index == RESULT
        like = layout.dtype_of(output.type) if own else arrays["shadow", output.index].dtype
        shape = (*given.shape, *(() if own else given.core(output.index)))
        axes = self._axes(output)
        outer = way.outer(shape, axes, given.rank)

        def wrong(problem: str) -> ArgumentError:
            return setting.mistake(label, problem, f"np.asarray(…, dtype=np.{like}).reshape({outer})")

        import numpy as np

        taken = way.vmapped.taken(floats.exact_copy(weight, outer, like, wrong), axes)
        if own:
            arrays["seed", None] = np.ascontiguousarray(taken)
        else:
            arrays["shadow", output.index][...] = taken

    def _axes(self, output: Output) -> list[int | None]:
        """Where each level's axis of this output lies."""
        setting = self._way.setting
        names = [o.name for o in setting.outputs.outputs]
        found = []
        for level in self._way.vmapped.levels:
            axes = level.out_axes
            if isinstance(axes, tuple) and not setting.outputs.bare:
                axes = axes[names.index(output.name)]
            elif isinstance(axes, Mapping):
                axes = axes.get(output.name, 0)
            found.append(axis_of(setting.function.name, output.name, axes))
        return found

    def __repr__(self) -> str:
        return f"<pullback of {self._way.vmapped!r}>"


def _zeros(given: Examples, index: int) -> Any:
    """Adjoints: those of a parameter that is the same for all are added up in one memory."""
    column = given.columns[index]
    if column is None:
        return None
    return buffers.zeros(column.shape, column.dtype)
