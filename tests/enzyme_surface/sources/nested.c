/* Derivatives of derivatives: the inner one keeps values on a tape, makes shadows of the heap, calls and recurses. */
#include <math.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const, enzyme_out;

static double power(double x, int n) {
    double r = 1;
    for (int i = 0; i < n; i++) r *= x;
    return r;
}
static double slope(double x, int n) { return __enzyme_autodiff((void *)power, x, n); }
static double forward_over_reverse(double x, int n) { return __enzyme_fwddiff((void *)slope, x, 1.0, n); }
static double reverse_over_reverse(double x, int n) { return __enzyme_autodiff((void *)slope, x, n); }
static double third(double x, int n) { return __enzyme_fwddiff((void *)reverse_over_reverse, x, 1.0, n); }

/* sum of x[i]*x[i+1]^2, with a loop that carries a product */
static double chain(const double *x, int n) {
    double s = 0, p = 1;
    for (int i = 0; i + 1 < n; i++) {
        p *= x[i];
        s += p * x[i + 1] * x[i + 1];
    }
    return s;
}
static void chain_gradient(const double *x, double *dx, int n) { __enzyme_autodiff((void *)chain, x, dx, n); }

/* a while loop whose length depends on the data, and memory from the heap */
static double heap(const double *x, int n) {
    double *work = malloc(n * sizeof(double));
    double scale = 1, s = 0;
    for (int i = 0; i < n; i++) work[i] = x[i] * x[i];
    while (scale < 10) scale *= 1 + work[0];
    for (int i = 0; i < n; i++) s += scale * work[i] * sin(x[i]);
    free(work);
    return s;
}
static void heap_gradient(const double *x, double *dx, int n) { __enzyme_autodiff((void *)heap, x, dx, n); }

__attribute__((noinline)) static void scale_all(double *x, int n, double a) {
    for (int i = 0; i < n; i++) x[i] *= a * x[i];
}
static double called(const double *x, int n) {
    double y[4], s = 0;
    for (int i = 0; i < n; i++) y[i] = x[i];
    for (int k = 0; k < 2; k++) scale_all(y, n, x[k]);
    for (int i = 0; i < n; i++) s += exp(y[i]);
    return s;
}
static void called_gradient(const double *x, double *dx, int n) { __enzyme_autodiff((void *)called, x, dx, n); }

typedef double (*function_t)(const double *, int);
typedef void (*gradient_t)(const double *, double *, int);

/* H v by forward over reverse, against a difference of gradients */
#define PRODUCT(name, gradient)                                                                                        \
    static int name(function_t f, double tolerance) {                                                                  \
        double x[4] = {1.1, 0.7, -0.4, 0.9}, h[4][4], step = 1e-5;                                                     \
        for (int j = 0; j < 4; j++) {                                                                                  \
            double v[4] = {0}, g[4] = {0}, p[4] = {0}, m[4] = {0}, y[4];                                               \
            v[j] = 1;                                                                                                  \
            for (int i = 0; i < 4; i++) h[j][i] = 0;                                                                   \
            __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, h[j], 4);                              \
            for (int i = 0; i < 4; i++) y[i] = x[i];                                                                   \
            y[j] = x[j] + step;                                                                                        \
            gradient(y, p, 4);                                                                                         \
            y[j] = x[j] - step;                                                                                        \
            gradient(y, m, 4);                                                                                         \
            for (int i = 0; i < 4; i++)                                                                                \
                if (!(fabs(h[j][i] - (p[i] - m[i]) / (2 * step)) <= tolerance * (1 + fabs(h[j][i])))) return 1;       \
        }                                                                                                              \
        for (int i = 0; i < 4; i++)                                                                                    \
            for (int j = 0; j < i; j++)                                                                                \
                if (!(fabs(h[i][j] - h[j][i]) <= 1e-12 * (1 + fabs(h[i][j])))) return 2;                               \
        return 0;                                                                                                      \
    }
PRODUCT(chain_product, chain_gradient)
PRODUCT(heap_product, heap_gradient)
PRODUCT(called_product, called_gradient)

int check(void) {
    for (int n = 0; n < 7; n++) {
        double x = 1.5;
        EXPECT(slope(x, n), n * pow(x, n - 1));
        EXPECT(forward_over_reverse(x, n), n * (n - 1) * pow(x, n - 2));
        EXPECT(reverse_over_reverse(x, n), n * (n - 1) * pow(x, n - 2));
        EXPECT(third(x, n), n * (n - 1) * (n - 2) * pow(x, n - 3));
    }
    EXPECT(chain_product(chain, 1e-8), 0);
    EXPECT(heap_product(heap, 1e-8), 0);
    EXPECT(called_product(called, 1e-8), 0);
    return 0;
}
