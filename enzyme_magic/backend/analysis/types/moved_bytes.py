"""Integers that are loaded from storage of characters and only moved; and pointers from memory in which numbers may lie.

    char t = p[i]; p[i] = q[i]; q[i] = t;

Characters may be raw bytes of anything, so that such integers may be parts of numbers, whatever a declaration says. Who computes
with them treats them as the integers they are declared to be.

The greatest set of loads and merges that go nowhere but into stores, comparisons, numbers and members of the set. Nobody follows
the pointers of such a set: they are moved as the bits they are. So are numbers of such a set, where they may be others (optimizers
move a union as its first member).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from enzyme_magic.backend.ir.graphs.callgraph import address_taken
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Call,
    Cast,
    Compare,
    ExtractElement,
    Freeze,
    GetElementPtr,
    InsertElement,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    ShuffleVector,
    Store,
)
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, is_floating
from enzyme_magic.backend.ir.values import ConstantKeyword, Value

MERGES = (Phi, Select, Freeze)
LANES = (ShuffleVector, ExtractElement, InsertElement)


def moved(function: Function, is_storage: Callable[[Load], bool]) -> frozenset[Value]:
    """`is_storage(load)`: whether it reads storage of characters."""
    users, found = _users(function), set[Value]()
    for i in function.instructions():
        if isinstance(i, (Load, *MERGES)) and isinstance(i.type, IntType) and i.type.bits % 8 == 0:
            found.add(i)
    return _from_storage(_closed(found, users, _moves), users, is_storage)


def moved_pointers(function: Function, is_suspect: Callable[[Load], bool]) -> frozenset[Value]:
    """Loads and merges of pointers, that may also be read as numbers. `is_suspect(load)`: whether numbers may lie where it loads
    from."""
    starts = [i for i in function.instructions() if isinstance(i, Load) and holds_pointers(i)]
    suspects = {i for i in starts if not (i.volatile or i.ordering) and is_suspect(i)}
    if not suspects:
        return frozenset()
    users, found = _users(function), set[Value](suspects)
    found |= {i for i in function.instructions() if isinstance(i, (*MERGES, *LANES)) and holds_pointers(i)}
    while True:
        stays = {v for v in _closed(found, users, lambda u, v: _stores(u, v) or _reads(u, users)) if _is_of(v, found)}
        if len(stays) == len(found):
            return _from_storage(found, users, lambda load: load in suspects)
        found = stays


def moved_numbers(function: Function, is_suspect: Callable[[Load], bool]) -> frozenset[Value]:
    """Loads and merges of numbers that go into stores only. `is_suspect(load)`: whether another number may lie there."""
    starts = [i for i in function.instructions() if isinstance(i, Load) and _has_marks(i)]
    suspects = {i for i in starts if not (i.volatile or i.ordering) and is_suspect(i)}
    if not suspects:
        return frozenset()
    users, found = _users(function), set[Value](suspects)
    found |= {i for i in function.instructions() if isinstance(i, MERGES) and _has_marks(i)}
    while True:
        closed = _closed(found, users, _stores)
        stays = {v for v in closed if isinstance(v, Load) or all(o in found or is_null(o) for o in _merged(v))}
        if len(stays) == len(found):
            return _from_storage(found, users, lambda load: load in suspects)
        found = stays


def _has_marks(value: Value) -> bool:
    return isinstance(value.type, FloatType) and value.type.kind in ("float", "double")


def _merged(merge: Value) -> Iterator[Value]:
    assert isinstance(merge, Instruction)
    return (o for o in merge.operands if isinstance(o.type, FloatType))


class Callers:
    """Where the functions of a module get their results: by name, since a copy of a function returns to where that does."""

    def __init__(self, module: Module) -> None:
        self._calls: dict[str, list[tuple[Function, Call]]] = defaultdict(list)
        self._others = {function.name for function in address_taken(module)}
        for caller in module.definitions():
            for i in caller.instructions():
                if isinstance(i, Call) and i.called_function is not None:
                    self._calls[i.called_function.name].append((caller, i))

    def of(self, function: Function) -> list[tuple[Function, Call]] | None:
        """None: not all are known."""
        return None if function.name in self._others else self._calls[function.name]


def pointers_as_bits(functions: Iterable[Function], callers: Callable[[], Callers]) -> list[Load]:
    """Loads of pointers whose bits are looked at: they go into integers that are more than compared, to callers or functions that
    do that, or to where it is not seen. So a number may go where nobody looks for one."""
    users: dict[Function, dict[Value, list[Instruction]]] = {}
    return [
        i
        for f in functions
        for i in f.instructions()
        if isinstance(i, Load) and isinstance(i.type, PointerType) and _bits_are_read(f, i, users, callers)
    ]


def _bits_are_read(
    function: Function,
    start: Value,
    known: dict[Function, dict[Value, list[Instruction]]],
    callers: Callable[[], Callers],
) -> bool:
    """known: the users of all values, by function."""
    pending, seen = [(function, start)], set[Value]()
    while pending:
        function, value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if function not in known:
            known[function] = _users(function)
        users = known[function]
        for user in users.get(value, ()):
            if _reads_bits(user, value, users):
                return True
            if isinstance(user, MERGES):
                pending.append((function, user))
            elif isinstance(user, Return):
                results = callers().of(function)
                if results is None:
                    return True
                pending += results
            elif isinstance(user, Call) and user.called_function is not None:
                callee = user.called_function
                passed = zip(user.arguments, callee.arguments if callee.blocks else (), strict=False)
                pending += [(callee, formal) for actual, formal in passed if actual is value]
    return False


def _reads_bits(user: Instruction, value: Value, users: dict[Value, list[Instruction]]) -> bool:
    if isinstance(user, Cast):
        return user.opcode != "addrspacecast" and not all(_takes_address(u, users) for u in users.get(user, ()))
    if isinstance(user, Call):
        return user.called_function is None and value in user.arguments
    return False


def _takes_address(user: Instruction, users: dict[Value, list[Instruction]]) -> bool:
    """Whether it compares, or is a difference of pointers, which lead into one array (C17 6.5.6), or of addresses by which a
    pointer is moved: no bits of a number."""
    if not isinstance(user, Binary) or user.opcode != "sub":
        return isinstance(user, Compare)
    pointers = all(isinstance(v, Cast) and is_reading(v) for v in user.operands)
    return pointers or all(isinstance(u, GetElementPtr) for u in users.get(user, ()))


def holds_pointers(value: Value) -> bool:
    """A pointer, or a vector of pointers."""
    return isinstance(value.type.scalar, PointerType)


def _is_of(value: Value, found: set[Value]) -> bool:
    """Whether a merge chooses among members and null."""
    assert isinstance(value, Instruction)
    merged = filter(holds_pointers, value.operands)
    return isinstance(value, Load) or all(v in found or is_null(v) for v in merged)


def is_null(value: Value) -> bool:
    """The null pointer, and what may be any."""
    return isinstance(value, ConstantKeyword)


def _users(function: Function) -> dict[Value, list[Instruction]]:
    users: dict[Value, list[Instruction]] = defaultdict(list)
    for i in function.instructions():
        for operand in i.operands:
            users[operand].append(i)
    return users


def _closed(
    found: set[Value], users: dict[Value, list[Instruction]], moves: Callable[[Instruction, Value], bool]
) -> set[Value]:
    """The members that go nowhere but into members, and where `moves(user, member)` lets them. A load follows what goes into it."""
    while True:
        stays = {v for v in found if all(moves(u, v) or (u in found and not isinstance(u, Load)) for u in users[v])}
        if len(stays) == len(found):
            return stays
        found = stays


def _reads(user: Instruction, users: dict[Value, list[Instruction]]) -> bool:
    """Whether the bits of a pointer become a number, or are moved as an integer."""
    return is_reading(user) and all(_moves(u, user) for u in users[user])


def is_reading(user: Instruction) -> bool:
    """Whether it makes an integer of all bits of a pointer."""
    return isinstance(user, Cast) and user.opcode in ("ptrtoint", "ptrtoaddr") and user.type == IntType(64)


def _stores(user: Instruction, value: Value) -> bool:
    return isinstance(user, Store) and user.value is value and not (user.volatile or user.ordering)


def _moves(user: Instruction, value: Value) -> bool:
    read = isinstance(user, Cast) and user.opcode == "bitcast" and is_floating(user.type)
    return read or isinstance(user, Compare) or (isinstance(user, Store) and user.value is value)


def _from_storage(
    found: set[Value], users: dict[Value, list[Instruction]], is_storage: Callable[[Load], bool]
) -> frozenset[Value]:
    pending: list[Value] = [v for v in found if isinstance(v, Load) and users[v] and is_storage(v)]
    reached: set[Value] = set()
    while pending:
        value = pending.pop()
        if value not in reached:
            reached.add(value)
            pending += [u for u in users[value] if u in found]
    return frozenset(reached)
