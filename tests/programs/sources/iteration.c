/* Loops that end when the data say so. */
#include <math.h>

double newton_root(double a, double guess)
{
    double x = guess;
    while (fabs(x*x - a) > 1e-12*a)
        x = 0.5*(x + a/x);
    return x;
}

/* one Newton iteration per element, its number of steps different for each */
double newton_sum(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double x = a[i] + 1;
        while (fabs(x*x*x - a[i]) > 1e-10)
            x -= (x*x*x - a[i])/(3*x*x);
        sum += (i + 1)*x;
    }
    return sum;
}

/* Kepler's equation, then the radius; stops early from inside */
double kepler(double mean, double eccentricity)
{
    double anomaly = mean;
    for (int i = 0; i < 100; i++) {
        double f = anomaly - eccentricity*sin(anomaly) - mean;
        if (fabs(f) < 1e-14)
            break;
        anomaly -= f/(1 - eccentricity*cos(anomaly));
    }
    return (1 - eccentricity*cos(anomaly))*sqrt(1 + anomaly*anomaly);
}

/* the arithmetic-geometric mean, out parameters of a helper */
__attribute__((noinline)) static int agm_step(double *a, double *g)
{
    double mean = 0.5*(*a + *g);
    *g = sqrt(*a**g);
    *a = mean;
    return fabs(*a - *g) > 1e-13;
}

double agm(double a, double g)
{
    int more;
    do
        more = agm_step(&a, &g);
    while (more);
    return a;
}

/* a continued fraction with a retry by goto */
double fraction(double x, double damping)
{
    int terms = 2;
    double before = 0, value;
again:
    value = 1;
    for (int k = terms; k > 0; k--)
        value = k + x/value;
    if (fabs(value - before) > 1e-13) {
        before = value;
        terms += 2;
        if (terms < 60)
            goto again;
    }
    return value*exp(-damping*terms);
}

/* first element above a limit decides; both loops leave together */
double first_above(int n, int m, const double a[n][m], double limit)
{
    double product = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (a[i][j] < 0)
                continue;
            product *= 1 + a[i][j]*a[i][j];
            if (product > limit)
                return product*a[i][j] - limit;
        }
    return product;
}

/* Romberg's triangle: rows of growing length */
double romberg(double a, double b, double c, int levels)
{
    double r[8][8], h = b - a;
    r[0][0] = 0.5*h*(exp(-c*a*a) + exp(-c*b*b));
    for (int i = 1, points = 1; i < levels; i++, points *= 2) {
        double sum = 0;
        h *= 0.5;
        for (int k = 0; k < points; k++) {
            double x = a + (2*k + 1)*h;
            sum += exp(-c*x*x);
        }
        r[i][0] = 0.5*r[i - 1][0] + h*sum;
        double power = 4;
        for (int j = 1; j <= i; j++, power *= 4)
            r[i][j] = (power*r[i][j - 1] - r[i - 1][j - 1])/(power - 1);
    }
    return r[levels - 1][levels - 1];
}

/* mutual recursion, and recursion with two calls */
static double odd(const double *x, int n);
__attribute__((noinline)) static double even(const double *x, int n)
{
    return n == 0 ? 1 : x[n - 1]*odd(x, n - 1) + sin(x[n - 1]);
}
__attribute__((noinline)) static double odd(const double *x, int n)
{
    return n == 0 ? 0.5 : x[n - 1]*x[n - 1] - even(x, n - 1);
}

double mutual(int n, const double *x) { return even(x, n); }

__attribute__((noinline)) static double simpson(double a, double b, double w, double whole, int depth)
{
    double m = 0.5*(a + b), l = 0.5*(a + m), r = 0.5*(m + b);
    double fa = 1/(w + a*a), fb = 1/(w + b*b), fm = 1/(w + m*m), fl = 1/(w + l*l), fr = 1/(w + r*r);
    double left = (m - a)/6*(fa + 4*fl + fm), right = (b - m)/6*(fm + 4*fr + fb);
    if (depth == 0 || fabs(left + right - whole) < 1e-7)
        return left + right + (left + right - whole)/15;
    return simpson(a, m, w, left, depth - 1) + simpson(m, b, w, right, depth - 1);
}

double adaptive_simpson(double a, double b, double w) { return simpson(a, b, w, 0, 12); }
