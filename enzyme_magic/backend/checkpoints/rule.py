"""The custom rule of a checkpointed loop: run with checkpoints forwards, piece by piece backwards.

Invariant: what is registered is a rule as C code registers one (`__enzyme_register_gradient_…`); the derivative of a piece is an
ordinary request that the program makes of itself. Not here: the loop as functions (outline.py), the schedule (driver.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from enzyme_magic.backend.checkpoints import driver
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import I32, I64, POINTER, VOID, ArrayType, FunctionType, IntType, StructType, Type
from enzyme_magic.backend.ir.values import Argument, Block, ConstantAggregate, Value
from enzyme_magic.backend.rules.custom import KEEPS

REGION = StructType((POINTER, I64))
_BYTE = IntType(8)


def add_function(module: Module, name: str, parameters: Sequence[Argument], result: Type) -> Function:
    """A function of the module's own, without its body."""
    for k, parameter in enumerate(parameters):
        parameter.index = k
    types = tuple(parameter.type for parameter in parameters)
    made = Function(name, linkage="internal", function_type=FunctionType(result, types), arguments=list(parameters))
    module.add(made)
    return made


@dataclass(slots=True, eq=False, repr=False)
class RuleWriter:
    """The functions of a rule: every pointer is followed by its shadow. The context of the thunks holds their arguments.

    whole, piece: all iterations, and some of them. state: the bytes of the structs that a checkpoint holds, the first parameters.
    regions: of the memory that it holds besides, which of the parameters of `piece` points to it; its first byte and its size are
    the last parameters of `whole`. budget: bytes for the checkpoints.
    """

    module: Module
    whole: Function
    piece: Function
    state: tuple[int, ...]
    regions: tuple[int, ...]
    budget: int

    def write(self) -> None:
        """Register the rule for `whole`."""
        advance, back = self._thunk("advance"), self._thunk("back")
        functions = (self.whole, self._forward(advance), self._reverse(advance, back))
        type_ = ArrayType(3, POINTER)
        name = f"__enzyme_register_gradient_{self.whole.name}"
        self.module.add(
            GlobalVariable(name, value_type=type_, initializer=ConstantAggregate(type_, functions), linkage="")
        )

    def _add(self, part: str, parameters: Sequence[Argument], result: Type) -> Function:
        return add_function(self.module, f"{self.whole.name}.{part}", parameters, result)

    @property
    def _types(self) -> list[Type]:
        return [t for a in self.piece.arguments for t in ((POINTER, POINTER) if a.type == POINTER else (a.type,))]

    @property
    def _context(self) -> StructType:
        return StructType(tuple(self._types))

    def _interleaved(self) -> list[Argument]:
        made: list[Argument] = []
        for parameter in self.whole.arguments:
            made.append(Argument(parameter.type, parameter.name, EMPTY, 0))
            if parameter.type == POINTER:
                made.append(Argument(POINTER, f"{parameter.name}.shadow", EMPTY, 0))
        return made

    def _thunk(self, part: str) -> Function:
        """One piece, run or reversed, with the arguments that lie in memory."""
        context = Argument(POINTER, "context", EMPTY, 0)
        reverses = part == "back"
        function = self._add(part, [context], VOID if reverses else I32)
        function.blocks = [Block("entry", parent=function)]
        builder = Builder(function.entry)
        values: list[Value] = [
            builder.load(t, builder.gep(self._context, context, [0, k])) for k, t in enumerate(self._types)
        ]
        if reverses:
            self._request(builder, values)
            builder.ret()
        else:
            builder.ret(builder.call(self.piece, self._primal(values)))
        return function

    def _primal(self, values: Sequence[Value]) -> list[Value]:
        rest = iter(values)
        primal: list[Value] = []
        for argument in self.piece.arguments:
            primal.append(next(rest))
            if argument.type == POINTER:
                next(rest)
        return primal

    def _request(self, builder: Builder, values: Sequence[Value]) -> None:
        """`__enzyme_autodiff` of a piece: all memory but the integers of the state has a shadow."""
        module = self.module
        entry = module.declared("__enzyme_autodiff", FunctionType(VOID, (POINTER,), variadic=True))
        passed: list[Value] = [self.piece]
        rest = iter(values)
        for k, argument in enumerate(self.piece.arguments):
            constant = argument.type != POINTER or k == 1
            passed += [builder.load(I32, _marker(module, "enzyme_const" if constant else "enzyme_dup")), next(rest)]
            if argument.type == POINTER:
                shadow = next(rest)
                passed += [] if constant else [shadow]
        builder.call(entry, passed)

    def _forward(self, advance: Function) -> Function:
        """Run all pieces, with checkpoints; the result is their record."""
        parameters = self._interleaved()
        function = self._add("forward", parameters, POINTER)
        builder, context, regions = self._open(function, parameters)
        count = constants.int_constant(I64, self._count)
        type_ = FunctionType(POINTER, (POINTER, POINTER, POINTER, I64, I64))
        run = self.module.declared(driver.FORWARD, type_)
        most = constants.int_constant(I64, self.budget)
        builder.ret(builder.call(run, [context, advance, regions, count, most]))
        return function

    def _reverse(self, advance: Function, back: Function) -> Function:
        """Reverse all pieces, from the checkpoints."""
        tape = Argument(POINTER, "tape", EMPTY, 0)
        parameters = [*self._interleaved(), tape]
        function = self._add("reverse", parameters, VOID)
        function.attributes = AttributeSet((Attribute(KEEPS, quoted=True),))
        builder, context, regions = self._open(function, parameters[:-1])
        type_ = FunctionType(VOID, (POINTER, POINTER, POINTER, POINTER, POINTER, I64))
        run = self.module.declared(driver.REVERSE, type_)
        builder.call(run, [tape, context, advance, back, regions, constants.int_constant(I64, self._count)])
        builder.ret()
        return function

    @property
    def _count(self) -> int:
        return len(self.state) + len(self.regions)

    def _open(self, function: Function, parameters: Sequence[Argument]) -> tuple[Builder, Value, Value]:
        """The context and the regions of a checkpoint, in memory."""
        function.blocks = [Block("entry", parent=function)]
        builder = Builder(function.entry)
        context = builder.alloca(self._context, align=16)
        for k, value in enumerate(parameters[: len(self._types)]):
            builder.store(value, builder.gep(self._context, context, [0, k]))
        regions = builder.alloca(ArrayType(self._count, REGION), align=16)
        primal = self._whole_primal(parameters)
        found: list[tuple[Value, Value]] = [
            (primal[k], constants.int_constant(I64, size)) for k, size in enumerate(self.state)
        ]
        first = len(self.piece.arguments)
        for k, pointer in enumerate(self.regions):
            low, size = primal[first + 2 * k], primal[first + 2 * k + 1]
            found.append((builder.gep(_BYTE, primal[pointer], [low]), size))
        for k, (at, length) in enumerate(found):
            place = builder.gep(ArrayType(self._count, REGION), regions, [0, k])
            builder.store(at, place)
            builder.store(length, builder.gep(REGION, place, [0, 1]))
        return builder, context, regions

    def _whole_primal(self, parameters: Sequence[Argument]) -> list[Argument]:
        rest = iter(parameters)
        primal: list[Argument] = []
        for argument in self.whole.arguments:
            primal.append(next(rest))
            if argument.type == POINTER:
                next(rest)
        return primal


def _marker(module: Module, name: str) -> GlobalVariable:
    known = module.variables.get(name)
    if known is None:
        known = GlobalVariable(name, linkage="", value_type=I32, initializer=constants.int_constant(I32, 0))
        module.add(known)
    return known
