"""The tangent of an operation that has a rule: the sum over its operands of what the rule gives for their tangents.

How absence is carried (analysis/derivatives/presence.py says of which tangents it must be known): the bits of an absent tangent
are those of +0.0, in values and in memory, where all shadows begin with zeros; a tangent that is there and happens to be zero
is -0.0. Loads, stores, copies, calls, selects and phis keep the bits, so they need to know nothing. Two operations keep the
law where numbers are computed:

    tangent(d, t)      +0.0 where d is absent, whatever t is; else t, a zero as -0.0
    tangent_sum(a, b)  a + b; +0.0 where both are absent; else a zero as -0.0

Both are functions without a body until code is made, so that a derivative which is differentiated again still says what it means: a
second derivative must not see a zero tangent as a constant.

Which operand tangent a term came from is followed through the formula: a select of a rule passes d or nothing.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY, Attribute
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import printer
from enzyme_magic.backend.ir.types import FloatType, FunctionType, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.backend.rules.emitter import Operand, Term
from enzyme_magic.backend.rules.ir_basic import PURE, BasicEmitter
from enzyme_magic.backend.rules.ir_emitter import IREmitter
from enzyme_magic.backend.rules.spelling import helper_name, helper_signature

TANGENT, SUM = "tangent", "tangent_sum"
_MENTIONED = re.compile(r"@(em\.tangent(?:_sum)?\.\w+)\(")


class TangentEmitter(IREmitter):
    """An emitter that knows, of every term made from a tangent, the value whose absence is the term's."""

    def __init__(self, builder: Builder, module: Module, type_: Type, flags: tuple[str, ...] = ()) -> None:
        super().__init__(builder, module, type_, flags)
        self._origins: dict[Value, Value] = {}

    def begin(self, tangent: Value) -> None:
        self._origins[tangent] = tangent

    def binary(self, opcode: str, a: Operand, b: Operand) -> Term:
        return self._made(super().binary(opcode, a, b), a, b)

    def negate(self, a: Operand) -> Term:
        return self._made(super().negate(a), a)

    def convert(self, a: Term) -> Term:
        made = super().convert(a)
        if self._origin(a) is not None:
            self._origins.setdefault(made.value, made.value)  # a conversion keeps zeros with their signs
        return made

    def call(self, operation: str, *arguments: Operand) -> Term:
        return self._made(super().call(operation, *arguments), *arguments)

    def select(self, condition: Term, a: Operand, b: Operand) -> Term:
        made = super().select(condition, a, b)
        origins = [self._origin(arm) for arm in (a, b)]
        if origins[0] is origins[1]:
            return self._made(made, a)
        arms = [self.value(arm) for arm in (a, b)]
        passed = [constants.zero(made.value.type) if origin is None else origin for origin in origins]
        kept = all(x is y or (constants.is_zero(x) and constants.is_zero(y)) for x, y in zip(arms, passed, strict=True))
        origin = made.value if kept else self.builder.select(condition.value, passed[0], passed[1])
        self._origins[made.value] = self._origins[origin] = origin
        return made

    def finish(self, value: Value) -> Value:
        """The term of a formula as it is added up."""
        origin = self._origins.get(value)
        if origin is None or origin is value:
            return value
        return self._helper(TANGENT, origin, value)

    def sum(self, a: Value, b: Value) -> Value:
        return self._helper(SUM, a, b)

    def _helper(self, operation: str, *values: Value) -> Value:
        type_ = values[0].type
        assert isinstance(type_, FloatType)
        function = self.module.declared(helper_name(operation, type_), FunctionType(type_, (type_, type_)))
        return self.builder.call(function, list(values), attributes=PURE)

    def _origin(self, a: Operand) -> Value | None:
        return self._origins.get(a.value) if isinstance(a, Term) else None

    def _made(self, made: Term, *operands: Operand) -> Term:
        origin = next((found for a in operands if (found := self._origin(a)) is not None), None)
        if origin is not None and made.value not in self._origins:
            self._origins[made.value] = origin
        return made


def is_used(module: Module) -> bool:
    """Whether some tangent of a written derivative may be absent."""
    return any(_MENTIONED.fullmatch(f"@{name}(") for name in module.functions)


def support(text: str) -> str:
    """The functions with which a text computes tangents, as a module; nothing where it mentions none."""
    module = Module()
    for name in sorted(set(_MENTIONED.findall(text))):
        signature = helper_signature(name)
        assert signature is not None
        type_ = FunctionType(signature.type, (signature.type, signature.type))
        arguments = [Argument(signature.type, f"x{k}", EMPTY, k) for k in (0, 1)]
        function = Function(name, linkage="linkonce_odr", function_type=type_, arguments=arguments)
        function.attributes = function.attributes.with_(Attribute("alwaysinline"))
        module.add(function)
        block = Block("entry", parent=function)
        function.blocks.append(block)
        emit = BasicEmitter(Builder(block), module, signature.type)
        _write(emit, signature.operation, *map(emit.term, arguments))
    return printer.print_module(module) if module.functions else ""


def _write(e: BasicEmitter, operation: str, a: Term, b: Term) -> None:
    """-(0 - t) is t with any zero as -0.0, and -((-a) - b) is +0.0 where a and b are, and otherwise a zero as -0.0, because a sum
    rounds to the nearest number."""
    if operation == SUM:
        e.builder.ret((-(-a - b)).value)
        return
    absent = e.both(e.equal(a, 0), e.greater(e.copysign(1, a), 0))
    e.builder.ret(e.select(absent, 0, -(e.number(0) - b)).value)
