/* A gradient that the program registers, with a factor that the true one does not have: for tiny, static and noinline functions,
   with and without a tape, with several numbers, on memory. */
#include <stdlib.h>
typedef struct { double dx, dy; } Two;
double __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_again(void *, ...);
Two __enzyme_autodiff_two(void *, ...);
void __enzyme_autodiff_nothing(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double identity(double x) { return x; }
static double gradient_identity(double x, double d) { return 5*d; }
void *__enzyme_register_gradient_identity[3] = {(void *)identity, (void *)identity, (void *)gradient_identity};
static double twice_identity(double x) { return identity(x) + identity(2*x); }

typedef struct { double *tape; double value; } Kept;
__attribute__((noinline)) static double product(double x, double y) { return x*y; }
static Kept augment_product(double x, double y) {
    Kept kept = {malloc(sizeof(double)), x*y};
    *kept.tape = y;
    return kept;
}
static Two gradient_product(double x, double y, double d, double *tape) {
    Two made = {10**tape*d, 20*x*d};
    free(tape);
    return made;
}
void *__enzyme_register_gradient_product[3] = {product, augment_product, gradient_product};
static double loop(double x, double y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += product(x + i, y);
    return sum;
}

static void square_all(double *x, int n) { for (int i = 0; i < n; i++) x[i] *= x[i]; }
static double *augment_square_all(double *x, double *dx, int n) {
    double *kept = malloc(n*sizeof(double));
    for (int i = 0; i < n; i++) { kept[i] = x[i]; x[i] *= x[i]; }
    return kept;
}
static void gradient_square_all(double *x, double *dx, int n, double *kept) {
    for (int i = 0; i < n; i++) dx[i] *= 30*kept[i];
    free(kept);
}
void *__enzyme_register_gradient_square_all[] = {square_all, augment_square_all, gradient_square_all};
static double of_memory(double *x, int n) {
    square_all(x, n);
    square_all(x, n);
    return x[0] + x[1];
}

int check(void) {
    EXPECT(__enzyme_autodiff((void *)identity, 3.0), 5);
    EXPECT(__enzyme_autodiff((void *)twice_identity, 3.0), 15);
    EXPECT(__enzyme_fwddiff((void *)twice_identity, 3.0, 1.0), 15);
    Two d = __enzyme_autodiff_two((void *)loop, 2.0, 3.0, 2);
    EXPECT(d.dx, 60);
    EXPECT(d.dy, 20*(2 + 3));
    double x[2] = {2, 3}, dx[2] = {0, 0};
    __enzyme_autodiff_nothing((void *)of_memory, x, dx, 2);
    EXPECT(x[1], 81);
    EXPECT(dx[0], 30*4*30*2);
    EXPECT(dx[1], 30*9*30*3);
    return 0;
}
