#include <math.h>
void fft(double *re, double *im, unsigned n) {
    for (unsigned i = 1, j = 0; i < n; i++) {
        unsigned bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) { double t = re[i]; re[i] = re[j]; re[j] = t; t = im[i]; im[i] = im[j]; im[j] = t; }
    }
    for (unsigned len = 2; len <= n; len <<= 1) {
        double a = -2 * 3.14159265358979323846 / len, wr = cos(a), wi = sin(a);
        for (unsigned i = 0; i < n; i += len) {
            double cr = 1, ci = 0;
            for (unsigned k = 0; k < len / 2; k++) {
                double *p = re + i + k, *q = im + i + k, xr = p[len / 2] * cr - q[len / 2] * ci, xi = p[len / 2] * ci + q[len / 2] * cr;
                p[len / 2] = *p - xr; q[len / 2] = *q - xi; *p += xr; *q += xi;
                double t = cr * wr - ci * wi; ci = cr * wi + ci * wr; cr = t;
            }
        }
    }
}
