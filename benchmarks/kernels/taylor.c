/* The first terms of the series of -log(1 - x). */
#include "kernel.h"

double taylor(int terms, double x)
{
    double sum = 0;
    for (int i = 1; i <= terms; i++)
        sum += pow(x, i)/i;
    return sum;
}

#ifndef __cplusplus
void taylor_by_hand(int terms, double x, double *restrict d_x)
{
    double sum = 0, power = 1;
    for (int i = 1; i <= terms; i++) {
        sum += power;
        power *= x;
    }
    *d_x += sum;
}
#endif

#ifdef ENZYME
void taylor_enzyme(int terms, double x, double *d_x)
{
    *d_x += __enzyme_autodiff((void *)taylor, enzyme_const, terms, enzyme_out, x);
}
#endif
