/* A forward derivative that the program registers: the tangent alone, or the result with it; it also serves reverse mode where all are numbers. */
typedef struct { double value, tangent; } Both;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);
int enzyme_dup, enzyme_const;

static double third(double x) { return x/3; }
static double tangent_third(double x, double dx) { return 7*dx; }
void *__enzyme_register_derivative_third[2] = {(void *)third, (void *)tangent_third};
static double of_third(double x) { return third(x)*x; }

static double product(double x, double y) { return x*y; }
static Both tangent_product(double x, double dx, double y, double dy) { Both b = {x*y, 2*dx*y + 3*x*dy}; return b; }
void *__enzyme_register_derivative_product[2] = {product, tangent_product};
static double of_product(double x, double y) { return product(x, y) + x; }

static void fill(double *out, const double *in, int n) { for (int i = 0; i < n; i++) out[i] = in[i]; }
static void tangent_fill(double *out, double *d_out, const double *in, const double *d_in, int n) {
    for (int i = 0; i < n; i++) { out[i] = in[i]; d_out[i] = 11*d_in[i]; }
}
void *__enzyme_register_derivative_fill[2] = {fill, tangent_fill};
static double of_fill(const double *x, int n) {
    double work[4], sum = 0;
    fill(work, x, n);
    for (int i = 0; i < n; i++) sum += work[i]*work[i];
    return sum;
}

int check(void) {
    EXPECT(__enzyme_fwddiff((void *)third, 6.0, 1.0), 7);
    EXPECT(__enzyme_fwddiff((void *)of_third, 6.0, 1.0), 7*6 + 2);
    EXPECT(__enzyme_autodiff((void *)of_third, 6.0), 7*6 + 2);
    EXPECT(__enzyme_fwddiff((void *)of_product, 2.0, 1.0, 5.0, 10.0), 2*5 + 3*2*10 + 1);
    EXPECT(__enzyme_fwddiff((void *)of_product, enzyme_const, 2.0, 5.0, 10.0), 60);
    double x[2] = {1, 2}, dx[2] = {1, 10};
    EXPECT(__enzyme_fwddiff((void *)of_fill, x, dx, 2), 2*11*1 + 2*2*110);
    return 0;
}
