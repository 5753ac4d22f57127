/* Forward mode: each active argument with its tangent, memory with its shadow. */
typedef struct { double value, tangent; } Both;
typedef struct { float value, tangent; } BothFloat;
double __enzyme_fwddiff(void *, ...);
Both __enzyme_fwddiff_both(void *, ...);
BothFloat __enzyme_fwddiff_float(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);
int enzyme_primal_return, enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_const_return, enzyme_active_return;

static double f(double x, double y) { return x*y + 1/x; }
static float ff(float x, float y) { return x*y + 1/x; }
static void squares(const double *x, int n, double *out) {
    for (int i = 0; i < n; i++) out[i] = x[i]*x[i];
}
static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i]*b[i];
    return sum;
}

int check(void) {
    EXPECT(__enzyme_fwddiff((void *)f, 2.0, 1.0, 3.0, 0.0), 3 - 0.25);
    EXPECT(__enzyme_fwddiff((void *)f, 2.0, 0.0, 3.0, 1.0), 2);
    EXPECT(__enzyme_fwddiff((void *)f, enzyme_const, 2.0, 3.0, 10.0), 20);
    EXPECT(__enzyme_fwddiff((void *)f, enzyme_dup, 2.0, 1.0, enzyme_const, 3.0), 2.75);
    Both both = __enzyme_fwddiff_both((void *)f, enzyme_primal_return, 2.0, 1.0, 3.0, 0.0);
    EXPECT(both.value, 6.5);
    EXPECT(both.tangent, 2.75);
    BothFloat single = __enzyme_fwddiff_float((void *)ff, enzyme_primal_return, 2.0f, 1.0f, 3.0f, 0.0f);
    EXPECT(single.value, 6.5);
    EXPECT(single.tangent, 2.75);
    EXPECT(__enzyme_fwddiff((void *)f, enzyme_const_return, 2.0, 1.0, 3.0, 0.0), 6.5);
    EXPECT(__enzyme_fwddiff((void *)f, enzyme_active_return, 2.0, 1.0, 3.0, 0.0), 2.75);
    double x[3] = {1, 2, 3}, dx[3] = {1, 10, 100}, out[3], d_out[3];
    __enzyme_fwddiff_nothing((void *)squares, x, dx, 3, out, d_out);
    EXPECT(out[1], 4);
    EXPECT(d_out[0], 2);
    EXPECT(d_out[1], 40);
    EXPECT(d_out[2], 600);
    double once[3];
    __enzyme_fwddiff_nothing((void *)squares, enzyme_dup, x, dx, 3, enzyme_dupnoneed, (double *)0, once);
    EXPECT(once[2], 600);
    EXPECT(__enzyme_fwddiff((void *)dot, x, dx, enzyme_const, x, 3), 1 + 20 + 300);
    return 0;
}
