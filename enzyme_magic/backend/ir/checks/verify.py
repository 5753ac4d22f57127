"""Whether a module keeps the rules of LLVM IR that this package relies on.

Checked: every block ends with its only terminator; phis stand first and agree with the predecessors; uses are dominated by
definitions (edges of invokes included); operands belong to the function; operand types fit the common operations.

Invariant: read-only and linear. LLVM's own verifier has the last word on everything else; this one exists because it can name
the block and the instruction at the moment our code wrote it.
"""

from __future__ import annotations

from collections import Counter

from enzyme_magic.backend.ir.checks.verify_types import type_fault
from enzyme_magic.backend.ir.graphs.cfg import predecessors
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.instructions import Instruction, Invoke, Phi
from enzyme_magic.backend.ir.metadata import ValueAsMetadata
from enzyme_magic.backend.ir.module import Function, GlobalValue, Module
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.text.printer import line
from enzyme_magic.backend.ir.types import VOID
from enzyme_magic.backend.ir.values import Argument, Block, Constant, MetadataOperand, Value
from enzyme_magic.errors import InternalError


def verify(module: Module) -> None:
    """Raises InternalError naming function, block and instruction of the first fault."""
    for name, function in module.functions.items():
        if name != function.name or function.parent is not module:
            raise InternalError(
                f"function @{function.name} is kept under the name {name!r} or belongs to another module"
            )
        if function.blocks:
            verify_function(function)


def verify_function(function: Function) -> None:
    """The same for one definition."""
    _Verifier(function).run()


class _Verifier:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.position: dict[Value, int] = {}
        self.blocks = set(function.blocks)

    def run(self) -> None:
        function = self.function
        _check_arguments(function)
        for block in function.blocks:
            self._block(block)
        self.predecessors = predecessors(function)
        self.tree = DominatorTree.of(function)
        if self.predecessors[function.entry]:
            raise self.fault(function.entry, None, "the entry has predecessors")
        for block in function.blocks:
            expected = Counter(self.predecessors[block])
            for instruction in block.instructions:
                if isinstance(instruction, Phi):
                    self._phi(block, instruction, expected)
                self._operands(block, instruction)
                fault = type_fault(instruction, function)
                if fault:
                    raise self.fault(block, instruction, fault)

    def fault(self, block: Block, instruction: Instruction | None, why: str) -> InternalError:
        """The error, with as much text as the broken function still allows."""
        where = f"in @{self.function.name}, block {block.name or self._number(block)}"
        return InternalError(f"{where}: {why}" + (f", in `{self._text(instruction)}`" if instruction else ""))

    def _number(self, block: Block) -> str:
        return f"number {self.function.blocks.index(block)}" if block in self.blocks else "without a name"

    def _text(self, instruction: Instruction) -> str:
        try:
            return line(instruction, Names(self.function))
        except (InternalError, AttributeError, IndexError, ValueError, AssertionError):
            return f"{instruction.name} = {instruction.opcode}" if instruction.name else instruction.opcode

    def _block(self, block: Block) -> None:
        if block.parent is not self.function:
            raise self.fault(block, None, "the block belongs to another function")
        if not block.instructions:
            raise self.fault(block, None, "the block is empty: it needs a terminator")
        last = len(block.instructions) - 1
        phis_over = False
        for position, instruction in enumerate(block.instructions):
            if instruction.parent is not block:
                raise self.fault(block, instruction, "the instruction's parent is another block")
            if instruction in self.position:
                raise self.fault(block, instruction, "the instruction stands in the function twice")
            self.position[instruction] = position
            if instruction.is_terminator != (position == last):
                raise self.fault(block, instruction, "a block has one terminator, at its end")
            if isinstance(instruction, Phi) and phis_over:
                raise self.fault(block, instruction, "a phi behind another instruction")
            phis_over = phis_over or not isinstance(instruction, Phi)
        for successor in block.successors:
            if successor not in self.blocks:
                raise self.fault(block, block.terminator, f"a branch to block {successor.name!r} outside the function")

    def _phi(self, block: Block, phi: Phi, expected: Counter[Block]) -> None:
        if len(phi.operands) != len(phi.blocks):
            raise self.fault(block, phi, "the phi has another number of values than of blocks")
        if Counter(phi.blocks) != expected:
            raise self.fault(block, phi, f"the phi's blocks are not the predecessors ({_listed(expected)})")
        values: dict[Block, Value] = {}
        for value, source in phi.incoming:
            if values.setdefault(source, value) != value:
                raise self.fault(block, phi, f"the phi has two values for block {source.name}")

    def _operands(self, block: Block, instruction: Instruction) -> None:
        for number, operand in enumerate(instruction.operands):
            if isinstance(operand, Instruction):
                self._use(block, instruction, number, operand)
            elif isinstance(operand, Argument):
                arguments = self.function.arguments
                if operand.index >= len(arguments) or arguments[operand.index] is not operand:
                    raise self.fault(block, instruction, f"argument %{operand.name} belongs to another function")
            elif not isinstance(operand, (Constant, GlobalValue, MetadataOperand)):
                raise self.fault(block, instruction, f"operand {number} is a {type(operand).__name__}")
            elif isinstance(operand, MetadataOperand):
                self._metadata_operand(block, instruction, operand)

    def _metadata_operand(self, block: Block, instruction: Instruction, operand: MetadataOperand) -> None:
        value = operand.metadata.value if isinstance(operand.metadata, ValueAsMetadata) else None
        if isinstance(value, Instruction) and value not in self.position:
            raise self.fault(block, instruction, f"metadata names %{value.name}, which is not in this function")

    def _use(self, block: Block, user: Instruction, number: int, value: Instruction) -> None:
        if value not in self.position:
            raise self.fault(block, user, f"operand {number} (%{value.name}) is not in this function")
        if value.type == VOID:
            raise self.fault(block, user, f"operand {number} has no result to use")
        home = value.parent
        assert home is not None
        if isinstance(user, Phi):
            source = user.blocks[number]
            if not self._reaches(value, home, source, user):
                raise self.fault(block, user, f"%{value.name} does not dominate the end of block {source.name}")
        elif home is block:
            if self.position[value] >= self.position[user] and block in self.tree.idom:
                raise self.fault(block, user, f"%{value.name} is used before it is made")
        elif not self._reaches(value, home, block, None):
            raise self.fault(block, user, f"%{value.name} does not dominate this use")

    def _reaches(self, value: Instruction, home: Block, use: Block, phi: Phi | None) -> bool:
        """Whether `value` is there in block `use`: at its end for the edge to a phi, else at its beginning."""
        if not isinstance(value, Invoke):
            return self.tree.dominates(home, use)
        normal = value.normal
        assert normal is not None
        if phi is not None and use is home:
            return phi.parent is normal and value.unwind is not normal
        if not self.tree.dominates(normal, use):
            return False
        others = [source for source in self.predecessors[normal] if source is not home]
        return all(self.tree.dominates(normal, source) for source in others)


def _check_arguments(function: Function) -> None:
    expected = tuple(argument.type for argument in function.arguments)
    if function.function_type.parameters != expected:
        raise InternalError(f"in @{function.name}: the arguments do not fit the type {function.function_type}")
    for number, argument in enumerate(function.arguments):
        if argument.index != number:
            raise InternalError(
                f"in @{function.name}: argument %{argument.name} says it is number {argument.index}, not {number}"
            )


def _listed(blocks: Counter[Block]) -> str:
    return ", ".join(sorted(block.name for block in blocks.elements()))
