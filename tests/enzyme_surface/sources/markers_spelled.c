/* Markers are known by name: as values, as addresses, undeclared, static, volatile, in the spelling of the papers. */
extern int enzyme_dup;
static int enzyme_const;
volatile int enzyme_out;
char *enzyme_dupnoneed;
void __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_value(void *, ...);
extern int diffe_dup, diffe_dupnoneed, diffe_const, diffe_out;

int enzyme_rate = 5; /* an ordinary variable */

static void scale(float *x, int n, float *out, double factor) {
    for (int i = 0; i < n; i++) out[i] = (float)(factor*x[i]*x[i]);
}
static double product(double x, double y) { return x*y; }

int check(void) {
    EXPECT(enzyme_rate, 5);
    float x[2] = {1, 2}, dx[2] = {0, 0}, seed[2] = {1, 1};
    __enzyme_autodiff((void *)scale, diffe_dup, x, dx, 2, diffe_dupnoneed, (float *)0, seed, diffe_const, 3.0);
    EXPECT(dx[0], 6);
    EXPECT(dx[1], 12);
    seed[0] = seed[1] = 1;
    __enzyme_autodiff((void *)scale, &enzyme_dup, x, dx, &enzyme_const, 2, enzyme_dupnoneed, (float *)0, seed, enzyme_const, 3.0);
    EXPECT(dx[0], 12);
    EXPECT(dx[1], 24);
    EXPECT(__enzyme_autodiff_value((void *)product, enzyme_out, 2.0, enzyme_const, 5.0), 5);
    EXPECT(__enzyme_autodiff_value((void *)product, diffe_const, 2.0, diffe_out, 5.0), 2);
    for (int k = 0; k < 2; k++) {
        double got;
        if (k) got = __enzyme_autodiff_value((void *)product, enzyme_out, 2.0, enzyme_const, 5.0);
        else got = __enzyme_autodiff_value((void *)product, enzyme_const, 2.0, enzyme_out, 5.0);
        EXPECT(got, k ? 5 : 2);
    }
    return 0;
}
