"""Picture text of instructions: what a reader of a graph needs, and no more.

Invariant: one line, no metadata, attributes, alignment or intrinsic suffixes; names agree with those of the full text when both
are given the same Names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from enzyme_magic.backend.ir import instructions as ir
from enzyme_magic.backend.ir.constants import float_value
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.text.print_values import ValueWriter
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, X86_FP80
from enzyme_magic.backend.ir.values import ConstantFloat, ConstantInt, InlineAsm, MetadataOperand, Value
from enzyme_magic.errors import InternalError

_LIMIT = 40  # a constant longer than this is cut: pictures show no tables


def short(instruction: ir.Instruction, names: Names | None = None) -> str:
    """`%mul = fmul double %x, %y`, `br %cmp`, `%p = gep double, ptr %a, %i`, `%r = phi [%a], [0.0]`. Give the function's
    `names` when asking for many instructions: making them takes a walk over the function."""
    function = instruction.parent.parent if instruction.parent else None
    if function is None:
        raise InternalError("an instruction outside a function has no text: its operands have no names")
    named_types = function.parent.named_types if function.parent else None
    writer = _Writer(names or Names(function), ValueWriter(named_types))
    body = _WRITERS.get(type(instruction), _plain)(writer, instruction)
    name = writer.names.get(instruction)
    return body if name is None else f"{name} = {body}"


class _Writer:
    """Operands in short form."""

    def __init__(self, names: Names, values: ValueWriter) -> None:
        self.names = names
        self.values = values

    def value(self, value: Value) -> str:
        local = self.names.get(value)
        if local is not None:
            return local
        if isinstance(value, ConstantFloat):
            return _number(value)
        if isinstance(value, InlineAsm):
            return "asm"
        if isinstance(value, MetadataOperand):
            return "metadata"
        text = self.values.text(value)
        return text if len(text) <= _LIMIT else text[: _LIMIT - 1] + "…"

    def typed(self, value: Value) -> str:
        return f"{value.type} {self.value(value)}"

    def all(self, values: Sequence[Value]) -> str:
        return ", ".join(map(self.value, values))


def _number(value: ConstantFloat) -> str:
    """At most six digits: a picture, not a dump."""
    if value.type not in (FLOAT, DOUBLE, X86_FP80):
        return ValueWriter().text(value)
    text = f"{float_value(value):.6g}"
    return text if not text.lstrip("-").isdigit() else text + ".0"


def _plain(w: _Writer, i: ir.Instruction) -> str:
    if not i.operands:
        return i.opcode
    return f"{i.opcode} {i.operands[0].type} {w.all(i.operands)}"


def _compare(w: _Writer, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Compare)
    return f"{i.opcode} {i.predicate} {i.operands[0].type} {w.all(i.operands)}"


def _cast(w: _Writer, i: ir.Instruction) -> str:
    return f"{i.opcode} {w.typed(i.operands[0])} to {i.type}"


def _select(w: _Writer, i: ir.Instruction) -> str:
    return f"select {w.all(i.operands)}"


def _phi(w: _Writer, i: ir.Instruction) -> str:
    return "phi " + ", ".join(f"[{w.value(value)}]" for value in i.operands)


def _gep(w: _Writer, i: ir.Instruction) -> str:
    assert isinstance(i, ir.GetElementPtr)
    return f"gep {i.source_type}, {w.typed(i.pointer)}, {w.all(i.indices)}"


def _alloca(w: _Writer, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Alloca)
    single = isinstance(i.operands[0], ConstantInt) and i.operands[0].value == 1
    return f"alloca {i.allocated_type}" + ("" if single else f", {w.value(i.operands[0])}")


def _load(w: _Writer, i: ir.Instruction) -> str:
    return f"load {i.type}, {w.typed(i.operands[0])}"


def _store(w: _Writer, i: ir.Instruction) -> str:
    return f"store {w.typed(i.operands[0])}, {w.typed(i.operands[1])}"


def _call(w: _Writer, i: ir.Instruction) -> str:
    assert isinstance(i, ir.Call)
    return f"{i.opcode} {i.type} {w.value(i.callee)}({w.all(i.arguments)})"


def _indexed(w: _Writer, i: ir.Instruction) -> str:
    assert isinstance(i, (ir.ExtractValue, ir.InsertValue))
    return f"{i.opcode} {', '.join([*map(w.value, i.operands), *map(str, i.indices)])}"


def _branch(w: _Writer, i: ir.Instruction) -> str:
    return f"{i.opcode} {w.all(i.operands)}".rstrip()


def _atomic(w: _Writer, i: ir.Instruction) -> str:
    operation = f" {i.operation}" if isinstance(i, ir.AtomicRMW) else ""
    return f"{i.opcode}{operation} {w.all(i.operands)}"


def _return(w: _Writer, i: ir.Instruction) -> str:
    return f"ret {w.typed(i.operands[0])}" if i.operands else "ret"


_WRITERS: dict[type[ir.Instruction], Callable[[_Writer, ir.Instruction], str]] = {
    ir.Compare: _compare,
    ir.Cast: _cast,
    ir.Select: _select,
    ir.Phi: _phi,
    ir.GetElementPtr: _gep,
    ir.Alloca: _alloca,
    ir.Load: _load,
    ir.Store: _store,
    ir.Call: _call,
    ir.Invoke: _call,
    ir.CallBranch: _call,
    ir.ExtractValue: _indexed,
    ir.InsertValue: _indexed,
    ir.Branch: _branch,
    ir.Switch: _branch,
    ir.IndirectBranch: _branch,
    ir.AtomicRMW: _atomic,
    ir.CompareExchange: _atomic,
    ir.Return: _return,
}
