"""The gradient as C as people would write it: few casts, texts, names of shadows; and it means the same."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from tests.explain.c_text_checks import compare, compiled

SOURCE = """#include <math.h>
#include <string.h>
double horner(int n, const double *c, double x) {
    double p = 0;
    for (int i = n - 1; i >= 0; i--)
        p = p*x + c[i];
    return p;
}
double weighted(int n, int d, const double *w, const double *X) {
    double loss = 0;
    for (int i = 0; i < n; i++) {
        double z = 0;
        for (int j = 0; j < d; j++)
            z += w[j]*X[i*d + j];
        loss += z*z;
    }
    return loss;
}
double moving(int n, const double *x) {
    double ring[8] = {0};
    int at = 0;
    double sum = 0, loss = 0;
    for (int i = 0; i < n; i++) {
        sum -= ring[at];
        ring[at] = x[i]*x[i];
        sum += ring[at];
        at = (at + 1) % 8;
        double d = x[i] - sum/8;
        loss += d*d;
    }
    return loss;
}
double apply(const char *name, double x, double p) {
    if (strcmp(name, "a \\"leaky\\"\\trelu\\\\1") == 0) return x > 0 ? x : p*x;
    if (strcmp(name, "swish") == 0) return x/(1 + exp(-p*x));
    return tanh(x);
}
double hashed(const double *x, unsigned a, unsigned b, unsigned long c) {
    unsigned h = (a + 7u)*b - 5u;
    unsigned long k = (h + c)*31u - 3u*h;
    return x[h % 5u]*x[k % 7u] + x[(unsigned)(3*(int)(a & 3) + 1)];
}
double less(int n, const double *x, int label) {
    double m = x[0];
    for (int i = 1; i < n; i++) m = fmax(m, x[i]);
    return m - x[label];
}
struct node { double value; struct node *next; };
double list_sum(int n, const double *x) {
    struct node nodes[64], *head = 0;
    for (int i = 0; i < n && i < 64; i++) {
        nodes[i].value = x[i];
        nodes[i].next = head;
        head = &nodes[i];
    }
    double s = 0;
    for (struct node *p = head; p; p = p->next)
        s += p->value*p->value;
    return s;
}
"""
WARNINGS = ["-Wall", "-Werror", "-Wno-unused-command-line-argument"]


@pytest.fixture(scope="module")
def program() -> em.Program:
    return em.compile_c(SOURCE, strict=True)


def text_of(program: em.Program, name: str) -> str:
    made = program[name].gradient_c()
    assert made.available, made.reason
    return made.text


def called(text: str, *arguments: Any) -> Any:
    """What the text gives when it is compiled; pointers as arrays."""
    compiled = em.compile_c(text, compile_args=WARNINGS, strict=True)
    name = next(n for n in compiled if n.startswith("diffe_"))
    types = [ctypes.c_void_p if isinstance(a, np.ndarray) else a.__class__ for a in arguments]
    values = [a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments]
    result = ctypes.c_double if f"\ndouble {name}(" in f"\n{text}" else None
    return ctypes.CFUNCTYPE(result, *types)(compiled[name].address)(*values)


def test_indices_have_no_casts_that_change_nothing(program: em.Program) -> None:
    """An int times an int is a long here, and a loop that runs down reads from n - 1 - k."""
    for name in ("horner", "weighted", "less"):
        text = text_of(program, name)
        assert "unsigned" not in text, name
        assert "~" not in text, name
    c, dc = np.array([1.0, -2.0, 0.5, 3.0]), np.zeros(4)
    slope = called(text_of(program, "horner"), ctypes.c_int(4), c, dc, ctypes.c_double(0.7))
    expected = program.horner.grad(4, c, 0.7)
    assert slope == expected.x
    np.testing.assert_array_equal(dc, expected.c)


def test_adjoints_that_lose_a_constant_are_written_so(program: em.Program) -> None:
    assert re.search(r"dx\[label\] -= 1\.0;", text_of(program, "less"))
    assert "isunordered(" not in text_of(program, "less")


def test_shadows_of_arrays_are_named_after_them(program: em.Program) -> None:
    """The forward sweep writes x[i]*x[i] into ring, and the reverse sweep collects its adjoint in dring."""
    text = text_of(program, "moving")
    assert "double dring[8];" in text
    assert re.search(r"\bring\[at\] = ", text)
    assert re.search(r"\bdring\[\w+\] = -", text)
    x, dx = np.arange(1.0, 13.0) / 7, np.zeros(12)
    called(text, ctypes.c_int(12), x, dx)
    np.testing.assert_array_equal(dx, program.moving.grad(12, x))


@pytest.mark.parametrize("name", ['a "leaky"\trelu\\1', "swish", "other"])
def test_texts_stand_in_it_as_they_are(name: str, program: em.Program) -> None:
    text = text_of(program, "apply")
    assert r'strcmp(name, "a \"leaky\"\trelu\\1")' in text
    given, results = np.frombuffer(name.encode() + b"\0", dtype=np.int8), np.zeros(2)
    called(text, given, ctypes.c_double(-0.7), ctypes.c_double(1.3), results)
    expected = program["apply"].grad(given, -0.7, 1.3)
    np.testing.assert_array_equal(results, [expected.x, expected.p])


def test_what_wraps_still_wraps(program: em.Program) -> None:
    text, x = text_of(program, "hashed"), np.arange(1.0, 12.0)
    numbers = [
        (0, 0, 0),
        (3, 5, 1 << 63),
        (2**32 - 1, 2**32 - 1, 2**64 - 1),
        (2**31, 77, 12345678901234567),
        (9, 2**31 + 5, 3),
    ]
    for a, b, c in numbers:
        dx = np.zeros(11)
        called(text, x, dx, ctypes.c_uint(a), ctypes.c_uint(b), ctypes.c_ulong(c))
        np.testing.assert_array_equal(dx, program.hashed.grad(x, a, b, c))


def test_whether_an_adjoint_arrives_goes_by_no_variable(program: em.Program) -> None:
    """`k`, not `m`: a flag beside the adjoint of m is no m."""
    assert not re.search(r"int m\d* =", text_of(program, "less"))


def test_local_structs_are_blocks(program: em.Program) -> None:
    """A list of nodes of the function's own, with their shadows."""
    x, dx = np.arange(1.0, 11.0) / 3, np.zeros(10)
    called(text_of(program, "list_sum"), ctypes.c_int(10), x, dx)
    np.testing.assert_array_equal(dx, program.list_sum.grad(10, x))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("double f(double x) { return (double)((long double)x*x/3); }", "it converts long double to double"),
        ("double f(double *x) { return x[(long)x % 2]; }", "it converts pointers to long"),
        (
            "double t[4]; double f(double x, int i) { t[i] = x; return t[1]*x; }",
            "it uses the variable t, which is static or global",
        ),
    ],
)
def test_reasons_have_words_of_c(source: str, reason: str) -> None:
    said = em.compile_c(source)["f"].gradient_c().reason
    assert said.startswith("not available as C because ")
    assert reason in said
    assert not re.search(r"x86_fp80|ptrtoint|fptrunc|%|\bi\d+\b|\bem\.", said)


def test_a_text_is_passed_as_characters(program: em.Program) -> None:
    with pytest.raises(em.ArgumentError) as caught:
        program["apply"]("swish", 1.0, 2.0)
    assert caught.value.hint == r'np.frombuffer(name.encode() + b"\0", dtype=np.int8)'


ROWS = {
    "two matrices": (
        "double f(int n, int m, const double A[n][m], const double B[m][n]) { double s = 0; for (int i = 0; i < n; i++)"
        " for (int j = 0; j < n; j++) { double c = 0; for (int k = 0; k < m; k++) c += A[i][k]*B[k][j]; s += c*c; } return s; }",
        [3, 2, np.arange(6.0).reshape(3, 2), np.arange(6.0).reshape(2, 3) - 2],
        "diffe_f(int n, int m, const double *A, double *dA, const double *B, double *dB)",
    ),
    "in place": (
        "float f(unsigned n, float A[n][n]) { float s = 0; for (unsigned i = 0; i < n; i++)"
        " for (unsigned j = 0; j < i; j++) { A[i][j] *= A[j][i]; s += A[i][j]*A[j][j]; } return s; }",
        [4, np.linspace(0.5, 2, 16, dtype=np.float32).reshape(4, 4)],
        "diffe_f(unsigned int n, float *A, float *dA)",
    ),
}


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", ROWS)
def test_rows_of_any_length_are_indexed_by_hand(name: str, opt: int) -> None:
    """`double A[n][m]` is a pointer to numbers there: its rows had no size, and every element was said by bytes."""
    source, arguments, heading = ROWS[name]
    found = compare(compiled(source, opt=opt), "f", arguments)
    assert heading in found.text, found.reason
    assert "(char *)" not in found.text
    assert not found.differs(exact=True)
