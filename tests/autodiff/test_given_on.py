"""Objects that a function makes and returns, and whose memory its caller fills with numbers."""

from __future__ import annotations

import pytest

import enzyme_magic as em

HEAD = """#include <stdlib.h>
#include <string.h>
#define NI static __attribute__((noinline))
"""
FILL = "for (int i = 0; i < 4; i++) o->x[i] = x*i;"
SUM = "for (int i = 0; i < 4; i++) s += o->x[i]*y;"
MEMBERS = {
    "a number and room": f"""typedef struct {{ double v; double *x; }} S;
NI S *make(int n, double v) {{ S *o = malloc(sizeof *o); o->v = v; o->x = malloc(n*8); return o; }}
double f(double x, double y) {{ S *o = make(4, x); {FILL} double s = o->v; {SUM} free(o->x); free(o); return s; }}""",
    "by a function that may fail": f"""typedef struct {{ double v; double *x; }} S;
NI S *gone(S *o) {{ free(o->x); free(o); return NULL; }}
NI S *make(int n, double v) {{
    S *o = calloc(1, sizeof *o); if (!o) return NULL;
    o->v = v; o->x = malloc(n*8); return o->x ? o : gone(o); }}
double f(double x, double y) {{ S *o = make(4, x); {FILL} double s = o->v; {SUM} gone(o); return s; }}""",
    "two of them": """typedef struct { double v; double *x; } S;
NI S *make(int n, double v) { S *o = malloc(sizeof *o); o->v = v; o->x = malloc(n*8); return o; }
NI void fill(S *o, double v) { for (int i = 0; i < 4; i++) o->x[i] = v*i; }
double f(double x, double y) {
    S *o = make(4, x), *p = make(4, 1); fill(o, x); fill(p, 1);
    double s = o->v; for (int i = 0; i < 4; i++) s += (i ? o->x[i]*p->x[i]/i : 0)*y; return s; }""",
    "made inside": f"""typedef struct {{ double v; double *x; }} I; typedef struct {{ double v; I *in; }} S;
NI I *inner(int n) {{ I *o = malloc(sizeof *o); o->x = malloc(n*8); return o; }}
NI S *make(int n, double v) {{ S *o = malloc(sizeof *o); o->v = v; o->in = inner(n); return o; }}
double f(double x, double y) {{ S *m = make(4, x); I *o = m->in; {FILL} double s = m->v; {SUM} return s; }}""",
    "in a static": f"""typedef struct {{ double v; double *x; }} S;
NI S *make(double v) {{ static double room[4]; S *o = malloc(sizeof *o); o->v = v; o->x = room; return o; }}
double f(double x, double y) {{ S *o = make(x); {FILL} double s = o->v; {SUM} free(o); return s; }}""",
    "beside a name": f"""typedef struct {{ double v; char *name; int *at; double *x; }} S;
NI S *make(int n, double v) {{
    S *o = malloc(sizeof *o); o->v = v; o->name = malloc(8); strcpy(o->name, "ab"); o->at = calloc(n, sizeof(int));
    o->x = malloc(n*8); return o; }}
double f(double x, double y) {{ S *o = make(4, x); {FILL} double s = o->v*strlen(o->name)/2 + o->at[1]; {SUM} return s; }}""",
    "in a list": """typedef struct N { double v; double *x; struct N *next; } N;
NI N *push(N *h, double v) { N *n = malloc(sizeof *n); n->v = v; n->x = malloc(8); n->next = h; return n; }
double f(double x, double y) {
    N *h = NULL; for (int i = 0; i < 4; i++) { h = push(h, i == 3 ? x : 0); h->x[0] = x*i; }
    double s = 0; for (; h; h = h->next) s += h->v + h->x[0]*y; return s; }""",
}


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("member", MEMBERS)
def test_memory_that_the_caller_fills(member: str, opt: int) -> None:
    function = em.compile_c(HEAD + MEMBERS[member], opt=opt).f  # x + 6*x*y
    assert function(1.5, 0.5) == pytest.approx(6.0)
    assert function.grad(1.5, 0.5) == pytest.approx((4.0, 9.0))
    assert em.jvp(function, (1.5, 0.5), (1.0, 0.0)) == pytest.approx((6.0, 4.0))
