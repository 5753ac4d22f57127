"""The extents of what a loop may overwrite, computed before the loop: an offset and a number of bytes for each region.

Invariant: a span counts where its guards hold, its inner loops run, and the loop itself begins an iteration; a region without such
spans has no bytes. Writing only: extents.py decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.counts.affine import SIGNED, Polynomial
from enzyme_magic.backend.checkpoints.choice import Checkpointed, FirstTest
from enzyme_magic.backend.checkpoints.extents import HeldRegion, LoopGuard
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import clone_instruction
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Phi
from enzyme_magic.backend.ir.types import I1, I64, IntType
from enzyme_magic.backend.ir.values import Value

_HIGHEST, _LOWEST = (1 << 62), -(1 << 62)


def emit(builder: Builder, chosen: Checkpointed, starts: Mapping[Phi, Value]) -> list[Value]:
    """(offset, bytes) of each region. starts: what the loop's phis are when it begins."""
    emitter = _Emitter(builder, chosen)
    begins = _begins(builder, chosen.first_test, starts) if chosen.first_test is not None and chosen.regions else None
    return [value for region in chosen.regions for value in emitter.region(region, begins)]


def _begins(builder: Builder, test: FirstTest, starts: Mapping[Phi, Value]) -> Value:
    """Whether the loop begins an iteration."""
    values: dict[Value, Value] = {phi: start for phi, start in starts.items()}
    for instruction in test.chain:
        copied = clone_instruction(instruction, values)
        copied.debug_records = []
        values[instruction] = builder.insert(copied)
    found = values.get(test.condition, test.condition)
    return found if test.holds else builder.xor(found, constants.int_constant(I1, 1))


@dataclass(slots=True, eq=False, repr=False)
class _Emitter:
    builder: Builder
    chosen: Checkpointed
    _values: dict[int, Value] = field(default_factory=dict)

    def region(self, region: HeldRegion, begins: Value | None) -> tuple[Value, Value]:
        low: Value = _number(_HIGHEST)
        high: Value = _number(_LOWEST)
        for span in region.spans:
            size = self._polynomial(span.size, {})
            valid = [
                v
                for v in (None if span.whole else begins, *(self._guard(guard) for guard in span.guards))
                if v is not None
            ]
            counters = {c.symbol: self._polynomial(c.most, {}) for c in span.counters}
            valid += [self.builder.icmp("sge", most, _number(0)) for most in counters.values()]
            valid.append(self.builder.icmp("sgt", size, _number(0)))
            counts = valid[0]
            for condition in valid[1:]:
                counts = self.builder.and_(counts, condition)
            for corner in _corners(counters):
                at = self._polynomial(span.offset, corner)
                end = self.builder.add(at, size)
                low = self._chosen("slt", counts, at, low)
                high = self._chosen("sgt", counts, end, high)
        bytes_ = self.builder.sub(high, low)
        some = self.builder.icmp("slt", low, high)
        return (
            self.builder.select(some, low, _number(0)),
            self.builder.select(some, bytes_, _number(0)),
        )

    def _chosen(self, predicate: str, counts: Value, new: Value, old: Value) -> Value:
        better = self.builder.and_(counts, self.builder.icmp(predicate, new, old))
        return self.builder.select(better, new, old)

    def _guard(self, guard: LoopGuard) -> Value:
        left, right = (self._polynomial(self.chosen.extents.sides(guard.test, o), {}) for o in guard.test.operands)
        found = self.builder.icmp(guard.test.predicate, left, right)
        return found if guard.holds else self.builder.xor(found, constants.int_constant(I1, 1))

    def _polynomial(self, polynomial: Polynomial, counters: Mapping[int, Value]) -> Value:
        total: Value = _number(0)
        for monomial, coefficient in polynomial.items():
            term: Value = _number(coefficient)
            for symbol in monomial:
                term = self.builder.mul(term, counters.get(symbol) or self._symbol(symbol))
            total = self.builder.add(total, term)
        return total

    def _symbol(self, number: int) -> Value:
        known = self._values.get(number)
        if known is None:
            symbol = self.chosen.extents.alias.evolution.symbols[number]
            assert not isinstance(symbol.of, Loop)
            value = symbol.of
            assert isinstance(value.type, IntType)
            if value.type.bits < 64:
                value = self.builder.sext(value, I64) if symbol.widened == SIGNED else self.builder.zext(value, I64)
            known = self._values[number] = value
        return known


def _corners(counters: Mapping[int, Value]) -> Iterator[dict[int, Value]]:
    """Each counter at 0 and at its end."""
    corners: list[dict[int, Value]] = [{}]
    for symbol, most in counters.items():
        corners = [{**corner, symbol: value} for corner in corners for value in (_number(0), most)]
    yield from corners


def _number(value: int) -> Value:
    return constants.int_constant(I64, value)
