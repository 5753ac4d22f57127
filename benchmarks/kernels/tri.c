/* Σ x² where L x = b: forward substitution, L by rows. */
#include "kernel.h"

double tri(int n, const double *l, const double *b, double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= l[i*n + j]*x[j];
        x[i] /= l[i*n + i];
    }
    for (int i = 0; i < n; i++)
        sum += x[i]*x[i];
    return sum;
}

#ifndef __cplusplus
void tri_by_hand(int n, const double *restrict l, const double *restrict b, double *restrict x, double *restrict d_l,
                 double *restrict d_b)
{
    double *restrict g = (double *)kept(n*sizeof *g);
    for (int i = 0; i < n; i++) {
        double lanes[8] = {0}, rest = b[i];
        int j = 0;
        for (; j + 8 <= i; j += 8)
            for (int k = 0; k < 8; k++)
                lanes[k] += l[i*n + j + k]*x[j + k];
        for (; j < i; j++)
            rest -= l[i*n + j]*x[j];
        for (int k = 0; k < 8; k++)
            rest -= lanes[k];
        x[i] = rest/l[i*n + i];
        g[i] = 2*x[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double share = g[i]/l[i*n + i];
        d_b[i] += share;
        d_l[i*n + i] -= share*x[i];
        for (int j = 0; j < i; j++) {
            g[j] -= share*l[i*n + j];
            d_l[i*n + j] -= share*x[j];
        }
    }
}
#endif

#ifdef ENZYME
void tri_enzyme(int n, const double *l, const double *b, double *x, double *d_l, double *d_b)
{
    double *d_x = (double *)calloc(n, sizeof *d_x);
    __enzyme_autodiff((void *)tri, enzyme_const, n, enzyme_dup, l, d_l, enzyme_dup, b, d_b, enzyme_dup, x, d_x);
    free(d_x);
}
#endif
