"""Andersen's points-to analysis of one function: constraints, and their least fixpoint.

Method: Andersen (1994), with a difference worklist over bit masks. One node per pointer value (address arithmetic has its base's),
one per object for its contents, one for everything that escaped, one for what calls captured. Calls are modelled by their
summaries. The result is a `memory_objects.PointsTo`; its docstring says what objects there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.memory.memory_objects import (
    ERRNO_OBJECT,
    OUTSIDE,
    MemoryKind,
    MemoryObject,
    PointsTo,
    bits_of,
    callee_name,
    global_object,
)
from enzyme_magic.backend.ir.graphs import callgraph
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    AtomicRMW,
    Binary,
    Call,
    Cast,
    CompareExchange,
    ExtractElement,
    ExtractValue,
    Freeze,
    GetElementPtr,
    InsertElement,
    InsertValue,
    Instruction,
    Invoke,
    Load,
    Phi,
    Select,
    ShuffleVector,
    Store,
    VAArg,
)
from enzyme_magic.backend.ir.module import Function, GlobalAlias, GlobalVariable
from enzyme_magic.backend.ir.types import ArrayType, FloatType, IntType, PointerType, StructType, Type, VectorType
from enzyme_magic.backend.ir.values import (
    Argument,
    Constant,
    ConstantAggregate,
    ConstantExpression,
    ConstantKeyword,
    Value,
)
from enzyme_magic.backend.library.summary import (
    ARGUMENT,
    ERRNO,
    FRESH,
    GLOBAL,
    REACHABLE,
    Place,
    Summary,
)


def base_pointer(value: Value) -> Value:
    """`value` with casts, freezes and address arithmetic taken off."""
    while True:
        if isinstance(value, (GetElementPtr, Freeze)) or (
            isinstance(value, Cast) and value.opcode in ("bitcast", "addrspacecast")
        ):
            value = value.operands[0]
        else:
            return value


def may_carry_pointer(instruction: Instruction) -> bool:
    """Whether the bytes a load or store moves may be (part of) a pointer: not when TBAA proves another scalar type, nor for
    a single floating value under its own tag."""
    type_ = instruction.operands[0].type if isinstance(instruction, Store) else instruction.type
    if isinstance(type_, PointerType):
        return True
    name = tbaa.scalar_name(instruction)
    if name is not None and name in tbaa.NEVER_POINTERS:
        return False
    if isinstance(type_, FloatType) and type_.kind in ("half", "bfloat", "float", "x86_fp80"):
        return False
    return not (isinstance(type_, IntType) and type_.bits == 1)


@dataclass(slots=True, repr=False)
class _Node:
    mask: int = 0
    done: int = 0
    copies: list[int] = field(default_factory=list)
    load_into: list[int] = field(default_factory=list)  # contents of what this points to flow there
    store_from: list[int] = field(default_factory=list)  # these flow into what this points to


class Solver:
    """Collects the constraints of one function and solves them."""

    def __init__(
        self, function: Function, call_summary: Callable[[Call], Summary], variables: Mapping[str, GlobalVariable]
    ) -> None:
        self.function = function
        self.variables = variables
        self.call_summary = call_summary
        self.nodes: list[_Node] = []
        self.value_nodes: dict[Value, int] = {}
        self.objects: list[MemoryObject] = []
        self.numbers: dict[MemoryObject, int] = {}
        self.content_nodes: list[int] = []
        self.stored_from: list[list[int]] = []  # by object: nodes whose pointers are stored there
        self.outside_class = 0
        self.known: dict[Value, int] = {}  # constants
        self.escape = self.new_node()
        self.leak = self.new_node()
        self.outside = self.object(OUTSIDE)
        self.object(ERRNO_OBJECT)
        self.nodes[self.content_nodes[self.outside]].mask |= 1 << self.outside
        self._declare_arguments()

    # --- nodes and objects

    def new_node(self, mask: int = 0) -> int:
        self.nodes.append(_Node(mask))
        return len(self.nodes) - 1

    def object(self, item: MemoryObject) -> int:
        number = self.numbers.get(item)
        if number is not None:
            return number
        number = self.numbers[item] = len(self.objects)
        self.objects.append(item)
        content = self.new_node()
        self.content_nodes.append(content)
        self.stored_from.append([])
        if not item.local:
            self.nodes[self.escape].copies.append(content)
            if not item.exclusive and item.kind != "errno" and not isinstance(item.value, Function):
                self.outside_class |= 1 << number
        if item.kind == "global":
            self._fill_global(item, content)
        return number

    def _fill_global(self, item: MemoryObject, content: int) -> None:
        variable = item.value
        if not isinstance(variable, GlobalVariable):
            return
        if variable.initializer is not None and _holds_pointers(variable.value_type):
            self.nodes[content].mask |= self._mentioned(variable.initializer)
        private = variable.constant and variable.initializer is not None
        if not private:
            self.nodes[content].mask |= 1 << self.outside

    def _declare_arguments(self) -> None:
        for argument in self.function.arguments:
            name = argument.name or f"argument {argument.index}"
            node = self.value_nodes[argument] = self.new_node()
            byval = "byval" in argument.attributes
            exclusive = "noalias" in argument.attributes or "sret" in argument.attributes
            kind: MemoryKind = "byval" if byval else "argument"
            number = self.object(MemoryObject(kind, argument, argument.index, name, exclusive=exclusive and not byval))
            inside = self.object(MemoryObject("reachable", argument, argument.index, name))
            beyond = self.object(MemoryObject("reachable", argument, argument.index, name, deep=True))
            if isinstance(argument.type, PointerType) or _wide(argument):
                self.nodes[node].mask = 1 << number
            self.nodes[self.content_nodes[number]].mask |= 1 << inside
            for deeper in (inside, beyond):
                self.nodes[self.content_nodes[deeper]].mask |= 1 << beyond

    def global_named(self, name: str) -> int:
        """The object of a global; one the module does not have is a variable of some library."""
        variable = self.variables.get(name)
        return self.object(global_object(variable) if variable is not None else MemoryObject("global", name=name))

    def constant(self, value: Value) -> int:
        """Objects a constant may point to."""
        found = self.known.get(value)
        if found is None:
            self.known[value] = 0
            found = self.known[value] = self._mentioned(value)
        return found

    def _mentioned(self, value: Value) -> int:
        """The same, looked for: a table is too long to be a key."""
        found = 0
        for item in callgraph.globals_in(value):
            if not isinstance(item, GlobalAlias):
                found |= 1 << self.object(global_object(item))
        if not found and isinstance(value, ConstantExpression) and value.opcode == "inttoptr":
            found = 1 << self.outside
        return found

    def node(self, value: Value) -> int:
        """The node of a value; address arithmetic shares the node of its base."""
        value = base_pointer(value)
        number = self.value_nodes.get(value)
        if number is None:
            mask = 0
            if isinstance(value, Constant) or not isinstance(value, (Instruction, Argument)):
                mask = 0 if isinstance(value, ConstantKeyword) else self.constant(value)
            number = self.value_nodes[value] = self.new_node(mask)
        return number

    def copy(self, source: int, target: int) -> None:
        if source != target:
            self.nodes[source].copies.append(target)

    # --- constraints

    def solve(self) -> PointsTo:
        for block in self.function.blocks:
            for instruction in block.instructions:
                named = instruction.operands[:-1] if isinstance(instruction, Call) else instruction.operands
                for operand in named:
                    if isinstance(operand, _ADDRESSES):
                        self.constant(operand)
                collect = _COLLECT.get(type(instruction))
                if collect is not None:
                    collect(self, instruction)
        self._propagate()
        self._widen_unknown()
        masks = {value: self.nodes[number].mask for value, number in self.value_nodes.items()}
        for instruction in self.function.instructions():
            base = base_pointer(instruction)
            if base is not instruction:
                masks[instruction] = self.nodes[self.node(base)].mask
        return PointsTo(
            self.function,
            self.objects,
            self.numbers,
            self.nodes[self.escape].mask,
            self.nodes[self.leak].mask,
            [self.nodes[n].mask for n in self.content_nodes],
            [self._together(sources) for sources in self.stored_from],
            masks,
            self.outside_class,
        )

    def _widen_unknown(self) -> None:
        """An address that is used, and of which nothing tells where it comes from, was the bits of a number once."""
        instructions = list(self.function.instructions())
        numbers = {base_pointer(i.pointer) for i in instructions if isinstance(i, Store) and _is_double(i.value.type)}
        used = {base_pointer(i.pointer) for i in instructions if isinstance(i, (Load, Store))}
        used |= {
            i for i in instructions if isinstance(i, Load) and i.pointer in numbers and isinstance(i.type, PointerType)
        }
        lost = [self.node(v) for v in used if isinstance(v, Instruction) and not self.nodes[self.node(v)].mask]
        for node in lost:
            self.nodes[node].mask |= 1 << self.outside
            self.copy(self.escape, node)
            self.nodes[node].mask |= self.nodes[self.escape].mask
        if lost:
            self._propagate()

    def _together(self, nodes: list[int]) -> int:
        mask = 0
        for number in nodes:
            mask |= self.nodes[number].mask
        return mask

    def _propagate(self) -> None:
        pending = [k for k, node in enumerate(self.nodes) if node.mask]
        queued = set(pending)
        while pending:
            number = pending.pop()
            queued.discard(number)
            node = self.nodes[number]
            fresh = node.mask & ~node.done
            if not fresh:
                continue
            node.done |= fresh
            touched = list(node.copies)
            for target in touched:
                self.nodes[target].mask |= fresh
            touched += self._follow(number, fresh)
            for target in touched:
                if target not in queued and self.nodes[target].mask & ~self.nodes[target].done:
                    queued.add(target)
                    pending.append(target)

    def _follow(self, number: int, fresh: int) -> list[int]:
        """New edges because node `number` points to the objects in `fresh`; returns the nodes whose masks changed."""
        node = self.nodes[number]
        touched: list[int] = []
        for k in bits_of(fresh):
            content = self.content_nodes[k]
            for target in node.load_into:
                touched.append(self._late_edge(content, target))
            for source in node.store_from:
                self.stored_from[k].append(source)
                touched.append(self._late_edge(source, content))
                if not self.objects[k].local:
                    touched.append(self._late_edge(source, self.escape))
            if number == self.leak:
                touched.append(self._late_edge(content, self.leak))
            if number == self.escape:
                touched.append(self._late_edge(self.escape, content))
                touched.append(self._late_edge(content, self.escape))
        return touched

    def _late_edge(self, source: int, target: int) -> int:
        if source != target:
            node = self.nodes[source]
            node.copies.append(target)
            self.nodes[target].mask |= node.done
        return target

    # --- one instruction each

    def merge(self, instruction: Instruction) -> None:
        target = self.node(instruction)
        for operand in instruction.operands:
            self.copy(self.node(operand), target)

    def alloca(self, instruction: Alloca) -> None:
        item = MemoryObject("alloca", instruction, name=instruction.name or "(unnamed)")
        self.nodes[self.node(instruction)].mask |= 1 << self.object(item)

    def load(self, instruction: Load) -> None:
        if may_carry_pointer(instruction):
            self.nodes[self.node(instruction.pointer)].load_into.append(self.node(instruction))

    def store(self, instruction: Store) -> None:
        value = base_pointer(instruction.value)
        if isinstance(instruction.value.type, FloatType) and not isinstance(value.type, FloatType):
            self.copy(self.node(value), self.escape)  # the bits of a number: whoever reads them may go there
        if may_carry_pointer(instruction) and (isinstance(value, (Instruction, Argument)) or self.constant(value)):
            self.put(self.node(value), self.node(instruction.pointer))

    def put(self, source: int, pointer: int) -> None:
        self.nodes[pointer].store_from.append(source)

    def cast(self, instruction: Cast) -> None:
        if instruction.opcode == "inttoptr":
            target = self.node(instruction)
            self.copy(self.node(instruction.operands[0]), target)
            self.copy(self.escape, target)
            self.nodes[target].mask |= 1 << self.outside
        elif instruction.opcode in ("ptrtoint", "ptrtoaddr", "zext", "sext", "trunc"):
            self.merge(instruction)
        elif instruction.opcode not in ("bitcast", "addrspacecast"):
            self.copy(self.node(instruction.operands[0]), self.escape)

    def binary(self, instruction: Binary) -> None:
        if isinstance(instruction.type, (IntType, VectorType)):
            self.merge(instruction)

    def atomic(self, instruction: Instruction) -> None:
        pointer = self.node(instruction.operands[0])
        result = self.node(instruction)
        self.nodes[pointer].load_into.append(result)
        for operand in instruction.operands[1:]:
            self.put(self.node(operand), pointer)

    def va_arg(self, instruction: VAArg) -> None:
        target = self.node(instruction)
        self.nodes[target].mask |= 1 << self.outside
        self.copy(self.escape, target)

    def call(self, call: Call) -> None:
        summary = self.call_summary(call)
        for touched in (*summary.reads, *summary.writes, *summary.frees):
            if touched.kind == GLOBAL:
                self.global_named(touched.name)
        arguments = [self.node(a) for a in call.arguments]
        library = call.called_function is not None and call.called_function.is_declaration
        for index, (argument, node) in enumerate(zip(call.arguments, arguments, strict=True)):
            if summary.captures_argument(index) or (not library and is_punned(argument)):
                self.copy(node, self.escape)
                self.copy(node, self.leak)
        if summary.opaque:
            self.nodes[self.escape].mask |= 1 << self.outside
        fresh = any(FRESH in (a.kind, b.kind) for a, b in (*summary.stores, *((p, p) for p in summary.returns)))
        item = self.object(MemoryObject("allocation", call, name=callee_name(call))) if fresh else -1
        places = _CallPlaces(self, arguments, item)
        for place in sorted(summary.returns):
            self.copy(places.pointers(place), self.node(call))
        for into, pointee in sorted(summary.stores):
            self.put(places.pointers(pointee), places.pointers(into))
        if library and isinstance(call.type, _BITS):  # turned around or compared, they are bits of the same addresses
            for node in (n for a, n in zip(call.arguments, arguments, strict=True) if isinstance(a.type, _BITS)):
                self.copy(node, self.node(call))


class _CallPlaces:
    """Nodes that hold pointers to the places of one call."""

    def __init__(self, solver: Solver, arguments: list[int], fresh: int) -> None:
        self.solver = solver
        self.arguments = arguments
        self.fresh = fresh
        self.made: dict[Place, int] = {}

    def pointers(self, place: Place) -> int:
        """A node whose set is every object of `place`."""
        found = self.made.get(place)
        if found is None:
            found = self.made[place] = self._make(place)
        return found

    def _make(self, place: Place) -> int:
        solver = self.solver
        if place.kind == ARGUMENT and 0 <= place.index < len(self.arguments):
            return self.arguments[place.index]
        node = solver.new_node()
        if place.kind == ARGUMENT:
            for argument in self.arguments if place.index < 0 else ():
                solver.copy(argument, node)
        elif place.kind == REACHABLE:
            for argument in self.arguments if place.index < 0 else self.arguments[place.index : place.index + 1]:
                solver.nodes[argument].load_into.append(node)
            solver.nodes[node].load_into.append(node)
        elif place.kind == GLOBAL:
            solver.nodes[node].mask |= 1 << solver.global_named(place.name)
        elif place.kind == ERRNO:
            solver.nodes[node].mask |= 1 << solver.numbers[ERRNO_OBJECT]
        elif place.kind == FRESH and self.fresh >= 0:
            solver.nodes[node].mask |= 1 << self.fresh
        else:
            solver.nodes[node].mask |= 1 << solver.outside
            solver.copy(solver.escape, node)
        return node


def _holds_pointers(type_: Type) -> bool:
    """Whether a constant of this type may mention an address."""
    while isinstance(type_, (ArrayType, VectorType)):
        type_ = type_.element
    return not isinstance(type_, FloatType) and not (isinstance(type_, IntType) and type_.bits < 64)


def may_be_address(type_: Type) -> bool:
    """Whether a value of the type is asked which addresses are in it: all but numbers and parts of words."""
    return not (isinstance(type_, FloatType) or (isinstance(type_, IntType) and type_.bits < 64))


def is_punned(value: Value) -> bool:
    """Whether a number, or an integer that is shorter than a word, may be (part of) an address: it is made from an integer, loaded
    from a variable of one word, or a function gives it that may do so. Nobody who gets such a value is asked which addresses are
    in it."""
    if may_be_address(value.type):
        return False
    base = base_pointer(value)
    if isinstance(base, Load):
        place = base_pointer(base.pointer)
        return isinstance(place, Alloca) and _is_word(place.allocated_type)
    return isinstance(base, Call) or (
        not isinstance(base.type, FloatType) and isinstance(base, (Cast, Binary, Argument))
    )


def _is_word(type_: Type) -> bool:
    """Whether a variable has but one scalar of a word, so that what is loaded from it was stored there, and nothing beside it."""
    while isinstance(type_, StructType) and len(type_.elements) == 1:
        type_ = type_.elements[0]
    return isinstance(type_, PointerType) or _is_double(type_) or (isinstance(type_, IntType) and type_.bits == 64)


def _is_double(type_: Type) -> bool:
    return isinstance(type_, FloatType) and type_.kind == "double"


def _wide(argument: Argument) -> bool:
    return isinstance(argument.type, IntType) and argument.type.bits >= 64


_BITS = (IntType, VectorType, StructType)
_ADDRESSES = (GlobalVariable, Function, GlobalAlias, ConstantExpression, ConstantAggregate)
_COLLECT: dict[type, Callable[[Solver, Instruction], None]] = {
    Alloca: Solver.alloca,  # type: ignore[dict-item]
    Load: Solver.load,  # type: ignore[dict-item]
    Store: Solver.store,  # type: ignore[dict-item]
    Phi: Solver.merge,
    Select: Solver.merge,
    InsertValue: Solver.merge,
    ExtractValue: Solver.merge,
    InsertElement: Solver.merge,
    ExtractElement: Solver.merge,
    ShuffleVector: Solver.merge,
    Cast: Solver.cast,  # type: ignore[dict-item]
    Binary: Solver.binary,  # type: ignore[dict-item]
    AtomicRMW: Solver.atomic,
    CompareExchange: Solver.atomic,
    VAArg: Solver.va_arg,  # type: ignore[dict-item]
    Call: Solver.call,  # type: ignore[dict-item]
    Invoke: Solver.call,  # type: ignore[dict-item]
}


def solve(
    function: Function, call_summary: Callable[[Call], Summary], variables: Mapping[str, GlobalVariable]
) -> PointsTo:
    """The objects of `function`. `variables`: the module's globals by name (calls may touch some the function never mentions)."""
    return Solver(function, call_summary, variables).solve()
