"""Shadows that a function turns out to need beyond what its request says.

A trial (the dry run of reverse mode, the attempt of forward mode) notes them here and goes on; the planner makes the request larger
and tries again where that changes an answer. Invariant: the sets of a request only grow, and they are finite (parameters, calls and
stack variables of one function), so this ends. When a function is written for good the record is closed: to miss anything then is
an error of this package, never a reason to start over.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff.calls.request import FunctionRequest
from enzyme_magic.errors import InternalError


@dataclass(slots=True, eq=False, repr=False)
class MissingShadows:
    """Of one function under one request.

    parameters: pointer parameters without a shadow. behind: pointer parameters whose memory must hold the shadows of the pointers
    in it. memory: calls and stack variables (by number) whose memory gets a shadow. closed: the function, once it is planned.
    """

    parameters: set[int] = field(default_factory=set)
    behind: set[int] = field(default_factory=set)
    memory: set[int] = field(default_factory=set)
    closed: str | None = None

    def parameter(self, index: int) -> None:
        """The shadow of a pointer parameter is used."""
        self._check(f"the shadow of parameter {index}")
        self.parameters.add(index)

    def behind_parameter(self, index: int) -> None:
        """Shadows of the pointers behind a pointer parameter are used."""
        self._check(f"the shadows of what lies behind parameter {index}")
        self.behind.add(index)

    def memory_of(self, number: int) -> None:
        """The shadow of the memory that a call or stack variable gives is used."""
        self._check(f"the shadow of the memory that instruction {number} gives")
        self.memory.add(number)

    def _check(self, what: str) -> None:
        if self.closed is not None:
            message = f"{what} of {self.closed} is used, and the plan of the derivative does not have it"
            raise InternalError(message, hint="please report it, with the C code and the request that was made")

    def any(self) -> bool:
        return bool(self.parameters or self.changes_answers())

    def changes_answers(self) -> bool:
        """Whether an answer about the function may be another one with what is missing; a shadow parameter more changes none."""
        return bool(self.behind or self.memory)

    def added_to(self, request: FunctionRequest) -> FunctionRequest:
        """The request with what is missing."""
        for index in sorted(self.parameters):
            request = request.with_shadow(index)
        for number in sorted(self.memory):
            request = request.with_shadowed(number)
        for index in sorted(self.behind):
            request = request.with_followed(index)
        return request
