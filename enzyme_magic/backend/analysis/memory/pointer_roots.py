"""Where a pointer comes from: root and byte offset, through arithmetic, phis and selects.

A root is a value whose memory is a node of the type graph: an argument, an alloca, a global, a call's result, a
loaded pointer. `handles(p)` lists (root, offset, modulus): p is root + offset + a multiple of modulus (0: exactly).
More than a few roots are given up: the phi becomes a root of its own, linked to where it comes from.
An index that has few values (`child[key > node->key]`) leads to as many exact places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd

from enzyme_magic.backend.analysis.counts.affine import SIGNED, Evolution, Symbol, split
from enzyme_magic.backend.ir.instructions import Binary, Phi, Select
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import ConstantInt, ConstantKeyword, Value

MOST_ROOTS = 4
MOST_PLACES = 4  # by an index with few values
DEEPEST = 24

Handle = tuple[Value, int, int]


@dataclass(slots=True, eq=False)
class Roots:
    """Handles of the pointers of one function. `merged`: phis and selects that became roots."""

    evolution: Evolution
    merged: dict[Value, list[Handle]] = field(default_factory=dict)
    _known: dict[Value, list[Handle]] = field(default_factory=dict)
    _open: list[Value] = field(default_factory=list)

    def handles(self, pointer: Value) -> list[Handle]:
        """Every (root, offset, modulus) `pointer` may be; empty for null."""
        address = self.evolution.address(pointer)
        variable, offset = split(address.offset)
        offsets = [offset]
        modulus = 0
        for monomial, coefficient in variable.items():
            values = _few_values(self.evolution.symbols[monomial[0]]) if len(monomial) == 1 else ()
            if values and len(values) * len(offsets) <= MOST_PLACES:
                offsets = [at + coefficient * value for at in offsets for value in values]
            else:
                modulus = gcd(modulus, coefficient)
        found = [(root, at + k, gcd(m, modulus)) for root, at, m in self._base(address.base) for k in offsets]
        return list(dict.fromkeys(found))

    def _base(self, base: Value) -> list[Handle]:
        if isinstance(base, ConstantKeyword):
            return []
        if not isinstance(base, (Phi, Select)) or base in self.merged or base in self._open:
            return [(base, 0, 0)]
        found = self._known.get(base)
        if found is None:
            found = self._expand(base)
            if not self._open:
                self._known[base] = found
        return found

    def _expand(self, base: Phi | Select) -> list[Handle]:
        if len(self._open) >= DEEPEST:
            self.merged[base] = []
            return [(base, 0, 0)]
        self._open.append(base)
        incoming = base.operands if isinstance(base, Phi) else base.operands[1:]
        found: dict[Handle, None] = {}
        step = 0
        for value in incoming:
            for root, offset, modulus in self.handles(value):
                if root is base:
                    step = gcd(step, gcd(offset, modulus))
                else:
                    found[root, offset, modulus] = None
        self._open.pop()
        result = list(dict.fromkeys((root, offset, gcd(modulus, step)) for root, offset, modulus in found))
        if len(result) > MOST_ROOTS:
            self.merged[base] = result
            return [(base, 0, 0)]
        return result


def _few_values(symbol: Symbol) -> tuple[int, ...]:
    """All values that a symbol may have, if they are few and it shows; else none."""
    value = symbol.of
    if not isinstance(value, Value) or not isinstance(value.type, IntType):
        return ()
    if value.type.bits == 1:
        return (-1, 0) if symbol.widened == SIGNED else (0, 1)
    found: list[Value] = []
    if isinstance(value, Select):
        found = list(value.operands[1:])
    elif isinstance(value, Phi):
        found = list(value.operands)
    elif isinstance(value, Binary):
        return _remainders(value)
    numbers = {v.value if symbol.widened == SIGNED else v.unsigned for v in found if isinstance(v, ConstantInt)}
    known = all(isinstance(v, ConstantInt) for v in found)
    return tuple(sorted(numbers)) if known and len(numbers) <= MOST_PLACES else ()


def _remainders(value: Binary) -> tuple[int, ...]:
    """What a mask, a remainder or a shift leaves of a number."""
    by = value.operands[1]
    if not isinstance(by, ConstantInt) or not isinstance(value.type, IntType) or value.type.bits < 8:
        return ()  # of so few bits, what is left may be a sign
    count = {"and": by.unsigned + 1, "urem": by.unsigned, "lshr": 1 << max(value.type.bits - by.unsigned, 0)}
    return tuple(range(count.get(value.opcode, 0))) if count.get(value.opcode, 0) <= MOST_PLACES else ()
