"""Which memory for what is passed (in_memory.py) may have addresses in it: some function puts one there, or takes one.

    v = f(x);  g(v);  h(c ? v : w)      what f returns, what g and h are given and w are one class

Invariant: the classes of a union-find over the slots and parameters of a module, joined by calls and by what is moved from one to
another, also by merges. A class in which nobody makes an address of an integer, or an integer of one, has none that is followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from enzyme_magic.backend.ir.instructions import Call, Cast, GetElementPtr, Instruction, Load, Phi, Select, Store
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.values import Value


def with_addresses(module: Module, slots: AbstractSet[Value]) -> set[Value]:
    """Those of `slots`, memory in which something is passed, of whose class some may be addresses."""
    parent: dict[Value, Value] = {slot: slot for slot in slots}
    marked: set[Value] = set()
    for function in module.definitions():
        for i in function.instructions():
            for one, other in _moves(i, slots):
                parent[_root(parent, one)] = _root(parent, other)
            marked |= {slot for slot in _followed(i, slots) if slot in slots}
    roots = {_root(parent, slot) for slot in marked}
    return {slot for slot in slots if _root(parent, slot) in roots}


def base(pointer: Value) -> Value:
    while isinstance(pointer, GetElementPtr):
        pointer = pointer.operands[0]
    return pointer


def _root(parent: dict[Value, Value], slot: Value) -> Value:
    while parent[slot] is not slot:
        parent[slot] = slot = parent[parent[slot]]
    return slot


def _moves(i: Instruction, slots: AbstractSet[Value]) -> Iterator[tuple[Value, Value]]:
    """Pairs of slots that an instruction makes one of."""
    if isinstance(i, Call) and i.called_function is not None:
        pairs = zip(i.arguments, i.called_function.arguments, strict=False)
        yield from ((base(actual), formal) for actual, formal in pairs if formal in slots and base(actual) in slots)
    elif isinstance(i, Store) and base(i.pointer) in slots:
        loads = (v for v in _leaves(i.value) if isinstance(v, Load) and base(v.pointer) in slots)
        yield from ((base(load.pointer), base(i.pointer)) for load in loads)


def _followed(i: Instruction, slots: AbstractSet[Value]) -> Iterator[Value]:
    """Where an instruction puts an address, or takes one from."""
    if isinstance(i, Store) and base(i.pointer) in slots:
        if any(isinstance(v, Cast) and v.opcode == "ptrtoint" for v in _leaves(i.value)):
            yield base(i.pointer)
    elif isinstance(i, Cast) and i.opcode == "inttoptr":
        yield from (base(v.pointer) for v in _leaves(i.operands[0]) if isinstance(v, Load))


def _leaves(value: Value) -> Iterator[Value]:
    """What merges choose from, in the end."""
    seen: set[Value] = set()
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, (Phi, Select)) and one not in seen:
            seen.add(one)
            pending += one.operands if isinstance(one, Phi) else one.operands[1:]
        elif one not in seen:
            yield one
