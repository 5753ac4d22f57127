/* Functions and variables that carry no derivative, by attributes and by registrations. */
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
__attribute__((enzyme_inactive)) static double by_attribute(double x) { return 2*x; }
static double by_global(double x) { return 3*x; }
void *__enzyme_inactivefn_by_global = (void *)by_global;
static double one_of_a_list(double x) { return 4*x; }
void *__enzyme_inactivefn_more[1] = {(void *)one_of_a_list};
__attribute__((enzyme_inactive)) double factor = 5;
double offset = 1;
void *__enzyme_inactive_global_offset = (void *)&offset;
static int calls;
__attribute__((enzyme_inactive, noinline)) void progress(double x) { calls += x > 0; }
static double functions(double x) { progress(x); return x*by_attribute(x) + by_global(x) + one_of_a_list(x)*x; }
static double variables(double x) { factor = x; return x*factor + offset*x; }

int check(void) {
    EXPECT(__enzyme_autodiff((void *)functions, 3.0), 6 + 12);
    EXPECT(__enzyme_fwddiff((void *)functions, 3.0, 1.0), 6 + 12);
    EXPECT(calls, 2);
    EXPECT(__enzyme_autodiff((void *)variables, 3.0), 3 + 1);
    EXPECT(__enzyme_fwddiff((void *)variables, 3.0, 1.0), 3 + 1);
    EXPECT(__enzyme_autodiff((void *)by_attribute, 3.0), 0);
    return 0;
}
