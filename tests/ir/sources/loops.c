double triangular(const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) for (int j = i; j < n; j += 3) s += a[i] * a[j]; return s; }
double collatz(unsigned long n) { double steps = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; steps++; } return steps; }
double search(const double *a, int n, double x) { int i; for (i = 0; i < n; i++) { if (a[i] == x) break; if (a[i] < 0) continue; x += 0.5; } return i < n ? a[i] : x; }
double bisect(double (*f)(double), double lo, double hi) { do { double m = (lo + hi) / 2; if (f(m) > 0) hi = m; else lo = m; } while (hi - lo > 1e-12); return lo; }
void sweep(double *u, const double *v, int n) { for (int t = 0; t < 10; t++) { for (int i = 1; i + 1 < n; i++) u[i] = 0.25 * u[i - 1] + 0.5 * v[i] + 0.25 * u[i + 1]; for (unsigned i = (unsigned)n; i-- > 0;) u[i] *= 0.99; } }
double unrolled(const double *p) { double s = 0; for (int i = 0; i < 4; i++) s = s * 0.5 + p[i]; return s; }
void zero_and_copy(double *a, double *b, int n) { for (int i = 0; i < n; i++) a[i] = 0; for (int i = 0; i < n; i++) b[i] = a[i]; }
