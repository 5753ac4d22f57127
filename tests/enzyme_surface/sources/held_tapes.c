/* Derivatives of derivatives whose tapes the C code holds. */
#include <stdlib.h>
static double power(double x, int n) { double r = 1; for (int i = 0; i < n; i++) r *= x; return r; }
static double squares(const double *x, int n) {
    double *w = malloc(n*sizeof *w), s = 0;
    for (int i = 0; i < n; i++) w[i] = x[i]*x[i];
    for (int i = 0; i < n; i++) s += w[i]*w[n - 1 - i]*x[0];
    free(w);
    return s;
}
static double descend(double x, int n) { double t = sin(x)*n; return n ? descend(t + x, n - 1)*t : x; }
typedef struct { void *tape; double value; } Augmented;
Augmented __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
void __enzyme_reverse_nothing(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_nothing(void *, ...);
int enzyme_dup;
static double first(double x, int n) {
    Augmented a = __enzyme_augmentfwd((void *)power, x, n);
    return __enzyme_reverse((void *)power, x, n, 1.0, a.tape)*a.value;
}
static double both(double x, double y, int n) {
    Augmented a = __enzyme_augmentfwd((void *)power, x, n), b = __enzyme_augmentfwd((void *)power, y, n + 1);
    double dx = __enzyme_reverse((void *)power, x, n, b.value, a.tape);
    return dx*__enzyme_reverse((void *)power, y, n + 1, 1.0, b.tape);
}
static double recursive(double x, int n) {
    Augmented a = __enzyme_augmentfwd((void *)descend, x, n);
    return __enzyme_reverse((void *)descend, x, n, 1.0, a.tape);
}
static void gradient(const double *x, double *dx, int n) {
    Augmented a = __enzyme_augmentfwd((void *)squares, x, dx, n);
    __enzyme_reverse_nothing((void *)squares, x, dx, n, 1.0, a.tape);
}
static double again(double x, int n) { return __enzyme_autodiff((void *)first, x, n); }
int check(void) {
    /* n x^(2n-1) */
    EXPECT(first(2.0, 4), 4*pow(2, 7));
    EXPECT(__enzyme_fwddiff((void *)first, 2.0, 1.0, 4), 28*64);
    EXPECT(__enzyme_autodiff((void *)first, 2.0, 4), 28*64);
    EXPECT(__enzyme_fwddiff((void *)again, 2.0, 1.0, 4), 28*6*32);
    EXPECT(__enzyme_autodiff((void *)again, 2.0, 4), 28*6*32);
    /* 3 x^2 y^4 4 y^3 */
    EXPECT(both(2.0, 1.5, 3), 12*4*pow(1.5, 7));
    EXPECT(__enzyme_fwddiff((void *)both, 2.0, 1.0, 1.5, 0.0, 3), 24*2*pow(1.5, 7));
    EXPECT(__enzyme_fwddiff((void *)both, 2.0, 0.0, 1.5, 1.0, 3), 12*4*7*pow(1.5, 6));
    NEAR(__enzyme_fwddiff((void *)recursive, 0.3, 1.0, 4), (recursive(0.3 + 1e-6, 4) - recursive(0.3 - 1e-6, 4))/2e-6, 1e-6);
    EXPECT(__enzyme_autodiff((void *)recursive, 0.3, 4), __enzyme_fwddiff((void *)recursive, 0.3, 1.0, 4));
    double x[3] = {1, 2, 3}, h[3][3] = {{0}};
    for (int k = 0; k < 3; k++) {
        double v[3] = {0}, g[3] = {0}, up[3] = {1, 2, 3}, down[3] = {1, 2, 3}, a[3] = {0}, b[3] = {0};
        v[k] = 1;
        __enzyme_fwddiff_nothing((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, h[k], 3);
        up[k] += 1e-5; down[k] -= 1e-5;
        gradient(up, a, 3); gradient(down, b, 3);
        for (int i = 0; i < 3; i++) NEAR(h[k][i], (a[i] - b[i])/2e-5, 1e-8);
        double seed[3] = {0}, column[3] = {0}, g2[3] = {0};
        seed[k] = 1;
        __enzyme_autodiff_nothing((void *)gradient, enzyme_dup, x, column, enzyme_dup, g2, seed, 3);
        for (int i = 0; i < 3; i++) EXPECT(column[i], h[k][i]);
    }
    return 0;
}
