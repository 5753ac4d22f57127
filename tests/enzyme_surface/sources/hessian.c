/* the C Hessian example as users ask for it: forward over reverse by columns, arrays */
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup, enzyme_const, enzyme_dupnoneed, enzyme_width, enzyme_dupv;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
static double rosen(const double *x, int n) {
    double s = 0;
    for (int i = 0; i + 1 < n; i++) { double a = 1 - x[i], b = x[i+1] - x[i]*x[i]; s += a*a + 100*b*b; }
    return s;
}
static void grad(const double *x, double *g, int n) { __enzyme_autodiff((void *)rosen, enzyme_dup, x, g, enzyme_const, n); }
static void hess(const double *x, double *h, int n) {
    double *v = calloc(n, sizeof(double)), *g = calloc(n, sizeof(double));
    for (int j = 0; j < n; j++) {
        memset(v, 0, n*sizeof(double)); v[j] = 1;
        memset(g, 0, n*sizeof(double));
        __enzyme_fwddiff((void *)grad, enzyme_dup, x, v, enzyme_dupnoneed, g, h + j*n, enzyme_const, n);
    }
    free(v); free(g);
}
static void hess_wide(const double *x, double *h) {
    double v[9] = {1,0,0, 0,1,0, 0,0,1}, g[3] = {0};
    __enzyme_fwddiff((void *)grad, enzyme_width, 3, enzyme_dupv, sizeof(double)*3, x, v, enzyme_dupv, sizeof(double)*3, g, h, enzyme_const, 3);
}
int check(void) {
    double x[3] = {0.5, 0.3, -0.2}, h[9] = {0}, w[9] = {0};
    hess(x, h, 3);
    EXPECT(h[0], 2 - 400*(x[1] - 3*x[0]*x[0]));
    EXPECT(h[1], -400*x[0]); EXPECT(h[3], h[1]); EXPECT(h[2], 0);
    EXPECT(h[4], 2 + 200 - 400*(x[2] - 3*x[1]*x[1]));
    EXPECT(h[8], 200);
    hess_wide(x, w);
    for (int i = 0; i < 9; i++) EXPECT(w[i], h[i]);
    return 0;
}
