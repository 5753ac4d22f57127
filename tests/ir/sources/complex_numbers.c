#include <complex.h>
double complex mul(double complex a, double complex b) { return a * b; }
float complex divide(float complex a, float complex b) { return a / b; }
double magnitude(double complex z) { return cabs(z) + creal(cexp(z)) * cimag(csqrt(z)) + carg(conj(z)); }
double complex horner(const double complex *c, int n, double complex z) {
    double complex s = 0;
    for (int i = n - 1; i >= 0; i--) s = s * z + c[i];
    return s + 2.0 * I;
}
long double complex wide(long double complex a) { return a * a; }
