"""Every change is tried at the levels that matter most, and every night at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

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


def test_each_family_with_a_share_is_there() -> None:
    """A test that was renamed would be run whole, and nobody would know that its line is dead."""
    tests = Path(sampling.__file__).parent
    for name in sampling.SHARES:
        file, _, test = name.partition("::")
        assert re.search(rf"^def {test}\(", (tests / file).read_text(encoding="utf-8"), re.M), name


def test_a_share_is_the_same_part_each_time_and_never_nothing() -> None:
    name, parts = max(sampling.SHARES.items(), key=lambda item: item[1])
    file, _, test = name.partition("::")

    def tried(count: int) -> list[str]:
        items = [_Member(Path(sampling.__file__).parent / file, test, k) for k in range(count)]
        sampling.mark_nightly(items)  # type: ignore[arg-type]
        return [item.nodeid for item in items if not item.nightly]

    assert tried(5 * parts) == tried(5 * parts)
    assert (len(tried(5 * parts)), len(tried(1))) == (5, 1)


class _Member:
    """What is read of a test that was collected."""

    def __init__(self, path: Path, test: str, number: int) -> None:
        self.path, self.originalname, self.nodeid, self.nightly = path, test, f"{path}::{test}[{number}]", False

    def get_closest_marker(self, name: str) -> None:
        assert name == "nightly"

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.nightly = mark.name == "nightly"
