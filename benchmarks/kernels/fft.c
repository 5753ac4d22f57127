/* Σ weight |FFT z|², radix 2 in place on a copy; table: n/2 cosines, then n/2 sines. */
#include "kernel.h"

static void transform(int n, double *re, double *im, const double *table, double sign)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double t = re[i]; re[i] = re[j]; re[j] = t;
            t = im[i]; im[i] = im[j]; im[j] = t;
        }
    }
    for (int half = 1, step = n/2; half < n; half *= 2, step /= 2)
        for (int start = 0; start < n; start += 2*half)
            for (int k = 0; k < half; k++) {
                double c = table[k*step], s = sign*table[n/2 + k*step];
                int a = start + k, b = a + half;
                double x = re[b]*c - im[b]*s, y = re[b]*s + im[b]*c;
                re[b] = re[a] - x;
                im[b] = im[a] - y;
                re[a] += x;
                im[a] += y;
            }
}

double fft(int n, const double *re, const double *im, const double *weight, const double *table)
{
    double *work = (double *)malloc(2*n*sizeof *work), sum = 0;
    memcpy(work, re, n*sizeof *work);
    memcpy(work + n, im, n*sizeof *work);
    transform(n, work, work + n, table, -1);
    for (int i = 0; i < n; i++)
        sum += weight[i]*(work[i]*work[i] + work[n + i]*work[n + i]);
    free(work);
    return sum;
}

#ifndef __cplusplus
/* the adjoint of the transform is the transform with the other sign */
void fft_by_hand(int n, const double *restrict re, const double *restrict im, const double *restrict weight,
                 const double *restrict table, double *restrict d_re, double *restrict d_im)
{
    double *restrict work = kept(2*n*sizeof *work);
    memcpy(work, re, n*sizeof *work);
    memcpy(work + n, im, n*sizeof *work);
    transform(n, work, work + n, table, -1);
    for (int i = 0; i < n; i++) {
        work[i] *= 2*weight[i];
        work[n + i] *= 2*weight[i];
    }
    transform(n, work, work + n, table, 1);
    for (int i = 0; i < n; i++) {
        d_re[i] += work[i];
        d_im[i] += work[n + i];
    }
}
#endif

#ifdef ENZYME
void fft_enzyme(int n, const double *re, const double *im, const double *weight, const double *table, double *d_re, double *d_im)
{
    __enzyme_autodiff((void *)fft, enzyme_const, n, enzyme_dup, re, d_re, enzyme_dup, im, d_im, enzyme_const, weight, enzyme_const,
                      table);
}
#endif
