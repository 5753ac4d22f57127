/* Arguments that C passes in several registers: one marker for all of them, their shadow behind them. */
typedef struct { double x, y; } Two;
typedef struct { float x, y, z; } Floats;
typedef struct { double x; long n; } Tagged;
Two __enzyme_autodiff(void *, ...);
Floats __enzyme_autodiff_floats(void *, ...);
double __enzyme_autodiff_one(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_const, enzyme_dup, enzyme_out;
static double norm(Two p) { return p.x*p.x*p.y; }
static float volume(Floats p) { return p.x*p.y*p.y*p.z; }
static double scaled(Two p, double w) { return p.x*p.y*w; }
static double tagged(Tagged t, double w) { return t.x*t.n*w; }

int check(void) {
    Two p = {3, 4}, dp = {1, 10};
    Two d = __enzyme_autodiff((void *)norm, p);
    EXPECT(d.x, 24);
    EXPECT(d.y, 9);
    Floats f = {2, 3, 5}, df = __enzyme_autodiff_floats((void *)volume, f);
    EXPECT(df.x, 45);
    EXPECT(df.y, 60);
    EXPECT(df.z, 18);
    EXPECT(__enzyme_autodiff_one((void *)scaled, enzyme_const, p, 2.0), 12);
    d = __enzyme_autodiff((void *)scaled, enzyme_out, p, enzyme_const, 2.0);
    EXPECT(d.x, 8);
    EXPECT(d.y, 6);
    EXPECT(__enzyme_fwddiff((void *)norm, p, dp), 24 + 90);
    EXPECT(__enzyme_fwddiff((void *)scaled, enzyme_dup, p, dp, 2.0, 100.0), 2*(4 + 30) + 1200);
    Tagged t = {3, 5}, dt = {1, 0};
    d = __enzyme_autodiff((void *)tagged, t, 2.0);
    EXPECT(d.x, 10);
    EXPECT(d.y, 15);
    EXPECT(__enzyme_fwddiff((void *)tagged, t, dt, enzyme_const, 2.0), 10);
    return 0;
}
