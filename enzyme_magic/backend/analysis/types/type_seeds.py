"""Collects the type evidence of a module: nodes, facts and links (see type_facts).

Evidence, strongest first: DWARF types of parameters, locals, globals and functions; floating loads and stores; TBAA
names; types of allocas and globals; signatures of libm; copies (memcpy, and integers or vectors that are loaded and
stored); the number-like use of integers; element types of getelementptr.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.calls.callbacks import called_unseen
from enzyme_magic.backend.analysis.calls.scalar_functions import ScalarFunction, summary
from enzyme_magic.backend.analysis.counts.affine import Evolution
from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.memory.memory_objects import returned_pointers
from enzyme_magic.backend.analysis.memory.pointer_roots import Roots
from enzyme_magic.backend.analysis.types import computed_bits
from enzyme_magic.backend.analysis.types.coerced import has_several
from enzyme_magic.backend.analysis.types.debug_types import (
    DECLARED_TYPE,
    DebugTypes,
    fragment,
    is_character,
    pointee,
    signature_types,
    type_of,
)
from enzyme_magic.backend.analysis.types.function_seeds import FunctionSeeds
from enzyme_magic.backend.analysis.types.layouts import Layout, Part, float_layout, llvm_layout, record, scalar
from enzyme_magic.backend.analysis.types.regions import gives_new
from enzyme_magic.backend.analysis.types.spreading import Graph
from enzyme_magic.backend.analysis.types.type_facts import (
    BACKWARD,
    DECLARED,
    OWN,
    STRIDED,
    WEAK,
    CopyLink,
    Flow,
    Node,
    TypeFact,
    other_formats,
)
from enzyme_magic.backend.analysis.types.type_tree import BYTES, Concrete
from enzyme_magic.backend.analysis.types.windows import EVERYWHERE, Window
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import find as find_loops
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Call,
    Cast,
    ExtractElement,
    ExtractValue,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Select,
)
from enzyme_magic.backend.ir.layout import DataLayout, scalars
from enzyme_magic.backend.ir.metadata import (
    MDRecord,
    MDTuple,
)
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, Type
from enzyme_magic.backend.ir.values import Argument, ConstantString, Value

SURE = "em.sure"  # named metadata of a program that was looked at before: no number is moved as something else there


@dataclass(slots=True, eq=False)
class Seeds:
    """The graph of a module while it is built, and the maps from values to nodes."""

    module: Module
    sizes: DataLayout
    types: DebugTypes
    graph: Graph
    memory: dict[Value, Node] = field(default_factory=dict)
    bits: dict[Value, Node] = field(default_factory=dict)
    roots: dict[Function, Roots] = field(default_factory=dict)
    owner: dict[Value, Function] = field(default_factory=dict)
    operations: list[computed_bits.BitOperation] = field(default_factory=list)
    heard: computed_bits.Heard = field(default_factory=computed_bits.Heard)
    _fields: dict[tuple[Node, int, int], Node] = field(default_factory=dict)
    _layouts: dict[tuple[object, ...], Layout] = field(default_factory=dict)
    _suggested: dict[Type, Layout | None] = field(default_factory=dict)
    _named: dict[str, MDRecord] = field(default_factory=dict)

    _scalar: dict[Function, ScalarFunction | None] = field(default_factory=dict)
    _passes: bool | None = None

    @classmethod
    def of(cls, module: Module, sizes: DataLayout, *, wary: bool = False) -> Seeds:
        types = DebugTypes()

        def resolve(target: object) -> Layout | None:
            if isinstance(target, Layout):
                return target
            node = pointee(target) if isinstance(target, MDRecord) else None
            return None if is_character(node) else types.layout(node)

        graph = Graph(resolve, sure=SURE in module.named_metadata)
        seeds = cls(module, sizes, types, graph, heard=computed_bits.Heard(wary))
        for variable in module.variables.values():
            seeds._global(variable)
        visitors = {function: seeds._visit(function) for function in module.definitions()}
        for visitor in visitors.values():
            visitor.finish()
        for function in called_unseen(module):
            if function in visitors:
                visitors[function].flow.escape([*function.arguments, *returned_pointers(function)])
        computed_bits.spread(seeds.graph, seeds.operations, seeds.heard)
        return seeds

    def other_formats(self, load: Load) -> frozenset[str]:
        """The formats of other numbers that may lie where a number is loaded, in a function that is known."""
        numbers = [(at, kind.kind) for at, kind in scalars(self.sizes, load.type) if isinstance(kind, FloatType)]
        return frozenset(
            found
            for node, start, modulus in (self.places(load.pointer) if numbers else ())
            for at, kind in numbers
            for found in other_formats(node, start + at, modulus, kind)
        )

    @property
    def passes_unions(self) -> bool:
        """Whether functions of the program pass unions in registers: bits of any member are then loaded and stored as one's."""
        if self._passes is None:
            found = (signature_types(f.subprogram) for f in self.module.definitions())
            self._passes = any(has_several(self.types.layout(node)) for types in found for node in types)
        return self._passes

    def scalar_function(self, function: Function) -> ScalarFunction | None:
        """How a function makes an integer of integers, where it does nothing else."""
        if function not in self._scalar:
            self._scalar[function] = summary(function)
        return self._scalar[function]

    def include(self, function: Function, origin: Mapping[Value, Value] | None = None) -> None:
        """A function that is not part of the module (a copy made later). `origin`: what its values are copies of."""
        if function not in self.roots:
            self._visit(function).finish()
            self._inherit(function)
            for new, old in (origin or {}).items():
                self._inherit_value(old, new)
            computed_bits.spread(self.graph, self.operations, self.heard)

    def settle(self) -> None:
        """Carry what was added along all links."""
        computed_bits.spread(self.graph, self.operations, self.heard)

    def _inherit(self, function: Function) -> None:
        """A copy goes by its original's name and gets the arguments the original gets."""
        original = self.module.functions.get(function.name)
        if original is None or original.function_type != function.function_type:
            return
        for old, new in zip(original.arguments, function.arguments, strict=True):
            self._inherit_value(old, new)

    def _inherit_value(self, old: Value, new: Value) -> None:
        if old is new or old.type != new.type:
            return
        if isinstance(new.type, PointerType) and old in self.bits:
            self.graph.link(CopyLink(self.bits[old], 0, 0, self.pointer_bits(new), 0, 0, 8, same=True))
            self._repeat(self.bits[old])
        if isinstance(new.type, PointerType) and old in self.memory:
            self.graph.link(CopyLink(self.memory[old], 0, 0, self.root(new), 0, 0, None, same=True))
            self._repeat(self.memory[old])
        elif old in self.bits and not isinstance(new.type, PointerType):
            source = self.bits[old]
            self.graph.link(CopyLink(source, 0, 0, self.bit_node(new), 0, 0, source.size, same=True))
            self._repeat(source)

    def _repeat(self, node: Node) -> None:
        """Let facts that have spread already spread once more, along a new link."""
        self.graph.pending += [(node, fact) for fact in node.facts.values()]

    def _visit(self, function: Function) -> FunctionSeeds:
        loops = find_loops(function, dominators := DominatorTree.of(function))
        self.roots[function] = Roots(Evolution(self.sizes, loops, dominators))
        self.owner.update(dict.fromkeys(function.arguments, function))
        self.owner.update(dict.fromkeys(function.instructions(), function))
        visitor = FunctionSeeds(self, function)
        visitor.note_structs()
        visitor.declare_parameters()
        for instruction in function.instructions():
            for record_ in instruction.debug_records:
                visitor.debug_record(record_)
            visitor.visit(instruction)
        return visitor

    # --- nodes

    def root(self, value: Value) -> Node:
        """The memory behind a root pointer."""
        node = self.memory.get(value)
        if node is None:
            name = getattr(value, "name", "") or "a pointer"
            node = self.memory[value] = Node(f"the memory of {name}")
            node.declared = isinstance(value, (Alloca, GlobalVariable))
            node.formal = isinstance(value, Argument)
            node.allocated = isinstance(value, Alloca) or (isinstance(value, Call) and gives_new(value))
            if isinstance(value, Alloca):
                self.own(node, self.suggested(value.allocated_type), "its declaration")
                self.own(node, self.types.layout(value.metadata.get(DECLARED_TYPE)), "its declaration")
            if isinstance(value, Load):
                self._loaded(value, node)
            elif isinstance(value, Instruction):
                self._made(value, node)
        return node

    def _made(self, pointer: Instruction, node: Node) -> None:
        """Where pointers lead to that are neither allocated nor loaded, as far as it shows."""
        regions = self.graph.regions
        source = pointer.operands[0] if pointer.operands else None
        if isinstance(pointer, (ExtractValue, ExtractElement, Cast)) and isinstance(source, (Instruction, Argument)):
            if not isinstance(source.type, PointerType):
                regions.point(self.bit_node(source), node)
        elif not isinstance(pointer, (Alloca, Call, Phi, Select, GetElementPtr, Freeze)):
            regions.escape(node)

    def _loaded(self, load: Load, node: Node) -> None:
        for inner, offset, modulus in self.places(load.pointer, load):
            self.graph.link(CopyLink(self.field(inner, offset, modulus), 0, 0, node, 0, 0, None))
        self._tagged_pointer(load, node)

    def _tagged_pointer(self, load: Load, node: Node) -> None:
        name = tbaa.scalar_name(load)
        if name is not None and name.startswith("p1 "):
            layout = self.tagged(name[3:])
            if layout is not None:
                self.own(node, layout, f"it is accessed as a pointer to {name[3:]}")

    def bit_node(self, value: Value) -> Node:
        """The bits of a value that is no pointer."""
        node = self.bits.get(value)
        if node is None:
            name = getattr(value, "name", "") or "a value"
            node = self.bits[value] = Node(name, self.sizes.store_size(value.type))
            if not isinstance(value.type.scalar, IntType):
                self.own(node, self.suggested(value.type), "its type")
        return node

    def pointer_bits(self, value: Value) -> Node:
        """The bits of a pointer, of which only those of floating numbers are told."""
        node = self.bits.get(value)
        if node is None:
            node = self.bits[value] = Node(getattr(value, "name", "") or "a pointer", self.sizes.pointer_bits // 8)
            node.address = True
        return node

    def field(self, node: Node, offset: int, modulus: int) -> Node:
        """What the pointer stored in `node` at `offset` points to."""
        key = (node, offset, modulus)
        found = self._fields.get(key)
        if found is None:
            found = self._fields[key] = Node(f"what byte {offset} of {node.label} points to")
            node.fields.append((offset, modulus, found))
            self.graph.regions.point(node, found, at=offset, modulus=modulus)
            for fact in list(node.facts.values()):
                self.graph.pending.append((node, fact))
        return found

    def places(self, pointer: Value, user: Instruction | None = None) -> list[tuple[Node, int, int]]:
        """(node, offset, modulus) of the memory `pointer` points into."""
        roots = self._roots_of(pointer, user)
        if roots is None:
            return [(self.root(pointer), 0, 0)]
        return [(self.root(root), offset, modulus) for root, offset, modulus in roots.handles(pointer)]

    def _roots_of(self, pointer: Value, user: Instruction | None) -> Roots | None:
        function = self.owner.get(user) if user is not None else None
        function = function or self.owner.get(pointer)
        if function is None:  # a constant: any function's arithmetic will do
            return next(iter(self.roots.values()), None)
        return self.roots.get(function)

    # --- facts

    def own(self, node: Node, layout: Layout | None, reason: str, rank: int = DECLARED) -> None:
        if layout is not None:
            self.graph.add(node, TypeFact(layout, 0, 0, EVERYWHERE, rank, OWN, f"{reason} says {layout.name}"))

    def _global(self, variable: GlobalVariable) -> None:
        node = self.root(variable)
        described = False
        attached = variable.metadata.get("dbg")
        for expression in attached.operands if isinstance(attached, MDTuple) else [attached]:
            described = self._declared(node, variable.name, expression) or described
        if not described:
            text = variable.constant and isinstance(variable.initializer, ConstantString)
            layout = self.trusted(variable.value_type) if text else self.suggested(variable.value_type)
            self.own(node, layout, f"the type of {variable.name}")
        for other in globals_in(variable.initializer) if variable.initializer is not None else ():
            if isinstance(other, GlobalVariable):
                self.graph.regions.point(node, self.root(other), 0 if other is variable.initializer else None)

    def _declared(self, node: Node, name: str, expression: object) -> bool:
        """Whether a `DIGlobalVariableExpression` tells what the variable `name` holds. An optimizer makes several of one struct,
        each a fragment."""
        inner = expression.fields.get("var") if isinstance(expression, MDRecord) else None
        layout = self.types.layout(type_of(inner)) if isinstance(inner, MDRecord) else None
        start = fragment(expression.fields.get("expr")) if isinstance(expression, MDRecord) else None
        if layout is None or start is None:
            return False
        reason = f"the declaration of {name} says {layout.name}"
        self.graph.add(node, TypeFact(layout, -start, 0, EVERYWHERE, DECLARED, OWN, reason))
        return True

    def trusted(self, type_: Type) -> Layout | None:
        """The layout of an LLVM type whose integers are integers, and no bits of numbers: a text, what an operation makes."""
        key = ("trusted", type_)
        layout = self._layouts.get(key)
        if layout is None and (layout := llvm_layout(type_, self.sizes, trusted=True)) is not None:
            self._layouts[key] = layout
        return layout

    def suggested(self, type_: Type) -> Layout | None:
        """The layout of an LLVM type; one object for each type, so that equal evidence is known to be equal."""
        if type_ not in self._suggested:
            self._suggested[type_] = llvm_layout(type_, self.sizes, trusted=False)
        return self._suggested[type_]

    def access(
        self,
        place: tuple[Node, int, int],
        concrete: Concrete,
        size: int,
        reason: str,
        *,
        rank: int = DECLARED,
        typed: bool = False,
        renamed: bool = False,
    ) -> None:
        """Somebody reads or writes `size` bytes of this type there. `typed`: C says so, too; `renamed`: it calls them something
        else."""
        node, offset, modulus = place
        target: object = None
        key = ("access", concrete, size, modulus)
        layout = self._layouts.get(key)
        if layout is None:
            leaf = scalar(concrete, size, target=target)
            whole = max(modulus, size)
            layout = record(str(concrete), whole, [Part(0, 1, leaf)])
            self._layouts[key] = layout
        if modulus and rank == DECLARED:
            rank = STRIDED
        window = Window(offset, offset + size, modulus)
        flow: Flow = OWN if rank > WEAK else BACKWARD
        stride = modulus > 0
        fact = TypeFact(
            layout, offset, 0, window, rank, flow, reason, access=True, stride=stride, typed=typed, renamed=renamed
        )
        if modulus and modulus < size:  # anywhere: no byte can be named that it speaks of
            if fact.certain_of_floats:
                self.graph.doubts.append((node, fact, node))
            return
        node.stepped |= stride
        self.graph.add(node, fact)

    def tagged(self, name: str) -> Layout | None:
        """The layout of a TBAA scalar type name or of a struct known to debug info by that (mangled) name."""
        if name in tbaa.FLOATING:
            kind = tbaa.FLOATING[name]
            return float_layout(kind, 16 if BYTES[kind] == 10 else None)
        return None
