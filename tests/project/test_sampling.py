"""Every change is tried at the levels that matter most, and every night at all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import sampling
from tests.autodiff import harness


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = sampling.everything()
    yield
    sampling.choose(nightly=before)


def test_only_the_nightly_run_tries_everything(pytestconfig: pytest.Config) -> None:
    """Else each change would wait for what only the night has time for, and nothing would say so."""
    assert sampling.everything() == (pytestconfig.getoption("--hypothesis-profile") == "nightly")


def test_the_nightly_run_tries_the_full_product() -> None:
    sampling.choose(nightly=True)
    assert sampling.levels("any") == (0, 1, 2, 3)
    assert harness._ways("any", "f", None, None) == [(level, cut) for level in (0, 1, 2, 3) for cut in (True, False)]


def test_memory_and_the_default_level_are_always_tried_and_the_others_by_many() -> None:
    sampling.choose(nightly=False)
    chosen = [sampling.levels(f"source {k}") for k in range(200)]
    assert all({0, 2} <= set(levels) for levels in chosen)
    assert all(sum(level in levels for levels in chosen) > 30 for level in (1, 3))


def test_each_function_has_both_plans() -> None:
    sampling.choose(nightly=False)
    conservative = set()
    for k in range(20):
        ways = harness._ways("any", f"f{k}", None, None)
        assert [level for level, cut in ways if cut] == list(sampling.levels("any"))
        (level,) = (level for level, cut in ways if not cut)
        conservative.add(level)
    assert conservative == set(sampling.levels("any"))


def test_what_a_test_asks_for_itself_is_tried() -> None:
    sampling.choose(nightly=False)
    assert harness._ways("any", "f", (1, 3), (False,)) == [(1, False), (3, False)]
