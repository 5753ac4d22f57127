"""What a function knows of the arrays that it gives to another one: where it helps, and where it would be wrong."""

from __future__ import annotations

import re

import numpy as np
import pytest

import enzyme_magic as em

from .harness import check
from .runs import source

SOURCE = source("separate_arguments.c")
X = np.array([0.35, 0.85, 0.15, 0.95, 0.55])
TABLE = np.array([1.1, 0.9, 1.2, 0.8, 1.3])


@pytest.mark.parametrize("function", ["same", "changed", "chained", "held", "variable"])
def test_one_array(function: str) -> None:
    check(SOURCE, function, [len(X), X])


@pytest.mark.parametrize("function", ["fresh", "recursive", "nested"])
@pytest.mark.parametrize("wrt", [(1,), (1, 2)])
def test_two_arrays(function: str, wrt: tuple[int, ...]) -> None:
    check(SOURCE, function, [len(X), X, TABLE], wrt)


def said(function: str, called: str, wrt: str = "x") -> list[str]:
    """What the plan says of the table of a called function, in each of its derivatives."""
    plan = getattr(em.compile_c(SOURCE), function).plan(wrt=wrt)
    functions = [text for text in plan.split("\n\n") if re.match(rf"\S+: {called}, split", text)]
    return [
        line.removeprefix("  parameter %table: ") for text in functions for line in re.findall(r".*%table:.*", text)
    ]


def test_what_a_plan_says_of_the_table() -> None:
    assert said("fresh", "scaled") == ["constant, not changed afterwards, noalias"]
    assert said("nested", "inner") == ["constant, not changed afterwards, noalias"]
    assert "noalias" not in said("same", "scaled")[0]
    assert "not changed" not in said("changed", "scaled")[0]
    assert "not changed" not in said("chained", "scaled")[0]
    assert "noalias" not in said("held", "through")[0]


def test_a_table_that_is_only_read_is_not_kept() -> None:
    f = em.compile_c(SOURCE).fresh
    em.grad(f, wrt="x")(len(X), X, TABLE)
    assert "load (line 10): the caller may change table" not in f.plan(wrt="x")
    assert f.plan(wrt="x").count("store primal of load (line 10)") == 1  # y alone
