/* Derivatives of derivatives, where the inner ones keep values on a tape: loops, memory that is overwritten, recursion. */
static double power(double x, int n) { double r = 1; for (int i = 0; i < n; i++) r *= x; return r; }
static double first(double x, int n) { return __enzyme_autodiff((void *)power, enzyme_out, x, enzyme_const, n); }
static double second(double x, int n) { return __enzyme_fwddiff((void *)first, enzyme_dup, x, 1.0, enzyme_const, n); }
static double third(double x, int n) { return __enzyme_fwddiff((void *)second, enzyme_dup, x, 1.0, enzyme_const, n); }
static double fourth(double x, int n) { return __enzyme_fwddiff((void *)third, enzyme_dup, x, 1.0, enzyme_const, n); }
static double reverse_twice(double x, int n) { return __enzyme_autodiff((void *)first, enzyme_out, x, enzyme_const, n); }
static double forward_once(double x, int n) { return __enzyme_fwddiff((void *)power, enzyme_dup, x, 1.0, enzyme_const, n); }
static double reverse_of_forward(double x, int n) { return __enzyme_autodiff((void *)forward_once, enzyme_out, x, enzyme_const, n); }

/* a sum over while-loops of unknown length, with the array overwritten */
static double squeezed(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        double y = x[i];
        while (y > 0.5) { y = y*y*0.9; s += sin(y); }
        x[i] = y*s;
    }
    for (int i = 0; i < n; i++) s += x[i]*x[n - 1 - i];
    return s;
}
static void gradient(double *x, double *dx, int n) { __enzyme_autodiff((void *)squeezed, enzyme_dup, x, dx, enzyme_const, n); }

/* recursion: a pair of functions with frames on the tape */
static double descend(double x, int n) { double t = sin(x)*n; return n ? descend(t + x, n - 1)*t : x; }
static double slope(double x, int n) { return __enzyme_autodiff((void *)descend, enzyme_out, x, enzyme_const, n); }
static double bend(double x, int n) { return __enzyme_fwddiff((void *)slope, enzyme_dup, x, 1.0, enzyme_const, n); }

/* perturbations must not be confused: d/dx (x * d/dy (x + y)) = 1 */
static double inner(double x, double y) { return x + y; }
static double outer(double x) { return x*(double)__enzyme_fwddiff((void *)inner, enzyme_const, x, enzyme_dup, 1.0, 1.0); }

int check(void) {
    EXPECT(first(1.5, 5), 5*1.5*1.5*1.5*1.5);
    EXPECT(second(1.5, 5), 20*1.5*1.5*1.5);
    EXPECT(third(1.5, 5), 60*1.5*1.5);
    EXPECT(fourth(1.5, 5), 120*1.5);
    EXPECT(fourth(1.5, 3), 0);
    EXPECT(reverse_twice(1.5, 5), 20*1.5*1.5*1.5);
    EXPECT(reverse_of_forward(1.5, 5), 20*1.5*1.5*1.5);

    for (int k = 0; k < 3; k++) {
        double x[3] = {0.9, 0.7, 0.4}, v[3] = {0, 0, 0}, dx[3] = {0, 0, 0}, dv[3] = {0, 0, 0};
        v[k] = 1;
        __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, dx, dv, enzyme_const, 3);
        for (int j = 0; j < 3; j++) {
            double up[3] = {0.9, 0.7, 0.4}, down[3] = {0.9, 0.7, 0.4}, a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
            up[k] += 1e-6; down[k] -= 1e-6;
            gradient(up, a, 3); gradient(down, b, 3);
            NEAR(dv[j], (a[j] - b[j])/2e-6, 1e-7);
        }
    }
    NEAR(bend(0.3, 4), (slope(0.3 + 1e-6, 4) - slope(0.3 - 1e-6, 4))/2e-6, 1e-6);
    EXPECT((double)__enzyme_fwddiff((void *)outer, enzyme_dup, 3.0, 1.0), 1.0);
    EXPECT((double)__enzyme_autodiff((void *)outer, enzyme_out, 3.0), 1.0);
    return 0;
}
