"""What one transform of one function is about: which parameters, which outputs, and how their derivatives are read.

Invariant: frozen after construction; native code is compiled when first called, once, also by several threads. Every structure
a user gives (a tuple, names, None for zero) is turned into C's numbers and shadow memory here, and every mistake in it is an
ArgumentError before anything runs.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.derivatives.named import Gradients, Named, type_with
from enzyme_magic.api.derivatives.outputs import RESULT, OutputChoice
from enzyme_magic.api.derivatives.wrt import Wrt, WrtChoice
from enzyme_magic.backend.frontend.c_types import Array, CType, Pointer
from enzyme_magic.backend.runtime.values import buffers, floats, purity
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder
from enzyme_magic.backend.runtime.values.buffers import NULL, Buffer
from enzyme_magic.backend.runtime.values.scalars import converter
from enzyme_magic.errors import ArgumentError, DifferentiationError

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction
    from enzyme_magic.backend.runtime.calls.callable import General
    from enzyme_magic.backend.runtime.calls.derivative import Derivative
    from enzyme_magic.backend.runtime.calls.exchange import LanesCall


def _rebuilt(function: CFunction, wrt: Wrt, outputs: Wrt, unchecked: bool) -> Setting:
    return Setting(function, wrt, outputs, unchecked=unchecked)


class Setting:
    """A function, the parameters `wrt` and the outputs of interest."""

    def __init__(
        self, function: CFunction, wrt: Wrt, outputs: Wrt, *, unchecked: bool = False, copied: bool = True
    ) -> None:
        """copied: the function gets copies of the arrays that it writes. Raises what `choose` and `choose_outputs` raise."""
        self.function = function
        self.given = (wrt, outputs, unchecked)
        self.outputs: OutputChoice = function.choose_outputs(outputs)
        self.wrt: WrtChoice = function.choose(wrt)
        self.written = function.roles.written
        self.copied = copied
        self.arguments: ArgumentBinder = function.arguments(unchecked=unchecked, copied=copied)
        self.names = self.arguments.names
        self.types: list[CType] = [parameter.type for parameter in function.c_signature.parameters]
        self._derivatives: dict[str, Derivative] = {}
        self._lanes: dict[tuple[str, int], LanesCall | None] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.function, *self.given)

    # Native code -----------------------------------------------------------------------------------------------------

    @cached_property
    def primal(self) -> General:
        """The C function, on converted arguments. The program's static data is afterwards what it was."""
        from enzyme_magic.backend.runtime.calls.callable import general_primal

        return general_primal(self.function.code(put_back=True), self.arguments)

    def derivative(self, mode: str) -> Derivative:
        """The native derivative of mode "forward" (gives the result too) or "reverse" (takes the seed of the result)."""
        from enzyme_magic.backend.runtime.calls.derivative import derivative

        with self._lock:
            if mode not in self._derivatives:
                donate = mode == "forward" and not self.copied  # a pullback works on copies of its own
                request = self.function.request_of(
                    self.wrt, mode, self.outputs.buffers, value=mode == "forward", donate=donate
                )
                self._derivatives[mode] = derivative(self.function.code_of(request))
            return self._derivatives[mode]

    def lanes(self, mode: str, width: int) -> LanesCall | None:
        """The derivative that makes `width` sweeps at once; None where they must be made one by one."""
        from enzyme_magic.backend.runtime.calls.lanes import lanes

        with self._lock:
            key = mode, width
            if key not in self._lanes:
                request = self.function.request_of(self.wrt, mode, self.outputs.buffers, value=False)
                self._lanes[key] = None
                try:
                    code = self.function.code_of(replace(request, width=width))
                    self._lanes[key] = None if code.uniform else lanes(code, width)
                except DifferentiationError as error:
                    if error.code != "EM248":
                        raise
            return self._lanes[key]

    # Arguments -------------------------------------------------------------------------------------------------------

    def convert(self, args: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The arguments, checked and converted; no written buffer shares memory with another one."""
        values = self.arguments.convert(args, named)
        purity.check_overlap(self.arguments, values, self.written)
        return values

    def is_pointer(self, index: int) -> bool:
        return isinstance(self.types[index], (Pointer, Array))

    def values_of(self, result: Any, values: Sequence[Any]) -> list[Any]:
        """The outputs, after the call that left `values`."""
        return [result if o.index == RESULT else values[o.index].array for o in self.outputs.outputs]

    # Derivatives in and out ------------------------------------------------------------------------------------------

    def number(self, label: str, type_: CType, value: Any) -> Any:
        """The derivative `value` of a number or struct passed by value, as C takes it."""
        import numpy as np

        converted = converter(self.function.name, label, type_)(value)
        return floats.clear_others(converted.copy()) if isinstance(converted, np.ndarray) else converted

    def memory(self, label: str, like: Buffer, value: Any) -> Buffer:
        """The derivative `value` of a buffer, in fresh memory; zeros for None."""
        if like.array is None:
            if value is not None:
                raise self.mistake(label, "is given, and the argument is None (NULL)", "None")
            return NULL
        if value is None:
            return buffers.buffer_of(buffers.zeros(like.array.shape, like.array.dtype))

        def wrong(problem: str) -> ArgumentError:
            shape, dtype = like.array.shape, like.array.dtype
            repair = (
                f"np.asarray(…, dtype=np.{dtype.name}).reshape({shape})"
                if dtype.names is None
                else f"np.zeros({shape}, {dtype})"
            )
            return self.mistake(label, problem, repair)

        return buffers.buffer_of(floats.exact_copy(value, like.array.shape, like.array.dtype, wrong))

    def mistake(self, label: str, problem: str, repair: str) -> ArgumentError:
        """The error about a derivative that does not fit."""
        return ArgumentError(f"{self.function.name}: the {label} {problem}", code="EM325", hint=repair)

    def tangents(self, primals: Any, tangents: Any) -> dict[int, Any]:
        """Tangents by parameter, None left out. Their structure is that of the primals: as many entries, or names."""
        if isinstance(tangents, Named):
            tangents = tangents.asdict()
        if isinstance(tangents, Mapping):
            found = {self.arguments.index_of(name): value for name, value in tangents.items()}
        else:
            found = self._by_position(primals, tangents)
        return {k: value for k, value in found.items() if value is not None and not self._is_no_tangent(k, value)}

    def _by_position(self, primals: Any, tangents: Any) -> dict[int, Any]:
        if isinstance(primals, Mapping):
            raise ArgumentError(
                f"{self.function.name}: the primals have names, so the tangents need them too",
                code="EM326",
                hint="a mapping from C names, without those that are zero",
            )
        given, wanted = positions_of(tangents), len(positions_of(primals))
        if len(given) != wanted:
            several = ["" if count == 1 else "s" for count in (len(given), wanted)]
            raise ArgumentError(
                f"{self.function.name}: {len(given)} tangent{several[0]} for {wanted} primal{several[1]}",
                code="EM326",
                hint="one entry per primal in the same order, None where it is zero; or a mapping from C names",
            )
        return dict(zip(self.arguments.places(wanted), given, strict=True))

    def _is_no_tangent(self, index: int, value: Any) -> bool:
        """Whether the entry of a parameter without tangent is the number 0; ArgumentError EM326 where it is anything else."""
        if index in self.wrt.indices:
            return False
        if isinstance(value, (int, float)) and value == 0:
            return True
        reason = self.function.roles.refusals.get(index, "it is not in wrt")
        raise ArgumentError(
            f"{self.function.name}: no tangent for {self.names[index]}: {reason}", code="EM326", hint="pass None"
        )

    def pack_gradients(self, parts: Sequence[Any]) -> Any:
        """One entry per parameter of wrt, as the user sees it."""
        return (
            parts[0]
            if self.wrt.bare
            else type_with(Gradients, tuple(self.names[k] for k in self.wrt.indices))._make(parts)
        )


def positions_of(given: Any) -> tuple[Any, ...]:
    """A tuple or list of entries; anything else is a single one."""
    return tuple(given) if isinstance(given, (tuple, list)) else (given,)


def call_of(primals: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Primals as the arguments of a call: by position, or by C name."""
    return ((), dict(primals)) if isinstance(primals, Mapping) else (positions_of(primals), {})
