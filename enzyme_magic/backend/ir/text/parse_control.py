"""Terminators and calls: tokens behind the opcode in, Instruction out. See `parse_instructions` for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_magic.backend.ir import instructions as ir
from enzyme_magic.backend.ir.attributes import AttributeSet
from enzyme_magic.backend.ir.text.lexer import Cursor
from enzyme_magic.backend.ir.text.parse_instructions import Reader, read_flags
from enzyme_magic.backend.ir.types import METADATA, VOID, Type
from enzyme_magic.backend.ir.values import Block, MetadataOperand, Value

if TYPE_CHECKING:
    from enzyme_magic.backend.ir.text.parse_function import BodyParser

_CONVENTIONS = """
    fastcc coldcc ghccc anyregcc preserve_mostcc preserve_allcc preserve_nonecc cxx_fast_tlscc tailcc swiftcc
    swifttailcc cfguard_checkcc x86_stdcallcc x86_fastcallcc x86_thiscallcc x86_vectorcallcc x86_regcallcc
    x86_intrcc x86_64_sysvcc win64cc arm_apcscc arm_aapcscc arm_aapcs_vfpcc aarch64_vector_pcs
    aarch64_sve_vector_pcs ptx_kernel ptx_device spir_func spir_kernel graalcc amdgpu_kernel amdgpu_cs amdgpu_gfx
"""
CALLING_CONVENTIONS = frozenset(_CONVENTIONS.split())
_ATTRIBUTES = """
    alwaysinline builtin cold convergent hot inlinehint memory minsize mustprogress naked nobuiltin nocallback
    noduplicate nofree noinline nomerge norecurse noreturn nosync nounwind optnone optsize readnone returns_twice
    speculatable strictfp willreturn allocsize alignstack
"""
CALL_ATTRIBUTES = frozenset(_ATTRIBUTES.split())


def read_convention(cursor: Cursor) -> str:
    """A calling convention (`fastcc`, `cc 10`), or nothing."""
    if cursor.peek() in CALLING_CONVENTIONS:
        return cursor.next()
    return f"cc {cursor.integer()}" if cursor.accept("cc") else ""


def _return(body: BodyParser, opcode: str) -> ir.Instruction:
    type_ = body.types.parse()
    return ir.Return(opcode, operands=[] if type_ is VOID else [body.value(type_)])


def _label(body: BodyParser) -> Block:
    cursor = body.cursor
    cursor.expect("label")
    return body.block(cursor.next())


def _branch(body: BodyParser, opcode: str) -> ir.Instruction:
    cursor = body.cursor
    if cursor.peek() == "label":
        return ir.Branch(opcode, targets=[_label(body)])
    condition = body.typed()
    cursor.expect(",")
    a = _label(body)
    cursor.expect(",")
    return ir.Branch(opcode, operands=[condition], targets=[a, _label(body)])


def _switch(body: BodyParser, opcode: str) -> ir.Instruction:
    cursor = body.cursor
    value = body.typed()
    cursor.expect(",")
    targets = [_label(body)]
    cases: list[Value] = []
    cursor.expect("[")
    while not cursor.accept("]"):
        cases.append(body.typed())
        cursor.expect(",")
        targets.append(_label(body))
    return ir.Switch(opcode, operands=[value], cases=cases, targets=targets)


def _indirect_branch(body: BodyParser, opcode: str) -> ir.Instruction:
    cursor = body.cursor
    address = body.typed()
    cursor.expect(",")
    cursor.expect("[")
    targets: list[Block] = []
    while not cursor.accept("]"):
        targets.append(_label(body))
        cursor.accept(",")
    return ir.IndirectBranch(opcode, operands=[address], targets=targets)


def _resume(body: BodyParser, opcode: str) -> ir.Instruction:
    return ir.Resume(opcode, operands=[body.typed()])


def _unreachable(body: BodyParser, opcode: str) -> ir.Instruction:
    return ir.Unreachable(opcode)


def _landing_pad(body: BodyParser, opcode: str) -> ir.Instruction:
    cursor = body.cursor
    type_ = body.types.parse()
    flags = read_flags(body)
    clauses: list[str] = []
    operands: list[Value] = []
    while cursor.peek() in ("catch", "filter"):
        clauses.append(cursor.next())
        operands.append(body.typed())
    return ir.LandingPad(opcode, type_, operands, "", flags, clauses=tuple(clauses))


def _call(body: BodyParser, opcode: str) -> ir.Instruction:
    tail = ""
    if opcode != "call":
        tail = opcode
        body.cursor.expect("call")
    call = ir.Call("call", tail=tail)
    _fill_call(body, call)
    return call


def _invoke(body: BodyParser, opcode: str) -> ir.Instruction:
    invoke = ir.Invoke(opcode)
    _fill_call(body, invoke)
    body.cursor.expect("to")
    invoke.normal = _label(body)
    body.cursor.expect("unwind")
    invoke.unwind = _label(body)
    return invoke


def _call_branch(body: BodyParser, opcode: str) -> ir.Instruction:
    branch = ir.CallBranch(opcode)
    _fill_call(body, branch)
    body.cursor.expect("to")
    branch.targets = [_label(body)]
    body.cursor.expect("[")
    while not body.cursor.accept("]"):
        branch.targets.append(_label(body))
        body.cursor.accept(",")
    return branch


def _fill_call(body: BodyParser, call: ir.Call) -> None:
    cursor, types = body.cursor, body.types
    call.flags = read_flags(body)
    call.calling_convention = read_convention(cursor)
    call.result_attributes = body.attributes.parameter()
    if cursor.accept("addrspace"):
        types.address_space()
    result = types.parse()
    full = types.function_type(result) if cursor.peek() == "(" else None
    callee = body.callee()
    _arguments(body, call)
    call.function_type = full or body.function_type(result, tuple(a.type for a in call.operands))
    call.type = result
    call.attributes = body.attributes.function(CALL_ATTRIBUTES)
    if cursor.peek() == "[":
        _bundles(body, call)
    call.operands.append(callee)


def _arguments(body: BodyParser, call: ir.Call) -> None:
    cursor, types = body.cursor, body.types
    tokens = cursor.tokens
    cursor.expect("(")
    while tokens[cursor.at] != ")":
        type_ = types.parse()
        attributes: AttributeSet = body.attributes.parameter()
        call.argument_attributes.append(attributes)
        call.operands.append(_argument(body, type_))
        if tokens[cursor.at] == ",":
            cursor.at += 1
    cursor.at += 1


def _argument(body: BodyParser, type_: Type) -> Value:
    if type_ is METADATA:
        return MetadataOperand(body.metadata.operand(body.value))
    return body.value(type_)


def _bundles(body: BodyParser, call: ir.Call) -> None:
    cursor = body.cursor
    cursor.expect("[")
    while not cursor.accept("]"):
        tag = cursor.string()
        start = len(call.operands)
        cursor.expect("(")
        while not cursor.accept(")"):
            call.operands.append(_argument(body, body.types.parse()))
            cursor.accept(",")
        call.bundles.append(ir.OperandBundle(tag, start, len(call.operands)))
        cursor.accept(",")


CONTROL_READERS: dict[str, Reader] = {
    "ret": _return,
    "br": _branch,
    "switch": _switch,
    "indirectbr": _indirect_branch,
    "resume": _resume,
    "unreachable": _unreachable,
    "landingpad": _landing_pad,
    "call": _call,
    "tail": _call,
    "musttail": _call,
    "notail": _call,
    "invoke": _invoke,
    "callbr": _call_branch,
}
