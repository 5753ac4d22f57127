"""What LLVM is told of tapes: which accesses have which scope, and what that is good for."""

from __future__ import annotations

import re

import numpy as np

import enzyme_magic as em
from enzyme_magic.backend.autodiff.cache.kept_apart import MOST_SCOPES, KeptApart
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import parser, printer

ACCESSES = """define void @f(ptr %tape, ptr %other, ptr %x) {
  %slot = alloca i64, align 8
  %a = load double, ptr %tape, align 8
  %b = load double, ptr %other, align 8
  %c = load double, ptr %x, align 8
  %d = load i64, ptr %slot, align 8
  store double %c, ptr %tape, align 8
  ret void
}
"""
SOURCE = """
#include <math.h>
#include <stdlib.h>
double swapped(int n, int steps, const double *x, double k)
{
    double *now = malloc(n*sizeof *now), *next = malloc(n*sizeof *next), sum = 0;
    for (int i = 0; i < n; i++)
        now[i] = next[i] = x[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = now[i] + k*(now[i - 1] - 2*now[i] + now[i + 1]);
        double *other = now;
        now = next;
        next = other;
    }
    for (int i = 0; i < n; i++)
        sum += now[i]*now[i];
    free(now);
    free(next);
    return sum;
}
double unknown(int n, const double *x)
{
    double s = 1, t = 0;
    while (s < n) {
        for (int j = 0; j < 5; j++)
            t = 0.5*cos(t + x[j]);
        s += 1 + t*t;
    }
    return s*t;
}
"""


def _function(text: str) -> tuple[Module, Function]:
    module = parser.parse(text)
    return module, module.functions["f"]


def _scopes(i: Instruction, kind: str) -> int:
    node = i.metadata.get(kind)
    return len(getattr(node, "operands", ()))


def test_each_array_is_apart_from_the_others_and_from_what_is_not_kept() -> None:
    module, f = _function(ACCESSES)
    _, a, b, c, d, store, _ = f.entry.instructions
    apart = KeptApart("f")
    for access, array in ((a, "first"), (store, "first"), (b, "second")):
        apart.note(access, array)
    apart.tell([f])
    assert [_scopes(i, "alias.scope") for i in (a, b, c, d, store)] == [1, 1, 0, 0, 1]
    assert [_scopes(i, "noalias") for i in (a, b, c, d, store)] == [1, 1, 2, 0, 1]
    assert a.metadata["alias.scope"] is store.metadata["alias.scope"]
    assert a.metadata["alias.scope"] is not b.metadata["alias.scope"]
    text = printer.print_module(module)
    assert printer.print_module(parser.parse(text)) == text


def test_what_is_known_already_stays() -> None:
    _, f = _function(
        ACCESSES.replace("%c = load double, ptr %x, align 8", "%c = load double, ptr %x, align 8, !noalias !0") + KNOWN
    )
    _, a, _, c, *_ = f.entry.instructions
    apart = KeptApart("f")
    apart.note(a, "first")
    apart.tell([f])
    assert _scopes(c, "noalias") == 2


KNOWN = """
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
"""


def test_many_arrays_share_a_scope() -> None:
    loads = [f"  %v{k} = load double, ptr %tape, align 8\n" for k in range(3 * MOST_SCOPES)]
    _, f = _function(f"define void @f(ptr %tape) {{\n{''.join(loads)}  ret void\n}}\n")
    apart = KeptApart("f")
    for k, i in enumerate(f.entry.instructions[:-1]):
        apart.note(i, k)
    apart.tell([f])
    assert _scopes(f.entry.instructions[0], "noalias") == MOST_SCOPES
    last, before = f.entry.instructions[-2], f.entry.instructions[-3]
    assert last.metadata["alias.scope"] is before.metadata["alias.scope"]


def test_what_an_outer_loop_keeps_is_not_read_in_the_inner_one() -> None:
    """Two blocks change places, so the tape holds where the shadows lie; the reversed inner loop stores to these."""
    optimized = em.compile_c(SOURCE).swapped.ir("gradient-optimized")
    loops = re.findall(r"^(\S+):.*\n((?:  .*\n)*)  br i1 \S+ label %\S+, label %\1\b", optimized, re.M)
    adding = [body for _, body in loops if "store double" in body and "fadd reassoc" in body]
    assert adding
    assert not any("load ptr" in body for body in adding)


def test_gradients_beside_tapes_that_grow() -> None:
    program = em.compile_c(SOURCE)
    random = np.random.default_rng(0)
    n = 19
    em.check_grads(program.swapped, (n, 7, random.normal(size=n), 0.2), wrt=("x", "k"))
    em.check_grads(program.unknown, (60, random.normal(size=5)), wrt=("x",))
