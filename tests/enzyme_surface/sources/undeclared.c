/* Nothing of Enzyme's is declared: entry points and markers are by their use, as the talk's slides print them. */
#include <stddef.h>
static double square(double x) { return x*x; }
static float cube(float x) { return x*x*x; }
static void f(float *inp, size_t n, float *out) {
    for (size_t i = 0; i < n; i++) out[i] = inp[i]*inp[i];
}
static void diffef(float *inp, float *d_inp, size_t n, float *d_out) {
    __enzyme_autodiff(f, diffe_dup, inp, d_inp, n, diffe_dupnoneed, (float *)0, d_out);
}
static double dsquare(double x) { return __enzyme_autodiff_of_square(square, x); }
static double tangent(double x, double dx) { return __enzyme_fwddiff(square, enzyme_dup, x, dx); }
static float dcube(float x) { return __enzyme_autodiff_of_cube(cube, enzyme_out, x); }

int check(void) {
    float x[3] = {1, 2, 3}, dx[3] = {0}, seed[3] = {1, 1, 1};
    diffef(x, dx, 3, seed);
    for (int i = 0; i < 3; i++) EXPECT(dx[i], 2*x[i]);
    EXPECT(dsquare(3.0), 6);
    EXPECT(tangent(3.0, 2.0), 12);
    EXPECT(dcube(2.0f), 12);
    return 0;
}
