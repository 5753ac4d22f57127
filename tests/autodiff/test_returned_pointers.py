"""Pointers that a function gets from memory and gives back: where nobody looks at their bits they are pointers, whoever calls."""

from __future__ import annotations

import pytest

import enzyme_magic as em

LEVELS = pytest.mark.parametrize("opt", [0, 2, 3])

# A child is found by an index: no type tells that no number lies there. `grown` gives back the pointer that it was given.
TREE = r"""
struct t { double acc; struct t *c[2]; };
static struct t *grown(struct t *r, int k, double v) {
    if (!r) { r = calloc(1, sizeof *r); r->acc = v; return r; }
    r->c[k & 1] = grown(r->c[k & 1], k/2, v*r->acc);
    return r;
}
static double walk(struct t *r, int depth) {
    if (!r) return 0;
    double s = walk(r->c[0], depth + 1) + r->acc*depth + walk(r->c[1], depth + 1);
    free(r);
    return s;
}
double f(double x, double y) { struct t *r = 0; for (int i = 0; i < 3; i++) r = grown(r, i, y + i*x); return walk(r, 1); }
"""
HEAD = "typedef union { double *p; double d; } U; static double *pick(U *t, int i) { return t[i].p; }\n"
READ = (
    HEAD
    + r"""
static double number(double *p) { double d; memcpy(&d, &p, 8); return d; }
double f(double x, double y) { U t[2]; t[0].d = x*y; t[1].d = y; return number(pick(t, 0))*number(pick(t, 1)); }
"""
)
STORED = (
    HEAD
    + r"""
static void put(double **to, double *p) { *to = p; }
double f(double x, double y) {
    U t[2], w[2]; t[0].d = x*y; t[1].d = y; put(&w[0].p, pick(t, 0)); put(&w[1].p, pick(t, 1)); return w[0].d*w[1].d; }
"""
)
# A pointer that is followed by a load, not only moved (it was taken for moved bits: EM900 at opt 0).
POOL = r"""
typedef union cell { union cell *next; struct { double a, b; } d; } cell;
static cell pool[16], *heads;
static cell *get(void) { cell *c = heads; heads = c->next; return c; }
static void put(cell *c) { c->next = heads; heads = c; }
double f(double x, double y) {
    double s = 0;
    for (int i = 0; i < 15; i++) pool[i].next = &pool[i+1];
    pool[15].next = 0; heads = pool;
    for (int r = 0; r < 4; r++) {
        cell *p = get(), *q = get();
        p->d.a = x*r + s; p->d.b = y; q->d.a = p->d.a*p->d.b; q->d.b = x; put(p);
        cell *t = get(); t->d.a = q->d.a*2; t->d.b = q->d.b*y; s += t->d.a*t->d.b*0.1; put(q); put(t);
    }
    return s;
}
"""
# The library returns pointers into memory that it was given, or null (EM242).
FOUND = r"""
typedef struct { char name[8]; double w; } item;
static item *find(item *v, int n, const char *k) {
    for (int i = 0; i < n; i++) { char *p = strchr(v[i].name, k[0]); if (p && p == v[i].name) return (item *)p; }
    return NULL;
}
double f(double x, double y) {
    item v[3] = {{"abc", x*y}, {"bcd", x*x}, {"xyz", y}};
    char *q = strrchr(v[1].name, 'd'), *e = stpcpy(v[2].name, "bc"), *m = memchr(v[0].name, 'c', 8);
    return find(v, 3, "b")->w*((item *)(q - 2))->w + ((item *)(e - 2))->w*(e - v[2].name) + ((item *)(m - 2))->w;
}
"""
# Recursive readers give back where they stopped, and memory of which nobody knows yet what it will hold.
READER = r"""
typedef struct value {
    int type;
    union { double number; char *text; struct { char **keys; struct value *values; size_t n; } object; } u;
} value;
static const char *text(const char *s, char **to) {
    const char *e = strchr(++s, '"'); *to = malloc(e - s + 1); memcpy(*to, s, e - s); (*to)[e - s] = 0; return e + 1;
}
static const char *parse(const char *s, value *v) {
    if (*s == '"') { v->type = 1; return text(s, &v->u.text); }
    if (*s != '{') { char *e; v->type = 2; v->u.number = strtod(s, &e); return e; }
    v->type = 3; v->u.object.keys = NULL; v->u.object.values = NULL; v->u.object.n = 0;
    for (s++; *s != '}'; s += *s == ',') {
        char *k; value x;
        s = text(s, &k); s = parse(s + 1, &x);
        size_t n = v->u.object.n++;
        v->u.object.keys = realloc(v->u.object.keys, (n + 1)*sizeof(char *));
        v->u.object.values = realloc(v->u.object.values, (n + 1)*sizeof(value));
        v->u.object.keys[n] = k; v->u.object.values[n] = x;
    }
    return s + 1;
}
static void release(value *v) {
    if (v->type == 1) free(v->u.text);
    if (v->type != 3) return;
    for (size_t i = 0; i < v->u.object.n; i++) { free(v->u.object.keys[i]); release(v->u.object.values + i); }
    free(v->u.object.keys); free(v->u.object.values);
}
double f(double x, double y) {
    value v; parse("{\"a\":2.5,\"b\":{\"c\":\"hi\",\"d\":3}}", &v);
    value *a = v.u.object.values, *d = a[1].u.object.values + 1;
    a->u.number *= x; d->u.number *= y*x;
    double r = a->u.number*d->u.number*a[1].u.object.keys[0][0];
    release(&v);
    return r;
}
"""
TEXTS = {"tree": TREE, "read": READ, "stored": STORED, "pool": POOL, "found": FOUND, "reader": READER}


@LEVELS
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_returned_pointers(text: str, opt: int) -> None:
    f, (x, y), h = em.compile_c(text, opt=opt).f, (1.3, 0.7), 1e-4
    want = ((f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h))
    assert tuple(f.grad(x, y)) == pytest.approx(want, rel=1e-6)
    assert em.jvp(f, (x, y), (1.0, 0.5))[1] == pytest.approx(want[0] + 0.5 * want[1], rel=1e-6)
