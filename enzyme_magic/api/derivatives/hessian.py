"""`HessianFunction`: all second derivatives, the Jacobian of the gradient by forward mode.

Invariant: what `JacobianFunction` promises; outputs and inputs are the same parameters. Each sweep gives one column: forward mode
over the gradient, which runs the function forwards and backwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from enzyme_magic.api.derivatives.jacobian import JacobianFunction

if TYPE_CHECKING:
    from enzyme_magic.api.derivatives.gradient_function import GradientFunction


class HessianFunction(JacobianFunction):
    """`hessian(*args)`."""

    verb = "hessian"

    def __init__(self, gradient: GradientFunction, *, out: Any = None) -> None:
        """See `enzyme_magic.hessian`."""
        self.gradient = gradient
        super().__init__(gradient.as_function, gradient.wrt, mode="forward", out=out, unchecked=gradient.unchecked)

    def __repr__(self) -> str:
        return f"<hessian of {self.gradient.function.c_signature} from {self.function.program.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.out is not None:
            return super().__reduce__()
        return _hessian_of, (self.gradient,)


def _hessian_of(gradient: GradientFunction) -> HessianFunction:
    return HessianFunction(gradient)
