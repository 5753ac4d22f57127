"""Adjoints in memory that a reversed block holds: places that meet at run time, and what is not loaded and stored any more."""

from __future__ import annotations

import itertools
import re
from functools import cache
from random import Random

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.autodiff.held_adjoints import AdjointPlace, HeldAdjoints
from enzyme_magic.backend.autodiff.sweeps.adjoints import FREE_ORDER
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Load, Store
from enzyme_magic.backend.ir.types import DOUBLE, POINTER
from enzyme_magic.backend.ir.values import Argument, Block, Value

BODIES = {
    "added": "a[i] += b[j]*c; b[k] += a[j]*a[i]; a[k] += b[i]*b[k];",
    "replaced": "a[i] = a[j]*b[k]; a[j] = a[i]*c; b[i] = a[k]*b[j]; a[k] = b[i] + a[j];",
    "exchanged": "double t = a[i]; a[i] = a[j]; a[j] = t*b[k]; t = b[i]; b[i] = b[k]*c; b[k] = t; a[k] *= a[j];",
    "cleared": "a[i] = 0; a[j] += b[k]*c; b[i] = 2; b[j] *= a[k]; a[k] = b[i]*a[j]; a[i] -= a[k]*a[k];",
    "written twice": "a[i] = b[k]*c; b[j] = a[j]*a[j]; a[i] = b[j]*a[k]; a[j] += a[i]; b[k] = a[j]; a[j] = b[j]*a[i];",
    "one array": "a[i] += a[j]*a[k]; a[j] = a[i]*a[i]; a[k] -= a[j]*c; a[i] = a[k]; a[j] += a[i]*a[k];",
    "pairs": "struct pair *p = (struct pair *)a; p[i].x += p[j].y*c; p[j] = p[k]; p[k].y = p[i].x*p[j].x; p[i].y *= p[k].x;",
}
LOOPS = """
double rows(int n, const double *l, const double *c, double *out)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            out[i] += l[j*n + i]*c[j];
    for (int i = 0; i < n; i++)
        sum += out[i]*out[i];
    return sum;
}
double near(int n, int step, double *a)
{
    double sum = 0;
    for (int i = 0; i + step < n; i++) {
        double x = a[i], y = a[i + step];
        a[i + step] = x*y;
        a[i] += y;
    }
    for (int i = 0; i < n; i++)
        sum += a[i]*a[i];
    return sum;
}
"""
N = 4


@cache
def program(opt: int = 2, strict: bool = False) -> em.Program:
    functions = [
        f"double f{number}(int i, int j, int k, double c, double a[8], double b[8])\n{{\n    {body}\n"
        "    double sum = 0;\n    for (int l = 0; l < 8; l++)\n        sum += (l + 1)*a[l] + (9 - l)*b[l]*a[l];\n"
        "    return sum;\n}\n"
        for number, body in enumerate(BODIES.values())
    ]
    return em.compile_c("struct pair { double x, y; };\n" + "".join(functions) + LOOPS, opt=opt, strict=strict)


class Machine:
    """Memory of numbers: what is written with held adjoints, executed, beside what each step does at once."""

    def __init__(self, random: Random) -> None:
        self.pointers = [Argument(POINTER, f"p{k}", EMPTY, k) for k in range(4)]
        self.addresses: dict[Value, int] = {pointer: random.randrange(3) for pointer in self.pointers}
        self.accesses = [Load("load", DOUBLE, [pointer]) for pointer in self.pointers]
        self.known = {frozenset(pair) for pair in itertools.combinations(self.accesses, 2) if random.random() < 0.5}
        self.builder = Builder(Block(""))
        self.held = HeldAdjoints(self.apart, FREE_ORDER, lambda written, instruction: None)
        self.memory = {address: 2.0**address for address in range(3)}
        self.values: dict[Value, float] = {}
        self.taken: list[tuple[Value, float]] = []

    def apart(self, a: Load | Store, b: Load | Store) -> bool:
        return frozenset([a, b]) in self.known and self.addresses[a.pointer] != self.addresses[b.pointer]

    def step(self, random: Random) -> None:
        access = random.choice(self.accesses)
        address = self.addresses[access.pointer]
        place = AdjointPlace(access, 0, 8, DOUBLE, access.pointer, 8)
        if random.random() < 0.5:
            part = Argument(DOUBLE, "part", EMPTY, 0)
            self.values[part] = random.randrange(100)
            self.held.add(self.builder, place, part)
            self.memory[address] += self.values[part]
        else:
            found = self.held.take(self.builder, place, read=random.random() < 0.8)
            self.taken += [(found, self.memory[address])] if found is not None else []
            self.memory[address] = 0.0

    def executed(self) -> dict[int, float]:
        memory = {address: 2.0**address for address in range(3)}
        for i in self.builder.block.instructions:
            if isinstance(i, Load):
                self.values[i] = memory[self.addresses[i.pointer]]
            elif isinstance(i, Store):
                memory[self.addresses[i.pointer]] = self.value(i.value)
            else:
                self.values[i] = self.value(i.operands[0]) + self.value(i.operands[1])
        return memory

    def value(self, of: Value) -> float:
        return 0.0 if of == constants.zero(DOUBLE) else self.values[of]


@pytest.mark.parametrize("length", [2, 4, 8, 60])
def test_any_order_of_additions_and_takings(length: int) -> None:
    for seed in range(400):
        random = Random(seed)
        machine = Machine(random)
        for _ in range(length):
            machine.step(random)
        machine.held.settle(machine.builder)
        assert machine.executed() == machine.memory, seed
        assert [machine.value(found) for found, _ in machine.taken] == [wanted for _, wanted in machine.taken], seed


@pytest.mark.parametrize("number", range(len(BODIES)), ids=BODIES)
def test_places_that_are_the_same_in_some_calls(number: int) -> None:
    random, opt = np.random.default_rng(number), 2 * (number % 2)
    c, a, b = 1.3, random.uniform(0.5, 1.5, 8), random.uniform(0.5, 1.5, 8)
    ours, strict = (em.grad(program(opt, s)[f"f{number}"], wrt=("c", "a", "b")) for s in (False, True))
    for places in itertools.product(range(3), repeat=3):
        got, wanted = ours(*places, c, a.copy(), b.copy()), strict(*places, c, a.copy(), b.copy())
        for name in ("c", "a", "b"):
            np.testing.assert_allclose(getattr(got, name), getattr(wanted, name), rtol=1e-12, atol=1e-13)
    em.check_grads(program(opt)[f"f{number}"], (1, 1, 2, c, a, b), wrt=("c", "a", "b"))


@pytest.mark.parametrize("step", range(4))
def test_elements_that_may_be_one(step: int) -> None:
    em.check_grads(program().near, (9, step, np.random.default_rng(step).uniform(0.5, 1.1, 9)), wrt="a")


def _reversed_inner_loop(strict: bool) -> str:
    text = program(2, strict).rows.ir("gradient", wrt=("l", "c", "out"))
    bodies = re.findall(r"^(\S+\.reverse):\n((?:  .*\n)*)", text, re.M)
    (body,) = [body for _, body in bodies if re.search(r"%\S*l_shadow", body)]
    return body


def test_an_element_that_is_added_to_keeps_its_adjoint() -> None:
    """`out[i] += …` takes the adjoint of out[i] and gives it back: nothing to store, beside what goes to l."""
    to_memory = re.compile(r"store double \S+, ptr %\S*shadow")
    assert len(to_memory.findall(_reversed_inner_loop(strict=False))) == 1
    assert len(to_memory.findall(_reversed_inner_loop(strict=True))) == 3


def test_products_are_added_as_c_compilers_add_them() -> None:
    """But not to memory: the next iteration may add to the same place, and waits for no product."""
    text = _reversed_inner_loop(strict=False)
    assert re.search(r"fmul contract double", text)
    assert re.search(r"fadd reassoc nsz double", text)
    assert "contract" not in program(2, True).rows.ir("gradient", wrt=("l", "c", "out"))
