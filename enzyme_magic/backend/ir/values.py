"""Values: what an instruction can have as an operand.

Invariant: values are compared by identity, except constants, which are frozen and compared by content. A value does
not know its users; ask `def_use.users` for a map of one function.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from enzyme_magic.backend.ir.types import LABEL, METADATA, Type

if TYPE_CHECKING:
    from enzyme_magic.backend.ir.attributes import AttributeSet
    from enzyme_magic.backend.ir.instructions import Instruction
    from enzyme_magic.backend.ir.metadata import Metadata
    from enzyme_magic.backend.ir.module import Function


class Value:
    """Anything with a type that may stand as an operand."""

    __slots__ = ()
    type: Type


@dataclass(slots=True, eq=False, repr=False)
class Argument(Value):
    """A formal parameter of a function. `name` without the percent sign; empty means numbered on printing."""

    type: Type
    name: str
    attributes: AttributeSet
    index: int

    def __repr__(self) -> str:
        return f"<argument {self.type} %{self.name}>"


@dataclass(slots=True, eq=False, repr=False)
class Block(Value):
    """A basic block. `instructions` ends with exactly one terminator once the function is complete."""

    name: str
    instructions: list[Instruction] = field(default_factory=list)
    parent: Function | None = field(default=None, repr=False)
    type: Type = LABEL

    def __repr__(self) -> str:
        return f"<block %{self.name}>"

    @property
    def terminator(self) -> Instruction:
        return self.instructions[-1]

    @property
    def successors(self) -> list[Block]:
        return self.instructions[-1].successors

    def append(self, instruction: Instruction) -> Instruction:
        instruction.parent = self
        self.instructions.append(instruction)
        return instruction


class Constant(Value):
    """Base of the frozen constants. (Globals are constants for LLVM but have identity: see module.py.)"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ConstantInt(Constant):
    """`value` is the signed reading; i1 is 0 or -1 … printed as false/true. Use `.unsigned` for the bits."""

    type: Type
    value: int

    @property
    def unsigned(self) -> int:
        bits: int = self.type.bits  # type: ignore[attr-defined]
        return self.value & ((1 << bits) - 1)


@dataclass(frozen=True, slots=True)
class ConstantFloat(Constant):
    """`bits` is the bit pattern in the type's own format, so that equality is exact and NaN equals itself.
    x86_fp80 has 80 bits, fp128 and ppc_fp128 have 128."""

    type: Type
    bits: int


@dataclass(frozen=True, slots=True)
class ConstantKeyword(Constant):
    """`null`, `undef`, `poison`, `zeroinitializer`, `none`."""

    type: Type
    keyword: str


@dataclass(frozen=True, slots=True)
class ConstantAggregate(Constant):
    """Elements of a struct, an array or a vector, in order. plain: they are numbers, at any depth, so that nobody needs to look
    for addresses in a table of a million."""

    type: Type
    elements: tuple[Value, ...]
    plain: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "plain", all(map(_is_plain, self.elements)))


@dataclass(frozen=True, slots=True)
class ConstantSplat(Constant):
    """`splat (double 1.0)`: every lane is `element`."""

    type: Type
    element: Value


@dataclass(frozen=True, slots=True)
class ConstantString(Constant):
    """`c"…"`: an array of i8."""

    type: Type
    data: bytes


_NUMBERS = (ConstantFloat, ConstantInt, ConstantKeyword, ConstantString)


def _is_plain(value: Value) -> bool:
    kind = type(value)
    return kind in _NUMBERS or (kind is ConstantAggregate and value.plain)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class ConstantExpression(Constant):
    """A constant operation: getelementptr, casts, add/sub/xor, …. `source_type` is the element type of a
    getelementptr; `flags` in LLVM's spelling (`inbounds`, `nuw`, `inrange(-16, 16)`)."""

    type: Type
    opcode: str
    operands: tuple[Value, ...]
    flags: tuple[str, ...] = ()
    source_type: Type | None = None


@dataclass(frozen=True, slots=True)
class BlockAddress(Constant):
    type: Type
    function: Value
    block: Block


@dataclass(frozen=True, slots=True)
class WrappedGlobal(Constant):
    """`dso_local_equivalent @f`, `no_cfi @f`."""

    type: Type
    keyword: str
    value: Value


@dataclass(frozen=True, slots=True)
class InlineAsm(Constant):
    """`asm sideeffect "…", "…"`; `spelling` is everything after the word asm."""

    type: Type
    spelling: str


@dataclass(frozen=True, slots=True)
class MetadataOperand(Value):
    """`metadata !14` as an argument of a call."""

    metadata: Metadata
    type: Type = METADATA
