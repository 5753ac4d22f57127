"""Shadow pointers: for every pointer to active memory, where its adjoints (or tangents) lie.

Invariant: the shadow of a pointer is made by the same operations from the shadows it is made of: getelementptr from
getelementptr, phi from phi, a loaded pointer from the shadow of where it was loaded. So shadow memory has the shape
of primal memory. Shadows in the forward sweep are made on demand, right behind the primal.

Addresses are formed by getelementptr only; `inttoptr` has no shadow but that of a whole number that is kept in a pointer variable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from enzyme_magic.backend.autodiff.sweeps.insertions import Insertions
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import clone_instruction
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Call,
    Cast,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Select,
)
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import PointerType, is_pointer
from enzyme_magic.backend.ir.values import Argument, Block, ConstantExpression, ConstantKeyword, Value
from enzyme_magic.errors import DifferentiationError

KEPT_METADATA = frozenset(["tbaa"])


class ShadowSource(Protocol):
    """Who makes the shadows of what is not made from other pointers."""

    def of_argument(self, argument: Argument) -> Value: ...

    def of_global(self, variable: GlobalVariable) -> Value: ...

    def of_function(self, function: Function) -> Value: ...

    def of_alloca(self, alloca: Alloca) -> Value: ...

    def of_call(self, call: Call) -> Value: ...

    def of_integer(self, cast: Cast) -> Value | None: ...


@dataclass(slots=True, repr=False)
class Shadows:
    """Shadows in the forward sweep. `forward` maps prepared values to those of the forward sweep. `guard(load,
    shadow)` may check a loaded shadow pointer. later: what arrives at a merge is asked for in `close` only. A loop brings the merge
    at its head a pointer that a call below gives; who writes tangents in order must not come to that call before its arguments."""

    forward: dict[Value, Value]
    insertions: Insertions
    source: ShadowSource
    fail: Callable[..., DifferentiationError]
    guard: Callable[[Load, Instruction], None]
    follow: Callable[[Load, Value], None]
    later: bool = False
    _made: dict[Value, Value] = field(default_factory=dict)
    _open: list[Phi] = field(default_factory=list)

    def outside(self, value: Value) -> Value | None:
        """The shadow of a value that is no instruction; None for instructions."""
        if isinstance(value, Instruction):
            return None
        if isinstance(value, Argument):
            return self.source.of_argument(value)
        if isinstance(value, GlobalVariable):
            return self.source.of_global(value)
        if isinstance(value, Function):
            return self.source.of_function(value)
        if isinstance(value, ConstantExpression):
            operands = tuple(self.outside(v) or v if is_pointer(v.type) else v for v in value.operands)
            return ConstantExpression(value.type, value.opcode, operands, (), value.source_type)
        if isinstance(value, ConstantKeyword):
            return value
        raise DifferentiationError(f"no shadow for the constant {value!r:.200}", code="EM230")

    def of(self, value: Value) -> Value:
        """The shadow of pointer `value`, valid from its definition in the forward sweep on. Iterative: pointers may be made from
        one another as often as the function is long."""
        pending, phis = [value], list[Phi]()
        while pending:
            current = pending[-1]
            if not isinstance(current, Instruction) or current in self._made:
                pending.pop()
            elif isinstance(current, Phi):
                pending.pop()
                self._open_phi(current)
                if self.later:
                    self._open.append(current)
                    continue
                phis.append(current)
                pending += reversed(current.operands)
            elif missing := [v for v in _sources(current) if isinstance(v, Instruction) and v not in self._made]:
                pending += reversed(missing)
            else:
                pending.pop()
                self._made[current] = self._make(current)
        for phi in phis:
            self._close_phi(phi)
        return self._known(value)

    def close(self) -> None:
        """Ask for what was left for later, when all else is written."""
        while self._open:
            phi = self._open.pop()
            for arriving in phi.operands:
                self.of(arriving)
            self._close_phi(phi)

    def _known(self, value: Value) -> Value:
        return self.outside(value) or self._made[value]

    def _open_phi(self, phi: Phi) -> None:
        primal = self.forward[phi]
        assert isinstance(primal, Phi)
        assert primal.parent is not None
        self._made[phi] = Builder(primal.parent).phi(phi.type, name=_name(phi))

    def _close_phi(self, phi: Phi) -> None:
        primal, shadow = self.forward[phi], self._made[phi]
        assert isinstance(primal, Phi)
        assert isinstance(shadow, Phi)
        assert primal.parent is not None
        for value, block in phi.incoming:
            target = self.forward[block]
            assert isinstance(target, Block)
            Builder(primal.parent).add_incoming(shadow, self._known(value), self._end_of(block, primal, phi))

    def _end_of(self, block: Block, primal: Phi, phi: Phi) -> Block:
        """The forward block an edge from `block` comes from (a block may have been split)."""
        place = next(k for k, b in enumerate(phi.blocks) if b is block)
        return primal.blocks[place]

    def _make(self, value: Instruction) -> Value:
        if isinstance(value, Alloca):
            return self.source.of_alloca(value)
        if isinstance(value, Call):
            return self.source.of_call(value)
        if isinstance(value, Freeze):
            return self._known(value.operands[0])
        if _is_mirrored(value):
            return self._mirror(value)
        number = self.source.of_integer(value) if isinstance(value, Cast) and value.opcode == "inttoptr" else None
        if number is not None:
            return number
        what = f"a pointer made by {value.opcode} has no shadow"
        raise self.fail(value, what, "keep pointers in pointer variables, not in integers", "EM230")

    def _mirror(self, value: Instruction) -> Value:
        operands = [self._known(v) if _is_pointer(v) else self.forward.get(v, v) for v in value.operands]
        copied = clone_instruction(value, {})
        copied.operands = operands
        copied.name = _name(value)
        copied.metadata = {kind: node for kind, node in value.metadata.items() if kind in KEPT_METADATA}
        primal = self.forward[value]
        assert isinstance(primal, Instruction)
        assert primal.parent is not None
        if isinstance(value, Load):
            self.follow(value, operands[0])
        shadow = self.insertions.after(primal, primal.parent).insert(copied)
        if isinstance(value, Load):
            self.guard(value, shadow)
        return shadow


def _is_mirrored(value: Instruction) -> bool:
    """Whether its shadow is the same operation on the shadows of its operands."""
    return isinstance(value, (GetElementPtr, Select, Load)) or (
        isinstance(value, Cast) and value.opcode == "addrspacecast"
    )


def _sources(value: Instruction) -> list[Value]:
    """The pointers whose shadows that of `value` is made of."""
    return [v for v in value.operands if _is_pointer(v)] if isinstance(value, Freeze) or _is_mirrored(value) else []


def _is_pointer(value: Value) -> bool:
    return isinstance(value.type.scalar, PointerType)


def _name(value: Instruction) -> str:
    return f"{value.name}_shadow" if value.name else ""
