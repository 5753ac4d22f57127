"""Stores of which only the last one counts: moved behind a loop, in random nests, they leave memory as it was; and what stays."""

from __future__ import annotations

import random

import pytest

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.memory.last_stores import last_stores
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.prepare import sunk_stores
from enzyme_magic.backend.prepare.preprocess import prepare

from .compiled import Compiled, compiled
from .interpreter import Machine

PROGRAMS = 60
SIZES = (0, 1, 2, 3, 5)


def _sunk(program: Compiled, name: str) -> tuple[Function, list[int]]:
    """The function with its stores moved, and how many loops each of them has left."""
    prepared = prepare(program.function(name), program.layout)
    alias = Alias.of(prepared.function, Effects.of(program.module), program.layout)
    found = last_stores(alias, prepared.dominators)
    for last in found:
        sunk_stores.sink(last.store, last.loops)
    return prepared.function, [len(last.loops) for last in found]


def _memory(program: Compiled, function: Function, n: int) -> dict[int, tuple[float, int]]:
    machine = Machine(program.layout)
    x = machine.allocate("x")
    for k in range(-16, 32):
        machine.write(x + 8 * k, float(k * k + 1), 8)
    machine.run(function, [x, n])
    return machine.memory


def _index(draw: random.Random, names: str) -> str:
    factors = [f"{draw.choice((0, 1, 1, -1, 2))}*{v}" for v in names]
    return " + ".join([str(draw.randint(-2, 2)), *factors])


def _nest(draw: random.Random, name: str) -> str:
    """Two or three loops; stores to what does not change in the innermost one, and a load that may meet them."""
    names = "ijk"[: draw.choice((2, 2, 3))]
    inner = [f"x[{_index(draw, names[:-1])}] = s;" for _ in range(draw.choice((1, 1, 2)))]
    body = " ".join(draw.sample([f"s += x[{_index(draw, names)}];", *inner], len(inner) + 1))
    for level in reversed(range(len(names))):
        v, bound = names[level], draw.choice(["n", *names[:level]])
        start = draw.choice(["0", "1", *(f"{outer} + 1" for outer in names[:level])])
        body = f"for (long {v} = {start}; {v} < {bound}; {v}++) {{ {body} }}"
    return f"void {name}(double *x, long n) {{ double s = 0; {body} }}"


@pytest.mark.parametrize("level", [1, 2])
def test_moved_stores_leave_memory_as_it_was(level: int) -> None:
    draw = random.Random(5)
    texts = [_nest(draw, f"f{k}") for k in range(PROGRAMS)]
    program = compiled("\n".join(texts), level)
    moved = 0
    for k, text in enumerate(texts):
        function, loops = _sunk(program, f"f{k}")
        if loops:
            moved += 1
            for n in SIZES:
                assert _memory(program, function, n) == _memory(program, program.function(f"f{k}"), n), text
    assert moved >= PROGRAMS // 8


def _loops(body: str, parameters: str = "double *restrict x, const double *restrict l, double *y, int n") -> list[int]:
    return _sunk(compiled(f"#include <math.h>\ndouble sink(void);\nvoid f({parameters}) {{ {body} }}", 2), "f")[1]


TRIANGLE = "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) x[i] -= l[i*n + j]*x[j];"


def test_a_triangular_solve_stores_once_for_each_row() -> None:
    assert _loops(TRIANGLE) == [1]


def test_calls_that_only_compute_do_not_hold_a_store() -> None:
    assert _loops(TRIANGLE.replace("*x[j]", "*sin(x[j])")) == [1]


@pytest.mark.parametrize(
    "body",
    [
        TRIANGLE.replace("j < i", "j <= i"),  # reads its own element
        TRIANGLE.replace("x[j];", "y[j];").replace("x[i]", "y[j/2]"),  # another element in other iterations
        "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) if (l[j] > 0) x[i] -= x[j];",  # not in every iteration
        "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { x[i] -= x[j]; if (x[i] < 0) break; }",  # a second way out
        "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { y[i] -= l[j]; x[j] = y[j + 1]; }",  # read later on
        TRIANGLE.replace("x[i] -=", "*(volatile double *)&x[i] =") + " /* nobody knows who looks */",
        TRIANGLE.replace("x[i] -= ", "{ x[i] -= sink(); x[i] -= ") + "}",  # whoever is called may read it
    ],
)
def test_what_may_be_seen_stays(body: str) -> None:
    assert _loops(body) == []


def test_a_store_leaves_all_loops_that_it_can() -> None:
    rows = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[0] -= l[i*n + j]*y[n - j];"
    assert _loops(rows) == [2]
    assert _loops(rows.replace("y[0]", "y[i]").replace("y[n - j]", "y[j + n]")) == [1]
