/* Fourier transforms: real and imaginary parts apart, complex numbers as structs, and by recursion. */
#include <math.h>
#include <stdlib.h>

/* radix 2, decimation in time, in place; then Σ weight |X|² */
double fft_loss(int n, double *re, double *im, const double *weight)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double t = re[i]; re[i] = re[j]; re[j] = t;
            t = im[i]; im[i] = im[j]; im[j] = t;
        }
    }
    for (int length = 2; length <= n; length <<= 1) {
        double angle = -2*M_PI/length;
        for (int start = 0; start < n; start += length)
            for (int k = 0; k < length/2; k++) {
                double c = cos(angle*k), s = sin(angle*k);
                int a = start + k, b = a + length/2;
                double x = re[b]*c - im[b]*s, y = re[b]*s + im[b]*c;
                re[b] = re[a] - x;
                im[b] = im[a] - y;
                re[a] += x;
                im[a] += y;
            }
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += weight[i]*(re[i]*re[i] + im[i]*im[i]);
    return sum;
}

typedef struct { double re, im; } cplx;

static cplx make(double re, double im) { cplx z = {re, im}; return z; }
static cplx plus(cplx a, cplx b) { return make(a.re + b.re, a.im + b.im); }
static cplx minus(cplx a, cplx b) { return make(a.re - b.re, a.im - b.im); }
static cplx times(cplx a, cplx b) { return make(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re); }
__attribute__((noinline)) static cplx over(cplx a, cplx b)
{
    double d = b.re*b.re + b.im*b.im;
    return make((a.re*b.re + a.im*b.im)/d, (a.im*b.re - a.re*b.im)/d);
}
static double size(cplx a) { return hypot(a.re, a.im); }

static void transform(int n, cplx *x)
{
    if (n == 1)
        return;
    cplx *even = malloc(n*sizeof *even), *odd = even + n/2;
    for (int i = 0; i < n/2; i++) {
        even[i] = x[2*i];
        odd[i] = x[2*i + 1];
    }
    transform(n/2, even);
    transform(n/2, odd);
    for (int k = 0; k < n/2; k++) {
        cplx w = make(cos(2*M_PI*k/n), -sin(2*M_PI*k/n)), t = times(w, odd[k]);
        x[k] = plus(even[k], t);
        x[k + n/2] = minus(even[k], t);
    }
    free(even);
}

double recursive_fft(int n, cplx *x, const double *weight)
{
    transform(n, x);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += weight[i]*log(1 + size(x[i]));
    return sum;
}

/* |(z² - c)/(z + c)| iterated, by value and returned by value */
double complex_iteration(double re, double im, double c_re, double c_im, int steps)
{
    cplx z = make(re, im), c = make(c_re, c_im);
    for (int i = 0; i < steps; i++)
        z = over(minus(times(z, z), c), plus(z, plus(c, make(1.5, 0.25))));
    return size(z);
}

/* a polynomial with complex coefficients by Horner, through out parameters */
__attribute__((noinline)) static void horner(int n, const cplx *a, cplx z, cplx *value, cplx *slope)
{
    *value = a[n - 1];
    *slope = make(0, 0);
    for (int i = n - 2; i >= 0; i--) {
        *slope = plus(times(*slope, z), *value);
        *value = plus(times(*value, z), a[i]);
    }
}

double complex_newton(int n, const cplx *a, double re, double im)
{
    cplx z = make(re, im), value, slope;
    int steps = 0;
    horner(n, a, z, &value, &slope);
    while (size(value) > 1e-12 && steps++ < 50) {
        z = minus(z, over(value, slope));
        horner(n, a, z, &value, &slope);
    }
    return z.re + 2*z.im;
}
