"""`GradientFunction`: the gradient of a C function, as the user holds it.

Invariant: pure (nothing it is given is modified), compiled on its first call, safe to call from several threads. It takes the C
function's parameters and no options of its own; those are fixed when it is made (`em.grad(f, wrt=…, donate=…)`).
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.derivatives.named import Gradients, Named, type_with
from enzyme_magic.api.derivatives.wrt import Wrt, WrtChoice, memory_of
from enzyme_magic.backend.analysis.derivatives.cache_plan import CHECKPOINT
from enzyme_magic.backend.runtime.contents import NamedByContent
from enzyme_magic.backend.runtime.values.arguments import parameter_names
from enzyme_magic.errors import ArgumentError, DifferentiationError, for_users

if TYPE_CHECKING:
    from enzyme_magic.api.compiled import Derived
    from enzyme_magic.api.derivatives.caching import CachingChoice
    from enzyme_magic.api.derivatives.jacobian import JacobianFunction
    from enzyme_magic.api.derivatives.products import JVPFunction, VJPFunction
    from enzyme_magic.api.function import CFunction
    from enzyme_magic.backend.autodiff.calls.request import Request
    from enzyme_magic.backend.runtime.calls.direct import Often

Out = Any  # an array, a sequence of arrays in the order of wrt, or a mapping from C names


@for_users
class GradientFunction(NamedByContent):
    """`grad(*args)` gives the gradient, or (value, gradient)."""

    __slots__ = ("__dict__", "__weakref__", "_call", "_direct", "_lock")

    def __init__(
        self,
        function: CFunction,
        wrt: Wrt = None,
        *,
        value: bool = False,
        donate: bool = False,
        out: Out = None,
        unchecked: bool = False,
        caching: CachingChoice = None,
    ) -> None:
        """See `enzyme_magic.grad`. Errors of `wrt` come at once for an explicit one, on first use for the default; those of
        `caching` at once, but for values that the function does not have."""
        from enzyme_magic.api.derivatives import caching as plans

        plans.check(caching)
        self.function = function
        self.wrt = tuple(wrt) if isinstance(wrt, list) else wrt
        self.value = value
        self.donate = donate
        self.out = out
        self.unchecked = unchecked
        self.caching = caching
        if wrt is not None or out is not None:
            self._memory()
        self.__name__ = f"{'value_and_grad' if value else 'grad'}_{function.name}"
        self._lock = threading.Lock()
        self._call: Callable[..., Any] = self._first_call

    def __call__(self, /, *args: Any, **c_parameters: Any) -> Any:
        __tracebackhide__ = True
        try:
            return self._call(*args, **c_parameters)
        except ArgumentError as error:
            raise error.for_user() from error.__cause__

    def _first_call(self, /, *args: Any, **c_parameters: Any) -> Any:
        with self._lock:
            if self._call == self._first_call:
                self._often().serve(self)
        return self._call(*args, **c_parameters)

    def _directly(self, fallback: Callable[..., Any]) -> Callable[..., Any] | None:
        """The gradient as a built-in of Python, where it can be one."""
        from enzyme_magic.backend.llvm.bounded import effort
        from enzyme_magic.backend.runtime.calls import direct

        function = self.function
        if function.roles.written:
            return None  # a call makes copies, and looks at what overlaps
        form = direct.Form(self.choice.indices, None if self.choice.bare else self._kind, self.value)
        arguments = function.arguments(unchecked=self.unchecked, copied=not self.donate)
        code = function.code_of(self.request)
        work = effort(self.derived.gradient_optimized_ir, code.entry.symbol)
        return direct.made(code, arguments, form, self._memory(), fallback, work=work)

    @property
    def _kind(self) -> type[Named]:
        return type_with(Gradients, self.names)

    def _often(self) -> Often:
        """Equal gradients share what calls them: `em.grad(f)(x)` in a loop makes it once. Not where memory of the caller's,
        or a cache plan, is a part of it."""
        from enzyme_magic.backend.runtime.calls.direct import Often

        def made() -> Often:
            return Often(self._made_call(), self._directly)

        if self.out is not None or self.caching is not None:
            return made()
        key = ("gradient", self.wrt, self.value, self.donate, self.unchecked)
        return self.function.kept_call(key, made)

    def _made_call(self) -> Callable[..., Any]:
        from enzyme_magic.backend.runtime.calls.callable import Ways, gradient

        function = self.function
        ways = Ways(self.choice.indices, function.roles.written, self.donate, self._memory())
        arguments = function.arguments(unchecked=self.unchecked, copied=not self.donate)
        return gradient(function.code_of(self.request), arguments, ways, self.pack())

    @cached_property
    def choice(self) -> WrtChoice:
        """The parameters this is the gradient with respect to."""
        return self.function.choose(self.wrt)

    @property
    def names(self) -> tuple[str, ...]:
        """Their C names."""
        names = parameter_names(self.function.c_signature)
        return tuple(names[index] for index in self.choice.indices)

    @property
    def request(self) -> Request:
        """The key of its derivative."""
        self.function.require_float_result("grad")
        return self.function.request_of(
            self.choice, value=self.value, seed="one", caching=self.caching, donate=self.donate
        )

    @property
    def derived(self) -> Derived:
        """The compiled derivative."""
        return self.function.derived(self.request)

    def pack(self) -> Any:
        """What makes the user's result of the value and the list of gradients."""
        value, bare = self.value, self.choice.bare
        make = self._kind._make

        def pack(result: Any, parts: Sequence[Any]) -> Any:
            gradient = parts[0] if bare else make(parts)
            return (result, gradient) if value else gradient

        pack.bare = bare and not value  # type: ignore[attr-defined]
        return pack

    def _memory(self) -> dict[int, Any]:
        """`out` by parameter index."""
        signature = self.function.c_signature
        types = [parameter.type for parameter in signature.parameters]
        return memory_of(self.out, self.choice, parameter_names(signature), types, self.function.name)

    # Derivatives of the gradient -------------------------------------------------------------------------------------

    @cached_property
    def as_function(self) -> CFunction:
        """The gradient as a function that can be differentiated: what `em.jvp(em.grad(f), …)` and the like work on."""
        if self.value or self.donate or self.out is not None:
            raise DifferentiationError(
                "only a plain gradient can be differentiated again: no value beside it, and no memory of the caller's",
                code="EM211",
                hint="em.grad(f, wrt=…)",
            )
        if self.caching is not None and self.request.caching.preset == CHECKPOINT:
            raise DifferentiationError(
                "a gradient with checkpoints cannot be differentiated again: they are for first derivatives",
                code="EM257",
                hint='leave out caching="checkpoint"',
            )
        return self.function.program.gradient_as_function(self)

    @property
    def grad(self) -> GradientFunction:
        """The second derivative of a function of one number (or of one number in wrt). For others: `em.hessian`."""
        return self.as_function.grad

    @property
    def jvp(self) -> JVPFunction:
        """`gradient, change = f.grad.jvp(primals, tangents)`: the Hessian times the tangents is the change."""
        return self.as_function.jvp

    @property
    def vjp(self) -> VJPFunction:
        """`gradient, pullback = f.grad.vjp(…)`."""
        return self.as_function.vjp

    @property
    def jacobian(self) -> JacobianFunction:
        """All second derivatives, as `em.hessian`, by the mode with fewer sweeps."""
        return self.as_function.jacobian

    @cached_property
    def map(self) -> Callable[..., Any]:
        """`f.grad.map(xs, …)`: the gradient at every point of the broadcast arguments, one native loop."""
        from enzyme_magic.backend.runtime.calls.mapping import Map

        code, inlined = self.function.code_of(self.request), self.function.inlined(self.request)
        arguments, wrt = self.function.arguments(), self.choice.indices
        return Map(code, arguments, self.pack(), wrt=wrt, inlined=inlined, owner=self)

    @property
    def __signature__(self) -> inspect.Signature:
        return self.function.__signature__

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        what = "Value and gradient" if self.value else "Gradient"
        return f"{what} of {self.function.c_signature} with respect to {', '.join(self.names)}."

    def __repr__(self) -> str:
        what = "value and gradient" if self.value else "gradient"
        chosen = "" if self.wrt is None else f" with respect to {', '.join(self.names)}"
        return f"<{what} of {self.function.c_signature}{chosen} from {self.function.program.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.out is not None:
            raise TypeError("a gradient with out= does not pickle: its memory belongs to this process")
        options = {name: getattr(self, name) for name in ("value", "donate", "unchecked", "caching")}
        return _rebuilt, (self.function, self.wrt, options)

    def __copy__(self) -> GradientFunction:
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> GradientFunction:
        return self


def _rebuilt(function: CFunction, wrt: Wrt, options: Mapping[str, Any]) -> GradientFunction:
    return GradientFunction(function, wrt, **options)
