/* x' = a x - b x² by Euler's method. */
#include "kernel.h"

double euler(int steps, double x, double a, double b, double dt)
{
    for (int i = 0; i < steps; i++)
        x += dt*(a*x - b*x*x);
    return x;
}

#ifndef __cplusplus
void euler_by_hand(int steps, double x, double a, double b, double dt, double *restrict d_x, double *restrict d_a,
                   double *restrict d_b)
{
    double *restrict states = kept(steps*sizeof *states), g = 1, sum_a = 0, sum_b = 0;
    for (int i = 0; i < steps; i++) {
        states[i] = x;
        x += dt*(a*x - b*x*x);
    }
    for (int i = steps - 1; i >= 0; i--) {
        double y = states[i];
        sum_a += g*y;
        sum_b += g*y*y;
        g *= 1 + dt*(a - 2*b*y);
    }
    *d_x += g;
    *d_a += dt*sum_a;
    *d_b -= dt*sum_b;
}
#endif

#ifdef ENZYME
struct three { double x, a, b; };
struct three __enzyme_autodiff_three(void *, ...);

void euler_enzyme(int steps, double x, double a, double b, double dt, double *d_x, double *d_a, double *d_b)
{
    struct three g = __enzyme_autodiff_three((void *)euler, enzyme_const, steps, enzyme_out, x, enzyme_out, a, enzyme_out, b,
                                             enzyme_const, dt);
    *d_x += g.x;
    *d_a += g.a;
    *d_b += g.b;
}
#endif
