"""Text of instructions, one function per shape; the mirror of `parse_instructions` and `parse_control`.

Invariant: metadata and the name of the result are the caller's business.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir import instructions as ir
from enzyme_magic.backend.ir.attributes import AttributeSet
from enzyme_magic.backend.ir.constants import int_constant
from enzyme_magic.backend.ir.metadata import Metadata
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.text.lexer import escape
from enzyme_magic.backend.ir.text.print_values import ValueWriter, attributes_text
from enzyme_magic.backend.ir.types import I32
from enzyme_magic.backend.ir.values import Argument, Block, MetadataOperand, Value
from enzyme_magic.errors import InternalError

_ONE = int_constant(I32, 1)
WriteAttributes = Callable[[AttributeSet], str]
WriteMetadata = Callable[[Metadata, Callable[[Value], str]], str]


class InstructionWriter:
    """Writes the instructions of one function. `attributes` writes a call's attribute set, `metadata` a metadata operand."""

    def __init__(self, names: Names, values: ValueWriter, attributes: WriteAttributes, metadata: WriteMetadata) -> None:
        self.names = names
        self.values = values
        self.attributes = attributes
        self.metadata = metadata

    def text(self, instruction: ir.Instruction) -> str:
        """The instruction with its result, without metadata."""
        writer = _WRITERS.get(type(instruction))
        if writer is None:
            raise InternalError(f"an instruction of class {type(instruction).__name__} cannot be printed")
        body = writer(self, instruction)
        name = self.names.get(instruction)
        return body if name is None else f"{name} = {body}"

    def value(self, value: Value) -> str:
        """An operand without its type."""
        local = self.names.get(value)
        if local is not None:
            return local
        if isinstance(value, MetadataOperand):
            return self.metadata(value.metadata, self.typed_or_poison)
        return self.values.text(value)

    def typed(self, value: Value) -> str:
        return f"{value.type} {self.value(value)}"

    def typed_or_poison(self, value: Value) -> str:
        """For debug records: a value that is gone is poison to the debugger."""
        if isinstance(value, (ir.Instruction, Argument)) and self.names.get(value) is None:
            return f"{value.type} poison"
        return self.typed(value)

    def label(self, block: Block) -> str:
        name = self.names.get(block)
        if name is None:
            raise InternalError(f"block {block.name!r} is not in @{self.names.function.name}, but a branch goes there")
        return f"label {name}"


def _words(*words: str) -> str:
    return " ".join([word for word in words if word])


def _head(instruction: ir.Instruction) -> str:
    return " ".join((instruction.opcode, *instruction.flags)) if instruction.flags else instruction.opcode


def _simple(w: InstructionWriter, i: ir.Instruction) -> str:
    """Operands of one type, written once."""
    first = i.operands[0]
    return f"{_head(i)} {first.type} {', '.join([w.value(operand) for operand in i.operands])}"


def _each_typed(w: InstructionWriter, i: ir.Instruction) -> str:
    operands = ", ".join([w.typed(operand) for operand in i.operands])
    return f"{_head(i)} {operands}" if operands else _head(i)


def _compare(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Compare)
    a, b = i.operands
    return f"{_head(i)} {i.predicate} {a.type} {w.value(a)}, {w.value(b)}"


def _cast(w: InstructionWriter, i: ir.Instruction) -> str:
    return f"{_head(i)} {w.typed(i.operands[0])} to {i.type}"


def _phi(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Phi)
    pairs = [f"[ {w.value(value)}, {w.label(block)[6:]} ]" for value, block in zip(i.operands, i.blocks, strict=True)]
    return f"{_head(i)} {i.type} {', '.join(pairs)}"


def _align(align: int | None) -> str:
    return "" if align is None else f", align {align}"


def _alloca(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Alloca)
    count = "" if i.operands[0] == _ONE else f", {w.typed(i.operands[0])}"
    space = f", addrspace({i.address_space})" if i.address_space else ""
    return f"{_head(i)} {i.allocated_type}{count}{_align(i.align)}{space}"


def _memory_head(i: ir.Load | ir.Store) -> str:
    return _words(i.opcode, "atomic" if i.ordering else "", "volatile" if i.volatile else "")


def _load(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Load)
    return _words(_memory_head(i), f"{i.type}, {w.typed(i.operands[0])}", i.ordering) + _align(i.align)


def _store(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Store)
    return _words(_memory_head(i), f"{w.typed(i.operands[0])}, {w.typed(i.operands[1])}", i.ordering) + _align(i.align)


def _gep(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.GetElementPtr)
    return f"{_head(i)} {', '.join([str(i.source_type), *map(w.typed, i.operands)])}"


def _with_indices(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, (ir.ExtractValue, ir.InsertValue))
    return f"{i.opcode} {', '.join([*map(w.typed, i.operands), *map(str, i.indices)])}"


def _fence(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Fence)
    return f"fence {i.ordering}"


def _atomic_rmw(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.AtomicRMW)
    head = _words(i.opcode, "volatile" if i.volatile else "", i.operation)
    return f"{head} {w.typed(i.operands[0])}, {w.typed(i.operands[1])} {i.ordering}{_align(i.align)}"


def _compare_exchange(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.CompareExchange)
    head = _words(_head(i), "volatile" if i.volatile else "")
    return f"{head} {', '.join(map(w.typed, i.operands))} {i.ordering}{_align(i.align)}"


def _va_arg(w: InstructionWriter, i: ir.Instruction) -> str:
    return f"va_arg {w.typed(i.operands[0])}, {i.type}"


def _return(w: InstructionWriter, i: ir.Instruction) -> str:
    return f"ret {w.typed(i.operands[0])}" if i.operands else "ret void"


def _branch(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Branch)
    return f"br {', '.join([*map(w.typed, i.operands), *map(w.label, i.targets)])}"


def _switch(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Switch)
    cases = [f"    {w.typed(case)}, {w.label(block)}\n" for case, block in zip(i.cases, i.targets[1:], strict=True)]
    return f"switch {w.typed(i.operands[0])}, {w.label(i.targets[0])} [\n{''.join(cases)}  ]"


def _indirect_branch(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.IndirectBranch)
    return f"indirectbr {w.typed(i.operands[0])}, [{', '.join(map(w.label, i.targets))}]"


def _landing_pad(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.LandingPad)
    clauses = [f"{clause} {w.typed(operand)}" for clause, operand in zip(i.clauses, i.operands, strict=True)]
    return _words("landingpad", str(i.type), *i.flags, *clauses)


def _call(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Call)
    type_ = str(i.function_type if i.function_type.variadic else i.type)
    head = _words(i.tail, _head(i), i.calling_convention, attributes_text(i.result_attributes), type_)
    arguments = ", ".join([_argument(w, a, s) for a, s in zip(i.arguments, i.argument_attributes, strict=True)])
    text = f"{head} {w.value(i.callee)}({arguments})"
    if i.attributes:
        text += " " + w.attributes(i.attributes)
    if i.bundles:
        text += f" [ {', '.join([_bundle(w, i, bundle) for bundle in i.bundles])} ]"
    return text


def _argument(w: InstructionWriter, value: Value, attributes: AttributeSet) -> str:
    if attributes:
        return f"{value.type} {attributes_text(attributes)} {w.value(value)}"
    return f"{value.type} {w.value(value)}"


def _bundle(w: InstructionWriter, i: ir.Call, bundle: ir.OperandBundle) -> str:
    operands = ", ".join(map(w.typed, i.operands[bundle.start : bundle.stop]))
    return f'"{escape(bundle.tag.encode())}"({operands})'


def _invoke(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Invoke)
    assert i.normal is not None
    assert i.unwind is not None
    return f"{_call(w, i)}\n          to {w.label(i.normal)} unwind {w.label(i.unwind)}"


def _call_branch(w: InstructionWriter, i: ir.Instruction) -> str:
    assert isinstance(i, ir.CallBranch)
    jumps = ", ".join(w.label(target) for target in i.targets[1:])
    return f"{_call(w, i)}\n          to {w.label(i.targets[0])} [{jumps}]"


_WRITERS: dict[type[ir.Instruction], Callable[[InstructionWriter, ir.Instruction], str]] = {
    ir.Unary: _simple,
    ir.Binary: _simple,
    ir.Compare: _compare,
    ir.Cast: _cast,
    ir.Select: _each_typed,
    ir.Freeze: _each_typed,
    ir.Phi: _phi,
    ir.Alloca: _alloca,
    ir.Load: _load,
    ir.Store: _store,
    ir.GetElementPtr: _gep,
    ir.ExtractValue: _with_indices,
    ir.InsertValue: _with_indices,
    ir.ExtractElement: _each_typed,
    ir.InsertElement: _each_typed,
    ir.ShuffleVector: _each_typed,
    ir.Fence: _fence,
    ir.AtomicRMW: _atomic_rmw,
    ir.CompareExchange: _compare_exchange,
    ir.VAArg: _va_arg,
    ir.Call: _call,
    ir.Invoke: _invoke,
    ir.CallBranch: _call_branch,
    ir.LandingPad: _landing_pad,
    ir.Return: _return,
    ir.Branch: _branch,
    ir.Switch: _switch,
    ir.IndirectBranch: _indirect_branch,
    ir.Resume: _each_typed,
    ir.Unreachable: _each_typed,
}
