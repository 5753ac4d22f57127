#include <math.h>
double guarded_sqrt(double x) { if (x > 0) return sqrt(x); return 0; }
double guarded_reciprocal(double x) { return x != 0 ? 1/x : 0; }
double guarded_log(double x) { double r = 0; if (x > 0) r = log(x); return r; }
double guarded_log_other(double x) { return x > 0 ? log(x) : x; }
double guarded_pow(double x) { if (x > 0) return pow(x, 0.5); return -x; }
double guarded_asin(double x) { if (fabs(x) < 1) return asin(x); return 2*x; }
double guarded_acos(double x) { return x < 1 ? acos(x) : 0; }
double guarded_acosh(double x) { return x > 1 ? acosh(x) : 0; }
double guarded_hypot(double x, double y) { double r = x*x + y*y; return r > 0 ? hypot(x, y) : 0; }

double guarded_norm(double x, double y) {
    double r = x*x + y*y;
    if (r == 0) return 0;
    return sqrt(r);
}

double entropy(double x) { return x > 0 ? x*log(x) : 0; }
double guarded_atan2(double x, double y) { return x == 0 && y == 0 ? 0 : atan2(y, x); }
double guarded_cbrt(double x) { return x == 0 ? 0 : cbrt(x); }
double sinc(double x) { return x == 0 ? 1 : sin(x)/x; }
double guarded_power_of(double x, double y) { return x > 0 ? pow(x, y) : 0; }

double nested(double x, double y) {
    double r = 0;
    if (x > 0) {
        r = sqrt(x);
        if (y > x)
            r += log(y - x);
    }
    return r + y;
}

double nested_selects(double x, double y) {
    return x > 0 ? (y > 0 ? sqrt(x)/y : log(x)) : (y > 0 ? 1/y : y);
}

double both(double x, double y) { if (x > 0 && y > 0) return sqrt(x)*log(y); return x + 2*y; }
double either(double x, double y) { if (x <= 0 || y <= 0) return x; return sqrt(x*y)/y; }
double not_first(double x, double y) { if (!(x > 0)) return y; return sqrt(x)*y; }
double chain(double x) { return x <= 0 ? 0 : x < 1 ? sqrt(x) : x < 2 ? log(x) + 1 : 1/x; }
double guard_of_guard(double x) { double s = x > 0 ? sqrt(x) : 0; return s > 0 ? 1/s : 0; }
double clamp(double x) { double c = x < 0 ? 0 : x > 1 ? 1 : x; return sqrt(c*(1 - c) + 1); }
double clamp_then_root(double x) { double c = x > 0 ? x : 0; return c > 0 ? sqrt(c) : 3*x; }

double shared(double x, double y) { double e = x*y; return e > 0 ? sqrt(e) + log(e) : e*e; }
double shared_arms(double x, double y) { double d = x - y; return d > 0 ? sqrt(d)*x : 1/(1 + d*d); }

double shared_below(double x) {
    double s = sqrt(x);
    double l = x > 1 ? log(s - 1) : 0;
    return x > 0 ? s + l : 0;
}

double partly_demanded(double x, double y) {
    double q = 1/x;
    double a = x > 0 ? q*y : 0;
    double b = x > 1 ? q : 0;
    return a + b;
}

double condition_shares(double x) { double l = log(x); return l > 0 ? sqrt(l) : 0; }
double unguarded_too(double x) { double s = sqrt(x); return (x > 0 ? s : 0) + s; }

double in_loop(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            s += sqrt(x[i]) + x[i]*log(x[i]);
    return s;
}

double in_loop_with_else(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] != 0 ? 1/x[i] : 2*x[i];
    return s;
}

double carried(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s = s + x[i] > 0 ? sqrt(s + x[i]) : 0;
    return s;
}

double hoisted(const double *x, int n, double a) {
    double s = 0;
    for (int i = 0; i < n; i++)
        if (a > 0)
            s += x[i]*sqrt(a);
    return s;
}

double hoisted_division(const double *x, int n, double a, double b) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] > 0 ? x[i]*(a/b) : 1;
    return s;
}

double hoisted_log_other_loop(const double *x, int n, double a) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (a > 0 && x[j] > 0)
                s += log(a)*x[j] + log(x[j]);
    return s;
}

double pairs(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double d = x[i] - x[j];
            if (i != j && d != 0)
                s += sqrt(fabs(d)) + 1/d/d;
        }
    return s;
}

double through_memory(double x, double y) {
    double t[2];
    t[0] = x > 0 ? sqrt(x) : 0;
    t[1] = y > 0 ? log(y) : 0;
    return t[0]*t[1] + t[0];
}

double product_of_guarded(double x, double y) { return (x > 0 ? sqrt(x) : 0)*(y > 0 ? 1/y : 0); }
float guarded_float(float x) { return x > 0 ? sqrtf(x) : 0; }
long double guarded_long(long double x) { return x > 0 ? sqrtl(x)*logl(x) : 0; }
double guarded_mixed(float x) { return x > 0 ? sqrt((double)x) : x; }
double maximum(double x, double y) { return x > y ? x : y; }
double fmax_tie(double x, double y) { return fmax(x, y); }
double magnitude(double x) { return fabs(x); }
double magnitude_by_branch(double x) { return x < 0 ? -x : x; }
double square_of_guarded(double x) { double s = x > 0 ? sqrt(x) : 0; return s*s; }
static double safe_log(double v) { return v > 0 ? log(v) : -1; }
double inlined(double x, double y) { return safe_log(x) + x*safe_log(y) + safe_log(x*y); }

double switch_guard(double x, int k) {
    switch (k) {
    case 0: return sqrt(x);
    case 1: return log(x);
    case 2: return 1/x;
    default: return x;
    }
}

double freed_by_finite_test(double x) { double q = 1/x; return isfinite(q) ? q : x; }

double dropped_log(double x) { return fmax(log(x), -5) + x; }
double dropped_product(double x, double k) { return fmin(x*k, 7) + x*x; }
double dropped_difference(double x) { return fdim(1, 1/x) + x; }
double dropped_both(double x, double y) { return fmin(fmax(sqrt(x), y), 2) + x; }
double dropped_in_loop(const double *x, int n) { double m = 3; for (int i = 0; i < n; i++) m = fmin(m, 1/(x[i]*x[i])); return m; }
float dropped_float(float x) { float r = 1/x; return fminf(r*r, 4) + x; }

/* the operation that is not asked for is fed by a call */
__attribute__((noinline)) static double twice(double x) { return x*2; }
double guarded_log_of_call(double x) {
    double l = log(twice(x));
    return x > 0 ? l : 0;
}
