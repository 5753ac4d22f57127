"""Second derivatives where the run says what bytes hold: forward and reverse over reverse. Differences of gradients judge."""

from __future__ import annotations

import re

import numpy as np
import pytest

import enzyme_magic as em

from . import test_kinds, test_kinds_elsewhere, test_kinds_of_integers

BLOCKS, BYTES = test_kinds.HEAD + test_kinds.BLOCKS, test_kinds.HEAD + test_kinds.BYTES
INTEGERS = test_kinds_of_integers.HEAD + test_kinds_of_integers.INTEGERS
# Tables of pointers and numbers in one block, moved by words, by characters and at once.
TABLES = (
    test_kinds.HEAD
    + r"""
typedef uint64_t __attribute__((may_alias)) w64;
static M *mk(int r, int c) { M *m = malloc(sizeof(M) + r*sizeof(double *) + r*c*sizeof(double));
    m->row = (double **)(m + 1); m->d = (double *)(m->row + r);
    for (int i = 0; i < r; i++) m->row[i] = m->d + i*c;
    return m; }
static void copyw(void *a, const void *b, int n, int skip) { w64 *p = a; const w64 *q = b;
    for (int i = 0; i < n; i++) if (i != skip) p[i] = q[i]; }
static void swapw(void *a, void *b, int n, int skip) { w64 *p = a, *q = b;
    for (int i = 0; i < n; i++) if (i != skip) { w64 t = p[i]; p[i] = q[i]; q[i] = t; } }
static void copyc(void *a, const void *b, int n, int skip) { char *p = a; const char *q = b;
    for (int i = 0; i < n; i++) if (i != skip) p[i] = q[i]; }
#define MADE M *a = mk(n, n), *b = mk(n, n); for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { \
    a->row[i][j] = x*x*(i + 2*j); b->row[i][j] = sin(x)*(i+j+1); }
#define READ double r = b->row[1][1]*b->row[0][1] + a->row[1][0]*b->d[2]*a->d[1]; free(a); free(b); return r;
double words(double x, int n) { MADE copyw(b->d, a->d, n*n, -1-n); READ }
double swapped(double x, int n) { MADE swapw(b->d, a->d, n*n, n); READ }
double chars(double x, int n) { MADE copyc(b->d, a->d, 8*n*n, -n); READ }
double parts(double x, int n) { MADE swapw(b->row[1], a->row[0], n, -1); copyw(b->row[0], a->row[1], n, -n); READ }
double across(double x, int n) { MADE uint64_t t[9]; for (int i = 0; i < n*n; i++) memcpy(t + i, a->d + i, 8);
    for (int i = 0; i < n*n; i++) memcpy(b->d + i, t + (n*n-1-i), 8); READ }
double emptied(double x, int n) { MADE memset(b->row[1], 0, 8*n); memcpy(b->d, a->d, 8*(n+1));
    double r = b->row[1][1]*b->row[1][1] + b->row[1][0]*b->row[0][2]*a->d[1]; free(a); free(b); return r; }
"""
)
# Refused: integers that are made of bytes of numbers.
REFUSED = {"halves", "hash", "bytebuf2"}
WAYS = {"hvp": lambda f, x: em.hvp(f, (x, 3), (1.0, None)), "grad": lambda f, x: em.grad(em.grad(f, 0), 0)(x, 3)}


def _bend(f: em.CFunction, opt: int, way: str) -> str | None:
    """What is wrong with the second derivative of a function of (x, 3)."""
    x, name = 1.5, f.name
    h = 1e-3 if name in ("mixed", "cfi", "cld") else 1e-5
    want = (f.grad(x + h, 3) - f.grad(x - h, 3)) / (2 * h)
    try:
        found = WAYS[way](f, x)
    except em.EnzymeError as error:
        if name in ("vectors", "tagged_stream") and (opt, error.code) == (0, "EM230"):
            return None  # a struct that holds a pointer is passed by value
        return None if name in REFUSED and error.code in ("EM220", "EM224", "EM409") else f"{name}: {error}"
    good = found == pytest.approx(want, rel=1e-4 if h < 1e-4 else 1e-2, abs=1e-4)
    return None if good else f"{name} at opt={opt}: {found}, {want}"


def _wrong(text: str, names: list[str], opt: int, way: str) -> list[str]:
    program = em.compile_c(text, opt=opt)
    return [found for name in names if (found := _bend(program[name], opt, way))]


@pytest.mark.parametrize("way", WAYS)
def test_over_reverse(way: str) -> None:
    """Members of each class; all of them every night."""
    bad = (
        _wrong(BLOCKS, ["ring", "rows", "reused"], 2, way)
        + _wrong(BYTES, ["cchain", "table3"], 2, way)
        + _wrong(INTEGERS, ["lox", "halves"], 0, way)
        + _wrong(INTEGERS, ["stretchy"], 2, way)  # sizes of blocks are minima
    )
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("opt", range(4))
def test_tables_once(opt: int) -> None:
    """The first derivatives of what second ones are asked of."""
    program, x, h = em.compile_c(TABLES, opt=opt), 1.5, 1e-6
    for name in re.findall(r"^double (\w+)\(double x, int n\)", TABLES, re.MULTILINE):
        f = program[name]
        want = pytest.approx((f(x + h, 3) - f(x - h, 3)) / (2 * h), rel=1e-6)
        assert (name, f.grad(x, 3)) == (name, want)
        assert (name, em.jvp(f, (x, 3), (1.0, None))[1]) == (name, want)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("way", "opt", "squared"), [*((w, o, "x*x") for w in WAYS for o in range(4)), ("grad", 2, "(x-1.5)")]
)
def test_all_over_reverse(way: str, opt: int, squared: str) -> None:
    """The last one: numbers whose first derivative vanishes, and whose second does not."""
    bad = []
    for text in (BLOCKS, BYTES, INTEGERS, TABLES):
        names = re.findall(r"^double (\w+)\(double x, int n\)", text, re.MULTILINE)
        bad += _wrong(text.replace("x*x", squared), names, opt, way)
    assert not bad, "\n".join(bad)


MATRIX = r"""
double rosen(const double *x, int n) { char *q = malloc(8*n + 8); *(int *)q = n; memcpy(q + 8, x, 8*n);
    double *w = (double *)(q + 8), r = 0; for (int i = 0; i + 1 < *(int *)q; i++) {
        double a = w[i+1] - w[i]*w[i]; r += 100*a*a + (1 - w[i])*(1 - w[i]); }
    free(q); return r; }
"""


def test_a_hessian() -> None:
    """Several directions, memory from outside, and a gradient of which nothing is left behind."""
    rosen = em.compile_c(test_kinds.HEAD + MATRIX, opt=2).rosen
    x = np.array([0.5, -1.0, 2.0, 1.5])
    want = np.zeros((4, 4))
    for i in range(3):
        want[i, i] += 1200 * x[i] ** 2 - 400 * x[i + 1] + 2
        want[i + 1, i + 1] += 200
        want[i, i + 1] = want[i + 1, i] = -400 * x[i]
    for _ in range(2):
        assert np.allclose(np.reshape(em.hessian(rosen, wrt="x")(x, 4), (4, 4)), want, rtol=1e-12)


# Numbers that are computed with as integers, where the first derivative does not tell: what is computed is multiplied by zero.
HIDDEN = r"""
double byte(double x, int n) { unsigned char q[16]; double y = x; memcpy(q, &n, 4); memcpy(q + 8, &y, 8);
    double r = (x - 1.5)*(double)q[5 + n], z; memcpy(&z, q + 8, 8); return r + z*z + q[0]; }
double word(double x, int n) { V v[2]; v[0].u.i = n; v[1].u.d = x*x; return (x-1.5)*(1e-18*(double)v[n-2].u.i) + v[1].u.d; }
double sum(double x, int n) { V v[3]; v[0].u.i = n; v[1].u.i = n + 1; v[2].u.d = x; v[n-2].u.i = v[n-1].u.i + 1;
    return (x-1.5)*v[n-2].u.d; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_no_number_is_taken_for_an_integer(opt: int) -> None:
    """Its low byte is zero, as that of its tangent."""
    program = em.compile_c(test_kinds_of_integers.HEAD + HIDDEN, opt=opt)
    for name in ("byte", "word", "sum"):
        for way in WAYS.values():
            with pytest.raises(em.ExecutionError) as caught:
                way(program[name], 1.5)
            assert caught.value.code == "EM409"


def test_what_no_derivative_follows() -> None:
    """In reverse mode no derivative that C code asks for is followed, nor any a third time: an error with its line."""
    program = em.compile_c(BLOCKS + test_kinds_elsewhere.requests(["ring"]), opt=2)
    for derivative in (
        lambda: program.r_ring.grad(1.5, 3),
        lambda: em.grad(em.grad(em.grad(program.ring, 0), 0), 0)(1.5, 3),
        lambda: em.hvp(em.grad(program.ring, 0).as_function, (1.5, 3), (1.0, None)),
    ):
        with pytest.raises(em.DifferentiationError) as caught:
            derivative()
        assert caught.value.code == "EM224"
        assert caught.value.span is not None
