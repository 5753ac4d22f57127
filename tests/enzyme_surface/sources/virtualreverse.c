/* What stands for a function in a shadow object: its augmented primal and its reverse function. */
void *__enzyme_virtualreverse(void *);
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_memory(void *, ...);
static double square(double x) { return x*x; }
static void twice(double *x) { *x = *x * *x; *x = *x * *x; }
struct object { double (*f)(double); double scale; };
static double call(const struct object *o, double x) { return o->f(x)*o->scale; }
struct table { void *(*augmented)(double *, double *); void (*reverse)(double *, double *, void *); };

int check(void) {
    struct table *table = __enzyme_virtualreverse((void *)twice);
    double x = 3, dx = 1;
    void *tape = table->augmented(&x, &dx);
    EXPECT(x, 81);
    table->reverse(&x, &dx, tape);
    EXPECT(dx, 4*27);
    struct object object = {square, 2}, d_object = {(double (*)(double))__enzyme_virtualreverse((void *)square), 0};
    double slope = __enzyme_autodiff((void *)call, &object, &d_object, 3.0);
    EXPECT(slope, 12);
    EXPECT(d_object.scale, 9);
    return 0;
}
