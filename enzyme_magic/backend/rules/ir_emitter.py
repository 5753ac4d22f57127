"""Formulas written as LLVM IR: what autodiff gives a contribution to write with, and the primals it may read.

Invariant: an operation of the derivative inherits the primal's fast-math flags except nnan and ninf, which are promises about
the primal's values that its derivative need not keep (sqrt at 0).
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import Type, VectorType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.rules import vector_functions
from enzyme_magic.backend.rules.emitter import Operand, Primals, Term
from enzyme_magic.backend.rules.formulas import helpers
from enzyme_magic.backend.rules.ir_basic import BasicEmitter, constant_operand, is_constant_operand

_RELAXATIONS = ("reassoc", "nsz", "arcp", "contract", "afn")


class IREmitter(BasicEmitter):
    """A BasicEmitter that can also call our helper functions. free: its calls of libm may be computed in vectors, because nothing
    but derivatives comes from them."""

    free = False

    @classmethod
    def for_instruction(
        cls,
        builder: Builder,
        module: Module,
        instruction: Instruction,
        type_: Type,
        free: bool = False,
        more: tuple[str, ...] = (),
    ) -> IREmitter:
        """An emitter for derivatives of `instruction`: with its flags, `more` of them, and its debug location."""
        location = instruction.metadata.get("dbg")
        if location is not None:
            builder.debug_location = location
        flags = derivative_flags(instruction)
        emitter = cls(builder, module, type_, (*flags, *(flag for flag in more if flag not in flags)))
        emitter.free = free
        return emitter

    def emit(self, function: Function, values: list[Value]) -> Term:
        made = super().emit(function, values)
        if self.free and isinstance(made.value, Call) and vector_functions.has_vector_form(made.value):
            made.value.attributes = vector_functions.marked(made.value.attributes, True)
        return made

    def call(self, operation: str, *arguments: Operand) -> Term:
        if not helpers.is_helper(operation):
            return super().call(operation, *arguments)
        function = helpers.function(self.module, operation, self.scalar_type(operation))
        return self.emit(function, [self.value(a) for a in arguments])


class InstructionPrimals(Primals):
    """Primals of one instruction in IR. `operand(k)` and `result()` of the constructor give the primal value at the emitter's
    place, read or recomputed as the cache plan says; they are asked only for what a formula reads. With several results,
    `result()` gives the aggregate and its members are extracted here."""

    def __init__(
        self,
        emitter: IREmitter,
        instruction: Instruction,
        operand: Callable[[int], Value],
        result: Callable[[], Value],
        results: int = 1,
    ) -> None:
        self.emitter = emitter
        self.instruction = instruction
        self._operand = operand
        self._result = result
        self._results = results

    def operand(self, index: int) -> Term:
        return self.emitter.term(self._operand(index))

    def output(self, index: int) -> Term:
        value = self._result()
        if self._results > 1:
            builder = self.emitter.builder
            pair = isinstance(value.type, VectorType)  # two floats as the ABI returns float _Complex
            value = builder.extract_element(value, index) if pair else builder.extract_value(value, index)
        return self.emitter.term(value)

    def is_constant(self, index: int) -> bool:
        return is_constant_operand(self.instruction, index)

    def constant(self, index: int) -> float | None:
        return constant_operand(self.instruction, index)


def derivative_flags(instruction: Instruction) -> tuple[str, ...]:
    """The fast-math flags an operation of the derivative of `instruction` may carry."""
    if "fast" in instruction.flags:
        return _RELAXATIONS
    return tuple(flag for flag in instruction.flags if flag in _RELAXATIONS)
