/* Pointers to memory without derivatives, lying in memory, and used where a pointer to active memory may stand as well. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART static __attribute__((noinline))

APART double product(const double *a, const double *b) { return a[0] * b[0]; }

double table_behind_a_phi(const double *x, int k) {
    double u = 1, v = 2, r = x[0];
    double *m[2];
    m[k] = &u;
    m[1 - k] = &v;
    double *p = k ? m[k] : &r;
    return *p * *p * r;
}

typedef struct { int rows, columns; double *a; } Matrix;

static Matrix make(int rows, int columns) {
    Matrix m = {rows, columns, calloc(rows * columns, sizeof(double))};
    return m;
}

static Matrix times(Matrix a, Matrix b) {
    Matrix o = make(a.rows, b.columns);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < b.columns; j++)
            for (int k = 0; k < a.columns; k++)
                o.a[i * o.columns + j] += a.a[i * a.columns + k] * b.a[k * b.columns + j];
    return o;
}

double matrix_power(const double *x, int k) {
    Matrix m = make(2, 2), r = make(2, 2);
    for (int i = 0; i < 4; i++) m.a[i] = x[i % 3];
    for (int i = 0; i < 2; i++) r.a[3 * i] = 1;
    for (k += 4; k; k >>= 1) {
        if (k & 1) {
            Matrix t = times(r, m);
            free(r.a);
            r = t;
        }
        Matrix t = times(m, m);
        free(m.a);
        m = t;
    }
    double s = 0;
    for (int i = 0; i < 4; i++) s += r.a[i] * r.a[i];
    free(r.a);
    free(m.a);
    return s;
}

struct node { double v; struct node *next; };

static struct node *cons(double v, struct node *next) {
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = next;
    return n;
}

APART double sum(struct node *n) {
    double s = 0;
    for (; n; n = n->next) s += n->v * n->v;
    return s;
}

static void drop(struct node *n) {
    while (n) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
}

struct box { struct node *n; int k; };

static void fill(struct box *b, int k) {
    b->n = cons(1, cons(k, 0));
    b->k = k;
}

APART double both(struct box *a, struct box *b) { return sum(a->n) * sum(b->n) * a->k; }

double boxes_of_lists(const double *x, int k) {
    struct box a, b;
    fill(&a, k + 1);
    b.n = cons(x[0], 0);
    b.k = 2;
    double s = both(&a, &b) + both(&b, &a);
    drop(a.n);
    drop(b.n);
    return s;
}

static struct box *new_box(int k) {
    struct box *b = malloc(sizeof *b);
    fill(b, k);
    return b;
}

double list_with_a_constant_tail(const double *x, int k) {
    struct box *a = new_box(k + 1);
    double s = sum(a->n) * x[0];
    struct node *n = a->n;
    if (k) n = cons(x[0], n);
    s += sum(n);
    if (k) free(n);
    drop(a->n);
    free(a);
    return s;
}

struct four { double *p, *q; long n; double w; };

APART double by_value(struct four b) { return product(b.p, b.q) * b.w * b.n; }

double structs_by_value(const double *x, int k) {
    double u = 3, v = 4, r = x[0];
    struct four b = {&u, &v, 2, x[1]}, c = {&u, &v, 2, x[1]};
    if (k) b.q = &r;
    return by_value(b) + by_value(c) * x[2];
}

double reallocated_table(const double *x, int k) {
    double **t = malloc(sizeof *t), u = 5, r = x[0];
    t[0] = &u;
    t = realloc(t, 4 * sizeof *t);
    t[1] = &u;
    t[2] = t[0];
    double s = product(t[k], &r);
    free(t);
    return s * r;
}

double copied_table(const double *x, int k) {
    double u = 5, v = 6, r = x[0], *t[4], *c[4];
    for (int i = 0; i < 4; i++) t[i] = i & 1 ? &u : &v;
    memcpy(c, t, sizeof c);
    memmove(c + 1, c, 2 * sizeof *c);
    return product(c[k], &r) * r;
}

double variable_table(const double *x, int k) {
    double *t[k + 2], u = 1, v = 2;
    for (int i = 0; i < k + 2; i++) t[i] = i & 1 ? &u : &v;
    return product(t[k], x) + product(x, t[0]);
}

struct tree { double v; struct tree *l, *r; };

static struct tree *insert(struct tree *t, double v) {
    if (!t) {
        t = malloc(sizeof *t);
        t->v = v;
        t->l = t->r = 0;
    } else if (v < t->v)
        t->l = insert(t->l, v);
    else
        t->r = insert(t->r, v);
    return t;
}

static double walk(struct tree *t, double w) {
    return t ? walk(t->l, w * .5) + t->v * t->v * w + walk(t->r, w * .7) : 0;
}

static void fell(struct tree *t) {
    if (t) {
        fell(t->l);
        fell(t->r);
        free(t);
    }
}

double constant_and_active_trees(const double *x, int k) {
    struct tree *a = 0, *b = 0;
    for (int i = 0; i < 3; i++) {
        a = insert(a, i - 1.5);
        b = insert(b, x[i]);
    }
    double s = walk(a, 1) * walk(b, 1) + walk(k ? a : b, 2);
    fell(a);
    fell(b);
    return s;
}

/* A stream is not memory with derivatives, and was there before: it is only handed on. */
struct log { FILE *stream; double *w; int n; };

APART double logged(struct log *l, const double *x) {
    if (l->stream) fprintf(l->stream, "%g", *l->w);
    struct log m = *l;
    m.n++;
    return *m.w * x[0] * m.n;
}

double struct_with_a_stream(const double *x, int k) {
    double w = x[1];
    struct log l = {stderr, &w, k}, *h = malloc(sizeof *h);
    memcpy(h, &l, sizeof l);
    h->stream = k > 5 ? stdout : 0;
    double s = logged(h, x);
    free(h);
    return s;
}

/* Initializers that are constants of the program, with pointers in them. */
static double numbers[4], others[4];
struct view { int n; double *p; const char *name; };

APART double over(struct view v, const double *x) {
    double s = 0;
    for (int i = 0; i < v.n; i++) s += v.p[i] * x[i] * v.p[i];
    return s;
}

double initializers_with_pointers(const double *x, int k) {
    for (int i = 0; i < 4; i++) numbers[i] = x[i % 3] * x[0], others[i] = i;
    struct view v = {2, numbers + 1, "v"}, w = {3, others, "w"};
    return over(v, x) + over(w, x) * over(k ? v : w, x);
}

static double *const rows[3] = {numbers, numbers + 2, others};

double constant_table_of_rows(const double *x, int k) {
    for (int i = 0; i < 4; i++) numbers[i] = sin(x[i % 3]), others[i] = 0.5 * i;
    rows[k][1] *= x[1];
    return product(rows[k], rows[2 - k]) + rows[1 + k][1] * x[2];
}

/* Through a variable that outlives the call: handed on by one function, used by another. */
static double *slot = others;
APART void put(double *p) { slot = p; }
APART void grab(struct view *v) { v->p = slot; }

double kept_and_grabbed(const double *x, int k) {
    double u = 2;
    put(&u);
    struct view v;
    grab(&v);
    const double *p = k ? v.p : x;
    double s = *p * *p * x[0];
    slot = others;
    return s;
}
