"""Second derivatives of programs with blocks of the heap, in structs and in memory of which the run is asked."""

from __future__ import annotations

import numpy as np

import enzyme_magic as em

BOX = """#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int count; double *low, *high; } Box;
typedef struct { int count; void *data; Box *box; } Tree;
static Box *box_of(int count, const double *at) {
    size_t size = count*sizeof *at; Box *box = malloc(sizeof *box);
    box->count = count; box->low = malloc(size); box->high = malloc(size);
    memcpy(box->low, at, size); memcpy(box->high, at, size); return box; }
static void extend(Box *box, const double *at) {
    for (int i = 0; i < box->count; i++) {
        if (at[i] < box->low[i]) box->low[i] = at[i];
        if (at[i] > box->high[i]) box->high[i] = at[i]; } }
double f(double x, double y) {
    Tree tree = {2, 0, 0}; double held[4];
    for (int i = 0; i < 4; i++) {
        double at[2] = {sin(3*i)*x, cos(5*i)*y*x}; held[i] = x*i; tree.data = &held[i];
        if (tree.box) extend(tree.box, at); else tree.box = box_of(2, at); }
    double r = (tree.box->high[0] - tree.box->low[0])*(tree.box->high[1] - tree.box->low[1]) + *(double *)tree.data*y;
    free(tree.box->low); free(tree.box->high); free(tree.box); return r; }"""


def test_run_time_support_of_a_derivative_keeps_pointers_of_its_own() -> None:
    """The support for kinds has static pointers, and so the derivative of a derivative looks for kept blocks (EM130 before)."""
    f = em.compile(BOX, opt=0)["f"]
    at, steps = np.array([1.3, 0.7]), 1e-5 * np.eye(2)
    rough = [(np.array(f.grad(*(at + step))) - np.array(f.grad(*(at - step)))) / 2e-5 for step in steps]
    np.testing.assert_allclose(np.array(em.hessian(f)(*at)), rough, rtol=1e-6, atol=1e-6)
