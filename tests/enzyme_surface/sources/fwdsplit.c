/* Forward mode behind an augmented primal: for functions whose arguments stay as they are. */
typedef struct { void *tape; double value; } Augmented;
Augmented __enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);
int enzyme_not_overwritten, enzyme_dup, enzyme_const, enzyme_nofree;
static double power(double x, int n) {
    double result = 1;
    for (int i = 0; i < n; i++) result *= x;
    return result;
}
static double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i]*y[i];
    return sum;
}

int check(void) {
    Augmented made = __enzyme_augmentfwd((void *)power, 2.0, 5);
    EXPECT(made.value, 32);
    EXPECT(__enzyme_fwdsplit((void *)power, enzyme_nofree, 2.0, 1.0, 5, made.tape), 80);
    EXPECT(__enzyme_fwdsplit((void *)power, 2.0, 10.0, 5, made.tape), 800);
    double x[2] = {1, 2}, dx[2] = {1, 0}, y[2] = {3, 4};
    Augmented kept = __enzyme_augmentfwd((void *)dot, x, dx, enzyme_const, y, 2);
    double tangent = __enzyme_fwdsplit((void *)dot, enzyme_not_overwritten, enzyme_dup, x, dx,
                                       enzyme_not_overwritten, enzyme_const, y, 2, kept.tape);
    EXPECT(tangent, 3);
    return 0;
}
