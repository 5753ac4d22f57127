"""Which bytes of which declared C parameter a parameter of the lowered function carries.

On x86-64 and AArch64 a front end passes small structs in registers: eight bytes each, as integers, floating numbers or vectors,
one LLVM parameter per register. The debug information still lists the C parameters. Both lists are walked side by side, and
an answer is given only where they match to the end, byte for byte: a parameter that an optimizer removed, added or
replaced leaves a remainder somewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from enzyme_magic.backend.analysis.types.layouts import Layout, float_layout, scalar
from enzyme_magic.backend.analysis.types.type_facts import DECLARED, OWN, TypeFact
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, PADDING, POINTER, UNKNOWN
from enzyme_magic.backend.analysis.types.windows import EVERYWHERE, Window
from enzyme_magic.backend.ir.instructions import Call, Instruction, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, PointerType, Type
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.backend.prepare.bits import in_memory

REGISTER = 8  # bytes
BY_ADDRESS = ("byval", "sret")
_DOUBLE = float_layout("double")


def coerced(
    arguments: Sequence[Argument], declared: Sequence[Layout | None], sizes: DataLayout
) -> list[tuple[Argument, Layout, int]]:
    """(lowered parameter, layout of the C parameter, byte offset there), for those that hold a part or the whole of a C parameter
    in registers; empty unless all of them match."""
    found: list[tuple[Argument, Layout, int]] = []
    left = [a for a in arguments if "sret" not in a.attributes]
    for layout in declared:
        if layout is None:
            return []
        taken = _taken(left, layout, sizes)
        if taken is None:
            return []
        if not (len(taken) == 1 and any(word in taken[0].attributes for word in BY_ADDRESS)):
            found += [(argument, layout, k * REGISTER) for k, argument in enumerate(taken)]
        left = left[len(taken) :]
    return [] if left else found


def _taken(left: list[Argument], layout: Layout, sizes: DataLayout) -> list[Argument] | None:
    """The parameters at the front of `left` that hold one C parameter together."""
    if left and any(word in left[0].attributes for word in BY_ADDRESS):
        return left[:1]
    count = max(1, -(-layout.size // REGISTER)) if layout.size <= 2 * REGISTER else 1
    for number in dict.fromkeys((1, count)):
        taken = left[:number]
        if len(taken) == number and _fills(taken, layout, sizes):
            return taken
    return None


def fills(size: int, layout: Layout) -> bool:
    """Whether `size` bytes hold all of an object but padding at its end."""
    return size <= layout.size and all(_unused(layout, byte) for byte in range(size, layout.size))


def _fills(taken: list[Argument], layout: Layout, sizes: DataLayout) -> bool:
    ends = [k * REGISTER + sizes.store_size(argument.type) for k, argument in enumerate(taken)]
    full = all(end == (k + 1) * REGISTER for k, end in enumerate(ends[:-1]))
    return full and fills(ends[-1], layout) and all(_agrees(a.type, layout, k) for k, a in enumerate(taken))


def _unused(layout: Layout, byte: int) -> bool:
    found = layout.leaf_at(byte)
    return found is None or found[1].concrete == PADDING


def _agrees(type_: Type, layout: Layout, register: int) -> bool:
    """Floating registers hold floating numbers, pointers one pointer; an integer register anything."""
    found = layout.leaf_at(register * REGISTER)
    if found is None:
        return False
    start, leaf = found
    if isinstance(type_, PointerType) or leaf.concrete == POINTER:
        return isinstance(type_, PointerType) == (leaf.concrete == POINTER) and start == register * REGISTER
    return leaf.concrete.is_float or not isinstance(type_.scalar, FloatType)


def has_several(layout: Layout | None) -> bool:
    """Whether an object that fits into registers has bytes that may be of several types."""
    if layout is None or layout.size > 2 * REGISTER:
        return False
    found = [layout.leaf_at(k) for k in range(layout.size)]
    return any(leaf is not None and leaf[1].concrete == UNKNOWN for leaf in found)


def is_as_declared(argument: Argument) -> bool:
    """Whether a parameter is the one of C: an optimizer passes what lies behind a pointer instead of it (`p.8.val`)."""
    return "." not in argument.name or ".coerce" in argument.name


def register_facts(
    arguments: Sequence[Argument],
    layouts: Sequence[Layout | None],
    sizes: DataLayout,
    pointee: Callable[[object], Layout | None],
) -> Iterator[tuple[Argument, TypeFact]]:
    """What is said of the bits of parameters that are parts of structs, or of the memory behind those that are pointers."""
    for argument, layout, offset in coerced(arguments, layouts, sizes):
        reason = f"parameter {argument.name} is part of a {layout.name}"
        if not isinstance(argument.type, PointerType):
            yield argument, TypeFact(layout, -offset, 0, Window(0, layout.size - offset), DECLARED, OWN, reason)
            continue
        leaf = layout.leaf_at(offset)
        target = pointee(leaf[1].target) if leaf is not None else None
        if target is not None:
            yield argument, TypeFact(target, 0, 0, EVERYWHERE, DECLARED, OWN, reason)


@cache
def _word(size: int, pointer: bool) -> Layout:
    """One object for each, so that equal evidence is known to be equal."""
    return scalar(POINTER if pointer else INTEGER, size)


def passed_facts(argument: Argument) -> Iterator[TypeFact]:
    """What is said of memory in which integers are passed that may be numbers: only the run knows. Two numbers contradict each
    other also where no integer is believed to be one."""
    for at, size, pointer in in_memory.unknown_parts(argument):
        others = [("a pointer" if pointer else "an integer", _word(size, pointer), at)]
        others += [("a double", _DOUBLE, at), ("the second half of a double", _DOUBLE, at - 4)]
        for what, layout, shift in others:
            reason = f"{what} may be passed as {argument.name}"
            yield TypeFact(layout, shift, 0, Window(at, at + size), DECLARED, OWN, reason, cut="store")


def facts_of_passed(call: Call, callee: Function) -> Iterator[tuple[Value, TypeFact]]:
    """Neither the memory in which a call passes something nor what it stores there is known better than what the function takes."""
    passed = [
        (a, f) for a, f in zip(call.arguments, callee.arguments, strict=False) if in_memory.IN_MEMORY in f.attributes
    ]
    stores = [i for i in call.parent.instructions if isinstance(i, Store)] if passed and call.parent is not None else []
    for actual, formal in passed:
        yield from ((actual, fact) for fact in passed_facts(formal))
        for store in stores:
            if store.pointer is actual and isinstance(store.value, (Instruction, Argument)):
                yield from ((store.value, fact) for fact in passed_facts(formal))
