"""The cache breakdown: what the reverse sweep needs of the forward sweep, and whether it is stored, computed again or still there.

Invariant: one row per value that some adjoint (or the reversed control flow) reads, and per value that is stored; decisions and
reasons are those of the plan that was carried out. Sizes are bytes on the tape; arrays on the tape grow by doubling, so the memory
taken may be up to twice that.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.analysis.cache_plan import element_size
from enzyme_magic.backend.analysis.loops import Loop
from enzyme_magic.backend.analysis.recompute import PRIMAL, SHADOW, TAPE, Need
from enzyme_magic.backend.autodiff.request import FORWARD
from enzyme_magic.backend.explain.blocks import primals_needed
from enzyme_magic.backend.explain.counts import Counts
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.ir.instructions import Call, Instruction, Load, Phi
from enzyme_magic.backend.ir.types import I1, FloatType, IntType, PointerType, Type
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.report import CacheBreakdown, CacheRow

_C_TYPES = {"float": "float", "double": "double", "x86_fp80": "long double", "i1": "bool", "i8": "char", "i32": "int"}


@dataclass(slots=True)
class Cache:
    scene: Scene
    counts: Counts

    def slots(self) -> dict[Value, str]:
        """Cache slots by program value."""
        found: dict[Value, str] = {}
        for number, need in enumerate(self.scene.plan.stored):
            own = self.scene.origin(need.value)
            if own is not None:
                found.setdefault(own, f"s{number}")
        return found

    def breakdown(self) -> CacheBreakdown:
        stored = [self._row(need, f"s{number}") for number, need in enumerate(self.scene.plan.stored)]
        others = [need for need in self._read() if not self.scene.plan.is_stored(need)]
        kept = [self._row(need, f"c{number}") for number, need in enumerate(others, len(stored))]
        rows = (*stored, *(row for row in kept if row is not None))
        found = tuple(row for row in rows if row is not None)
        return CacheBreakdown(found, self._sentence(found), self._total(found))

    # --- what is read

    def _read(self) -> list[Need]:
        """The needs the reverse sweep asks for, arguments included."""
        plan = self.scene.plan
        if self.scene.request.mode == FORWARD:
            return []
        found = {need: None for need in plan.readers if self._is_shown(need)}
        for instruction in self.scene.prepared.function.instructions():
            if self.scene.activity.propagates(instruction):
                for value in primals_needed(instruction, self.scene):
                    if isinstance(value, Argument):
                        found[Need(PRIMAL, value)] = None
        return list(found)

    def _is_shown(self, need: Need) -> bool:
        """Addresses and their shadows are shown only when they are stored."""
        if need.kind != PRIMAL or not isinstance(need.value, Instruction):
            return False
        return not isinstance(need.value.type.scalar, PointerType) and need.value not in self._counters()

    def _counters(self) -> set[Value]:
        return set(self.scene.prepared.counters.values())

    # --- rows

    def _row(self, need: Need, identifier: str) -> CacheRow:
        scene, value = self.scene, need.value
        decision = scene.plan.decisions.get(need, "available")
        loop = scene.prepared.loop_of(value)
        size = element_size(need, scene.program.module.analyses.layout)
        count = self.counts.iterations(loop)
        reader = self._reader(need)
        overwrite = None
        if isinstance(value, Load) and need.kind == PRIMAL and decision == "store":
            overwrite = scene.subject.alias.overwritten_after(value)
        return CacheRow(
            identifier=identifier,
            instruction=scene.identifier(value) if isinstance(value, Instruction) else None,
            expression=self.expression(need),
            decision=decision,
            line=scene.line(value) if scene.identifier(value) is not None else self._line_added(value),
            type=_type(need, value.type),
            count=count,
            bytes=bytes_of(size, count),
            size=size,
            reason=self._reason(need, decision),
            overwritten_by=scene.identifier(overwrite.instruction) if overwrite and overwrite.instruction else None,
            overwritten_line=overwrite.line if overwrite else None,
            read_by=scene.identifier(reader) if reader is not None else None,
            read_line=scene.line(reader) if reader is not None else None,
        )

    def _reader(self, need: Need) -> Instruction | None:
        if self._added(need.value):
            return None  # the reversed control flow reads it
        readers = self.scene.plan.readers.get(need, ())
        if readers:
            return readers[0]
        for instruction in self.scene.prepared.function.instructions():
            if self.scene.activity.propagates(instruction) and need.value in primals_needed(instruction, self.scene):
                return instruction
        return None

    def expression(self, need: Need) -> str:
        """The value in C, or what it stands for in words."""
        words = self._added(need.value)
        if words is not None:
            return words
        if need.kind == SHADOW:
            return f"where the adjoint of *{self.scene.text.value(need.value)} lies"
        if need.kind == TAPE:
            called = need.value.called_function if isinstance(need.value, Call) else None
            return f"the tape of {called.name}" if called is not None else "the tape of a call"
        return self.scene.text.expression(need.value)

    def _added(self, value: Value) -> str | None:
        """Words for what preprocessing added: loop counts and the branches taken."""
        prepared = self.scene.prepared
        for (loop, _), phi in prepared.exit_counts.items():
            if phi is value:
                return f"how often the loop {self._at(self.counts.line(loop))} ran"
        if isinstance(value, Phi) and value in prepared.arrivals.values():
            return f"which branch was taken {self._at(self._branch_line(value))}"
        for loop, counter in prepared.counters.items():
            if counter is value:
                return f"the iteration of the loop {self._at(self.counts.line(loop))}"
        return None

    def _at(self, line: int | None) -> str:
        return f"at line {line}" if line is not None else "here"

    def _line_added(self, value: Value) -> int | None:
        prepared = self.scene.prepared
        if isinstance(value, Phi) and value in prepared.arrivals.values():
            return self._branch_line(value)
        loop = next((loop for (loop, _), phi in prepared.exit_counts.items() if phi is value), None)
        return self.counts.line(loop) if isinstance(loop, Loop) else None

    def _branch_line(self, phi: Phi) -> int | None:
        """The line of the branch that decides from where the block of `phi` is reached: the nearest dominating one."""
        block = phi.parent
        above = self.scene.prepared.dominators.idom.get(block) if block is not None else None
        return self.scene.line(above.terminator) if above is not None else None

    # --- words

    def _reason(self, need: Need, decision: str) -> str:
        recipe = self.scene.plan.recipes.get(need)
        if isinstance(need.value, Argument):
            return "an argument and still available"
        if decision == "available":
            return "computed once and still at hand"
        if decision == "recompute":
            return "computed again from values that are at hand"
        if recipe is not None and recipe.reason:
            return recipe.reason
        return "storing it is cheaper than computing it again"

    def _sentence(self, rows: tuple[CacheRow, ...]) -> str:
        stored = [row for row in rows if row.decision == "store"]
        if stored:
            first = stored[0]
            more = f", and {len(stored) - 1} more" if len(stored) > 1 else ""
            return f"{first.expression} is saved{more}: {first.reason}"
        if self.scene.request.mode == FORWARD:
            return "nothing saved: forward mode needs each value only once"
        if not rows:
            return "nothing saved: the reverse sweep needs no value of the forward sweep"
        names = [row.expression for row in rows if row.decision == "available"]
        if len(rows) == 1 and names:
            return f"nothing saved: {names[0]} is {rows[0].reason}"
        again = [row.expression for row in rows if row.decision == "recompute"]
        parts = [f"{_list(names)} {'is' if len(names) == 1 else 'are'} still available"] if names else []
        parts += [f"{_list(again)} {'is' if len(again) == 1 else 'are'} computed again"] if again else []
        return f"nothing saved: {' and '.join(parts)}"

    def _total(self, rows: tuple[CacheRow, ...]) -> str:
        sizes = [row.bytes for row in rows if row.decision == "store"]
        return " + ".join(sizes) if sizes else "0"


def bytes_of(size: int, count: str) -> str:
    """Bytes of `count` elements: "8*n", "8*(n + m)", "8 × iterations of the loop at line 4"."""
    if count == "1":
        return str(size)
    if count.startswith("iterations"):
        return f"{size} × {count}"
    return f"{size}*({count})" if " " in count and not count.startswith("max(") else f"{size}*{count}"


def _list(names: list[str]) -> str:
    shown = names[:3]
    rest = len(names) - len(shown)
    text = (
        ", ".join(shown[:-1]) + (" and " if len(shown) > 1 and not rest else ", " if len(shown) > 1 else "") + shown[-1]
    )
    return f"{text} and {rest} more" if rest else text


def _type(need: Need, type_: Type) -> str:
    if need.kind != PRIMAL or isinstance(type_, PointerType):
        return "pointer"
    if isinstance(type_, IntType) and type_ != I1 and type_.bits == 64:
        return "long"
    return _C_TYPES.get(str(type_), str(type_)) if isinstance(type_, (FloatType, IntType)) else str(type_)
