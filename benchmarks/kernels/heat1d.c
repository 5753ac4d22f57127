/* Diffusion on a line with two buffers that change places; the conductivity is differentiated too. */
#include "kernel.h"

double heat1d(int n, int steps, const double *initial, double k)
{
    double *now = (double *)malloc(n*sizeof *now), *next = (double *)malloc(n*sizeof *next), sum = 0;
    memcpy(now, initial, n*sizeof *now);
    memcpy(next, initial, n*sizeof *next);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = now[i] + k*(now[i - 1] - 2*now[i] + now[i + 1]);
        double *swap = now;
        now = next;
        next = swap;
    }
    for (int i = 0; i < n; i++)
        sum += now[i]*now[i];
    free(now);
    free(next);
    return sum;
}

#ifndef __cplusplus
void heat1d_by_hand(int n, int steps, const double *restrict initial, double k, double *restrict d_initial, double *restrict d_k)
{
    double *states = kept(((size_t)(steps + 1)*n + 2*n)*sizeof *states), *g = states + (size_t)(steps + 1)*n, lanes[8] = {0};
    memcpy(states, initial, n*sizeof *states);
    for (int t = 0; t < steps; t++) {
        const double *restrict now = states + (size_t)t*n;
        double *restrict next = states + (size_t)(t + 1)*n;
        next[0] = now[0];
        next[n - 1] = now[n - 1];
        for (int i = 1; i < n - 1; i++)
            next[i] = now[i] + k*(now[i - 1] - 2*now[i] + now[i + 1]);
    }
    /* two rows of adjoints; those of the fixed ends are kept apart, so that the inner points gather zeros there */
    double left = 2*states[(size_t)steps*n], right = 2*states[(size_t)steps*n + n - 1], *after = g, *before = g + n;
    for (int i = 1; i < n - 1; i++)
        after[i] = 2*states[(size_t)steps*n + i];
    after[0] = after[n - 1] = before[0] = before[n - 1] = 0;
    for (int t = steps - 1; t >= 0; t--) {
        const double *restrict now = states + (size_t)t*n, *restrict a = after;
        double *restrict b = before;
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i] + k*(a[i - 1] - 2*a[i] + a[i + 1]);
        int i = 1;
        for (; i + 8 < n; i += 8)
            for (int l = 0; l < 8; l++)
                lanes[l] += a[i + l]*(now[i + l - 1] - 2*now[i + l] + now[i + l + 1]);
        for (; i < n - 1; i++)
            lanes[0] += a[i]*(now[i - 1] - 2*now[i] + now[i + 1]);
        left += k*a[1];
        right += k*a[n - 2];
        double *swap = after;
        after = before;
        before = swap;
    }
    d_initial[0] += left;
    d_initial[n - 1] += right;
    for (int i = 1; i < n - 1; i++)
        d_initial[i] += after[i];
    for (int l = 0; l < 8; l++)
        *d_k += lanes[l];
}
#endif

#ifdef ENZYME
void heat1d_enzyme(int n, int steps, const double *initial, double k, double *d_initial, double *d_k)
{
    *d_k += __enzyme_autodiff((void *)heat1d, enzyme_const, n, enzyme_const, steps, enzyme_dup, initial, d_initial, enzyme_out, k);
}
#endif
