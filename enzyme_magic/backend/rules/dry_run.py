"""Which primals a formula reads, learnt by running it.

Invariant: there is no second table. A formula decides what to read from the constants of the instruction alone, so a dry run
without values takes exactly the path the real emission will take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.rules.emitter import Emitter, Operand, Primals, Term
from enzyme_magic.backend.rules.formulas.numbers import Number
from enzyme_magic.backend.rules.ir_basic import constant_operand, is_constant_operand

RESULT = "result"


def reads(write: Callable[[Emitter, Any, Primals], Any], instruction: Instruction | None) -> frozenset[int | str]:
    """The primals a contribution reads: operand indices, and "result" for any result of the instruction itself.
    instruction: None asks about an instruction without constant operands."""
    primals = _RecordingPrimals(instruction)
    write(primals.emitter, None, primals)
    return frozenset(primals.read)


class _Silent(Emitter):
    """Emits nothing."""

    def term(self, value: Any) -> Term:
        return Term(self, None)

    def number(self, value: Number) -> Term:
        return self.term(None)

    def binary(self, opcode: str, a: Operand, b: Operand) -> Term:
        return self.term(None)

    def negate(self, a: Operand) -> Term:
        return self.term(None)

    def compare(self, predicate: str, a: Operand, b: Operand) -> Term:
        return self.term(None)

    def logic(self, opcode: str, a: Term, b: Term) -> Term:
        return self.term(None)

    def select(self, condition: Term, a: Operand, b: Operand) -> Term:
        return self.term(None)

    def call(self, operation: str, *arguments: Operand) -> Term:
        return self.term(None)

    def convert(self, a: Term) -> Term:
        return self.term(None)


class _RecordingPrimals(Primals):
    def __init__(self, instruction: Instruction | None) -> None:
        self.emitter = _Silent()
        self.instruction = instruction
        self.read: set[int | str] = set()

    def operand(self, index: int) -> Term:
        if not self.is_constant(index):  # a constant is there in the reverse sweep anyway
            self.read.add(index)
        return self.emitter.term(None)

    def output(self, index: int) -> Term:
        self.read.add(RESULT)
        return self.emitter.term(None)

    def is_constant(self, index: int) -> bool:
        return self.instruction is not None and is_constant_operand(self.instruction, index)

    def constant(self, index: int) -> float | None:
        return None if self.instruction is None else constant_operand(self.instruction, index)
