/* Σ (A B)², square matrices by rows, products summed in memory as people write it. */
#include "kernel.h"

double matmul(int n, const double *a, const double *b, double *c)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i*n + j] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i*n + j] += a[i*n + k]*b[k*n + j];
    for (int i = 0; i < n*n; i++)
        sum += c[i]*c[i];
    return sum;
}

#ifndef __cplusplus
void matmul_by_hand(int n, const double *restrict a, const double *restrict b, double *restrict c, double *restrict d_a,
                    double *restrict d_b)
{
    memset(c, 0, (size_t)n*n*sizeof *c);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i*n + j] += a[i*n + k]*b[k*n + j];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double *row = b + k*n, *g = c + i*n;
            double *d_row = d_b + k*n, lanes[8] = {0}, x = 2*a[i*n + k];
            int j = 0;
            for (; j + 8 <= n; j += 8)
                for (int l = 0; l < 8; l++) {
                    lanes[l] += g[j + l]*row[j + l];
                    d_row[j + l] += x*g[j + l];
                }
            for (; j < n; j++) {
                lanes[0] += g[j]*row[j];
                d_row[j] += x*g[j];
            }
            for (int l = 1; l < 8; l++)
                lanes[0] += lanes[l];
            d_a[i*n + k] += 2*lanes[0];
        }
}
#endif

#ifdef ENZYME
void matmul_enzyme(int n, const double *a, const double *b, double *c, double *d_a, double *d_b)
{
    double *d_c = (double *)calloc((size_t)n*n, sizeof *d_c);
    __enzyme_autodiff((void *)matmul, enzyme_const, n, enzyme_dup, a, d_a, enzyme_dup, b, d_b, enzyme_dup, c, d_c);
    free(d_c);
}
#endif
