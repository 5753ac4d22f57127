"""LLVM's intrinsics by what they do: block transfers, markers, what passes its operand on. Known by name, and said only here.

A name is read in whole words between dots: `llvm.memcpy.p0.p0.i64` and `llvm.memcpy.inline.p0.p0.i64` are memcpy, `llvm.assume2` is
nothing. Source: LLVM Language Reference 22, "Intrinsic Functions".

It does not say what is differentiated how (`rules`), nor all that an intrinsic does to memory (`analysis/calls/declared.py`).
"""

from __future__ import annotations

from functools import cache
from typing import Literal, get_args

from enzyme_magic.backend.ir.instructions import Call, Instruction

Transfer = Literal["memcpy", "memmove", "memset"]
TRANSFERS: tuple[Transfer, ...] = get_args(Transfer)
LENGTH = 2  # which argument of a block transfer says how many bytes
SCOPE_DECLARATION = "llvm.experimental.noalias.scope.decl"

# Hints to the optimizer and to debuggers: without them the program does the same.
_MARKER_NAMES = """
lifetime invariant assume dbg experimental.noalias.scope.decl donothing sideeffect prefetch var.annotation pseudoprobe fake.use
"""
_MARKERS = frozenset(_MARKER_NAMES.split())
# Their result is their first operand.
_PASSING = frozenset(["expect", "ssa.copy", "launder.invariant.group", "strip.invariant.group"])
_STACK = frozenset(["stacksave", "stackrestore"])
_TRAPS = frozenset(["trap", "ubsantrap", "debugtrap"])


def word(name: str) -> str:
    """The first word of an intrinsic's name: `smax` of `llvm.smax.i32`; "" for any other function."""
    return name.split(".")[1] if name.startswith("llvm.") else ""


@cache
def transfer_of(name: str) -> Transfer | None:
    """The block transfer that a function of this name is; None for any other."""
    return next((transfer for transfer in TRANSFERS if word(name) == transfer), None)


def transfer(instruction: Instruction) -> Transfer | None:
    """The block transfer that an instruction calls: its arguments are target, source (a byte for memset) and length."""
    function = instruction.called_function if isinstance(instruction, Call) else None
    return transfer_of(function.name) if function is not None else None


def is_copy(name: str) -> bool:
    """memcpy and memmove."""
    return transfer_of(name) in ("memcpy", "memmove")


def is_marker(name: str) -> bool:
    """Whether a call of `name` may be left out: it is a hint, and computes nothing."""
    return _is_one_of(name, _MARKERS)


def passes_on(name: str) -> bool:
    """Whether its result is its first operand, with a hint."""
    return _is_one_of(name, _PASSING)


def marks_stack(name: str) -> bool:
    """Whether it saves or restores the stack pointer, around arrays of variable length."""
    return _is_one_of(name, _STACK)


def is_trap(name: str) -> bool:
    """Whether it ends the process."""
    return _is_one_of(name, _TRAPS)


@cache
def _is_one_of(name: str, operations: frozenset[str]) -> bool:
    words = name.split(".")
    return words[0] == "llvm" and any(".".join(words[1:end]) in operations for end in range(2, len(words) + 1))
