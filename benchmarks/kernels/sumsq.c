/* Σ x² */
#include "kernel.h"

double sumsq(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i]*x[i];
    return sum;
}

#ifndef __cplusplus
void sumsq_by_hand(int n, const double *restrict x, double *restrict d_x)
{
    for (int i = 0; i < n; i++)
        d_x[i] += 2*x[i];
}
#endif

#ifdef ENZYME
void sumsq_enzyme(int n, const double *x, double *d_x)
{
    __enzyme_autodiff((void *)sumsq, enzyme_const, n, enzyme_dup, x, d_x);
}
#endif
