/* The result of a request: a number, a struct in registers of either kind, a struct in memory, nothing. */
typedef struct { double dx, dy; } Two;
typedef struct { double dx, dy, dz; } Three;
typedef struct { float dx, dy; } TwoFloats;
typedef struct { float dx, dy, dz; } ThreeFloats;
typedef struct { float dx; double dy; } Mixed;
typedef struct { double value, dx, dy; } Valued;
double __enzyme_autodiff(void *, ...);
Two __enzyme_autodiff_two(void *, ...);
Three __enzyme_autodiff_three(void *, ...);
TwoFloats __enzyme_autodiff_floats(void *, ...);
ThreeFloats __enzyme_autodiff_three_floats(void *, ...);
Mixed __enzyme_autodiff_mixed(void *, ...);
Valued __enzyme_autodiff_valued(void *, ...);
void __enzyme_autodiff_nothing(void *, ...);
float __enzyme_autodiff_float(void *, ...);
int enzyme_primal_return, enzyme_const, enzyme_out, enzyme_dup;

static double square(double x) { return x*x; }
static double product(double x, double y) { return x*y; }
static double volume(double x, double y, double z) { return x*y*y*z; }
static float productf(float x, float y) { return x*y; }
static float volumef(float x, float y, float z) { return x*y*y*z; }
static double mixed(float x, double y) { return x*y*y; }
static float squaref(float x) { return x*x; }
static void into(double x, double *out) { *out = x*x*x; }

int check(void) {
    EXPECT(__enzyme_autodiff((void *)square, 3.0), 6);
    Two two = __enzyme_autodiff_two((void *)product, 3.0, 4.0);
    EXPECT(two.dx, 4);
    EXPECT(two.dy, 3);
    Three three = __enzyme_autodiff_three((void *)volume, 2.0, 3.0, 5.0);
    EXPECT(three.dx, 45);
    EXPECT(three.dy, 60);
    EXPECT(three.dz, 18);
    TwoFloats floats = __enzyme_autodiff_floats((void *)productf, 3.0f, 4.0f);
    EXPECT(floats.dx, 4);
    EXPECT(floats.dy, 3);
    ThreeFloats three_floats = __enzyme_autodiff_three_floats((void *)volumef, 2.0f, 3.0f, 5.0f);
    EXPECT(three_floats.dx, 45);
    EXPECT(three_floats.dy, 60);
    EXPECT(three_floats.dz, 18);
    Mixed both = __enzyme_autodiff_mixed((void *)mixed, 2.0, 3.0);
    EXPECT(both.dx, 9);
    EXPECT(both.dy, 12);
    Valued valued = __enzyme_autodiff_valued((void *)product, enzyme_primal_return, 3.0, 4.0);
    EXPECT(valued.value, 12);
    EXPECT(valued.dx, 4);
    EXPECT(valued.dy, 3);
    EXPECT(__enzyme_autodiff_float((void *)squaref, 3.0), 6);
    EXPECT(__enzyme_autodiff((void *)product, enzyme_const, 3.0, 4.0), 3);
    EXPECT(__enzyme_autodiff((void *)product, enzyme_out, 3.0, enzyme_const, 4.0), 4);
    double out = 0, d_out = 2;
    EXPECT(__enzyme_autodiff((void *)into, 2.0, &out, &d_out), 24);
    EXPECT(out, 8);
    EXPECT(d_out, 0);
    double d_again = 1;
    __enzyme_autodiff_nothing((void *)into, 2.0, &out, &d_again);
    EXPECT(d_again, 0);
    return 0;
}
