"""Programs run by programs: data decide what is computed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from .checks import LEVELS, Case, check

PUSH, LOAD, STORE, ADD, SUBTRACT, MULTIPLY, DIVIDE, SINE, DUPLICATE, SWAP, LESS, HALT = range(12)
# do { m1 = sin(m1 + k0); m0 = m0 + m1*m1 } while (m0 < k1); return m0/m1 - k1
CODE = np.array(
    [
        *(LOAD, 1, PUSH, 0, ADD, SINE, STORE, 1),
        *(LOAD, 1, DUPLICATE, MULTIPLY, LOAD, 0, ADD, STORE, 0),
        *(LOAD, 0, PUSH, 1, LESS, 0),
        *(LOAD, 1, LOAD, 0, SWAP, DIVIDE, PUSH, 1, SUBTRACT, HALT),
    ],
    np.int32,
)


def bytecode(code: Any, constants: Any, memory: Any) -> float:
    m0, m1 = memory
    while True:
        m1 = math.sin(m1 + constants[0])
        m0 = m0 + m1 * m1
        if not m0 < constants[1]:
            return float(m0 / m1 - constants[1])


def text(characters: str) -> np.ndarray:
    return np.frombuffer(characters.encode() + b"\0", np.uint8)


def by_name(x: Any, names: Any, n: int) -> float:
    value = x[0]
    value = value + x[1]
    value = value ** x[2]
    value = 0.5 * (value + x[3])
    return float(value * x[4])


def machine(n: int, x: Any) -> float:
    level, total, i, state = 1.0, 0.0, 0, "rise"
    while i < n:
        if state == "rise":
            level *= 1 + x[i]
            i += 1
            state = "fall" if level > 2 else "rise"
            continue
        level /= 1 + x[i] ** 2
        total += level
        i += 1
        if i % 4 == 0:
            total *= 1.1
        if i % 4 in (0, 1):
            level -= 0.1
        elif i % 4 == 2 and level < 1:
            state = "rise"
            continue
        else:
            total += 0.5 * level**2
        state = "fall" if level > 1 else "rise"
    return total + level


CASES = [
    Case("interpreters", "bytecode", lambda r: [CODE, np.array([0.5, 4.3]), r.uniform(0.2, 0.6, 2)], bytecode),
    Case(
        "interpreters",
        "words",
        lambda r: [*map(float, r.uniform(0.3, 1, 3))],
        lambda x, y, z: (x * y + math.sin(x)) / math.exp(z) - x + y * y,
    ),
    Case(
        "interpreters",
        "calculator",
        lambda r: [text("a*(b+2*c)-(a/b-c*c)*(a-3)*-b"), r.uniform(0.5, 2, 3)],
        lambda t, v: v[0] * (v[1] + 2 * v[2]) - (v[0] / v[1] - v[2] ** 2) * (v[0] - 3) * -v[1],
    ),
    Case("interpreters", "by_name", lambda r: [r.uniform(0.5, 2, 5), text("plus power mean times"), 5], by_name),
    Case("interpreters", "machine", lambda r: [12, r.uniform(0.1, 0.6, 12)], machine),
]


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient(case: Case, opt: int) -> None:
    check(case, opt)
