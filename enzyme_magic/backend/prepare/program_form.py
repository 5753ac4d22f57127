"""A program's module in the form the analyses want: calls and addresses they can follow.

Invariant: the module computes what it computed before (with one exception, which ends the call: see devirtualize). It is the
engine's own copy: the code of the program itself is compiled from the text and does not change. In place, once, before anything is
analysed.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.prepare import (
    aggregates,
    allocations,
    assembly,
    devirtualize,
    scanned_numbers,
    stored_pointers,
    variable_arguments,
)
from enzyme_magic.backend.prepare.bits import extrema, pointer_integers, reread, sign_bits
from enzyme_magic.backend.prepare.control_flow import invokes


def normalise(module: Module, apart: AbstractSet[str] = frozenset()) -> None:
    """Members of what was just built are these values, assembly that does nothing goes, calls that cannot throw are plain calls,
    calls through pointers name their functions, variable arguments lie in memory (but for functions of `apart`), allocations return
    what they allocate, what the library reads by a format is stored in sight, pointers are made from pointers (also those that the
    library stores), integers read where numbers were written are bits, extrema of bits are choices, masks on sign bits are
    operations on numbers."""
    aggregates.take_apart(module)
    assembly.drop_empty(module)
    _release_tail_calls(module)
    invokes.to_calls(module)
    devirtualize.resolve(module)
    variable_arguments.pass_in_memory(module, apart)
    allocations.lower(module)
    scanned_numbers.to_stores(module)
    stored_pointers.to_addresses(module)
    pointer_integers.masks_to_addresses(module)
    pointer_integers.to_addresses(module)
    pointer_integers.to_accesses(module)
    reread.to_bits(module)
    extrema.to_choices(module)
    sign_bits.to_operations(module)
    reread.to_bits(module)  # of what turned out to be numbers


def _release_tail_calls(module: Module) -> None:
    """A derivative goes on after a call that was the last thing in its function: `musttail` does not hold there."""
    for function in module.definitions():
        for instruction in function.instructions():
            if isinstance(instruction, Call) and instruction.tail == "musttail":
                instruction.tail = "tail"
