"""Adjoints of SSA values, and the demand flags beside them.

Invariants: the adjoint of a value is zero until a use contributes, and zero again after its definition took it, so a
loop body starts every reversed iteration clean. A value all of whose active uses lie in its own block keeps its
adjoint as an SSA value of the reversed block (and has none before the first contribution); every other has stack
slots, zeroed in the prologue, which LLVM's SROA promotes.

A conditional value (analysis/derivatives/demand.py) has a demand flag for each of its leaves: one lane of a vector may be asked
for where another is not. The adjoint of a leaf is meaningful only where its flag is set.

The order in which an adjoint is summed is the writer's own choice, and so is the sign of a zero sum: sums carry
`reassoc nsz` (0 + d folds to d, d + d + d becomes 3 * d) and `contract` (a product may be added without being rounded
first, as C compilers do it), except under `strict`, which keeps what is written. A long sum in one block is free in
pieces of CHAIN terms only: LLVM's vectorizer of straight-line code takes more than quadratic time over one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.derivatives.activity import Activity
from enzyme_magic.backend.analysis.derivatives.demand import Demand
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf, Path
from enzyme_magic.backend.autodiff.sweeps.watch import Watch
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Alloca, Instruction, Phi
from enzyme_magic.backend.ir.types import I1, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value

FALSE, TRUE = constants.FALSE, constants.TRUE
CONTRACTED = "contract"
FREE_ORDER, WRITTEN_ORDER = ("reassoc", "nsz", CONTRACTED), ("nsz",)
CHAIN = 8
Parts = dict[Path, Value]
Flags = dict[Path, Value]  # of a conditional value's leaves; a leaf that is not named is always demanded


@dataclass(slots=True, repr=False)
class Adjoints:
    """`prologue` yields a builder in the function's entry block; `leaves_of` the floating leaves of a value."""

    activity: Activity
    demand: Demand
    leaves_of: Callable[[Value], tuple[Leaf, ...]]
    prologue: Callable[[], Builder]
    entry_of: Callable[[Argument], object]
    sum_flags: tuple[str, ...] = FREE_ORDER
    watch: Watch | None = None
    _slots: dict[tuple[Value, Path], Alloca] = field(default_factory=dict)
    _flags: dict[tuple[Value, Path], Alloca] = field(default_factory=dict)
    _local: dict[tuple[Value, Path], Value] = field(default_factory=dict)
    _local_flags: dict[tuple[Value, Path], Value] = field(default_factory=dict)
    _is_local: dict[Value, bool] = field(default_factory=dict)
    _terms: dict[tuple[Value, Path], tuple[Block, int]] = field(default_factory=dict)

    @property
    def product_flags(self) -> tuple[str, ...]:
        """What the products carry that are added up."""
        return (CONTRACTED,) if CONTRACTED in self.sum_flags else ()

    def add(self, builder: Builder, value: Value, path: Path, contribution: Value, demanded: Value | None) -> None:
        """Adjoint of `value` at `path` += contribution; `demanded` None means unconditionally."""
        if self.watch is not None:
            self.watch.added(builder, value, path, contribution, demanded)
        if self.local(value):
            before = self._local.get((value, path))
            self._local[value, path] = (
                contribution if before is None else self._sum(builder, before, contribution, (value, path))
            )
            if value in self.demand.conditional:
                known = self._local_flags.get((value, path))
                asked = TRUE if demanded is None else demanded
                self._local_flags[value, path] = asked if known is None else _either(builder, known, asked)
            return
        slot = self._slot(value, path, contribution.type)
        builder.store(self._sum(builder, builder.load(contribution.type, slot), contribution, (value, path)), slot)
        if value in self.demand.conditional:
            flag = self._flag(value, path)
            asked = TRUE if demanded is None else demanded
            builder.store(_either(builder, builder.load(I1, flag), asked), flag)

    def take(self, builder: Builder, value: Value) -> Parts:
        """The adjoint collected so far, leaf by leaf; what was never contributed to is missing. Afterwards it is
        zero."""
        parts: Parts = {}
        for leaf in self.leaves_of(value):
            if not self.local(value):
                parts[leaf.path] = self._take_slot(builder, value, leaf)
            elif (value, leaf.path) in self._local:
                parts[leaf.path] = self._local.pop((value, leaf.path))
        if self.watch is not None:
            for path, part in parts.items():
                self.watch.taken(builder, value, path, part, self._asked(builder, value, path))
        return parts

    def _asked(self, builder: Builder, value: Value, path: Path) -> Value | None:
        """A demand flag as it stands."""
        if value not in self.demand.conditional:
            return None
        local = self.local(value)
        return self._local_flags.get((value, path), FALSE) if local else builder.load(I1, self._flag(value, path))

    def flags(self, builder: Builder, value: Value, parts: Parts) -> Flags:
        """Whether the leaves `parts` of `value` were demanded (i1); empty when they always are. Reading resets them."""
        if value not in self.demand.conditional:
            return {}
        return {path: self._take_flag(builder, value, path) for path in parts}

    def _take_flag(self, builder: Builder, value: Value, path: Path) -> Value:
        if self.local(value):
            return self._local_flags.pop((value, path), FALSE)
        slot = self._flag(value, path)
        flag = builder.load(I1, slot)
        builder.store(FALSE, slot)
        return flag

    def local(self, value: Value) -> bool:
        known = self._is_local.get(value)
        if known is None:
            known = self._is_local[value] = self._used_at_home_only(value)
        return known

    def _used_at_home_only(self, value: Value) -> bool:
        home = (
            value.parent
            if isinstance(value, Instruction)
            else self.entry_of(value)
            if isinstance(value, Argument)
            else None
        )
        if home is None or isinstance(value, Phi):
            return False
        for edge in self.activity.flow.leaving.get(value, ()):
            user = edge.instruction
            if self.activity.active(edge.target) and (user is None or isinstance(user, Phi) or user.parent is not home):
                return False
        return True

    def _sum(self, builder: Builder, a: Value, b: Value, of: tuple[Value, Path]) -> Value:
        """a + b. Every CHAIN-th sum of one adjoint in one block keeps its place."""
        block, terms = self._terms.get(of, (builder.block, 0))
        terms = terms + 1 if block is builder.block else 1
        self._terms[of] = builder.block, terms
        return builder.fadd(a, b, flags=self.sum_flags if terms % CHAIN else WRITTEN_ORDER)

    def _take_slot(self, builder: Builder, value: Value, leaf: Leaf) -> Value:
        slot = self._slot(value, leaf.path, leaf.type)
        adjoint = builder.load(leaf.type, slot, name=_name(value, "_adjoint"))
        builder.store(constants.zero(leaf.type), slot)
        return adjoint

    def _slot(self, value: Value, path: Path, type_: Type) -> Alloca:
        slot = self._slots.get((value, path))
        if slot is None:
            builder = self.prologue()
            slot = builder.alloca(type_, name=_name(value, "_adjoint.slot"))
            builder.store(constants.zero(type_), slot)
            self._slots[value, path] = slot
        return slot

    def _flag(self, value: Value, path: Path) -> Alloca:
        slot = self._flags.get((value, path))
        if slot is None:
            builder = self.prologue()
            slot = builder.alloca(I1, name=_name(value, "_demanded"))
            builder.store(FALSE, slot)
            self._flags[value, path] = slot
        return slot


def _either(builder: Builder, a: Value, b: Value) -> Value:
    if TRUE in (a, b):
        return TRUE
    return builder.or_(a, b)


def _name(value: Value, suffix: str) -> str:
    name = getattr(value, "name", "")
    return f"{name}{suffix}" if name else ""
