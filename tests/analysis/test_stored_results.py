"""What the program stores itself is read again from there, where nothing overwrites it, and is put on no tape."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.analysis.derivatives.recompute import Recipes

LOOP = "for (int i = 0; i < n; i++)"
READ_AGAIN = {
    "result": f"{LOOP} y[i] = exp(x[i]*x[i]); {LOOP} sum += y[i]*y[n - 1];",
    "quotient": f"{LOOP} {{ y[i] = x[i]/(2 + x[n - 1]); sum += y[i]*x[i]; }}",
    "trajectory": f"sum = x[0]; {LOOP} {{ y[i] = sum; sum += 0.1*sum*(1 - sum)*x[i]; }}",
    "two places": f"{LOOP} {{ double e = exp(x[i]); z[i] = e; y[2*i] = e; sum += e*x[i]; }}",
    "the next one": f"{LOOP} {{ y[i] = exp(x[i]); y[i + 1] = 3; sum += y[i]*x[i]; }}",
}
KEPT = {
    "overwritten before": f"{LOOP} {{ y[i + 1] = exp(x[i]); y[i] = 3; sum += y[i + 1]*x[i]; }}",
    "overwritten by a later run": f"for (int t = 0; t < 3; t++) {LOOP} {{ y[i] = exp(x[i]*(1 + sum/9)); sum += y[i]*x[i]; }}",
    "overwritten behind": f"{LOOP} {{ y[i] = exp(x[i]); sum += y[i]*y[i]*x[i]; }} y[1] = 0;",
    "one place": f"{LOOP} {{ *y = exp(x[i]); sum += *y*x[i]; }}",
    "unknown place": f"{LOOP} {{ y[(int) (3*x[i])] = exp(x[i]); sum += exp(x[i])*x[i]; }}",
    "of another type": f"{LOOP} {{ y[i] = exp(x[i]); sum += y[i]*x[i]; }} {LOOP} ((long *) y)[i] = i;",
}


def _text(bodies: dict[str, str]) -> str:
    parameters = "int n, const double x[n], double y[2*n + 1], double z[n]"
    found = [
        f"double f{k}({parameters}) {{ double sum = 0; {body} return sum; }}" for k, body in enumerate(bodies.values())
    ]
    return "\n".join(["#include <math.h>", *found])


@pytest.mark.parametrize(("bodies", "again"), [(READ_AGAIN, True), (KEPT, False)])
def test_memory_that_keeps_a_value_is_its_tape(
    bodies: dict[str, str], again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the gradient is the same, bit for bit, as that with a tape."""
    program = em.compile(_text(bodies))
    for k, name in enumerate(bodies):
        assert ("store primal" not in program[f"f{k}"].plan(wrt="x")) == again, name
    found = _gradients(_text(bodies), len(bodies))
    monkeypatch.setattr(Recipes, "_reread", lambda self, value: None)
    assert found == _gradients(_text(bodies) + "\n", len(bodies))


def _gradients(text: str, count: int) -> list[tuple[bytes, ...]]:
    """Of all functions, one after the other, from one derivative."""
    calls = " + ".join(f"f{k}(n, x, y, z)" for k in range(count))
    text += f"\ndouble all(int n, const double x[n], double y[2*n + 1], double z[n]) {{ return {calls}; }}"
    text = text.replace("double f", "static __attribute__((noinline)) double f")
    function = em.compile(text)["all"]
    x, y, z = np.linspace(0.3, 1.1, 7), np.full(15, 0.7), np.full(7, 0.4)
    value, gradient = em.value_and_grad(function, wrt="x")(7, x, y, z)
    return [tuple(np.asarray(part).tobytes() for part in (value, gradient, y, z))]


def test_the_cache_says_where_it_is_read() -> None:
    program = em.compile(_text({"result": READ_AGAIN["result"]}))
    assert "read again from where line 2 stores it" in str(program.f0.cache(wrt="x"))
