/* The Brusselator on a square with periodic edges, by the classical Runge-Kutta method; Σ u² + v² at the end. state: u, then v. */
#include "kernel.h"

static void rates(int n, double alpha, const double *state, double *out)
{
    const double *u = state, *v = state + n*n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int up = (i ? i - 1 : n - 1)*n + j, down = (i < n - 1 ? i + 1 : 0)*n + j;
            int left = i*n + (j ? j - 1 : n - 1), right = i*n + (j < n - 1 ? j + 1 : 0), here = i*n + j;
            double square = u[here]*u[here]*v[here];
            out[here] = 1 + square - 4.4*u[here] + alpha*(u[up] + u[down] + u[left] + u[right] - 4*u[here]);
            out[n*n + here] = 3.4*u[here] - square + alpha*(v[up] + v[down] + v[left] + v[right] - 4*v[here]);
        }
}

double bruss(int n, int steps, double dt, double alpha, const double *start)
{
    int size = 2*n*n;
    double *y = (double *)malloc(6*size*sizeof *y), *stage = y + size, *k = y + 2*size, sum = 0;
    for (int i = 0; i < size; i++)
        y[i] = start[i];
    for (int t = 0; t < steps; t++) {
        rates(n, alpha, y, k);
        for (int i = 0; i < size; i++)
            stage[i] = y[i] + 0.5*dt*k[i];
        rates(n, alpha, stage, k + size);
        for (int i = 0; i < size; i++)
            stage[i] = y[i] + 0.5*dt*k[size + i];
        rates(n, alpha, stage, k + 2*size);
        for (int i = 0; i < size; i++)
            stage[i] = y[i] + dt*k[2*size + i];
        rates(n, alpha, stage, k + 3*size);
        for (int i = 0; i < size; i++)
            y[i] += dt/6*(k[i] + 2*k[size + i] + 2*k[2*size + i] + k[3*size + i]);
    }
    for (int i = 0; i < size; i++)
        sum += y[i]*y[i];
    free(y);
    return sum;
}

#ifndef __cplusplus
/* out = the adjoint of `state` where `g` is that of its rates */
static void rates_back(int n, double alpha, const double *restrict state, const double *restrict g, double *restrict out)
{
    const double *u = state, *v = state + n*n, *a = g, *b = g + n*n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int up = (i ? i - 1 : n - 1)*n + j, down = (i < n - 1 ? i + 1 : 0)*n + j;
            int left = i*n + (j ? j - 1 : n - 1), right = i*n + (j < n - 1 ? j + 1 : 0), here = i*n + j;
            double difference = a[here] - b[here];
            out[here] = 2*u[here]*v[here]*difference - 4.4*a[here] + 3.4*b[here]
                        + alpha*(a[up] + a[down] + a[left] + a[right] - 4*a[here]);
            out[n*n + here] = u[here]*u[here]*difference + alpha*(b[up] + b[down] + b[left] + b[right] - 4*b[here]);
        }
}

void bruss_by_hand(int n, int steps, double dt, double alpha, const double *restrict start, double *restrict d_start)
{
    int size = 2*n*n;
    double *states = (double *)kept(((size_t)4*steps + 8)*size*sizeof *states), *k = states + ((size_t)4*steps + 1)*size;
    memcpy(states, start, size*sizeof *states);
    for (int t = 0; t < steps; t++) {
        double *y = states + (size_t)4*t*size, part[3] = {0.5*dt, 0.5*dt, dt};
        for (int s = 0; s < 4; s++) {
            rates(n, alpha, y + (size_t)s*size, k + (size_t)s*size);
            for (int i = 0; s < 3 && i < size; i++)
                y[(size_t)(s + 1)*size + i] = y[i] + part[s]*k[(size_t)s*size + i];
        }
        for (int i = 0; i < size; i++)
            y[(size_t)4*size + i] = y[i] + dt/6*(k[i] + 2*k[size + i] + 2*k[2*size + i] + k[3*size + i]);
    }
    double *restrict g = k, *restrict g_k = k + size, *restrict g_s = k + 2*size, *restrict sum = k + 3*size;
    for (int i = 0; i < size; i++)
        g[i] = 2*states[(size_t)4*steps*size + i];
    for (int t = steps - 1; t >= 0; t--) {
        const double *y = states + (size_t)4*t*size;
        double weight[4] = {dt/6, dt/3, dt/3, dt/6}, part[4] = {0.5*dt, 0.5*dt, dt, 0};
        for (int i = 0; i < size; i++) {
            sum[i] = g[i];
            g_s[i] = 0;
        }
        for (int s = 3; s >= 0; s--) {
            for (int i = 0; i < size; i++)
                g_k[i] = weight[s]*g[i] + part[s]*g_s[i];
            rates_back(n, alpha, y + (size_t)s*size, g_k, g_s);
            for (int i = 0; i < size; i++)
                sum[i] += g_s[i];
        }
        for (int i = 0; i < size; i++)
            g[i] = sum[i];
    }
    for (int i = 0; i < size; i++)
        d_start[i] += g[i];
}
#endif

#ifdef ENZYME
void bruss_enzyme(int n, int steps, double dt, double alpha, const double *start, double *d_start)
{
    __enzyme_autodiff((void *)bruss, enzyme_const, n, enzyme_const, steps, enzyme_const, dt, enzyme_const, alpha, enzyme_dup, start,
                      d_start);
}
#endif
