"""Shadows of memory that comes into being in the function, or is there from the start.

Invariant: fresh shadow memory is zero. The shadow of a stack variable has its size and lives as long as both sweeps do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import kinds
from enzyme_magic.backend.autodiff.planning.missing import MissingShadows
from enzyme_magic.backend.autodiff.sweeps.insertions import Insertions
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Alloca, Call, Cast, Instruction
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import I64, POINTER
from enzyme_magic.backend.ir.values import Argument, ConstantInt, Value


@dataclass(slots=True, repr=False)
class LocalShadows:
    """Collaborator of Shadows.

    allocate(size, align): zeroed memory from the function's start on (stack of a combined function, frame of a split
    one); dynamic(builder, bytes): memory for a variable-length array. leads_nowhere(cast): whether a pointer made of an integer is
    no address, but a whole number that is kept in a pointer variable.
    """

    context: SweepContext
    forward: dict[Value, Value]
    insertions: Insertions
    parameters: dict[int, Argument]
    missing: MissingShadows
    allocate: Callable[[Alloca], Value]
    dynamic: Callable[[Builder, Value], Value]
    of_call_result: Callable[[Call], Value]
    leads_nowhere: Callable[[Cast], bool]

    def of_argument(self, argument: Argument) -> Value:
        shadow = self.parameters.get(argument.index)
        if shadow is None:
            self.missing.parameter(argument.index)
            shadow = Argument(POINTER, f"{argument.name}_shadow", EMPTY, 0)  # in a trial
            self.parameters[argument.index] = shadow
        return shadow

    def of_global(self, variable: GlobalVariable) -> Value:
        return self.context.shadow_global(variable)

    def of_function(self, function: Function) -> Value:
        """Itself: calls go by the primal pointer (devirtualize), what lies in shadow memory only keeps its place."""
        return function

    def of_call(self, call: Call) -> Value:
        return self.of_call_result(call)

    def of_integer(self, cast: Cast) -> Value | None:
        """Itself, where it leads nowhere: whoever follows it does so in the program, too."""
        return self.forward[cast] if self.leads_nowhere(cast) else None

    def of_alloca(self, alloca: Alloca) -> Value:
        if is_static(alloca):
            return self.allocate(alloca)
        primal = self.forward[alloca]
        assert isinstance(primal, Instruction)
        assert primal.parent is not None
        builder = self.insertions.after(primal, primal.parent)
        size = alloca_bytes(builder, self.context, alloca, self.forward)
        room = kinds.in_words(self.context, builder, size)
        shadow = self.dynamic(builder, room)
        self.context.zero_memory(builder, shadow, room)
        kinds.fresh(self.context, builder, shadow, size)
        return shadow


def is_static(alloca: Alloca) -> bool:
    """Whether LLVM gives it a fixed place in the stack frame."""
    home = alloca.parent
    at_entry = home is not None and home.parent is not None and home is home.parent.entry
    return at_entry and isinstance(alloca.operands[0], ConstantInt)


def alloca_bytes(builder: Builder, context: SweepContext, alloca: Alloca, forward: dict[Value, Value]) -> Value:
    """Its size as an i64."""
    each = context.layout.size_of(alloca.allocated_type)
    count = alloca.operands[0]
    if isinstance(count, ConstantInt):
        return constants.int_constant(I64, each * count.unsigned)
    wide = forward.get(count, count)
    if wide.type != I64:
        wide = builder.zext(wide, I64)
    return builder.mul(wide, constants.int_constant(I64, each))
