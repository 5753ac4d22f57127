"""Making instructions.

Invariant: what a Builder makes is well typed (a wrong operand type raises InternalError at the line that made it, not later
in LLVM), has its parent set, and carries the builder's debug location and metadata. Phis always go behind the phis their
block has already. Names need not be unique: the printer numbers repetitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from enzyme_magic.backend.ir import instructions as ir
from enzyme_magic.backend.ir.attributes import EMPTY, AttributeSet
from enzyme_magic.backend.ir.constants import int_constant, poison
from enzyme_magic.backend.ir.graphs.cfg import phis
from enzyme_magic.backend.ir.metadata import Metadata
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import (
    I1,
    I32,
    I64,
    ArrayType,
    FunctionType,
    IntType,
    NamedType,
    PointerType,
    StructType,
    Type,
    VectorType,
    is_floating,
    is_integer,
    is_pointer,
)
from enzyme_magic.backend.ir.values import Block, ConstantAggregate, Value
from enzyme_magic.errors import InternalError

Flags = Sequence[str]
AnyInstruction = TypeVar("AnyInstruction", bound=ir.Instruction)
_FROM_FLOAT = frozenset(["fptrunc", "fpext", "fptoui", "fptosi"])
_FROM_POINTER = frozenset(["ptrtoint", "ptrtoaddr", "addrspacecast"])
_TO_FLOAT = frozenset(["fptrunc", "fpext", "uitofp", "sitofp"])
_TO_POINTER = frozenset(["inttoptr", "addrspacecast"])


class Builder:
    """Appends to `block`, or inserts before the instruction `before`."""

    def __init__(self, block: Block, before: ir.Instruction | None = None) -> None:
        self.block = block
        self.before = before
        self.debug_location: Metadata | None = None
        self.metadata: dict[str, Metadata] = {}
        self._position = (
            0  # where `before` was last seen: a search from the start each time would cost n² for n insertions
        )

    def position(self, block: Block, before: ir.Instruction | None = None) -> None:
        """Moves the builder; debug location and metadata stay."""
        self.block, self.before, self._position = block, before, 0

    def insert(self, instruction: AnyInstruction) -> AnyInstruction:
        """Puts a ready instruction at the builder's place and gives it the builder's debug location and metadata (an entry
        the instruction has already wins)."""
        self._attach(instruction)
        here = self.block.instructions
        if self.before is None:
            here.append(instruction)
            return instruction
        if not (self._position < len(here) and here[self._position] is self.before):
            self._position = here.index(self.before)
        here.insert(self._position, instruction)
        self._position += 1
        return instruction

    def _attach(self, instruction: ir.Instruction) -> None:
        instruction.parent = self.block
        for kind, node in self.metadata.items():
            instruction.metadata.setdefault(kind, node)
        if self.debug_location is not None:
            instruction.metadata.setdefault("dbg", self.debug_location)

    def resolve(self, type_: Type) -> Type:
        """The body of a named struct, found through the module the block is in."""
        function = self.block.parent
        while isinstance(type_, NamedType):
            body = function.parent.named_types.get(type_.spelling) if function and function.parent else None
            if body is None:
                raise InternalError(f"the body of {type_} is not known here: is the function in its module?")
            type_ = body
        return type_

    # Arithmetic

    def binary(self, opcode: str, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        """Any two-operand operation by LLVM's opcode; both operands and the result have one type."""
        _same(opcode, a, b)
        fits = is_floating(a.type) if opcode in _FLOAT_BINARY else is_integer(a.type)
        _require(fits, f"{opcode} of {a.type}")
        return self.insert(ir.Binary(opcode, a.type, [a, b], name, tuple(flags)))

    def fadd(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("fadd", a, b, name, flags)

    def fsub(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("fsub", a, b, name, flags)

    def fmul(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("fmul", a, b, name, flags)

    def fdiv(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("fdiv", a, b, name, flags)

    def frem(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("frem", a, b, name, flags)

    def add(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("add", a, b, name, flags)

    def sub(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("sub", a, b, name, flags)

    def mul(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("mul", a, b, name, flags)

    def udiv(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("udiv", a, b, name, flags)

    def sdiv(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("sdiv", a, b, name, flags)

    def urem(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("urem", a, b, name, flags)

    def srem(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("srem", a, b, name, flags)

    def shl(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("shl", a, b, name, flags)

    def lshr(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("lshr", a, b, name, flags)

    def ashr(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("ashr", a, b, name, flags)

    def and_(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("and", a, b, name, flags)

    def or_(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("or", a, b, name, flags)

    def xor(self, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        return self.binary("xor", a, b, name, flags)

    def fneg(self, a: Value, name: str = "", flags: Flags = ()) -> ir.Instruction:
        _require(is_floating(a.type), f"fneg of {a.type}")
        return self.insert(ir.Unary("fneg", a.type, [a], name, tuple(flags)))

    def icmp(self, predicate: str, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Compare:
        """predicate: eq ne ugt uge ult ule sgt sge slt sle; the result is i1 or a vector of i1."""
        _require(not is_floating(a.type), f"icmp of {a.type}")
        return self._compare("icmp", predicate, a, b, name, flags)

    def fcmp(self, predicate: str, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Compare:
        """predicate: oeq ogt oge olt ole one ord, ueq ugt uge ult ule une uno, true, false."""
        _require(is_floating(a.type), f"fcmp of {a.type}")
        return self._compare("fcmp", predicate, a, b, name, flags)

    def _compare(self, opcode: str, predicate: str, a: Value, b: Value, name: str, flags: Flags) -> ir.Compare:
        _same(opcode, a, b)
        return self.insert(ir.Compare(opcode, _truth_type(a.type), [a, b], name, tuple(flags), predicate=predicate))

    def select(self, condition: Value, a: Value, b: Value, name: str = "", flags: Flags = ()) -> ir.Select:
        """a where `condition` holds, else b."""
        _same("select", a, b)
        _require(condition.type in (I1, _truth_type(a.type)), f"select by {condition.type}")
        return self.insert(ir.Select("select", a.type, [condition, a, b], name, tuple(flags)))

    def freeze(self, value: Value, name: str = "") -> ir.Freeze:
        return self.insert(ir.Freeze("freeze", value.type, [value], name))

    # Conversions

    def cast(self, opcode: str, value: Value, type_: Type, name: str = "", flags: Flags = ()) -> ir.Cast:
        """Any conversion by LLVM's opcode."""
        _require(castable(opcode, value.type, type_), f"{opcode} {value.type} to {type_}")
        return self.insert(ir.Cast(opcode, type_, [value], name, tuple(flags)))

    def trunc(self, value: Value, type_: Type, name: str = "", flags: Flags = ()) -> ir.Cast:
        return self.cast("trunc", value, type_, name, flags)

    def zext(self, value: Value, type_: Type, name: str = "", flags: Flags = ()) -> ir.Cast:
        return self.cast("zext", value, type_, name, flags)

    def sext(self, value: Value, type_: Type, name: str = "") -> ir.Cast:
        return self.cast("sext", value, type_, name)

    def fptrunc(self, value: Value, type_: Type, name: str = "", flags: Flags = ()) -> ir.Cast:
        return self.cast("fptrunc", value, type_, name, flags)

    def fpext(self, value: Value, type_: Type, name: str = "", flags: Flags = ()) -> ir.Cast:
        return self.cast("fpext", value, type_, name, flags)

    def fptoui(self, value: Value, type_: Type, name: str = "") -> ir.Cast:
        return self.cast("fptoui", value, type_, name)

    def fptosi(self, value: Value, type_: Type, name: str = "") -> ir.Cast:
        return self.cast("fptosi", value, type_, name)

    def uitofp(self, value: Value, type_: Type, name: str = "", flags: Flags = ()) -> ir.Cast:
        return self.cast("uitofp", value, type_, name, flags)

    def sitofp(self, value: Value, type_: Type, name: str = "") -> ir.Cast:
        return self.cast("sitofp", value, type_, name)

    def ptrtoint(self, value: Value, type_: Type, name: str = "") -> ir.Cast:
        return self.cast("ptrtoint", value, type_, name)

    def inttoptr(self, value: Value, type_: Type, name: str = "") -> ir.Cast:
        return self.cast("inttoptr", value, type_, name)

    def bitcast(self, value: Value, type_: Type, name: str = "") -> ir.Cast:
        return self.cast("bitcast", value, type_, name)

    def addrspacecast(self, value: Value, type_: Type, name: str = "") -> ir.Cast:
        return self.cast("addrspacecast", value, type_, name)

    # Memory

    def alloca(
        self, type_: Type, count: Value | None = None, align: int | None = None, name: str = "", address_space: int = 0
    ) -> ir.Alloca:
        """Stack memory for `count` (1) values of `type_`; `align` in bytes, None for the ABI's."""
        size = count or int_constant(I32, 1)
        pointer = PointerType(address_space)
        return self.insert(
            ir.Alloca("alloca", pointer, [size], name, allocated_type=type_, align=align, address_space=address_space)
        )

    def load(
        self,
        type_: Type,
        pointer: Value,
        align: int | None = None,
        name: str = "",
        volatile: bool = False,
        ordering: str = "",
    ) -> ir.Load:
        _require(isinstance(pointer.type, PointerType), f"load through {pointer.type}")
        return self.insert(ir.Load("load", type_, [pointer], name, align=align, volatile=volatile, ordering=ordering))

    def store(
        self, value: Value, pointer: Value, align: int | None = None, volatile: bool = False, ordering: str = ""
    ) -> ir.Store:
        _require(isinstance(pointer.type, PointerType), f"store through {pointer.type}")
        return self.insert(
            ir.Store("store", operands=[value, pointer], align=align, volatile=volatile, ordering=ordering)
        )

    def gep(
        self, source_type: Type, pointer: Value, indices: Sequence[Value | int], name: str = "", flags: Flags = ()
    ) -> ir.GetElementPtr:
        """Address of an element; Python ints become i32 or, where they need it, i64. Indices in elements, as C's."""
        operands = [pointer, *(_index(index) for index in indices)]
        _require(is_pointer(pointer.type), f"getelementptr from {pointer.type}")
        vectors = [v.type for v in operands if isinstance(v.type, VectorType)]
        type_: Type = pointer.type
        if vectors and not isinstance(type_, VectorType):
            type_ = VectorType(vectors[0].count, type_, vectors[0].scalable)
        return self.insert(
            ir.GetElementPtr("getelementptr", type_, operands, name, tuple(flags), source_type=source_type)
        )

    def fence(self, ordering: str) -> ir.Fence:
        return self.insert(ir.Fence("fence", ordering=ordering))

    def atomic_rmw(
        self,
        operation: str,
        pointer: Value,
        value: Value,
        ordering: str = "monotonic",
        align: int | None = None,
        name: str = "",
        volatile: bool = False,
    ) -> ir.AtomicRMW:
        """The old value; memory then holds `operation` (fadd, add, xchg, …) of old and `value`."""
        _require(isinstance(pointer.type, PointerType), f"atomicrmw through {pointer.type}")
        operands = [pointer, value]
        return self.insert(
            ir.AtomicRMW(
                "atomicrmw",
                value.type,
                operands,
                name,
                operation=operation,
                align=align,
                volatile=volatile,
                ordering=ordering,
            )
        )

    # Aggregates and vectors

    def extract_value(self, aggregate: Value, *indices: int, name: str = "") -> ir.ExtractValue:
        type_ = self._member(aggregate.type, indices)
        return self.insert(ir.ExtractValue("extractvalue", type_, [aggregate], name, indices=indices))

    def insert_value(self, aggregate: Value, element: Value, *indices: int, name: str = "") -> ir.InsertValue:
        _require(
            self._member(aggregate.type, indices) == element.type, f"insertvalue {element.type} into {aggregate.type}"
        )
        return self.insert(ir.InsertValue("insertvalue", aggregate.type, [aggregate, element], name, indices=indices))

    def _member(self, type_: Type, indices: Iterable[int]) -> Type:
        for index in indices:
            body = self.resolve(type_)
            if isinstance(body, StructType) and 0 <= index < len(body.elements):
                type_ = body.elements[index]
            elif isinstance(body, ArrayType) and 0 <= index < body.count:
                type_ = body.element
            else:
                raise InternalError(f"{type_} has no member {index}")
        return type_

    def extract_element(self, vector: Value, index: Value | int, name: str = "") -> ir.ExtractElement:
        _require(isinstance(vector.type, VectorType), f"extractelement from {vector.type}")
        return self.insert(ir.ExtractElement("extractelement", vector.type.scalar, [vector, _index(index)], name))

    def insert_element(self, vector: Value, element: Value, index: Value | int, name: str = "") -> ir.InsertElement:
        _require(isinstance(vector.type, VectorType), f"insertelement into {vector.type}")
        _require(vector.type.scalar == element.type, f"insertelement {element.type} into {vector.type}")
        return self.insert(ir.InsertElement("insertelement", vector.type, [vector, element, _index(index)], name))

    def shuffle_vector(self, a: Value, b: Value, mask: Sequence[int | None], name: str = "") -> ir.ShuffleVector:
        """Lanes of a followed by lanes of b, picked by `mask`; None for a poison lane."""
        _same("shufflevector", a, b)
        _require(isinstance(a.type, VectorType), f"shufflevector of {a.type}")
        lanes = tuple(poison(I32) if lane is None else int_constant(I32, lane) for lane in mask)
        picked = ConstantAggregate(VectorType(len(lanes), I32), lanes)
        type_ = VectorType(len(lanes), a.type.scalar)
        return self.insert(ir.ShuffleVector("shufflevector", type_, [a, b, picked], name))

    # Control flow and calls

    def phi(self, type_: Type, name: str = "", flags: Flags = ()) -> ir.Phi:
        """An empty phi behind the block's other phis, wherever the builder stands."""
        phi = ir.Phi("phi", type_, name=name, flags=tuple(flags))
        self._attach(phi)
        self.block.instructions.insert(len(phis(self.block)), phi)
        return phi

    def add_incoming(self, phi: ir.Phi, value: Value, block: Block) -> None:
        _require(phi.type == value.type, f"phi of {phi.type} with {value.type}")
        phi.operands.append(value)
        phi.blocks.append(block)

    def call(
        self,
        function: Value,
        arguments: Sequence[Value],
        name: str = "",
        function_type: FunctionType | None = None,
        flags: Flags = (),
        tail: str = "",
        attributes: AttributeSet = EMPTY,
        argument_attributes: Sequence[AttributeSet] | None = None,
        result_attributes: AttributeSet = EMPTY,
    ) -> ir.Call:
        """function: a Function, or any pointer together with `function_type`. The calling convention is the callee's."""
        known = function.function_type if isinstance(function, Function) else None
        type_ = function_type or known
        if type_ is None:
            raise InternalError("an indirect call needs function_type")
        _check_arguments(type_, arguments)
        attached = list(argument_attributes) if argument_attributes is not None else [EMPTY] * len(arguments)
        _require(len(attached) == len(arguments), "a call with attributes for another number of arguments")
        return self.insert(
            ir.Call(
                "call",
                type_.result,
                [*arguments, function],
                name,
                tuple(flags),
                function_type=type_,
                tail=tail,
                calling_convention=function.calling_convention if isinstance(function, Function) else "",
                result_attributes=result_attributes,
                argument_attributes=attached,
                attributes=attributes,
            )
        )

    def br(self, block: Block) -> ir.Branch:
        return self.insert(ir.Branch("br", targets=[block]))

    def cond_br(self, condition: Value, a: Block, b: Block) -> ir.Branch:
        """To a where `condition` (i1) holds, else to b."""
        _require(condition.type == I1, f"br by {condition.type}")
        return self.insert(ir.Branch("br", operands=[condition], targets=[a, b]))

    def switch(self, value: Value, default: Block, cases: Iterable[tuple[Value | int, Block]]) -> ir.Switch:
        _require(isinstance(value.type, IntType), f"switch on {value.type}")
        pairs = list(cases)
        keys: list[Value] = [int_constant(value.type, key) if isinstance(key, int) else key for key, _ in pairs]
        targets = [default, *(block for _, block in pairs)]
        return self.insert(ir.Switch("switch", operands=[value], cases=keys, targets=targets))

    def ret(self, value: Value | None = None) -> ir.Return:
        return self.insert(ir.Return("ret", operands=[] if value is None else [value]))

    def unreachable(self) -> ir.Unreachable:
        return self.insert(ir.Unreachable("unreachable"))


_FLOAT_BINARY = frozenset(["fadd", "fsub", "fmul", "fdiv", "frem"])


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise InternalError(f"ill-typed instruction: {what}")


def _same(opcode: str, a: Value, b: Value) -> None:
    if a.type is not b.type and a.type != b.type:
        raise InternalError(f"ill-typed instruction: {opcode} of {a.type} and {b.type}")


def _index(index: Value | int) -> Value:
    if not isinstance(index, int):
        return index
    return int_constant(I32 if -(1 << 31) <= index < 1 << 31 else I64, index)


def _truth_type(type_: Type) -> Type:
    return VectorType(type_.count, I1, type_.scalable) if isinstance(type_, VectorType) else I1


def castable(opcode: str, source: Type, target: Type) -> bool:
    """Whether a conversion by `opcode` exists between the two types (widths are not compared)."""
    if opcode == "bitcast":
        return True
    return _shape(source) == _shape(target) and (
        _family(opcode, _FROM_FLOAT, _FROM_POINTER) == _kind(source)
        and _family(opcode, _TO_FLOAT, _TO_POINTER) == _kind(target)
    )


def _family(opcode: str, floats: frozenset[str], pointers: frozenset[str]) -> str:
    return "float" if opcode in floats else "pointer" if opcode in pointers else "integer"


def _kind(type_: Type) -> str:
    return (
        "float"
        if is_floating(type_)
        else "pointer"
        if is_pointer(type_)
        else "integer"
        if is_integer(type_)
        else "other"
    )


def _shape(type_: Type) -> int | None:
    return type_.count if isinstance(type_, VectorType) else None


def _check_arguments(type_: FunctionType, arguments: Sequence[Value]) -> None:
    count = len(type_.parameters)
    fits = len(arguments) >= count if type_.variadic else len(arguments) == count
    _require(fits, f"call of {type_} with {len(arguments)} arguments")
    for number, (expected, argument) in enumerate(zip(type_.parameters, arguments, strict=False)):
        _require(expected == argument.type, f"call of {type_} with {argument.type} as argument {number}")
