/* One tape, several adjoints: the way back is gone once for each lane. */
typedef struct { void *tape; double value; } Augmented;
typedef struct { double d[2]; } Two;
typedef struct { double dx[3], dy[3]; } Six;
typedef struct { float d[2]; } TwoFloats;
Augmented __enzyme_augmentfwd(void *, ...);
void *__enzyme_augmentfwd_void(void *, ...);
Two __enzyme_reverse(void *, ...);
Six __enzyme_reverse_six(void *, ...);
TwoFloats __enzyme_reverse_floats(void *, ...);
void __enzyme_reverse_nothing(void *, ...);
int enzyme_width, enzyme_dup, enzyme_dupv, enzyme_noret;
static double power(double x, int n) { double r = 1; for (int i = 0; i < n; i++) r *= x; return r; }
static double product(double x, double y) { return x*sin(y); }
static float cube(float x) { return x*x*x; }
static void squares(const double *x, double *out, int n) { for (int i = 0; i < n; i++) out[i] = x[i]*x[i]; }
static double local(const double *x, int n) {
    double kept[8], sum = 0;
    for (int i = 0; i < n; i++) kept[i] = x[i]*x[i];
    for (int i = 0; i < n; i++) sum += kept[i]*kept[n - 1 - i];
    return sum;
}
static double scale = 2;
static double stateful(double x) { scale = x*x; return scale*x; }

int check(void) {
    Augmented a = __enzyme_augmentfwd((void *)power, enzyme_width, 2, 3.0, 3);
    EXPECT(a.value, 27);
    Two seeds = {{1, 10}}, d = __enzyme_reverse((void *)power, enzyme_width, 2, 3.0, 3, seeds, a.tape);
    EXPECT(d.d[0], 27);
    EXPECT(d.d[1], 270);
    a = __enzyme_augmentfwd((void *)product, 3.0, 0.5);
    Six six = __enzyme_reverse_six((void *)product, enzyme_width, 3, 3.0, 0.5, 1.0, 2.0, -1.0, a.tape);
    EXPECT(six.dx[1], 2*sin(0.5));
    EXPECT(six.dy[2], -3*cos(0.5));
    void *tape = __enzyme_augmentfwd_void((void *)cube, enzyme_noret, 2.0f);
    TwoFloats floats = __enzyme_reverse_floats((void *)cube, enzyme_width, 2, 2.0f, 1.0f, 3.0f, tape);
    EXPECT(floats.d[0], 12);
    EXPECT(floats.d[1], 36);
    double x[3] = {1, 2, 3}, dx[2][3] = {{0}}, out[3], d_out[2][3] = {{1, 0, 0}, {0, 1, 1}};
    tape = __enzyme_augmentfwd_void((void *)squares, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1],
                                    enzyme_dupv, sizeof(d_out[0]), out, d_out, 3);
    EXPECT(out[2], 9);
    __enzyme_reverse_nothing((void *)squares, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1],
                             enzyme_dupv, sizeof(d_out[0]), out, d_out, 3, tape);
    EXPECT(dx[0][0], 2);
    EXPECT(dx[0][1], 0);
    EXPECT(dx[1][1], 4);
    EXPECT(dx[1][2], 6);
    double y[3] = {1, 2, 3}, dy[2][3] = {{0}};
    a = __enzyme_augmentfwd((void *)local, enzyme_width, 2, enzyme_dup, y, dy[0], dy[1], 3);
    __enzyme_reverse_nothing((void *)local, enzyme_width, 2, enzyme_dup, y, dy[0], dy[1], 3, 1.0, 2.0, a.tape);
    for (int i = 0; i < 3; i++) EXPECT(dy[0][i], 4*y[i]*y[2 - i]*y[2 - i]);
    for (int i = 0; i < 3; i++) EXPECT(dy[1][i], 2*dy[0][i]);
    a = __enzyme_augmentfwd((void *)stateful, enzyme_width, 2, 3.0);
    d = __enzyme_reverse((void *)stateful, enzyme_width, 2, 3.0, 1.0, 1.0, a.tape);
    EXPECT(d.d[0], 27);
    EXPECT(d.d[1], 27);
    return 0;
}
