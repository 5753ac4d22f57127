"""Where each instruction of a gradient comes from: copied from the function, added to its forward sweep, or of the reverse sweep.

Nothing is inferred from names. Copies are those the writer's own table leads to; the reverse sweep is what can be reached from the
block it begins with, for no path leads back into the forward sweep; what is left was added to the forward sweep: shadows, adjoint
slots, the tape.
"""

from __future__ import annotations

from collections.abc import Iterable

from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.ir.values import Block
from enzyme_magic.report import ADJOINT, PRIMAL, SHADOW

Origins = tuple[tuple[str, ...], ...]


def origins(derivative: Derivative) -> Origins:
    """For each block of the gradient, for each instruction, in order; () where the sweeps are two functions."""
    sweep, function = derivative.sweep, derivative.function
    if sweep.split:
        return ()
    returning = derivative.subject.prepared.return_block
    start = sweep.control.blocks.get(returning) if returning is not None else None
    backward = _reached([start] if start is not None else [])
    copies = set(sweep.copy.values.values())
    return tuple(
        tuple(
            ADJOINT if block in backward or not backward.isdisjoint(i.successors) else PRIMAL if i in copies else SHADOW
            for i in block.instructions
        )
        for block in function.blocks
    )


def _reached(pending: Iterable[Block]) -> set[Block]:
    found: set[Block] = set()
    waiting = list(pending)
    while waiting:
        block = waiting.pop()
        if block not in found:
            found.add(block)
            waiting += block.successors
    return found
