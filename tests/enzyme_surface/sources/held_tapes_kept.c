/* Tapes in the hands of C code that is differentiated: in arrays, in a global variable, used twice, in memory of its own. */
#include <stdlib.h>
static double power(double x, int n) { double r = 1; for (int i = 0; i < n; i++) r *= x; return r; }
typedef struct { void *tape; double value; } Augmented;
Augmented __enzyme_augmentfwd(void *, ...);
double __enzyme_augmentfwd_value(void *, ...);
double __enzyme_reverse(void *, ...);
double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwdsplit(void *, ...);
int enzyme_dup, enzyme_nofree, enzyme_tape, enzyme_allocated;
static double many(double x, int n) {
    Augmented a[8];
    double s = 0;
    for (int i = 0; i < n; i++) a[i] = __enzyme_augmentfwd((void *)power, x + i, i + 2);
    for (int i = n - 1; i >= 0; i--) s += __enzyme_reverse((void *)power, x + i, i + 2, a[i].value, a[i].tape);
    return s;
}
static double many_closed(double x, int n) { double s = 0; for (int i = 0; i < n; i++) s += (i + 2)*pow(x + i, 2*i + 3); return s; }
static double d_many(double x, int n) { double s = 0; for (int i = 0; i < n; i++) s += (i + 2)*(2*i + 3)*pow(x + i, 2*i + 2); return s; }
static double twice(double x, int n) {
    Augmented a = __enzyme_augmentfwd((void *)power, x, n);
    double d = __enzyme_reverse((void *)power, enzyme_nofree, x, n, 1.0, a.tape);
    return d*__enzyme_reverse((void *)power, x, n, 2.0, a.tape);
}
static double placed(double x, int n) {
    void *place[1];
    double v = __enzyme_augmentfwd_value((void *)power, enzyme_allocated, sizeof(place), enzyme_tape, place, x, n);
    return v*__enzyme_reverse((void *)power, enzyme_tape, place, enzyme_allocated, sizeof(place), x, n, 1.0);
}
static Augmented kept;
__attribute__((noinline)) static void make(double x, int n) { kept = __enzyme_augmentfwd((void *)power, x, n); }
__attribute__((noinline)) static double use(double x, int n) { return __enzyme_reverse((void *)power, x, n, 1.0, kept.tape); }
static double global(double x, int n) { make(x, n); return use(x, n); }
static double maybe(double x, int n) {
    Augmented a = __enzyme_augmentfwd((void *)power, x, n);
    if (a.value > 1e6) return __enzyme_reverse((void *)power, x, n, 0.0, a.tape);
    return __enzyme_reverse((void *)power, x, n, a.value > 1 ? 1.0 : 2.0, a.tape);
}
int check(void) {
    EXPECT(many(1.5, 4), many_closed(1.5, 4));
    EXPECT(__enzyme_autodiff((void *)many, 1.5, 4), d_many(1.5, 4));
    EXPECT(__enzyme_fwddiff((void *)many, 1.5, 1.0, 4), d_many(1.5, 4));
    EXPECT(twice(1.5, 3), 2*9*pow(1.5, 4));
    EXPECT(__enzyme_autodiff((void *)twice, 1.5, 3), 72*pow(1.5, 3));
    EXPECT(__enzyme_fwddiff((void *)twice, 1.5, 1.0, 3), 72*pow(1.5, 3));
    EXPECT(__enzyme_autodiff((void *)placed, 1.5, 3), 15*pow(1.5, 4));
    EXPECT(__enzyme_fwddiff((void *)placed, 1.5, 1.0, 3), 15*pow(1.5, 4));
    EXPECT(__enzyme_autodiff((void *)maybe, 1.5, 3), 9);
    EXPECT(__enzyme_autodiff((void *)maybe, 0.5, 3), 6);
    EXPECT(__enzyme_fwddiff((void *)global, 1.5, 1.0, 3), 9);
    EXPECT(__enzyme_autodiff((void *)global, 1.5, 3), 9);
    return 0;
}
