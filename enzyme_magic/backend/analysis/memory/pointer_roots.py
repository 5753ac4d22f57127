"""Where a pointer comes from: root and byte offset, through arithmetic, phis and selects.

A root is a value whose memory is a node of the type graph: an argument, an alloca, a global, a call's result, a
loaded pointer. `handles(p)` lists (root, offset, modulus): p is root + offset + a multiple of modulus (0: exactly).
More than a few roots are given up: the phi becomes a root of its own, linked to where it comes from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd

from enzyme_magic.backend.analysis.counts.affine import Evolution, split
from enzyme_magic.backend.ir.instructions import Phi, Select
from enzyme_magic.backend.ir.values import ConstantKeyword, Value

MOST_ROOTS = 4
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
        modulus = gcd(*variable.values()) if variable else 0
        return [(root, at + offset, gcd(m, modulus)) for root, at, m in self._base(address.base)]

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
