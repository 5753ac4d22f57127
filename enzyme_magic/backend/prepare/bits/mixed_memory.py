"""Registers that hold a number or a pointer become memory, in which either is what it is.

    %v = load double, ptr %a             copies eight bytes from %a to memory of its own
    %w = phi double [ %v ], [ %x ]       is memory, too: at the end of each way to it %v's is copied there, or %x stored
    store %w, ptr %r                     copies it to %r;  a cast of %w, or a use, loads what it wants

Which registers these are is decided in analysis/derivatives/mixed_registers.py. A copy moves numbers with their adjoints and
pointers with their shadows; of a register neither is known.

Invariant: exact. A value's memory is written where the value is made, and only there: who uses the value is reached from the last
time that it was made. Ways to a block with such phis have blocks of their own. Phis of one block change together: their values are
put aside first.
"""

from __future__ import annotations

from collections.abc import Collection

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs import cfg, loops
from enzyme_magic.backend.ir.graphs.def_use import map_operands, replace_uses, users
from enzyme_magic.backend.ir.graphs.loops import Loops
from enzyme_magic.backend.ir.instructions import Cast, Instruction, Load, Phi, Select, Store
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import DOUBLE, I1, I8, I64, POINTER, VOID, ArrayType, FunctionType
from enzyme_magic.backend.ir.values import Block, Value

_COPY = "llvm.memcpy.p0.p0.i64"
_COPY_TYPE = FunctionType(VOID, (POINTER, POINTER, I64, I1))
_SIZE, _ALIGN = 8, 8
_WORDS = (DOUBLE, I64, POINTER)
_KEEP_BITS = ("bitcast", "ptrtoint", "inttoptr")


def origin(value: Value) -> Value:
    """What has the bits of `value`, before casts that keep them."""
    while isinstance(value, Cast) and value.opcode in _KEEP_BITS and is_word(value) and is_word(value.operands[0]):
        value = value.operands[0]
    return value


def before_loops(user: Instruction, value: Instruction, around: Loops) -> Instruction:
    """The instruction before which a user of `value` can have what it needs of it: the user, or what is before the loops around it
    in which `value` is not made."""
    loop = around.of(user.parent)
    while loop is not None and value.parent not in loop.blocks and loop.preheader is not None:
        user, loop = loop.preheader.instructions[-1], loop.parent
    return user


def is_word(value: Value) -> bool:
    """Whether it is as large as a pointer, and may be a number, an integer or a pointer."""
    return value.type in _WORDS


def to_memory(module: Module, function: Function, chosen: Collection[Instruction]) -> None:
    """In place. chosen: loads, phis, selects and freezes of one word, and stores that get another type."""
    for store in (i for i in chosen if isinstance(i, Store)):
        store.operands[0] = origin(store.value)
        store.metadata = {kind: node for kind, node in store.metadata.items() if kind != "tbaa"}
    members = [i for i in chosen if not isinstance(i, Store)]
    entry = Builder(function.entry, function.entry.instructions[0])
    memory: dict[Value, Value] = {
        m: entry.alloca(ArrayType(_SIZE, I8), align=_ALIGN, name=f"{m.name}.word") for m in members
    }
    rewriting = _Rewriting(module, function, memory, entry)
    for member in members:
        rewriting.use(member)
    rewriting.make(members)
    _drop_unused(function)


class _Rewriting:
    """memory: of each member."""

    def __init__(
        self,
        module: Module,
        function: Function,
        memory: dict[Value, Value],
        entry: Builder,
    ) -> None:
        self.module, self.function, self.memory, self.entry = module, function, memory, entry
        self.used, self.loops = users(function), loops.find(function)
        self.gone: set[Value] = {*memory}

    # --- uses

    def use(self, value: Instruction, member: Instruction | None = None) -> None:
        """Who uses `value`, which has the bits of `member`, reads its memory."""
        member = member or value
        memory = self.memory[member]
        for user in dict.fromkeys(self.used.get(value, ())):
            if user in self.memory:
                continue
            if isinstance(user, Cast) and origin(user) is not user:
                self.use(user, member)
                self.gone.add(user)
            elif isinstance(user, Store) and user.value is value and not (user.volatile or user.ordering):
                builder = _at(user)
                self._copy(builder, self._address(builder, user.pointer), memory)
                self.gone.add(user)
            elif isinstance(user, Phi):
                _read_on_the_ways(user, value, memory)
            else:
                place = before_loops(user, member, self.loops)
                map_operands(user, {value: _at(place).load(value.type, memory, align=_ALIGN)})

    # --- members

    def make(self, members: Collection[Instruction]) -> None:
        """Write the memory of each where it is made; the members go."""
        blocks: dict[Block, list[Phi]] = {}
        for member in members:
            builder = _at(member)
            if isinstance(member, Load):
                self._copy(builder, self.memory[member], self._address(builder, member.pointer))
            elif isinstance(member, Phi):
                assert member.parent is not None
                blocks.setdefault(member.parent, []).append(member)
            elif isinstance(member, Select):
                condition, *arms = member.operands
                one, other = (self._place(builder, arm) for arm in arms)
                self._copy(builder, self.memory[member], builder.select(condition, one, other))
            else:
                self._write(builder, member.operands[0], self.memory[member])
        for block, phis in blocks.items():
            self._write_ways(block, phis)
        for block in self.function.blocks:
            block.instructions[:] = [i for i in block.instructions if i not in self.gone]
        unknown = {i: constants.poison(i.type) for i in self.gone if i.type != VOID}
        replace_uses(self.function, unknown)  # in debug records

    def _write_ways(self, block: Block, phis: list[Phi]) -> None:
        for source in list(dict.fromkeys(phis[0].blocks)):
            if source.instructions[-1].successors != [block]:
                cfg.split_edge(source, block)
        aside = {phi: self._own(f"{phi.name}.next") for phi in phis} if len(phis) > 1 else {}
        for source in phis[0].blocks:
            builder = _at(source.instructions[-1])
            for phi in phis:
                self._write(builder, phi.value_from(source), aside.get(phi, self.memory[phi]))
            for phi, memory in aside.items():
                self._copy(builder, self.memory[phi], memory)

    def _own(self, name: str) -> Value:
        return self.entry.alloca(ArrayType(_SIZE, I8), align=_ALIGN, name=name)

    def _place(self, builder: Builder, value: Value) -> Value:
        """Memory in which `value` lies."""
        known = self.memory.get(origin(value))
        if known is not None:
            return known
        made = self._own("arm.word")
        self._write(builder, value, made)
        return made

    def _write(self, builder: Builder, value: Value, memory: Value) -> None:
        """Put `value` into memory as what it is."""
        value = origin(value)
        if value in self.memory:
            self._copy(builder, memory, self.memory[value])
        else:
            builder.store(value, memory, align=_ALIGN)

    def _address(self, builder: Builder, pointer: Value) -> Value:
        memory = self.memory.get(origin(pointer))
        return pointer if memory is None else builder.load(POINTER, memory, align=_ALIGN)

    def _copy(self, builder: Builder, target: Value, source: Value) -> None:
        size = constants.int_constant(I64, _SIZE)
        builder.call(self.module.declared(_COPY, _COPY_TYPE), [target, source, size, constants.FALSE])


def _drop_unused(function: Function) -> None:
    """Casts that are not needed any more."""
    while True:
        used = {operand for i in function.instructions() for operand in i.operands}
        gone = {i for i in function.instructions() if isinstance(i, Cast) and i not in used and origin(i) is not i}
        if not gone:
            return
        for block in function.blocks:
            block.instructions[:] = [i for i in block.instructions if i not in gone]
        replace_uses(function, {i: constants.poison(i.type) for i in gone})  # in debug records


def _read_on_the_ways(user: Phi, value: Value, memory: Value) -> None:
    loads: dict[Block, Value] = {}
    for k, source in enumerate(user.blocks):
        if user.operands[k] is value:
            if source not in loads:
                loads[source] = _at(source.instructions[-1]).load(value.type, memory, align=_ALIGN)
            user.operands[k] = loads[source]


def _at(i: Instruction) -> Builder:
    assert i.parent is not None
    builder = Builder(i.parent, i)
    builder.debug_location = i.metadata.get("dbg")
    return builder
