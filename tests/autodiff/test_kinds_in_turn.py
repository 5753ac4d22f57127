"""Memory that holds numbers, pointers and integers in turn: free lists, arenas, streams of bytes. Differences judge both modes."""

from __future__ import annotations

import re

import pytest

import enzyme_magic as em

from . import test_kinds

IN_TURN = r"""
typedef union Cell { union Cell *next; double v; struct { float a; int k; } w; } Cell;
typedef struct { Cell *free; Cell cells[8]; } Pool;
double lists(double x, int n) { Pool p = {0}; double s = 0; Cell *live[3] = {0};
    for (int i = 0; i < 8; i++) { p.cells[i].next = p.free; p.free = &p.cells[i]; }
    for (int i = 0; i < 3*n; i++) { Cell *c = p.free; p.free = c->next;
        if (i & 1) c->v = x*x*(i+1); else { c->w.a = x*i; c->w.k = i; }
        int k = i % 3; if (live[k]) { s += ((i - 3) & 1) ? live[k]->v*x : live[k]->w.a*live[k]->w.k;
            live[k]->next = p.free; p.free = live[k]; }
        live[k] = c; }
    return s; }
double blocks(double x, int n) { char *pool = malloc(8*16); void *head = 0; double s = 0, *live[2] = {0};
    for (int i = 0; i < 8; i++) { *(void **)(pool + 16*i) = head; head = pool + 16*i; }
    for (int i = 0; i < 4*n; i++) { double *d = head; head = *(void **)d; d[0] = x*i; d[1] = x*x;
        if (live[i & 1]) { s += live[i & 1][0]*live[i & 1][1]; *(void **)live[i & 1] = head; head = live[i & 1]; }
        live[i & 1] = d; }
    free(pool); return s; }
double turned(double x, int n) { Cell *a = malloc(n*sizeof(Cell)), *l = 0, *r = 0;
    for (int i = 0; i < n; i++) { a[i].next = l; l = a + i; }
    while (l) { Cell *m = l->next; l->next = r; r = l; l = m; }
    for (int i = 0; r; i++) { Cell *m = r->next; r->v = x*(i + 1); r = m; }
    double s = 0; for (int i = 0; i < n; i++) s += a[i].v*a[i].v*(i + 1); free(a); return s; }
typedef struct Block { struct Block *next; double w[2]; } Block;
double given_back(double x, int n) { Block *head = 0; double s = 0;
    for (int r = 0; r < 2*n; r++) { Block *b; if (head) { b = head; head = head->next; } else b = malloc(sizeof(Block));
        double *d = (double *)b; d[0] = sin(x*r + s); d[1] = x*d[0]; d[2] = d[0]*d[1]; s += 0.1*(d[0] + d[1]*d[2]);
        if (r % 2) { b->next = head; head = b; } else free(b); }
    while (head) { Block *next = head->next; free(head); head = next; }
    return s; }
typedef struct { int tag; union { double d; double *p; } u; } Tagged;
static void put(Tagged *to, const Tagged *from) { to->tag = from->tag;
    if (from->tag) to->u.p = from->u.p; else to->u.d = from->u.d; }
double members(double x, int n) { Tagged v[2], w[2]; double z = x*n; v[0].tag = 0; v[0].u.d = x*x; v[1].tag = 1;
    v[1].u.p = &z; for (int i = 0; i < 2; i++) put(&w[1-i], &v[i]); z *= x; double s = 0;
    for (int i = 0; i < 2; i++) s += (w[i].tag ? *w[i].u.p : w[i].u.d)*(v[i].tag ? *v[i].u.p : v[i].u.d)*(i + 1);
    return s; }
typedef struct { uint16_t rows, cols; double **row; } Mat;
static Mat *mat(int r, int c) { Mat *m = calloc(1, sizeof(Mat) + r*sizeof(double *) + r*c*8); m->rows = r; m->cols = c;
    m->row = (double **)(m + 1); double *d = (double *)(m->row + r); for (int i = 0; i < r; i++) m->row[i] = d + i*c;
    return m; }
double product(double x, int n) { Mat *a = mat(n, n), *b = mat(n, n), *c = mat(n, n); double s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a->row[i][j] = x*(i+1); b->row[i][j] = x + j; }
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)
        c->row[i][j] += a->row[i][k]*b->row[k][j];
    memcpy(a->row[0], c->row[1], 8*n); memcpy(a->row[n-1], c->row[0], 8*c->cols);
    for (int i = 0; i < n; i++) s += a->row[i][1]*b->row[1][i];
    free(a); free(b); free(c); return s; }
typedef struct { char *base; size_t at; } Arena;
static void *taken(Arena *a, size_t n, size_t al) { a->at = (a->at + al - 1) & ~(al - 1); a->at += n; return a->base + a->at - n; }
double arena(double x, int n) { Arena a = {malloc(1024), 0}; double s = 0; E *last = 0;
    for (int i = 0; i < n; i++) { char *c = taken(&a, 3, 1); c[0] = i; float *f = taken(&a, 4, 4); *f = x*i;
        E *e = taken(&a, sizeof(E), 8); e->p = x*x*(i+1); e->id = i; if (last) s += last->p*e->p**f*c[0]; last = e; }
    a.at = 0; double *d = taken(&a, 8*n, 8); for (int i = 0; i < n; i++) d[i] = x*i + s;
    for (int i = 0; i < n; i++) s += d[i]*d[i];
    free(a.base); return s; }
static size_t wr(char *b, size_t at, const void *p, size_t n) { b[at] = (char)n; memcpy(b + at + 1, p, n); return at + 1 + n; }
static size_t rd(const char *b, size_t at, void *p) { size_t n = b[at]; memcpy(p, b + at + 1, n); return at + 1 + n; }
double stream(double x, int n) { char *b = malloc(400); size_t at = 0; double s = 0;
    for (int i = 0; i < n; i++) { double d = x*x*i; float f = x; int k = i; at = wr(b, at, &d, 8); at = wr(b, at, &k, 4);
        at = wr(b, at, &f, 4); }
    b = realloc(b, at); at = 0;
    for (int i = 0; i < n; i++) { double d; int k; float f; at = rd(b, at, &d); at = rd(b, at, &k); at = rd(b, at, &f);
        s += d*f*k; }
    free(b); return s; }
double as_pointers(double x, int n) { Cell *c = malloc(n*sizeof(Cell)), *d = malloc(n*sizeof(Cell));
    for (int i = 0; i < n; i++) c[i].v = x*(i+1);
    for (int i = 0; i < n; i++) { Cell *q = c[n-1-i].next; if (i & 1) q = c[i].next; d[i].next = q; }
    double s = 0; for (int i = 0; i < n; i++) s += d[i].v*d[i].v*(i + 1); free(c); free(d); return s; }
"""
# One whose low bytes are read where an integer was.
WRONGLY = r"""
typedef uint64_t __attribute__((may_alias)) w64;
double low_bytes(double x, int n) { unsigned char q[16]; for (int i = 0; i < 16; i++) q[i] = i + n; double y = x, z;
    if (n > 2) memcpy(q + 8, &y, 8); else *(w64 *)(q + 8) = *(w64 *)&y;
    double r = (double)q[11 - n]*x; memcpy(&z, q + 8, 8); return r + z*z + q[0]; }
"""
TEXT = test_kinds.HEAD + IN_TURN + WRONGLY
NAMES = re.findall(r"^double (\w+)\(double x, int n\)", IN_TURN, re.MULTILINE)


@test_kinds.OFTEN
def test_in_turn(opt: int) -> None:
    program, x = em.compile_c(TEXT, opt=opt), 1.5
    bad = []
    for name in NAMES:
        f = program[name]
        want = (8 * (f(x + 1e-2, 3) - f(x - 1e-2, 3)) - f(x + 2e-2, 3) + f(x - 2e-2, 3)) / 12e-2
        reverse, forward = f.grad(x, 3), f.jvp((x, 3), (1.0, None))[-1]
        if reverse != pytest.approx(forward, rel=1e-6) or reverse != pytest.approx(want, rel=1e-4):
            bad.append(f"{name}: {reverse}, {forward}, {want}")
    assert not bad, "\n".join(bad)
    for name, way in (("low_bytes", "reverse"), ("low_bytes", "forward")):
        for n in (2, 3):
            with pytest.raises(em.ExecutionError) as caught:
                program[name].grad(x, n) if way == "reverse" else program[name].jvp((x, n), (1.0, None))
            assert caught.value.code == "EM409"


@pytest.mark.parametrize("number", ["x*(i+1)", "(x - 1.5)*(i+1)"])
def test_moved_as_a_pointer(number: str) -> None:
    """Also where the first derivative is zero and the second is not: no adjoint tells then of the number."""
    f = em.compile_c(TEXT.replace("c[i].v = x*(i+1)", f"c[i].v = {number}"), opt=2).as_pointers
    want = f(2.5, 3) + f(0.5, 3) - 2 * f(1.5, 3)
    assert em.hvp(f, (1.5, 3), (1.0, None)) == pytest.approx(want, rel=1e-12)
    assert em.grad(em.grad(f, 0), 0)(1.5, 3) == pytest.approx(want, rel=1e-12)


def test_twice() -> None:
    """Members of unions that are pointers or numbers, each read as what it is."""
    f, x, h = em.compile_c(TEXT, opt=2).members, 1.5, 1e-4
    want = (f.grad(x + h, 3) - f.grad(x - h, 3)) / (2 * h)
    assert em.hvp(f, (x, 3), (1.0, None)) == pytest.approx(want, rel=1e-5)
