#include <math.h>
typedef double (*unary)(double);
static double twice(double x) { return 2 * x; }
static const unary table[] = {sin, cos, twice, 0};
double apply(int which, double x) { return table[which] ? table[which](x) : x; }
double compose(unary f, unary g, double x) { return f(g(x)); }
struct operations { unary forward; void (*report)(const char *, ...); double (*pair[2])(double, double); };
double run(struct operations *o, double x) {
    if (o->report) o->report("x = %f\n", x);
    return o->pair[0](o->forward(x), o->pair[1](x, 1.0));
}
double newton(unary f, unary df, double x) {
    for (int k = 0; k < 20; k++) x -= f(x) / df(x);
    return x;
}
