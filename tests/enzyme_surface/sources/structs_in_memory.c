/* Structs that C passes and returns in memory. */
typedef struct { double x, y, z; } V3;
typedef struct { V3 value, tangent; } Both;
typedef struct { double m[3][3]; int n; float w; } Big;
typedef struct { double dw; V3 dt; double da; } Mixed;
typedef struct { void *tape; double value; } Augmented;
typedef struct { V3 lane[2]; } Lanes;
V3 __enzyme_autodiff(void *, ...);
Big __enzyme_autodiff_big(void *, ...);
Mixed __enzyme_autodiff_mixed(void *, ...);
double __enzyme_autodiff_one(void *, ...);
double __enzyme_fwddiff(void *, ...);
V3 __enzyme_fwddiff_v(void *, ...);
Both __enzyme_fwddiff_both(void *, ...);
Lanes __enzyme_fwddiff_lanes(void *, ...);
Lanes __enzyme_autodiff_lanes(void *, ...);
Augmented __enzyme_augmentfwd(void *, ...);
V3 __enzyme_reverse(void *, ...);
int enzyme_dup, enzyme_const, enzyme_out, enzyme_primal_return, enzyme_width, enzyme_const_return;
static double volume(V3 t) { t.x *= 2; return t.x*t.y*t.z/2; }
static double weighted(double w, V3 t, double a) { return w*t.x*t.y*t.z*a; }
static V3 three(double x) { V3 t = {x, x*x, x*x*x}; return t; }
static V3 cross(V3 a, V3 b) { V3 c = {a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x}; return c; }
__attribute__((noinline)) static V3 scaled(V3 a, double s) { V3 c = {a.x*s, a.y*s, a.z*s}; return c; }
static double nested(V3 a, double s) { V3 b = cross(scaled(a, s), scaled(a, a.x)); V3 c = scaled(a, s*s); return b.x + volume(c); }
static double big(Big b) { double s = 0; for (int i = 0; i < b.n; i++) s += b.m[i][i]*b.m[0][i]; return s*b.w; }
static double overlapping(V3 *p, V3 v) { double s = 0; p->x = 100; for (int i = 0; i < 3; i++) { p->y += v.x*v.x; s += p->y*v.y; } return s*v.x*v.y; }
typedef struct { double *data; long n; double scale; } View;
static double viewed(View v) { double s = 0; for (long i = 0; i < v.n; i++) s += v.data[i]*v.data[i]; return s*v.scale; }

int check(void) {
    V3 t = {2, 3, 5}, dt = {1, 0, 10};
    V3 d = __enzyme_autodiff((void *)volume, t);
    EXPECT(d.x, 15); EXPECT(d.y, 10); EXPECT(d.z, 6);
    EXPECT(t.x, 2);
    d = __enzyme_autodiff((void *)volume, enzyme_out, t);
    EXPECT(d.x, 15);
    EXPECT(__enzyme_fwddiff((void *)volume, t, dt), 15 + 60);
    EXPECT(__enzyme_fwddiff((void *)volume, enzyme_const, t), 0);
    EXPECT(__enzyme_fwddiff((void *)weighted, 2.0, 0.0, enzyme_dup, t, dt, enzyme_const, 3.0), 450);
    Mixed m = __enzyme_autodiff_mixed((void *)weighted, 2.0, t, 3.0);
    EXPECT(m.dw, 90); EXPECT(m.dt.x, 90); EXPECT(m.dt.z, 36); EXPECT(m.da, 60);
    EXPECT(__enzyme_autodiff_one((void *)weighted, enzyme_const, 2.0, enzyme_const, t, 3.0), 60);

    V3 r = __enzyme_fwddiff_v((void *)three, 2.0, 1.0);
    EXPECT(r.x, 1); EXPECT(r.y, 4); EXPECT(r.z, 12);
    Both both = __enzyme_fwddiff_both((void *)three, enzyme_primal_return, 2.0, 1.0);
    EXPECT(both.value.z, 8); EXPECT(both.tangent.z, 12);
    r = __enzyme_fwddiff_v((void *)three, enzyme_const_return, 2.0, 1.0);
    EXPECT(r.z, 8);
    V3 seed = {1, 10, 100};
    EXPECT(__enzyme_autodiff_one((void *)three, &seed, 2.0), 1 + 40 + 1200);
    EXPECT(seed.y, 0);
    V3 u = {1, 2, 4}, c = __enzyme_fwddiff_v((void *)cross, t, dt, enzyme_const, u), want = cross(dt, u);
    EXPECT(c.x, want.x); EXPECT(c.y, want.y); EXPECT(c.z, want.z);
    Lanes both_lanes = __enzyme_fwddiff_lanes((void *)cross, enzyme_width, 2, t, dt, u, enzyme_const, u);
    EXPECT(both_lanes.lane[0].y, want.y);
    EXPECT(both_lanes.lane[1].y, cross(u, u).y);
    Lanes reverse_lanes = __enzyme_autodiff_lanes((void *)volume, enzyme_width, 2, t);
    EXPECT(reverse_lanes.lane[1].z, 6);

    double step = 1e-5;
    d = __enzyme_autodiff((void *)nested, t, enzyme_const, 1.5);
    V3 up = t, down = t;
    up.x += step; down.x -= step;
    NEAR(d.x, (nested(up, 1.5) - nested(down, 1.5))/(2*step), 1e-8);
    EXPECT(__enzyme_fwddiff((void *)nested, t, dt, enzyme_const, 1.5), d.x + 10*d.z);

    Big b = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, 3, 2};
    Big db = __enzyme_autodiff_big((void *)big, b);
    EXPECT(db.m[0][0], 4); EXPECT(db.m[1][1], 4); EXPECT(db.m[0][2], 18); EXPECT(db.n, 0); EXPECT(db.w, 1 + 10 + 27);
    Augmented made = __enzyme_augmentfwd((void *)volume, t);
    EXPECT(made.value, 30);
    d = __enzyme_reverse((void *)volume, t, 2.0, made.tape);
    EXPECT(d.x, 30); EXPECT(d.z, 12);
    V3 apart = t, same = t, dp = {0, 0, 0}, dq = {0, 0, 0};
    d = __enzyme_autodiff((void *)overlapping, &apart, &dp, t);
    r = __enzyme_autodiff((void *)overlapping, &same, &dq, same);
    EXPECT(r.x, d.x); EXPECT(r.y, d.y); EXPECT(dq.y, dp.y); EXPECT(same.y, apart.y);
    double data[2] = {3, 4}, d_data[2] = {1, 0};
    View v = {data, 2, 10}, dv = {d_data, 0, 1};
    EXPECT(__enzyme_fwddiff((void *)viewed, v, dv), 60 + 25);
    return 0;
}
