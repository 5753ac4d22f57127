/* The exercises with which the field is taught, each as one writes it there: a square; a norm; a dot product; a root that no compiler
   can differentiate, with its rule; a function like one of math.h; forward mode; a batch. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_dupnoneed, enzyme_width, enzyme_vector, enzyme_scalar;
extern double __enzyme_autodiff_square(void *, double);
extern double __enzyme_fwddiff_square(void *, ...);
extern void __enzyme_autodiff_array(void *, ...);
extern float __enzyme_autodiff_float(void *, ...);
typedef struct { double d[4]; } Four;
extern Four __enzyme_fwddiff_four(void *, ...);
extern Four __enzyme_batch_four(void *, ...);

/* 1 */
double square(double x) { return x*x; }
double dsquare(double x) { return __enzyme_autodiff_square((void *)square, x); }

/* 2 */
double norm(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i]*x[i];
    return sqrt(sum);
}
static void dnorm(const double *x, double *dx, int n) { __enzyme_autodiff_array((void *)norm, x, dx, n); }

/* 3: both arguments, and one of them */
static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i]*b[i];
    return sum;
}

/* 4: bits of a float, as games had it; its rule says what it means */
static float inverse_root(float x) {
    float half = 0.5f*x;
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x5f3759df - (bits >> 1);
    memcpy(&x, &bits, sizeof x);
    x *= 1.5f - half*x*x;
    return x*(1.5f - half*x*x);
}
static float augment_inverse_root(float x) { return inverse_root(x); }
static float gradient_inverse_root(float x, float d) { float r = inverse_root(x); return -0.5f*d*r*r*r; }
void *__enzyme_register_gradient_inverse_root[3] = {inverse_root, augment_inverse_root, gradient_inverse_root};
static float scaled_root(float x) { return 2*inverse_root(x*x); }

/* 5 */
__attribute__((noinline)) static double log_of_next(double x) { double e = 0, p = x; for (int k = 1; k < 80; k++, p *= -x) e += p/k; return e; }
void *__enzyme_function_like_next[2] = {(void *)log_of_next, (void *)"log1p"};
static double of_next(double x) { return 3*log_of_next(x)*x; }

/* 6: an unrolled vector, one direction after the other and all at once */
static double energy(const double *x) { return x[0]*x[1] + sin(x[2])*x[3]; }

int check(void) {
    EXPECT(dsquare(3.14), 6.28);
    EXPECT(__enzyme_fwddiff_square((void *)square, 3.14, 1.0), 6.28);

    int n = 100;
    double *x = malloc(n*sizeof *x), *dx = calloc(n, sizeof *dx), *b = malloc(n*sizeof *b), *db = calloc(n, sizeof *db);
    for (int i = 0; i < n; i++) { x[i] = i + 1; b[i] = 1.0/(i + 1); }
    dnorm(x, dx, n);
    for (int i = 0; i < n; i++) EXPECT(dx[i], x[i]/norm(x, n));
    memset(dx, 0, n*sizeof *dx);
    __enzyme_autodiff_array((void *)dot, x, dx, b, db, n);
    for (int i = 0; i < n; i++) { EXPECT(dx[i], b[i]); EXPECT(db[i], x[i]); }
    __enzyme_autodiff_array((void *)dot, enzyme_dup, x, dx, enzyme_const, b, n);
    for (int i = 0; i < n; i++) { EXPECT(dx[i], 2*b[i]); EXPECT(db[i], x[i]); }
    free(x); free(dx); free(b); free(db);

    EXPECT(fabs(inverse_root(4) - 0.5) < 1e-4, 1);
    NEAR(__enzyme_autodiff_float((void *)inverse_root, 4.0f), -0.0625, 1e-4);
    NEAR(__enzyme_autodiff_float((void *)scaled_root, 2.0f), -0.5, 1e-4);

    EXPECT(__enzyme_autodiff_square((void *)of_next, 0.5), 3*log_of_next(0.5) + 1.5/1.5);

    double y[4] = {1, 2, 3, 4}, v[4][4] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}, dy[4] = {0};
    __enzyme_autodiff_array((void *)energy, y, dy);
    Four all = __enzyme_fwddiff_four((void *)energy, enzyme_width, 4, enzyme_dup, y, v[0], v[1], v[2], v[3]);
    for (int i = 0; i < 4; i++) { EXPECT(all.d[i], dy[i]); EXPECT(__enzyme_fwddiff_square((void *)energy, y, v[i]), dy[i]); }

    Four squares = __enzyme_batch_four((void *)square, enzyme_width, 4, enzyme_vector, 1.0, 2.0, 3.0, 4.0);
    for (int i = 0; i < 4; i++) EXPECT(squares.d[i], (i + 1)*(i + 1));
    return 0;
}
