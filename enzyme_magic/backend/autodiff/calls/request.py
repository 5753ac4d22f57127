"""What derivative is asked for: the key under which a generated function is remembered.

Invariant: frozen and hashable; two equal requests on one program give the same code, so a request in progress can be
referred to by its own body (recursion ends).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from enzyme_magic.backend.analysis.derivatives.cache_plan import USUAL, Caching

ActivityKind = Literal["constant", "active", "duplicated"]
Mode = Literal["combined", "split", "forward"]
CONSTANT: Final = "constant"
ACTIVE: Final = "active"
DUPLICATED: Final = "duplicated"
REQUEST_PREFIX = "em.request."  # how answers to requests of C code are named, with a number
ASKS = "enzyme_magic.asks"  # the attribute of an answer: the request as C has it, `__enzyme_autodiff(f)`
STATIC_PREFIX = "em.static."  # how a program's static functions and variables are named for other libraries
ANY_GLOBAL = ""  # in varying_globals, mattering_globals: memory outside that has no name
COMBINED: Final = "combined"
SPLIT: Final = "split"
FORWARD: Final = "forward"


@dataclass(frozen=True, slots=True)
class Request:
    """A request from outside: differentiate C function `function` with respect to parameters `wrt` (indices from 0).

    mode: "reverse" or "forward". value: also give the primal result. seed: "one" folds the seed 1.0 of a scalar
    result in, "argument" keeps it a parameter. outputs: pointer parameters whose memory is an output of interest (its
    shadow holds seeds in reverse mode and receives tangents in forward mode). caching: how the cache
    plan is chosen. width: sweeps made at once, each with shadows, tangents and seeds of its own. separate: pointer parameters whose
    memory no other argument, variable or pointer leads to, as whoever calls promises.
    """

    function: str
    mode: str = "reverse"
    wrt: tuple[int, ...] = ()
    value: bool = False
    seed: str = "one"
    outputs: tuple[int, ...] = ()
    caching: Caching = USUAL
    width: int = 1
    separate: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionRequest:
    """A request for one function of the program, between generated functions.

    mode: COMBINED (forward and reverse sweep in one function), SPLIT (an augmented primal that leaves a tape, and a
    reverse function that uses it), FORWARD (tangents).

    activities[k]: CONSTANT; ACTIVE (a scalar: its adjoint is a result; in forward mode a tangent parameter follows);
    DUPLICATED (a pointer: a shadow parameter follows).

    result: CONSTANT, ACTIVE (a seed parameter comes last) or DUPLICATED (a pointer: its shadow is returned too).

    varying: pointer parameters whose memory varies on entry; mattering: those whose memory matters on return.
    varying_globals, mattering_globals: the same for globals, by name.

    shadowed: calls and stack variables (by their number in the prepared function) whose memory carries no derivative, but is used
    where a pointer may as well lead to memory that does; it gets a shadow all the same, with the shadows of the pointers in it.

    followed: pointer parameters whose shadow memory holds the shadows of the pointers that lie there, before the call and after it.

    value (COMBINED, FORWARD): give the primal result back too.

    absent: pointer parameters that are null: what is written there is never stored, only its derivative counts.

    errors (FORWARD): bounds of errors go along instead of tangents (see error_bounds.py).

    separate: pointer parameters to whose memory no other way leads in this call, as whoever calls has found.

    steady (SPLIT): pointer parameters whose memory nobody changes between the augmented primal and the reverse function.

    shallow: pointer parameters of which only the memory they point to varies or matters, and nothing that pointers stored there
    lead to.
    """

    function: str
    mode: Mode
    activities: tuple[ActivityKind, ...]
    result: ActivityKind = CONSTANT
    varying: frozenset[int] = frozenset()
    mattering: frozenset[int] = frozenset()
    varying_globals: frozenset[str] = frozenset()
    mattering_globals: frozenset[str] = frozenset()
    shadowed: frozenset[int] = frozenset()
    followed: frozenset[int] = frozenset()
    value: bool = False
    caching: Caching = USUAL
    absent: frozenset[int] = frozenset()
    errors: bool = False
    separate: frozenset[int] = frozenset()
    steady: frozenset[int] = frozenset()
    shallow: frozenset[int] = frozenset()

    def with_shadow(self, index: int) -> FunctionRequest:
        """The same request with a shadow for pointer parameter `index`."""
        activities = tuple(DUPLICATED if k == index else a for k, a in enumerate(self.activities))
        return replace(self, activities=activities)

    def with_shadowed(self, number: int) -> FunctionRequest:
        """The same request with a shadow for the memory that call or stack variable `number` gives."""
        return replace(self, shadowed=self.shadowed | {number})

    def with_followed(self, index: int) -> FunctionRequest:
        """The same request with shadows for the pointers behind pointer parameter `index`."""
        return replace(self.with_shadow(index), followed=self.followed | {index})
