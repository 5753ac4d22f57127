"""Trip counts against running the loop: every comparison, step, shape and flag, at the edges of a six-bit integer."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from enzyme_magic.backend.analysis.counts.affine import Evolution
from enzyme_magic.backend.analysis.counts.tripcount import LONGEST, TripCount, trip_count
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import find
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import I64, FunctionType
from enzyme_magic.backend.llvm.objects import jit

BITS = 6
LOW, HIGH, PERIOD = -(1 << BITS - 1), (1 << BITS - 1) - 1, 1 << BITS
EDGES = (LOW, LOW + 1, LOW + 2, -4, -1, 0, 1, 2, 7, HIGH - 2, HIGH - 1, HIGH)
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
MANY = LONGEST.value


def count_of(function: Function, module: Module, header: str = "header") -> TripCount | None:
    layout, dominators = DataLayout.of(module), DominatorTree.of(function)
    evolution = Evolution(layout, find(function, dominators), dominators)
    loop = next(loop for loop in evolution.loops.loops if loop.header.name == header)
    return trip_count(loop, evolution)


def only_count(function: Function, count: TripCount) -> None:
    """Turn the function into one that returns the count; the preheader is its entry."""
    entry = function.entry
    builder = Builder(entry, before=entry.terminator)
    result = count.emit(builder, lambda value: value)
    entry.instructions.pop()
    Builder(entry).ret(result)
    function.blocks = [entry]
    function.function_type = FunctionType(I64, function.function_type.parameters)


# --- the loops


@dataclass(frozen=True)
class Shape:
    """`first`: the test comes before the increment, at the loop's top; else after it, at the bottom."""

    predicate: str
    step: int
    first: bool
    flags: str

    @property
    def name(self) -> str:
        words = (self.predicate, "up" if self.step > 0 else "down", str(abs(self.step)), self.flags.replace(" ", "_"))
        return "_".join([*words, "first" if self.first else "last"])

    def text(self) -> str:
        add = f"%next = add {self.flags} i{BITS} %x, {self.step}"
        test = f"%stay = icmp {self.predicate} i{BITS} {'%x' if self.first else '%next'}, %b"
        top = f"{test}\n  br i1 %stay, label %latch, label %exit" if self.first else "br label %latch"
        bottom = f"{add}\n  {'br label %header' if self.first else f'{test}{chr(10)}  br i1 %stay, label %header, label %exit'}"
        return f"""define void @{self.name}(i{BITS} %a, i{BITS} %b) {{
entry:
  br label %header
header:
  %x = phi i{BITS} [ %a, %entry ], [ %next, %latch ]
  {top}
latch:
  {bottom}
exit:
  ret void
}}
"""

    def run(self, a: int, b: int) -> int | None:
        """Header iterations; None: the program is undefined; MANY: it never ends."""
        x = a
        for iteration in range(1, 2 * PERIOD):
            following = x + self.step
            poison = ("nsw" in self.flags and not LOW <= following <= HIGH) or (
                "nuw" in self.flags and not x % PERIOD + self.step % PERIOD < PERIOD
            )
            if not self.first and poison:
                return None
            following = (following - LOW) % PERIOD + LOW
            if not holds(self.predicate, x if self.first else following, b):
                return iteration
            if poison:
                return None
            x = following
        return MANY


def holds(predicate: str, x: int, y: int) -> bool:
    if predicate[0] == "u":
        x, y = x % PERIOD, y % PERIOD
    sign = predicate.lstrip("su") if predicate not in ("eq", "ne") else predicate
    return {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[sign]


SHAPES = [
    Shape(*choice)
    for choice in itertools.product(PREDICATES, (1, -1, 2, 3, -3), (True, False), ("", "nsw", "nuw", "nuw nsw"))
]


@dataclass(frozen=True)
class Counted:
    """The emitted count as a native function; None where there is none."""

    native: Callable[[int, int], int] | None
    exact: bool = False


@pytest.fixture(scope="module")
def counted() -> dict[Shape, Counted]:
    """For each shape its emitted count as a native function."""
    module = parser.parse("\n".join(shape.text() for shape in SHAPES))
    found = {}
    for shape in SHAPES:
        function = module.functions[shape.name]
        count = count_of(function, module)
        found[shape] = count
        if count is None:
            del module.functions[shape.name]
        else:
            assert count.complete
            only_count(function, count)
    names = [shape.name for shape in SHAPES if found[shape] is not None]
    library = jit.Library.load([jit.compile_object(printer.print_module(module), 1)], names)
    return {
        shape: Counted(None) if count is None else Counted(native(library, shape.name), count.exact)
        for shape, count in found.items()
    }


def native(library: jit.Library, name: str) -> Callable[[int, int], int]:
    """The function, which keeps its library."""
    type_ = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_int8, ctypes.c_int8)
    return lambda a, b: int(type_(library.address(name))(a, b))


def runs(shape: Shape) -> Iterator[tuple[int, int, int]]:
    for a, b in itertools.product(EDGES, EDGES):
        count = shape.run(a, b)
        if count is not None:
            yield a, b, count


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_never_less_than_the_loop_runs(shape: Shape, counted: dict[Shape, Counted]) -> None:
    count = counted[shape]
    if count.native is None:
        return
    for a, b, ran in runs(shape):
        claimed = count.native(a, b)
        assert claimed >= ran, (a, b)
        assert claimed == ran or claimed >= MANY, (a, b)
        assert claimed == ran or ran == MANY or not count.exact, (a, b)


USUAL = [
    *(Shape(*choice) for choice in itertools.product(("slt", "sle", "ne"), (1,), (True, False), ("", "nsw"))),
    Shape("ult", 2, False, ""),
    Shape("slt", 3, True, "nsw"),
    Shape("uge", -3, True, ""),
]


@pytest.mark.parametrize("shape", USUAL, ids=lambda shape: shape.name)
def test_usual_loops_are_counted(shape: Shape, counted: dict[Shape, Counted]) -> None:
    """Away from the edges the count is not only a bound."""
    count = counted[shape].native
    assert count is not None
    inner = [(a, b, ran) for a, b, ran in runs(shape) if abs(a) <= 7 and b == 7]
    assert len(inner) > 3
    assert any(ran > 2 for _, _, ran in inner)
    assert [count(a, b) for a, b, _ in inner] == [ran for _, _, ran in inner]


def test_walking_away_from_the_bound_is_not_counted(counted: dict[Shape, Counted]) -> None:
    for shape in SHAPES:
        away = shape.predicate == "eq" or (shape.predicate[1] == "l" and shape.step < 0)
        away = away or (shape.predicate[1] == "g" and shape.step > 0)
        assert (counted[shape].native is None) == away, shape.name


def test_exact_means_no_way_to_wrap(counted: dict[Shape, Counted]) -> None:
    assert counted[Shape("slt", 1, True, "")].exact
    assert counted[Shape("ne", 1, False, "")].exact
    assert counted[Shape("slt", 3, True, "nsw")].exact
    assert not counted[Shape("slt", 3, True, "")].exact
    assert not counted[Shape("ult", 2, False, "")].exact
    assert not counted[Shape("ne", 3, True, "")].exact


# The ways to write the test of the loop `slt_up_1_nsw_first`.
WRITTEN = {
    "leaving": f"%stay = icmp sge i{BITS} %x, %b\n  br i1 %stay, label %exit, label %latch",
    "the bound first": f"%stay = icmp sgt i{BITS} %b, %x\n  br i1 %stay, label %latch, label %exit",
    "leaving, the bound first": f"%stay = icmp sle i{BITS} %b, %x\n  br i1 %stay, label %exit, label %latch",
    "negated": f"%over = icmp sge i{BITS} %x, %b\n  %stay = xor i1 %over, true\n  br i1 %stay, label %latch, label %exit",
}


def test_however_the_test_is_written_the_count_is_the_same(counted: dict[Shape, Counted]) -> None:
    usual = Shape("slt", 1, True, "nsw")
    test = f"%stay = icmp slt i{BITS} %x, %b\n  br i1 %stay, label %latch, label %exit"
    assert test in usual.text()
    texts = [usual.text().replace(test, other).replace(usual.name, f"w{k}") for k, other in enumerate(WRITTEN.values())]
    module = parser.parse("\n".join(texts))
    for k, function in enumerate(list(module.definitions())):
        count = count_of(function, module)
        assert count is not None, list(WRITTEN)[k]
        assert (count.complete, count.exact) == (True, True)
        only_count(function, count)
    names = [f"w{k}" for k in range(len(WRITTEN))]
    library = jit.Library.load([jit.compile_object(printer.print_module(module), 1)], names)
    wanted = counted[usual].native
    assert wanted is not None
    for name in names:
        found = native(library, name)
        assert all(found(a, b) == wanted(a, b) for a, b in itertools.product(EDGES, EDGES)), name


def test_one_of_two_conditions_to_stay_is_no_bound() -> None:
    usual = Shape("slt", 1, True, "nsw")
    before = f"%stay = icmp slt i{BITS} %x, %b"
    first, second = before.replace("%stay", "%one"), f"%two = icmp slt i{BITS} %x, 7"

    def with_both(how: str) -> TripCount | None:
        text = usual.text().replace(before, f"{first}\n  {second}\n  %stay = {how} i1 %one, %two")
        module = parser.parse(text)
        return count_of(next(iter(module.definitions())), module)

    assert with_both("or") is None
    both = with_both("and")
    assert both is not None
    assert len(both.exits) == 2
