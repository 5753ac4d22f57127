"""The gradient of a C function as a function that can be differentiated: what `em.jvp(em.grad(f), …)` and `em.hessian(f)` work on.

Invariant: it is called like the C function. The memory into which the native function adds its gradients is made here, zeroed, for
each call; its outputs are those gradients, under the names of their parameters. (The native side: backend/higher.py.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from enzyme_magic.api import compiled as backend
from enzyme_magic.api.derivatives.named import Gradients, type_with
from enzyme_magic.api.derivatives.outputs import RESULT, Output, OutputChoice
from enzyme_magic.api.derivatives.wrt import Wrt, WrtChoice, choose
from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.frontend.c_types import Pointer, Signature, is_float
from enzyme_magic.backend.native import MemoryNeed
from enzyme_magic.backend.runtime.values import buffers, layout
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder, parameter_names
from enzyme_magic.backend.runtime.values.buffers import NULL, Buffer, pointee
from enzyme_magic.errors import DifferentiationError

if TYPE_CHECKING:
    from enzyme_magic.api.derivatives.gradient_function import GradientFunction


class GradientAsFunction(CFunction):
    """A C function's gradient with respect to fixed parameters, as a function of the same arguments."""

    def __init__(self, gradient: GradientFunction) -> None:
        """DifferentiationError EM202 for a function without floating result, EM211 where its gradient cannot be a function."""
        function = gradient.function
        self.gradient = gradient
        compiled = function.program.compiled.gradient_program(replace(gradient.request, value=False))
        below = function.program
        program = type(below)(compiled, below.sources, below.options, below.name)
        super().__init__(program, next(iter(compiled.signatures)))  # it has one
        self.unchecked = gradient.unchecked

    @cached_property
    def _added(self) -> tuple[tuple[int, int], ...]:
        """(parameter, the parameter whose gradient it takes) for all that the native function has more than C's."""
        from enzyme_magic.backend import higher

        names = parameter_names(self.c_signature)
        sources = [higher.source_of(parameter) for parameter in self.c_signature.parameters]
        return tuple((k, names.index(source)) for k, source in enumerate(sources) if source is not None)

    @property
    def c_function(self) -> CFunction:
        """The C function at the bottom."""
        below = self.gradient.function
        return below.c_function if isinstance(below, GradientAsFunction) else below

    def arguments(self, *, unchecked: bool = False, copied: bool = False) -> ArgumentBinder:
        """Those of the C function; the rest is made for each call."""
        bottom = self.c_function
        shapes = bottom.program.shapes(bottom.c_signature)
        needs = bottom.program.compiled.primal(bottom.name).needs
        given = replace(bottom.c_signature, name=self.name)
        written = frozenset[int]() if copied else self.roles.written
        return WithGradients(given, shapes, written, unchecked or self.unchecked, needs, self.c_signature)

    @cached_property
    def roles(self) -> backend.Roles:
        """What the native function writes; what of the C function has derivatives."""
        found = backend.roles(self.program.compiled, self.name, dict(self.program.options.activity))
        below = self.gradient.function.roles
        return replace(found, refusals=below.refusals, passive=below.passive)

    def choose(self, wrt: Wrt) -> WrtChoice:
        """The parameters `wrt` stands for, as the C function has them."""
        return choose(self.name, parameter_names(self.c_function.c_signature), self.roles.refusals, wrt)

    @cached_property
    def outputs(self) -> tuple[Output, ...]:
        """The gradients, by the names of their parameters."""
        names = parameter_names(self.gradient.function.c_signature)
        if is_float(self.c_signature.result):
            return (Output(self.gradient.names[0], RESULT, self.c_signature.result, True),)
        places = {source: added for added, source in self._added}
        types = self.c_signature.parameters
        return tuple(
            Output(names[k], places[k], pointee(types[places[k]].type), True) for k in self.gradient.choice.indices
        )

    def choose_outputs(self, wanted: Wrt = None) -> OutputChoice:
        """The gradients `wanted` stands for; all of them in the form in which the gradient itself gives them."""
        chosen = super().choose_outputs(wanted)
        bare = self.gradient.choice.bare if wanted is None else chosen.bare
        return GradientChoice(chosen.function, chosen.outputs, bare, chosen.listed or not bare)

    def __call__(self, /, *args: Any, **c_parameters: Any) -> Any:
        """The gradient."""
        return self.gradient(*args, **c_parameters)

    def evaluate(self, arguments: Sequence[Any]) -> dict[int, Any]:
        result = self.gradient(*arguments)
        values = [result] if self.gradient.choice.bare else list(result)
        return {output.index: value for output, value in zip(self.outputs, values, strict=True)}

    def require_float_result(self, transform: str) -> None:
        if not is_float(self.c_signature.result):
            raise DifferentiationError(
                f"em.{transform} of a gradient with respect to {', '.join(self.gradient.names)}: it is no single number",
                code="EM202",
                hint="em.jacobian of it has the second derivatives (the Hessian); em.jvp and em.vjp take it too",
            )

    def __str__(self) -> str:
        return f"{self.name}: {self.gradient.__doc__}"

    def __repr__(self) -> str:
        return f"<{self.gradient!r} as a function>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _differentiable, (self.gradient,)


def _differentiable(gradient: GradientFunction) -> CFunction:
    return gradient.as_function


class WithGradients(ArgumentBinder):
    """The arguments of a C function, and behind them zeroed memory for gradients."""

    __slots__ = ("_like",)

    def __init__(
        self,
        given: Signature,
        shape: Mapping[str, Sequence[str]],
        written: frozenset[int],
        unchecked: bool,
        needs: Sequence[MemoryNeed],
        native: Signature,
    ) -> None:
        """given: as the user calls it; native: with a parameter more for each gradient."""
        from enzyme_magic.backend import higher

        super().__init__(given, shape, written, unchecked, needs)
        names = parameter_names(native)
        added = native.parameters[len(given.parameters) :]
        places = [(names.index(higher.source_of(p) or ""), p.type) for p in added]
        self._like = tuple((k, None if isinstance(native.parameters[k].type, Pointer) else t) for k, t in places)

    def convert(self, args: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The arguments of the native function."""
        values = super().convert(args, named)
        for index, type_ in self._like:
            values.append(_zeros(values[index]) if type_ is None else _zero(type_))
        return values


def _zeros(value: Buffer) -> Buffer:
    """Zeroed memory like that of a pointer argument; NULL for NULL."""
    return NULL if value.array is None else buffers.buffer_of(buffers.zeros(value.array.shape, value.array.dtype))


def _zero(type_: Any) -> Buffer:
    """Zeroed memory for one number."""
    return buffers.buffer_of(buffers.zeros((), layout.dtype_of(type_.to)))


@dataclass(frozen=True, slots=True)
class GradientChoice(OutputChoice):
    """Outputs that are gradients: several of them come as `Gradients`."""

    def pack(self, values: Sequence[Any]) -> Any:
        parts = [_number(value) for value in values]
        return parts[0] if self.bare else type_with(Gradients, tuple(o.name for o in self.outputs))._make(parts)

    def pack_active(self, values: Sequence[Any]) -> Any:
        return self.pack(values)


def _number(value: Any) -> Any:
    """The derivative of a number lies in memory, and is given back as a number."""
    if getattr(value, "shape", None) != () or not hasattr(value, "item"):
        return value
    return value.item() if value.dtype.char == "d" else value[()]
