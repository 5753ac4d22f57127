double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
double f(double x, const double *p) { return x * x * p[0]; }
double df(double x, const double *p, double *dp) { return __enzyme_autodiff((void *)f, x, enzyme_dup, p, dp); }
