"""A model as programs have it: a struct of sizes, pointers to tensors in one block, a name and a state of its own.

It was refused: an integer that is looked up in a member array of integers was said to be a pointer that lies in the same struct
(EM230), and text that is copied from member to member to be a number of the struct (EM221), where a function that is given a
pointer to one member was taken to speak of all that follows it.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import enzyme_magic as em

LEVELS = pytest.mark.parametrize("opt", [0, 1, 2, 3])
HEAD = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NI static __attribute__((noinline))
"""
MODEL = (
    HEAD
    + """
typedef struct { int layers, width; } settings;
typedef struct { double *scale, *shift, *last; } tensors;
typedef struct { settings s; tensors t; size_t sizes[3]; double *block; size_t count; double loss; } model;
static void fill(size_t *sizes, settings s) { sizes[0] = s.layers; sizes[1] = s.layers*s.width; sizes[2] = s.width; }
static double *point(tensors *t, const size_t *sizes) {
    size_t n = 0;
    for (int i = 0; i < 3; i++) n += sizes[i];
    double *block = malloc(n*sizeof *block), *next = block, **all[] = {&t->scale, &t->shift, &t->last};
    for (int i = 0; i < 3; i++) *all[i] = next, next += sizes[i];
    return block;
}
NI void run(model *m) {
    m->loss = 0;
    for (int i = 0; i < m->s.width; i++) m->loss += m->t.shift[i]*m->t.last[i]*m->t.scale[1];
}
double f(double x, double y) {
    static model m;
    memset(&m, 0, sizeof m);
    m.s = (settings){2, 3};
    fill(m.sizes, m.s);
    size_t n = 0;
    for (int i = 0; i < 3; i++) n += m.sizes[i];
    m.count = n;
    m.block = point(&m.t, m.sizes);
    for (size_t i = 0; i < m.count; i++) m.block[i] = i*x + y*y;
    run(&m);
    free(m.block);
    return m.loss;
}
NI size_t total(const size_t *s, int n) { size_t k = 0; for (int i = 0; i < n; i++) k += s[i]; return k; }
double counted(double x) {
    model m;
    for (int i = 0; i < 3; i++) m.sizes[i] = i + 1;
    m.count = total(m.sizes, 3);
    m.block = malloc(m.count*sizeof(double));
    for (size_t i = 0; i < m.count; i++) m.block[i] = i*x*x;
    double s = 0;
    for (size_t i = 0; i < m.count; i++) s += m.block[i];
    free(m.block);
    return s;
}
"""
)
NAMED = (
    HEAD
    + """
typedef struct { char name[8]; double e, n; int k; double w[3]; } state;
typedef struct { state s; char line[20], id[8]; long epoch; double b; } element;
NI void start(state *s) { s->w[0] = s->e*s->e; s->w[1] = s->n*s->w[0]; s->w[2] = s->w[1] + s->k; }
NI double run(state *s, double y) { double r = 0; for (int i = 0; i < 3; i++) r += s->w[i]*y; return r; }
NI void read(element *t, const char *text) {
    char number[20];
    strncpy(t->line, text, 19), t->line[19] = 0;
    strncpy(t->id, text + 7, 5);
    strncpy(number, text + 2, 5), number[5] = 0;
    t->s.e = strtod(number, NULL), t->s.n = 2, t->s.k = 3, t->b = 1;
    strncpy(t->s.name, t->id, 6);
}
double g(double x, double y) {
    element t;
    read(&t, "1 0.500 zz");
    for (int i = 0; i < 2; i++) { t.s.e *= x, start(&t.s), strcpy(t.s.name, t.id); }
    t.b += t.s.e*y;
    return t.b*run(&t.s, y)*(t.s.name[1] == 'z');
}
"""
)
FLOATS = (
    HEAD
    + """
typedef struct { int layers, width; } settings;
typedef struct { float *scale, *shift, *last; } tensors;
typedef struct {
    settings s; tensors t; size_t sizes[3]; float *block; size_t count;
    float *made, *act; float loss; int batch, *inputs; float mean;
} model;
static void fill(size_t *sizes, settings s) { sizes[0] = s.layers; sizes[1] = s.layers*s.width; sizes[2] = s.width; }
NI void product(float *out, const float *a, const float *b, size_t n) { for (size_t i = 0; i < n; i++) out[i] = a[i]*b[i]; }
NI void run(model *m, const int *in, size_t batch, size_t steps) {
    size_t width = m->s.width;
    if (!m->made) {
        m->batch = batch;
        m->made = malloc(width*4*sizeof(float));
        m->act = m->made + width;
        m->inputs = malloc(batch*steps*sizeof(int));
    } else if (m->batch != (int)batch)
        abort();
    memcpy(m->inputs, in, batch*steps*sizeof(int));
    tensors t = m->t;
    product(m->act, t.shift, t.last, width);
    float s = 0;
    for (size_t i = 0; i < width; i++) s += m->act[i]*t.scale[0];
    for (size_t i = 0; i < batch*steps; i++) s *= 1 + m->inputs[i]*0.1f;
    m->loss = s, m->mean = s/batch;
}
float f(float *p, const int *in) {
    model m;
    memset(&m, 0, sizeof m);
    settings s = {2, 3};
    m.s = s;
    fill(m.sizes, m.s);
    float *next = p, **all[] = {&m.t.scale, &m.t.shift, &m.t.last};
    for (int i = 0; i < 3; i++) *all[i] = next, next += m.sizes[i];
    m.count = next - p, m.block = p;
    run(&m, in, 2, 1);
    float r = m.mean;
    free(m.made), free(m.inputs);
    return r;
}
"""
)
KEPT = (
    HEAD
    + """
typedef struct { double *a; uint64_t w[4], kept; } table;
NI void put(table *t, double *p, int n) { memcpy(&t->w[n], &p, 8); }
NI void add(table *t) { uint64_t s = 0; for (int i = 0; i < 4; i++) s += t->w[i]; t->kept = s + 8; }
double f(double x, double y) {
    table t;
    memset(&t, 0, sizeof t);
    double v[2] = {x, y*x}, *q;
    t.a = v;
    PUT;
    add(&t);
    memcpy(&q, &t.kept, 8);
    return *q*t.a[0];
}
"""
)


@LEVELS
def test_sizes_beside_pointers(opt: int) -> None:
    p = em.compile_c(MODEL, opt=opt)
    x, y = 0.3, 0.7
    want = sum(((2 + i) * x + y * y) * ((8 + i) * x + y * y) * (x + y * y) for i in range(3))
    assert math.isclose(p.f(x, y), want)
    em.check_grads(p.f, (x, y))
    assert math.isclose(p.f.jvp((x, y), (1.0, 0.0))[1], p.f.grad(x, y).x)
    assert math.isclose(p.counted.grad(x), 30 * x)
    assert math.isclose(p.counted.jvp((x,), (1.0,))[1], 30 * x)


@LEVELS
def test_tensors_of_floats_in_a_local_struct(opt: int) -> None:
    """As large as the integers beside them: a table of pointers to members spoke of all that follows those members."""
    f = em.compile_c(FLOATS, opt=opt).f
    p, given = np.linspace(0.5, 1.5, 11, dtype=np.float32), np.array([1, 2], np.int32)
    factor = 1.1 * 1.2 / 2
    shift, last = p[2:5], p[8:11]
    want = np.zeros(11)
    want[0], want[2:5], want[8:11] = shift @ last * factor, p[0] * last * factor, p[0] * shift * factor
    np.testing.assert_allclose(f.grad(p, given), want, rtol=1e-5)
    along = f.jvp((p, given), (np.ones_like(p), None))[1]
    np.testing.assert_allclose(getattr(along, "result", along), want.sum(), rtol=1e-5)
    assert "unknown kind" not in str(f.plan())  # no run is asked what the bytes are


@LEVELS
def test_text_that_goes_from_member_to_member(opt: int) -> None:
    g = em.compile_c(NAMED, opt=opt).g
    x, y = 0.9, 0.7
    e = 0.5 * x * x
    w = 3 * e * e + 2 * e * e + 3
    assert math.isclose(g(x, y), (1 + e * y) * w * y)
    em.check_grads(g, (x, y))
    assert math.isclose(g.jvp((x, y), (0.0, 1.0))[1], g.grad(x, y).y)


@LEVELS
@pytest.mark.parametrize("put", ["put(&t, v, (int)(y*0 + 2.5))", "t.w[1] = (uint64_t)v"])
def test_addresses_among_the_integers_are_seen(opt: int, put: str) -> None:
    """They were put there as integers, or as bytes: what is made of them, and read as a pointer, is refused."""
    f = em.compile_c(KEPT.replace("PUT", put), opt=opt).f
    for derivative in (lambda: f.grad(0.3, 0.7), lambda: f.jvp((0.3, 0.7), (1.0, 0.0))):
        with pytest.raises(em.DifferentiationError) as caught:
            derivative()
        assert caught.value.code == "EM230"
