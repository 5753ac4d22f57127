"""Forward mode where no tangent arrives: a slope that is infinite has nothing to multiply, at every level, through values, memory
and calls, as reverse mode has it; and a tangent that happens to be zero is not mistaken for that."""

from __future__ import annotations

import math

import numpy as np
import pytest

import enzyme_magic as em

SOURCE = r"""
#include <math.h>
#include <stdlib.h>
double __enzyme_fwddiff(void *, ...);
double root(double x, double y) { return sqrt(fmax(x, 0.0)) + y*y*y; }
double angle(double x, double y) { return acos(fmin(1, fmax(-1, x))) + y*y; }
static double relu(double x) { return x > 0 ? x : 0; }
double kept(double x, double y) {
    double a[2]; a[0] = relu(x); a[1] = 0;
    if (y > 100) a[1] = x;
    return sqrt(a[0]) + sqrt(a[1]) + pow(fdim(x, 0), 0.5) + y*y*y; }
float single(float x, float y) { return cbrtf(fminf(0, x)) + y*y; }
double square_root_of_square(double x) { return sqrt(x*x); }
double cube_root_of_cube(double x) { return cbrt(x*x*x); }
double difference(double x) { return sqrt((x + 1) - (x + 1)); }
double sum(const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += sqrt(fmax(a[i], 0.0))*a[0]; return s; }
__attribute__((noinline)) static double root_of(double v) { return sqrt(v); }
__attribute__((noinline)) static double relu_of(double v) { return -2*fmax(v, 0.0); } // 0*-2 would be there
__attribute__((noinline)) static void relu_to(double *to, double v) { *to = -2*fmax(v, 0.0); }
__attribute__((noinline)) static double root_of_opposite(double v) { return sqrt(-v); }
double from_call(double x, double y) { return sqrt(-relu_of(x)) + y*y*y; }
double from_memory(double x, double y) { double v; relu_to(&v, x); return sqrt(-v) + y*y*y; }
double into_call(double x, double y) { return root_of_opposite(-2*fmax(x, 0.0)) + y*y*y; }
double through_call(double x, double y) { return root_of(fmax(x, 0.0)) + y*y*y; }
__attribute__((noinline)) static double *cube_in(double v) { double *a = malloc(8); *a = v*v*v; return a; }
__attribute__((noinline)) static double *relu_in(double v) { double *a = malloc(8); *a = fmax(v, 0.0); return a; }
__attribute__((noinline)) static void cube_at(double **to, double v) { *to = malloc(8); **to = v*v*v; }
double from_block(double x, double y) { double *a = relu_in(x), s = sqrt(*a) + y*y*y; free(a); return s; }
double cube_from_block(double x) { double *a = cube_in(x), s = cbrt(*a); free(a); return s; }
double cube_from_pointer(double x) { double *a; cube_at(&a, x); double s = cbrt(*a); free(a); return s; }
double asked(double x, double y) { return __enzyme_fwddiff((void *)root, x, 1.0, y, 1.0); }
double smooth(double x) { return sqrt(x)*x; }
double along(double x, double dx) { return __enzyme_fwddiff((void *)smooth, x, dx); }
double eigenvalues(const double *given, int n) {
    double a[16];
    for (int i = 0; i < n*n; i++) a[i] = given[i];
    for (int sweep = 0; sweep < 20; sweep++)
        for (int p = 0; p < n; p++) for (int q = p + 1; q < n; q++) {
            if (fabs(a[p*n + q]) < 1e-30) continue;
            double theta = (a[q*n + q] - a[p*n + p])/(2*a[p*n + q]);
            double t = (theta >= 0 ? 1 : -1)/(fabs(theta) + sqrt(theta*theta + 1)), c = 1/sqrt(t*t + 1), s = t*c;
            for (int k = 0; k < n; k++) {
                double u = a[k*n + p], v = a[k*n + q]; a[k*n + p] = c*u - s*v; a[k*n + q] = s*u + c*v; }
            for (int k = 0; k < n; k++) {
                double u = a[p*n + k], v = a[q*n + k]; a[p*n + k] = c*u - s*v; a[q*n + k] = s*u + c*v; } }
    double total = 0;
    for (int i = 0; i < n; i++) total += (i + 1)*sqrt(fmax(a[i*n + i], 0));
    return total; }
"""
LEVELS = (0, 2)


@pytest.fixture(scope="module", params=LEVELS)
def program(request: pytest.FixtureRequest) -> em.Program:
    return em.compile(SOURCE, opt=request.param)


def test_nothing_arrives(program: em.Program) -> None:
    for first in (None, 0.0, 1.0):
        assert em.jvp(program.root, (-0.5, 2.0), (first, 1.0)) == (8.0, 12.0)
        assert em.jvp(program.angle, (-5.0, 2.0), (first, 1.0)) == (math.pi + 4, 4.0)
        assert em.jvp(program.kept, (-5.0, 2.0), (first, 1.0)) == (8.0, 12.0)
        assert em.jvp(program.single, (5.0, 2.0), (first, 1.0)) == (4.0, 4.0)
        for name in ("through_call", "into_call", "from_call", "from_memory", "from_block"):
            assert em.jvp(program[name], (-0.5, 2.0), (first, 1.0)) == (8.0, 12.0)
    assert program.asked(-0.5, 2.0) == 12.0
    assert em.hvp(program.root, (-0.5, 2.0), (1.0, 1.0)).y == 12.0
    assert em.hessian(program.kept)(-0.5, 2.0).y.y == 12.0


def test_jacobians_are_gradients(program: em.Program) -> None:
    a = np.array([2.0, -1.0, 0.0, 3.0])
    np.testing.assert_array_equal(em.jacfwd(program.sum)(a, 4), program.sum.grad(a, 4))
    matrix = np.array([2.0, 1, 0, 1, 3, 0, 0, 0, -1])
    np.testing.assert_allclose(em.jacfwd(program.eigenvalues)(matrix, 3), program.eigenvalues.grad(matrix, 3), 1e-12)


FROM_A_BLOCK = ["cube_from_block", "cube_from_pointer"]


@pytest.mark.parametrize("name", ["square_root_of_square", "cube_root_of_cube", "difference", *FROM_A_BLOCK])
def test_a_zero_that_arrives_is_a_number(program: em.Program, name: str) -> None:
    """There a zero would be wrong: both modes say NaN."""
    assert math.isnan(em.jvp(program[name], (0.0,), (1.0,))[1])
    assert math.isnan(program[name].grad(0.0))


def test_second_derivatives_see_no_constant(program: em.Program) -> None:
    """The derivative along dx = 0 is zero, and its slope in dx is not."""
    slope = 1.5 * math.sqrt(2)
    assert em.grad(program.along)(2.0, 0.0).dx == pytest.approx(slope)
    assert em.jvp(program.along, (2.0, 0.0), (0.0, 1.0))[1] == pytest.approx(slope)
