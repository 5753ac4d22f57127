/* A series that takes one term more for each derivative: what is differentiated is exact to its order. */
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int __enzyme_iter(int, int);
/* 1 + x + ... + x^n / n!, whose derivative has one term less */
static double series(double x, int n) {
    double sum = 0, term = 1;
    int terms = __enzyme_iter(n, 1);
    for (int i = 0; i <= terms; i++) {
        sum += term;
        term *= x/(i + 1);
    }
    return sum;
}
static double first(double x, int n) { return __enzyme_fwddiff((void *)series, x, 1.0, n); }
static double second(double x, int n) { return __enzyme_fwddiff((void *)first, x, 1.0, n); }

int check(void) {
    EXPECT(series(2.0, 2), 1 + 2 + 2);
    EXPECT(__enzyme_autodiff((void *)series, 2.0, 2), 1 + 2 + 2);
    EXPECT(first(2.0, 2), 1 + 2 + 2);
    EXPECT(second(2.0, 2), 1 + 2 + 2);
    EXPECT(__enzyme_iter(7, 3), 7);
    return 0;
}
