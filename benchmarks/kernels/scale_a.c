/* y = x², then Σ x y: the two arrays may overlap as far as the text says, so x must be kept. */
#include "kernel.h"

double scale_a(int n, const double *x, double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        y[i] = x[i]*x[i];
    for (int i = 0; i < n; i++)
        sum += x[i]*y[i];
    return sum;
}

#ifndef __cplusplus
void scale_a_by_hand(int n, const double *restrict x, double *restrict y, double *restrict d_x)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i]*x[i];
    for (int i = 0; i < n; i++)
        d_x[i] += 3*y[i];
}
#endif

#ifdef ENZYME
void scale_a_enzyme(int n, const double *x, double *y, double *d_x)
{
    double *d_y = (double *)calloc(n, sizeof *d_y);
    __enzyme_autodiff((void *)scale_a, enzyme_const, n, enzyme_dup, x, d_x, enzyme_dup, y, d_y);
    free(d_y);
}
#endif
