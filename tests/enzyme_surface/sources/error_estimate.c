/* Bounds of rounding errors, and the log of where they come from. */
#include <string.h>
double __enzyme_error_estimate(void *, ...);
typedef struct { double value, error; } Both;
Both __enzyme_error_estimate_both(void *, ...);
int enzyme_primal_return, enzyme_const;
static int calls, cosines;
static double worst;
void enzymeLogError(double result, double error, const char *operation, const char *callee, const char *module,
                    const char *function, const char *block) {
    calls++;
    cosines += strstr(callee, "cos") != 0;
    if (error > worst) worst = error;
}
static double cancelling(double x) { return (1 - cos(x))/(x*x); }
static double difference(double x, double y) { return x - y; }
static double helped(double x) { return cancelling(x)*2; }
static void into(const double *x, double *out, int n) { for (int i = 0; i < n; i++) out[i] = -x[i]*x[i]; }
void __enzyme_error_estimate_nothing(void *, ...);

int check(void) {
    double error = __enzyme_error_estimate((void *)cancelling, 1e-7, 0.0);
    if (fabs(error*1e-14*(1LL << 52) - 1) > 1e-9) return __LINE__; /* the rounding of the cosine, over x*x */
    EXPECT(calls, 4);
    EXPECT(cosines, 1);
    EXPECT(worst, error);
    double unit = 1.0/(1L << 52);
    EXPECT(__enzyme_error_estimate((void *)difference, 3.0, 0.5, 1.0, 0.25)/0.75, 1);
    Both both = __enzyme_error_estimate_both((void *)difference, enzyme_primal_return, 3.0, 0.0, enzyme_const, 1.0);
    EXPECT(both.value, 2);
    EXPECT(both.error/unit, 2);
    EXPECT(__enzyme_error_estimate((void *)helped, 1e-7, 0.0)/(2*error), 1);
    double x[2] = {2, 3}, dx[2] = {unit, 0}, out[2], d_out[2];
    __enzyme_error_estimate_nothing((void *)into, x, dx, out, d_out, 2);
    EXPECT(out[1], -9);
    EXPECT(d_out[0]/unit, 8);
    EXPECT(d_out[1]/unit, 9);
    return 0;
}
