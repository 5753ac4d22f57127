"""What a derivative function takes beside its arguments, and what it gives.

Invariant: plain data, the same for functions called here, in a worker, and for several sweeps at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from enzyme_magic.backend.runtime.values.buffers import Buffer


@dataclass(frozen=True, slots=True)
class Given:
    """Derivatives that go in. numbers: tangents of parameters passed by value, as ctypes takes them (structs as arrays); memory:
    shadows of pointer parameters, used in place; result: the seed of the result."""

    numbers: Mapping[int, Any] = field(default_factory=dict)
    memory: Mapping[int, Buffer] = field(default_factory=dict)
    result: Any = None


NOTHING = Given()


@dataclass(frozen=True, slots=True)
class Taken:
    """What came out, as Python values. value: the C result, None if the function does not give it; tangent: of the result
    (forward mode); numbers: adjoints of parameters passed by value; memory: the shadows after the call."""

    value: Any
    tangent: Any
    numbers: Mapping[int, Any]
    memory: Mapping[int, Buffer]


class Derivative(Protocol):
    """A derivative function as a callable; `native` is the ctypes call itself."""

    native: Callable[..., Any]

    def __call__(self, values: Sequence[Any], given: Given = NOTHING) -> Taken: ...


class LanesCall(Protocol):
    """A derivative function for several sweeps at once, as a callable."""

    def __call__(self, values: Sequence[Any], given: Sequence[Given]) -> list[Taken]: ...
