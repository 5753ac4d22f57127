"""What a framework must know of a C function beyond its arrays: whether its calls have an order, and whether it has derivatives.

Invariant: calls of an ordered function are neither merged, dropped nor moved past each other; where a framework cannot promise
that, it is refused. A function that remembers (a call reads what an earlier call wrote) has no derivative here: frameworks call the
function first and its derivative later, or several times, and then it stands at another point.
"""

from __future__ import annotations

from typing import Any, cast

from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.frontend.c_types import is_float
from enzyme_magic.errors import DifferentiationError


def is_ordered(function: CFunction) -> bool:
    """Whether it prints or writes variables, asks the library for what differs in each call (random numbers, time, input), or reads
    variables that another operation of its program may write."""
    program = cast(Any, function.program.compiled)
    own = program.primal(function.name)
    if own.entry.prints or own.entry.takes_turns or own.outside:
        return True
    if not own.reads_variables:
        return False
    writers = [
        primal.writes_variables
        for name, primal in program.record.primals.items()
        if primal.entry.takes_turns and (primal.written or is_float(program.signatures[name].result))
    ]
    return any(set(own.reads_variables) & set(written) for written in writers)


def refuse_derivative(function: CFunction) -> None:
    """DifferentiationError EM608 for a function that remembers, or draws random numbers that nobody can draw again."""
    own = cast(Any, function.program.compiled).primal(function.name)
    if own.draws:
        raise DifferentiationError(
            f"{function.name} calls {own.draws[0]}: its derivative would be taken with other random numbers than its value",
            code="EM608",
            hint=f"pass random numbers as an input, set the seed in {function.name}, or use {function.name}.grad: it calls it once",
        )
    if own.remembers:
        raise DifferentiationError(
            f"{function.name} reads global or static variables that earlier calls of it have written: its derivative would be taken"
            " at another point than its value",
            code="EM608",
            hint=f"pass what it remembers as an input and an output, or use {function.name}.grad, which calls it once",
        )
