/* Σ of x³ where x is positive. */
#include "kernel.h"

double relu3(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            sum += pow(x[i], 3);
    return sum;
}

#ifndef __cplusplus
void relu3_by_hand(int n, const double *restrict x, double *restrict d_x)
{
    for (int i = 0; i < n; i++)
        d_x[i] += x[i] > 0 ? 3*x[i]*x[i] : 0;
}
#endif

#ifdef ENZYME
void relu3_enzyme(int n, const double *x, double *d_x)
{
    __enzyme_autodiff((void *)relu3, enzyme_const, n, enzyme_dup, x, d_x);
}
#endif
