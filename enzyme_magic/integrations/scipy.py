"""SciPy and Numba: C functions as objectives, residuals and low-level callables, with their derivatives.

    minimize(objective(p.loss, "x", n=3), x0, jac=True)
    least_squares(r := residuals(p.model, "x", out_shape=20, n=20), x0, jac=r.jac)
    solve_ivp(r := residuals(p.motion, "y", time="t", out_shape=2), (0, 10), y0, method="Radau", jac=r.jac)
    quad(low_level(em.grad(p.density, "mu")), 0, 1, args=(0.5,))

Invariant: SciPy's vector is the C parameter `wrt` in its shape; all other parameters are given once and stay. Nothing is modified.
SciPy itself is imported only by `low_level`. Numba's @njit code calls `c_callable(f)`, also for gradients.
"""

from __future__ import annotations

import copy
import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np

from enzyme_magic.api.derivatives.gradient_function import GradientFunction
from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.frontend.c_types import CType, Pointer, Scalar, Void
from enzyme_magic.backend.runtime.values.buffers import refuse_mask
from enzyme_magic.errors import ArgumentError, user_frames
from enzyme_magic.integrations.c_gradients import as_c
from enzyme_magic.integrations.contract import ArraySlot, OutShape, Shape
from enzyme_magic.integrations.extras import require
from enzyme_magic.integrations.operation import Operation, operation, whole, wrong_dtype

Vector = np.ndarray[Any, Any]


class _OfVector:
    """An operation as a function of one vector. place: which input; others: the other inputs; output: which output."""

    def __init__(self, own: Operation, wrt: str, output: int, shape: Shape | None, fixed: Mapping[str, Any]) -> None:
        self.operation, self.output, self.shape = own, output, shape
        names = [slot.name for slot in own.inputs]
        self.place = names.index(wrt)
        for name, value in fixed.items():
            refuse_mask(value, f"{own.name}: {name}")
        values, self.integers = own.bind((), {**fixed, wrt: None})
        self.values = [
            None if k == self.place else _numbers(own, slot, value).copy()
            for k, (slot, value) in enumerate(zip(own.inputs, values, strict=True))
        ]

    def arrays(self, x: Any) -> list[Any]:
        """The inputs, with `x` in its place."""
        slot = self.operation.inputs[self.place]
        refuse_mask(x, f"{self.operation.name}: {slot.name}")
        array = self.shaped(_numbers(self.operation, slot, x))
        return [array if k == self.place else value for k, value in enumerate(self.values)]

    def shaped(self, array: Vector) -> Vector:
        """The vector in the shape of the C parameter. ArgumentError EM604 for another number of elements."""
        if self.shape is None:
            return array
        try:
            return array.reshape(self.shape)
        except (TypeError, ValueError):
            name = self.operation.inputs[self.place].name
            problem = f"{self.operation.name}: {name} has {array.size} elements, and shape is {self.shape!r}"
            raise ArgumentError(problem, code="EM604", hint="shape takes a tuple of sizes") from None

    def refuse_more(self, args: tuple[Any, ...]) -> None:
        """ArgumentError EM603 for what SciPy's `args=` passes on: the other parameters have their values already."""
        if args:
            raise ArgumentError(
                f"{self.operation.name}: SciPy passes {len(args)} more than the vector",
                code="EM603",
                hint="without args=; the other parameters are given by name where the objective or the residuals are made",
            )

    def outputs(self, arrays: list[Any]) -> list[Vector]:
        """All outputs."""
        return self.operation(arrays, self.integers)

    @property
    def moved(self) -> int:
        """The place of the vector among the active inputs."""
        return self.operation.active.index(self.place)

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()} {self.operation.contract.function.c_signature}>"


class Objective(_OfVector):
    """`objective(x)` is (value, gradient), for `minimize(…, jac=True)`; `hess` and `hessp` are SciPy's arguments of those names."""

    def __call__(self, x: Any, *args: Any) -> tuple[float, Vector]:
        self.refuse_more(args)
        return self.fun(x), self.jac(x)

    def fun(self, x: Any) -> float:
        """The value alone."""
        return float(self.outputs(self.arrays(x))[self.output])

    def _seeded(self, x: Any) -> tuple[list[Any], list[Vector]]:
        arrays = self.arrays(x)
        shapes = self.operation.output_shapes([array.shape for array in arrays], self.integers)
        cotangents = [np.zeros(shape, slot.dtype) for shape, slot in zip(shapes, self.operation.outputs, strict=True)]
        cotangents[self.output][...] = 1
        return arrays, cotangents

    def jac(self, x: Any) -> Vector:
        """The gradient alone, a vector."""
        arrays, cotangents = self._seeded(x)
        gradient: Vector = self.operation.vjp([*arrays, *cotangents], self.integers)[self.moved].ravel()
        return np.asarray(gradient, np.float64)

    def hessp(self, x: Any, p: Any) -> Vector:
        """The Hessian times a vector."""
        slot = self.operation.inputs[self.place]
        direction = _numbers(self.operation, slot, p)
        size = self.arrays(x)[self.place].size
        if direction.size != size:
            problem = f"{self.operation.name}: a direction of {direction.size} numbers for {size} of {slot.name}"
            raise ArgumentError(problem, code="EM604", hint=f"one number for each of {slot.name}")
        product: Vector = self._products(x, direction[None])[0]
        return product

    def hess(self, x: Any) -> Vector:
        """The Hessian, a square matrix; one native loop over its columns."""
        return self._products(x, np.eye(self.arrays(x)[self.place].size))

    def _products(self, x: Any, directions: Vector) -> Vector:
        """Forward over reverse, for a batch of directions."""
        arrays, cotangents = self._seeded(x)
        point = [*arrays, *cotangents]
        second = self.operation.vjp
        tangents = [np.zeros(np.shape(point[k]), second.inputs[k].dtype) for k in second.active]
        count = len(directions)
        spread = [np.broadcast_to(array, (count, *np.shape(array))) for array in (*point, *tangents)]
        where = len(point) + second.active.index(self.place)
        shape = (count, *np.shape(point[self.place]))
        spread[where] = np.ascontiguousarray(directions, second.inputs[self.place].dtype).reshape(shape)
        made = second.jvp(spread, self.integers, 1)[self.moved]
        products: Vector = made.reshape(count, int(np.prod(shape[1:]))).astype(np.float64)
        return products


class Residuals(_OfVector):
    """`residuals(x)` is a vector and `residuals.jac(x)` its Jacobian, for `least_squares` and `root`."""

    def __call__(self, x: Any, *args: Any) -> Vector:
        """The outputs, one after the other."""
        self.refuse_more(args)
        return self.outputs(self.arrays(x))[self.output].ravel().astype(np.float64)

    def jac(self, x: Any) -> Vector:
        """Rows for outputs, columns for inputs; by the mode with fewer sweeps, all of them in one native loop."""
        arrays, own = self.arrays(x), self.operation
        shapes = own.output_shapes([array.shape for array in arrays], self.integers)
        rows, columns = int(np.prod(shapes[self.output])), arrays[self.place].size
        forward = columns <= rows
        count = columns if forward else rows
        if forward:
            added = [np.zeros((count, *arrays[k].shape), own.inputs[k].dtype) for k in own.active]
            added[self.moved].reshape(count, count)[...] = np.eye(count)
        else:
            added = [np.zeros((count, *s), o.dtype) for s, o in zip(shapes, own.outputs, strict=True)]
            added[self.output].reshape(count, count)[...] = np.eye(count)
        spread = [np.broadcast_to(array, (count, *array.shape)) for array in arrays]
        if forward:
            return own.jvp([*spread, *added], self.integers, 1)[self.output].reshape(count, rows).T.astype(np.float64)
        return own.vjp([*spread, *added], self.integers, 1)[self.moved].reshape(count, columns).astype(np.float64)


class TimeResiduals(Residuals):
    """`residuals(t, y)` and `residuals.jac(t, y)`, for `solve_ivp`. time: the place of the input that is the time."""

    def __init__(self, time: str, *given: Any) -> None:
        super().__init__(*given)
        self.time = [slot.name for slot in self.operation.inputs].index(time)

    def _at(self, t: Any) -> Residuals:
        """Those of one time; calls from several threads do not disturb each other."""
        made = copy.copy(self)
        made.values = [
            _numbers(self.operation, self.operation.inputs[k], t) if k == self.time else v
            for k, v in enumerate(self.values)
        ]
        return made

    def __call__(self, t: Any, x: Any, *args: Any) -> Vector:  # type: ignore[override]
        return Residuals.__call__(self._at(t), x, *args)

    def jac(self, t: Any, x: Any) -> Vector:  # type: ignore[override]
        """The Jacobian with respect to the vector at time `t`."""
        return Residuals.jac(self._at(t), x)


@user_frames
def objective(function: CFunction, wrt: str | None = None, *, shape: Shape | None = None, **fixed: Any) -> Objective:
    """A C function with a floating result as what `scipy.optimize.minimize` takes.

    wrt: the array that is optimized (by default the only input that is not given); shape: its shape, where that is no vector;
    fixed: the other parameters. Raises ArgumentError EM603, DifferentiationError EM202 where the result is no floating number.
    """
    function.require_float_result("objective")
    own = operation(function)
    return Objective(own, _chosen(own, wrt, fixed), len(own.outputs) - 1, shape, fixed)


@user_frames
def residuals(
    function: CFunction,
    wrt: str | None = None,
    *,
    output: str | None = None,
    out_shape: OutShape = None,
    shape: Shape | None = None,
    time: str | None = None,
    **fixed: Any,
) -> Residuals:
    """A C function that writes an array as what `scipy.optimize.least_squares` and `root` take.

    output: the array it writes, where there are several; out_shape: its shape, where C does not declare it. The rest as
    `objective`. time: the C parameter that is the time; functions of it are called as `solve_ivp` calls them, `r(t, y)` and
    `r.jac(t, y)`.
    """
    own = operation(function, out_shape=out_shape, outputs=output)
    names = [slot.name for slot in own.outputs]
    if (output is None and len(names) > 1) or (output is not None and output not in names):
        raise ArgumentError(
            f"{function.name} has the outputs {', '.join(names)}", code="EM603", hint=f"output={names[0]!r}"
        )
    place = 0 if output is None else names.index(output)
    if time is None:
        return Residuals(own, _chosen(own, wrt, fixed), place, shape, fixed)
    slot = next((slot for slot in own.inputs if slot.name == time), None)
    if slot is None or not slot.number or slot.dtype.kind != "f" or time in fixed:
        raise ArgumentError(
            f"{function.name}: time={time!r} is no floating number that is left open",
            code="EM603",
            hint=f"the C signature is {function.c_signature}",
        )
    fixed = {**fixed, time: 0.0}
    return TimeResiduals(time, own, _chosen(own, wrt, fixed), place, shape, fixed)


def _chosen(own: Operation, wrt: str | None, fixed: Mapping[str, Any]) -> str:
    """The input SciPy passes. ArgumentError EM603 where it is not one active array."""
    free = [slot.name for slot in own.inputs if slot.name not in fixed]
    name = free[0] if wrt is None and len(free) == 1 else wrt
    slot = next((slot for slot in own.inputs if slot.name == name), None)
    if slot is None or len(free) != 1:
        raise ArgumentError(
            f"{own.name}: SciPy passes one array, and the inputs {', '.join(free) or '(none)'} are not given",
            code="EM603",
            hint="give all others their values by name",
        )
    if slot.number or not slot.active:
        what = "one number" if slot.number else "constant"
        raise ArgumentError(
            f"{own.name}: {name} is {what}, and SciPy varies an array",
            code="EM603",
            hint=f"let the C function take a pointer {name}",
        )
    return slot.name


def _numbers(own: Operation, slot: ArraySlot, value: Any) -> Vector:
    """What SciPy or a caller gives for an input, in the type of C. ArgumentError EM602 for what is no real number, and for
    fractions where C takes integers; EM302 for integers that the type does not hold."""
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        raise wrong_dtype(own.name, slot, f"a {type(value).__name__}") from None
    if array.dtype.kind not in ("biuf" if slot.dtype.kind == "f" or not array.size else "biu"):
        raise wrong_dtype(own.name, slot, array.dtype if array.ndim else f"a {type(value).__name__}")
    made: Vector = array.astype(slot.dtype, copy=False)
    if slot.dtype.kind != "f" and not np.array_equal(made, array):
        problem = f"{own.name}: {slot.name} is {slot.dtype}, which does not hold all of these numbers"
        raise ArgumentError(problem, code="EM302", hint="write a wider type in C")
    return made


# Callables in C -----------------------------------------------------------------------------------------------------------

_C_TYPES: dict[str, Any] = {
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "int": ctypes.c_int,
    "unsigned int": ctypes.c_uint,
    "long": ctypes.c_long,
    "unsigned long": ctypes.c_ulong,
}


@user_frames
def c_callable(function: CFunction | GradientFunction, *, entry: int | None = None) -> Any:
    """The C function, or the gradient of one, as a ctypes function, which Numba's @njit code can call too. It keeps code loaded.

    A gradient takes the parameters of its C function. With respect to one number (`wrt="x"`) it is returned; otherwise a pointer
    for each gradient follows, in the order of wrt, and gradients are added to what lies there; `em.value_and_grad` returns the
    value. entry: only the derivative with respect to this element of the array in wrt, which is returned.
    Raises ArgumentError EM603 for types ctypes has no word for, and for gradients that cannot be said so.
    """
    if not isinstance(function, (CFunction, GradientFunction)):
        raise ArgumentError(
            f"a callable in C is made of a C function or of a gradient, not of {function!r}",
            code="EM603",
            hint="c_callable(p.f), c_callable(em.grad(p.f)); second derivatives are em.grad(em.grad(p.f, 'x'), 'x')",
        )
    element = None if entry is None else whole(entry)
    if entry is not None and (element is None or not -(1 << 63) <= element < 1 << 63):
        raise ArgumentError(
            f"entry={entry!r} is the number of an element", code="EM603", hint="entry=0 for the derivative by x[0]"
        )
    if isinstance(function, GradientFunction):
        function = as_c(function, element)
    elif entry is not None:
        raise ArgumentError(
            f"entry={entry} is of a gradient, and {function.name} is none", code="EM603", hint="em.grad(f, wrt='x')"
        )
    signature = function.c_signature
    types = [_c_type(function, parameter.type) for parameter in signature.parameters]
    result = None if isinstance(signature.result, Void) else _c_type(function, signature.result)
    pointer = ctypes.CFUNCTYPE(result, *types)(function.address)
    pointer.function = function  # type: ignore[attr-defined]
    return pointer


@user_frames
def low_level(function: CFunction | GradientFunction, user_data: Any = None, *, entry: int | None = None) -> Any:
    """As `scipy.LowLevelCallable` (for `quad`, `ndimage`, …), called without Python in between; what `c_callable` takes.

    user_data: a pointer to memory that lives as long as the callable, for functions with a `void *` in the last place.
    """
    scipy = require("scipy")
    pointer = c_callable(function, entry=entry)
    if user_data is None:
        return scipy.LowLevelCallable(pointer)
    try:
        return scipy.LowLevelCallable(pointer, user_data)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"user_data of {pointer.function.name} is a pointer (of ctypes, cffi, or a capsule), got {user_data!r}",
            code="EM603",
            hint="user_data=ctypes.cast(array.ctypes.data, ctypes.c_void_p)",
        ) from None


def _c_type(function: CFunction, type_: CType) -> Any:
    if isinstance(type_, Pointer):
        to = _C_TYPES.get(type_.to.base if isinstance(type_.to, Scalar) else "")
        return ctypes.c_void_p if to is None else ctypes.POINTER(to)
    found = _C_TYPES.get(type_.base if isinstance(type_, Scalar) else "")
    if found is None:
        raise ArgumentError(
            f"{function.name} takes or returns a {type_}, which a low-level callable cannot",
            code="EM603",
            hint="write a C function with int, double and pointers around it",
        )
    return found
