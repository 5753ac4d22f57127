/* log Σ exp x */
#include "kernel.h"

double lse(int n, const double *x)
{
    double largest = x[0], sum = 0;
    for (int i = 1; i < n; i++)
        largest = x[i] > largest ? x[i] : largest;
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - largest);
    return largest + log(sum);
}

#ifndef __cplusplus
void lse_by_hand(int n, const double *restrict x, double *restrict d_x)
{
    double largest = x[0], sum = 0, *restrict e = kept(n*sizeof *e);
    for (int i = 1; i < n; i++)
        largest = x[i] > largest ? x[i] : largest;
    for (int i = 0; i < n; i++) {
        e[i] = exp(x[i] - largest);
        sum += e[i];
    }
    double share = 1/sum;
    for (int i = 0; i < n; i++)
        d_x[i] += e[i]*share;
}
#endif

#ifdef ENZYME
void lse_enzyme(int n, const double *x, double *d_x)
{
    __enzyme_autodiff((void *)lse, enzyme_const, n, enzyme_dup, x, d_x);
}
#endif
