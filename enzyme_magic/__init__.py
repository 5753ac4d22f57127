"""Gradients of C functions, from a cell or a text: compile, differentiate, look inside.

    import enzyme_magic as em

    p = em.compile_c("double cube(double x) { return x*x*x; }")
    p.cube.grad(2.0)

This file is the table of contents: each name is imported from its home when it is first used, so that `import
enzyme_magic` costs nothing but this file and the errors.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from enzyme_magic.errors import (
    ArgumentError,
    CompileError,
    Diagnostic,
    DifferentiationError,
    EnzymeError,
    ExecutionError,
    InternalError,
    InterruptedCall,
    Span,
    ToolchainError,
    UnsupportedIRError,
    ViewError,
)

if TYPE_CHECKING:
    from enzyme_magic import workshop
    from enzyme_magic.api.checks.why_zero import WhyZero, why_zero
    from enzyme_magic.api.compilation import compile, compile_c, compile_ir
    from enzyme_magic.api.custom import custom_jvp, custom_vjp, inactive
    from enzyme_magic.api.derivatives.gradient_function import GradientFunction
    from enzyme_magic.api.derivatives.named import Gradients, Outputs
    from enzyme_magic.api.function import CFunction
    from enzyme_magic.api.program import Program
    from enzyme_magic.api.transforms import grad, hessian, hvp, jacfwd, jacobian, jacrev, jvp, value_and_grad, vjp, vmap
    from enzyme_magic.backend.runtime.isolation.shared import shared_empty
    from enzyme_magic.backend.runtime.stops import time_limit
    from enzyme_magic.report import GradientC, Report
    from enzyme_magic.testing import check_grads

__version__ = "0.2.0"

__all__ = [
    "ArgumentError",
    "CFunction",
    "CompileError",
    "Diagnostic",
    "DifferentiationError",
    "EnzymeError",
    "ExecutionError",
    "GradientC",
    "GradientFunction",
    "Gradients",
    "InternalError",
    "InterruptedCall",
    "Outputs",
    "Program",
    "Report",
    "Span",
    "ToolchainError",
    "UnsupportedIRError",
    "ViewError",
    "WhyZero",
    "check_grads",
    "compile",
    "compile_c",
    "compile_ir",
    "custom_jvp",
    "custom_vjp",
    "grad",
    "hessian",
    "hvp",
    "inactive",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jvp",
    "load_ipython_extension",
    "shared_empty",
    "time_limit",
    "unload_ipython_extension",
    "value_and_grad",
    "vjp",
    "vmap",
    "why_zero",
    "workshop",
]

_HOMES = {
    "CFunction": "api.function",
    "GradientC": "report",
    "GradientFunction": "api.derivatives.gradient_function",
    "Gradients": "api.derivatives.named",
    "Outputs": "api.derivatives.named",
    "Program": "api.program",
    "Report": "report",
    "WhyZero": "api.checks.why_zero",
    "check_grads": "testing",
    "compile": "api.compilation",
    "compile_c": "api.compilation",
    "compile_ir": "api.compilation",
    "custom_jvp": "api.custom",
    "custom_vjp": "api.custom",
    "grad": "api.transforms",
    "hessian": "api.transforms",
    "hvp": "api.transforms",
    "inactive": "api.custom",
    "jacfwd": "api.transforms",
    "jacobian": "api.transforms",
    "jacrev": "api.transforms",
    "jvp": "api.transforms",
    "shared_empty": "backend.runtime.isolation.shared",
    "time_limit": "backend.runtime.stops",
    "value_and_grad": "api.transforms",
    "vjp": "api.transforms",
    "vmap": "api.transforms",
    "why_zero": "api.checks.why_zero",
}


def __getattr__(name: str) -> Any:
    if name == "workshop":
        return import_module(f"{__name__}.workshop")  # a room, not a name of one
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    _offer_pictures()
    return value


def _offer_pictures() -> None:
    """`f.show()` and `.graph` work without the IPython extension too."""
    from enzyme_magic.api import views_hook

    views_hook.register_default(_pictures)


def _pictures() -> Any:
    from enzyme_magic.pictures import Pictures

    return Pictures()


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__") and name.endswith("__")), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext enzyme_magic`."""
    from enzyme_magic import magics

    magics.load_ipython_extension(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext enzyme_magic`."""
    from enzyme_magic import magics

    magics.unload_ipython_extension(shell)
