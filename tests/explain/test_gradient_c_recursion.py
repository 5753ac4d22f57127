"""Functions that call themselves, as C: pairs of functions that do so, too, with frames from C's heap, all of which go back."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from tests.explain.test_gradient_c_reads_well import WARNINGS

SOURCE = """#include <math.h>
double tree(int depth, double x) {
    if (depth == 0) return sin(x);
    return tree(depth - 1, 0.5*x)*tree(depth - 1, x + 1);
}
double chain(int n, const double *x) {
    if (n == 0) return 1;
    return x[0]*cos(chain(n - 1, x + 1)*x[n - 1]);
}
double odd(int n, double x, double y);
double even(int n, double x, double y) {
    if (n <= 0) return x;
    return sin(odd(n - 1, x*y, y))*x;
}
double odd(int n, double x, double y) {
    if (n <= 0) return y;
    return exp(-even(n - 1, x, x + y))*y;
}
double both(int n, double x, double y) { return even(n, x, y)*odd(n, y, x); }
static double part(const double *a, int n, double s) {
    double r = s;
    for (int i = 0; i < n; i++) r = sin(r)*a[i] + s;
    if (n > 1) r *= part(a, n/2, r) + part(a + n/2, n - n/2, s*r);
    return r;
}
double parts(const double *a, int n, int times) {
    double r = 0.5;
    for (int k = 0; k < times; k++) r = part(a, n, r);
    return r;
}
static void smooth(double *a, int n) {
    if (n < 2) return;
    for (int i = 1; i < n; i++) a[i] = a[i]*a[i - 1] + exp(-a[i]);
    smooth(a, n/2);
    smooth(a + n/2, n - n/2);
}
double smoothed(double *a, int n) {
    smooth(a, n);
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i]*a[i];
    return s;
}
"""
X, A = 0.7, np.array([0.3, -0.8, 0.5, 0.9, -0.2, 0.6])
INPUTS: dict[str, tuple[Any, ...]] = {
    "tree": (4, X),
    "chain": (6, A),
    "both": (5, X, 0.4),
    "parts": (A, 6, 3),
    "smoothed": (A, 6),
}
COUNTED = """#include <stdlib.h>
static long live = 0;
void *counted(size_t n) { live++; return malloc(n); }
void *grown(void *p, size_t n) { live += p == NULL; return realloc(p, n); }
void freed(void *p) { live -= p != NULL; free(p); }
long blocks(void) { return live; }
"""


@pytest.fixture(scope="module", params=[0, 2])
def program(request: pytest.FixtureRequest) -> em.Program:
    """At opt=0 `even` and `odd` are two functions that call each other."""
    return em.compile_c(SOURCE, strict=True, opt=request.param)


def text_of(function: em.CFunction) -> str:
    made = function.gradient_c()
    assert made.available, made.reason
    return made.text


def compiled(text: str) -> em.Program:
    """With an eye on blocks that are not given back."""
    watched = re.sub(r"\bmalloc\(", "counted(", text)
    watched = re.sub(r"\brealloc\(", "grown(", watched)
    watched = re.sub(r"\bfree\(", "freed(", watched)
    return em.compile_c(COUNTED + watched, compile_args=WARNINGS, strict=True)


def call(program: em.Program, text: str, arguments: tuple[Any, ...]) -> list[Any]:
    """The adjoints: of arrays in their order, then the number or the struct that comes back."""
    head = next(line for line in text.splitlines() if re.match(r"(double|void) diffe_", line))
    name = re.search(r"diffe_\w+", head)[0]  # type: ignore[index]
    values: list[Any] = []
    adjoints: list[Any] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            own, adjoint = argument.copy(), np.zeros_like(argument)
            values += [own.ctypes.data_as(ctypes.c_void_p), adjoint.ctypes.data_as(ctypes.c_void_p)]
            adjoints += [adjoint, own]
        else:
            values.append(ctypes.c_double(argument) if isinstance(argument, float) else ctypes.c_int(argument))
    several = np.zeros(4)
    if "*results" in head:
        values.append(several.ctypes.data_as(ctypes.c_void_p))
    result = ctypes.c_double if head.startswith("double") else None
    given = ctypes.CFUNCTYPE(result, *(type(v) for v in values))(program[name].address)(*values)
    found = adjoints[::2]
    return [*found, *([given] if result is not None else several[: head.count("double ") - len(found) * 2])]


@pytest.mark.parametrize("name", INPUTS)
def test_it_gives_what_the_gradient_gives(name: str, program: em.Program) -> None:
    function = program[name]
    text = text_of(function)
    assert f"static {'void' if name == 'smoothed' else 'double'} augmented_" in text
    written = compiled(text)
    expected = function.grad(*INPUTS[name])
    wanted = list(expected) if isinstance(expected, em.Gradients) else [expected]
    for adjoint, own in zip(call(written, text, INPUTS[name]), wanted, strict=False):
        np.testing.assert_allclose(adjoint, own, rtol=1e-13)
    assert written.blocks() == 0


@pytest.mark.parametrize("name", ["tree", "both"])
def test_forward_mode(name: str, program: em.Program) -> None:
    """Value and tangent come back in an array of two numbers."""
    made = program[name].gradient_c(mode="forward")
    assert made.available, made.reason
    arguments, numbers = INPUTS[name], [a for a in INPUTS[name] if isinstance(a, float)]
    written = em.compile_c(made.text, compile_args=WARNINGS, strict=True)[f"fwddiffe_{name}"]
    tangents = [0.3, -1.1][: len(numbers)]
    given = [arguments[0], *(x for pair in zip(numbers, tangents, strict=True) for x in pair)]
    wanted = em.jvp(program[name], arguments, (None, *tangents))[1]
    assert written(*given) == pytest.approx(wanted, rel=1e-13)


def test_frames_have_members_and_no_offsets(program: em.Program) -> None:
    text = text_of(program.tree)
    assert re.search(r"struct tree_frame \{ double \w+; double \w+; void \*\w+; void \*\w+; \};", text)
    assert "sizeof(struct tree_frame)" in text
    assert "(char *)" not in text
    assert "static double reverse_tree(int depth, double x, double differet, struct tree_frame *frame) {" in text


def test_lines_and_rules_stand_in_both_halves(program: em.Program) -> None:
    halves = text_of(program.tree).split("\n\n")
    assert "/* line 3 */" in halves[0]
    assert "/* line 3: d sin(x) = cos(x) dx */" in halves[1]
    assert "/* line 4: d (x*y) = y dx + x dy */" in halves[1]


def test_the_recursive_fft_is_written_as_c() -> None:
    source = Path(__file__).with_name("ten_kernels.c").read_text(encoding="utf-8")
    function = em.compile_c(source, strict=True).fft
    text, random = text_of(function), np.random.default_rng(3)
    arrays = [random.uniform(-1, 1, 16) for _ in range(4)]
    written = compiled(text)
    expected = function.grad(16, *arrays)
    for adjoint, own in zip(call(written, text, (16, *arrays)), expected, strict=True):
        np.testing.assert_allclose(adjoint, own, rtol=1e-12, atol=1e-14)
    assert written.blocks() == 0
