"""How an object is laid out in bytes: leaves at offsets, arrays as one part with a count.

Invariant: the parts of a layout do not overlap and are sorted; together with padding leaves they cover [0, size). A
pointer to a layout may point to an array of them, so positions are taken modulo `size`. Pointees are names of other
layouts, resolved by whoever made them: a struct may point to itself.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from math import gcd

from enzyme_magic.backend.analysis.memory import tbaa
from enzyme_magic.backend.analysis.types.type_tree import (
    ANYTHING,
    BYTES,
    COMPUTED,
    INTEGER,
    PADDING,
    POINTER,
    UNKNOWN,
    Concrete,
    floating,
)
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.types import (
    ArrayType,
    FloatType,
    IntType,
    NamedType,
    PointerType,
    StructType,
    Type,
    VectorType,
    VoidType,
)


@dataclass(frozen=True, slots=True, eq=False)
class LayoutLeaf:
    """`weak`: storage of plain characters, which may be raw bytes of anything. `target`: opaque handle of the pointee's type.
    `among`: what the members of a union say that it is, where they disagree."""

    concrete: Concrete
    size: int
    weak: bool = False
    target: object = None
    among: frozenset[Concrete] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """`count` items from `offset` on, one behind the other."""

    offset: int
    count: int
    item: LayoutLeaf | Layout

    @property
    def end(self) -> int:
        return self.offset + self.count * self.item.size


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """`tail`: (offset, item) of a flexible array; such an object does not repeat, its tail does. `goes_on`: the last member is an
    array of one item, which C programs continue behind the object."""

    name: str
    size: int
    parts: tuple[Part, ...]
    starts: tuple[int, ...]
    tail: tuple[int, Layout] | None = None
    floats: bool = False  # whether any leaf is floating
    plain: bool = False  # whether no leaf is floating or a pointer
    goes_on: bool = False
    _near: dict[tuple[int, int], tuple[int, LayoutLeaf] | None] = field(default_factory=dict, init=False, repr=False)

    def leaf_at(self, position: int) -> tuple[int, LayoutLeaf] | None:
        """(start of the leaf, leaf) that covers byte `position`; beyond the end, the object (or its tail) repeats."""
        if self.tail is not None and position >= self.tail[0]:
            found = self.tail[1].leaf_at(position - self.tail[0])
            return (found[0] + self.tail[0], found[1]) if found is not None else None
        if not self.size:
            return None
        whole, position = divmod(position, self.size)
        base = whole * self.size
        layout: Layout = self
        while True:
            number = bisect_right(layout.starts, position) - 1
            if number < 0 or position >= layout.parts[number].end:
                return None
            part = layout.parts[number]
            inside = (position - part.offset) // part.item.size * part.item.size
            base += part.offset + inside
            if isinstance(part.item, LayoutLeaf):
                return base, part.item
            position -= part.offset + inside
            layout = part.item

    @property
    def unit(self) -> int:
        """Bytes after which the layout repeats inside of itself: the size of an array's item."""
        layout = self
        while len(layout.parts) == 1 and layout.parts[0].end == layout.size:
            item = layout.parts[0].item
            if isinstance(item, LayoutLeaf):
                return item.size
            layout = item
        return layout.size

    @property
    def only_leaf(self) -> LayoutLeaf | None:
        """What a scalar is, or the items of an array; None for a struct, also one with a single member."""
        if len(self.parts) != 1 or self.tail is not None:
            return None
        part = self.parts[0]
        if isinstance(part.item, LayoutLeaf):
            return part.item
        return part.item.only_leaf if part.count > 1 else None

    @property
    def last(self) -> int:
        """Where the last member begins: behind it is padding at most."""
        paddings = (part for part in self.parts if isinstance(part.item, LayoutLeaf) and part.item.concrete == PADDING)
        skipped = {part.offset for part in paddings}
        return max((part.offset for part in self.parts if part.offset not in skipped), default=0)

    def leaf_near(self, position: int, modulus: int) -> tuple[int, LayoutLeaf] | None:
        """Like `leaf_at` for a position known modulo `modulus` only (0: exactly).

        There is an answer when all positions it may be agree. Failing that, the position itself (the index being 0) is
        believed when it is a floating value and the others are the same kind, integers or padding: the mistake that would lose
        a derivative is then impossible.
        """
        step = gcd(modulus, self.size) if self.tail is None else modulus
        if modulus == 0 or (self.size and step == self.size and self.tail is None):
            return self.leaf_at(position)
        key = position, step
        if key not in self._near:
            self._near[key] = self._leaf_near(position, step)
        return self._near[key]

    def _leaf_near(self, position: int, step: int) -> tuple[int, LayoutLeaf] | None:
        here = self.leaf_at(position)
        if here is None or not self.size:
            return None
        start, leaf = here
        others = [(inside, other) for inside, other in self.candidates(position, step) if not same(other, leaf)]
        moved = any(
            inside != position - start for inside, other in self.candidates(position, step) if same(other, leaf)
        )
        if moved or any(other.concrete.is_float or other.concrete not in _HARMLESS for _, other in others):
            return None
        return here if not others or leaf.concrete.is_float else None

    def strides(self, position: int) -> tuple[int, ...]:
        """The distances between the items of all arrays of the layout that the leaf at a position lies in, the array of such
        objects first. An array of one item counts as the beginning of a longer one, which the layout does not describe."""
        found = [self.size]
        layout: Layout = self
        position %= self.size
        while True:
            part = layout.parts[bisect_right(layout.starts, position) - 1]
            if part.count > 1:
                found.append(part.item.size)
            if isinstance(part.item, LayoutLeaf):
                return tuple(found)
            position = (position - part.offset) % part.item.size
            layout = part.item

    def row_at(self, position: int) -> int:
        """How many bytes of whole integers lie in a row in one object, at and around a position: that much room for a number."""
        found = self.leaf_at(position) if 0 <= position < self.size else None
        if found is None or found[1].concrete != INTEGER or found[1].weak:
            return 0
        low, high = found[0], found[0] + found[1].size
        while high - low < MOST_ROOM and self._is_integer(high):
            high += 1
        while high - low < MOST_ROOM and self._is_integer(low - 1):
            low -= 1
        return high - low

    def _is_integer(self, position: int) -> bool:
        found = self.leaf_at(position) if 0 <= position < self.size else None
        return found is not None and found[1].concrete == INTEGER and not found[1].weak

    def begun_at(self, position: int) -> LayoutLeaf | Layout | Part:
        """The largest thing that begins at a position inside of the object: the object, an array, a struct in it."""
        thing: LayoutLeaf | Layout | Part = self
        while position and isinstance(thing, Layout):
            part = thing.parts[bisect_right(thing.starts, position) - 1]
            if position == part.offset:
                return part
            position, thing = (position - part.offset) % part.item.size, part.item
        return thing

    def member(self, position: int, like: Layout) -> tuple[int, int] | None:
        """The bytes [start, end) of a member at `position` that is such an object, or an array of them; None where there is none,
        or where it is the whole."""
        layout, base = self, 0
        while 0 <= position < layout.size:
            number = bisect_right(layout.starts, position) - 1
            part = layout.parts[number] if number >= 0 else None
            if part is None or position >= part.end:
                return None
            start, end = base + part.offset, base + part.end
            base = start + (position - part.offset) // part.item.size * part.item.size
            position = (position - part.offset) % part.item.size
            if position == 0 and _alike(part.item, like):
                return start, end
            if isinstance(part.item, LayoutLeaf):
                return None
            layout = part.item
        return None

    def candidates(self, position: int, step: int) -> list[tuple[int, LayoutLeaf]]:
        """Every (distance from the leaf's start, leaf) that a position equal to `position` modulo `step` can hit."""
        found: list[tuple[int, LayoutLeaf]] = []
        pending = [(0, self)]
        if self.tail is not None:
            pending.append(self.tail)
        while pending:
            base, layout = pending.pop()
            for part in layout.parts:
                size = part.item.size
                distinct = min(part.count, step // gcd(size, step)) if size else 0
                for k in range(distinct):
                    start = base + part.offset + k * size
                    if isinstance(part.item, Layout):
                        pending.append((start, part.item))
                    else:
                        found += [(d, part.item) for d in range((position - start) % step, size, step)]
        return found


MOST_ROOM = 16  # bytes: that of a long double
_HARMLESS = _PLAIN = (INTEGER, PADDING)


def same(a: LayoutLeaf, b: LayoutLeaf) -> bool:
    """Whether two leaves hold the same kind of value."""
    return a.concrete == b.concrete and a.size == b.size


def _alike(a: LayoutLeaf | Layout, b: LayoutLeaf | Layout) -> bool:
    """Whether two objects hold the same kinds of values at the same places. What their pointers point to is not asked."""
    if isinstance(b, Layout) and isinstance(a, LayoutLeaf):
        return len(b.parts) == 1 and b.parts[0].count == 1 and b.tail is None and _alike(a, b.parts[0].item)
    if isinstance(a, LayoutLeaf) or isinstance(b, LayoutLeaf):
        return isinstance(a, LayoutLeaf) and isinstance(b, LayoutLeaf) and same(a, b)
    parts = zip(a.parts, b.parts, strict=False)
    return (a.size, len(a.parts), a.tail) == (b.size, len(b.parts), b.tail) and all(
        (one.offset, one.count) == (other.offset, other.count) and _alike(one.item, other.item) for one, other in parts
    )


def scalar(concrete: Concrete, size: int, *, weak: bool = False, target: object = None, name: str = "") -> Layout:
    """One leaf (and an array of them, when repeated)."""
    leaf = LayoutLeaf(concrete, size, weak, target)
    return Layout(name or str(concrete), size, (Part(0, 1, leaf),), (0,), None, concrete.is_float, concrete in _PLAIN)


BLANK = scalar(ANYTHING, 1, name="constant bits")
MANGLED = replace(scalar(COMPUTED, 1, name="computed bits"), floats=True)  # whoever loses sight of it may miss a number


def float_layout(kind: str, size: int | None = None) -> Layout:
    """One floating value in `size` bytes of storage; an x86_fp80 has 10 of 16."""
    bytes_ = BYTES[kind]
    return record(kind, size or bytes_, [Part(0, 1, LayoutLeaf(floating(kind), bytes_))])


def array(item: Layout, count: int) -> Layout:
    """`count` items in a row."""
    return Layout(
        f"{item.name}[{count}]", item.size * count, (Part(0, count, item),), (0,), None, item.floats, item.plain
    )


def record(
    name: str, size: int, parts: list[Part], tail: tuple[int, Layout] | None = None, *, goes_on: bool = False
) -> Layout:
    """A layout of the given parts, sorted, with the gaps filled by padding."""
    filled: list[Part] = []
    end = 0
    for part in sorted(parts, key=lambda p: p.offset):
        if part.offset > end:
            filled.append(_padding(end, part.offset))
        filled.append(part)
        end = part.end
    if end < size:
        filled.append(_padding(end, size))
    floats = any(_floats(part.item) for part in filled) or (tail is not None and tail[1].floats)
    plain = all(_plain(part.item) for part in filled) and (tail is None or tail[1].plain)
    return Layout(name, size, tuple(filled), tuple(p.offset for p in filled), tail, floats, plain, goes_on)


def _plain(item: LayoutLeaf | Layout) -> bool:
    return item.plain if isinstance(item, Layout) else item.concrete in _PLAIN


def _floats(item: LayoutLeaf | Layout) -> bool:
    return item.floats if isinstance(item, Layout) else item.concrete.is_float


def _padding(start: int, end: int) -> Part:
    return Part(start, 1, LayoutLeaf(PADDING, end - start))


def described_layout(text: str) -> Layout:
    """The layout of an object as `runtime_calls.described` says it; integers may hold something else."""
    size, several, parts = text.partition(": ")
    if not several:
        return float_layout(text)
    found = []
    for part in parts.split(", "):
        offset, _, kind = part.partition(" ")
        if kind in BYTES:
            item = float_layout(kind)
        elif kind == "ptr":
            item = scalar(POINTER, 8)
        else:
            item = scalar(INTEGER, -(-int(kind.removeprefix("i")) // 8), weak=True)
        found.append(Part(int(offset), 1, item))
    return record(text, int(size), found)


def llvm_layout(type_: Type, sizes: DataLayout, *, trusted: bool) -> Layout | None:
    """The layout an LLVM type suggests: floats and pointers for sure, integers only if `trusted`. Opaque structs suggest none. Of a
    union clang writes one member: what it holds is not known."""
    if not sizes.is_sized(type_):
        return None
    if _is_union(type_):
        return array(scalar(UNKNOWN, 1), sizes.size_of(type_)) if sizes.size_of(type_) else None
    type_ = sizes.resolve(type_) if not isinstance(type_, VoidType) else type_
    if isinstance(type_, FloatType):
        return float_layout(type_.kind, sizes.size_of(type_))
    if isinstance(type_, PointerType):
        return scalar(POINTER, sizes.size_of(type_))
    if isinstance(type_, IntType):
        return scalar(INTEGER, sizes.size_of(type_), weak=not trusted)
    if isinstance(type_, (ArrayType, VectorType)):
        item = llvm_layout(type_.element, sizes, trusted=trusted)
        return array(item, type_.count) if item is not None and type_.count else None
    if isinstance(type_, StructType):
        parts = []
        for k, element in enumerate(type_.elements):
            item = llvm_layout(element, sizes, trusted=trusted)
            if item is not None:
                parts.append(Part(sizes.field_offset(type_, k), 1, item))
        return record(str(type_), sizes.size_of(type_), parts) if parts else None
    return None


def _is_union(type_: Type) -> bool:
    """Whether it is what clang makes of a union: a struct of one member, with this name."""
    return isinstance(type_, NamedType) and type_.spelling.strip('"').startswith("union.")


def accessed_as(instruction: Instruction, type_: Type) -> Concrete | None:
    """What C calls the object that a load or store accesses, where it says that."""
    if isinstance(type_.scalar, FloatType):
        return floating(type_.scalar.kind)
    if isinstance(type_, PointerType):
        return POINTER
    name = tbaa.scalar_name(instruction)
    if name in tbaa.FLOATING and isinstance(type_, IntType) and type_.bits == 8 * BYTES[tbaa.FLOATING[name]]:
        return floating(tbaa.FLOATING[name])
    if name in tbaa.INTEGERS:
        return INTEGER
    return None
