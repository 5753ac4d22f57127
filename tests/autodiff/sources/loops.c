#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

double counted(const double *x, int n) {
    double s = 0.3;
    for (int i = 0; i < n; i++) s = sin(s*x[i]) + x[i];
    return s;
}

double counted_from_one(const double *x, int n) {
    double s = 0.3;
    for (int i = 1; i <= n; i++) s = s*x[i - 1] + 1;
    return s;
}

double counted_down(const double *x, int n) {
    double s = 0.3;
    for (int i = n - 1; i >= 0; i--) s = s*x[i] + cos(s);
    return s;
}

double counted_down_unsigned(const double *x, unsigned n) {
    double s = 0.3;
    for (unsigned i = n; i-- > 0;) s = s*x[i] + 0.5;
    return s;
}

double not_equal(const double *x, size_t n) {
    double s = 0.3;
    for (size_t i = 0; i != n; i++) s = s*x[i] + 0.5;
    return s;
}

double inclusive(const double *x, int n) {
    double s = 0.3;
    for (int i = 0; i <= n - 1; i++) s = s*x[i] + 0.5;
    return s;
}

double by_pointer(const double *x, int n) {
    double s = 0.3;
    for (const double *p = x; p < x + n; p++) s = s**p + sin(*p);
    return s;
}

double by_pointer_down(const double *x, int n) {
    double s = 0.3;
    for (const double *p = x + n; p != x;) {
        --p;
        s = s**p + 0.5;
    }
    return s;
}

double strided(const double *x, int n, int k) {
    double s = 0.3;
    for (int i = 0; i < n; i += k) s = s*x[i] + 0.5;
    return s;
}

double strided_by_three(const double *x, int n) {
    double s = 0.3;
    for (int i = 0; i < n; i += 3) s = s*x[i] + 0.5;
    return s;
}

double doubling(const double *x, int n) {
    double s = 0.3;
    for (int i = 1; i < n; i *= 2) s = s*x[i] + 0.5;
    return s;
}

double halving(const double *x, unsigned n) {
    double s = 0.3;
    for (unsigned i = n; i; i >>= 1) s = s*x[i - 1] + 0.5;
    return s;
}

double two_indices(const double *x, int n) {
    double s = 0.3;
    for (int i = 0, j = n - 1; i < j; i++, j--) s = s*x[i] + x[j]*x[j];
    return s;
}

double bytes(const double *x, unsigned char n) {
    double s = 0.3;
    for (unsigned char i = 0; i < n; i++) s = s*x[i] + 0.5;
    return s;
}

double shorts(const double *x, short n) {
    double s = 0.3;
    for (short i = 0; i < n; i++) s = s*x[i] + 0.5;
    return s;
}

double wrapping(const double *x) {
    double s = 0.3;
    for (unsigned char i = 250; i != 3; i++)
        s = s*x[(unsigned char)(i + 6)] + 0.5;
    return s;
}

double limits_signed(double x, int from) {
    double s = x;
    for (int i = from; i < from + 3; i++) s = s*x + (double)i/2147483648.0;
    return s;
}

double to_the_maximum(double x, int n) {
    double s = x;
    for (int i = INT_MAX - n; ; i++) {
        s = sin(s)*x;
        if (i == INT_MAX) break;
    }
    return s;
}

double from_the_minimum(double x, int n) {
    double s = x;
    for (int i = INT_MIN; i < INT_MIN + n; i++) s = s*x + 0.5;
    return s;
}

double unsigned_limits(double x, unsigned from) {
    double s = x;
    for (unsigned i = from; i != 2; i++) s = sin(s)*x;
    return s;
}

double sign_extended(const double *x, int n) {
    double s = 0.3;
    for (int i = -n; i < 0; i++) s = s*x[-i - 1] + 0.5;
    return s;
}

double zero_extended(const double *x, unsigned n) {
    double s = 0.3;
    for (uint64_t i = 0; i < n; i++) s = s*x[(unsigned)i] + 0.5;
    return s;
}

double triangular(const double *x, int n) {
    double s = 0.3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) s = sin(s*x[i]) + x[j];
    return s;
}

double triangular_upper(const double *x, int n) {
    double s = 0.3;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) s = s*cos(x[i] - x[j]) + 0.1;
    return s;
}

double three_deep(const double *x, int n) {
    double s = 0.3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            for (int k = j; k < n; k++)
                s = 0.9*s + sin(s)*x[i]*x[j]*x[k];
    return s;
}

double inner_depends(const double *x, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) {
        double t = x[i];
        for (int j = 0; j < (i*7) % 4; j++) t = sin(t)*s + x[j % n];
        s += t*x[i];
    }
    return s;
}

double two_inner(const double *x, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) s = s*0.9 + x[j]*x[j];
        double u = s;
        for (int j = n - 1; j > i; j--) s = sin(s)*u + x[j];
    }
    return s;
}

double matrix(const double *a, int n, int m) {
    double s = 0.2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s = s*0.5 + a[i*m + j]*s*a[j];
    return s;
}

double one_after_another(const double *x, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) s *= 1 + x[i]*x[i];
    double t = s;
    for (int i = 0; i < n; i++) t = sin(t)*x[i] + s;
    return s*t;
}

double while_data(double x, double y) {
    double s = x;
    int k = 0;
    while (s < 10) {
        s = s*1.3 + y;
        k++;
    }
    return s*s + k;
}

double while_never(double x, double y) { double s = x; while (s > 1e6) s = s*0.5*y; return s*y; }
double newton(double a, double x) { while (fabs(x*x - a) > 1e-13*a) x = 0.5*(x + a/x); return x; }
double do_while(double x, double y) { double s = x; do { s = s*y + 1; } while (s < 20); return s; }
double do_once(double x, double y) { double s = x; do { s = sin(s)*y; } while (s > 100); return s; }

double do_nested(const double *x, int n) {
    double s = 0.5; int i = 0;
    do { int j = 0; do { s = sin(s + x[j]); } while (++j <= i); } while (++i < n);
    return s;
}

double with_break(const double *x, int n) {
    double s = 0.1;
    for (int i = 0; i < n; i++) {
        s += x[i]*x[i];
        if (s > 1) break;
        s *= 1.1;
    }
    return s*s;
}

double with_continue(const double *x, int n) {
    double s = 0.1;
    for (int i = 0; i < n; i++) {
        if (x[i] < 0.5) continue;
        s = s*x[i] + sin(s);
    }
    return s;
}

double break_and_continue(const double *x, int n) {
    double s = 0.1;
    for (int i = 0; i < n; i++) {
        if (x[i] < 0.3) { s += x[i]; continue; }

        for (int j = 0; j < n; j++) {
            if (x[j] > 0.9) break;
            if (x[j] < 0.2) continue;
            s = s*x[j] + x[i];
            if (s > 3) goto out;
        }
        s = s*1.2;
    }
out:
    return s*s;
}

double early_return(const double *x, int n) {
    double s = 0.5;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            s = s*x[j] + x[i];
            if (s > 1.6) return s*i;
            if (s < -5) return x[i];
        }
    return sin(s);
}

double found_first(const double *x, int n, double limit) {
    for (int i = 0; i < n; i++)
        if (x[i] > limit) return x[i]*x[i]*limit;
    return limit;
}

double several_exits(const double *x, int n) {
    double s = 0.1; int i = 0;
    for (;;) {
        if (i >= n) return s;
        s += x[i];
        if (s > 2) { s = s*s; break; }
        s = sin(s) + x[i]*x[i];
        if (s > 1.7) { s = s*3; goto special; }
        if (s < -3) return x[i];
        i++;
    }
    return s*i;
special:
    return s - i;
}

double state_machine(const double *x, int n) {
    double s = x[0]; int i = 0, state = 0;
again:
    switch (state) {
    case 0: s += sin(s)*x[i]; state = 1; break;
    case 1: s *= x[i]; state = s > 0.5 ? 2 : 0; i++; break;
    case 2: s -= x[i]*0.5; i++; state = 1; break;
    default: return s;
    }
    if (i < n) goto again;
    return s*s;
}

double goto_loop(double x, int n) {
    double s = x;
    int i = 0;
top:
    if (i >= n) goto end;
    s = sin(s)*x + 1;
    i++;
    goto top;
end:
    return s;
}

double goto_two_latches(const double *x, int n) {
    double s = 0.4; int i = 0;
top:
    if (i >= n) return s;
    s = s*x[i] + 0.2; i++;
    if (s > 0.6) goto top;
    s = s + x[i - 1]*x[i - 1];
    goto top;
}

double swapped(double a, double b, int n) {
    for (int i = 0; i < n; i++) {
        double t = a;
        a = b;
        b = t*1.1;
    }
    return a*a*b + a;
}

double rotated(double a, double b, double c, int n) {
    for (int i = 0; i < n; i++) {
        double t = a*b;
        a = b;
        b = c;
        c = t;
    }
    return a + b*b + c*c*c;
}

double fibonacci_like(double a, double b, int n) {
    for (int i = 0; i < n; i++) {
        double c = a*b + a;
        a = b;
        b = c;
    }
    return b;
}

double last_value(const double *x, int n) {
    double last = 0;
    for (int i = 0; i < n; i++) last = x[i]*x[i];
    return last*last;
}

double before_and_after(const double *x, int n) {
    double previous = 1, s = 0;
    for (int i = 0; i < n; i++) {
        s += previous*x[i];
        previous = sin(x[i]);
    }
    return s*previous;
}

double value_from_inside(const double *x, int n) {
    double t = 2;
    for (int i = 0; i < n; i++) {
        t = x[i]*1.5;
        if (t > 1) break;
    }
    return t*t;
}

double running_maximum(const double *x, int n) {
    double m = x[0];
    int at = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > m) {
        m = x[i];
        at = i;
    }
    return m*m + at;
}

double switch_inside(const double *x, const int *kind, int n) {
    double s = 1;
    for (int i = 0; i < n; i++)
        switch (kind[i]) {
        case 0: case 3: s += x[i]; break;
        case 1: s *= x[i];
        case 2: s = sin(s); break;
        case 4: continue;
        case 5: return s;
        default: s = s*s*0.5;
        }
    return s;
}

double invariant_inside(const double *x, int n, double a) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i]*exp(a)*pow(a, 3);
    return s;
}

double power_by_squaring(double x, unsigned n) {
    double r = 1;
    while (n) {
        if (n & 1) r *= x;
        x *= x;
        n >>= 1;
    }
    return r;
}

double collatz(double x, unsigned n) {
    double s = x;
    while (n != 1) {
        if (n % 2) {
            n = 3*n + 1;
            s = sin(s)*x;
        } else {
            n /= 2;
            s += 0.1*s*s;
        }
    }
    return s;
}

double count_from_data(const double *x, int n) {
    int m = 0;
    for (int i = 0; i < n; i++) m += x[i] > 0.5;
    double s = 1;
    for (int i = 0; i < m; i++) s = s*x[i] + 0.2;
    return s;
}

double nested_while(double x, double y) {
    double s = x; int guard = 0;
    while (s < 30 && guard++ < 50) {
        double t = s;
        while (t > 3) t = t*0.6*y;
        s = s*1.2 + t;
    }
    return s;
}

float in_floats(const float *x, int n) {
    float s = 0.25f;
    for (int i = 0; i < n; i++) s = s*x[i] + sinf(s);
    return s;
}

double float_sum_of_doubles(const double *x, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += (float)(x[i]*x[i]);
    return s;
}

long double in_long(const double *x, int n) {
    long double s = 0.25L;
    for (int i = 0; i < n; i++) s = s*x[i] + sinl(s);
    return s;
}

double dot(size_t n, const double x[n], const double y[n]) {
    double s = 0;
    for (size_t i = 0; i < n; i++) s += x[i]*y[i];
    return s;
}

double sum_of_squares(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i]*x[i];
    return s;
}

double horner(const double *c, int n, double x) {
    double s = 0;
    for (int i = n - 1; i >= 0; i--) s = s*x + c[i];
    return s;
}

double same_twice(const double *x, const double *y, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) s = s*x[i] + y[n - 1 - i]*x[0];
    return s;
}

double unread_after_zero_trips(const double *x, int n) {
    double s;
    int i;
    for (i = 0, s = 2; i < n; i++) s = x[i];
    return s*s*i;
}

double boundless(double x) { double s = x; for (;;) { s = s*0.7; if (s < 0.01) return s*x; } }

double irreducible(double x, int n, int k) {
    double s = x; int i = 0;
    if (k) goto inside;
top:
    s = s*x + 1;
inside:
    s = sin(s) + x*s; i++;
    if (i < n) goto top;
    return s;
}

/* The store counts only when the inner loop has ended; x[j] is what earlier rows left. */
double solved_in_place(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= 0.5*x[i]*x[j];
        sum += x[i]*x[i];
    }
    return sum;
}

/* Every store is read by the next iteration of the inner loop. */
double summed_in_place(double *x, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            x[i] += 0.5*x[i]*x[j];
    return n > 0 ? x[n - 1] : 0;
}
