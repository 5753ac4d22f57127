"""Integers that are loaded from storage of characters and only moved.

    char t = p[i]; p[i] = q[i]; q[i] = t;

Characters may be raw bytes of anything, so that such integers may be parts of numbers, whatever a declaration says. Who computes
with them treats them as the integers they are declared to be.

The greatest set of loads and merges that go nowhere but into stores, comparisons, numbers and members of the set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from enzyme_magic.backend.ir.instructions import Cast, Compare, Freeze, Instruction, Load, Phi, Select, Store
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import IntType, is_floating
from enzyme_magic.backend.ir.values import Value


def moved(function: Function, is_storage: Callable[[Load], bool]) -> frozenset[Value]:
    """`is_storage(load)`: whether it reads storage of characters."""
    users: dict[Value, list[Instruction]] = defaultdict(list)
    found: set[Value] = set()
    for i in function.instructions():
        for operand in i.operands:
            users[operand].append(i)
        if isinstance(i, (Load, Phi, Select, Freeze)) and isinstance(i.type, IntType) and i.type.bits % 8 == 0:
            found.add(i)
    while True:
        stays = {v for v in found if all(_moves(u, v) or u in found for u in users[v])}
        if len(stays) == len(found):
            break
        found = stays
    return _from_storage(found, users, is_storage)


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
