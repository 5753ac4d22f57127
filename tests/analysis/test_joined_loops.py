"""Loops that run as one: the gradient keeps every bit, memory and values too, and what may not be joined is not."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.derivatives import joined_loops
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.autodiff import preparation

from .compiled import compiled

LOOP = "for (int i = 0; i < n; i++)"
PARAMETERS = "int n, const double *restrict x, double *restrict y, double *restrict z, double a"
CHAIN = f"{LOOP} y[i] = x[i]*x[i]; {LOOP} z[i] = sin(y[i]); {LOOP} sum += z[i]*x[i];"
JOINED = {
    "chain": (CHAIN, 3),
    "sums": (f"double s = 0; {LOOP} s += x[i]; {LOOP} sum += x[i]*x[i]; sum *= s;", 2),
    "down": ("for (int i = n - 1; i >= 0; i--) y[i] = x[i]*a; for (int i = n - 1; i >= 0; i--) sum += y[i]*y[i];", 2),
    "parts": (f"{LOOP} {{ y[2*i] = x[i]; y[2*i + 1] = a; }} {LOOP} sum += y[2*i]*y[2*i];", 2),
    "twice": (f"{LOOP} y[i] = x[i]*3; {LOOP} y[i] += x[i]; {LOOP} sum += y[i]*y[i];", 3),
    "inside": (f"for (int k = 0; k < 3; k++) {{ {LOOP} y[i] = x[i] + sum; {LOOP} z[i] = y[i]*y[i]; }} sum = z[1];", 2),
}
APART = {
    "neighbour behind": f"{LOOP} y[i] = x[i]; for (int i = 0; i < n; i++) sum += y[i - 1];",
    "neighbour ahead": f"{LOOP} y[i] = x[i]; {LOOP} sum += y[i + 1]*y[i + 1];",
    "another way": f"{LOOP} y[i] = x[i]; for (int i = n - 1; i >= 0; i--) sum += y[i];",
    "fewer": f"{LOOP} y[i] = x[i]; for (int i = 0; i < n - 1; i++) sum += y[i]*y[i];",
    "one place": f"{LOOP} y[0] += x[i]; {LOOP} sum += y[0]*x[i];",
    "unknown place": f"{LOOP} y[i] = x[i]; {LOOP} sum += y[(int) x[i]]*x[i];",
    "a number of both": f"{LOOP} y[i] = x[i]*a; {LOOP} sum += y[i]*a;",
    "a number between": f"{LOOP} y[i] = x[i]*a; double b = a*a; {LOOP} sum += y[i]*b;",
    "needs the first": f"double s = 0; {LOOP} s += x[i]; {LOOP} sum += x[i]*s;",
    "recurrence": f"{LOOP} y[i] = x[i]; {LOOP} sum = sum*y[i] + 1;",
    "nothing shared": f"{LOOP} y[i] = 1; {LOOP} z[i] = 2;",
    "a store between": f"{LOOP} y[i] = x[i]; y[2] = 7; {LOOP} sum += y[i]*y[i];",
    "a loop inside": f"{LOOP} y[i] = x[i]; {LOOP} for (int k = 0; k < i; k++) sum += y[i]*x[k];",
}
# A third loop that would fit, but for what it needs of the first.
TWO_OF_THREE = {
    "needs the first": f"double s = 0; {LOOP} {{ y[i] = x[i]; s += x[i]; }} {LOOP} z[i] = y[i]*2; {LOOP} sum += z[i]*s;",
    "through a number": f"double s = 0; {LOOP} {{ y[i] = x[i]; s += x[i]; }} {LOOP} z[i] = y[i]*2; s *= 3; {LOOP} sum += z[i]*s;",
    "a number of both": f"{LOOP} y[i] = x[i]*a; {LOOP} z[i] = y[i]*2; double b = a*a; {LOOP} sum += z[i]*b;",
    "neighbour of the first": f"{LOOP} y[i] = x[i]*3; {LOOP} z[i] = y[i]*2; {LOOP} sum += z[i]*y[i + 1];",
}


def _text(bodies: dict[str, str], parameters: str = PARAMETERS) -> str:
    named = enumerate(bodies.values())
    functions = [f"double f{k}({parameters}) {{ double sum = 0; {body} return sum; }}" for k, body in named]
    return "\n".join(["#include <math.h>", *functions])


def _groups(text: str, count: int) -> list[list[int]]:
    program = compiled(text, 2)
    found = []
    for k in range(count):
        alias = Alias.of(program.function(f"f{k}"), Effects.of(program.module), program.layout)
        found.append([len(group.loops) for group in joined_loops.joined_loops(alias)])
    return found


def test_loops_that_use_the_same_elements_are_one() -> None:
    bodies = {name: body for name, (body, _) in JOINED.items()}
    assert dict(zip(JOINED, _groups(_text(bodies), len(JOINED)), strict=True)) == {
        n: [c] for n, (_, c) in JOINED.items()
    }


def test_what_may_not_be_joined_is_not() -> None:
    assert dict(zip(APART, _groups(_text(APART), len(APART)), strict=True)) == {name: [] for name in APART}


def test_a_third_loop_is_compared_with_both_before() -> None:
    assert dict(zip(TWO_OF_THREE, _groups(_text(TWO_OF_THREE), 4), strict=True)) == {name: [2] for name in TWO_OF_THREE}


def test_arrays_that_may_overlap_are_not_joined() -> None:
    assert _groups(_text({"chain": CHAIN}, PARAMETERS.replace("restrict ", "")), 1) == [[]]


def test_the_plan_names_the_lines() -> None:
    loops = f"{LOOP} y[i] = x[i]*x[i];\n{LOOP} sum += y[i]*x[i];"
    program = em.compile(
        f"double f(int n, const double *x, double *restrict y)\n{{ double sum = 0;\n{loops}\nreturn sum; }}"
    )
    assert "2 loops (lines 3, 4) run as one" in str(program.f.plan(wrt="x"))


@pytest.mark.parametrize("strict", [False, True])
def test_every_bit_stays(strict: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Value, memory and gradient, with and without joining."""
    calls = " + ".join(f"f{k}(n, x, y, z, a)" for k in range(len(JOINED)))
    text = _text({name: body for name, (body, _) in JOINED.items()})
    text = text.replace("double f", "static __attribute__((noinline)) double f")
    text += f"\ndouble all(int n, const double x[n], double y[2*n], double z[n], double a) {{ return {calls}; }}"
    joined = _gradients(text, strict)
    assert em.compile(text, strict=strict)["all"].plan(wrt=("x", "a")).count(" run as one") == len(JOINED)
    monkeypatch.setattr(preparation, "joined_loops", lambda alias: ())
    assert joined == _gradients(text + "\n", strict)


def _gradients(text: str, strict: bool) -> list[tuple[bytes, ...]]:
    function = em.compile(text, strict=strict)["all"]
    found = []
    for n in (2, 3, 9):
        x, y, z = np.linspace(0.3, 2.1, 9)[:n].copy(), np.full(2 * n, 0.7), np.full(n, 0.4)
        value, gradient = em.value_and_grad(function, wrt=("x", "a"))(n, x, y, z, 1.3)
        found.append(tuple(np.asarray(part).tobytes() for part in (value, *gradient, y, z)))
    return found
