"""Heap memory that the program uses again under another type: what it held before cannot be read again in the reverse sweep.

C's rules on types seemed to say that a pointer that is stored meets no number that was read; in a pool or a scratch block it does.
The gradient was then computed from the bits of the pointer, in silence.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em
from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.autodiff.retyped import retyped
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.text import parser

HEAD = "#include <stdlib.h>\n"
FREE_LIST = """
typedef struct Node { double v; struct Node *next; } Node;
double f(double x, double y) {
    void *unused = 0;
    Node *head = 0;
    for (int i = 0; i < 3; i++) { Node *n = malloc(sizeof *n); n->v = x*(i + 1) + y; n->next = head; head = n; }
    double s = 0;
    for (Node *n = head; n; n = n->next) s += n->v*n->v;
    while (head) { Node *n = head; head = n->next; *(void **)n = unused; unused = n; }
    while (unused) { void *n = *(void **)unused; free(unused); unused = n; }
    return s;
}
"""
SCRATCH = """
double f(double x, double y) {
    double *a = malloc(3*sizeof *a), s = 0;
    for (int i = 0; i < 3; i++) a[i] = x*(i + 1) + y;
    for (int i = 0; i < 3; i++) s += a[i]*a[i];
    long *order = (long *)a;
    for (int i = 2; i >= 0; i--) order[i] = i;
    for (int i = 0; i < 3; i++) s += 0*order[i];
    free(a);
    return s;
}
"""
BLOCKS = """
typedef struct { double v[2]; } Pair;
typedef struct { long n[2]; } Counts;
double f(double x, double y) {
    void *block[3];
    double s = 0;
    for (int k = 0; k < 3; k++) { Pair *p = block[k] = malloc(sizeof *p); p->v[0] = x*(k + 1) + y; p->v[1] = 1; }
    for (int k = 0; k < 3; k++) { Pair *p = block[k]; s += p->v[0]*p->v[0]*p->v[1]; }
    for (int k = 0; k < 3; k++) { Counts *c = block[2 - k]; c->n[0] = k; c->n[1] = 7; }
    for (int k = 0; k < 3; k++) { Counts *c = block[k]; s += 0*c->n[0]; free(c); }
    return s;
}
"""
ONE_TYPE = """
typedef struct { int n; double scale, *v; } Vector;
double f(Vector *a, const int *order) {
    double s = 0;
    for (int i = 0; i < a->n; i++) { a->v[order[i]] *= a->scale; s += a->v[i]; }
    a->scale = s;
    return s;
}
"""
X, Y = 1.3, 0.7


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("source", [FREE_LIST, SCRATCH, BLOCKS], ids=["free-list", "scratch", "blocks"])
def test_what_was_read_is_gone(opt: int, source: str) -> None:
    f = em.compile_c(HEAD + source, opt=opt).f
    values = [X * k + Y for k in (1, 2, 3)]
    wanted = (sum(2 * k * v for k, v in zip((1, 2, 3), values, strict=True)), sum(2 * v for v in values))
    assert tuple(f.grad(X, Y)) == pytest.approx(wanted)
    assert em.jvp(f, (X, Y), (1.0, 0.0))[1] == pytest.approx(wanted[0])


def accesses(source: str) -> int:
    module = parser.parse(em.compile_c(HEAD + source, opt=0).f.ir("optimized"))
    layout = DataLayout.of(module)
    return len(retyped(module, Types.of(module, layout), layout))


def test_types_are_trusted_where_memory_has_one() -> None:
    assert accesses(ONE_TYPE) == 0
    assert accesses(SCRATCH) > 0
