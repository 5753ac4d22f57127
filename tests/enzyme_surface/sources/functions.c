/* The function that is meant: through casts, constant variables, choices, parameters of helpers. */
double __enzyme_autodiff(void *, ...);
static double square(double x) { return x*x; }
static double cube(double x) { return x*x*x; }
double outside(double x) { return sin(x); }
static double (*const chosen)(double) = cube;
static double slope(double (*f)(double), double x) { return __enzyme_autodiff((void *)f, x); }
__attribute__((noinline)) static double steep(double (*f)(double), double x) { return __enzyme_autodiff((void *)f, x); }
static double either(int which, double x) {
    double (*f)(double) = which ? square : cube;
    return __enzyme_autodiff((void *)f, x);
}

int check(void) {
    EXPECT(__enzyme_autodiff(square, 3.0), 6);
    EXPECT(__enzyme_autodiff((void *)&cube, 3.0), 27);
    EXPECT(__enzyme_autodiff((void *)outside, 1.0), cos(1.0));
    EXPECT(__enzyme_autodiff((void *)chosen, 2.0), 12);
    EXPECT(slope(square, 5.0), 10);
    EXPECT(steep(square, 5.0), 10);
    EXPECT(steep(cube, 5.0), 75);
    for (int k = 0; k < 2; k++) EXPECT(either(k, 2.0), k ? 4 : 12);
    return 0;
}
