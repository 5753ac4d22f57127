"""Arrays checked against what a call is certain to touch.

Invariant: an array that is too short for an access that happens for certain is an ArgumentError before anything runs; any other
array passes. The formulas speak of integers from 0 up to half their type's range; with others nothing is checked.

What a call needs is found by the compiler (analysis/counts/ranges.py); a declared extent is checked by extents.py.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import Any

from enzyme_magic.backend.frontend.c_types import Signature, size_of
from enzyme_magic.backend.native import MemoryNeed
from enzyme_magic.backend.runtime.values.buffers import Buffer, pointee
from enzyme_magic.errors import ArgumentError, InternalError

_NODES = (
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.Constant,
    ast.Name,
    ast.Call,
    ast.Load,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.FloorDiv,
    ast.USub,
)


class Needs:
    """The checks of one function."""

    __slots__ = ("_checks", "function", "names", "types")

    def __init__(self, signature: Signature, names: Sequence[str], needs: Sequence[MemoryNeed]) -> None:
        """names: of the parameters, in order."""
        self.function = signature.name
        self.names = names
        self.types = [parameter.type for parameter in signature.parameters]
        self._checks = [
            (need.parameter, [names.index(name) for name in need.names], _compiled(need, signature, names), need)
            for need in needs
        ]

    def __bool__(self) -> bool:
        return bool(self._checks)

    def check(self, values: Sequence[Any]) -> None:
        """values: converted arguments. ArgumentError EM309 for an array that ends too early, EM329 for NULL."""
        for parameter, indices, bytes_for, need in self._checks:
            value = values[parameter]
            if type(value) is Buffer:
                wanted = bytes_for(*[values[index] for index in indices])
                if wanted > (value.array.nbytes if value.array is not None else 0):
                    raise self._error(value, need, [values[index] for index in indices])

    def _error(self, value: Buffer, need: MemoryNeed, sizes: Sequence[int]) -> ArgumentError:
        name = self.names[need.parameter]
        place = f" ({need.place})" if need.place else ""
        if value.array is None:
            return ArgumentError(
                f"{self.function}: {name} is None (NULL), and its memory is used{place}",
                code="EM329",
                hint="pass an array",
            )
        typed = size_of(pointee(self.types[need.parameter])) is not None
        unit, have = ("elements", value.size) if typed else ("bytes", value.array.nbytes)
        elements = _expression(need.elements, need.names)(*sizes)
        shown = need.elements if need.elements == str(elements) else f"{need.elements} = {elements}"
        smaller = f", or a smaller {' and '.join(need.names)}" if need.names else ""
        return ArgumentError(
            f"{self.function}: {name} needs at least {shown} {unit}, got {have}{place}",
            code="EM309",
            hint=f"pass a longer {name}{smaller}",
        )


def _compiled(need: MemoryNeed, signature: Signature, names: Sequence[str]) -> Callable[..., int]:
    """The bytes needed, by the values of `need.names`; 0 where nothing is certain."""
    size = _expression(need.size, need.names)
    when = [_expression(text, need.names) for text in need.when]
    limits = [limit(signature, names.index(name)) for name in need.names]

    def bytes_for(*sizes: int) -> int:
        for value, limit in zip(sizes, limits, strict=True):
            if not 0 <= value < limit:
                return 0
        for condition in when:
            if condition(*sizes) < 0:
                return 0
        return size(*sizes)

    return bytes_for


def limit(signature: Signature, index: int) -> int:
    return int(1 << (8 * (size_of(signature.parameters[index].type) or 8) - 1))


def _expression(text: str, names: Sequence[str]) -> Callable[..., int]:
    """A formula of the compiler as a function of `names`. Nothing but integer arithmetic and max passes."""
    spelled = re.sub(r"(?<!/)/(?!/)", "//", text)  # an exact division
    for k, name in enumerate(names):
        spelled = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"_{k}", spelled)
    parameters = ", ".join(f"_{k}" for k in range(len(names)))
    tree = ast.parse(spelled, mode="eval")
    allowed = {"max", *(f"_{k}" for k in range(len(names)))}
    for node in ast.walk(tree):
        if not isinstance(node, _NODES) or (isinstance(node, ast.Name) and node.id not in allowed):
            raise InternalError(f"no formula: {text}", code="EM923")
    made: Callable[..., int] = eval(f"lambda {parameters}: {spelled}", {"__builtins__": {}, "max": max})
    return made
