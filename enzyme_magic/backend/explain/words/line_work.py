"""What clang wrote for each C line, before any optimization: for lines of which the optimizer has left no instruction.

`head = e;` is a copy between variables, which in SSA form is nothing at all; `double t = x*y;` may be gone because nothing reads t,
or because another line computes the same. The input IR has every line's work, with variables in memory.

Invariant: a store is dead only if no path from it leads to a read that anything needs (a backward dataflow over variables whose
address goes nowhere); two lines compute the same only if the operations are equal down to variables that are written in one place,
and stand in one loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from enzyme_magic.backend.explain.words.variables import is_constant
from enzyme_magic.backend.ir import intrinsics, locations
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loop, Loops, find
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Return,
    Store,
    Switch,
    Unary,
)
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, IntType
from enzyme_magic.backend.ir.values import Argument, Constant, Value

Key = tuple[object, ...]
_PURE = (Binary, Unary, Cast)


@dataclass(frozen=True, slots=True)
class Assigned:
    """A variable of a function that a line gives a value.

    copied: the text of the variable, the element, the call or the choice (`x > 3 ? 3 : x`) whose value that is; "" where it is
    computed. among: the variables that it is a copy of, or chosen from; none for an element or a call. dead: nothing reads it;
    only_decides: what it is read for is which branch is taken; idle: only that, and what is no derivative's way (whole numbers
    that are made of it). owner: the inlined function that it belongs to; "" for the function that is looked at."""

    name: str
    whole: bool = False  # a whole number
    constant: bool = False
    copied: str = ""
    among: tuple[str, ...] = ()
    dead: bool = False
    only_decides: bool = False
    idle: bool = False
    owner: str = ""


@dataclass(frozen=True, slots=True)
class LineWork:
    """assigned: "" as a name is the returned value. constants: it writes constants and does nothing else. calls: function and
    column, and the call's text. computes: floating operations; done_by: the line that computes the same as the last of them;
    results: the words of those that no other one on the line uses."""

    assigned: tuple[Assigned, ...] = ()
    constants: bool = False
    calls: tuple[tuple[tuple[str, int], str], ...] = ()
    computes: bool = False
    done_by: int | None = None
    results: tuple[str, ...] = ()
    foreign: bool = False

    def of_inlined(self, function: str) -> LineWork:
        """The work of an inlined function's line: its variables are none of the function's that is looked at."""
        return replace(self, foreign=True, assigned=tuple(replace(a, owner=function) for a in self.assigned))


@dataclass(slots=True, eq=False)
class LineWorks:
    """The work of each line of one function. name_of: the user's variable at an alloca; text_of: a call, a read or a choice in C;
    of a store where it writes.

    returns: what the function gives back may carry a derivative."""

    function: Function
    name_of: Callable[[Alloca], str | None]
    text_of: Callable[[Instruction], str]
    function_name: Callable[[Call], str]
    returns: bool = True
    users: Mapping[Value, list[Instruction]] = field(init=False)
    loops: Loops = field(init=False)
    locals: set[Alloca] = field(init=False)
    dead: set[Store] = field(init=False)
    deciding: set[Store] = field(init=False)
    idle: set[Store] = field(init=False)
    carrying: set[Instruction] = field(init=False)  # what something is computed from that may carry a derivative on

    def __post_init__(self) -> None:
        self.users = users(self.function)
        self.loops = find(self.function, DominatorTree.of(self.function))
        allocas = [i for i in self.function.instructions() if isinstance(i, Alloca)]
        self.locals = {a for a in allocas if all(_is_plain(user, a) for user in self.users.get(a, ()))}
        self.dead, _ = self._dead(_acts)
        chosen, _ = self._dead(lambda i: _acts(i) and not isinstance(i, (Branch, Switch)))
        idle, self.carrying = self._dead(self._hands_on, cut=_ends)
        self.deciding, self.idle = chosen - self.dead, idle - self.dead

    def carries(self, call: Call) -> bool:
        """Whether what a called function gives back may carry a derivative on."""
        return any(user in self.carrying for user in self.users.get(call, ()))

    def by_line(self) -> dict[int, LineWork]:
        lines: dict[int, list[Instruction]] = {}
        for instruction in self.function.instructions():
            line = locations.line_of(instruction)
            if line is not None and not _is_marker(instruction):
                lines.setdefault(line, []).append(instruction)
        computed: dict[Key, list[int]] = {}
        for line, inside in lines.items():
            for key in {self._key(i) for i in inside if _is_floating(i)}:
                computed.setdefault(key, []).append(line)
        return {line: self._work(line, inside, computed) for line, inside in lines.items()}

    def _work(self, line: int, inside: list[Instruction], computed: Mapping[Key, list[int]]) -> LineWork:
        stores = [i for i in inside if isinstance(i, Store)]
        assigned = [self._assigned(i) for i in stores]
        assigned += [self._returned(i.operands[0]) for i in inside if isinstance(i, Return) and i.operands]
        acting = [i for i in inside if _acts(i)]
        operations = [i for i in inside if _is_floating(i)]
        elsewhere = [n for n in computed.get(self._key(operations[-1]), ()) if n != line] if operations else []
        return LineWork(
            tuple(dict.fromkeys(found for found in assigned if found is not None)),
            bool(stores) and acting == stores and all(isinstance(store.value, Constant) for store in stores),
            tuple(
                ((self.function_name(i), locations.column_of(i)), self.text_of(i))
                for i in inside
                if isinstance(i, Call)
            ),
            bool(operations),
            elsewhere[0] if len(elsewhere) == 1 else None,
            self._results(inside),
        )

    def _results(self, inside: list[Instruction]) -> tuple[str, ...]:
        called = [i for i in inside if isinstance(i, Call) and isinstance(i.type.scalar, FloatType)]
        operations = dict.fromkeys([*filter(_is_floating, inside), *called])
        outer = [i for i in operations if not any(user in operations for user in self.users.get(i, ()))]
        return tuple(dict.fromkeys(map(self.text_of, outer)))

    def _assigned(self, store: Store) -> Assigned | None:
        pointer, value = store.pointer, store.value
        if isinstance(pointer, GetElementPtr) and isinstance(pointer.pointer, Alloca):
            return self._given(self.text_of(store), value)  # a member
        if not isinstance(pointer, Alloca) or pointer not in self.locals:
            return None
        name = "" if pointer.name == "retval" else self.name_of(pointer)
        if name is None:
            return None
        return replace(
            self._given(name, value),
            dead=store in self.dead,
            only_decides=store in self.deciding,
            idle=store in self.idle,
        )

    def _returned(self, value: Value) -> Assigned | None:
        found = replace(self._given("", value), idle=not self.returns)
        return found if found.copied else None

    def _given(self, name: str, value: Value) -> Assigned:
        """What a variable is given."""
        options = self._options(value)
        among = tuple(dict.fromkeys(filter(None, map(self._copied, options))))
        text = among[0] if options == [value] and among else ""
        if not text and (isinstance(value, (Load, Call)) or among):
            text = self.text_of(value)  # type: ignore[arg-type]
        return Assigned(name, isinstance(value.type, IntType), is_constant(value), text, among)

    def _options(self, value: Value) -> list[Value]:
        """The values that a choice chooses from: `c ? a : b` is a merge of both."""
        pending, found = [value], dict[Value, None]()
        seen: set[Value] = set()
        while pending:
            option = pending.pop()
            if isinstance(option, Phi) and option not in seen:
                seen.add(option)
                pending.extend(option.operands)
            elif not isinstance(option, Phi):
                found[option] = None
        return list(found)

    def _copied(self, value: Value) -> str | None:
        if isinstance(value, Argument):
            return value.name
        known = isinstance(value, Load) and isinstance(value.pointer, Alloca) and value.pointer in self.locals
        return self.name_of(value.pointer) if known else None  # type: ignore[attr-defined]

    # --- what nothing reads

    def _dead(
        self, acts: Callable[[Instruction], bool], cut: Callable[[Instruction], bool] = lambda _: False
    ) -> tuple[set[Store], set[Instruction]]:
        """Stores to variables that nothing needs which `acts`, and what is needed: a read counts only where something needs what
        was read. cut: what such an instruction is made of is not needed for its sake."""
        dead: set[Store] = set()
        while True:
            needed = self._needed(dead, acts, cut)
            more = self._unread(needed) - dead
            if not more:
                return dead, needed
            dead |= more

    def _needed(
        self, dead: Iterable[Store], acts: Callable[[Instruction], bool], cut: Callable[[Instruction], bool]
    ) -> set[Instruction]:
        """All that does something, and what that is computed from."""
        gone = set(dead)
        pending = [i for i in self.function.instructions() if acts(i) and i not in gone]
        found = set(pending)
        while pending:
            current = pending.pop()
            for operand in () if cut(current) else current.operands:
                if isinstance(operand, Instruction) and operand not in found:
                    found.add(operand)
                    pending.append(operand)
        return found

    def _hands_on(self, instruction: Instruction) -> bool:
        if isinstance(instruction, Return):
            return self.returns
        return _acts(instruction) and not isinstance(instruction, (Branch, Switch))

    def _unread(self, needed: set[Instruction]) -> set[Store]:
        live: dict[object, set[Alloca]] = {block: set() for block in self.function.blocks}
        changed = True
        while changed:
            changed = False
            for block in reversed(self.function.blocks):
                now = set().union(*(live[b] for b in block.successors))
                for instruction in reversed(block.instructions):
                    self._step(instruction, now, needed)
                if now != live[block]:
                    live[block], changed = now, True
        found: set[Store] = set()
        for block in self.function.blocks:
            now = set().union(*(live[b] for b in block.successors))
            for instruction in reversed(block.instructions):
                if isinstance(instruction, Store) and instruction.pointer in self.locals - now:
                    found.add(instruction)
                self._step(instruction, now, needed)
        return found

    def _step(self, instruction: Instruction, live: set[Alloca], needed: set[Instruction]) -> None:
        """What is live before an instruction, from what is live behind it."""
        if isinstance(instruction, Store) and isinstance(instruction.pointer, Alloca):
            live.discard(instruction.pointer)
        elif isinstance(instruction, Load) and instruction.pointer in self.locals and instruction in needed:
            live.add(instruction.pointer)

    # --- what is computed twice

    def _key(self, value: Value) -> Key:
        """Equal for values that are the same operations of the same numbers, within one iteration."""
        if isinstance(value, _PURE):
            keys = [self._key(o) for o in value.operands]
            both = (frozenset(Counter(keys).items()),) if value.opcode in ("fadd", "fmul") else keys
            return (value.opcode, str(value.type), self._loop(value), *both)
        if isinstance(value, Call) and _is_formula(value):
            return (value.callee, self._loop(value), *map(self._key, value.arguments))
        if isinstance(value, Load) and value.pointer in self.locals and self._is_written_once(value.pointer):
            return ("variable", value.pointer)
        return ("value", value)

    def _is_written_once(self, pointer: Value) -> bool:
        return sum(isinstance(user, Store) for user in self.users[pointer]) == 1

    def _loop(self, instruction: Instruction) -> Loop | None:
        return self.loops.of(instruction.parent) if instruction.parent is not None else None


def _is_plain(user: Instruction, pointer: Alloca) -> bool:
    """Whether a use only reads or writes the whole variable."""
    if isinstance(user, Load):
        return user.type == pointer.allocated_type
    if isinstance(user, Store):
        return user.pointer is pointer and user.value is not pointer and user.value.type == pointer.allocated_type
    return _is_marker(user)


def _is_marker(instruction: Instruction) -> bool:
    called = instruction.called_function if isinstance(instruction, Call) else None
    jump = isinstance(instruction, Branch) and not instruction.operands
    return jump or (called is not None and intrinsics.is_marker(called.name))


def _is_formula(call: Call) -> bool:
    """Whether a call only computes a number: an intrinsic of LLVM, as `sqrt` is one."""
    called = call.called_function
    numbers = all(isinstance(a.type, FloatType) for a in (call, *call.arguments))
    return called is not None and called.name.startswith("llvm.") and numbers


def _acts(instruction: Instruction) -> bool:
    return instruction.is_terminator or (isinstance(instruction, (Store, Call)) and not _is_marker(instruction))


def _ends(instruction: Instruction) -> bool:
    """Whether no derivative goes through an operation: a comparison, a whole number made of a floating one."""
    made_whole = isinstance(instruction, Cast) and instruction.opcode in ("fptosi", "fptoui")
    return made_whole or isinstance(instruction, Compare)


def _is_floating(instruction: Instruction) -> bool:
    return isinstance(instruction, (Binary, Unary)) and isinstance(instruction.type.scalar, FloatType)
