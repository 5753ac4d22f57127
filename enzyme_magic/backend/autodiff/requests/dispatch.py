"""An answer that chooses among answers by comparing pointers it is given: which function is meant, which memory is active."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from enzyme_magic.backend.autodiff.requests.write import RequestAnswer, answer_type
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import VOID, FunctionType, VoidType
from enzyme_magic.backend.ir.values import Argument, Block, Value


@dataclass(frozen=True, slots=True, repr=False)
class Case:
    """An answer, and when it is the right one: (operand, another operand or a function, whether they are equal), all of them."""

    answer: RequestAnswer
    when: tuple[tuple[int, int | Function, bool], ...]


def dispatch(module: Module, call: Call, name: str, cases: Sequence[Case], *, closed: bool) -> RequestAnswer:
    """A function `name` in `module` that calls the answer of the first case that holds. closed: one of them does; otherwise it ends
    in abort where none holds."""
    operands = tuple(sorted(_operands(cases)))
    type_ = answer_type(call, operands)
    function = declared(module, name, type_)
    extra = len(type_.parameters) - len(operands)
    given = dict(zip(operands, function.arguments[extra:], strict=True))
    block = _block(function, "entry")
    for k, case in enumerate(cases):
        chosen = block
        if k < len(cases) - 1 or not closed:
            chosen, following = _block(function, f"is.{k}"), _block(function, f"not.{k}")
            builder = Builder(block)
            builder.cond_br(_holds(builder, case, given), chosen, following)
            block = following
        arguments: list[Value] = [*function.arguments[:extra], *(given[number] for number in case.answer.operands)]
        callee = declared(module, case.answer.name, answer_type(call, case.answer.operands))
        builder = Builder(chosen)
        result = builder.call(callee, arguments)
        builder.ret(None if isinstance(type_.result, VoidType) else result)
    if not closed:
        builder = Builder(block)
        builder.call(declared(module, "abort", FunctionType(VOID, ())), [])
        builder.unreachable()
    return RequestAnswer(None, name, operands)


def _operands(cases: Sequence[Case]) -> set[int]:
    found: set[int] = set()
    for case in cases:
        found.update(case.answer.operands)
        for one, other, _ in case.when:
            found |= {one, other} if isinstance(other, int) else {one}
    return found


def _holds(builder: Builder, case: Case, given: dict[int, Argument]) -> Value:
    held: Value | None = None
    for one, other, equal in case.when:
        value = given[other] if isinstance(other, int) else other
        this = builder.icmp("eq" if equal else "ne", given[one], value)
        held = this if held is None else builder.and_(held, this)
    assert held is not None
    return held


def declared(module: Module, name: str, type_: FunctionType) -> Function:
    """The function of this name, declared if it is not there."""
    function = module.functions.get(name)
    if function is None:
        arguments = [Argument(t, "", EMPTY, k) for k, t in enumerate(type_.parameters)]
        function = Function(name, function_type=type_, arguments=arguments)
        module.add(function)
    return function


def _block(function: Function, name: str) -> Block:
    block = Block(name, parent=function)
    function.blocks.append(block)
    return block
