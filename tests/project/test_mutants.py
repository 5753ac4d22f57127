"""The faults that the tests are tried with can still be put into the engine."""

from __future__ import annotations

import shlex

import pytest

from tests import mutants


@pytest.mark.nightly
@pytest.mark.parametrize("mutant", mutants.MUTANTS, ids=lambda mutant: mutant.file.removeprefix("enzyme_magic/"))
def test_the_line_is_there_and_its_tests_are(mutant: mutants.Mutant) -> None:
    text = mutants.mutated(mutant, mutants.ROOT)
    compile(text, mutant.file, "exec")
    files = [word for word in mutant.tests if word.startswith("tests/")]
    assert files, shlex.join(mutant.tests)
    assert all((mutants.ROOT / name).exists() for name in files)
