double quoted(double x) __asm__("strange name$1");
double quoted(double x) { return x + (__builtin_return_address(0) != 0); }
double caller(double x) { return quoted(x) + ({ double t = x * x; t + 1; }); }
double unnamed(double, int);
double unnamed(double x, int n) { return n ? x : -x; }
int generic(double x) { return _Generic(x, double: 1, default: 0); }
double cleanup_value;
static void release(double *p) { cleanup_value += *p; }
double scoped(double x) { __attribute__((cleanup(release))) double t = x; return t * 2; }
typedef double (*fn)(double);
fn nested(int k) { return k ? quoted : 0; }
