"""Calls that cannot affect the result get no derivative: asserted on the gradient's IR."""

from __future__ import annotations

import re

import numpy as np
import pytest

import enzyme_magic as em
from tests.autodiff.harness import check

SOURCE = """
#include <stdio.h>
#include <math.h>
static int calls;
static double last;
__attribute__((noinline)) int count_large(const double *a, int n) {
    int k = 0;
    for (int i = 0; i < n; i++) k += a[i] > 0.5;
    return k;
}
__attribute__((noinline)) void remember(double x) { last = x; calls++; }
__attribute__((noinline)) double scale_of(int n) { double s = 0; for (int i = 1; i < n; i++) s += 1.0/i; return s; }
__attribute__((noinline)) double square(double x) { return x*x; }
double by_count(const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += square(a[i])*count_large(a, n); return s; }
double with_log(const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) { s += square(a[i]); remember(s); } return s; }
double scaled(const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += square(a[i]); return s*scale_of(n); }
"""
POINT = (np.array([0.2, 0.7, 1.3, 0.4]), 4)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("function", "inactive"), [("by_count", "count_large"), ("with_log", "remember"), ("scaled", "scale_of")]
)
def test_no_derivative_of_what_does_not_matter(level: int, function: str, inactive: str) -> None:
    text = str(em.compile_c(SOURCE, opt=level)[function].ir("gradient"))
    defined = set(re.findall(r"^define [^@]*@(\S+?)\(", text, re.M))
    assert any("square" in name for name in defined)
    assert not any(inactive in name for name in defined)


@pytest.mark.parametrize("function", ["by_count", "with_log", "scaled"])
def test_their_gradients(function: str) -> None:
    check(SOURCE, function, POINT)


OVERWRITING = """
#include <time.h>
#include <unistd.h>
#include <sys/random.h>
struct named { char name[16]; double x; };
double by_clock(double x) {
    double a[4]; a[0] = x*x; a[1] = x;
    clock_getres(CLOCK_MONOTONIC, (struct timespec *)a);
    return a[0] + a[1];
}
double by_folder(double x) { double a[4]; a[0] = x*x; a[1] = x; getcwd((char *)a, 8); return a[0] + a[1]; }
double by_chance(double x) { float a[4]; a[0] = x*x; a[1] = x; getentropy(a, 4); return a[0] + a[1]; }
double beside(double x) {
    struct named s; s.x = x; time_t then = 0; struct tm when;
    gmtime_r(&then, &when); strftime(s.name, 16, "%Y", &when);
    return s.x*s.x*when.tm_year + s.name[0];
}
"""


@pytest.mark.parametrize("name", ["by_clock", "by_folder", "by_chance"])
def test_what_the_library_writes_over_numbers_is_refused(name: str) -> None:
    f = em.compile_c(OVERWRITING)[name]
    for derivative in (lambda: f.grad(1.5), lambda: em.jvp(f, 1.5, 1.0)):
        with pytest.raises(em.DifferentiationError) as caught:
            derivative()
        assert caught.value.code == "EM275"


def test_what_it_writes_beside_them_is_not() -> None:
    assert em.compile_c(OVERWRITING).beside.grad(1.5) == 210.0
