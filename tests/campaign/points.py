"""Where random programs are judged: points at which no two inputs are the same number.

At `fmin(y, b[1])` with y equal to b[1] the function has a kink: the gradient is that of one side, differences are between both.
Invariant: the magnitudes of all real inputs of a point are TIE apart from each other, at least. They are odd multiples of 1/GRID
beside the multiples of 1/CELLS, so that they meet neither a constant of the program nor one of its counts, and are short enough
that a displaced float is exact. It says nothing of what the program computes from them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.autodiff.random_programs import arguments
from tests.autodiff.syntax import Program

LOWEST, HIGHEST = 0.2, 1.6  # of the magnitudes
CELLS = 256  # in which a number has its cell for itself
GRID = 1 << 14
TIE = 0.5 / CELLS


def without_ties(program: Program, attempt: int = 0) -> list[Any]:
    """The arguments of a program; another place for each attempt."""
    made = arguments(program, attempt)
    random = np.random.default_rng([program.seed, attempt, 1])
    count = sum(argument.size if isinstance(argument, np.ndarray) else 1 for argument in made if is_real(argument))
    numbers = _apart(random, count)
    for k, argument in enumerate(made):
        if isinstance(argument, np.ndarray) and is_real(argument):
            made[k] = np.array([next(numbers) for _ in range(argument.size)], argument.dtype)
        elif is_real(argument):
            made[k] = next(numbers)
    return made


def is_real(argument: Any) -> bool:
    """Whether an argument is a real number or an array of some."""
    return argument.dtype.kind == "f" if isinstance(argument, np.ndarray) else isinstance(argument, float)


def _apart(random: Any, count: int) -> Any:
    """Numbers of random sign, each in the middle half of a cell of its own."""
    first, last = round(LOWEST * CELLS), round(HIGHEST * CELLS)
    cells = random.permutation(last - first)[:count] + first
    width = GRID // CELLS
    places = cells * width + width // 4 + 2 * random.integers(0, width // 4, count) + 1
    return iter((places * random.choice([-1, 1], count) / GRID).tolist())
