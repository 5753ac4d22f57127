"""What a pass is for, in numbers: each sentence is counted again with our own parser, which the captions do not use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

import pytest

import enzyme_magic as em
from enzyme_magic.api.passes import PassTable
from enzyme_magic.backend.explain.passes import effects, listing
from enzyme_magic.backend.explain.passes.words import WORDS, spoken
from enzyme_magic.backend.ir.graphs import loops
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Branch, Call, Instruction, Phi
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.backend.ir.types import IntType, VectorType, VoidType

SOURCE = """#include <math.h>
#include <string.h>
static double part(const double *A, const double *x, int n, int i) {
  double s = 0;
  for (int j = 0; j < n; j++) s += A[i*n + j] * x[j];
  return s;
}
double form(const double *A, const double *x, int n) {
  double s = 0, t[4];
  for (int i = 0; i < n; i++) s += x[i] * part(A, x, n, i);
  for (int i = 0; i < 4; i++) t[i] = x[i] > 0 ? sin(x[i]) : x[i];
  for (int i = 0; i < 4; i++) s += t[i] * t[i];
  return s;
}
void scaled(double *y, const double *x, int n, int twice) {
  double c[8];
  memcpy(c, x, sizeof c);
  for (int i = 0; i < n; i++) {
    if (twice) y[i] = 2*x[i]*c[i % 8];
    else y[i] = exp(x[i])*x[i];
  }
}
"""
Steps = list[tuple[str, Module, Module, Mapping[str, listing.Listed]]]


@pytest.fixture(scope="module")
def steps() -> Steps:
    program = em.compile_c(SOURCE, cpu="x86-64-v3")
    found: Steps = []
    for name in ("form", "scaled"):
        table: PassTable = program[name].passes()
        parsed = [parser.parse(table.text(k)) for k in range(len(table) + 1)]
        for k, step in enumerate(table):
            found.append((step.caption, parsed[k], parsed[k + 1], listing.functions(table.text(k))))
    return found


def instructions(module: Module) -> Iterator[Instruction]:
    return (i for f in module.definitions() for i in f.instructions())


def all_loops(module: Module) -> list[Loop]:
    return [loop for f in module.definitions() for loop in loops.find(f).loops]


def opcodes(*wanted: str) -> Callable[[Module], int]:
    return lambda module: sum(i.opcode in wanted for i in instructions(module))


def values(module: Module) -> int:
    return sum(not isinstance(i.type, VoidType) and not isinstance(i, Phi) for i in instructions(module))


def with_a_test(module: Module) -> int:
    return sum(isinstance(i, Branch) and bool(i.operands) for i in instructions(module))


def at_the_end(module: Module) -> int:
    return sum(any(t not in loop.blocks for b in loop.latches for t in b.successors) for loop in all_loops(module))


def counters(module: Module) -> int:
    return sum(
        isinstance(i, Phi) and isinstance(i.type, IntType)
        for loop in all_loops(module)
        for i in loop.header.instructions
    )


def on_vectors(module: Module) -> int:
    found = all_loops(module)
    inner = [loop for loop in found if not any(other.parent is loop for other in found)]
    return sum(any(map(is_vector, (i for b in loop.blocks for i in b.instructions))) for loop in inner)


def is_vector(i: Instruction) -> bool:
    return any(isinstance(type_, VectorType) for type_ in (i.type, *(o.type for o in i.operands)))


def copies(kind: str) -> Callable[[Module], int]:
    return lambda module: sum(
        isinstance(i, Call) and i.called_function is not None and i.called_function.name.startswith(f"llvm.{kind}.")
        for i in instructions(module)
    )


COUNTED: Mapping[str, tuple[int, Callable[[Module], int]]] = {  # sentence, its sign, what is counted
    r"(\d+) local variables? or arrays? no longer": (-1, opcodes("alloca")),
    r"(\d+) fewer memory reads?": (-1, opcodes("load")),
    r"(\d+) fewer memory writes?": (-1, opcodes("store")),
    r"(\d+) values? fewer to compute": (-1, values),
    r"(\d+) fewer floating operations?": (-1, opcodes("fadd", "fsub", "fmul", "fdiv", "frem", "fneg")),
    r"(\d+) fewer conditional branch(?:es)?": (-1, with_a_test),
    r"(\d+) more choices? without a branch": (1, opcodes("select")),
    r"(\d+) more loops? (?:is|are) tested at the end": (1, at_the_end),
    r"(\d+) fewer loop counters?": (-1, counters),
    r"(\d+) fewer integer conversions?": (-1, opcodes("sext", "zext", "trunc")),
    r"(\d+) more innermost loops? works? on vectors": (1, on_vectors),
    r"(\d+) more settings? of memory": (1, copies("memset")),
    r"(\d+) fewer copy of memory|(\d+) fewer copies of memory": (-1, copies("memcpy")),
}


def test_each_sentence_is_counted_again(steps: Steps) -> None:
    seen: Counter[str] = Counter()
    for caption, before, after, _ in steps:
        for pattern, (sign, count) in COUNTED.items():
            told = re.search(rf"(?:^|; )(?:{pattern})", caption)
            if told is not None:
                seen[pattern] += 1
                number = int(next(filter(None, told.groups())))
                assert sign * (count(after) - count(before)) == number, (caption, pattern)
    assert len(seen) >= 10, seen


def test_loops_that_grow_are_measured(steps: Steps) -> None:
    seen = 0
    for caption, before, after, read in steps:
        for where, had, has in re.findall(r"an iteration of (.+?) grew from (\d+) to (\d+) instructions", caption):
            sizes = [{sum(len(b.instructions) for b in loop.blocks) for loop in all_loops(m)} for m in (before, after)]
            assert int(had) in sizes[0]
            assert int(has) in sizes[1]
            assert not any(loop.header in where for f in read.values() for loop in f.loops)
            seen += 1
    assert seen


def test_people_read_words_and_no_names_of_ours(steps: Steps) -> None:
    for caption, *_ in steps:
        assert not re.search(r"\bem\.|diffe_|\breverse_|\baugmented_|getelementptr|\bphis?\b|\balloca", caption), (
            caption
        )
    assert spoken("diffe_form.seeded") == "the gradient of form"
    assert spoken("reverse_em.static.part") == "the reverse sweep of part"
    assert spoken("em.transfer.add.8.0de") == "the adjoint of a copy"
    assert spoken("em.static.part") == "part"
    assert len(set(WORDS.values())) == len(WORDS)


def test_nothing_is_said_of_what_did_not_become_less() -> None:
    text = "define void @f(ptr %p) {\n  %x = load double, ptr %p\n  store double %x, ptr %p\n  ret void\n}\n"
    same = listing.functions(text)
    for name in (
        "SROAPass",
        "GVNPass",
        "DSEPass",
        "SimplifyCFGPass",
        "LoopRotatePass",
        "IndVarSimplifyPass",
        "LoopUnrollPass",
    ):
        assert list(effects.effects(name, same, same, lambda f, loop: "")) == []
    gone = listing.functions(text.replace("  store double %x, ptr %p\n", ""))
    assert list(effects.effects("DSEPass", same, gone, lambda f, loop: "")) == ["1 fewer memory write"]
