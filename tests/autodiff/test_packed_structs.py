"""Small structs of integers and floats, passed and returned by value: the calling convention packs them into integer registers.

A float in one half of an i64 has a derivative, the integer beside it has none, whatever shifts and masks put them together. The
same for unions by value and for vectors of integers: the LLVM type says integer, the numbers in it are floating.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .harness import check, refused

X = np.array([0.3, 0.5, 0.7, 0.4], np.float32)
D = X.astype(float)
TAGS = np.array([3, 1, 4, 2], np.int32)
SOURCE = """
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline)) static
typedef struct { int tag; float x; float y[2]; } point;
typedef struct { int tag; float x; } pair;
typedef struct { float x; int tag; } riap;
typedef struct { float x, y; } both;
typedef struct { short a; char b; float x; double d; } mixed;
typedef struct { double d; int n; float x; } late;

NOINLINE float used(point p) { return p.tag*p.x*p.y[0] + p.y[1]; }
float passed(const float *x) { point p = {3, x[0], {x[1], x[2]}}; p.x *= 2; return used(p); }

NOINLINE pair made(float x, int t) { pair p = {t, x*x}; return p; }
float returned(float x, int t) { pair p = made(x, t); return p.tag*p.x; }

NOINLINE pair step(pair p) { pair q = {p.tag + 1, sinf(p.x)*p.tag}; return q; }
float iterated(float x, int n) { pair p = {1, x}; for (int i = 0; i < n; i++) p = step(p); return p.x + p.tag; }

NOINLINE pair chosen(pair a, pair b) { return a.x > b.x ? a : b; }
float selected(const float *x, const int *tags, int n) {
    pair best = {-1, x[0]};
    for (int i = 1; i < n; i++) { pair p = {tags[i], x[i]}; best = chosen(best, p); }
    return best.x*best.x + best.tag;
}

NOINLINE pair deeper(pair p) {
    if (p.tag == 0) return p;
    pair q = {p.tag - 1, p.x*p.x + 0.1f};
    q = deeper(q);
    q.x *= p.x;
    return q;
}
float recursive(float x, int n) { pair p = {n, x}; return deeper(p).x; }

NOINLINE riap turned(pair p) { riap r = {p.x*3, p.tag}; return r; }
float low_half(float x, int n) { pair p = {n, x}; riap r = turned(p); return r.x*r.x*r.tag; }

NOINLINE both rotated(both b, int n) { both c = {b.x*cosf(n) - b.y, b.x + b.y*n}; return c; }
float two_floats(const float *x, int n) { both b = {x[0], x[1]}; b = rotated(b, n); b = rotated(b, 2); return b.x*b.y; }

NOINLINE mixed scaled(mixed m, float by) { m.x *= by; m.d *= m.x; m.a++; m.b--; return m; }
double small_integers(const float *x) { mixed m = {2, 3, x[0], x[1]}; m = scaled(m, x[2]); return m.d*m.x*m.a*m.b; }

NOINLINE late later(late l) { late r = {l.d*l.x, l.n*2, (float)l.d}; return r; }
double second_register(const float *x, int n) { late l = {x[0], n, x[1]}; l = later(later(l)); return l.d*l.n + l.x; }

NOINLINE float sum_of(const pair *p, int n) {
    float s = 0; for (int i = 0; i < n; i++) s += made(p[i].x, p[i].tag).x*p[i].tag;
    return s;
}
float through_memory(const float *x, const int *tags, int n) {
    pair *p = malloc(n*sizeof *p);
    for (int i = 0; i < n; i++) p[i] = made(x[i], tags[i]);
    for (int i = 1; i < n; i++) p[i] = chosen(p[i - 1], p[i]);
    float s = sum_of(p, n);
    free(p);
    return s;
}

typedef pair rule(pair, float);
NOINLINE pair add(pair p, float y) { p.x += y; return p; }
NOINLINE pair times(pair p, float y) { p.x *= y; p.tag++; return p; }
float by_pointer(const float *x, int n) {
    rule *rules[2] = {add, times};
    pair p = {0, 1};
    for (int i = 0; i < n; i++) p = rules[i % 2](p, x[i]);
    return p.x*p.tag;
}

NOINLINE pair maybe(float x, int n) { pair p = {n, x}; if (n > 2) { p.x = 1; p.tag = 0; } return p; }
float constant_arm(float x, int n) { pair p = maybe(x*x, n); return p.x*p.x*(p.tag + 1); }

NOINLINE float unused_float(pair p) { return (float)p.tag; }
float integer_only(float x, int n) { pair p = {n, x}; return unused_float(p)*x; }


typedef union { long k; double x; } number;
typedef struct { double d; number v; } tagged;
NOINLINE tagged swapped(tagged s) { tagged r = {s.d*s.v.x, {.x = s.d}}; return r; }
double union_members(const double *x) { tagged s = {x[0], {.x = x[1]}}; s = swapped(swapped(s)); return s.d*s.v.x; }
NOINLINE tagged either(tagged a, tagged b, int n) { if (n > 1) return a; return b; }
double union_merged(const double *x, int n) {
    tagged a = {x[0], {.x = x[1]}}, b = {x[1], {.x = 3}}, c = either(a, b, n);
    return c.d*c.v.x;
}
NOINLINE number bare(number u) { u.x *= 2; return u; }
double bare_union(double x) { number u = {.x = x*x}; u = bare(u); return u.x*x; }

typedef int lanes __attribute__((vector_size(16)));
NOINLINE lanes kept(lanes a, int n) { return n ? a : (lanes){0}; }
float integer_vector(const float *x, int n) {
    lanes t;
    float y[4];
    memcpy(&t, x, 16);
    t = kept(t, n);
    memcpy(y, &t, 16);
    return y[0]*y[1] + y[2]*y[3];
}
float lane_by_lane(const float *x, int n) {
    lanes t, u;
    float y[4];
    memcpy(&t, x, 16);
    u = __builtin_shufflevector(t, t, 3, 2, 1, 0);
    u[n] = t[2];
    memcpy(y, &u, 16);
    return y[0]*y[1] + y[2]*y[3];
}

NOINLINE pair numbered(pair a, pair b) { return a.x > b.x ? a : b; }
float index_beside_float(const float *x, int n) {
    pair best = {-1, x[0]};
    for (int i = 1; i < n; i++) { pair p = {i, x[i]}; best = numbered(best, p); }
    return best.x*best.x + best.tag;
}
"""
CASES: dict[str, list[list[Any]]] = {
    "passed": [[X[:3]]],
    "returned": [[0.7, 3]],
    "iterated": [[0.7, 4], [0.7, 0]],
    "selected": [[X, TAGS, 4]],
    "recursive": [[0.7, 3], [0.7, 0]],
    "low_half": [[0.7, 3]],
    "two_floats": [[X[:2], 3]],
    "small_integers": [[X[:3]]],
    "second_register": [[X[:2], 3]],
    "through_memory": [[X, TAGS, 4]],
    "by_pointer": [[X, 4]],
    "constant_arm": [[0.7, 1], [0.7, 5]],
    "integer_only": [[0.7, 3]],
    "union_members": [[D[:2]]],
    "union_merged": [[D[:2], 1], [D[:2], 2]],
    "bare_union": [[0.7]],
    "integer_vector": [[X, 1], [X, 0]],
    "lane_by_lane": [[X, 1]],
}


@pytest.mark.parametrize("function", CASES)
def test_packed_struct(function: str) -> None:
    for arguments in CASES[function]:
        check(SOURCE, function, arguments, single=True)


def test_loop_index_beside_a_float() -> None:
    """Optimizers put the index there by an addition, which is right only because of its range: nothing we prove."""
    check(SOURCE, "index_beside_float", [X, 4], levels=(0,), single=True)
    refused(SOURCE, "index_beside_float", [0], levels=(1, 2, 3))
