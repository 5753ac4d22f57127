"""Scoped no-alias metadata: what `restrict` parameters leave behind when their function is inlined.

Rules: LLVM Language Reference, "noalias and alias.scope Metadata". An access with `!noalias` for all scopes of a
domain that another access names in `!alias.scope` touches other bytes, while both belong to the same execution of the
scope's declaration. A declaration inside a loop starts anew in each iteration, so the promise says nothing about two
different iterations.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from enzyme_magic.backend.analysis.memory.distance import LoopLevel
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs.loops import Loop, Loops
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.metadata import MDTuple, Metadata
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.values import MetadataOperand


@dataclass(frozen=True, slots=True, eq=False)
class Scopes:
    """`homes[scope]`: the innermost loop its declaration lies in (None: outside loops)."""

    homes: dict[Metadata, Loop | None]
    usable: bool

    @classmethod
    def of(cls, function: Function, loops: Loops) -> Scopes:
        homes: dict[Metadata, Loop | None] = {}
        for instruction in function.instructions():
            callee = instruction.called_function if isinstance(instruction, Call) else None
            if callee is not None and callee.name == intrinsics.SCOPE_DECLARATION:
                operand = instruction.operands[0]
                if isinstance(operand, MetadataOperand):
                    homes.update(dict.fromkeys(_scopes(operand.metadata), loops.of(instruction.parent)))
        return cls(homes, loops.irreducible is None and bool(homes))

    def apart(self, a: Instruction, b: Instruction, level: LoopLevel) -> bool:
        """Whether the metadata prove that a and b touch different bytes at this level."""
        return self.usable and not level.any_time and (self._one_way(a, b, level) or self._one_way(b, a, level))

    def _one_way(self, named: Instruction, denied: Instruction, level: LoopLevel) -> bool:
        if "alias.scope" not in named.metadata or "noalias" not in denied.metadata:
            return False
        refused = set(_scopes(denied.metadata["noalias"]))
        by_domain: dict[Metadata, set[Metadata]] = {}
        for scope in _scopes(named.metadata["alias.scope"]):
            assert isinstance(scope, MDTuple)
            by_domain.setdefault(scope.operands[1], set()).add(scope)
        return any(scopes <= refused and all(self._holds(s, level) for s in scopes) for scopes in by_domain.values())

    def _holds(self, scope: Metadata, level: LoopLevel) -> bool:
        if scope not in self.homes:
            return False
        home = self.homes[scope]
        if home is None:
            return True
        if level.later is not None:
            return home is not level.later and home.encloses(level.later)
        return level.common is not None and home.encloses(level.common)


def _scopes(node: Metadata) -> Iterable[Metadata]:
    return [n for n in node.operands if isinstance(n, MDTuple)] if isinstance(node, MDTuple) else []
