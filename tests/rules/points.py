"""Test points of a rule, drawn from its domain: the same in every run, and exact in float, so that one reference value
serves every floating type."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Iterator

from enzyme_magic.backend.rules.formulas.special import polygamma
from enzyme_magic.backend.rules.registry import RULES
from enzyme_magic.backend.rules.rule import Domain, OneOf, Real, Rule, Whole

ALL_RULES: dict[str, Rule] = {**RULES, **{f"polygamma.{n}": polygamma(n) for n in (0, 1, 2)}}


def is_integer(rule: Rule, operand: int) -> bool:
    """Whether the operand is an integer (or a truth value), which has no derivative."""
    domain = rule.domain[operand]
    return isinstance(domain, Whole) or (isinstance(domain, OneOf) and all(isinstance(v, int) for v in domain.values))


def points(rule: Rule, count: int, inset: float = 0.0) -> list[tuple[float | int, ...]]:
    """`count` points, ends of the ranges included. inset: stay away from ends, kinks and poles by this part of the range."""
    source = random.Random(rule.operation)
    columns = [list(_column(domain, count, source, inset)) for domain in rule.domain]
    return list(zip(*columns, strict=True))


def _column(domain: Domain, count: int, source: random.Random, inset: float) -> Iterator[float | int]:
    if isinstance(domain, OneOf):
        return (domain.values[k % len(domain.values)] for k in range(count))
    if isinstance(domain, Whole):
        return iter([domain.low, domain.high, *(source.randint(domain.low, domain.high) for _ in range(count - 2))])
    return _reals(domain, count, source, inset)


def _reals(domain: Real, count: int, source: random.Random, inset: float) -> Iterator[float]:
    low, high = (math.log(domain.low), math.log(domain.high)) if domain.logarithmic else (domain.low, domain.high)
    margin = inset * (high - low)
    gap = max(margin, 1e-3 * (high - low)) if not domain.logarithmic else 0.0
    given = 0
    while given < count:
        # Both ends once, then anywhere between; an order of its own for each operand keeps ends from meeting always.
        raw = {0: low + margin, 1: high - margin}.get(given, source.uniform(low + margin, high - margin))
        value = _float(math.exp(raw) if domain.logarithmic else raw)
        if given > 1 and not _is_fine(domain, value, gap):
            continue
        given += 1
        yield value


def _is_fine(domain: Real, value: float, gap: float) -> bool:
    if any(abs(value - point) <= gap for point in domain.avoid):
        return False
    if domain.period is None:
        return True
    return abs(math.remainder(value, domain.period)) > 0.1 * domain.period


def _float(value: float) -> float:
    """The nearest single-precision number."""
    single: float = struct.unpack("f", struct.pack("f", value))[0]
    return single
