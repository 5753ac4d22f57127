#include <stdarg.h>
#include <stdio.h>
double sum(int n, ...) {
    va_list a, b;
    double s = 0;
    va_start(a, n);
    va_copy(b, a);
    for (int i = 0; i < n; i++) s += va_arg(a, double);
    s += va_arg(b, int);
    va_end(a);
    va_end(b);
    return s;
}
struct pair { double a, b; };
double structs(int n, ...) {
    va_list a;
    va_start(a, n);
    struct pair p = va_arg(a, struct pair);
    long double l = va_arg(a, long double);
    va_end(a);
    return p.a + p.b + (double)l;
}
int report(double x, float f) { return printf("%g %g %d %s\n", x, f, 3, "\t\"quoted\"\\") + (int)sum(2, x, (double)f); }
