/* Promises that change how a gradient is computed, not what it is: called again in the way back, frees nothing. */
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
static int calls;
__attribute__((enzyme_shouldrecompute, noinline)) static double dear(double x) { return exp(sin(x)); }
__attribute__((noinline)) static double dear_too(double x) { return exp(cos(x)); }
void *__enzyme_shouldrecompute_dear_too = (void *)dear_too;
static double product(const double *x, int n) {
    double p = 1;
    for (int i = 0; i < n; i++) p *= dear(x[i])*dear_too(x[i]);
    return p;
}
__attribute__((enzyme_nofree, noinline)) static double *place(double *x, int k) { return x + k; }
__attribute__((noinline)) static double *place_too(double *x, int k) { return x + k; }
void *__enzyme_nofree_place_too = (void *)place_too;
static double placed(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += *place(x, i)**place_too(x, i);
    return s;
}

int check(void) {
    double x[3] = {0.1, 0.2, 0.3}, dx[3] = {0}, dy[3] = {0};
    __enzyme_autodiff((void *)product, x, dx, 3);
    for (int i = 0; i < 3; i++) EXPECT(dx[i], product(x, 3)*(cos(x[i]) - sin(x[i])));
    __enzyme_autodiff((void *)placed, x, dy, 3);
    for (int i = 0; i < 3; i++) EXPECT(dy[i], 2*x[i]);
    return 0;
}
