"""Pointer parameters that are addresses and nothing else: neither they nor their bits are put anywhere or computed with; or that
are followed as soon as the function begins, wherever they are put then. And integer parameters that say where something is or
which way to go, and nothing else: what is computed from them is an offset or is compared, and never put anywhere or converted.

    double first(const struct v *p) { return p->x[0]; }      /* p is an address */
    void note(struct v *p) { p->seen = 1; all[n++] = p; }      /* this one, too */
    double bits(void *p) { double d; memcpy(&d, &p, sizeof d); return d; }      /* this one may be a number */
    double item(const double *v, int row, int step) { return v[row*step]; }      /* row and step are places */
    double times(double v, int k) { return v*k; }      /* k is none: it becomes a number */

Who passes such an argument passes no number, whatever its memory holds: to follow the bits of one is undefined, and no derivative
goes by way of a place. The greatest fixpoint over the functions of a program; only variables that hold one value and are not shared
are looked into.
"""

from __future__ import annotations

from collections.abc import Iterator

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs import def_use
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Select,
    Store,
    Switch,
)
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import IntType, PointerType, Type
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.library.summary import argument

MERGES = (GetElementPtr, Phi, Select, Freeze)
Known = dict[str, frozenset[int]]
Users = dict[Value, list[Instruction]]


def address_parameters(module: Module, effects: Effects) -> Known:
    """The indices of such parameters, by the name of the function."""
    functions = [f for f in module.definitions() if not f.function_type.variadic]
    users = {f.name: def_use.users(f) for f in functions}
    known = {
        f.name: frozenset(k for k, a in enumerate(f.arguments) if isinstance(a.type, (PointerType, IntType)))
        for f in functions
    }
    followed = {f.name: _followed_at_once(f) for f in functions}
    before = -1
    while before != (before := sum(map(len, known.values()))):
        for f in functions:
            known[f.name] = frozenset(
                k
                for k in known[f.name]
                if k in followed[f.name] or _is_address(f.arguments[k], users[f.name], known, effects)
            )
    return known


def _followed_at_once(function: Function) -> frozenset[int]:
    """The parameters through which the first block reads or writes before it calls anything."""
    places: list[Value] = []
    for i in function.blocks[0].instructions:
        if isinstance(i, Call) and not intrinsics.is_marker(getattr(i.called_function, "name", "")):
            break
        if isinstance(i, (Load, Store)):
            places.append(_base(i.pointer))
    return frozenset(k for k, a in enumerate(function.arguments) if any(a is place for place in places))


def _base(place: Value) -> Value:
    while isinstance(place, GetElementPtr):
        place = place.pointer
    return place


def passed_as_addresses(call: Call, known: Known, effects: Effects) -> frozenset[int]:
    """The arguments of a call that are passed to such parameters, or to a function of a library that keeps none of them."""
    function = call.called_function
    if function is None:
        return frozenset()
    if not function.is_declaration:
        return known.get(function.name, frozenset())
    return frozenset(_let_go(call, function, effects))


def _let_go(call: Call, function: Function, effects: Effects) -> Iterator[int]:
    """The pointers of which a declared function keeps and gives back none, and calls nobody with them."""
    summary = effects.call(call)
    calls_back = bool(effects.summary(function).callbacks)
    for k, value in enumerate(call.arguments):
        place = argument(k)
        kept = (
            summary.opaque
            or calls_back
            or summary.captures_argument(k)
            or any(stored == place for _, stored in summary.stores)
        )
        if isinstance(value.type, PointerType) and not kept and place not in summary.returns:
            yield k


def _is_address(value: Value, users: Users, known: Known, effects: Effects) -> bool:
    pending, seen = [value], {value}
    while pending:
        one = pending.pop()
        for user in users.get(one, ()):
            follows = _follows(user, one, users, known, effects)
            if follows is None:
                return False
            pending += [v for v in follows if v not in seen]
            seen.update(follows)
    return True


def _follows(user: Instruction, value: Value, users: Users, known: Known, effects: Effects) -> list[Value] | None:
    """Where else the pointer, or what is computed from the integer, is after a use of it; None where its bits may be looked at."""
    if isinstance(user, (Load, Compare, Branch, Switch)):
        return []
    if isinstance(user, Store):
        return _loads(user.pointer, value.type, users) if user.value is value else []
    if isinstance(user, Call):
        return _after_call(user, value, known, effects)
    return _computed(user) if isinstance(value.type, IntType) else _moved(user, value)


def _after_call(call: Call, value: Value, known: Known, effects: Effects) -> list[Value] | None:
    if isinstance(value.type, PointerType) and intrinsics.transfer(call) is not None:
        return []
    if intrinsics.is_marker(getattr(call.called_function, "name", "")):
        return []
    passed = passed_as_addresses(call, known, effects)
    return [] if all(k in passed for k, v in enumerate(call.arguments) if v is value) else None


def _moved(user: Instruction, value: Value) -> list[Value] | None:
    """A pointer: address arithmetic and choices."""
    if not isinstance(user, MERGES) or (isinstance(user, GetElementPtr) and user.pointer is not value):
        return None
    return [user] if isinstance(user.type, PointerType) else None


def _computed(user: Instruction) -> list[Value] | None:
    """An integer: an offset, which ends it, or another integer."""
    if isinstance(user, GetElementPtr):
        return []
    if isinstance(user, (Binary, Cast, Phi, Select, Freeze)) and isinstance(user.type, IntType):
        return [user]
    return None


def _loads(place: Value, type_: Type, users: Users) -> list[Value] | None:
    """What is loaded from a variable that holds one value of a type, if nobody else knows it."""
    if not isinstance(place, Alloca) or place.allocated_type != type_:
        return None
    found = users.get(place, ())
    plain = all(
        (isinstance(u, Load) and u.type == type_) or (isinstance(u, Store) and u.value is not place) for u in found
    )
    return [u for u in found if isinstance(u, Load)] if plain else None
