"""The reverse sweep passes by what has nothing to be reversed: it neither goes there nor keeps what decided the way."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

X = np.array([0.3, 0.9, 0.7, 0.2, 0.8, 0.45, 0.6])
WALK = "if (x[i] > 0.5) { c += k; k = 3*k + 1; } else k = k/2 + 1; if (k > 100) k = 2;"
NOTHING_KEPT = {
    "a loop": f"int c = 0, k = 1; for (int i = 0; i < n; i++) {{ {WALK} }} return x[0]*x[0]*c;",
    "loops in loops": f"""int c = 0, k = 1;
        for (int j = 0; j < n; j++) {{ if (x[j] < 0.25) continue; for (int i = j; i < n; i++) {{ {WALK} }} }}
        return x[0]*x[0]*c;""",
    "a loop that is left in two ways": """int k = 0, c = 1;
        while (1) { if (k >= n) { c = 7; break; } if (x[k] > 0.75) break; k += 1 + (x[k] > 0.4); }
        return x[0]*x[1]*(k + c);""",
    "branches": """int c = 1; if (x[2] > 0.5) { if (x[3] > 0.5) c = 2; else if (x[4] > 0.1) c = 5; } else c = 9;
        switch (c) { case 2: c = 11; break; case 5: c = n; break; default: c = -1; } return x[0]*x[1]*c;""",
}  # fmt: skip
SOME_KEPT = {
    "a side has something to reverse": f"""double s = 0; int c = 0, k = 1;
        for (int i = 0; i < n; i++) {{ {WALK} if (c % 3 == 1) s += sin(x[i])*x[0]; }} return s*c;""",
    "adjoints take one of the sides": f"""double s = x[0]; int c = 0, k = 1;
        for (int i = 0; i < n; i++) {{ {WALK} s = k % 2 ? s*x[i] : s + x[i]; }} return s;""",
    "a loop between two": f"""double s = 1; int c = 0, k = 1;
        for (int j = 0; j < n; j++) {{ s *= cos(x[j])*s; for (int i = 0; i < j; i++) {{ {WALK} }} s += x[j]*c; }} return s;""",
    "a loop with something in one of its ways out": """double s = 0; int k = 0;
        for (int j = 0; j < 3; j++)
            for (k = j; k < n; k++) { if (x[k] > 0.85) { s += x[k]*x[j]; break; } if (x[k] < 0.25) goto out; }
        out: return s*x[1] + k;""",
    "an inner loop has something": """double s = 0; int c = 0;
        for (int j = 0; j < n; j++) {
            if (x[j] < 0.5) { c += 2; continue; }
            for (int i = 0; i < c%n; i++) s = sin(x[i]*x[j]*s + x[i]);
        }
        return s;""",
}  # fmt: skip


def function(body: str, opt: int) -> em.CFunction:
    return em.compile(f"#include <math.h>\ndouble f(const double *x, int n) {{ {body} }}", opt=opt)["f"]


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", NOTHING_KEPT)
def test_what_decides_the_way_through_it_is_not_kept(name: str, opt: int) -> None:
    f = function(NOTHING_KEPT[name], opt)
    em.check_grads(f, (X, len(X)))
    assert f.cache(at=(X, len(X))).measured.kept == 0


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", SOME_KEPT)
def test_what_is_reversed_is_gone_through(name: str, opt: int) -> None:
    f = function(SOME_KEPT[name], opt)
    em.check_grads(f, (X, len(X)))


def test_of_two_functions_as_well() -> None:
    """One with a tape, whose reverse sweep runs later."""
    c = f"""#include <math.h>
    __attribute__((noinline)) static double h(const double *x, int n) {{
        int c = 0, k = 1; double t = x[1]*x[0]; for (int i = 0; i < n; i++) {{ {WALK} }} return sin(t)*x[0]*c; }}
    double f(const double *x, int n) {{ return h(x, n)*h(x + 1, n - 1); }}"""
    f = em.compile(c)["f"]
    em.check_grads(f, (X, len(X)))
    assert f.cache(at=(np.tile(X, 100), 7 * 100)).measured.kept < 100
