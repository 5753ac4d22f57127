"""The gradient as C where its control flow needs `goto` (loops with several ways out, and with two entries), and where variables
change places: the text computes what the gradient computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.explain.c_text_checks import compare, compiled

X = np.array([0.5, 2.0, 1.5, -0.25, 3.0, 0.75])
SPD = np.array([4.0, 1, 0.5, 1, 3, 0.25, 0.5, 0.25, 2])
KINDS = np.array([0, 1, 3, 0, 1, 3], np.int32)
PROGRAMS: dict[str, tuple[str, list[Any]]] = {
    "a return in a loop": (
        "double f(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { if (x[i] < 0) return s; s += x[i]*x[i]; }"
        " return 2*s; }",
        [X, 6],
    ),
    "the same, never taken": (
        "double f(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { if (x[i] < 0) return s; s += x[i]*x[i]; }"
        " return 2*s; }",
        [X, 3],
    ),
    "two loops left at once": (
        "double f(const double *x, int n) { double s = 1; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) {"
        " s *= x[i] + x[j]; if (s > 20) return s*x[0]; if (s < -20) goto out; } s += x[1]; out: return s*s; }",
        [X, 6],
    ),
    "sorted by insertion": (
        "double f(double *a, int n) { for (int i = 1; i < n; i++) { double t = a[i]; int j = i;"
        " while (j > 0 && a[j-1] > t) { a[j] = a[j-1]; j--; } a[j] = t; }"
        " double s = 0; for (int i = 0; i < n; i++) s += i*a[i]*a[i]; return s; }",
        [X, 6],
    ),
    "the roots of a Cholesky factor": (
        "#include <math.h>\ndouble f(double *a, int n) { for (int j = 0; j < n; j++) { for (int k = 0; k < j; k++)"
        " for (int i = j; i < n; i++) a[i*n + j] -= a[i*n + k]*a[j*n + k];"
        " if (a[j*n + j] <= 0) return 0; double d = sqrt(a[j*n + j]); for (int i = j; i < n; i++) a[i*n + j] /= d; }"
        " double s = 0; for (int i = 0; i < n; i++) s += log(a[i*n + i]); return s; }",
        [SPD, 3],
    ),
    "cases with a return": (
        "double f(const double *x, const int *k, int n) { double s = 1; for (int i = 0; i < n; i++) switch (k[i]) {"
        " case 0: s += x[i]; break; case 1: s *= x[i]; break; case 2: return s; default: s = s*s - x[i]; } return s; }",
        [X, KINDS, 6],
    ),
    "shared cases": (
        "double f(const double *x, const int *k, int n) { double s = 1; for (int i = 0; i < n; i++) switch (k[i]) {"
        " case 0: case 3: s = s*x[i]; case 1: s += x[i]*x[i]; break; case 4: case 5: return s; } return s; }",
        [X, KINDS, 6],
    ),
    "left by convergence": (
        "#include <math.h>\ndouble f(double a) { double x = a; for (int i = 0; i < 50; i++) { double d = (x*x - a)/(2*x); x -= d;"
        " if (fabs(d) < 1e-12) break; } return x; }",
        [2.0],
    ),
    "left, and then further": (
        "double f(const double *x, int n) { double s = 1; int i; for (i = 0; i < n; i++) { s *= x[i] + 2; if (s > 10) break; }"
        " for (; i < n; i++) { s += x[i]*x[i]; if (s < 0) return 0; } return s; }",
        [X, 6],
    ),
    "a loop with two entries": (
        "double f(double x, int n) { double s = x; int i = 0; if (n > 5) goto in;"
        " do { s = s*x + 1; in: s += x*x; } while (++i < n); return s; }",
        [0.5, 7],
    ),
    "the same from above": (
        "double f(double x, int n) { double s = x; int i = 0; if (n > 5) goto in;"
        " do { s = s*x + 1; in: s += x*x; } while (++i < n); return s; }",
        [0.5, 4],
    ),
    "continue of the outer loop": (
        "double f(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { double p = 1;"
        " for (int j = 0; j <= i; j++) { if (x[j] < 0) goto next; p *= x[j]; } s += p; next:; } return s; }",
        [X, 6],
    ),
}


# Without jumps: what was wrong, or was not there, beside them.
BESIDE: dict[str, tuple[str, list[Any]]] = {
    "loops that do not run the first time": (
        "double f(const double *a, int n) { double s = 0; for (int j = 0; j < n; j++) { double p = 1;"
        " for (int k = 0; k < j; k++) p = p*a[k] + a[j]; s += p*p; } return s; }",
        [X, 4],
    ),
    "the same, once": (
        "double f(const double *a, int n, int m) { double s = 1; for (int k = 0; k < m; k++) s = s*a[k] + a[n]; return s*s; }",
        [X, 4, 0],
    ),
    "a recurrence of two": (
        "double f(double x, int n) { double a = 1, b = x; for (int i = 0; i < n; i++) { double t = a + x*b; a = b; b = t; }"
        " return a*b; }",
        [0.5, 6],
    ),
    "two change places": (
        "double f(double x, double y, int n) { for (int i = 0; i < n; i++) { double t = x; x = y*1.5; y = t; } return x*x + y; }",
        [0.5, 2.0, 5],
    ),
    "three change places": (
        "double f(double x, double y, double z, int n) { for (int i = 0; i < n; i++) { double t = x; x = y*z; y = z; z = t + y; }"
        " return x*x + y*z; }",
        [0.5, 2.0, 1.5, 5],
    ),
}


@pytest.mark.parametrize("opt", [0, 1, 2])
@pytest.mark.parametrize("name", [*PROGRAMS, *BESIDE])
def test_meant_as_computed(name: str, opt: int) -> None:
    source, arguments = (PROGRAMS | BESIDE)[name]
    found = compare(compiled(source, opt=opt), "f", arguments)
    assert found.text, found.reason
    assert not found.differs(exact=True)


def test_jumps_only_where_they_are_needed() -> None:
    source, arguments = PROGRAMS["a return in a loop"]
    assert "goto" in compare(compiled(source, opt=2), "f", arguments).text
    plain = "double f(const double *x, int n) { double s = 1; for (int i = 0; i < n; i++) { if (x[i] > 0) s *= x[i]; } return s; }"
    assert "goto" not in compare(compiled(plain, opt=2), "f", [X, 6]).text
