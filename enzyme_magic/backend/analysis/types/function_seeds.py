"""The type evidence inside one function: its declarations, accesses, copies and calls.

Strongest first: debug records, floating loads and stores, TBAA names, signatures of libm; weakest: declared parameter
types of external functions it calls and element types of getelementptr. What a call passes and returns is linked once
all functions are visited.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from enzyme_magic.backend.analysis.calls import declared, runtime_calls
from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.memory.memory_objects import returned_pointers
from enzyme_magic.backend.analysis.types.bit_flow import BYTE, BitFlow, is_bit
from enzyme_magic.backend.analysis.types.coerced import (
    facts_of_passed,
    fills,
    is_as_declared,
    passed_facts,
    register_facts,
)
from enzyme_magic.backend.analysis.types.debug_types import (
    fragment,
    is_character,
    plain_variable,
    pointee,
    signature_types,
    type_of,
    variable_name,
)
from enzyme_magic.backend.analysis.types.layouts import (
    Layout,
    accessed_as,
    described_layout,
    float_layout,
    scalar,
)
from enzyme_magic.backend.analysis.types.regions import PointerFlow
from enzyme_magic.backend.analysis.types.type_facts import BACKWARD, DECLARED, OWN, WEAK, CopyLink, Node, TypeFact
from enzyme_magic.backend.analysis.types.type_tree import BYTES, INTEGER, POINTER, floating
from enzyme_magic.backend.analysis.types.unknown_reads import kind_of_read
from enzyme_magic.backend.analysis.types.windows import EVERYWHERE, Window
from enzyme_magic.backend.ir import intrinsics, locations
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Call,
    GetElementPtr,
    Instruction,
    Load,
    Return,
    Store,
)
from enzyme_magic.backend.ir.metadata import (
    DebugRecord,
    MDRecord,
    Metadata,
    ValueAsMetadata,
)
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import (
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from enzyme_magic.backend.ir.values import Argument, ConstantInt, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.library.libc import LibraryFunction

if TYPE_CHECKING:
    from enzyme_magic.backend.analysis.types.type_seeds import Seeds

_FLOATS = {"double *": "double", "float *": "float", "long double *": "x86_fp80"}
_INTEGERS = {"int *": 4, "unsigned int *": 4, "time_t *": 8}


@dataclass(slots=True, eq=False)
class FunctionSeeds:
    """Visits one function."""

    seeds: Seeds
    function: Function
    bit_flow: BitFlow = field(init=False)
    flow: PointerFlow = field(init=False)
    pointees: dict[Value, list[tuple[int, Layout]]] = field(
        default_factory=dict
    )  # by root: the structs declared to lie there

    def __post_init__(self) -> None:
        self.flow = PointerFlow(self.seeds.graph.regions, self.seeds.sizes, self.seeds.bit_node, self.places)
        self.bit_flow = BitFlow(
            self.seeds.graph,
            self.seeds.bit_node,
            self.seeds.sizes,
            self.seeds.pointer_bits,
            self.places,
            self.seeds.operations,
        )

    # --- declarations

    def declare_parameters(self) -> None:
        """Parameter types by position; debug records say more precisely which value is which variable."""
        types = signature_types(self.function.subprogram)
        fits = len(types) == len(self.function.arguments) + 1 and not any(
            "sret" in a.attributes or "byval" in a.attributes for a in self.function.arguments
        )
        for argument in filter(is_as_declared, self.function.arguments) if fits else ():
            self._variable(argument, types[argument.index + 1], argument.name)
        if types and not fits:
            self._declare_registers(types)
            self._declare_memory_of_result(types[0])
        for argument in self.function.arguments:
            if runtime_calls.FRAME in argument.attributes:
                self._tape(argument)
            for fact in passed_facts(argument):
                self.seeds.graph.add(self.seeds.root(argument), fact)

    def _tape(self, pointer: Value) -> None:
        """Written with typed accesses: where there are none of floats, there are none."""
        self.seeds.own(self.seeds.root(pointer), scalar(INTEGER, 1), "the tape of a derivative", WEAK)

    def _declare_registers(self, types: Sequence[Metadata | None]) -> None:
        """Structs that are passed in registers, and what stands beside them."""
        layouts = [self.seeds.types.layout(type_) for type_ in types[1:]]
        for argument, fact in register_facts(
            self.function.arguments, layouts, self.seeds.sizes, self.seeds.graph.pointee
        ):
            holds = isinstance(argument.type, PointerType)
            self.seeds.graph.add(self.seeds.root(argument) if holds else self.seeds.bit_node(argument), fact)

    def _declare_memory_of_result(self, type_: Metadata | None) -> None:
        first = self.function.arguments[0] if self.function.arguments else None
        if first is not None and "sret" in first.attributes:
            reason = f"the declaration of {self.function.name}"
            self.seeds.own(self.seeds.root(first), self.seeds.types.layout(type_), reason)

    def _declare_result(self, value: Value) -> None:
        """What the function is declared to return, if the front end returns it in the registers of one value."""
        types = signature_types(self.function.subprogram)
        layout = self.seeds.types.layout(types[0]) if types else None
        if layout is None or not isinstance(value, (Instruction, Argument)) or isinstance(value.type, PointerType):
            return
        if fills(self.seeds.sizes.store_size(value.type), layout):
            reason = f"the declaration of {self.function.name}"
            self.seeds.own(self.seeds.bit_node(value), layout, reason)

    def debug_record(self, record_: DebugRecord) -> None:
        """`#dbg_value`, `#dbg_declare`, `#dbg_assign`: which C variable a value or a slot is."""
        if record_.kind == "label" or len(record_.operands) < 3:
            return
        variable = record_.operands[1]
        if not isinstance(variable, MDRecord):
            return
        value, expression = record_.operands[0], record_.operands[2]
        if record_.kind == "declare":
            self._slot(value, variable, expression)
        else:
            self._value(value, variable, expression)
            if record_.kind == "assign" and len(record_.operands) > 5:
                self._slot(record_.operands[4], variable, record_.operands[5])

    def _slot(self, address: Metadata, variable: MDRecord, expression: Metadata) -> None:
        """The variable lives in the memory at `address`."""
        if not isinstance(address, ValueAsMetadata) or not isinstance(address.value.type, PointerType):
            return
        start = fragment(expression)
        layout = self.seeds.types.layout(type_of(variable))
        if start is None or layout is None:
            return
        for node, offset, modulus in self.places(address.value):
            reason = f"variable {variable_name(variable)} is a {layout.name}"
            fact = TypeFact(layout, offset - start, modulus, EVERYWHERE, DECLARED, OWN, reason)
            self.seeds.graph.add(node, fact)

    def _value(self, value: Metadata, variable: MDRecord, expression: Metadata) -> None:
        if not isinstance(value, ValueAsMetadata):
            return
        operations = expression.arguments if isinstance(expression, MDRecord) else ("?",)
        if operations == ("DW_OP_deref",):
            self._slot(value, variable, MDRecord("DIExpression"))
        elif not operations:
            self._variable(value.value, type_of(variable), variable_name(variable))
        elif isinstance(value.value, Argument) and not isinstance(value.value.type, PointerType):
            start = fragment(expression)
            layout = self.seeds.types.layout(type_of(variable))
            if start is not None and layout is not None:
                reason = f"parameter {variable_name(variable)} is a {layout.name}"
                fact = TypeFact(layout, -start, 0, EVERYWHERE, DECLARED, OWN, reason)
                self.seeds.graph.add(self.seeds.bit_node(value.value), fact)

    def _variable(self, value: Value, type_: Metadata | None, name: str) -> None:
        """`value` is the value of a C variable of this type."""
        if isinstance(value.type, PointerType):
            target = pointee(type_)
            layout = None if is_character(target) else self.seeds.types.layout(target)
            if layout is None or not isinstance(value, (Instruction, Argument)):
                return
            reason = f"{name} points to {layout.name}"
            for root, offset, modulus in self.seeds.roots[self.function].handles(value):
                fact = TypeFact(
                    layout, offset, modulus, self._window(root, offset, modulus, layout), DECLARED, OWN, reason
                )
                if isinstance(
                    root, (Alloca, GlobalVariable)
                ):  # it has a declaration: this is one object in there, at most
                    if modulus:
                        continue
                    fact = replace(fact, window=Window(offset, offset + layout.size), access=True)
                self.seeds.graph.add(self.seeds.root(root), fact)
        elif isinstance(value, Argument) and not isinstance(value.type, FloatType):
            layout = self.seeds.types.layout(type_)
            if layout is not None and layout.size >= self.seeds.sizes.store_size(value.type):
                self.seeds.own(self.seeds.bit_node(value), layout, f"parameter {name}")

    def _window(self, root: Value, offset: int, modulus: int, layout: Layout) -> Window:
        """The bytes of which it is said that such objects lie there: a pointer may point into an array, in both directions. One to
        a member of a struct that is declared there tells of that member. Nothing is claimed then that the struct does not claim;
        what lies in the last member (`double w[1]`) may go on behind it."""
        for start, struct in self.pointees.get(root, ()) if not modulus else ():
            member = struct.member(offset - start, layout)
            if member is not None:
                goes_on = offset - start >= struct.last
                return Window(start + member[0], None if goes_on else start + member[1])
        return EVERYWHERE

    def note_structs(self) -> None:
        """Which pointers are declared as pointers to structs: what is said of pointers to their members is said of these."""
        types = signature_types(self.function.subprogram)
        fits = len(types) == len(self.function.arguments) + 1
        found: list[tuple[Value, Metadata | None]] = []
        found += [(a, types[a.index + 1]) for a in filter(is_as_declared, self.function.arguments)] if fits else []
        for instruction in self.function.instructions():
            for record_ in instruction.debug_records:
                found += plain_variable(record_)
        for value, type_ in found:
            target = pointee(type_) if isinstance(value.type, PointerType) else None
            layout = self.seeds.types.layout(target) if target is not None and not is_character(target) else None
            if layout is None or len(layout.parts) < 2 or not isinstance(value, (Instruction, Argument)):
                continue
            for root, offset, modulus in self.seeds.roots[self.function].handles(value):
                if not modulus:
                    self.pointees.setdefault(root, []).append((offset, layout))

    def places(self, pointer: Value) -> list[tuple[Node, int, int]]:
        roots = self.seeds.roots[self.function]
        return [(self.seeds.root(root), offset, modulus) for root, offset, modulus in roots.handles(pointer)]

    # --- instructions

    def visit(self, instruction: Instruction) -> None:
        if isinstance(instruction, Load):
            self._load(instruction)
        elif isinstance(instruction, Store):
            self._store(instruction)
        elif isinstance(instruction, Call):
            self._call(instruction)
            self.bit_flow.constant_bytes(instruction)
        elif isinstance(instruction, GetElementPtr):
            self._element(instruction)
            self.bit_flow.pointer(instruction, instruction.operands[:1])
        elif isinstance(instruction, Return):
            for value in instruction.operands:
                self._declare_result(value)
        else:
            self.bit_flow.visit(instruction)
            self.flow.made(instruction)

    def _typed(self, instruction: Instruction, type_: Type, pointer: Value) -> None:
        """What the type and the TBAA name of an access say about the memory."""
        concrete = accessed_as(instruction, type_)
        if concrete is None:
            return
        size = self.seeds.sizes.store_size(type_)
        line = locations.line_of(instruction)
        where = f"line {line}" if line is not None else f"the {instruction.opcode}"
        reason = f"{where} accesses it as {concrete}"
        name = tbaa.scalar_name(instruction)
        typed = name in tbaa.FLOATING
        renamed = name is not None and not typed and concrete.is_float
        count = 1
        if isinstance(type_, VectorType):
            count, size = type_.count, self.seeds.sizes.store_size(type_.element)
        for node, offset, modulus in self.places(pointer):
            for k in range(count):
                self.seeds.access(
                    (node, offset + k * size, modulus), concrete, size, reason, typed=typed, renamed=renamed
                )

    def _load(self, load: Load) -> None:
        self._typed(load, load.type, load.pointer)
        if isinstance(load.type, PointerType):
            self.seeds.root(load)
            for node, offset, modulus in self.places(load.pointer):
                bits = self.seeds.pointer_bits(load)
                reads = kind_of_read(load)
                self.seeds.graph.link(CopyLink(node, offset, modulus, bits, 0, 0, bits.size, numbers=True, reads=reads))
            return
        if tbaa.is_kept_integer(load):
            self.seeds.own(self.seeds.bit_node(load), BYTE, "the tape of a derivative")
            return
        self._copy_bits(load, load, load.pointer)
        if load in self.seeds.bits and tbaa.scalar_name(load) in tbaa.INTEGERS:
            self.seeds.bits[load].whole = True

    def _store(self, store: Store) -> None:
        value = store.value
        self._typed(store, value.type, store.pointer)
        if isinstance(value.type, PointerType):
            held = self.seeds.pointer_bits(value) if isinstance(value, (Instruction, Argument)) else None
            for node, offset, modulus in self.places(store.pointer):
                if held is not None:
                    self.seeds.graph.link(CopyLink(held, 0, 0, node, offset, modulus, held.size, numbers=True))
                inner = self.seeds.field(node, offset, modulus)
                for source, at, step in self.places(value):
                    self.seeds.graph.link(CopyLink(source, at, step, inner, 0, 0, None))
        elif isinstance(value, (Instruction, Argument)):
            self._copy_bits(store, value, store.pointer)

    def _copy_bits(self, access: Load | Store, value: Value, pointer: Value) -> None:
        if isinstance(value.type.scalar, FloatType) or is_bit(value.type):
            return
        bits = self.seeds.bit_node(value)
        narrow = tbaa.scalar_name(access) in tbaa.NARROW
        for place in self.places(pointer):
            ends = ((bits, 0, 0), place) if isinstance(access, Store) else (place, (bits, 0, 0))
            self.seeds.graph.link(CopyLink(*ends[0], *ends[1], bits.size, narrow=narrow, reads=kind_of_read(access)))

    def _element(self, gep: GetElementPtr) -> None:
        """A getelementptr over doubles suggests that they are doubles."""
        if len(gep.indices) != 1 or not isinstance(gep.source_type, FloatType):
            return
        concrete = floating(gep.source_type.kind)
        for node, offset, modulus in self.places(gep):
            size, reason = self.seeds.sizes.store_size(gep.source_type), f"its address is computed as one of {concrete}"
            self.seeds.access((node, offset, modulus), concrete, size, reason, rank=WEAK)

    # --- calls

    def _call(self, call: Call) -> None:
        callee = call.called_function
        if callee is None:
            self.flow.escape([*call.arguments, call])
            return
        if intrinsics.is_copy(callee.name):
            self._copy(call, *call.arguments[:3])
        for value, fact in facts_of_passed(call, callee):
            node = self.seeds.root if isinstance(value, Alloca) else self.seeds.bit_node
            self.seeds.graph.add(node(value), fact)
        if callee.is_declaration:  # others are linked by finish()
            self._external(call, callee)

    def _external(self, call: Call, callee: Function) -> None:
        found = libc.find(callee.name)
        known = found if found is not None and len(found.parameters) == len(call.arguments) else None
        if known is not None and known.block_copy is not None:
            self._copy(call, *(call.arguments[k] for k in known.block_copy))
        summary = known.summary if known is not None else runtime_calls.summary_of(callee.name)
        if not callee.name.startswith("llvm."):
            self.flow.call(call, summary)
        self.bit_flow.call(call)
        hint = declared.type_hint(callee.name)
        if hint is not None:
            self._hint(call, hint)
            return
        if callee.name == runtime_calls.ALLOCATE:
            told = call.attributes.get(runtime_calls.DATA)
            if told is not None and told.value is not None:
                self.seeds.own(self.seeds.root(call), described_layout(told.value), "a variable of the program", WEAK)
            elif told is None:
                self._tape(call)
        if callee.name.startswith("llvm."):
            self._intrinsic(call)
        self._signature(call, callee)
        if known is not None:
            self._library(call, known)

    def _hint(self, call: Call, kind: str) -> None:
        """`__enzyme_double(p)`: an array of doubles from p on; `__enzyme_double(p, 16)`: so many bytes of them."""
        if not call.arguments or not isinstance(call.arguments[0].type, PointerType):
            return
        integer, pointer = scalar(INTEGER, 1), scalar(POINTER, self.seeds.sizes.pointer_bits // 8)
        layout = {"integer": integer, "pointer": pointer}.get(kind) or float_layout(kind)
        size = call.arguments[1] if len(call.arguments) > 1 else None
        line = locations.line_of(call)
        reason = f"line {line} says that it holds {kind}s" if line is not None else f"the program says {kind}"
        for node, offset, modulus in self.places(call.arguments[0]):
            end = offset + size.unsigned if isinstance(size, ConstantInt) and not modulus else None
            window = Window(offset, end) if not modulus else EVERYWHERE
            self.seeds.graph.add(node, TypeFact(layout, offset % layout.size, 0, window, DECLARED, OWN, reason))

    def _copy(self, call: Call, target: Value, source: Value, length: Value) -> None:
        size = length.unsigned if isinstance(length, ConstantInt) else None
        for a in self.places(source):
            for b in self.places(target):
                self.seeds.graph.link(CopyLink(*a, *b, size, moves=True))
                self._pointers_copied(a, b, size)

    def _pointers_copied(self, a: tuple[Node, int, int], b: tuple[Node, int, int], size: int | None) -> None:
        """Pointers inside the copied bytes keep their pointees."""
        shift = b[1] - a[1]
        for offset, modulus, inner in list(a[0].fields):
            if offset >= a[1] and (size is None or offset < a[1] + size):
                other = self.seeds.field(b[0], offset + shift, modulus)
                self.seeds.graph.link(CopyLink(inner, 0, 0, other, 0, 0, None))

    def _intrinsic(self, call: Call) -> None:
        if isinstance(call.type.scalar, IntType) or isinstance(call.type, StructType):
            self.seeds.own(self.seeds.bit_node(call), self.seeds.trusted(call.type), "an integer operation")

    def _signature(self, call: Call, callee: Function) -> None:
        """An external function's declared parameter types are a hint about what is passed."""
        types = signature_types(callee.subprogram)
        if not types:
            return
        name = callee.name
        for argument, type_ in zip(call.arguments, types[1:], strict=False):
            target = pointee(type_)
            layout = None if is_character(target) else self.seeds.types.layout(target)
            if layout is not None and isinstance(argument.type, PointerType):
                for node, offset, modulus in self.places(argument):
                    reason = f"it is passed to {name} as a pointer to {layout.name}"
                    fact = TypeFact(layout, offset, modulus, EVERYWHERE, WEAK, BACKWARD, reason)
                    self.seeds.graph.add(node, fact)
        self._result(call, types[0], name)

    def _result(self, call: Call, type_: Metadata | None, name: str) -> None:
        if isinstance(call.type, PointerType):
            target = pointee(type_)
            layout = None if is_character(target) else self.seeds.types.layout(target)
            self.seeds.own(self.seeds.root(call), layout, f"the declaration of {name}")
        elif isinstance(call.type, IntType):
            self.seeds.own(self.seeds.bit_node(call), self.seeds.types.layout(type_), f"the declaration of {name}")

    def _library(self, call: Call, function: LibraryFunction) -> None:
        """What a function of the C library writes through pointers to numbers."""
        for k, type_ in enumerate(function.parameters):
            if function.summary is None or not function.summary.writes_argument(k):
                continue
            concrete = floating(_FLOATS[type_]) if type_ in _FLOATS else INTEGER
            size = BYTES[_FLOATS[type_]] if type_ in _FLOATS else _INTEGERS.get(type_)
            if size is not None:
                for place in self.places(call.arguments[k]):
                    self.seeds.access(place, concrete, size, f"{function.name} writes there as {concrete}")

    # --- between functions, once all nodes exist

    def finish(self) -> None:
        """Link actual with formal parameters, returned values with results, and phis that became roots with their sources."""
        for merged, handles in self.seeds.roots[self.function].merged.items():
            for root, offset, modulus in handles:
                link = CopyLink(self.seeds.root(root), offset, modulus, self.seeds.root(merged), 0, 0, None)
                self.seeds.graph.link(link)
        for instruction in self.function.instructions():
            callee = instruction.called_function if isinstance(instruction, Call) else None
            if callee is not None and callee.blocks and isinstance(instruction, Call):
                for actual, formal in zip(instruction.arguments, callee.arguments, strict=False):
                    self._pass(actual, formal)
                if (scalar := self.seeds.scalar_function(callee)) is not None:
                    self.bit_flow.scalar_call(instruction, scalar)
                for value in returned_pointers(callee) if scalar is None else ():
                    self._return(value, instruction)

    def _pass(self, actual: Value, formal: Argument) -> None:
        graph = self.seeds.graph
        if "sret" in formal.attributes:  # memory for the result: nothing comes in, everything goes out
            for node, offset, modulus in self.places(actual):
                graph.link(CopyLink(self.seeds.root(formal), 0, 0, node, offset, modulus, None))
        elif isinstance(formal.type, PointerType) and isinstance(actual.type, PointerType):
            for node, offset, modulus in self.places(actual):
                graph.link(CopyLink(node, offset, modulus, self.seeds.root(formal), 0, 0, None, calls=True))
            if isinstance(actual, (Instruction, Argument)):
                bits = self.seeds.pointer_bits(formal)
                graph.link(CopyLink(self.seeds.pointer_bits(actual), 0, 0, bits, 0, 0, 8, calls=True, numbers=True))
        elif actual.type == formal.type and isinstance(actual, (Instruction, Argument)) and not is_bit(actual.type):
            source, target = self.seeds.bit_node(actual), self.seeds.bit_node(formal)
            graph.link(CopyLink(source, 0, 0, target, 0, 0, source.size, calls=True))

    def _return(self, value: Value, call: Call) -> None:
        if value.type != call.type or not isinstance(value, (Instruction, Argument)):
            return
        if isinstance(call.type, PointerType):
            callee = call.called_function
            assert callee is not None
            for root, offset, modulus in self.seeds.roots[callee].handles(value):
                link = CopyLink(self.seeds.root(root), offset, modulus, self.seeds.root(call), 0, 0, None, calls=True)
                self.seeds.graph.link(link)
            bits = self.seeds.pointer_bits(call)
            link = CopyLink(self.seeds.pointer_bits(value), 0, 0, bits, 0, 0, 8, calls=True, numbers=True)
            self.seeds.graph.link(link)
        elif not is_bit(call.type):
            source, target = self.seeds.bit_node(value), self.seeds.bit_node(call)
            self.seeds.graph.link(CopyLink(source, 0, 0, target, 0, 0, source.size, calls=True))
