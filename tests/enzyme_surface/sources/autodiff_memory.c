/* Shadows of memory: accumulated into, seeds taken and zeroed; `dup` is what a pointer is without a marker. */
#include <stdlib.h>
int enzyme_dup, enzyme_dupnoneed, enzyme_const;
void __enzyme_autodiff(void *, ...);

static void squares(const double *x, int n, double *out) {
    for (int i = 0; i < n; i++) out[i] = x[i]*x[i];
}
static double norm(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i]*x[i];
    return sqrt(sum);
}
static void twice(double *x) { *x = *x * *x; *x = *x * *x; }
static double scaled(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i]*b[i];
    return sum;
}
struct node { double value; struct node *next; };
static double sum_of_squares(const struct node *list) {
    double sum = 0;
    for (; list; list = list->next) sum += list->value*list->value;
    return sum;
}

int check(void) {
    double x[3] = {1, 2, 3}, dx[3] = {10, 0, 0}, out[3], seed[3] = {1, 2, 3};
    __enzyme_autodiff((void *)squares, enzyme_dup, x, dx, 3, enzyme_dup, out, seed);
    EXPECT(dx[0], 12);
    EXPECT(dx[1], 8);
    EXPECT(dx[2], 18);
    EXPECT(out[2], 9);
    EXPECT(seed[0] + seed[1] + seed[2], 0);
    double dn[3] = {0};
    __enzyme_autodiff((void *)norm, x, dn, 3);
    for (int i = 0; i < 3; i++) EXPECT(dn[i], x[i]/sqrt(14.0));
    double place = 3, d_place = 1;
    __enzyme_autodiff((void *)twice, &place, &d_place);
    EXPECT(place, 81);
    EXPECT(d_place, 4*27);
    double d_none[3] = {0}, again[3] = {1, 1, 1};
    __enzyme_autodiff((void *)squares, enzyme_dup, x, d_none, 3, enzyme_dupnoneed, (double *)0, again);
    for (int i = 0; i < 3; i++) EXPECT(d_none[i], 2*x[i]);
    double b[3] = {4, 5, 6}, da[3] = {0};
    __enzyme_autodiff((void *)scaled, x, da, enzyme_const, b, 3);
    for (int i = 0; i < 3; i++) EXPECT(da[i], b[i]);
    struct node last = {3, 0}, first = {2, &last}, d_last = {0, 0}, d_first = {0, &d_last};
    __enzyme_autodiff((void *)sum_of_squares, &first, &d_first);
    EXPECT(d_first.value, 4);
    EXPECT(d_last.value, 6);
    return 0;
}
