/* A function whose derivative is that of a function of math.h. */
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
float __enzyme_autodiff_float(void *, ...);
static double series(double x) { double s = 0, p = x; for (int k = 1; k < 60; k++) { s += p/k; p *= -x; } return s; } /* log(1 + x) */
void *__enzyme_function_like_series[2] = {(void *)series, (void *)"log1p"};
__attribute__((enzyme_function_like("sin"))) static double constant(double x) { return 7; }
__attribute__((noinline, enzyme_function_like("pow"))) static double power(double x, double y) { return exp(y*log(x)); }
static float wrong(float x) { return 1; }
void *__enzyme_function_like_wrong[2] = {wrong, "erff"};
static double of_all(double x) { return series(x)*constant(x) + power(x, 3.0); }

int check(void) {
    EXPECT(__enzyme_autodiff((void *)series, 0.5), 1/1.5);
    EXPECT(__enzyme_autodiff((void *)constant, 0.5), cos(0.5));
    EXPECT(__enzyme_fwddiff((void *)constant, 0.5, 2.0), 2*cos(0.5));
    EXPECT_FLOAT(__enzyme_autodiff_float((void *)wrong, 0.5f), 2/sqrt(acos(-1.0))*exp(-0.25));
    EXPECT(__enzyme_autodiff((void *)of_all, 0.5), 7/1.5 + series(0.5)*cos(0.5) + 3*0.25);
    return 0;
}
