#include <math.h>
double if_else(double x, double y) { double r; if (x < y) r = x*y; else r = x/y; return r*r; }
double without_else(double x, double y) { double r = sin(x); if (y > 0.5) r *= y; return r; }

double assigned_twice(double x, double y) {
    double r = x*x;
    if (x > y) {
        r = r*y;
        y = r + x;
    } else {
        y = y*x;
        r = y - x;
    }
    return r*y;
}

double early_returns(double x, double y) {
    if (x > 2) return x*y;
    double t = exp(x*0.3);
    if (y > 1) return t*y;
    t += y;
    if (t > 1.9) return sqrt(t);
    return t*t*x;
}

double nested(double x, double y) {
    double r = x;
    if (x > 0) {
        if (y > 0) r = x*y;
        else if (y > -1) { r = x - y; if (x > 1) r *= x; }
        else r = cos(x)*y;
    } else if (y > 0)
        r = x*x*y;
    return r + y;
}

double diamonds(double x, double y) {
    double r = x;
    if (y > 0) r *= y; else r -= y;
    if (x > 0) r = sin(r); else r = r*r;
    if (x > y) r += x; else r *= 1.5;
    if (x*y > 0) r = r*x; else r = r + y*y;
    return r;
}

double three_arms(double x, int k) {
    double r = k == 0 ? x : k == 1 ? x*x : x*x*x;
    return r*sin(r);
}

double switched(double x, int k) {
    double r = 1;
    switch (k) {
    case 0: r = x; break;
    case 1: r = x*x; break;
    case 2: r = sin(x); break;
    case 7: r = exp(x); break;
    case -3: r = 2*x; break;
    default: r = 5; break;
    }
    return r*x;
}

double fall_through(double x, int k) {
    double r = x;
    switch (k) {
    case 3: r *= x;
    case 2: r += sin(x);
    case 1: r *= 2;
    case 0: r = r*r; break;
    case 10: r = -r;
    default: r += x*x;
    }
    return r;
}

double shared_targets(double x, int k) {
    double r = x;
    switch (k) {
    case 0: case 4: case 9: r = x*x; break;
    case 1: case 5: r = x; break;
    case 2: case 3: r = sin(x); goto both;
    case 6: r = x*x*x; goto both;
    default: return x;
    both: r = r*r; break;
    }
    return r + x;
}

double switch_with_one_edge_per_value(double x, int k) {
    double a = 1;
    switch (k & 3) { case 0: case 1: a = x; break; case 2: a = x; break; case 3: break; }
    return a*x;
}

double goto_forward(double x, double y) {
    double r = x;
    if (x > 1) goto end;
    r = x*y;
    if (y > 1) goto middle;
    r = r*r;
    goto end;
middle:
    r = r + sin(y);
end:
    return r*x;
}

double short_circuit(double x, double y) {
    if ((x > 0 && y > 0) || x < -1) return x*y*y;
    return x - 3*y;
}

double comma_and_ternary(double x, double y) {
    double t = (x += 1, x*y);
    return t > 1 ? (t < 2 ? t*t : t) : -t;
}

double used_on_both_ways(double x, double y) {
    double t = x*y;
    double r;
    if (x > y) r = t + x;
    else r = t*y;
    return r*t;
}

double literal_on_one_way(double x) { if (x < 0) return 0; return x*x; }
double constant_on_all_ways(double x) { if (x < 0) return 1; return 2; }
double argument_or_literal(double x, int k) { double r = k ? x : 1.0; return r*r*r; }

double integer_path(double x, int k) {
    int m = k*3 + 1;
    double r = m > 5 ? x*m : x/m;
    return r + m;
}

double int_of_double(double x, double y) { int k = (int)x; return k*y + (k > 2 ? x*y : x); }
double rounded(double x, double y) { double f = floor(x); return (x - f)*y*f; }

float in_floats(float x, float y) {
    float r = x;
    if (y > 0.5f) r = r*sinf(y);
    else r = r/y;
    return r*r;
}

double mixed_widths(float x, double y) {
    double t = x;
    float u = (float)(t*y);
    return u > 0.5f ? (double)u*y : t;
}

long double in_long(long double x, double y) { if (x > 1) return sinl(x)*y; return x*x*y; }
double by_bits(double x, double y) { return signbit(x) ? y : x*y; }
double copied_sign(double x, double y) { return copysign(x, y)*y; }
double boolean_arithmetic(double x, double y) { return (x > y)*x + (x <= y)*y*y; }
double with_abs(double x, double y) { return fabs(x - y)*fmax(x, y) - fmin(x, 0.3*y); }
double poly_by_horner(double x) { double r = 3; r = r*x + 2; r = r*x - 1; r = r*x + 0.5; return r; }

double many_uses(double x) {
    double a = x*x, b = a*x, c = a*b + x, d = c*a - b;
    return a + b*c - d*d*x;
}

double dead_way(double x, double y) { if (0) return y; return x; }

double unreachable_way(double x, int k) {
    switch (k & 1) {
    case 0:
        return x*x;
    case 1:
        return x;
    }
    __builtin_unreachable();
}

double hinted(double x, double y) { if (__builtin_expect(x > y, 1)) return x*y; return x/y; }
double assumed(double x, double y) { __builtin_assume(y > 0); return x > 0 ? sqrt(y)*x : y; }
