/* Σ of Black and Scholes' prices of European calls. */
#include "kernel.h"

static double below(double x)
{
    return 0.5*erfc(-x*0.70710678118654752);
}

double bs(int n, double rate, const double *spot, const double *strike, const double *sigma, const double *years)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double spread = sigma[i]*sqrt(years[i]);
        double d1 = (log(spot[i]/strike[i]) + (rate + 0.5*sigma[i]*sigma[i])*years[i])/spread;
        sum += spot[i]*below(d1) - strike[i]*exp(-rate*years[i])*below(d1 - spread);
    }
    return sum;
}

#ifndef __cplusplus
/* the Greeks: delta, vega and theta */
void bs_by_hand(int n, double rate, const double *restrict spot, const double *restrict strike, const double *restrict sigma,
                const double *restrict years, double *restrict d_spot, double *restrict d_sigma, double *restrict d_years)
{
    for (int i = 0; i < n; i++) {
        double root = sqrt(years[i]), spread = sigma[i]*root;
        double d1 = (log(spot[i]/strike[i]) + (rate + 0.5*sigma[i]*sigma[i])*years[i])/spread;
        double density = 0.39894228040143268*exp(-0.5*d1*d1);
        d_spot[i] += below(d1);
        d_sigma[i] += spot[i]*density*root;
        d_years[i] += 0.5*spot[i]*density*sigma[i]/root + rate*strike[i]*exp(-rate*years[i])*below(d1 - spread);
    }
}
#endif

#ifdef ENZYME
void bs_enzyme(int n, double rate, const double *spot, const double *strike, const double *sigma, const double *years,
               double *d_spot, double *d_sigma, double *d_years)
{
    __enzyme_autodiff((void *)bs, enzyme_const, n, enzyme_const, rate, enzyme_dup, spot, d_spot, enzyme_const, strike, enzyme_dup,
                      sigma, d_sigma, enzyme_dup, years, d_years);
}
#endif
