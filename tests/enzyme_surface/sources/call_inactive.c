/* A call through which no derivative goes, of a function that is differentiated elsewhere. */
double __enzyme_autodiff(void *, ...);
double __enzyme_call_inactive(void *, ...);
static double weight(double x) { return x*x; }
static double weighted(double x) { return __enzyme_call_inactive((void *)weight, x)*x; }
static double plain(double x) { return weight(x)*x; }

int check(void) {
    EXPECT(weighted(3.0), 27);
    EXPECT(__enzyme_autodiff((void *)weighted, 3.0), 9);
    EXPECT(__enzyme_autodiff((void *)plain, 3.0), 27);
    return 0;
}
