/* Split mode: the tape between the two halves, in any order, in the caller's memory, of any shape. */
#include <stdlib.h>
typedef struct { void *tape; double value; } Augmented;
typedef struct { void *tape; float value; } AugmentedFloat;
typedef struct { double dx, dy; } Two;
Augmented __enzyme_augmentfwd(void *, ...);
AugmentedFloat __enzyme_augmentfwd_float(void *, ...);
void *__enzyme_augmentfwd_void(void *, ...);
double __enzyme_augmentfwd_value(void *, ...);
void __enzyme_augmentfwd_nothing(void *, ...);
double __enzyme_reverse(void *, ...);
Two __enzyme_reverse_two(void *, ...);
void __enzyme_reverse_nothing(void *, ...);
unsigned long __enzyme_augmentsize(void *, ...);
int enzyme_dup, enzyme_const, enzyme_out, enzyme_tape, enzyme_allocated, enzyme_noret, enzyme_nofree, enzyme_not_overwritten;

static double power(double x, int n) {
    double result = 1;
    for (int i = 0; i < n; i++) result *= x;
    return result;
}
static double product(double x, double y) { return x*y; }
static float productf(float x, float y) { return x*y; }
static void squares(double *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i]*x[i]; }
static double local(const double *x, int n) {
    double kept[8], sum = 0;
    for (int i = 0; i < n; i++) kept[i] = x[i]*x[i];
    for (int i = 0; i < n; i++) sum += kept[i]*kept[n - 1 - i];
    return sum;
}
static double heap(const double *x, int n) {
    double *kept = malloc(n*sizeof(double)), sum = 0;
    for (int i = 0; i < n; i++) kept[i] = x[i]*x[i];
    for (int i = 0; i < n; i++) sum += kept[i]*x[i];
    free(kept);
    return sum;
}
static double state;
static double stateful(double x) {
    double before = state;
    state = x*x;
    return before*x + state;
}

int check(void) {
    state = 3;
    Augmented outer = __enzyme_augmentfwd((void *)stateful, 2.0);
    state = 3;
    Augmented inner = __enzyme_augmentfwd((void *)stateful, 5.0);
    EXPECT(__enzyme_reverse((void *)stateful, 5.0, 1.0, inner.tape), 13);
    EXPECT(__enzyme_reverse((void *)stateful, 2.0, 1.0, outer.tape), 7);  /* their shadows of state do not mix */
    Augmented first = __enzyme_augmentfwd((void *)power, 2.0, 5);
    Augmented second = __enzyme_augmentfwd((void *)power, 3.0, 4);
    EXPECT(first.value, 32);
    EXPECT(second.value, 81);
    EXPECT(__enzyme_reverse((void *)power, 2.0, 5, 1.0, first.tape), 80);
    EXPECT(__enzyme_reverse((void *)power, 3.0, 4, 10.0, second.tape), 1080);

    Augmented both = __enzyme_augmentfwd((void *)product, 3.0, 4.0);
    Two two = __enzyme_reverse_two((void *)product, 3.0, 4.0, 2.0, both.tape);
    EXPECT(two.dx, 8);
    EXPECT(two.dy, 6);
    AugmentedFloat single = __enzyme_augmentfwd_float((void *)productf, 3.0f, enzyme_const, 4.0f);
    EXPECT(single.value, 12);

    double x[3] = {1, 2, 3}, dx[3] = {1, 1, 1};
    void *tape = __enzyme_augmentfwd_void((void *)squares, x, dx, 3);
    EXPECT(x[2], 9);
    x[0] = x[1] = x[2] = 1000;  /* what the pair needs, it has kept */
    __enzyme_reverse_nothing((void *)squares, x, dx, 3, tape);
    for (int i = 0; i < 3; i++) EXPECT(dx[i], 2*(i + 1));

    double place[1], y[3] = {1, 2, 3}, dy[3] = {0};
    EXPECT(__enzyme_augmentsize((void *)local, enzyme_dup, enzyme_const), sizeof(place));
    double value = __enzyme_augmentfwd_value((void *)local, enzyme_allocated, sizeof(place), enzyme_tape, place, y, dy, 3);
    EXPECT(value, 1*9 + 4*4 + 9*1);
    __enzyme_reverse_nothing((void *)local, enzyme_tape, place, enzyme_allocated, sizeof(place), y, dy, 3, 1.0);
    EXPECT(dy[0], 4*9);
    EXPECT(dy[1], 4*4*2);
    EXPECT(dy[2], 4*3);

    void *again = __enzyme_augmentfwd_void((void *)local, enzyme_noret, enzyme_not_overwritten, y, dy, 3);
    for (int i = 0; i < 3; i++) dy[i] = 0;
    __enzyme_reverse_nothing((void *)local, enzyme_nofree, y, dy, 3, 1.0, again);
    __enzyme_reverse_nothing((void *)local, y, dy, 3, 1.0, again);
    EXPECT(dy[0], 2*4*9);
    EXPECT(dy[1], 2*4*4*2);
    EXPECT(dy[2], 2*4*3);

    double dz[3] = {0};
    Augmented allocated = __enzyme_augmentfwd((void *)heap, y, dz, 3);
    EXPECT(allocated.value, 1 + 8 + 27);
    __enzyme_reverse_nothing((void *)heap, y, dz, 3, 1.0, allocated.tape);
    for (int i = 0; i < 3; i++) EXPECT(dz[i], 3*y[i]*y[i]);
    return 0;
}
