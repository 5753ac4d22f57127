"""Instructions: one class per shape, LLVM's opcode as a string.

Invariant: every value an instruction reads is in `operands` and nowhere else (blocks are in `successors`, or in
`Phi.blocks`), so that def-use, cloning and renaming need no case per class. Instructions are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from enzyme_magic.backend.ir.attributes import EMPTY, AttributeSet
from enzyme_magic.backend.ir.metadata import DebugRecord, MDRecord, Metadata
from enzyme_magic.backend.ir.types import VOID, FunctionType, Type
from enzyme_magic.backend.ir.values import Block, Value

if TYPE_CHECKING:
    from enzyme_magic.backend.ir.module import Function

TERMINATORS = frozenset(
    [
        "ret",
        "br",
        "switch",
        "indirectbr",
        "invoke",
        "callbr",
        "resume",
        "unreachable",
        "cleanupret",
        "catchret",
        "catchswitch",
    ]
)


@dataclass(slots=True, eq=False, repr=False)
class Instruction(Value):
    """What all instructions share.

    `name` has no percent sign; empty means numbered on printing (or no result). `flags` are LLVM's words between
    opcode and operands (`nuw`, `nsw`, `exact`, `inbounds`, `fast`, `nnan`, `nneg`, `disjoint`, `samesign`, …).
    `metadata` maps a kind (`dbg`, `tbaa`, `llvm.loop`) to a node.
    """

    opcode: str
    type: Type = VOID
    operands: list[Value] = field(default_factory=list)
    name: str = ""
    flags: tuple[str, ...] = ()
    metadata: dict[str, Metadata] = field(default_factory=dict)
    debug_records: list[DebugRecord] = field(default_factory=list)
    parent: Block | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        """Short: an instruction leads to the whole function."""
        return f"<{self.opcode} %{self.name}>" if self.name else f"<{self.opcode}>"

    @property
    def is_terminator(self) -> bool:
        return self.opcode in TERMINATORS

    @property
    def successors(self) -> list[Block]:
        return []

    @property
    def line(self) -> int | None:
        """C line of this instruction, if it has a debug location with a line above 0 (not looking through inlining)."""
        location = self.metadata.get("dbg")
        number = location.fields.get("line") if isinstance(location, MDRecord) else None
        return number if isinstance(number, int) and number > 0 else None


@dataclass(slots=True, eq=False, repr=False)
class Unary(Instruction):
    """fneg."""


@dataclass(slots=True, eq=False, repr=False)
class Binary(Instruction):
    """add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem."""


@dataclass(slots=True, eq=False, repr=False)
class Compare(Instruction):
    """icmp, fcmp."""

    predicate: str = ""


@dataclass(slots=True, eq=False, repr=False)
class Cast(Instruction):
    """trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast ptrtoaddr."""


@dataclass(slots=True, eq=False, repr=False)
class Select(Instruction):
    """operands: condition, value if true, value if false."""


@dataclass(slots=True, eq=False, repr=False)
class Freeze(Instruction):
    """freeze."""


@dataclass(slots=True, eq=False, repr=False)
class Phi(Instruction):
    """operands[k] comes in from blocks[k]."""

    blocks: list[Block] = field(default_factory=list)

    @property
    def incoming(self) -> list[tuple[Value, Block]]:
        return list(zip(self.operands, self.blocks, strict=True))

    def value_from(self, block: Block) -> Value:
        return self.operands[next(k for k, b in enumerate(self.blocks) if b is block)]


@dataclass(slots=True, eq=False, repr=False)
class Alloca(Instruction):
    """operands: element count (a Value, possibly the constant i32 1)."""

    allocated_type: Type = VOID
    align: int | None = None
    address_space: int = 0


@dataclass(slots=True, eq=False, repr=False)
class Load(Instruction):
    """operands: pointer. `ordering` holds `monotonic` … and `syncscope("…")` text for atomics."""

    align: int | None = None
    volatile: bool = False
    ordering: str = ""

    @property
    def pointer(self) -> Value:
        return self.operands[0]


@dataclass(slots=True, eq=False, repr=False)
class Store(Instruction):
    """operands: value, pointer."""

    align: int | None = None
    volatile: bool = False
    ordering: str = ""

    @property
    def value(self) -> Value:
        return self.operands[0]

    @property
    def pointer(self) -> Value:
        return self.operands[1]


@dataclass(slots=True, eq=False, repr=False)
class GetElementPtr(Instruction):
    """operands: base pointer, then indices. flags: inbounds, nusw, nuw."""

    source_type: Type = VOID

    @property
    def pointer(self) -> Value:
        return self.operands[0]

    @property
    def indices(self) -> list[Value]:
        return self.operands[1:]


@dataclass(slots=True, eq=False, repr=False)
class ExtractValue(Instruction):
    """operands: aggregate."""

    indices: tuple[int, ...] = ()


@dataclass(slots=True, eq=False, repr=False)
class InsertValue(Instruction):
    """operands: aggregate, element."""

    indices: tuple[int, ...] = ()


@dataclass(slots=True, eq=False, repr=False)
class ExtractElement(Instruction):
    """operands: vector, index."""


@dataclass(slots=True, eq=False, repr=False)
class InsertElement(Instruction):
    """operands: vector, element, index."""


@dataclass(slots=True, eq=False, repr=False)
class ShuffleVector(Instruction):
    """operands: two vectors and the mask (a constant vector of i32; poison lanes stay poison)."""


@dataclass(slots=True, eq=False, repr=False)
class Fence(Instruction):
    ordering: str = ""


@dataclass(slots=True, eq=False, repr=False)
class AtomicRMW(Instruction):
    """operands: pointer, value."""

    operation: str = ""
    align: int | None = None
    volatile: bool = False
    ordering: str = ""


@dataclass(slots=True, eq=False, repr=False)
class CompareExchange(Instruction):
    """operands: pointer, expected, new. flags may hold `weak`."""

    align: int | None = None
    volatile: bool = False
    ordering: str = ""


@dataclass(slots=True, eq=False, repr=False)
class VAArg(Instruction):
    """operands: va_list pointer; type is the result's."""


@dataclass(slots=True, eq=False)
class OperandBundle:
    tag: str
    start: int  # its operands are call.operands[start:stop]
    stop: int


@dataclass(slots=True, eq=False, repr=False)
class Call(Instruction):
    """call. operands: arguments, then bundle operands, then the callee last.

    `argument_attributes[k]` belongs to argument k. `tail` is "", "tail", "musttail" or "notail".
    """

    function_type: FunctionType = field(default_factory=lambda: FunctionType(VOID, ()))
    tail: str = ""
    calling_convention: str = ""
    result_attributes: AttributeSet = EMPTY
    argument_attributes: list[AttributeSet] = field(default_factory=list)
    attributes: AttributeSet = EMPTY
    bundles: list[OperandBundle] = field(default_factory=list)

    @property
    def callee(self) -> Value:
        return self.operands[-1]

    @property
    def arguments(self) -> list[Value]:
        return self.operands[: len(self.argument_attributes)]

    @property
    def called_function(self) -> Function | None:
        """The function called directly, None for an indirect call or inline assembly."""
        callee = self.operands[-1]
        return callee if hasattr(callee, "blocks") and hasattr(callee, "arguments") else None  # type: ignore[return-value]


@dataclass(slots=True, eq=False, repr=False)
class Invoke(Call):
    """invoke: a call that ends its block."""

    normal: Block | None = None
    unwind: Block | None = None

    @property
    def successors(self) -> list[Block]:
        return [b for b in (self.normal, self.unwind) if b is not None]


@dataclass(slots=True, eq=False, repr=False)
class CallBranch(Call):
    """callbr: inline assembly that may jump to labels. targets[0] is where it falls through."""

    targets: list[Block] = field(default_factory=list)

    @property
    def successors(self) -> list[Block]:
        return self.targets


@dataclass(slots=True, eq=False, repr=False)
class LandingPad(Instruction):
    """operands: clause values; `clauses[k]` is "catch" or "filter" for operand k. flags may hold `cleanup`."""

    clauses: tuple[str, ...] = ()


@dataclass(slots=True, eq=False, repr=False)
class Return(Instruction):
    """operands: the value, or none."""


@dataclass(slots=True, eq=False, repr=False)
class Branch(Instruction):
    """br. operands: [] or [condition]; targets: [next] or [if true, if false]."""

    targets: list[Block] = field(default_factory=list)

    @property
    def successors(self) -> list[Block]:
        return self.targets


@dataclass(slots=True, eq=False, repr=False)
class Switch(Instruction):
    """operands: the value. cases[k] goes to targets[k + 1]; targets[0] is the default."""

    cases: list[Value] = field(default_factory=list)
    targets: list[Block] = field(default_factory=list)

    @property
    def successors(self) -> list[Block]:
        return self.targets


@dataclass(slots=True, eq=False, repr=False)
class IndirectBranch(Instruction):
    """indirectbr. operands: address."""

    targets: list[Block] = field(default_factory=list)

    @property
    def successors(self) -> list[Block]:
        return self.targets


@dataclass(slots=True, eq=False, repr=False)
class Resume(Instruction):
    """operands: the exception."""


@dataclass(slots=True, eq=False, repr=False)
class Unreachable(Instruction):
    """unreachable."""
