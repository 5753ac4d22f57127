"""What a function gives back: its result and the buffers it writes.

Invariant: outputs are ordered, the result (called `result`) first, then written buffers in C order. One output is given back
bare, several as `Outputs`. An output that holds no floating numbers (a status, pivots) is part of the value, and its derivative
is None.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from enzyme_magic.api.derivatives.named import Named, Outputs, type_with
from enzyme_magic.api.derivatives.wrt import Wrt, as_index
from enzyme_magic.backend.frontend.c_types import CType, Pointer, Signature, Void, holds_floats
from enzyme_magic.backend.runtime.values.arguments import parameter_names
from enzyme_magic.backend.runtime.values.buffers import pointee
from enzyme_magic.errors import ArgumentError, DifferentiationError

RESULT = -1


@dataclass(frozen=True, slots=True)
class Output:
    """One output. index: the pointer parameter, or RESULT; type: of the result, or of a buffer's elements; active: whether it
    has derivatives."""

    name: str
    index: int
    type: CType
    active: bool


@dataclass(frozen=True, slots=True)
class OutputChoice:
    """The outputs looked at, in order, and whether the only one is given back bare. listed: the user gave a tuple of them."""

    function: str
    outputs: tuple[Output, ...]
    bare: bool
    listed: bool = False

    @property
    def active(self) -> tuple[Output, ...]:
        """Those that have derivatives."""
        return tuple(output for output in self.outputs if output.active)

    @property
    def buffers(self) -> tuple[int, ...]:
        """The parameters among those that have derivatives."""
        return tuple(output.index for output in self.active if output.index != RESULT)

    def pack(self, values: Sequence[Any]) -> Any:
        """One entry per output as the user sees it."""
        return values[0] if self.bare else type_with(Outputs, tuple(o.name for o in self.outputs))._make(values)

    def pack_active(self, values: Sequence[Any]) -> Any:
        """One entry per output that has derivatives: bare where only one has and no tuple was asked for."""
        if len(values) == 1 and not self.listed:
            return values[0]
        return type_with(Outputs, tuple(o.name for o in self.active))._make(values)

    def unpack(self, given: Any) -> list[Any]:
        """The entries of a structure like the value's, in order: a tuple of as many, a mapping from names, or, where only one
        output has derivatives, its entry alone. What is left out is None."""
        if isinstance(given, Named):
            given = given.asdict()
        if isinstance(given, Mapping):
            return self._by_name(given)
        if isinstance(given, tuple) and not self.bare:  # (a bare struct may be given as a tuple of its members)
            if len(given) != len(self.outputs):
                raise self._mistake(f"{len(given)} entries for {len(self.outputs)} outputs")
            return list(given)
        if len(self.active) != 1 and given is not None:
            raise self._mistake(f"one {type(given).__name__} for {len(self.active)} outputs")
        return [given if output.active else None for output in self.outputs]

    def _by_name(self, given: Mapping[str, Any]) -> list[Any]:
        names = [output.name for output in self.outputs]
        unknown = [name for name in given if name not in names]
        if unknown:
            raise self._mistake(f"there is no output {unknown[0]!r}")
        return [given.get(name) for name in names]

    def _mistake(self, problem: str) -> ArgumentError:
        listed = ", ".join(output.name for output in self.outputs)
        return ArgumentError(
            f"{self.function}: the derivatives of its outputs have another structure than its value: {problem}",
            code="EM324",
            hint=f"one entry per output, None for zero: {listed}",
        )


def all_outputs(signature: Signature, written: frozenset[int], passive: frozenset[int]) -> tuple[Output, ...]:
    """Every output of a function. written: parameters it may write through; passive: those without derivatives."""
    found = []
    names = parameter_names(signature)
    if not isinstance(signature.result, Void):
        active = holds_floats(signature.result) and not isinstance(signature.result, Pointer)
        found.append(Output("result", RESULT, signature.result, active))
    for index in sorted(written):
        element = pointee(signature.parameters[index].type)
        name = f"{names[index]}_" if found and names[index] == "result" else names[index]
        found.append(Output(name, index, element, index not in passive))
    return tuple(found)


def choose_outputs(function: str, outputs: Sequence[Output], wanted: Wrt) -> OutputChoice:
    """Resolves `outputs=`: a name (bare), an index of a C parameter (bare), a tuple of them, None for all.

    Raises ArgumentError EM327 for one that does not exist or has no derivatives, DifferentiationError EM203 when there is
    nothing to differentiate.
    """
    if wanted is None:
        if not any(output.active for output in outputs):
            raise _nothing(function, outputs)
        return OutputChoice(function, tuple(outputs), len(outputs) == 1)
    several = isinstance(wanted, (tuple, list))
    items: Sequence[Any] = wanted if isinstance(wanted, (tuple, list)) else (wanted,)
    chosen = tuple(_one(function, outputs, item) for item in items)
    if not chosen or len(set(chosen)) != len(chosen):
        problem = "names an output twice" if chosen else "is empty"
        raise ArgumentError(
            f"{function}: outputs={wanted!r} {problem}", code="EM327", hint="leave outputs out for all of them"
        )
    return OutputChoice(function, chosen, not several, several)


def _one(function: str, outputs: Sequence[Output], item: Any) -> Output:
    index = as_index(item)
    for output in outputs if isinstance(item, str) or index is not None else ():
        if item == output.name or (index is not None and index == output.index != RESULT):
            if not output.active:
                raise ArgumentError(
                    f"{function}: {output.name} holds no floating numbers, so it has no derivative",
                    code="EM327",
                    hint=_listing(outputs),
                )
            return output
    close = difflib.get_close_matches(str(item), [output.name for output in outputs], 1)
    hint = f"did you mean {close[0]}?" if close else _listing(outputs)
    raise ArgumentError(f"{function} has no output {item!r}", code="EM327", hint=hint)


def _listing(outputs: Sequence[Output]) -> str:
    names = [output.name for output in outputs if output.active]
    return f"its outputs with derivatives are: {', '.join(names) or 'none'}"


def _nothing(function: str, outputs: Sequence[Output]) -> DifferentiationError:
    what = ", ".join(f"{output.name} ({output.type})" for output in outputs)
    return DifferentiationError(
        f"{function} gives no floating numbers back" + (f", only {what}" if what else ""),
        code="EM203",
        hint="return a float or double, or write them to an array parameter that is not const",
    )
