#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* overlapping arguments */
static void __attribute__((noinline)) shift(double *to, const double *from, int n) {
    for (int i = 0; i < n; i++) to[i] = to[i]*from[i] + 0.3;
}

double overlapping_up(double *a, int n) {
    shift(a + 1, a, n - 1);
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i]*(i + 1);
    return s;
}

double overlapping_down(double *a, int n) {
    shift(a, a + 1, n - 1);
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i]*(i + 1);
    return s;
}

double overlapping_same(double *a, int n) { shift(a, a, n); return a[0]*a[n - 1]; }

double restricted(double *restrict a, const double *restrict b, int n) {
    for (int i = 0; i < n; i++) a[i] = a[i]*b[i] + a[0];
    return a[n - 1]*a[0];
}

static double __attribute__((noinline)) add_to_both(double *a, double *b) {
    *a += *b;
    *b += *a;
    return *a**b;
}

double two_names_for_one(double *a, int k) { return add_to_both(&a[0], &a[k]) + a[0]; }

/* many iterations, many ways */
double long_loop(double x, int n) {
    double s = x;
    for (int i = 0; i < n; i++) s = s*0.9999 + 1e-4*sin(s);
    return s*s;
}

double long_nested(double x, int n) {
    double s = x;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i % 50; j++)
            s = s*0.9995 + 1e-3*cos(s + j);
    return s*s;
}

#define ONE(k) case k: s = s*0.9 + (k)*0.0002*x; break;
#define TEN(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3) ONE(k + 4) ONE(k + 5) ONE(k + 6) ONE(k + 7) ONE(k + 8) ONE(k + 9)
double many_ways(double x, int n) {
    double s = x;
    for (int i = 0; i < n; i++) {
        switch (i*37 % 150) {
        TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50) TEN(60) TEN(70)
        TEN(80) TEN(90) TEN(100) TEN(110) TEN(120) TEN(130)
        default: s = sin(s);
        }
        s = s + 0.01*s*s;
    }
    return s;
}

double deep_nest(double x) {
    double s = x;
    for (int a = 0; a < 2; a++) for (int b = 0; b < 2; b++) for (int c = 0; c < 2; c++) for (int d = 0; d < 2; d++)
    for (int e = 0; e < 2; e++) for (int f = 0; f < 2; f++) for (int g = a; g < 2; g++) s = sin(s*1.1) + 0.01*(a + b*c - d*e + f*g);
    return s;
}

/* heap data structures */
typedef struct { int rows, columns; double *data; } matrix;
static matrix new_matrix(int rows, int columns) {
    matrix m = {rows, columns, calloc(rows*columns, sizeof(double))};
    return m;
}

static double *at(matrix *m, int i, int j) { return &m->data[i*m->columns + j]; }

static matrix __attribute__((noinline)) product(matrix a, matrix b) {
    matrix c = new_matrix(a.rows, b.columns);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < b.columns; j++)
            for (int k = 0; k < a.columns; k++)
                *at(&c, i, j) += *at(&a, i, k)**at(&b, k, j);
    return c;
}

double matrix_structs(const double *x) {
    matrix a = new_matrix(2, 2), b = new_matrix(2, 2);
    for (int k = 0; k < 4; k++) { a.data[k] = x[k]; b.data[k] = sin(x[k]) + k; }
    matrix c = product(a, b), d = product(c, a);
    double s = *at(&d, 0, 1)**at(&d, 1, 0);
    free(a.data); free(b.data); free(c.data); free(d.data);
    return s;
}

typedef struct vector { double *items; size_t count, room; } vector;
static void push(vector *v, double item) {
    if (v->count == v->room) { v->room = v->room ? 2*v->room : 1; v->items = realloc(v->items, v->room*sizeof *v->items); }
    v->items[v->count++] = item;
}

double growing_vector(const double *x, int n) {
    vector v = {NULL, 0, 0};
    for (int i = 0; i < n; i++) { push(&v, x[i]*x[i]); if (x[i] > 0.5) push(&v, sin(x[i])*v.items[0]); }
    double s = 1;
    for (size_t i = 0; i < v.count; i++) s = s*v.items[i] + 0.4;
    free(v.items);
    return s;
}

double conditional_allocation(const double *x, int n) {
    double fixed[4], *p = fixed;
    if (n > 4) p = malloc(n*sizeof *p);
    for (int i = 0; i < n; i++) p[i] = x[i]*x[i];
    double s = 1;
    for (int i = 0; i < n; i++) s += s*p[i];
    if (p != fixed) free(p);
    return s;
}

double realloc_smaller(const double *x) {
    double *p = malloc(4*sizeof *p);
    for (int i = 0; i < 4; i++) p[i] = x[i]*x[i];
    double s = p[3];
    p = realloc(p, 2*sizeof *p);
    s *= p[0]*p[1];
    free(p);
    return s;
}

typedef struct tree { double value; struct tree *left, *right; } tree;
static tree *insert(tree *t, double value) {
    if (!t) { t = calloc(1, sizeof *t); t->value = value; return t; }
    if (value < t->value) t->left = insert(t->left, value); else t->right = insert(t->right, value);
    return t;
}

static double fold(const tree *t) {
    return t ? sin(t->value)*(1 + fold(t->left)) + 0.5*fold(t->right)*t->value : 0.3;
}

static void release(tree *t) { if (t) { release(t->left); release(t->right); free(t); } }

double search_tree(const double *x, int n) {
    tree *t = NULL;
    for (int i = 0; i < n; i++) t = insert(t, x[i]);
    double s = fold(t);
    release(t);
    return s;
}

double insertion_sort(double *x, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && x[j - 1] > x[j]; j--) { double t = x[j]; x[j] = x[j - 1]; x[j - 1] = t; }
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i]*x[i]*(i + 1);
    return s;
}

static int __attribute__((noinline)) rank(const double *x, int n, int k) {
    int r = 0;
    for (int i = 0; i < n; i++) r += x[i] < x[k];
    return r;
}

double sorted_by_rank(const double *x, int n) {
    double y[8];
    for (int i = 0; i < n; i++) y[rank(x, n, i)] = x[i]*x[i];
    double s = 1;
    for (int i = 0; i < n; i++) s = s*y[i] + i;
    return s;
}

/* globals */
static double *kept;
static int room;
static double *buffer(int n) {
    if (n > room) {
        free(kept);
        kept = malloc(n*sizeof *kept);
        room = n;
    }
    return kept;
}

double kept_buffer(const double *x, int n) {
    double *b = buffer(n);
    for (int i = 0; i < n; i++) b[i] = x[i]*x[i];
    double s = 1;
    for (int i = 0; i < n; i++) s += s*b[i];
    return s;
}

static struct { double gain; int calls; double state[3]; } filter_;
double global_struct(const double *x, int n) {
    filter_.gain = x[0]; memset(filter_.state, 0, sizeof filter_.state);
    for (int i = 0; i < n; i++) { filter_.state[i % 3] += filter_.gain*x[i]*filter_.state[(i + 1) % 3] + x[i]; filter_.calls++; }
    return filter_.state[0]*filter_.state[1]*filter_.state[2];
}

static const double *const tables[2] = {(const double[]){0.1, 0.2}, (const double[]){0.3, 0.4}};
double constant_tables(double x, int k) { return tables[k][0]*x*x + tables[1 - k][1]*x; }

/* recursion */
double recursion_with_array(const double *x, int n) {
    double t[3];
    for (int i = 0; i < 3; i++) t[i] = x[(n + i) % 7]*(i + 1);
    if (n == 0) return t[0]*t[1];
    double r = recursion_with_array(x, n - 1);
    t[1] *= r;
    return t[1]*t[2] + sin(r)*t[0];
}

double recursion_with_vla(const double *x, int n) {
    if (n == 0) return x[0];
    double t[n];
    for (int i = 0; i < n; i++) t[i] = x[i]*x[n];
    double r = recursion_with_vla(x, n - 1);
    double s = r;
    for (int i = 0; i < n; i++) s += 0.1*t[i]*r;
    return s;
}

static void merge_sort(double *x, double *spare, int n) {
    if (n < 2) return;
    int m = n/2;
    merge_sort(x, spare, m);
    merge_sort(x + m, spare, n - m);
    memcpy(spare, x, n*sizeof *x);
    for (int i = 0, j = m, k = 0; k < n; k++) x[k] = j >= n || (i < m && spare[i] <= spare[j]) ? spare[i++] : spare[j++];
}

double sorted_weights(double *x, int n) {
    double spare[16];
    merge_sort(x, spare, n);
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i]*x[i]*(i + 1);
    return s;
}

static void __attribute__((noinline)) fft(double *re, double *im, int n, int step) {
    if (n == 1) return;
    double er[8], ei[8];
    fft(re, im, n/2, 2*step);
    fft(re + step, im + step, n/2, 2*step);
    for (int k = 0; k < n; k++) { er[k] = re[k*step]; ei[k] = im[k*step]; }

    for (int k = 0; k < n/2; k++) {
        double c = cos(2*M_PI*k/n), s = -sin(2*M_PI*k/n);
        double tr = c*er[2*k + 1] - s*ei[2*k + 1], ti = c*ei[2*k + 1] + s*er[2*k + 1];
        re[k*step] = er[2*k] + tr; im[k*step] = ei[2*k] + ti;
        re[(k + n/2)*step] = er[2*k] - tr; im[(k + n/2)*step] = ei[2*k] - ti;
    }
}

double recursive_fft(double *re, double *im) {
    fft(re, im, 4, 1);
    double s = 0;
    for (int i = 0; i < 4; i++)
        s += (i + 1)*(re[i]*re[i] + 0.5*im[i]*re[3 - i]);
    return s;
}

/* libm with pointer results */
double splits(double x) {
    int e;
    double m = frexp(x, &e);
    double whole, rest = modf(x*3, &whole);
    return m*e + rest*rest + whole*x + ldexp(x, 2);
}

double signed_gamma(double x) {
    return lgamma(x)*x + tgamma(x) + remainder(x, 0.7) + fmod(5*x, 2.0);
}

double both_at_once(double x) { return sin(x)*cos(x) + sin(2*x) + cos(2*x); }

double rounding_family(double x) {
    return x*floor(x) + x*ceil(x) + x*trunc(x) + x*round(x) + x*rint(x) + x*nearbyint(x) + x*lround(x);
}

double classified(double x) { return isnan(x) ? 0 : signbit(x) ? -x*x : isinf(x) ? 1 : x*x*x; }

/* ways that do not return */
double asserted(double x) { assert(x > 0); return sqrt(x); }
double exits(double x) { if (x < 0) exit(3); if (x > 1e9) abort(); return log(x)*x; }

double asserted_in_loop(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        assert(x[i] > 0);
        s += sqrt(x[i])*s + x[i];
    }
    return s;
}

/* vectors of the compiler, bit fields, booleans */
typedef double four __attribute__((vector_size(32)));
double vector_type(const double *x) {
    four a = {x[0], x[1], x[2], x[3]}, b = {x[3], 1, x[1], 2};
    four c = a*b + a;
    c = c*c - b/(a + 1.0);
    return c[0]*c[1] + c[2]*c[3];
}

double vector_loop(const double *x, int n) {
    four s = {0, 0, 0, 0};
    for (int i = 0; i + 4 <= n; i += 4) {
        four v;
        memcpy(&v, x + i, sizeof v);
        s += v*v*(s + 1.0);
    }
    return s[0] + s[1]*s[2] + s[3];
}

struct flags { unsigned kind : 3; double weight; unsigned on : 1; float scale; };
double bit_fields(double x, int k) {
    struct flags f = {k & 7, x*x, k & 1, 2.0f};
    f.on ^= 1;
    if (f.on) f.weight *= f.kind;
    return f.weight*f.scale + x;
}

double booleans(double x, double y) {
    bool a = x > 0.1, b = y > 0.1;
    double s = a*x + b*y;
    if (a != b) s *= x;
    return s*(a && b ? y : 2);
}

double characters(const double *x, const char *plan) {
    double s = 1;
    for (; *plan; plan++) switch (*plan) {
    case '+':
        s += x[0];
        break;
    case '*':
        s *= x[1];
        break;
    case 's':
        s = sin(s);
        break;
    }
    return s;
}

double strings(double x) {
    const char *name = "radius";
    return strlen(name)*x*x + (strcmp(name, "radius") == 0 ? x : 0);
}

/* integers in between */
double packed_index(const double *x, unsigned bits) {
    double s = 1;
    for (int i = 0; i < 7; i++)
        if (bits >> i & 1) s = s*x[i] + 0.5;
    return s;
}

double random_walk(double x, unsigned seed, int n) {
    double s = x;
    for (int i = 0; i < n; i++) {
        seed = seed*1664525u + 1013904223u;
        s += (seed >> 16 & 1) ? sin(s)*x : -0.1*s;
    }
    return s;
}

double division_of_counts(const double *x, int n) {
    double s = 0;
    for (int i = 1; i <= n; i++) s += x[n/i - 1]*x[n % i];
    return s;
}

double interpolated(const double *table, double x) {
    int k = (int)floor(x);
    double f = x - k;
    return (1 - f)*table[k] + f*table[k + 1]*table[k];
}

/* out of order */
double backward_differences(double *a, int n) {
    for (int i = n - 1; i > 0; i--) a[i] -= a[i - 1]*a[i];
    return a[n - 1]*a[1];
}

double scatter(const double *x, const int *index, int n) {
    double bins[8] = {0};
    for (int i = 0; i < n; i++) bins[index[i]] += x[i]*x[i];
    double s = 1;
    for (int i = 0; i < 8; i++) s = s*(1 + bins[i]);
    return s;
}

double gather(const double *x, const int *index, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) s = s*0.5 + x[index[i]]*x[index[n - 1 - i]];
    return s;
}

void triangular_solve(const double *l, double *b, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) b[i] -= l[i*n + j]*b[j];
        b[i] /= l[i*n + i];
    }
}

void stencil_in_place(double *u, int n, int steps) {
    for (int t = 0; t < steps; t++) {
        double left = u[0];
        for (int i = 1; i < n - 1; i++) {
            double here = u[i];
            u[i] = here + 0.2*(left - 2*here + u[i + 1])*here;
            left = here;
        }
    }
}

double accumulates_into_argument(double x, double *total) {
    for (int i = 0; i < 3; i++) *total += x*(i + 1)**total;
    return *total;
}

double returned_pointer_chain(double *a, double *b, int k) {
    double *p = k & 1 ? a : b;
    double *q = k & 2 ? p + 1 : p;
    *q = *q**p + 0.5;
    return a[0]*a[1] + b[0]*b[1];
}

double pointer_to_pointer(double *a, double *b, int n) {
    double *p = a, *q = b, **which = n & 1 ? &p : &q;
    for (int i = 0; i < n; i++) {
        **which *= 1.5 + a[2];
        *which += 1;
    }
    return a[0]*b[0] + a[1]*b[1];
}

/* an array and a count share a struct that is copied whole, with an index known at run time only */
typedef struct { double a[3][3]; int swaps; } counted_matrix;
__attribute__((noinline)) static counted_matrix times(counted_matrix l, counted_matrix r) {
    counted_matrix out = {{{0}}, l.swaps + r.swaps + 1};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) out.a[i][j] += l.a[i][k]*r.a[k][j];
    return out;
}
double counted_power(const double *x, int power) {
    counted_matrix result = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 0}, base = {{{x[0], x[1], 0.5}, {x[2], x[3], x[4]}, {x[5], x[6], 1}}, 0};
    for (; power; power >>= 1) {
        if (power & 1) result = times(result, base);
        base = times(base, base);
    }
    return result.a[0][0] + result.a[1][2] + result.swaps*result.a[2][1];
}

/* one struct of everything, copied through an array of them */
typedef struct { char c; double d; short s; float f; long double l; } everything;
static everything next(const everything *m) { everything made = *m; made.d *= made.s; made.l += made.d; return made; }
double everything_copied(const double *x) {
    everything a = {1, x[0], 2, 0.5f, x[1]}, b[3];
    for (int i = 0; i < 3; i++) b[i] = next(i ? &b[i - 1] : &a);
    return b[2].d*b[1].d + (double)b[2].l*b[0].s*b[1].f;
}

/* a record at the front of each block that is moved by whole blocks */
double shifted_blocks(double *a, int n) {
    double t[8], *p = a, *q = t;
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < n; i++) q[i] = 0.7*p[(i + 1) % n]*p[i];
        double *r = p;
        p = q;
        q = r;
    }
    for (int i = n - 1; i >= 0; i--) {
        memmove(p + 1, p, (n - 1)*sizeof(double));
        memcpy(a, p, n*sizeof(double));
    }
    return a[0]*a[1] + p[2]*p[0];
}

/* two lists, one without derivative, are walked as one: their pointers lead to shadows in both */
struct cell { double value; struct cell *next; };
double merged_lists(double x, double y, int n) {
    struct cell *head = NULL;
    for (int i = 0; i < n; i++) {
        struct cell *made = malloc(sizeof *made);
        made->value = x*y > 0 ? sqrt(x*y + 0.1) : log(1.3 + 0.01*i*i);
        made->next = head;
        head = made;
    }
    for (struct cell *c = head; c; c = c->next) x = x*0.5 + sqrt(0.5 + c->value*c->value);
    while (head) {
        struct cell *rest = head->next;
        free(head);
        head = rest;
    }
    return x*y;
}

double several_results(double x) {
    int quotient, sign;
    double s, c, r = remquo(x, 0.3, &quotient);
    double g = lgamma_r(x - 2.9, &sign);
    sincos(x*x, &s, &c);
    return r*quotient + g*sign + s*c*x;
}
