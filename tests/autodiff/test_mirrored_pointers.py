"""Pointers without derivatives beside active ones: shadow memory holds their shadows, wherever they were stored."""

from __future__ import annotations

import re

import numpy as np
import pytest

from .harness import check
from .runs import source

SOURCE = source("mirrored.c")
FUNCTIONS = re.findall(r"^double (\w+)\(const double \*x, int k\)", SOURCE, re.M)


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_mirrored(function: str, k: int) -> None:
    check(SOURCE, function, [np.array([1.3, -0.4, 0.7]), k], levels=(0, 2))
