#include <math.h>
double all(double x, double y, float f, long double l) {
    double r = sin(x) + cos(x) * tan(y) - asin(x) / acos(y) + atan2(x, y);
    r += exp(x) + exp2(x) + expm1(y) + log(x) + log2(y) + log10(x) + log1p(y) + pow(x, y);
    r += sinh(x) + cosh(y) + tanh(x) + asinh(y) + acosh(x) + atanh(y) + hypot(x, y) + cbrt(x);
    r += erf(x) + erfc(y) + tgamma(x) + lgamma(y) + fma(x, y, r) + fmin(x, y) + fmax(x, y) + fdim(x, y);
    r += floor(x) + ceil(y) + trunc(x) + round(y) + rint(x) + nearbyint(y) + copysign(x, y) + fabs(y);
    r += fmod(x, y) + remainder(x, y) + sinf(f) + powf(f, 2.5f) + (double)sinl(l) + (double)powl(l, 0.1L);
    int e;
    double whole;
    r += frexp(x, &e) + ldexp(y, e) + modf(x, &whole) + whole + scalbn(x, 3) + logb(y) + (double)ilogb(x);
    return isnan(r) || isinf(r) ? 0.0 : r;
}
