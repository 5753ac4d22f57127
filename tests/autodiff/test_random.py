"""125 random programs, 200 every night (nightly.py runs thousands), the generator itself, and the shrinker."""

from __future__ import annotations

import numpy as np
import pytest

from .random_checks import OK, REFUSED, UNIT, UNSETTLED, Outcome, Ways, check_unit, programs_of
from .random_programs import arguments, generate, histogram, translation_unit
from .runs import point_of, program, run_primal
from .shrinking import shrink
from .syntax import Program

UNITS = 8
# Each level, both plans, and a unit with the slow passes after AD; the others every night.
EVERY_CHANGE = (0, 1, 2, 3, 6)


def ways_of(unit: int) -> Ways:
    """One level and one cache plan per unit, so that all are met; mostly without the slow passes after AD."""
    return Ways((unit % 4,), (unit % 3 == 0,), 3 if unit == 6 else 0)


@pytest.mark.parametrize(
    "unit", [pytest.param(unit, marks=() if unit in EVERY_CHANGE else pytest.mark.nightly) for unit in range(UNITS)]
)
def test_random_programs(unit: int) -> None:
    outcomes = check_unit(programs_of(unit), ways_of(unit))
    bad = [o for o in outcomes if o.status not in (OK, REFUSED, UNSETTLED)]
    assert not bad, "\n\n".join(f"seed {o.seed} {o.status}: {o.message}" for o in bad)
    counts = {status: sum(o.status == status for o in outcomes) for status in (REFUSED, UNSETTLED)}
    assert counts[UNSETTLED] <= 2, outcomes
    assert counts[REFUSED] <= 1, "\n".join(o.message for o in outcomes if o.status == REFUSED)


@pytest.mark.nightly
@pytest.mark.timeout(8 * 3600)
def test_many_random_programs() -> None:
    from .nightly import main

    assert main(["--programs", "5000"]) == 0


def test_programs_are_the_same_for_the_same_seed() -> None:
    assert translation_unit(programs_of(3)) == translation_unit(programs_of(3))
    first, second = arguments(generate(7)), arguments(generate(7))
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_every_construct_is_frequent() -> None:
    programs = [generate(seed) for seed in range(1000)]
    rare = {name: share for name, share in histogram(programs).items() if share < 0.05}
    assert not rare


def test_programs_are_finite() -> None:
    programs = programs_of(0)
    compiled = program(translation_unit(programs), 0, 0)
    for made in programs:
        at = arguments(made)
        signature = compiled.signatures[made.name]
        value, memory = run_primal(
            compiled, made.name, point_of(signature, compiled.primal(made.name).written, at, None)
        )
        assert np.isfinite(value), made.seed
        memory.check(made.name)


def test_shrinking_keeps_the_failure_and_drops_the_rest() -> None:
    def fails(candidate: Program) -> bool:
        return "memmove" in candidate.text()

    big = next(p for p in map(generate, range(500)) if fails(p) and len(p.text()) > 2000)
    small = shrink(big, fails, tries=2000)
    assert fails(small)
    left = [statement.construct for function in small.functions for statement in function.body if statement.construct]
    assert left == ["memcpy, memmove, memset"]


def test_kind_of_a_failure_has_no_numbers() -> None:
    assert Outcome(1, "wrong", "|derivative 0 is 1.5").kind == Outcome(2, "wrong", "|derivative 3 is 2.5").kind
    assert UNIT == 25
