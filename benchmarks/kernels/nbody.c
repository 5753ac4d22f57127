/* Bodies that attract each other, by the leapfrog method; Σ |position|² at the end. The force has pow(r², -1.5), as people write it. */
#include "kernel.h"

static void forces(int n, const double *mass, const double *p, double *f)
{
    for (int i = 0; i < 3*n; i++)
        f[i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j) {
                double x = p[3*j] - p[3*i], y = p[3*j + 1] - p[3*i + 1], z = p[3*j + 2] - p[3*i + 2];
                double s = mass[j]*pow(x*x + y*y + z*z + 0.01, -1.5);
                f[3*i] += s*x;
                f[3*i + 1] += s*y;
                f[3*i + 2] += s*z;
            }
}

double nbody(int n, int steps, double dt, const double *mass, const double *start, const double *speed)
{
    double *p = (double *)malloc(9*n*sizeof *p), *v = p + 3*n, *f = v + 3*n, sum = 0;
    for (int i = 0; i < 3*n; i++) {
        p[i] = start[i];
        v[i] = speed[i];
    }
    for (int t = 0; t < steps; t++) {
        forces(n, mass, p, f);
        for (int i = 0; i < 3*n; i++) {
            v[i] += dt*f[i];
            p[i] += dt*v[i];
        }
    }
    for (int i = 0; i < 3*n; i++)
        sum += p[i]*p[i];
    free(p);
    return sum;
}

#ifndef __cplusplus
/* d_p += the adjoint of the positions, d_m += that of the masses, of forces whose adjoint is g */
static void forces_back(int n, const double *restrict mass, const double *restrict p, const double *restrict g,
                        double *restrict d_mass, double *restrict d_p)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double x = p[3*j] - p[3*i], y = p[3*j + 1] - p[3*i + 1], z = p[3*j + 2] - p[3*i + 2];
            double square = x*x + y*y + z*z + 0.01, inverse = 1/square, cube = inverse/sqrt(square);
            double along = g[3*i]*x + g[3*i + 1]*y + g[3*i + 2]*z, s = mass[j]*cube, back = -3*s*inverse*along;
            double gx = s*g[3*i] + back*x, gy = s*g[3*i + 1] + back*y, gz = s*g[3*i + 2] + back*z;
            d_mass[j] += cube*along;
            d_p[3*j] += gx, d_p[3*j + 1] += gy, d_p[3*j + 2] += gz;
            d_p[3*i] -= gx, d_p[3*i + 1] -= gy, d_p[3*i + 2] -= gz;
        }
}

void nbody_by_hand(int n, int steps, double dt, const double *restrict mass, const double *restrict start,
                   const double *restrict speed, double *restrict d_mass, double *restrict d_start, double *restrict d_speed)
{
    size_t row = 3*(size_t)n;
    double *states = (double *)kept((steps + 5)*row*sizeof *states), *v = states + (steps + 1)*row, *f = v + row;
    double *d_p = f + row, *d_f = d_p + row, *d_v = d_speed;
    memcpy(states, start, row*sizeof *states);
    memcpy(v, speed, row*sizeof *v);
    for (int t = 0; t < steps; t++) {
        const double *p = states + t*row;
        double *next = states + (t + 1)*row;
        for (size_t i = 0; i < row; i++)
            f[i] = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double x = p[3*j] - p[3*i], y = p[3*j + 1] - p[3*i + 1], z = p[3*j + 2] - p[3*i + 2];
                double square = x*x + y*y + z*z + 0.01, s = mass[j]/(square*sqrt(square));
                f[3*i] += s*x, f[3*i + 1] += s*y, f[3*i + 2] += s*z;
            }
        for (size_t i = 0; i < row; i++) {
            v[i] += dt*f[i];
            next[i] = p[i] + dt*v[i];
        }
    }
    double *restrict g = v; /* the speeds are no longer needed: their adjoints */
    for (size_t i = 0; i < row; i++) {
        d_p[i] = 2*states[steps*row + i];
        g[i] = 0;
    }
    for (int t = steps - 1; t >= 0; t--) {
        for (size_t i = 0; i < row; i++) {
            g[i] += dt*d_p[i];
            d_f[i] = dt*g[i];
        }
        forces_back(n, mass, states + t*row, d_f, d_mass, d_p);
    }
    for (size_t i = 0; i < row; i++) {
        d_start[i] += d_p[i];
        d_v[i] += g[i];
    }
}
#endif

#ifdef ENZYME
void nbody_enzyme(int n, int steps, double dt, const double *mass, const double *start, const double *speed, double *d_mass,
                  double *d_start, double *d_speed)
{
    __enzyme_autodiff((void *)nbody, enzyme_const, n, enzyme_const, steps, enzyme_const, dt, enzyme_dup, mass, d_mass, enzyme_dup,
                      start, d_start, enzyme_dup, speed, d_speed);
}
#endif
