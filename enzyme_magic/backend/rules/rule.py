"""A rule: what the derivative of one operation is.

Invariant: for result j and operand k there is at most one formula, and it gives `d * ∂result_j/∂operand_k`. It is linear in
d, so forward mode (sum over k, d the tangent of operand k) and reverse mode (sum over j, d the adjoint of result j) both
follow from it and cannot drift apart. No formula: the partial is zero everywhere it exists.

Rules are elementwise: what moves lanes or memory about (shuffles, loads, phis) is not described here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.rules.dry_run import reads
from enzyme_magic.backend.rules.emitter import Emitter, Primals, Term

Formula = Callable[[Emitter, Term, Primals], Term]
CHEAP, DEAR = "cheap", "dear"


@dataclass(frozen=True, slots=True)
class Real:
    """Test points of a floating operand: between low and high, near no point of `avoid` (kinks, jumps, poles, and multiples
    of `period`). `logarithmic`: spread over the orders of magnitude (both ends positive)."""

    low: float
    high: float
    avoid: tuple[float, ...] = ()
    period: float | None = None
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class Whole:
    """Test points of an integer operand, both ends included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class OneOf:
    """Test points listed by hand."""

    values: tuple[float, ...]


Domain = Real | Whole | OneOf


@dataclass(frozen=True, slots=True)
class EdgePoint:
    """A point where the derivative is a convention or a limit, and what this package gives there, with d = 1.

    `partials[k]` belongs to operand k of `result`; None is not looked at. NaN stands for "a NaN"; zeros compare equal
    whatever their sign. `why` is the sentence the documentation quotes.
    """

    at: tuple[float, ...]
    partials: tuple[float | None, ...]
    why: str
    result: int = 0


@dataclass(frozen=True, slots=True)
class Contribution:
    """One formula as autodiff uses it: plain values in, plain value out."""

    write: Formula

    def __call__(self, e: Emitter, d: Any, p: Primals) -> Any:
        """d times the partial derivative, written by `e`. `d` and the answer are values of `e` (ir.Value for IR)."""
        return self.write(e, e.term(d), p).value


@dataclass(frozen=True, slots=True)
class Gate:
    """The formula of an operand that is passed on or dropped: `passed` where `condition` is `when`, elsewhere nothing.

    Where it is dropped, nobody asks for the operand (analysis/derivatives/demand.py)."""

    condition: Callable[[Emitter, Primals], Term]
    when: bool
    passed: Formula

    def __call__(self, e: Emitter, d: Term, p: Primals) -> Term:
        condition, passed = self.condition(e, p), self.passed(e, d, p)
        return e.select(condition, passed, 0) if self.when else e.select(condition, 0, passed)


@dataclass(frozen=True, slots=True)
class Rule:
    """The derivative of `operation`.

    operands: how many the operation has, integers and pointers included; results: how many it gives.
    contributions: (result, operand) → Contribution; a missing pair is identically zero.
    formula: the same for people.
    cost: DEAR where the operation is a call into libm, so that its result is worth keeping; CHEAP for a few flops.
    domain: test points per operand; edges: pinned conventions.
    scale: the error is relative to max(|partial|, scale); above 0 where a formula reuses a rounded result on purpose.
    """

    operation: str
    operands: int
    formula: str
    results: int = 1
    contributions: Mapping[tuple[int, int], Contribution] = field(default_factory=dict)
    cost: str = CHEAP
    domain: tuple[Domain, ...] = ()
    edges: tuple[EdgePoint, ...] = ()
    scale: float = 0.0

    def contribution(self, result: int, operand: int) -> Contribution | None:
        """None: the partial is identically zero."""
        return self.contributions.get((result, operand))

    def gate(self, operand: int) -> Gate | None:
        """How the only result passes the operand on or drops it; None where it always asks for it."""
        found = self.contributions.get((0, operand))
        return found.write if found is not None and isinstance(found.write, Gate) else None

    @property
    def active_operands(self) -> frozenset[int]:
        """The operands some result depends on with a derivative."""
        return frozenset(operand for _, operand in self.contributions)

    def needed(self, instruction: Instruction | None, result: int, operand: int) -> frozenset[int | str]:
        """The primals that d(result)/d(operand) of `instruction` reads: operand indices, and "result" for any result of the
        instruction itself; constants are not counted. Empty where the partial is zero. instruction: None asks about one
        without constant operands."""
        contribution = self.contribution(result, operand)
        return frozenset() if contribution is None else reads(contribution, instruction)

    @property
    def linear(self) -> frozenset[int]:
        """Operands whose contributions read no primal whatever the instruction (those of fadd)."""
        return frozenset(
            operand
            for operand in self.active_operands
            if not any(self.needed(None, result, operand) for result in range(self.results))
        )

    @property
    def is_inactive(self) -> bool:
        """Whether no result carries a derivative."""
        return not self.contributions


def rule(
    operation: str,
    formula: str,
    *formulas: Formula | None,
    domain: tuple[Domain, ...] | Domain,
    edges: tuple[EdgePoint, ...] = (),
    cost: str = CHEAP,
    scale: float = 0.0,
) -> Rule:
    """A rule with one result; `formulas[k]` belongs to operand k, None where the partial is zero."""
    return rule_of_results(operation, formula, formulas, domain=domain, edges=edges, cost=cost, scale=scale)


def rule_of_results(
    operation: str,
    formula: str,
    *formulas: tuple[Formula | None, ...],
    domain: tuple[Domain, ...] | Domain,
    edges: tuple[EdgePoint, ...] = (),
    cost: str = CHEAP,
    scale: float = 0.0,
) -> Rule:
    """A rule with several results; `formulas[j][k]` belongs to result j and operand k."""
    return Rule(
        operation=operation,
        operands=len(formulas[0]),
        formula=formula,
        results=len(formulas),
        contributions=MappingProxyType(dict(_contributions(formulas))),
        cost=cost,
        domain=domain if isinstance(domain, tuple) else (domain,),
        edges=edges,
        scale=scale,
    )


def _contributions(table: tuple[tuple[Formula | None, ...], ...]) -> Iterator[tuple[tuple[int, int], Contribution]]:
    for result, row in enumerate(table):
        for operand, formula in enumerate(row):
            if formula is not None:
                yield (result, operand), Contribution(formula)
