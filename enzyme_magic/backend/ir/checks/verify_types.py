"""Whether the operand types of an instruction fit its opcode.

Invariant: `type_fault` answers None or one sentence; it looks at one instruction and never follows a use.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir import instructions as ir
from enzyme_magic.backend.ir.builder import castable
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import (
    I1,
    VOID,
    ArrayType,
    IntType,
    NamedType,
    StructType,
    Type,
    VectorType,
    is_floating,
    is_integer,
    is_pointer,
)

Check = Callable[[ir.Instruction, Function], str | None]
_FLOAT_OPERATIONS = frozenset(["fadd", "fsub", "fmul", "fdiv", "frem", "fneg"])


def type_fault(instruction: ir.Instruction, function: Function) -> str | None:
    """What is wrong with the types of `instruction`, in a few words; None where nothing is."""
    check = _CHECKS.get(type(instruction))
    if check is None:
        return None
    wanted = _COUNTS.get(type(instruction))
    if wanted is not None and len(instruction.operands) != wanted:
        return f"{len(instruction.operands)} operands instead of {wanted}"
    return check(instruction, function)


def _arithmetic(i: ir.Instruction, _: Function) -> str | None:
    if any(operand.type != i.type for operand in i.operands):
        return f"operands of type {', '.join(str(o.type) for o in i.operands)} for a result of type {i.type}"
    fits = is_floating(i.type) if i.opcode in _FLOAT_OPERATIONS else is_integer(i.type)
    return None if fits else f"{i.opcode} of type {i.type}"


def _compare(i: ir.Instruction, _: Function) -> str | None:
    a, b = i.operands
    if a.type != b.type:
        return f"a comparison of {a.type} with {b.type}"
    if is_floating(a.type) != (i.opcode == "fcmp"):
        return f"{i.opcode} of type {a.type}"
    return None if i.type == _truth(a.type) else f"a comparison with result {i.type}"


def _truth(type_: Type) -> Type:
    return VectorType(type_.count, I1, type_.scalable) if isinstance(type_, VectorType) else I1


def _select(i: ir.Instruction, _: Function) -> str | None:
    condition, a, b = i.operands
    if not a.type == b.type == i.type:
        return f"a select between {a.type} and {b.type} with result {i.type}"
    return None if condition.type in (I1, _truth(a.type)) else f"a select by {condition.type}"


def _cast(i: ir.Instruction, _: Function) -> str | None:
    source = i.operands[0].type
    return None if castable(i.opcode, source, i.type) else f"{i.opcode} from {source} to {i.type}"


def _phi(i: ir.Instruction, _: Function) -> str | None:
    wrong = next((operand for operand in i.operands if operand.type != i.type), None)
    return None if wrong is None else f"a value of type {wrong.type} in a phi of type {i.type}"


def _pointer_first(i: ir.Instruction, _: Function) -> str | None:
    pointer = i.operands[0] if i.operands else None
    return None if pointer is not None and is_pointer(pointer.type) else "the address is no pointer"


def _store(i: ir.Instruction, _: Function) -> str | None:
    return None if is_pointer(i.operands[1].type) else f"a store to an address of type {i.operands[1].type}"


def _return(i: ir.Instruction, function: Function) -> str | None:
    found = i.operands[0].type if i.operands else VOID
    wanted = function.function_type.result
    return None if found == wanted else f"ret {found} in a function that returns {wanted}"


def _branch(i: ir.Instruction, _: Function) -> str | None:
    if len(i.operands) + 1 != len(i.successors) or len(i.operands) > 1:
        return f"a branch with {len(i.operands)} conditions and {len(i.successors)} targets"
    return None if not i.operands or i.operands[0].type == I1 else f"a branch by {i.operands[0].type}"


def _switch(i: ir.Instruction, _: Function) -> str | None:
    assert isinstance(i, ir.Switch)
    type_ = i.operands[0].type
    if len(i.cases) + 1 != len(i.targets):
        return f"a switch with {len(i.cases)} cases and {len(i.targets)} targets"
    if len(set(i.cases)) != len(i.cases):
        return "a switch with two equal cases"
    fits = isinstance(type_, IntType) and all(case.type == type_ for case in i.cases)
    return None if fits else f"a switch on {type_} with cases of other types"


def _call(i: ir.Instruction, _: Function) -> str | None:
    assert isinstance(i, ir.Call)
    type_ = i.function_type
    if i.type != type_.result:
        return f"a call of {type_} with result {i.type}"
    if not is_pointer(i.callee.type):
        return f"a call of a value of type {i.callee.type}"
    arguments = i.arguments
    if len(arguments) < len(type_.parameters) or (len(arguments) > len(type_.parameters) and not type_.variadic):
        return f"a call of {type_} with {len(arguments)} arguments"
    for number, (wanted, argument) in enumerate(zip(type_.parameters, arguments, strict=False)):
        if wanted != argument.type:
            return f"argument {number} has type {argument.type} instead of {wanted}"
    return None


def _member(type_: Type | None, indices: tuple[int, ...], function: Function) -> Type | None:
    """The type at `indices`, None where there is none."""
    for index in indices:
        while isinstance(type_, NamedType):
            type_ = function.parent.named_types.get(type_.spelling) if function.parent else None
        if isinstance(type_, StructType) and 0 <= index < len(type_.elements):
            type_ = type_.elements[index]
        elif isinstance(type_, ArrayType) and 0 <= index < type_.count:
            type_ = type_.element
        else:
            return None
    return type_


def _extract_value(i: ir.Instruction, function: Function) -> str | None:
    assert isinstance(i, ir.ExtractValue)
    found = _member(i.operands[0].type, i.indices, function)
    return None if found == i.type else f"extractvalue with result {i.type} where the member has type {found}"


def _insert_value(i: ir.Instruction, function: Function) -> str | None:
    assert isinstance(i, ir.InsertValue)
    found = _member(i.type, i.indices, function)
    if i.operands[0].type != i.type:
        return f"insertvalue into {i.operands[0].type} with result {i.type}"
    return None if found == i.operands[1].type else f"insertvalue of {i.operands[1].type} for a member of type {found}"


def _extract_element(i: ir.Instruction, _: Function) -> str | None:
    vector = i.operands[0].type
    fits = isinstance(vector, VectorType) and vector.element == i.type and is_integer(i.operands[1].type)
    return None if fits else f"extractelement with result {i.type} from {vector}"


def _insert_element(i: ir.Instruction, _: Function) -> str | None:
    vector, element, index = (operand.type for operand in i.operands)
    fits = isinstance(vector, VectorType) and vector == i.type and vector.element == element and is_integer(index)
    return None if fits else f"insertelement of {element} into {vector}"


_CHECKS: dict[type[ir.Instruction], Check] = {
    ir.Unary: _arithmetic,
    ir.Binary: _arithmetic,
    ir.Compare: _compare,
    ir.Select: _select,
    ir.Cast: _cast,
    ir.Phi: _phi,
    ir.Load: _pointer_first,
    ir.GetElementPtr: _pointer_first,
    ir.AtomicRMW: _pointer_first,
    ir.CompareExchange: _pointer_first,
    ir.Store: _store,
    ir.Return: _return,
    ir.Branch: _branch,
    ir.Switch: _switch,
    ir.Call: _call,
    ir.Invoke: _call,
    ir.CallBranch: _call,
    ir.ExtractValue: _extract_value,
    ir.InsertValue: _insert_value,
    ir.ExtractElement: _extract_element,
    ir.InsertElement: _insert_element,
}
_COUNTS = {
    ir.Unary: 1,
    ir.Binary: 2,
    ir.Compare: 2,
    ir.Select: 3,
    ir.Cast: 1,
    ir.Load: 1,
    ir.Store: 2,
    ir.Switch: 1,
    ir.ExtractValue: 1,
    ir.InsertValue: 2,
    ir.ExtractElement: 2,
    ir.InsertElement: 3,
    ir.AtomicRMW: 2,
    ir.CompareExchange: 3,
}
