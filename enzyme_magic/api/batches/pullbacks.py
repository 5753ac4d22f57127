"""`em.vmap` of a pullback and of `f.vjp`: the gradients of many weights, or at many points, in one native loop.

Invariant: what a call for each example gives, in the same structure. Where there is no such loop (axes that differ between the
entries of a cotangent, `out=`, structs by value, programs that are isolated) it is that: `python_functions`.

The sum over the examples is another question: `em.vjp(em.vmap(f), …)`, in `derived`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from enzyme_magic.api.batches import native
from enzyme_magic.api.batches.axes import VmapLevel, arranged, mistake, one_axis
from enzyme_magic.api.batches.examples import Examples, examples
from enzyme_magic.api.batches.python_functions import Functions, MappedFunction
from enzyme_magic.api.derivatives.outputs import RESULT
from enzyme_magic.api.derivatives.products import Pullback, VJPFunction
from enzyme_magic.api.derivatives.setting import Setting
from enzyme_magic.backend.runtime.calls.batch import Batch
from enzyme_magic.backend.runtime.contents import NamedByContent
from enzyme_magic.backend.runtime.values import buffers, floats, layout, structs
from enzyme_magic.backend.runtime.values.buffers import Buffer
from enzyme_magic.errors import ArgumentError, EnzymeError, user_frames

NO_LOOP = ("EM340", "EM151")  # structs by value; programs that are isolated


class MappedPullback(NamedByContent):
    """`mapped(cotangents)`. levels: the outermost vmap first."""

    def __init__(self, pullback: Pullback, levels: tuple[VmapLevel, ...]) -> None:
        self.pullback, self.levels = pullback, levels
        self.__name__ = "vmap_Pullback"

    @user_frames
    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """The gradients, with an axis more for each vmap, where `out_axes` says."""
        setting = self.pullback._setting
        axes = [axis for level in self.levels if (axis := one_axis(level.in_axes)) is not None]
        simple = len(args) == 1 and not named and len(axes) == len(self.levels)
        batch = _loop(setting) if simple else None
        if batch is None or args[0] is None:
            return self._one_by_one(*args, **named)
        weights = _weights(setting, args[0], axes, self.pullback._kept)
        shape = _lengths(setting, weights, len(axes))
        parts = _gradients(setting, batch, _at_one_point(self.pullback, shape), weights)
        return arranged(setting.function.name, self.levels, setting.pack_gradients(parts))

    def _one_by_one(self, *args: Any, **named: Any) -> Any:
        made: Callable[..., Any] = self.pullback
        for level in reversed(self.levels):
            made = MappedFunction(made, level)
        return made(*args, **named)

    def __repr__(self) -> str:
        axes = "".join(f", in_axes={level.in_axes!r}, out_axes={level.out_axes!r}" for level in self.levels)
        return f"<vmap of {self.pullback!r}{axes}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return MappedPullback, (self.pullback, self.levels)


class MappedVJP(NamedByContent):
    """`mapped(*args)` gives (values, pullbacks)."""

    def __init__(self, vjp: VJPFunction, level: VmapLevel) -> None:
        self.vjp, self.level = vjp, level
        self.__name__ = f"vmap_vjp_{vjp.function.name}"

    @user_frames
    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """The values of all examples, and their pullbacks."""
        level, setting = self.level, self.vjp.setting
        own = level.out_axes if isinstance(level.out_axes, tuple) else (level.out_axes,) * 2
        batch = None if len(own) != 2 or self.vjp.donate or _has_trees(level.in_axes) else _loop(setting)
        if batch is None:
            return MappedFunction(self.vjp, level)(*args, **named)
        roles = setting.function.roles
        given = examples(setting.arguments, roles.written, (level,), args, named).kept(roles.read)
        working = given.working()
        made = native.primal(setting.function, put_back=True).run(
            given.shape, {("primal", k): array for k, array in enumerate(working)}
        )
        leaves = [made["value", None] if o.index == RESULT else working[o.index] for o in setting.outputs.outputs]
        values = arranged(setting.function.name, (VmapLevel(out_axes=own[0]),), setting.outputs.pack(leaves))
        return values, Pullbacks(setting, given)


class Pullbacks(Functions):
    """The pullbacks of all examples: `pullbacks(weights)` gives the gradient of each example, `pullbacks[k]` is one of them."""

    def __init__(self, setting: Setting, given: Examples) -> None:
        self._setting, self._given = setting, given

    def __len__(self) -> int:
        return self._given.shape[0]

    def __getitem__(self, index: int) -> Callable[..., Any]:
        given, setting = self._given, self._setting
        names = setting.names
        one = {}
        for k, (name, column) in enumerate(zip(names, given.columns, strict=False)):
            own = None if column is None else column[range(len(self))[index] if len(column) > 1 else 0]
            one[name] = own.item() if own is not None and k not in setting.arguments.pointers else own
        return Pullback(setting, setting.convert((), one))

    @user_frames
    def __call__(self, /, *args: Any, **named: Any) -> Any:
        batch = _loop(self._setting) if len(args) == 1 and not named else None
        if batch is None or args[0] is None:
            return super().__call__(*args, **named)
        setting, given = self._setting, self._given
        weights = _weights(setting, args[0], [0], given.values)
        if _lengths(setting, weights, 1) != given.shape:
            raise mistake(f"{setting.function.name}: cotangents for other examples than {len(self)}", "one for each")
        return setting.pack_gradients(_gradients(setting, batch, given, weights))

    def __repr__(self) -> str:
        return f"<{len(self)} functions, pullbacks of {self._setting.function.c_signature}>"


def _has_trees(in_axes: Any) -> bool:
    return isinstance(in_axes, tuple) and any(isinstance(axis, tuple) for axis in in_axes)


def _loop(setting: Setting) -> Batch | None:
    """The native loop of the pullback of one example; None where there is none."""
    function = setting.function
    try:
        request = function.request_of(setting.wrt, "reverse", setting.outputs.buffers, value=False)
        return native.derivative(function, request)
    except EnzymeError as error:
        if error.code in NO_LOOP:
            return None
        raise


def _at_one_point(pullback: Pullback, shape: tuple[int, ...]) -> Examples:
    """The arguments of a pullback, which are the same for all weights."""
    setting, columns = pullback._setting, []
    for k, value in enumerate(pullback._kept):
        if isinstance(value, Buffer):
            array = value.array
        else:
            array = buffers.zeros((), layout.dtype_of(setting.types[k]))
            array[...] = structs.as_numpy(value)
        columns.append(None if array is None else array[(None,) * len(shape)])
    beyond = frozenset(range(len(setting.names), len(columns)))
    same: tuple[dict[int, int | None], ...] = ({},) * len(shape)
    return Examples(shape, tuple(columns), same, tuple(pullback._kept), setting.written | beyond)


def _weights(setting: Setting, cotangent: Any, axes: Sequence[int], values: Sequence[Any]) -> list[Any]:
    """For each output the weights of all examples, whose axes are the first; None for zero."""
    import numpy as np

    found: list[Any] = []
    for output, given in zip(setting.outputs.outputs, setting.outputs.unpack(cotangent), strict=True):
        label = f"cotangent of {output.name}"
        if given is None:
            found.append(None)
            continue
        if not output.active:
            raise setting.mistake(label, "is given, and it holds no floating numbers", "None")
        own = output.index == RESULT
        like = None if own else values[output.index].array
        if not own and like is None:
            raise setting.mistake(label, "is given, and the argument is None (NULL)", "None")
        core, dtype = ((), layout.dtype_of(output.type)) if like is None else (like.shape, like.dtype)
        buffers.refuse_mask(given, f"{setting.function.name}: {label}")
        array = np.asarray(given)
        for level, axis in enumerate(axes):
            rank = array.ndim - level
            if not -rank <= axis < rank:
                has = f"has {rank} axes" if rank else "is one number"
                raise mistake(f"{setting.function.name}: the {label} {has}, and in_axes maps axis {axis} of it", "0")
            array = np.moveaxis(array, level + axis % rank, level)

        def wrong(problem: str, label: str = label, dtype: Any = dtype, core: Any = core) -> ArgumentError:
            return setting.mistake(f"{label} of all examples", problem, f"{dtype.name}, of shape {core} for each")

        found.append(floats.exact_copy(array, (*array.shape[: len(axes)], *core), dtype, wrong))
    return found


def _lengths(setting: Setting, weights: Sequence[Any], rank: int) -> tuple[int, ...]:
    """How many examples there are along each axis."""
    shapes = {weight.shape[:rank] for weight in weights if weight is not None}
    if len(shapes) != 1:
        problem = f"the mapped axes differ in size: {sorted(shapes)}" if shapes else "nothing is mapped"
        raise mistake(f"{setting.function.name}: {problem}", "cotangents of as many examples; None is zero for all")
    return tuple(shapes.pop())


def _gradients(setting: Setting, batch: Batch, given: Examples, weights: Sequence[Any]) -> list[Any]:
    """The gradient of each example for each parameter of wrt, the axes of the batch first."""
    roles, wrt = setting.function.roles, setting.wrt.indices
    arrays: dict[Any, Any] = {}
    for k, column in enumerate(given.columns):
        arrays["primal", k] = column
        if k in given.written:
            arrays["primal", k] = given.all_of(k) if k in roles.read else given.zeros(k)
    for k in batch.shadowed:
        arrays["shadow", k] = given.zeros(k, shared=k not in wrt and k not in given.written)
    for output, weight in zip(setting.outputs.outputs, weights, strict=True):
        if weight is None:
            continue
        if output.index == RESULT:
            arrays["seed", None] = weight
        else:
            arrays["shadow", output.index][...] = weight
    made = batch.run(given.shape, arrays)
    return [arrays["shadow", k] if setting.is_pointer(k) else made["gradient", k] for k in wrt]
