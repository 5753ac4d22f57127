/* Whether memory is active is seen when the request is made: a shadow that is the memory itself carries no derivative. */
typedef struct { void *tape; double value; } Augmented;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
Augmented __enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
int enzyme_runtime_activity;
static double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i]*y[i];
    return sum;
}
static void gradient(double *x, double *dx, double *y, double *dy) {
    __enzyme_autodiff((void *)dot, enzyme_runtime_activity, x, dx, y, dy, 2);
}

int check(void) {
    double x[2] = {1, 2}, y[2] = {3, 4}, dx[2] = {0}, dy[2] = {0};
    gradient(x, dx, y, y);
    EXPECT(dx[1], 4);
    EXPECT(y[0], 3);
    EXPECT(y[1], 4);
    gradient(x, x, y, dy);
    EXPECT(dy[1], 2);
    EXPECT(x[1], 2);
    gradient(x, dx, y, dy);
    EXPECT(dx[1], 8);
    EXPECT(dy[1], 4);
    gradient(x, x, y, y);
    EXPECT(x[0] + x[1], 3);
    EXPECT(__enzyme_fwddiff((void *)dot, enzyme_runtime_activity, x, y, y, y, 2), 25);
    Augmented made = __enzyme_augmentfwd((void *)dot, enzyme_runtime_activity, x, x, y, dy, 2);
    __enzyme_reverse((void *)dot, enzyme_runtime_activity, x, x, y, dy, 2, 1.0, made.tape);
    EXPECT(dy[1], 6);
    EXPECT(x[1], 2);
    return 0;
}
