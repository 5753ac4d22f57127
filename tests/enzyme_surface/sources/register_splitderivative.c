/* Forward mode of two functions: the first one gives the result and a tape, the second one the tangent from it. */
typedef struct { double slope, value; } Kept;
typedef struct { float a; long b; } Tape;
typedef struct { Tape tape; double value; } Taped;
double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);

static double fourth(double x) { return x*x*x*x; }
static Kept augment_fourth(double x, double dx) { Kept k = {4*x*x*x, x*x*x*x}; return k; }
static double tangent_fourth(double x, double dx, double slope) { return 3*slope*dx; }
void *__enzyme_register_splitderivative_fourth[3] = {(void *)fourth, (void *)augment_fourth, (void *)tangent_fourth};
static double of_fourth(double x) { double y = fourth(x); return y*y + x; }

static double power(const double *x, int n) { double r = 1; for (int i = 0; i < n; i++) r *= x[0]; return r; }
static Taped augment_power(const double *x, const double *dx, int n) { Taped t = {{(float)x[0], n}, power(x, n)}; return t; }
static double tangent_power(const double *x, const double *dx, int n, Tape tape) { return 13*tape.a*tape.b*dx[0]; }
void *__enzyme_register_splitderivative_power[3] = {power, augment_power, tangent_power};
static double of_power(const double *x) { return 2*power(x, 3); }

int check(void) {
    EXPECT(fourth(2.0), 16);
    EXPECT(__enzyme_fwddiff((void *)fourth, 2.0, 1.0), 3*32);
    EXPECT(__enzyme_fwddiff((void *)of_fourth, 2.0, 1.0), 2*16*3*32 + 1);
    double x[1] = {2}, dx[1] = {5};
    EXPECT(__enzyme_fwddiff((void *)of_power, x, dx), 2*13*2*3*5);
    return 0;
}
