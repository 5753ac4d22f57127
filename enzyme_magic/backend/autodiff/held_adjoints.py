"""Adjoints in memory that a reversed block holds in registers, and puts into their places at its end.

    out[i] += l*c;      d = out'[i]; out'[i] = 0; l' += d*c; out'[i] += d        is        d = out'[i]; l' += d*c

What is held of one place is either a sum that is still to be added to what lies there, or all that is to lie there, because the
block has taken the adjoint. Then nothing has to be loaded again, and nothing stored where it lies there already.

Invariant: the places end with the same sums, in another order (so `strict` holds nothing). Additions commute. What is taken is read
after everything that may add to it and came before is written; so an addition that is held and may meet a place that was taken is
younger than that, and is written after it. Who else reads or writes adjoints settles first.

Which places may meet is a question about the primal accesses in one iteration (Alias.apart_now): shadows lie as the memory does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff.sweeps.adjoints import CHAIN, CONTRACTED, WRITTEN_ORDER
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Instruction, Load, Store
from enzyme_magic.backend.ir.types import Type
from enzyme_magic.backend.ir.values import Value

MOST = 32  # places that are held together: each is compared with each, and each wants a register
Access = Load | Store


@dataclass(frozen=True, slots=True)
class AdjointPlace:
    """`size` bytes at `offset` from where the primal instruction `access` reads or writes; `shadow`: their shadow."""

    access: Access
    offset: int
    size: int
    type: Type
    shadow: Value
    align: int | None

    @property
    def key(self) -> tuple[Value, int, Type]:
        return self.access.pointer, self.offset, self.type


@dataclass(slots=True)
class _Held:
    """memory: what lies there, where that is known; value: what is to lie there, or None: as much more as `added`."""

    place: AdjointPlace
    memory: Value | None = None
    value: Value | None = None
    added: Value | None = None
    terms: int = 0


@dataclass(slots=True, eq=False, repr=False)
class HeldAdjoints:
    """The places of the reversed block that is being written. apart: whether two accesses of a block never meet in one iteration;
    told: whose adjoint an instruction is part of."""

    apart: Callable[[Access, Access], bool]
    sum_flags: tuple[str, ...]
    told: Callable[[Iterable[Instruction], Instruction], None]
    _held: dict[tuple[Value, int, Type], _Held] = field(default_factory=dict)

    def add(self, builder: Builder, place: AdjointPlace, part: Value) -> None:
        """*place += part."""
        held = self._held.get(place.key)
        if held is None:
            self._make_room(builder)
            held = self._held[place.key] = _Held(place)
        held.terms += 1
        if held.value is not None:
            held.value = part if held.value == _zero(place) else self._sum(builder, held, held.value, part)
        else:
            held.added = part if held.added is None else self._sum(builder, held, held.added, part)

    def take(self, builder: Builder, place: AdjointPlace, *, read: bool) -> Value | None:
        """What lies there, if it is asked for; zero lies there afterwards."""
        others = [h for h in self._held.values() if h.place.key != place.key]
        self._settle(builder, [h for h in others if self._may_meet(h.place, place)])
        held = self._held.get(place.key)  # it is no more held where a younger sum, which may have met it, was written
        if held is None:
            self._make_room(builder)
            held = self._held[place.key] = _Held(place)
        found = held.value
        if found is None and read:
            found = held.memory = builder.load(place.type, place.shadow, align=place.align)
            if held.added is not None:
                found = self._sum(builder, held, found, held.added)
        held.value, held.added, held.terms = _zero(place), None, 0
        return found

    def settle(self, builder: Builder, meeting: Access | None = None) -> None:
        """Put everything into its place; or only what may meet an access."""
        held = self._held.values()
        self._settle(builder, [h for h in held if meeting is None or not self.apart(h.place.access, meeting)])

    def _make_room(self, builder: Builder) -> None:
        if len(self._held) >= MOST:
            self.settle(builder)

    def _settle(self, builder: Builder, chosen: list[_Held]) -> None:
        sums = [h for h in chosen if h.value is None]
        whole = [h for h in self._held.values() if h.value is not None]
        before = [h for h in whole if h in chosen or any(self._may_meet(h.place, other.place) for other in sums)]
        for held in (*before, *sums):
            del self._held[held.place.key]
            written = len(builder.block.instructions)
            self._write(builder, held)
            if builder.before is None:
                self.told(builder.block.instructions[written:], held.place.access)

    def _write(self, builder: Builder, held: _Held) -> None:
        place = held.place
        if held.value is None:
            assert held.added is not None
            found = builder.load(place.type, place.shadow, align=place.align)
            # not contracted: where the next iteration adds to the same place, it waits for this addition, not for a product
            flags = tuple(flag for flag in self.sum_flags if flag != CONTRACTED)
            held.value = builder.fadd(found, held.added, flags=flags)
        if held.value is not held.memory:
            builder.store(held.value, place.shadow, align=place.align)

    def _sum(self, builder: Builder, held: _Held, a: Value, b: Value) -> Value:
        """a + b; see CHAIN."""
        return builder.fadd(a, b, flags=self.sum_flags if held.terms % CHAIN else WRITTEN_ORDER)

    def _may_meet(self, a: AdjointPlace, b: AdjointPlace) -> bool:
        if a.access.pointer is b.access.pointer:
            return a.offset < b.offset + b.size and b.offset < a.offset + a.size
        return not self.apart(a.access, b.access)


def _zero(place: AdjointPlace) -> Value:
    return constants.zero(place.type)
