"""The forward sweep on shadow memory: stored pointers are stored as shadows too.

Invariant: where primal memory holds a pointer to active memory, shadow memory holds its shadow at the same place and
time. Floating data is not mirrored: its shadows hold adjoints.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enzyme_magic.backend.autodiff.memory.shadows import Shadows
from enzyme_magic.backend.autodiff.sweeps.insertions import Insertions
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Instruction, Store
from enzyme_magic.backend.ir.types import PointerType
from enzyme_magic.backend.ir.values import Value


@dataclass(slots=True, repr=False)
class Mirror:
    """`is_mirrored(store)`: whether the shadow of a pointer that is stored may be wanted."""

    forward: dict[Value, Value]
    insertions: Insertions
    shadows: Shadows
    is_mirrored: Callable[[Store], bool]
    put: Callable[[Builder, Store, Value, Value], None] | None = (
        None  # how a shadow pointer is stored, where kinds are kept
    )

    def store(self, store: Store) -> None:
        """Mirror a store of a pointer."""
        if not isinstance(store.value.type, PointerType) or not self.is_mirrored(store):
            return
        primal = self.forward[store]
        assert isinstance(primal, Instruction)
        assert primal.parent is not None
        value = self.shadows.of(store.value)
        place = self.shadows.of(store.pointer)
        builder = self.insertions.after(primal, primal.parent)
        if self.put is not None:
            self.put(builder, store, place, value)
        else:
            builder.store(value, place, align=store.align)
