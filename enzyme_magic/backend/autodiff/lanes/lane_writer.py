"""N sweeps in one: what differs between them is written N times, the primal once.

Works on finished functions, of both modes: `lane_plan` says what varies, and every varying instruction gets N copies side by side,
which LLVM may join to vectors. Parameters and results that vary become N each, in place.

Invariant: lane k computes what the sweep alone would compute with the k-th shadows and seeds; shadow globals, stack variables and
shadow allocations are there once for each lane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from enzyme_magic.backend.autodiff.calls.signature import packed
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.lanes import lane_flow
from enzyme_magic.backend.autodiff.lanes.lane_flow import LaneFlow, returned
from enzyme_magic.backend.autodiff.lanes.lane_plan import LanePlan
from enzyme_magic.backend.autodiff.memory import shadow_heap
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import clone_instruction
from enzyme_magic.backend.ir.instructions import Call, ExtractValue, Instruction, Return
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import FunctionType, StructType, Type
from enzyme_magic.backend.ir.values import Argument, Block, ConstantExpression, Value


@dataclass(frozen=True, slots=True, repr=False)
class Wide:
    """A derivative for several lanes. parameters: each parameter of the single derivative, and whether there are N of it;
    results: the same for each value of the result. Lanes stand side by side."""

    function: Function
    width: int
    parameters: tuple[tuple[Argument, bool], ...]
    results: tuple[bool, ...]

    def merged(self, arguments: Sequence[Sequence[Value]]) -> list[Value]:
        """The arguments of a call, from those of the single derivative for each lane."""
        found: list[Value] = []
        for k, (_, varies) in enumerate(self.parameters):
            found += [lane[k] for lane in (arguments if varies else arguments[:1])]
        return found

    def lanes_of(self, values: Sequence[Value]) -> list[list[Value]]:
        """The values of the result, for each lane."""
        lanes: list[list[Value]] = [[] for _ in range(self.width)]
        rest = list(values)
        for varies in self.results:
            taken, rest = (rest[: self.width], rest[self.width :]) if varies else (rest[:1], rest[1:])
            for k, lane in enumerate(lanes):
                lane.append(taken[k if varies else 0])
        return lanes


def widen(context: SweepContext, plan: LanePlan, width: int) -> Wide:
    """Make the derivative of the plan, and what it calls, N sweeps in one; in place."""
    module = context.module
    globals_ = _Globals(context, width)
    before = {f.name: tuple(f.arguments) for f in module.definitions()}
    writer = _Writer(plan.flow, width, globals_.lanes, before)
    for function in list(module.definitions()):
        writer.write(function)
    return Wide(plan.function, width, plan.parameters, plan.results)


class _Globals:
    """Shadow globals, once for each lane."""

    def __init__(self, context: SweepContext, width: int) -> None:
        self.lanes: dict[Value, list[Value]] = {}
        for shadow in list(context.shadow_globals.values()):
            copies = [
                GlobalVariable(
                    f"{shadow.name}.{lane}",
                    linkage="internal",
                    value_type=shadow.value_type,
                    initializer=shadow.initializer,
                    suffix=shadow.suffix,
                )
                for lane in range(1, width)
            ]
            variable, _ = context.shadowed_variables[shadow.name]
            for lane, copy in enumerate(copies, 1):
                context.module.variables[copy.name] = copy
                context.shadowed_variables[copy.name] = variable, lane
                context.shadow_globals[copy.name] = copy
            self.lanes[shadow] = [shadow, *copies]


Keep = Callable[[Instruction, "Pairs"], Instruction]
Pairs = list[tuple[Value, int]]  # operands, each with the lane it is taken from


@dataclass(slots=True, repr=False)
class _Writer:
    """Widens functions one after the other. parameters: of each written function, as they were."""

    flow: LaneFlow
    width: int
    lanes: dict[Value, list[Value]]
    parameters: dict[str, tuple[Argument, ...]]
    _calls: dict[Value, Call] = field(default_factory=dict)
    _made: list[tuple[Instruction, Pairs]] = field(default_factory=list)
    _returned: dict[Return, list[Value | None]] = field(default_factory=dict)

    def write(self, function: Function) -> None:
        for block in function.blocks:
            if isinstance(block.terminator, Return):
                self._returned[block.terminator] = returned(block.terminator)
        arguments: list[Argument] = []
        for argument in function.arguments:
            if argument in self.flow.varying:
                copies = [Argument(argument.type, argument.name, argument.attributes, 0) for _ in range(1, self.width)]
                self.lanes[argument] = [argument, *copies]
                arguments += [argument, *copies]
            else:
                arguments.append(argument)
        for block in function.blocks:
            block.instructions = self._block(block)
        for instruction, pairs in self._made:
            instruction.operands = [self._operand(operand, lane) for operand, lane in pairs]
        self._made.clear()
        for block in function.blocks:
            if isinstance(block.terminator, Return) and self.flow.fields.get(function.name):
                self._return(function, block, block.terminator)
        for index, argument in enumerate(arguments):
            argument.index = index
        result = self._result(function.name, function.function_type.result)
        function.arguments = arguments
        function.function_type = FunctionType(result, tuple(a.type for a in arguments))

    def _result(self, name: str, type_: Type) -> Type:
        varying = self.flow.fields.get(name)
        if not varying:
            return type_
        fields = type_.elements if isinstance(type_, StructType) else (type_,)
        return StructType(tuple(t for k, t in enumerate(fields) for _ in range(self._times(k, varying))))

    def _times(self, k: int, varying: set[int]) -> int:
        return self.width if k in varying else 1

    # Instructions

    def _block(self, block: Block) -> list[Instruction]:
        kept: list[Instruction] = []

        def keep(instruction: Instruction, pairs: Pairs) -> Instruction:
            instruction.parent = block
            kept.append(instruction)
            self._made.append((instruction, pairs))
            return instruction

        for i in block.instructions:
            if isinstance(i, Call) and self._is_widened(i):
                self._call(i, keep)
            elif isinstance(i, ExtractValue) and isinstance(i.operands[0], Call) and self._is_widened(i.operands[0]):
                self._take(i, i.operands[0], keep)
            elif i in self.flow.varying and not isinstance(i, Return):
                copies = [i, *(self._copy(i) for _ in range(1, self.width))]
                self.lanes[i] = list(copies)
                for lane, copy in enumerate(copies):
                    keep(copy, [(operand, lane) for operand in copy.operands])
            else:
                keep(i, [(operand, 0) for operand in i.operands])
        return kept

    def _copy(self, i: Instruction) -> Instruction:
        copied = clone_instruction(i, {})
        if isinstance(copied, Call) and getattr(copied.callee, "name", "") in lane_flow.RELEASES:
            copied.operands[-1] = shadow_heap.FREE_SHADOW  # the primal goes once
        return copied

    def _operand(self, value: Value, lane: int) -> Value:
        found = self.lanes.get(value)
        if found is not None:
            return found[lane if len(found) > 1 else 0]
        if value in self._calls:
            return self._calls[value]
        if isinstance(value, ConstantExpression) and self.flow.varies(value):
            operands = tuple(self._operand(operand, lane) for operand in value.operands)
            return replace(value, operands=operands)
        return value

    def _return(self, function: Function, block: Block, i: Return) -> None:
        varying = self.flow.fields[function.name]
        block.instructions.pop()
        values: list[Value] = []
        for k, value in enumerate(self._returned[i]):
            assert value is not None
            values += [self._operand(value, lane) for lane in range(self._times(k, varying))]
        builder = Builder(block)
        builder.ret(packed(builder, values))

    # Calls of functions that take or give something varying

    def _is_widened(self, call: Call) -> bool:
        target = self.flow.written(call)
        if target is None:
            return False
        varies = any(a in self.flow.varying for a in self.parameters[target.name])
        return varies or bool(self.flow.fields.get(target.name))

    def _call(self, call: Call, keep: Keep) -> None:
        name = call.callee.name  # type: ignore[attr-defined]
        pairs: Pairs = []
        attributes = []
        for argument, parameter, told in zip(
            call.arguments, self.parameters[name], call.argument_attributes, strict=True
        ):
            times = self.width if parameter in self.flow.varying else 1
            pairs += [(argument, lane) for lane in range(times)]
            attributes += [told] * times
        new = clone_instruction(call, {})
        assert isinstance(new, Call)
        new.argument_attributes = attributes
        new.type = self._result(name, call.type)
        new.function_type = FunctionType(new.type, tuple(value.type for value, _ in pairs))
        callee = self.flow.module.functions[name]
        keep(new, [*pairs, (callee, 0)])
        self._calls[call] = new
        if 0 in self.flow.fields.get(name, ()) and not isinstance(call.type, StructType):
            self.lanes[call] = [
                keep(ExtractValue("extractvalue", call.type, [new], "", indices=(lane,)), [(new, 0)])
                for lane in range(self.width)
            ]

    def _take(self, i: ExtractValue, call: Call, keep: Keep) -> None:
        """A value of a widened call's result."""
        new = self._calls[call]
        varying = self.flow.fields.get(call.callee.name, set())  # type: ignore[attr-defined]
        first, rest = i.indices[0], i.indices[1:]
        start = sum(self._times(k, varying) for k in range(first))
        self.lanes[i] = [
            keep(ExtractValue("extractvalue", i.type, [new], i.name, indices=(start + lane, *rest)), [(new, 0)])
            for lane in range(self._times(first, varying))
        ]
