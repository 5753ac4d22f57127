"""Static variables that go with memory which a call allocates, moves or releases.

    if (n > capacity) { capacity = n; buffer = realloc(buffer, n * sizeof *buffer); }

`buffer` keeps C's new state after a derivative, because the old block is gone; `capacity` must then keep its own, too.

Companions of a block that a static pointer holds, as the least fixpoint:
- integers that are stored beside an allocation, made of what its size is made of;
- integers and pointers that decide whether the block is changed, and change with it;
- everything that is written where only such a companion decides whether: `if (!table) { table = make(); step = 0.1; }`.
A floating number that decides (`if (x != last_x)`) is no companion: put back, it makes the next call decide as this one did.

Invariant: byte ranges are exact where an address is a constant distance from a variable; otherwise the whole variable is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.ir.instructions import Alloca, Call, Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import FloatType, PointerType, Type
from enzyme_magic.backend.ir.values import Argument, Block, ConstantExpression, Value
from enzyme_magic.backend.program.program_module import ProgramModule

ALL = (0, -1)
Range = tuple[int, int]
Ranges = tuple[Range, ...]
Place = tuple[GlobalVariable, Range]


def companions(
    program: ProgramModule, function: Function, written: frozenset[GlobalVariable]
) -> dict[GlobalVariable, Ranges]:
    """The bytes of `written` that keep C's new state after a call of `function`."""
    search = _Search(program, written)
    search.gather(function)
    search.settle()
    kept: dict[GlobalVariable, list[Range]] = {}
    for variable, range_ in search.kept:
        kept.setdefault(variable, []).append(range_)
    return {variable: tuple(ranges) for variable, ranges in kept.items()}


@dataclass(slots=True, eq=False)
class _Body:
    """One function: what each of its branches decides, and where it changes blocks that statics hold."""

    function: Function
    decides: dict[Block, set[Block]]
    stores: dict[Block, list[tuple[Place, Store | Call]]]
    events: set[Block] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class _Search:
    program: ProgramModule
    written: frozenset[GlobalVariable]
    kept: set[Place] = field(default_factory=set)
    bodies: dict[Function, _Body] = field(default_factory=dict)
    sizes: list[tuple[Function, Block, Value]] = field(default_factory=list)
    handed_on: frozenset[Value] = frozenset()  # variables of which some function gets the address
    sources: dict[tuple[Function, Value], frozenset[Place]] = field(default_factory=dict)
    locals: dict[Function, dict[Value, list[Value]]] = field(default_factory=dict)

    @property
    def layout(self) -> DataLayout:
        return self.program.analyses.layout

    # --- what there is

    def gather(self, start: Function) -> None:
        """Every function that a call of `start` may run."""
        graph = self.program.analyses.effects.callgraph
        pending, seen = [start], {start: None}
        while pending:
            fresh = [f for f in graph.callees.get(pending.pop(), ()) if f not in seen]
            seen.update(dict.fromkeys(fresh))
            pending += fresh
        defined = [function for function in seen if function.blocks]
        self.handed_on = frozenset[Value]().union(*map(self.program.uses.given, defined))
        self.bodies = {function: self._body(function) for function in defined}
        self._spread_events()

    def _body(self, function: Function) -> _Body:
        body = _Body(function, self.program.uses.decisions(function), {})
        for block in function.blocks:
            for instruction in block.instructions:
                if isinstance(instruction, Store):
                    self._store(body, block, instruction)
                elif isinstance(instruction, Call):
                    self._call(body, block, instruction)
        return body

    def _store(self, body: _Body, block: Block, store: Store) -> None:
        size = self.layout.store_size(store.value.type)
        places = list(self._places(body.function, store.pointer, size))
        body.stores.setdefault(block, []).extend((place, store) for place in places)
        if isinstance(store.value.type, PointerType):
            self.kept.update(places)
            if places:
                body.events.add(block)

    def _call(self, body: _Body, block: Block, call: Call) -> None:
        effects = self.program.analyses.effects
        points_to = effects.points_to(body.function)
        summary = effects.call_in(call, points_to)
        names = summary.global_writes
        hit = [v for v in self.written if names is None or v.name in names]
        body.stores.setdefault(block, []).extend(((variable, ALL), call) for variable in hit)
        if summary.frees and any(not item.local for value in call.arguments for item in points_to.base_objects(value)):
            body.events.add(block)
        callee = call.called_function
        if summary.allocates and (callee is None or not callee.blocks):
            self.sizes += [(body.function, block, a) for a in call.arguments if not isinstance(a.type, PointerType)]

    def _spread_events(self) -> None:
        """A call of a function that changes such a block changes it, too, and so do the numbers it is given."""
        changed = True
        while changed:
            changed = False
            for body in self.bodies.values():
                for block in body.function.blocks:
                    for call in (i for i in block.instructions if isinstance(i, Call)):
                        inner = self.bodies.get(call.called_function) if call.called_function is not None else None
                        if inner is not None and inner.events and block not in body.events:
                            body.events.add(block)
                            self.sizes += [(body.function, block, a) for a in call.arguments]
                            changed = True

    # --- the fixpoint

    def settle(self) -> None:
        for function, block, value in self.sizes:
            self._sized(self.bodies[function], block, value)
        size = -1
        while size != len(self.kept):
            size = len(self.kept)
            for body in self.bodies.values():
                self._follow(body)

    def _sized(self, body: _Body, block: Block, size: Value) -> None:
        """`capacity = n` beside `malloc(n)`: it runs only where the allocation does."""
        made_of = {v for v in self._slice(body.function, size) if isinstance(v, (Argument, Instruction))}
        regions = [region for region in body.decides.values() if block in region]
        for home, stores in body.stores.items():
            if all(home in region for region in regions):
                for place, store in stores:
                    counts = isinstance(store, Store) and not isinstance(store.value.type.scalar, FloatType)
                    if counts and made_of & set(self._slice(body.function, store.operands[0])):
                        self.kept.add(place)

    def _follow(self, body: _Body) -> None:
        for branch, region in body.decides.items():
            read = self._sources(body.function, branch.terminator.operands[0])
            stored = [(place, store) for block in region for place, store in body.stores.get(block, ())]
            if region & body.events:
                places = [place for place, _ in stored]
                self.kept |= {p for p in read if not self._is_float(p) and any(_meet(p, q) for q in places)}
            if any(_meet(p, q) for p in read for q in self.kept):
                self.kept |= {place for place, _ in stored}

    def _is_float(self, place: Place) -> bool:
        variable, (start, _) = place
        type_: Type | None = variable.value_type
        if start == 0 and isinstance(type_, FloatType):
            return True
        return any(
            isinstance(store, Store) and other == place and isinstance(store.value.type.scalar, FloatType)
            for body in self.bodies.values()
            for found in body.stores.values()
            for other, store in found
        )

    # --- where values come from

    def _sources(self, function: Function, value: Value) -> frozenset[Place]:
        """The statics that a value is made of."""
        known = self.sources.get((function, value))
        if known is None:
            known = self.sources[function, value] = frozenset(self._read_for(function, value))
        return known

    def _read_for(self, function: Function, value: Value) -> set[Place]:
        effects = self.program.analyses.effects
        found: set[Place] = set()
        for item in self._slice(function, value):
            if isinstance(item, Load):
                found.update(self._places(function, item.pointer, self.layout.store_size(item.type)))
            elif isinstance(item, Call):
                names = effects.call(item).global_reads or frozenset()
                found.update((variable, ALL) for variable in self.written if variable.name in names)
        return found

    def _slice(self, function: Function, value: Value) -> list[Value]:
        """The values of the function that a value is made of, itself included, through its stack variables."""
        stored = self._stored(function)
        seen: dict[Value, None] = {value: None}
        pending = [value]
        while pending:
            item = pending.pop()
            if not isinstance(item, Instruction):
                continue
            operands: list[Value] = [] if isinstance(item, Load) else list(item.operands)
            if isinstance(item, Load):
                operands = stored.get(item.pointer, [])
            for operand in operands:
                if isinstance(operand, (Instruction, Argument)) and operand not in seen:
                    seen[operand] = None
                    pending.append(operand)
        return list(seen)

    def _stored(self, function: Function) -> dict[Value, list[Value]]:
        """What is stored in each stack variable."""
        known = self.locals.get(function)
        if known is None:
            known = self.locals[function] = {}
            for i in function.instructions():
                if isinstance(i, Store) and isinstance(i.pointer, Alloca):
                    known.setdefault(i.pointer, []).append(i.value)
        return known

    def _places(self, function: Function, pointer: Value, size: int) -> Iterator[Place]:
        """The bytes of the written statics that an access may touch."""
        base, offset = pointer, 0
        while (step := self.layout.constant_offset(base)) is not None:
            assert isinstance(base, (Instruction, ConstantExpression))
            base, offset = base.operands[0], offset + step
        if isinstance(base, GlobalVariable):
            if base in self.written:
                yield base, (offset, offset + size)
            return
        points_to = self.program.analyses.effects.points_to(function)
        objects = points_to.base_objects(pointer)
        if any(item.kind in ("argument", "reachable", "outside") for item in objects):
            yield from ((v, ALL) for v in self.written if self._may_hold_pointer(v) and v in self.handed_on)
        for item in objects:
            if isinstance(item.value, GlobalVariable) and item.value in self.written:
                yield item.value, ALL

    def _may_hold_pointer(self, variable: GlobalVariable) -> bool:
        return not isinstance(variable.value_type, FloatType)


def _meet(a: Place, b: Place) -> bool:
    if a[0] is not b[0]:
        return False
    return ALL in (a[1], b[1]) or (a[1][0] < b[1][1] and b[1][0] < a[1][1])
