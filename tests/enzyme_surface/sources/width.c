#include <stdlib.h>
/* Several directions, or several adjoints, in one request. */
typedef struct { double t[2]; } Lanes;
typedef struct { double value, t[3]; } Valued;
typedef struct { double dx[2], dy[2]; } Grid;
Lanes __enzyme_fwddiff(void *, ...);
Valued __enzyme_fwddiff_valued(void *, ...);
Grid __enzyme_autodiff_grid(void *, ...);
void __enzyme_autodiff_nothing(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);
int enzyme_width, enzyme_dup, enzyme_dupv, enzyme_dupnoneedv, enzyme_const, enzyme_primal_return;
static double product(double x, double y) { return x*y; }
static double weighted(const double *x, double w) { return w*x[0]*x[1]; }
static void squares(const double *restrict x, double *restrict out, int n) {
    for (int i = 0; i < n; i++) out[i] = x[i]*x[i];
}
/* what may run only once: it counts its calls, overwrites its input, allocates, calls, and keeps values for the way back */
static int count;
__attribute__((noinline)) static double spread(double *restrict to, const double *x, int n) {
    double last = 1;
    for (int i = 0; i < n; i++) last = to[i] = last*x[i]*x[i];
    return last;
}
static double once(double *x, int n) {
    double *work = malloc(n*sizeof(double)), s = 0;
    count++;
    for (int k = 0; k < 2; k++) {
        s += spread(work, x, n);
        for (int i = 0; i < n; i++) x[i] = 0.5*work[i];
    }
    free(work);
    return s;
}

int check(void) {
    Lanes lanes = __enzyme_fwddiff((void *)product, enzyme_width, 2, 3.0, 1.0, 0.0, 5.0, 0.0, 1.0);
    EXPECT(lanes.t[0], 5);
    EXPECT(lanes.t[1], 3);
    lanes = __enzyme_fwddiff((void *)product, 3.0, 1.0, 0.0, 5.0, 0.0, 1.0, enzyme_width, 2);
    EXPECT(lanes.t[0], 5);
    EXPECT(lanes.t[1], 3);
    Valued valued = __enzyme_fwddiff_valued((void *)product, enzyme_primal_return, enzyme_width, 3, 3.0, 1.0, 0.0, 1.0, enzyme_const, 5.0);
    EXPECT(valued.value, 15);
    EXPECT(valued.t[0], 5);
    EXPECT(valued.t[1], 0);
    EXPECT(valued.t[2], 5);
    Grid grid = __enzyme_autodiff_grid((void *)product, enzyme_width, 2, 3.0, 5.0);
    EXPECT(grid.dx[1], 5);
    EXPECT(grid.dy[0], 3);
    double x[2] = {2, 3}, directions[2][2] = {{1, 0}, {0, 1}};
    lanes = __enzyme_fwddiff((void *)weighted, enzyme_width, 2, enzyme_dupv, sizeof(directions[0]), x, directions, enzyme_const, 10.0);
    EXPECT(lanes.t[0], 30);
    EXPECT(lanes.t[1], 20);
    double out[2], seeds[2][2] = {{1, 0}, {0, 1}}, dx[2][2] = {{0}};
    __enzyme_autodiff_nothing((void *)squares, enzyme_width, 2, enzyme_dupv, sizeof(dx[0]), x, dx, enzyme_dup, out, seeds[0], seeds[1], 2);
    EXPECT(dx[0][0], 4);
    EXPECT(dx[0][1], 0);
    EXPECT(dx[1][0], 0);
    EXPECT(dx[1][1], 6);
    EXPECT(out[1], 9);
    double d_out[2][2];
    __enzyme_fwddiff_nothing((void *)squares, enzyme_width, 2, enzyme_dup, x, directions[0], directions[1],
                             enzyme_dupnoneedv, sizeof(d_out[0]), (double *)0, d_out, 2);
    EXPECT(d_out[0][0], 4);
    EXPECT(d_out[1][1], 6);
    double y[3] = {1.5, 0.5, 2}, unit[3][3] = {{1}, {0, 1}, {0, 0, 1}}, g[3] = {0}, two[2][3] = {{0}};
    for (int i = 0; i < 3; i++) y[i] = i + 0.5;
    __enzyme_autodiff_nothing((void *)once, y, g, 3);
    for (int i = 0; i < 3; i++) y[i] = i + 0.5;
    count = 0;
    Valued all = __enzyme_fwddiff_valued((void *)once, enzyme_primal_return, enzyme_width, 3, enzyme_dup, y, unit[0], unit[1], unit[2], 3);
    EXPECT(count, 1);
    for (int i = 0; i < 3; i++) EXPECT(all.t[i], g[i]);
    for (int i = 0; i < 3; i++) y[i] = i + 0.5;
    __enzyme_autodiff_nothing((void *)once, enzyme_width, 2, enzyme_dup, y, two[0], two[1], 3);
    EXPECT(count, 2);
    for (int i = 0; i < 3; i++) EXPECT(two[1][i], g[i]);
    for (int i = 0; i < 3; i++) EXPECT(two[0][i], g[i]);
    return 0;
}
