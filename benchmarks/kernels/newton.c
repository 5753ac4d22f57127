/* Σ √a, each by Newton's method until it is exact to 1e-12: how often the loop runs is known only when it has run. */
#include "kernel.h"

double newton(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double x = a[i];
        while (fabs(x*x - a[i]) > 1e-12*a[i])
            x = 0.5*(x + a[i]/x);
        sum += x;
    }
    return sum;
}

#ifndef __cplusplus
void newton_by_hand(int n, const double *restrict a, double *restrict d_a)
{
    double steps[64];
    for (int i = 0; i < n; i++) {
        double x = a[i], g = 1, sum = 0;
        int count = 0;
        while (fabs(x*x - a[i]) > 1e-12*a[i]) {
            steps[count++] = x;
            x = 0.5*(x + a[i]/x);
        }
        while (count--) {
            double inverse = 1/steps[count];
            sum += 0.5*g*inverse;
            g *= 0.5*(1 - a[i]*inverse*inverse);
        }
        d_a[i] += sum + g;
    }
}
#endif

#ifdef ENZYME
void newton_enzyme(int n, const double *a, double *d_a)
{
    __enzyme_autodiff((void *)newton, enzyme_const, n, enzyme_dup, a, d_a);
}
#endif
