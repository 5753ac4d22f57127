#include <math.h>
long double poly(long double x) { return 0.1L + x * (1.0L / 3 + x * (1e4000L - x)); }
double mixed(double x, float f, long double l) { return (double)(sqrtl(l) + x) + (float)l * f; }
__float128 quad(__float128 a, double b) { return a * b + (__float128)0.1L; }
_Float16 half(_Float16 a, float b) { return a * (_Float16)b + (_Float16)0.1; }
long double table[3] = {1.0L, -0.1L, __builtin_infl()};
long double pick(int i) { return table[i] + (long double)i; }
double convert(unsigned long u, long s, double d) { return (double)u + (double)s + (double)(unsigned char)d + (double)(long)d + (double)(unsigned long)d; }
