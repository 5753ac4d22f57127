/* Σ weight x/|x|; the length is asked for again for every element, so optimization takes a square of work away. */
#include "kernel.h"

static double length(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i]*x[i];
    return sqrt(sum);
}

double normalize(int n, const double *restrict x, const double *restrict weight, double *restrict out)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        out[i] = x[i]/length(n, x);
    for (int i = 0; i < n; i++)
        sum += weight[i]*out[i];
    return sum;
}

#ifndef __cplusplus
static double product(int n, const double *restrict x, const double *restrict y)
{
    double lanes[8] = {0};
    int i = 0;
    for (; i + 8 <= n; i += 8)
        for (int l = 0; l < 8; l++)
            lanes[l] += x[i + l]*y[i + l];
    for (; i < n; i++)
        lanes[0] += x[i]*y[i];
    for (int l = 1; l < 8; l++)
        lanes[0] += lanes[l];
    return lanes[0];
}

void normalize_by_hand(int n, const double *restrict x, const double *restrict weight, double *restrict out, double *restrict d_x)
{
    double inverse = 1/sqrt(product(n, x, x)), share = product(n, weight, x)*inverse*inverse;
    for (int i = 0; i < n; i++)
        d_x[i] += inverse*(weight[i] - share*x[i]);
}
#endif

#ifdef ENZYME
void normalize_enzyme(int n, const double *x, const double *weight, double *out, double *d_x)
{
    double *d_out = (double *)calloc(n, sizeof *d_out);
    __enzyme_autodiff((void *)normalize, enzyme_const, n, enzyme_dup, x, d_x, enzyme_const, weight, enzyme_dup, out, d_out);
    free(d_out);
}
#endif
