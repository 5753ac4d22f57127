"""Memory in words close to C: `a[i+1]`, `*p`, `t`, `A[i][j]`.

Names come from debug records (`#dbg_value`) where they name the value, else from LLVM's value names without the
number it appends to keep them apart. They are for people; nothing is decided by them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd

from enzyme_magic.backend.analysis.counts.affine import Evolution, Monomial, Polynomial, add, multiply, split
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Alloca, Instruction, Load, Phi
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.metadata import DebugRecord, MDRecord, MDString, ValueAsMetadata
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import Value

DEEPEST = 3


@dataclass(slots=True, eq=False)
class Describer:
    """Words for the addresses of one function."""

    evolution: Evolution
    layout: DataLayout
    variables: dict[Value, str] = field(default_factory=dict)

    @classmethod
    def of(cls, function: Function, evolution: Evolution, layout: DataLayout) -> Describer:
        variables: dict[Value, str] = {}
        for instruction in function.instructions():
            for record in instruction.debug_records:
                _note(record, variables)
        return cls(evolution, layout, variables)

    def memory(self, pointer: Value, size: int | None = None, depth: int = 0) -> str:
        """The memory at `pointer`; `size`: of an element, when a constant offset is to be read as an index."""
        address = self.evolution.address(pointer)
        base = self._base(address.base, depth)
        variable, constant = split(self._in_variables(address.offset))
        unit = gcd(*variable.values()) if variable else size or 0
        terms = [self._term(m, c // unit) for m, c in sorted(variable.items())]
        if not terms and not constant:
            return base if isinstance(address.base, (Alloca, GlobalVariable)) else f"*{base}"
        if unit and constant % unit == 0:
            if constant or not terms:
                terms.append(str(constant // unit))
            return f"{base}[{_joined(terms)}]"
        within = f"{base}[{_joined(terms)}]" if terms else base
        return f"{within}, {constant} bytes on"

    def _base(self, base: Value, depth: int) -> str:
        known = self.variables.get(base)
        if known is not None and not isinstance(base, Alloca):
            return known
        if isinstance(base, Load) and depth < DEEPEST:
            inner = self.memory(base.pointer, None, depth + 1)
            return f"({inner})" if inner.startswith("*") or "," in inner else inner
        return self.name(base) or "memory"

    def _term(self, monomial: Monomial, coefficient: int) -> str:
        words = [self._symbol(self.evolution.symbols[s].of) for s in monomial]
        if coefficient not in (1, -1):
            words.insert(0, str(abs(coefficient)))
        return ("-" if coefficient < 0 else "") + "*".join(words)

    def _in_variables(self, offset: Polynomial) -> Polynomial:
        """`offset` with iteration numbers expressed by the loop variables: i = start + step · iteration, for a step of 1 or -1."""
        result: Polynomial = {}
        for monomial, coefficient in offset.items():
            term: Polynomial | None = {(): coefficient}
            for number in monomial:
                term = multiply(term, self._variable(number)) if term is not None else None
            result = add(result, {monomial: coefficient} if term is None else term)
        return result

    def _variable(self, number: int) -> Polynomial:
        loop = self.evolution.symbols[number].of
        if isinstance(loop, Loop):
            for phi in self._counters(loop):
                evolved = self.evolution.integer(phi)
                step = evolved[number,]
                start = {m: c for m, c in evolved.items() if m != (number,)}
                if step in (1, -1) and phi.parent is not None:
                    return add({m: c * step for m, c in self.evolution.symbol(phi).items()}, start, -step)
        return {(number,): 1}

    def _counters(self, loop: Loop) -> list[Phi]:
        counters = [i for i in loop.header.instructions if isinstance(i, Phi) and self._counts(i, loop)]
        return [i for i in counters if i in self.variables] or counters

    def _symbol(self, of: Value | Loop) -> str:
        return "i" if isinstance(of, Loop) else self.name(of) or "?"

    def _counts(self, phi: Phi, loop: Loop) -> bool:
        if not isinstance(phi.type, IntType):
            return False
        return (self.evolution.iteration(loop),) in self.evolution.integer(phi)

    def name(self, value: Value) -> str:
        """The C variable a value is, else its own name."""
        return self.variables.get(value) or _plain(getattr(value, "name", "")) or self._loaded_name(value)

    def _loaded_name(self, value: Value) -> str:
        return self.memory(value.pointer, None, DEEPEST) if isinstance(value, Load) else ""


def _joined(terms: list[str]) -> str:
    return "+".join(terms).replace("+-", "-")


def _plain(name: str) -> str:
    head, _, tail = name.rpartition(".")
    return head if head and tail.isdigit() else name


def _note(record: DebugRecord, variables: dict[Value, str]) -> None:
    if record.kind != "value" or len(record.operands) < 3:
        return
    value, variable, expression = record.operands[:3]
    if not isinstance(value, ValueAsMetadata) or not isinstance(variable, MDRecord):
        return
    name = variable.fields.get("name")
    plain = isinstance(expression, MDRecord) and not expression.arguments
    if isinstance(name, MDString) and plain and isinstance(value.value, (Instruction,)):
        variables.setdefault(value.value, name.text)
