"""What comes out the same in each iteration of a loop around it is kept once for all of them, and the gradient is what it was."""

from __future__ import annotations

import re

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.analysis.derivatives.repeats import Repeats

HEAD = """#include <math.h>
#define I for (int i = 0; i < n; i++)
#define J for (int j = 0; j < n; j++)
#define K for (int k = 0; k < m; k++)
#define TWICE for (int t = 0; t < 2; t++)
#define BACK I x[i] = y[i]*0.3 + 0.2;
"""
ONCE = {
    "a matrix": "TWICE { I { double s = 0; J s += z[i*n + j]*x[j]*x[j]; y[i] = s; } BACK }",
    "not in every iteration": "TWICE { I { double s = 0; J if (i != j) s += z[i*n + j]*x[j]*x[j]; y[i] = s; } BACK }",
    "not in every visit": "TWICE { I { double s = 0; if (z[i] > 0.5) J s += z[j]*x[j]*x[j]*x[i]; y[i] = s; } BACK }",
    "in no iteration": "TWICE { I { y[i] = x[i]; if (z[i] > 9) J y[i] += x[j]*x[j]; } BACK I { J y[i] += y[j]*x[j]*x[j]; } BACK }",
    "a function of it": "TWICE { I { double s = 0; J s += sin(x[j]*x[j])*x[i]; y[i] = s; } BACK }",
    "two loops inside": "TWICE { I { double s = 0; K J s += z[k*n + j]*x[j]*x[j]*x[(j + k) % n]; y[i] = s; } BACK }",
    "the outer of two": "TWICE { K I { double s = 0; J s += x[j]*x[j]*z[k]*x[(i + j) % n]; y[i] += 0.2*s; } BACK }",
    "two visits": "TWICE { K { double s = 0; J s += x[j]*x[j]*z[k]; y[k % n] = s; K J s += x[j]*s; y[k] += s; } BACK }",
    "a row": "K { I { J y[i] += x[k*n + j]*x[k*n + j]*z[i]*0.1; } I x[k*n + i] = y[i]; }",
    "of a length that stays": "TWICE { I { double s = 0; for (int j = z[0]; j < c[0]; j++) s += z[j]*x[j]*x[j]; y[i] = s; } BACK }",
}
EACH = {
    "overwritten inside": "TWICE I { double s = 0; J { s += x[j]*x[j]*z[i]; x[(i + 2) % n] = 0.1*s; } y[i] = s; }",
    "overwritten before": "TWICE I { x[n - 1] += 0.1*z[i]; double s = 0; J s += x[j]*x[j]; y[i] = s; }",
    "a triangle": "TWICE { I { double s = 0; for (int j = 0; j < i; j++) s += x[j]*x[j]*z[i]; y[i] = s; } BACK }",
    "of a length that changes": "TWICE { I { double s = 0; for (int j = 0; j < c[i]; j++) s += x[j]*x[j]; y[i] = s; } BACK }",
    "left early": "TWICE { I { double s = 0; J { s += x[j]*x[j]*z[i]; if (s > 0.9) break; } y[i] = s; } BACK }",
    "left for good": "TWICE { I { double s = 0; J { if (s > 3) goto out; s += x[j]*x[j]*z[i]; } y[i] = s; } BACK } out:;",
    "another element": "TWICE { I { double s = 0; J s += x[(i + j) % n]*x[(i + j) % n]; y[i] = s; } BACK }",
    "a place in memory": "TWICE { I { c[i] = (c[i] + 1) % n; double s = 0; J s += x[c[j]]*x[c[j]]; y[i] = s; } BACK }",
    "volatile": "TWICE { I { double s = 0; J s += *(volatile double *) &z[j]*x[i]*x[i]; y[i] = s; } BACK }",
}
PARAMETERS = "int n, int m, double x[2*n], double y[n], double z[n*n], int c[n]"
SUM = "double sum = 0; I sum += y[i]*y[i] + x[i]; return sum;"
N, M = 5, 2


def _function(bodies: dict[str, str], beside: str = "") -> CFunction:
    """The product of two calls of the body that `which` chooses: its two sweeps stand apart."""
    parts = [
        f"static __attribute__((noinline)) double f{k}({PARAMETERS}) {{ {body} {SUM} }}"
        for k, body in enumerate(bodies.values())
    ]
    cases = " ".join(f"case {k}: return f{k}(n, m, x, y, z, c)*f{k}(n, m, x, y, z, c);" for k in range(len(bodies)))
    parts.append(f"double chosen(int which, {PARAMETERS}) {{ switch (which) {{ {cases} }} return 0; }}")
    return em.compile("\n".join([HEAD, *parts, beside]), strict=True, post_opt=0)["chosen"]


def _gradients(function: CFunction, which: int) -> list[np.ndarray]:
    random = np.random.default_rng(4)
    x, y, z = random.uniform(0.3, 0.8, 2 * N), random.uniform(0.1, 0.4, N), random.uniform(0.2, 0.9, N * N)
    c = np.array([4, 2, 1, 3, 0], dtype=np.int32)
    gradient = em.grad(function, wrt="x")
    return [gradient(which, n, M, x.copy(), y.copy(), z.copy(), c.copy()) for n in (N, 1)]


@pytest.mark.parametrize(("bodies", "once"), [(ONCE, True), (EACH, False)])
def test_one_value_for_all_iterations(bodies: dict[str, str], once: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    function = _function(bodies)
    plan = function.plan(wrt="x")
    kept = [name for k, name in enumerate(bodies) if "of load" in _repeated(plan, f"f{k}")]
    assert kept == (list(bodies) if once else [])
    found = {name: _gradients(function, k) for k, name in enumerate(bodies)}
    monkeypatch.setattr(Repeats, "loops", lambda self, need: ())
    without = _function(bodies, "/* each */")
    for k, (name, gradients) in enumerate(found.items()):
        wanted = _gradients(without, k)
        assert np.any(wanted[0]), name
        for got, expected in zip(gradients, wanted, strict=True):
            np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-13, err_msg=name)


def _repeated(plan: str, function: str) -> str:
    """What a function keeps once for several iterations."""
    sections = re.split(r"\n(?=\S)", plan)
    own = next(section for section in sections if section.startswith(f"{function}: "))
    return "\n".join(line for line in own.splitlines() if "once for all iterations" in line)
