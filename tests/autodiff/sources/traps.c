#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <stdint.h>

/* in place */
double multiplies_itself(double *a, int n) {
    for (int i = 0; i < n; i++) a[i] *= a[i];
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i]*(i + 1);
    return s;
}

void multiplies_itself_void(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= a[i]; }

void overwrites_with_constant(double *a, int n) {
    for (int i = 0; i < n; i++)
        if (i % 2) a[i] = 3;
        else a[i] = a[i]*a[i];
}

double overwritten_after_use(double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i]*a[i];
        a[i] = 7;
    }
    return s + a[0];
}

double store_of_inactive_value(double *a, double *b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        a[i] = i;
        s += a[i]*b[i];
        a[i] = b[i]*b[i];
    }
    return s + a[n - 1];
}

void prefix_sum(double *a, int n) { for (int i = 1; i < n; i++) a[i] += a[i - 1]*a[i - 1]; }

void relax(double *a, int n, int sweeps) {
    for (int t = 0; t < sweeps; t++)
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.5*a[i]*a[i - 1] + 0.3*sin(a[i + 1]);
}

void exchange(double *a, int i, int j) { double t = a[i]; a[i] = a[j]*a[j]; a[j] = t*3; }

void reverse_array(double *a, int n) {
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        double t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

double out_parameter_result(double x, double *out) { *out = x*x; return sin(x); }
void out_parameters(double x, double y, double *p, double *q) { *p = x*y; *q = *p*x; *p += *q; }

double writes_then_reads_argument(double *a) {
    a[0] = a[1]*a[1];
    a[1] = a[0]*a[0];
    return a[0]*a[1];
}

double swap_phis(double a, double b, int n) {
    while (n-- > 0) {
        double t = a;
        a = b*1.5;
        b = t;
    }
    return a*a + b;
}

double used_in_two_predecessors(double x, int k) {
    double t = sin(x), r;
    if (k) {
        r = t*2;
        if (k > 1) r += t;
    }
    else r = t*t;
    return r*t;
}

double zero_trips(const double *a, int n) {
    double s = a[0];
    for (int i = 0; i < n; i++) s = s*a[i] + 1;
    return s;
}

double negative_length(const double *a, int n) {
    double s = a[0];
    for (int i = 0; i < n; i++) s = s*a[i] + 1;
    return s;
}

double index_by_int(const double *a, int from, int to) {
    double s = 0;
    for (int i = from; i <= to; i++) s = s*a[i + 3] + a[i + 2];
    return s;
}

double early_return_in_nest(const double *a, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            s = s*a[j] + a[i];
            if (s > 1.5) return s*a[j];
        }
        if (s < 0.1) return a[i];
    }
    return s*s;
}

double shared_switch_targets(const double *a, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) switch (i % 7) {
    case 0:
    case 2:
    case 5:
        s *= a[i];
        break;
    case 1:
        s = sin(s);
    case 3:
        s += a[i];
        break;
    default:
        s = s*0.5;
    }
    return s;
}

/* pointers */
double select_of_pointers(double *a, double *b, int k) {
    double *p = k ? a : b;
    p[0] = p[0]*p[1];
    return p[0]*a[1] + b[0];
}

double phi_of_pointers(double *a, double *b, int n) {
    double *p = a, *q = b;
    for (int i = 0; i < n; i++) {
        p[i] = p[i]*q[i] + sin(q[i]);
        double *t = p;
        p = q;
        q = t;
    }
    return p[0] + q[n - 1]*p[n - 1];
}

double pointer_walk(const double *a, int n) {
    double s = 1;
    const double *end = a + n;
    while (a != end) {
        s = s**a + 0.5;
        a++;
    }
    return s;
}

double pointer_in_memory(double *a, double *b, int n) {
    double *rows[2] = {a, b};
    double s = 1;
    for (int i = 0; i < n; i++) s = s*rows[i & 1][i] + rows[1 - (i & 1)][0];
    return s;
}

double pointer_overwritten_later(double *a, double *b) {
    double *p[1];
    p[0] = a;
    double s = p[0][0]*p[0][1];
    p[0][0] = s*s;
    p[0] = b;
    s += p[0][0]*p[0][1];
    p[0][1] = 3*s;
    return s*s;
}

double pingpong(double *a, int n, int steps) {
    double *b = malloc(n*sizeof *b), *p = a, *q = b, s = 0;
    for (int i = 0; i < n; i++) b[i] = 0;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) q[i] = p[i]*p[i] + 0.1*p[i - 1]*p[i + 1];
        double *r = p; p = q; q = r;
    }
    for (int i = 0; i < n; i++) s += p[i];
    free(b);
    return s;
}

double double_pointer(double **rows, int n, int m) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s = s*0.5 + rows[i][j]*rows[i][j];
    return s;
}

double drives_double_pointer(double *a, int n, int m) {
    double **rows = malloc(n*sizeof *rows);
    for (int i = 0; i < n; i++) rows[i] = a + i*m;
    double s = double_pointer(rows, n, m);
    free(rows);
    return s;
}

double same_array_twice(double *a, const double *b, int n) {
    for (int i = 0; i < n; i++) a[i] = a[i]*b[n - 1 - i];
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}

double drives_same_array(double *a, int n) { return same_array_twice(a, a, n); }

double writes_const_through_alias(const double *a, int n) {
    double *w = (double *)a;
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i]*a[i];
        w[i] = 2*s;
        s += a[i];
    }
    return s;
}

/* heap */
double free_before_reverse(const double *a, int n) {
    double *t = malloc(n*sizeof *t);
    for (int i = 0; i < n; i++) t[i] = a[i]*a[i];
    double s = 0;
    for (int i = 0; i < n; i++) s = s*t[i] + t[i];
    free(t);
    return s*s;
}

double calloc_accumulates(const double *a, int n) {
    double *t = calloc(n, sizeof *t);
    for (int i = 0; i < n; i++) t[i/2] += a[i]*a[i];
    double s = 1;
    for (int i = 0; i < n; i++) s += t[i]*s;
    free(t);
    return s;
}

double realloc_grows(const double *a, int n) {
    double *t = malloc(sizeof *t);
    int have = 1;
    for (int i = 0; i < n; i++) {
        if (i >= have) {
            have *= 2;
            t = realloc(t, have*sizeof *t);
        }
        t[i] = i ? t[i - 1]*a[i] : a[0];
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += t[i]*t[i];
    free(t);
    return s;
}

double malloc_in_loop(const double *a, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) {
        double *t = malloc((i + 1)*sizeof *t);
        for (int j = 0; j <= i; j++) t[j] = a[j]*s;
        for (int j = 0; j <= i; j++) s += t[j]*t[j]*0.1;
        free(t);
    }
    return s;
}

double malloc_zero(const double *a, int n) {
    double *t = malloc(0);
    double s = a[0]*n;
    free(t);
    return s*s;
}

double free_null(double x) { double *t = NULL; free(t); return x*x; }

double null_check(const double *a, int n) {
    double *t = malloc(n*sizeof *t);
    if (!t) return 0;
    for (int i = 0; i < n; i++) t[i] = sin(a[i]);
    double s = t[0];
    for (int i = 1; i < n; i++) s *= t[i];
    free(t);
    return s;
}

double aligned(const double *a, int n) {
    double *t = aligned_alloc(64, 64*((n + 7)/8));
    for (int i = 0; i < n; i++) t[i] = sin(a[i]);
    double s = 1;
    for (int i = 0; i < n; i++) s += t[i]*s;
    free(t);
    return s;
}

double posix_aligned(const double *a, int n) {
    void *m = NULL;
    if (posix_memalign(&m, 64, n*sizeof(double))) return -1;
    double *t = m;
    for (int i = 0; i < n; i++) t[i] = a[i]*a[i];
    double s = 1;
    for (int i = 0; i < n; i++) s += t[i]*s;
    free(t);
    return s;
}

/* memcpy and friends */
double memmove_overlap(double *a, int n) {
    memmove(a + 1, a, (n - 1)*sizeof *a);
    a[0] = 2;
    double s = 1;
    for (int i = 0; i < n; i++) s += s*a[i];
    return s;
}

double memmove_overlap_down(double *a, int n) {
    memmove(a, a + 1, (n - 1)*sizeof *a);
    double s = 1;
    for (int i = 0; i < n; i++) s += s*a[i];
    return s;
}

double memcpy_of_doubles(const double *a, int n) {
    double t[8];
    memcpy(t, a, n*sizeof *t);
    double s = 0;
    for (int i = 0; i < n; i++) s += t[i]*t[i];
    return s;
}

float memcpy_of_floats(const float *a, int n) {
    float t[8];
    memcpy(t, a, n*sizeof *t);
    float s = 0;
    for (int i = 0; i < n; i++) s += t[i]*t[i];
    return s;
}

double memcpy_of_one(const double *a) { double x; memcpy(&x, a, 8); return x*x*x; }
float memcpy_two_floats(const float *a) { float t[2]; memcpy(t, a, 8); return t[0]*t[1]*t[1]; }

double memcpy_through_bits(double x) {
    uint64_t u;
    memcpy(&u, &x, 8);
    double y;
    memcpy(&y, &u, 8);
    return y*y;
}

void memcpy_out(double *to, const double *from, int n) {
    memcpy(to, from, n*sizeof *to);
    for (int i = 0; i < n; i++) to[i] *= from[i];
}

double memcpy_over(double *a, const double *b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i]*a[i];
    memcpy(a, b, n*sizeof *a);
    for (int i = 0; i < n; i++) s += a[i]*s;
    return s;
}

double memset_zero(double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i]*a[i];
    memset(a, 0, n*sizeof *a);
    a[0] += s;
    for (int i = 1; i < n; i++) a[i] += a[i - 1]*s;
    return a[n - 1]*s;
}

double copied_by_loop(double *to, const double *from, int n) {
    for (int i = 0; i < n; i++) to[i] = from[i];
    double s = 1;
    for (int i = 0; i < n; i++) s = s*to[i] + from[0];
    return s;
}

double copied_as_integers(const double *a, int n) {
    uint64_t t[8];
    const uint64_t *b = (const uint64_t *)a;
    for (int i = 0; i < n; i++) t[i] = b[i];
    double x[8];
    memcpy(x, t, sizeof x);
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i]*x[i];
    return s;
}

/* structs and unions */
struct padded { char tag; double x; float y; int k; double z[2]; };
typedef struct { double re, im; } pair;
typedef struct { double v[3]; double w; } body;
double struct_copy_with_padding(const double *a) {
    struct padded p = {1, a[0], (float)a[1], 3, {a[2], a[3]}}, q;
    q = p;
    q.x *= p.x;
    p = q;
    return p.x*p.y*p.z[0] + q.z[1]*p.k;
}

static pair multiply(pair a, pair b) {
    pair r = {a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re};
    return r;
}

double struct_by_value(double x, double y) {
    pair a = {x, y}, b = {y, x*x};
    pair c = multiply(a, multiply(b, a));
    return c.re*c.im;
}

double struct_array(const double *a, int n) {
    body b[4];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) b[i].v[k] = a[3*i + k];
        b[i].w = a[i]*a[i];
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
        double d = 0.1;
        for (int k = 0; k < 3; k++) {
            double e = b[i].v[k] - b[j].v[k];
            d += e*e;
        }
        s += b[i].w*b[j].w/sqrt(d);
    }
    return s;
}

double struct_pointer(const body *b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += b[i].w*b[i].v[i % 3];
    return s;
}

double struct_assignment_in_loop(const double *a, int n) {
    pair p = {1, 0.5};
    for (int i = 0; i < n; i++) {
        pair q = {p.re*a[i] - p.im, p.re + p.im*a[i]};
        p = q;
    }
    return p.re*p.im;
}

union number { double d; int64_t i; };
double union_of_float_and_int(double x, int k) {
    union number u;
    if (k) u.d = x*x;
    else u.i = 4607182418800017408;
    return u.d*3;
}

double union_sign_bit(double x) { union number u; u.d = x; return u.i < 0 ? -x*x : x*x; }

/* globals */
static double table[4];
static double scratch[8];
static double accumulator;
static const double weights[4] = {0.1, 0.2, 0.3, 0.4};
double constant_table(const double *a) {
    double s = 0;
    for (int i = 0; i < 4; i++) s += weights[i]*a[i]*a[3 - i];
    return s;
}

double global_array(const double *a, int n) {
    for (int i = 0; i < n; i++) scratch[i] = a[i]*a[i];
    double s = 1;
    for (int i = 0; i < n; i++) s += s*scratch[n - 1 - i];
    return s;
}

double global_scalar(const double *a, int n) {
    accumulator = 0;
    for (int i = 0; i < n; i++) {
        accumulator += a[i]*a[i];
        accumulator *= 1.1;
    }
    return accumulator*accumulator;
}

double global_read_only(double x) { table[1] = 2; return x*x*table[1]; }
double static_local(double x) { static double kept; kept = x*x; kept = kept*x; return kept; }

/* calls */
static double __attribute__((noinline)) square(double x) { return x*x; }

static void __attribute__((noinline)) scale(double *a, int n, double f) {
    for (int i = 0; i < n; i++) a[i] *= f*a[i];
}

static double __attribute__((noinline)) total(const double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i]*a[i];
    return s;
}

static void __attribute__((noinline)) put(double *p, double v) { *p = v*v; }
static double *__attribute__((noinline)) place(double *a, int i) { return a + i; }

static double *__attribute__((noinline)) fresh(const double *a, int n) {
    double *t = malloc(n*sizeof *t);
    for (int i = 0; i < n; i++) t[i] = a[i]*a[i];
    return t;
}

double calls_pure(double x) { return square(x)*square(x + 1) + x; }

double calls_pure_in_loop(const double *a, int n) {
    double s = 0.5;
    for (int i = 0; i < n; i++) s = square(s*0.7) + square(a[i]);
    return s;
}

double calls_writing(double *a, int n) {
    double s = total(a, n);
    scale(a, n, s);
    s += total(a, n);
    scale(a, n, 0.3);
    return s*total(a, n);
}

double calls_out_parameter(double x) {
    double t;
    put(&t, x);
    double u = t;
    put(&t, u + x);
    return t*u;
}

double calls_returning_pointer(double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        double *p = place(a, i);
        s += *p**p;
        *p = s;
    }
    return s*a[0];
}

double calls_returning_memory(const double *a, int n) {
    double *t = fresh(a, n);
    double s = 1;
    for (int i = 0; i < n; i++) s = s*t[i] + 0.5;
    free(t);
    return s;
}

double tail_recursion(double x, int n, double s) {
    if (n == 0) return s;
    return tail_recursion(x*1.1, n - 1, s*x + 1);
}

double recursion(double x, int n) {
    if (n == 0) return x;
    double t = sin(x)*n;
    double r = recursion(t + x, n - 1);
    return r*t;
}

double tree_recursion(const double *a, int from, int to) {
    if (to - from == 1) return a[from]*a[from];
    int m = (from + to)/2;
    double l = tree_recursion(a, from, m), r = tree_recursion(a, m, to);
    return l*r + sin(l);
}

static void __attribute__((noinline)) sweep(double *a, int n) {
    if (n <= 0) return;
    a[n - 1] = a[n - 1]*a[n - 1];
    sweep(a, n - 1);
    a[n - 1] *= a[0];
}

double recursion_in_place(double *a, int n) {
    sweep(a, n);
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}

static double odd(double x, int n);
static double __attribute__((noinline)) even(double x, int n) {
    return n == 0 ? x : odd(x*x, n - 1) + x;
}

static double __attribute__((noinline)) odd(double x, int n) {
    return n == 0 ? sin(x) : even(x*0.9, n - 1)*x;
}

double mutual_recursion(double x, int n) { return even(x, n); }
static double twice(double x) { return 2*x*x; }
static double sine(double x) { return sin(x); }

double function_pointer(double x, int k) {
    double (*f)(double) = k ? twice : sine;
    return f(x)*f(x + 1);
}

static double (*const operations[2])(double) = {twice, sine};
double function_table(const double *a, int n) {
    double s = 0.3;
    for (int i = 0; i < n; i++) s = operations[i & 1](s + a[i]);
    return s;
}

static double __attribute__((noinline)) apply(double (*f)(double), double x) { return f(x)*x; }
double callback(double x) { return apply(twice, x) + apply(sine, x); }
double printing(double x, int quiet) { double y = x*x; if (!quiet) printf("%g\n", y); return y*x; }

double printed_to_buffer(double x) {
    char text[64];
    snprintf(text, sizeof text, "%.3f", x*x);
    return x*x*x;
}

/* conditions and values overwritten */
double condition_overwritten(double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 0.5) {
            a[i] = -a[i]*a[i];
            s += a[i];
        } else {
            a[i] = 1 + a[i];
            s *= a[i];
        }
    }
    return s;
}

double index_overwritten(double *a, int *index, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        int k = index[i];
        s += a[k]*a[k];
        index[i] = n - 1 - k;
        a[k] += s;
    }
    return s;
}

double bound_overwritten(double *a, int *n) {
    double s = 1;
    int m = *n;
    for (int i = 0; i < m; i++) {
        s = s*a[i] + 0.5;
        *n = 1;
    }
    return s + *n;
}

double returns_literal_on_one_branch(double x) { if (x > 0) return x*x; return 0; }

double while_data(double x) {
    double s = x;
    int n = 0;
    while (s < 50) {
        s = s*s + 1;
        n++;
    }
    return s*n;
}

double break_and_continue(const double *a, int n) {
    double s = 0.5;
    for (int i = 0; i < n; i++) {
        if (a[i] < 0.2) continue;
        s = s*a[i] + 0.4;
        if (s > 0.9) break;
    }
    return s*s;
}

double goto_state_machine(double x, int n) {
    double s = x;
    int k = 0;
one:
    s = sin(s)*2;
    if (++k > n) goto done;
    if (s > 1) goto two;
    goto one;
two:
    s = s*0.4*x;
    if (++k > n) goto done;
    goto one;
done:
    return s*s;
}

double nan_on_untaken_branch(double x) { double r = sqrt(x); return x > 0 ? r : x; }

/* types */
long double in_long_double(long double x, int n) {
    long double s = x;
    for (int i = 0; i < n; i++) s = sinl(s)*x + s*s*0.25L;
    return s;
}

double long_double_inside(double x) { long double t = x; t = t*t + sqrtl(t); return (double)(t*t); }

long double long_double_array(const long double *a, int n) {
    long double t[4], s = 1;
    for (int i = 0; i < n; i++) t[i] = a[i]*a[i];
    for (int i = 0; i < n; i++) s = s*t[i] + a[i];
    return s;
}

double casts(float x, double y) {
    float t = (float)(x*y);
    double u = t;
    float v = (float)(u*x);
    return (double)v*y + t;
}

float float_from_double_array(const double *a, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += (float)a[i]*(float)a[i];
    return s;
}

double float_array_in_double(const float *a, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) s += s*a[i];
    return s;
}

double integer_round_trip(double x, double y) { int k = (int)(x*10); return k*y + x; }

double integer_loop_variable(double x) {
    double s = 0;
    for (int i = 0; i < 5; i++) s += i*x*x;
    return s;
}

/* local arrays */
double local_array(const double *a, int n) {
    double t[8];
    for (int i = 0; i < n; i++) t[i] = sin(a[i]);
    double s = 1;
    for (int i = 0; i < n; i++) s = s*t[n - 1 - i] + t[i];
    return s;
}

double local_array_reused(const double *a, int n) {
    double t[4], s = 1;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++) t[k] = a[i]*(k + 1);
        t[2] *= t[3];
        for (int k = 0; k < 4; k++) s += sin(t[k])*s*0.1;
    }
    return s;
}

double two_dimensional(const double *a) {
    double m[3][3], s = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m[i][j] = a[i]*a[j] + (i == j);
    for (int k = 0; k < 3; k++)
        for (int i = k + 1; i < 3; i++) {
        double f = m[i][k]/m[k][k];
        for (int j = k; j < 3; j++) m[i][j] -= f*m[k][j];
    }
    for (int i = 0; i < 3; i++) s += log(fabs(m[i][i]));
    return s;
}

double variable_length_array(const double *a, int n) {
    double t[n];
    for (int i = 0; i < n; i++) t[i] = a[i]*a[i];
    double s = 1;
    for (int i = 0; i < n; i++) s = s*t[i] + 0.3;
    return s;
}

double variable_length_array_in_loop(const double *a, int n) {
    double s = 1;
    for (int i = 1; i < n; i++) {
        double t[i];
        for (int j = 0; j < i; j++) t[j] = a[j]*s;
        for (int j = 0; j < i; j++) s += 0.1*t[j]*t[j];
    }
    return s;
}

double uninitialised_parts(const double *a, int n) {
    double t[8];
    t[0] = a[0];
    for (int i = 1; i < n; i++) t[i] = t[i - 1]*a[i];
    return t[n - 1]*t[n - 1];
}

/* linked memory */
struct node { double value; struct node *next; };
double linked_list(const double *a, int n) {
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *e = malloc(sizeof *e);
        e->value = a[i]*a[i];
        e->next = head;
        head = e;
    }
    double s = 1;
    for (struct node *e = head; e; e = e->next) s = s*e->value + 0.5;
    while (head) {
        struct node *e = head->next;
        free(head);
        head = e;
    }
    return s;
}

double linked_list_on_stack(const double *a) {
    struct node e[3];
    for (int i = 0; i < 3; i++) {
        e[i].value = sin(a[i]);
        e[i].next = i ? &e[i - 1] : NULL;
    }
    double s = 1;
    for (struct node *p = &e[2]; p; p = p->next) s += s*p->value;
    return s;
}

/* a few bytes set become one integer store */
float memset_of_two_floats(float *a) { float s = a[0]*a[1]; memset(a, 0, 2*sizeof *a); a[2] += s; return a[0] + a[1]; }

double memset_of_one_double(double *a) { double s = a[0]*a[1]; memset(a, 0, sizeof *a); a[2] += s*a[0]; return a[0] + a[1]; }

double memset_of_two_doubles(double *a, int n) {
    double s = a[0];
    for (int i = 0; i < n; i++) {
        s += a[0]*a[1]*a[i];
        memset(a, 0, 2*sizeof *a);
        a[0] += s;
    }
    return s + a[1];
}

void struct_cleared(struct padded *p) { double x = p->x*p->z[0]; memset(p, 0, sizeof *p); p->x = x; p->z[1] = x*x; }
