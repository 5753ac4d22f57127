"""`grad`, `value_and_grad`, `vmap`: functions of C functions.

Invariant: pure; each returns a callable and calls nothing. The default ones are the function's own attributes, so that
`em.grad(f) is f.grad` and code is compiled once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from enzyme_magic.api.function import CFunction
from enzyme_magic.api.gradient_function import GradientFunction, Out
from enzyme_magic.api.wrt import Wrt
from enzyme_magic.errors import ArgumentError, DifferentiationError


def grad(
    f: CFunction, wrt: Wrt = None, *, out: Out = None, donate: bool = False, unchecked: bool = False
) -> GradientFunction:
    """The gradient of a C function with a floating result.

    wrt: a C name or index (bare gradient), a tuple of them (`Gradients`), None for all active parameters.
    out: arrays that take the gradients of pointer parameters, in the order of wrt or by name; otherwise fresh ones, of the
    argument's shape and dtype, 64-byte aligned. donate: buffers the function writes are overwritten instead of copied.
    unchecked: declared extents are not checked.
    Raises ArgumentError (EM315, EM316, EM317), DifferentiationError when the function cannot be differentiated.
    """
    function = _function(f, "grad")
    if wrt is None and out is None and not donate and not unchecked:
        return function.grad
    return GradientFunction(function, wrt, out=out, donate=donate, unchecked=unchecked)


def value_and_grad(
    f: CFunction, wrt: Wrt = None, *, out: Out = None, donate: bool = False, unchecked: bool = False
) -> GradientFunction:
    """Like `grad`; the callable gives (value, gradient). The value may differ from f(…) in the last bit."""
    function = _function(f, "value_and_grad")
    if wrt is None and out is None and not donate and not unchecked:
        return function.value_and_grad
    return GradientFunction(function, wrt, value=True, out=out, donate=donate, unchecked=unchecked)


def vmap(f: CFunction | GradientFunction) -> Callable[..., Any]:
    """A function of numbers as one of arrays: NumPy's broadcasting, one native loop. `vmap(f)` is `f.map`."""
    if isinstance(f, GradientFunction):
        return f.map
    return _function(f, "vmap").map


def _function(f: object, transform: str) -> CFunction:
    if isinstance(f, CFunction):
        return f
    if isinstance(f, GradientFunction):
        raise DifferentiationError(
            f"em.{transform} of a gradient: derivatives of derivatives are not supported yet",
            code="EM211",
            hint="differentiate the C function itself",
        )
    raise ArgumentError(
        f"em.{transform} takes a C function, got {type(f).__name__}",
        code="EM301",
        hint="compile one with %%enzyme_c or em.compile_c, and pass p.name",
    )
