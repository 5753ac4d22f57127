"""`Vmapped`: a C function, its gradient or its Jacobian over batches of arguments, as `em.vmap` gives it.

Invariant: what it gives is, example by example, what the function itself gives, in one native loop; nothing that it is given is
modified. Nested vmaps are one loop over several axes. Functions of plain numbers go through the loop of `f.map`, which LLVM
vectorizes.

Derivatives of the batch as a whole (`em.vjp(em.vmap(f), …)`, `em.jvp`): derived.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.batches import native
from enzyme_magic.api.batches.axes import Axes, VmapLevel, arranged, checked, mistake
from enzyme_magic.api.batches.examples import Examples, examples
from enzyme_magic.api.batches.pullbacks import MappedPullback, MappedVJP
from enzyme_magic.api.batches.python_functions import MappedFunction, is_python_function
from enzyme_magic.api.derivatives.gradient_function import GradientFunction
from enzyme_magic.api.derivatives.jacobian import JacobianFunction
from enzyme_magic.api.derivatives.outputs import RESULT
from enzyme_magic.api.derivatives.products import Pullback, Transform, VJPFunction
from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.frontend.c_types import Void
from enzyme_magic.backend.runtime.calls.batch import Batch
from enzyme_magic.backend.runtime.calls.mapping import Map
from enzyme_magic.backend.runtime.contents import NamedByContent
from enzyme_magic.backend.runtime.values import layout
from enzyme_magic.errors import ArgumentError, DifferentiationError, user_frames

if TYPE_CHECKING:
    from enzyme_magic.api.batches.derived import Way

Fun = CFunction | GradientFunction | JacobianFunction


def vmap(fun: Any, in_axes: Axes = 0, out_axes: Axes = 0) -> Callable[..., Any]:
    """See `enzyme_magic.vmap`."""
    level = checked(in_axes, out_axes)
    if (batched := a_vmap(fun)) is not None:
        return Vmapped(batched.function, (level, *batched.levels))
    if isinstance(fun, Pullback):
        return MappedPullback(fun, (level,))
    if isinstance(fun, MappedPullback):
        return MappedPullback(fun.pullback, (level, *fun.levels))
    if isinstance(fun, VJPFunction):
        return MappedVJP(fun, level)
    if isinstance(fun, (CFunction, GradientFunction)):
        if level.is_default and _of_numbers(fun):
            mapped: Callable[..., Any] = fun.map
            return mapped
    elif not isinstance(fun, JacobianFunction):
        if is_python_function(fun):
            return MappedFunction(fun, level)
        raise ArgumentError(
            "em.vmap takes a C function, its gradient, Jacobian or Hessian, or a Python function of your own, "
            f"got {type(fun).__name__}",
            code="EM301",
            hint="compile a function with %%enzyme_c or em.compile_c, and pass p.name or em.grad(p.name)",
        )
    if getattr(fun, "out", None) is not None or getattr(fun, "donate", False):
        raise mistake(f"{fun!r} has memory of its caller's", "leave out= and donate= away; results are fresh arrays")
    return Vmapped(fun, (level,))


def a_vmap(fun: Any) -> Vmapped | None:
    """`fun`, where it is a vmap: that of plain numbers over their first axis is `f.map`."""
    if isinstance(fun, Map):
        return Vmapped(fun.owner, (VmapLevel(),))
    return fun if isinstance(fun, Vmapped) else None


def _of_numbers(fun: CFunction | GradientFunction) -> bool:
    """Whether `fun.map` is for it."""
    signature = (fun if isinstance(fun, CFunction) else fun.function).c_signature
    types = [*(parameter.type for parameter in signature.parameters), signature.result]
    return len(types) > 1 and all(layout.is_real(type_) or layout.is_integer(type_) for type_ in types)


class Vmapped(NamedByContent):
    """`vmapped(*args)`. levels: the outermost vmap first."""

    def __init__(self, function: Fun, levels: tuple[VmapLevel, ...]) -> None:
        self.function = function
        self.levels = levels
        name = f"{function.verb}_{function.function.name}" if isinstance(function, Transform) else function.__name__
        self.__name__ = f"vmap_{name}"

    @property
    def c_function(self) -> CFunction:
        """What is called for each example; of a gradient, the function of which it is one."""
        return self.function if isinstance(self.function, CFunction) else self.function.function

    @user_frames
    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """What the function gives, for all examples: each array has an axis more for every vmap, where `out_axes` says."""
        return self.placed(self._over(args, named))

    def examples(self, args: Sequence[Any], named: Mapping[str, Any], unchecked: bool = False) -> Examples:
        """The arguments of a call."""
        function = self.c_function
        arguments = function.arguments(unchecked=unchecked, copied=True)
        return examples(arguments, function.roles.written, self.levels, args, named)

    def _over(self, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
        if isinstance(self.function, JacobianFunction):
            from enzyme_magic.api.batches.jacobians import jacobians

            return jacobians(self.function, self.examples, args, named)
        unchecked = isinstance(self.function, GradientFunction) and self.function.unchecked
        if self._map is not None:
            given = self.examples(args, named, unchecked)
            return self._map(*given.columns)
        batch = self._batch
        given = self.examples(args, named, unchecked)
        if isinstance(self.function, CFunction):
            return _values(self.function, batch, given)
        return _gradients(self.function, batch, given)

    @cached_property
    def _map(self) -> Callable[..., Any] | None:
        """The loop of `f.map`, for functions of plain numbers."""
        if isinstance(self.function, JacobianFunction) or not _of_numbers(self.function):
            return None
        found: Callable[..., Any] = self.function.map
        return found

    @cached_property
    def _batch(self) -> Batch:
        function = self.function
        if isinstance(function, CFunction):
            return native.primal(function)
        assert isinstance(function, GradientFunction)
        return native.derivative(function.function, function.request)

    # Axes of results -------------------------------------------------------------------------------------------------

    def placed(self, tree: Any) -> Any:
        """`tree`, of arrays with the batch's axes first, with these axes where `out_axes` wants them."""
        return arranged(self.c_function.name, self.levels, tree)

    def taken(self, array: Any, axes: Sequence[int | None]) -> Any:
        """The way back: an array with the batch's axes at `axes`, one per level, brought to the front."""
        import numpy as np

        for level, axis in enumerate(axes):
            rank = array.ndim - level
            array = np.expand_dims(array, level) if axis is None else np.moveaxis(array, level + axis % rank, level)
        return array

    # Derivatives of the whole batch ----------------------------------------------------------------------------------

    def way(self, transform: str, wrt: Wrt = None, outputs: Wrt = None, unchecked: bool = False) -> Way:
        """What `em.vjp` and `em.jvp` do with it."""
        from enzyme_magic.api.batches.derived import Way

        function = self.function
        if isinstance(function, JacobianFunction):
            raise DifferentiationError(
                f"em.{transform} of the vmap of a Jacobian", code="EM211", hint="em.vmap(em.jacobian(em.grad(f)))"
            )
        return Way(
            self, function.as_function if isinstance(function, GradientFunction) else function, wrt, outputs, unchecked
        )

    @property
    def grad(self) -> Any:
        """DifferentiationError EM202: it gives more than one number."""
        raise not_one_number(self, "grad")

    def __repr__(self) -> str:
        axes = "".join(f", in_axes={level.in_axes!r}, out_axes={level.out_axes!r}" for level in self.levels)
        return f"<vmap of {self.function!r}{axes}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Vmapped, (self.function, self.levels)

    def __copy__(self) -> Vmapped:
        return self

    def __deepcopy__(self, memo: Any) -> Vmapped:
        return self


def not_one_number(vmapped: Vmapped, transform: str) -> DifferentiationError:
    """EM202, with what to write instead."""
    return DifferentiationError(
        f"em.{transform} of {vmapped.__name__}: it gives a number for each example, and a {transform} is of one number",
        code="EM202",
        hint=f"em.vmap(em.{transform}(f)) for each example; em.vjp(em.vmap(f), …) for the gradient of a weighted sum of them",
    )


def _values(function: CFunction, batch: Batch, given: Examples) -> Any:
    """The outputs of the C function."""
    if isinstance(function.c_signature.result, Void) and not function.outputs:
        raise mistake(f"{function.name} gives nothing back", "vmap functions with a result, or that write to arrays")
    working = given.working()
    made = batch.run(given.shape, {("primal", k): array for k, array in enumerate(working)})
    leaves = [made["value", None] if o.index == RESULT else working[o.index] for o in function.outputs]
    if len(leaves) == 1:
        return leaves[0]
    from enzyme_magic.api.derivatives.named import Outputs, type_with

    return type_with(Outputs, tuple(output.name for output in function.outputs))._make(leaves)


def _gradients(function: GradientFunction, batch: Batch, given: Examples) -> Any:
    """What the gradient gives."""
    wrt = function.choice.indices
    arrays: dict[Any, Any] = {}
    for k, column in enumerate(given.columns):
        arrays["primal", k] = given.all_of(k) if k in given.written else column
    for k in batch.shadowed:
        arrays["shadow", k] = given.zeros(k, shared=k not in wrt and k not in given.written)
    arrays["seed", None] = batch.ones(given.rank)
    made = batch.run(given.shape, arrays)
    parts = [arrays["shadow", k] if ("shadow", k) in arrays else made["gradient", k] for k in wrt]
    return function.pack()(made.get(("value", None)), parts)
