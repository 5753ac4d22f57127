#include <math.h>
float f[] = {0.1f, -0.0f, 1e-45f, 3.4028235e38f, INFINITY, -INFINITY, 16777216.f};
double d[] = {0.1, -0.0, 5e-324, 1.7976931348623157e308, 1.0 / 3, 1e22, 123456789.0, 4503599627370497.5};
double nans(int k) {
    double table[] = {__builtin_nan(""), __builtin_nans(""), __builtin_nan("0x123"), -__builtin_nan("")};
    float narrow[] = {__builtin_nanf("0x7"), __builtin_nansf("")};
    return table[k] + (double)narrow[k & 1] + d[k] + (double)f[k];
}
int classify(double x) { return isless(x, 1.0) + islessgreater(x, 2.0) * 2 + isunordered(x, d[1]) + signbit(x); }
