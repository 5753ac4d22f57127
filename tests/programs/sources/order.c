/* Sorting, searching, tables. */
#include <math.h>
#include <stdlib.h>

double insertion_sort(int n, double *x, const double *weight)
{
    for (int i = 1; i < n; i++) {
        double v = x[i];
        int j = i - 1;
        while (j >= 0 && x[j] > v) {
            x[j + 1] = x[j];
            j--;
        }
        x[j + 1] = v;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += weight[i]*x[i]*x[i];
    return sum;
}

static void swap(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

static void quick(double *from, double *to)
{
    while (to - from > 1) {
        double pivot = *(to - 1);
        double *place = from;
        for (double *p = from; p < to - 1; p++)
            if (*p < pivot)
                swap(p, place++);
        swap(place, to - 1);
        quick(from, place);
        from = place + 1;
    }
}

double quick_sort(int n, double *x, const double *weight)
{
    quick(x, x + n);
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= 1 + weight[i]*x[i];
    return product;
}

/* merge sort through an index array: integers decide which numbers are read */
double rank_sum(int n, const double *x, double power)
{
    int *index = malloc(2*n*sizeof *index), *other = index + n;
    for (int i = 0; i < n; i++)
        index[i] = i;
    for (int width = 1; width < n; width *= 2) {
        for (int start = 0; start < n; start += 2*width) {
            int middle = start + width < n ? start + width : n, end = start + 2*width < n ? start + 2*width : n;
            for (int l = start, r = middle, out = start; out < end; out++)
                other[out] = l < middle && (r >= end || x[index[l]] <= x[index[r]]) ? index[l++] : index[r++];
        }
        int *t = index;
        index = other;
        other = t;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += pow(i + 1, power)*x[index[i]];
    free(index < other ? index : other);
    return sum;
}

/* piecewise linear interpolation in a table, found by bisection */
double interpolate(int n, const double *xs, const double *ys, double x)
{
    if (x <= xs[0])
        return ys[0];
    if (x >= xs[n - 1])
        return ys[n - 1];
    int low = 0, high = n - 1;
    while (high - low > 1) {
        int middle = (low + high)/2;
        if (xs[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    double t = (x - xs[low])/(xs[high] - xs[low]);
    return (1 - t)*ys[low] + t*ys[high];
}

double interpolated_path(int n, const double *xs, const double *ys, double x, int steps)
{
    double sum = 0;
    for (int i = 0; i < steps; i++) {
        double y = interpolate(n, xs, ys, x);
        sum += y*y;
        x += 0.1*y;
    }
    return sum;
}

static const double nodes[] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640};
static const double shares[] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                                0.2369268850561891};

/* Gauss-Legendre by a constant table, the integrand behind a pointer */
__attribute__((noinline)) static double integral(double (*f)(double, const double *), double a, double b, const double *context)
{
    double sum = 0;
    for (size_t i = 0; i < sizeof nodes/sizeof *nodes; i++)
        sum += shares[i]*f(0.5*(a + b) + 0.5*(b - a)*nodes[i], context);
    return 0.5*(b - a)*sum;
}

static double wave(double x, const double *c) { return exp(-c[0]*x)*sin(c[1]*x) + c[2]; }
static double bump(double x, const double *c) { return c[0]/(1 + c[1]*x*x); }

double quadrature(double a, double b, const double *coefficients)
{
    return integral(wave, a, b, coefficients)*integral(bump, a, b, coefficients + 1);
}

/* the same with a choice made at run time */
double chosen_integrand(int which, double a, double b, const double *coefficients)
{
    return integral(which ? wave : bump, a, b, coefficients);
}

/* a mutable table, filled once and used many times */
static double table[16];

double through_a_table(int n, const double *x, double step)
{
    for (int i = 0; i < n; i++)
        table[i] = i ? table[i - 1] + step*x[i]*x[i] : x[0];
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= 1 + 0.1*table[(3*i + 1)%n];
    return product;
}
