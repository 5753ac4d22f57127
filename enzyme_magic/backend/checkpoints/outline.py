"""A checkpointed loop as functions of its own: the loop becomes one call, and a custom rule is registered for what is called.

    f.loop.0(state, pointers, numbers, extents)          all iterations (what the rule is about)
    f.loop.0.piece(state, …) -> left                     at most so many iterations, from the state to the state
    f.loop.0.forward, f.loop.0.reverse                   the rule (rule.py): run with checkpoints; reverse piece by piece
    f.loop.0.advance, f.loop.0.back                      one piece, and one piece reversed, as the driver calls them

The state is memory: floating values in one struct, integers in another, floating values from before the loop in a third. The
derivative of a piece is an ordinary request (`__enzyme_autodiff`) that the program makes of itself.

Invariant: the function with the call computes what it computed with the loop. Writing only: choice.py decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from enzyme_magic.backend.checkpoints import sizes
from enzyme_magic.backend.checkpoints.choice import Checkpointed
from enzyme_magic.backend.checkpoints.rule import RuleWriter, add_function
from enzyme_magic.backend.ir import constants, intrinsics
from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import remap
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.instructions import Alloca, Call, Instruction, Load, Phi
from enzyme_magic.backend.ir.metadata import MDRecord, Metadata, ValueAsMetadata
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import (
    I32,
    I64,
    POINTER,
    VOID,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    Type,
)
from enzyme_magic.backend.ir.values import Argument, Block, Value

_ALONE = AttributeSet((Attribute("noalias"),))


@dataclass(slots=True, eq=False, repr=False)
class StateStruct:
    """Memory for numbers: which value has which place."""

    places: dict[Value, int] = field(default_factory=dict)
    types: list[Type] = field(default_factory=list)

    def add(self, value: Value) -> None:
        self.places[value] = len(self.types)
        self.types.append(_stored(value.type))

    @property
    def type(self) -> StructType:
        return StructType(tuple(self.types) or (I64,))

    def load(self, builder: Builder, memory: Value, value: Value) -> Value:
        found = builder.load(self.types[self.places[value]], self._place(builder, memory, value))
        return builder.trunc(found, value.type) if found.type != value.type else found

    def store(self, builder: Builder, memory: Value, value: Value, content: Value) -> None:
        type_ = self.types[self.places[value]]
        content = builder.zext(content, type_) if content.type != type_ else content
        builder.store(content, self._place(builder, memory, value))

    def _place(self, builder: Builder, memory: Value, value: Value) -> Value:
        return builder.gep(self.type, memory, [0, self.places[value]])


def _stored(type_: Type) -> Type:
    """How a value lies in memory and is passed: integers as 32 or 64 bits."""
    if isinstance(type_, IntType):
        return I32 if type_.bits <= 32 else I64
    return type_


def outline(module: Module, function: Function, chosen: Checkpointed, dominators: DominatorTree, budget: int) -> str:
    """Put a call in place of the loop; the name of what is called. budget: bytes for the checkpoints."""
    return _Outline(module, function, chosen, dominators, budget).write()


@dataclass(slots=True, eq=False, repr=False)
class _Outline:
    module: Module
    function: Function
    chosen: Checkpointed
    dominators: DominatorTree
    budget: int
    name: str = ""
    floats: StateStruct = field(default_factory=StateStruct)
    integers: StateStruct = field(default_factory=StateStruct)
    before: StateStruct = field(default_factory=StateStruct)
    pointers: list[Value] = field(default_factory=list)
    numbers: list[Value] = field(default_factory=list)
    left: dict[Value, Value] = field(
        default_factory=dict
    )  # a key of the state for each value that is read after the loop
    way: Value = field(default_factory=lambda: Argument(I32, "way", EMPTY, 0))  # by which exit the loop was left
    _loaded: dict[Value, Value] = field(default_factory=dict)
    _call_at: int = 0

    def write(self) -> str:
        self.name = self._free_name()
        self._lay_out()
        exits = list(self.chosen.loop.exits)
        call = self._call(exits)
        piece = self._piece(exits)
        replace_uses(self.function, self._loaded)
        self._drop_records()
        whole = self._whole(piece)
        call.instructions[self._call_at].operands[-1] = whole
        self._rule(whole, piece)
        return self.name

    def _free_name(self) -> str:
        number = 0
        while self.module.global_named(f"{self.function.name}.loop.{number}"):
            number += 1
        return f"{self.function.name}.loop.{number}"

    # --- layout

    def _lay_out(self) -> None:
        chosen = self.chosen
        for phi in chosen.carried:
            self._struct_of(phi).add(phi)
        for value in chosen.left:
            self.left[value] = key = Argument(value.type, "", EMPTY, 0)
            self._struct_of(value).add(key)
        self.integers.add(self.way)
        for given in chosen.given:
            if isinstance(given.type, PointerType):
                self.pointers.append(given)
            elif isinstance(given.type, FloatType):
                self.before.add(given)
            else:
                self.numbers.append(given)
        for region in chosen.regions:
            if region.base not in self.pointers:
                self.pointers.append(region.base)

    def _struct_of(self, value: Value) -> StateStruct:
        return self.floats if isinstance(value.type, FloatType) else self.integers

    @property
    def _states(self) -> tuple[StateStruct, ...]:
        return self.floats, self.integers, self.before

    def _parameters(self, extents: bool = False) -> list[Argument]:
        """State, pointers, numbers; extents: and the offset and size of each region."""
        alone = self._alone()
        made = [Argument(POINTER, name, _ALONE, k) for k, name in enumerate(("floats", "integers", "before"))]
        for value in self.pointers:
            attributes = _ALONE if value in alone else EMPTY
            made.append(Argument(POINTER, getattr(value, "name", ""), attributes, len(made)))
        for value in self.numbers:
            made.append(Argument(_stored(value.type), getattr(value, "name", ""), EMPTY, len(made)))
        for k in range(2 * len(self.chosen.regions) if extents else 0):
            made.append(Argument(I64, f"extent{k}", EMPTY, len(made)))
        return made

    def _alone(self) -> set[Value]:
        """Pointers to memory that no other pointer of the loop leads to."""
        evolution = self.chosen.extents.alias.evolution
        bases = [evolution.address(pointer).base for pointer in self.pointers]
        loads = (i for b in self.chosen.loop.blocks for i in b.instructions if isinstance(i, Load))
        if any(isinstance(load.type, PointerType) for load in loads):
            return set()
        if not all(isinstance(base, (Argument, Alloca)) or _is_apart(base) for base in bases):
            return set()  # a pointer of unknown origin may lead to any of them
        return {
            pointer
            for pointer, base in zip(self.pointers, bases, strict=True)
            if bases.count(base) == 1 and (isinstance(base, Alloca) or _is_apart(base))
        }

    # --- the call

    def _call(self, exits: Sequence[tuple[Block, Block]]) -> Block:
        """The block that takes the place of the loop."""
        loop, header = self.chosen.loop, self.chosen.loop.header
        block = Block(f"{header.name}.pieces", parent=self.function)
        starts: dict[Phi, Value] = {}
        outside = [b for b in cfg.predecessors(self.function)[header] if b not in loop.blocks]
        outside = list(dict.fromkeys(outside))
        builder = Builder(block)
        for phi in self.chosen.carried:
            starts[phi] = merged = builder.phi(phi.type)
            for source in outside:
                builder.add_incoming(merged, phi.value_from(source), source)
        for source in outside:
            cfg.redirect(source.terminator, header, block)
        memory = self._memory()
        for struct, place in zip(self._states, memory, strict=True):
            for value in struct.places:
                start = starts.get(value) if isinstance(value, Phi) else None
                if start is None:
                    start = value if struct is self.before else constants.zero(value.type)
                struct.store(builder, place, value, start)
        extents = sizes.emit(builder, self.chosen, starts)
        numbers: list[Value] = []
        for value in self.numbers:
            stored = _stored(value.type)
            numbers.append(builder.zext(value, stored) if stored != value.type else value)
        passed = [*memory, *self.pointers, *numbers, *extents]
        types = tuple(value.type for value in passed)
        placeholder = Function("", function_type=FunctionType(VOID, types))
        self._call_at = len(block.instructions)
        builder.call(placeholder, passed)
        self._go_on(builder, memory, exits)
        self.function.blocks.insert(self.function.blocks.index(header), block)
        return block

    def _memory(self) -> list[Value]:
        entry = self.function.entry
        first = next(i for i in entry.instructions if not isinstance(i, Phi))
        builder = Builder(entry, first)
        return [builder.alloca(struct.type, align=16) for struct in self._states]

    def _go_on(self, builder: Builder, memory: list[Value], exits: Sequence[tuple[Block, Block]]) -> None:
        block = builder.block
        self._loaded = {
            value: self._struct_of(value).load(builder, memory[0 if isinstance(value.type, FloatType) else 1], key)
            for value, key in self.left.items()
        }
        edges = []
        for source, target in exits:
            edge = Block(f"{target.name}.from", parent=self.function)
            Builder(edge).br(target)
            for phi in cfg.phis(target):
                incoming = [(edge if b is source else b) for b in phi.blocks]
                kept = {b: v for v, b in zip(phi.operands, incoming, strict=True)}
                phi.operands[:], phi.blocks[:] = list(kept.values()), list(kept)
            self.function.blocks.insert(self.function.blocks.index(target), edge)
            edges.append(edge)
        if len(edges) == 1:
            builder.br(edges[0])
        else:
            way = self.integers.load(builder, memory[1], self.way)
            builder.switch(way, edges[0], [(k, edge) for k, edge in enumerate(edges) if k])
        assert block.terminator

    def _drop_records(self) -> None:
        """No debug record names a value that has moved."""
        own = set(self.function.blocks)
        for instruction in self.function.instructions():
            instruction.debug_records = [
                record
                for record in instruction.debug_records
                if not any(_moved(operand, own) for operand in record.operands)
            ]

    # --- a piece

    def _piece(self, exits: Sequence[tuple[Block, Block]]) -> Function:
        """At most so many iterations; its result tells whether the loop was left."""
        loop, header = self.chosen.loop, self.chosen.loop.header
        parameters = self._parameters()
        piece = add_function(self.module, f"{self.name}.piece", parameters, I32)
        entry = Block("entry", parent=piece)
        builder = Builder(entry)
        memory = parameters[:3]
        values: dict[Value, Value] = {
            value: self.before.load(builder, memory[2], value) for value in self.before.places
        }
        for value, parameter in zip((*self.pointers, *self.numbers), parameters[3:], strict=True):
            values[value] = builder.trunc(parameter, value.type) if parameter.type != value.type else parameter
        starts = {phi: self._load(builder, memory, phi) for phi in self.chosen.carried}
        builder.br(header)
        blocks = [block for block in self.function.blocks if block in loop.blocks]
        self.function.blocks = [block for block in self.function.blocks if block not in loop.blocks]
        between = self._between(piece, entry, starts, memory)
        ends = [self._end(piece, memory, k, *edge) for k, edge in enumerate(exits)]
        for block in blocks:
            self._adopt(piece, block)
        piece.blocks = [entry, *blocks, *between, *ends]
        for block in piece.blocks[1:]:
            for instruction in block.instructions:
                remap(instruction, values)
        return piece

    def _between(
        self, piece: Function, entry: Block, starts: Mapping[Phi, Value], memory: Sequence[Value]
    ) -> tuple[Block, Block]:
        """What happens between two iterations: the next one begins, or the piece is done and the state is kept."""
        loop, header = self.chosen.loop, self.chosen.loop.header
        following, stop = Block("following", parent=piece), Block("stop", parent=piece)
        builder, stopped = Builder(following), Builder(stop)
        done = builder.phi(I32, "done")
        nexts: dict[Phi, Phi] = {}
        for phi in self.chosen.carried:
            nexts[phi] = builder.phi(phi.type)
            for latch in loop.latches:
                builder.add_incoming(nexts[phi], phi.value_from(latch), latch)
            phi.operands[:], phi.blocks[:] = [starts[phi], nexts[phi]], [entry, following]
            self._store(stopped, memory, phi, nexts[phi])
        counter = Phi("phi", I32, [constants.int_constant(I32, 0), done], "count", blocks=[entry, following])
        counter.parent = header
        header.instructions.insert(0, counter)
        for latch in loop.latches:
            latch.terminator.metadata.pop("llvm.loop", None)
            cfg.redirect(latch.terminator, header, following)
            more = Builder(latch, latch.terminator).add(counter, constants.int_constant(I32, 1))
            builder.add_incoming(done, more, latch)
        full = builder.icmp("eq", done, constants.int_constant(I32, self.chosen.iterations))
        builder.cond_br(full, stop, header)
        stopped.ret(constants.int_constant(I32, 0))
        return following, stop

    @staticmethod
    def _adopt(piece: Function, block: Block) -> None:
        block.parent = piece
        kept: list[Instruction] = []
        for instruction in block.instructions:
            function = instruction.called_function if isinstance(instruction, Call) else None
            instruction.debug_records = []
            if function is None or not intrinsics.is_marker(function.name):
                kept.append(instruction)
        block.instructions = kept

    def _load(self, builder: Builder, memory: Sequence[Value], phi: Phi) -> Value:
        return self._struct_of(phi).load(builder, memory[0 if isinstance(phi.type, FloatType) else 1], phi)

    def _store(self, builder: Builder, memory: Sequence[Value], key: Value, content: Value) -> None:
        self._struct_of(key).store(builder, memory[0 if isinstance(key.type, FloatType) else 1], key, content)

    def _end(self, piece: Function, memory: Sequence[Value], number: int, source: Block, target: Block) -> Block:
        """Leave the loop by an exit: keep what is read behind it."""
        end = Block(f"left{number}", parent=piece)
        builder = Builder(end)
        for value, key in self.left.items():
            assert isinstance(value, Instruction)
            assert value.parent is not None
            if self.dominators.dominates(value.parent, source):
                self._store(builder, memory, key, value)
        self._store(builder, memory, self.way, constants.int_constant(I32, number))
        builder.ret(constants.int_constant(I32, 1))
        cfg.redirect(source.terminator, target, end)
        return end

    # --- the rule

    def _whole(self, piece: Function) -> Function:
        parameters = self._parameters(extents=True)
        whole = add_function(self.module, self.name, parameters, VOID)
        entry, body, done = (Block(name, parent=whole) for name in ("entry", "pieces", "done"))
        Builder(entry).br(body)
        builder = Builder(body)
        left = builder.call(piece, parameters[: len(piece.arguments)])
        builder.cond_br(builder.icmp("ne", left, constants.int_constant(I32, 0)), done, body)
        Builder(done).ret()
        whole.blocks = [entry, body, done]
        return whole

    def _rule(self, whole: Function, piece: Function) -> None:
        layout = self.chosen.extents.alias.layout
        state = tuple(layout.size_of(struct.type) for struct in (self.floats, self.integers))
        regions = tuple(3 + self.pointers.index(region.base) for region in self.chosen.regions)
        RuleWriter(self.module, whole, piece, state, regions, self.budget).write()


def _moved(node: Metadata, own: Set[Block]) -> bool:
    if isinstance(node, ValueAsMetadata):
        return isinstance(node.value, Instruction) and node.value.parent not in own
    return isinstance(node, MDRecord) and any(_moved(a, own) for a in node.arguments if isinstance(a, Metadata))


def _is_apart(base: Value) -> bool:
    """Whether a parameter or a new block is memory of its own. (A pool says so, too, of memory that it gives again.)"""
    if isinstance(base, Argument):
        return "noalias" in base.attributes
    if not isinstance(base, Call) or "noalias" not in base.result_attributes:
        return False
    return base.called_function is not None and base.called_function.is_declaration
