"""`grad`, `value_and_grad`, `vjp`, `jvp`, `jacobian`, `hessian`, `hvp`, `vmap`: functions of C functions.

A gradient may stand where a C function does: `em.jvp(em.grad(f), …)`, `em.grad(em.grad(f))`.

Invariant: pure. The default ones are the function's own attributes, so that `em.grad(f) is f.grad` and code is compiled once.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.derivatives.caching import CachingChoice
from enzyme_magic.api.derivatives.gradient_function import GradientFunction, Out
from enzyme_magic.api.derivatives.hessian import HessianFunction
from enzyme_magic.api.derivatives.jacobian import JacobianFunction
from enzyme_magic.api.derivatives.products import Pullback
from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.frontend.c_types import is_float
from enzyme_magic.errors import FOREIGN, ArgumentError, user_frames

if TYPE_CHECKING:
    from enzyme_magic.api.batches.axes import Axes
    from enzyme_magic.api.batches.derived import BatchPullback
    from enzyme_magic.api.batches.vmapped import Vmapped

_GRADIENTS = ("grad", "value_and_grad")


@user_frames
def grad(
    f: CFunction | GradientFunction,
    wrt: Wrt = None,
    *,
    out: Out = None,
    donate: bool = False,
    unchecked: bool = False,
    caching: CachingChoice = None,
    **unknown: Any,
) -> GradientFunction:
    """The gradient of a C function with a floating result.

    wrt: a C name or index (bare gradient), a tuple of them (`Gradients`), None for all active parameters.
    out: arrays that take the gradients of pointer parameters, in the order of wrt or by name; otherwise fresh ones, of the
    argument's shape and dtype, 64-byte aligned. donate: buffers the function writes are overwritten instead of copied.
    unchecked: declared extents are not checked. caching: what the reverse sweep gets from the tape: "minimum-cut", "store-all",
    "recompute-all", or decisions for single values of the optimized IR, {"%0": "recompute"}; None is the minimum cut. "checkpoint":
    loops run again from checkpoints, which take 8 MB a loop or {"preset": "checkpoint", "bytes": …}; DifferentiationError EM257
    where no loop can.
    Raises ArgumentError (EM315, EM316, EM317, EM337), DifferentiationError when the function cannot be differentiated.
    """
    function = _function(f, "grad")
    _flags("grad", donate=donate, unchecked=unchecked)
    refuse_unknown("grad", unknown, ("wrt", "out", "donate", "unchecked", "caching"))
    if wrt is None and out is None and not donate and not unchecked and caching is None:
        return function.grad
    return GradientFunction(function, wrt, out=out, donate=donate, unchecked=unchecked, caching=caching)


@user_frames
def value_and_grad(
    f: CFunction | GradientFunction,
    wrt: Wrt = None,
    *,
    out: Out = None,
    donate: bool = False,
    unchecked: bool = False,
    caching: CachingChoice = None,
    **unknown: Any,
) -> GradientFunction:
    """Like `grad`, with the same options; the callable gives (value, gradient). The value may differ from f(…) in the last bit."""
    function = _function(f, "value_and_grad")
    _flags("value_and_grad", donate=donate, unchecked=unchecked)
    refuse_unknown("value_and_grad", unknown, ("wrt", "out", "donate", "unchecked", "caching"))
    if wrt is None and out is None and not donate and not unchecked and caching is None:
        return function.value_and_grad
    return GradientFunction(function, wrt, value=True, out=out, donate=donate, unchecked=unchecked, caching=caching)


@user_frames
def vjp(
    f: CFunction | GradientFunction | Vmapped,
    /,
    *primals: Any,
    wrt: Wrt = None,
    outputs: Wrt = None,
    donate: bool = False,
    unchecked: bool = False,
    **c_parameters: Any,
) -> tuple[Any, Pullback | BatchPullback]:
    """(value, pullback) at `primals`, the arguments of a call of `f`.

    The value is bare for one output, otherwise `Outputs` (`result`, then the buffers `f` writes, in C order). The pullback takes
    the same structure (None is zero) and gives the gradient with respect to `wrt`; it may be called repeatedly and from any
    thread. outputs: a name (bare) or a tuple of names; the others get no derivative. (C parameters with the names of these
    options go by position.) donate: the arrays now belong to `f` and its pullback: results are written into them, and they must
    not change while the pullback is used.
    Raises ArgumentError (EM315, EM316, EM324, EM325, EM327), DifferentiationError (EM203, EM210 and those of the compiler).
    """
    from enzyme_magic.api.batches.vmapped import a_vmap

    _flags("vjp", donate=donate, unchecked=unchecked)
    if (batched := a_vmap(f)) is not None:
        return batched.way("vjp", wrt, outputs, unchecked).vjp(primals, c_parameters)
    function = _function(f, "vjp")
    value, pullback = function.transform("vjp", wrt, outputs, donate, unchecked)(*primals, **c_parameters)
    return value, pullback


@user_frames
def jvp(
    f: CFunction | GradientFunction | Vmapped,
    primals: Any,
    tangents: Any,
    *,
    wrt: Wrt = None,
    outputs: Wrt = None,
    donate: bool = False,
    unchecked: bool = False,
) -> tuple[Any, Any]:
    """(value, tangent) at `primals`, which move with `tangents`; forward mode.

    primals: a tuple of the arguments of a call, or a mapping from C names; anything else is the only argument. tangents: one entry
    per primal, of its shape (None is zero; integers and others without derivatives have None), or a mapping from C names. Value and
    tangent have one structure, that of `vjp`'s value. donate: buffers `f` writes are overwritten instead of copied.
    Raises ArgumentError (EM315, EM316, EM325, EM326, EM327), DifferentiationError (EM203, EM210 and those of the compiler).
    """
    from enzyme_magic.api.batches.vmapped import a_vmap

    _flags("jvp", donate=donate, unchecked=unchecked)
    if (batched := a_vmap(f)) is not None:
        return batched.way("jvp", wrt, outputs, unchecked).jvp(primals, tangents)
    function = _function(f, "jvp")
    value, tangent = function.transform("jvp", wrt, outputs, donate, unchecked)(primals, tangents)
    return value, tangent


@user_frames
def jacobian(
    f: CFunction | GradientFunction,
    wrt: Wrt = None,
    outputs: Wrt = None,
    *,
    out: Any = None,
    unchecked: bool = False,
    **unknown: Any,
) -> JacobianFunction:
    """All partial derivatives: a callable with the parameters of `f`. The mode with fewer sweeps is taken.

    The Jacobian of one output with respect to one parameter has the shape output.shape + input.shape; several parameters are
    `Gradients`, several outputs `Outputs` of them. out: memory for it, for one output and one parameter.
    Raises ArgumentError (EM315, EM316, EM317, EM327, EM328), DifferentiationError (EM203, EM210 and those of the compiler).
    """
    refuse_unknown("jacobian", unknown, ("wrt", "outputs", "out", "unchecked"))
    return _jacobian(f, "jacobian", wrt, outputs, None, out, unchecked)


@user_frames
def jacfwd(
    f: CFunction | GradientFunction,
    wrt: Wrt = None,
    outputs: Wrt = None,
    *,
    out: Any = None,
    unchecked: bool = False,
    **unknown: Any,
) -> JacobianFunction:
    """`jacobian` by forward mode: one sweep per number in `wrt`."""
    refuse_unknown("jacfwd", unknown, ("wrt", "outputs", "out", "unchecked"))
    return _jacobian(f, "jacfwd", wrt, outputs, "forward", out, unchecked)


@user_frames
def jacrev(
    f: CFunction | GradientFunction,
    wrt: Wrt = None,
    outputs: Wrt = None,
    *,
    out: Any = None,
    unchecked: bool = False,
    **unknown: Any,
) -> JacobianFunction:
    """`jacobian` by reverse mode: one sweep per number in the outputs."""
    refuse_unknown("jacrev", unknown, ("wrt", "outputs", "out", "unchecked"))
    return _jacobian(f, "jacrev", wrt, outputs, "reverse", out, unchecked)


def _jacobian(
    f: CFunction | GradientFunction, name: str, wrt: Wrt, outputs: Wrt, mode: str | None, out: Any, unchecked: bool
) -> JacobianFunction:
    function = _function(f, name)
    _flags(name, unchecked=unchecked)
    if wrt is None and outputs is None and mode is None and out is None and not unchecked:
        return function.jacobian
    return JacobianFunction(function, wrt, outputs, mode=mode, out=out, unchecked=unchecked)


@user_frames
def hessian(
    f: CFunction | GradientFunction, wrt: Wrt = None, *, out: Any = None, unchecked: bool = False, **unknown: Any
) -> HessianFunction:
    """All second derivatives of a C function with a floating result: a callable with the parameters of `f`.

    Forward over reverse: one sweep of the gradient's derivative per number in `wrt`. The Hessian of one parameter has the shape
    x.shape + x.shape; several are nested `Gradients`: `h.x.y` has the shape x.shape + y.shape. out: its memory, for one parameter.
    Raises ArgumentError (EM315, EM316, EM317, EM328), DifferentiationError (EM202, EM210, EM211 and those of the compiler).
    """
    function = _function(f, "hessian")
    _flags("hessian", unchecked=unchecked)
    refuse_unknown("hessian", unknown, ("wrt", "out", "unchecked"))
    if wrt is None and out is None and not unchecked:
        return function.hessian
    return HessianFunction(GradientFunction(function, wrt, unchecked=unchecked), out=out)


@user_frames
def hvp(f: CFunction | GradientFunction, primals: Any, vector: Any, *, wrt: Wrt = None, unchecked: bool = False) -> Any:
    """The product of the Hessian at `primals` with `vector`, without making the Hessian: forward over reverse, one sweep.

    primals and vector as `jvp` takes primals and tangents: `em.hvp(f, x, v)` is `em.jvp(em.grad(f), x, v)[1]`. Gives what the
    gradient with respect to `wrt` gives: bare for one parameter, `Gradients` for several.
    Raises what `jvp` and `hessian` raise.
    """
    function = _function(f, "hvp")
    _flags("hvp", unchecked=unchecked)
    gradient = function.grad if wrt is None and not unchecked else GradientFunction(function, wrt, unchecked=unchecked)
    return jvp(gradient, primals, vector, wrt=wrt, unchecked=unchecked)[1]


@user_frames
def vmap(
    f: CFunction | GradientFunction | JacobianFunction | Vmapped | Callable[..., Any],
    in_axes: Axes = 0,
    out_axes: Axes = 0,
    **unknown: Any,
) -> Callable[..., Any]:
    """The function for every example of a batch, in one native loop; pure. Axes are JAX's.

    f: a C function, its gradient, Jacobian or Hessian, or a vmap of one of these (one loop over several axes); or a Python function
    (a pullback, `f.vjp`, your own), which is called once for each example. in_axes: which axis
    of each positional argument counts the examples, None where the argument is the same for all; arguments by name are mapped over
    their first axis. Or a mapping from C names, without those that are not mapped. out_axes: where the examples are counted in what
    f gives: a number, or one for each entry, by position or name. Arrays that C writes to are copied for each example, and given
    back as outputs, after the result.

    A function of plain numbers with default axes is `f.map`: NumPy's broadcasting. `em.vjp` and `em.jvp` take a vmap where they
    take a function. Raises ArgumentError EM339 for axes that do not fit, EM340 for structs and complex numbers by value.
    """
    from enzyme_magic.api.batches.vmapped import vmap as vmapped

    refuse_unknown("vmap", unknown, ("in_axes", "out_axes"))
    return vmapped(f, in_axes, out_axes)


def _flags(transform: str, **given: Any) -> None:
    """ArgumentError EM322 for a switch that is neither on nor off: a text is true, whatever it says."""
    for name, value in given.items():
        if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
            problem = f"em.{transform}: {name} is True or False, got {value!r}"
            raise ArgumentError(problem, code="EM322", hint=f"{name}=True")


def refuse_unknown(transform: str, unknown: Mapping[str, Any], known: Sequence[str]) -> None:
    """ArgumentError EM322 for an option that em.<transform> does not have."""
    for name in unknown:
        close = difflib.get_close_matches(name, known, 1)
        hint = FOREIGN.get(name) or (f"did you mean {close[0]}?" if close else f"options: {', '.join(known)}")
        raise ArgumentError(f"em.{transform} has no option {name!r}", code="EM322", hint=hint)


def _function(f: object, transform: str) -> CFunction:
    if isinstance(f, CFunction):
        return f
    if isinstance(f, GradientFunction):
        return f.as_function
    from enzyme_magic.api.batches.vmapped import a_vmap, not_one_number

    if (batched := a_vmap(f)) is not None:
        raise not_one_number(batched, transform)
    hint = "compile one with %%enzyme_c or em.compile_c, and pass p.name"
    if isinstance(f, JacobianFunction):
        hint = _instead_of_a_jacobian(f, transform)
    raise ArgumentError(
        f"em.{transform} takes a C function, got {type(f).__name__}",
        code="EM301",
        hint=hint,
    )


def _instead_of_a_jacobian(f: JacobianFunction, transform: str) -> str:
    """What to write for a derivative of a Jacobian, which no C function computes; a gradient is a function of C."""
    own = f.function.name
    if isinstance(f, HessianFunction):
        own = own.removeprefix("grad_")
        return f'third derivatives are em.hessian(em.grad({own}, "x")), where x is one number'
    if not is_float(f.function.c_signature.result):
        return f"em.hessian of a function that returns one number; {own} returns {f.function.c_signature.result}"
    again = "jacfwd" if transform == "hessian" else transform
    return f"em.hessian({own})" + ("" if transform in _GRADIENTS else f", or em.{again}(em.grad({own}))")
