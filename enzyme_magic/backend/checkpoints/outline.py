"""A checkpointed loop as functions of its own: the loop becomes one call, and a custom rule is registered for what is called.

    f.loop.0(state, pointers, numbers, extents)          all iterations (what the rule is about)
    f.loop.0.piece(state, …) -> left                     at most so many iterations, from the state to the state
    f.loop.0.forward, f.loop.0.reverse                   the rule: run with checkpoints; reverse piece by piece
    f.loop.0.advance, f.loop.0.back                      one piece, and one piece reversed, as the driver calls them

The state is memory: floating values in one struct, integers in another, floating values from before the loop in a third. The
derivative of a piece is an ordinary request (`__enzyme_autodiff`) that the program makes of itself.

Invariant: the function with the call computes what it computed with the loop. Writing only: choice.py decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from enzyme_magic.backend.checkpoints import driver, sizes
from enzyme_magic.backend.checkpoints.choice import Checkpointed
from enzyme_magic.backend.ir import constants, intrinsics
from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import remap
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.instructions import Alloca, Call, Instruction, Load, Phi
from enzyme_magic.backend.ir.metadata import MDRecord, Metadata, ValueAsMetadata
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import (
    I32,
    I64,
    POINTER,
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    Type,
)
from enzyme_magic.backend.ir.values import Argument, Block, ConstantAggregate, Value
from enzyme_magic.backend.rules.custom import KEEPS

REGION = StructType((POINTER, I64))
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
        piece = self._function("piece", parameters, I32)
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

    def _function(self, part: str, parameters: Sequence[Argument], result: Type) -> Function:
        name = f"{self.name}.{part}" if part else self.name
        for k, parameter in enumerate(parameters):
            parameter.index = k
        types = tuple(parameter.type for parameter in parameters)
        made = Function(name, linkage="internal", function_type=FunctionType(result, types), arguments=list(parameters))
        self.module.add(made)
        return made

    def _whole(self, piece: Function) -> Function:
        parameters = self._parameters(extents=True)
        whole = self._function("", parameters, VOID)
        entry, body, done = (Block(name, parent=whole) for name in ("entry", "pieces", "done"))
        Builder(entry).br(body)
        builder = Builder(body)
        left = builder.call(piece, parameters[: len(piece.arguments)])
        builder.cond_br(builder.icmp("ne", left, constants.int_constant(I32, 0)), done, body)
        Builder(done).ret()
        whole.blocks = [entry, body, done]
        return whole

    def _rule(self, whole: Function, piece: Function) -> None:
        pairs = _Pairs(self, whole, piece)
        advance, back = pairs.thunk("advance"), pairs.thunk("back")
        functions = (whole, pairs.forward(advance), pairs.reverse(advance, back))
        type_ = ArrayType(3, POINTER)
        name = f"__enzyme_register_gradient_{self.name}"
        self.module.add(
            GlobalVariable(name, value_type=type_, initializer=ConstantAggregate(type_, functions), linkage="")
        )


@dataclass(slots=True, eq=False, repr=False)
class _Pairs:
    """The functions of the rule: every pointer is followed by its shadow. The context of the thunks holds their arguments."""

    outline: _Outline
    whole: Function
    piece: Function

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

    def thunk(self, part: str) -> Function:
        """One piece, run or reversed, with the arguments that lie in memory."""
        context = Argument(POINTER, "context", EMPTY, 0)
        reverses = part == "back"
        function = self.outline._function(part, [context], VOID if reverses else I32)
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
        module = self.outline.module
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

    def forward(self, advance: Function) -> Function:
        """Run all pieces, with checkpoints; the result is their record."""
        parameters = self._interleaved()
        function = self.outline._function("forward", parameters, POINTER)
        builder, context, regions = self._open(function, parameters)
        count = constants.int_constant(I64, self._count)
        type_ = FunctionType(POINTER, (POINTER, POINTER, POINTER, I64, I64))
        run = self.outline.module.declared(driver.FORWARD, type_)
        most = constants.int_constant(I64, self.outline.budget)
        builder.ret(builder.call(run, [context, advance, regions, count, most]))
        return function

    def reverse(self, advance: Function, back: Function) -> Function:
        """Reverse all pieces, from the checkpoints."""
        tape = Argument(POINTER, "tape", EMPTY, 0)
        parameters = [*self._interleaved(), tape]
        function = self.outline._function("reverse", parameters, VOID)
        function.attributes = AttributeSet((Attribute(KEEPS, quoted=True),))
        builder, context, regions = self._open(function, parameters[:-1])
        type_ = FunctionType(VOID, (POINTER, POINTER, POINTER, POINTER, POINTER, I64))
        run = self.outline.module.declared(driver.REVERSE, type_)
        builder.call(run, [tape, context, advance, back, regions, constants.int_constant(I64, self._count)])
        builder.ret()
        return function

    @property
    def _count(self) -> int:
        return 2 + len(self.outline.chosen.regions)

    def _open(self, function: Function, parameters: Sequence[Argument]) -> tuple[Builder, Value, Value]:
        """The context and the regions of a checkpoint, in memory."""
        function.blocks = [Block("entry", parent=function)]
        builder = Builder(function.entry)
        context = builder.alloca(self._context, align=16)
        for k, value in enumerate(parameters[: len(self._types)]):
            builder.store(value, builder.gep(self._context, context, [0, k]))
        regions = builder.alloca(ArrayType(self._count, REGION), align=16)
        primal = self._whole_primal(parameters)
        outline, layout = self.outline, self.outline.chosen.extents.alias.layout
        found: list[tuple[Value, Value]] = [
            (primal[k], constants.int_constant(I64, layout.size_of(struct.type)))
            for k, struct in enumerate((outline.floats, outline.integers))
        ]
        first = len(self.piece.arguments)
        for k, region in enumerate(outline.chosen.regions):
            base = primal[3 + outline.pointers.index(region.base)]
            low, size = primal[first + 2 * k], primal[first + 2 * k + 1]
            found.append((builder.gep(_BYTE, base, [low]), size))
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


_BYTE = IntType(8)


def _marker(module: Module, name: str) -> GlobalVariable:
    known = module.variables.get(name)
    if known is None:
        known = GlobalVariable(name, linkage="", value_type=I32, initializer=constants.int_constant(I32, 0))
        module.add(known)
    return known


def _moved(node: Metadata, own: Set[Block]) -> bool:
    if isinstance(node, ValueAsMetadata):
        return isinstance(node.value, Instruction) and node.value.parent not in own
    return isinstance(node, MDRecord) and any(_moved(a, own) for a in node.arguments if isinstance(a, Metadata))


def _is_apart(base: Value) -> bool:
    """Whether a parameter or a new block is memory of its own."""
    if isinstance(base, Argument):
        return "noalias" in base.attributes
    return isinstance(base, Call) and "noalias" in base.result_attributes
