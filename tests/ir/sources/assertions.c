#include <assert.h>
#include <stdlib.h>
double checked(double x) { assert(x > 0 && "positive"); return 1 / x; }
_Noreturn void die(int code) { exit(code); }
double either(double x, int n) { if (n < 0) die(n); if (__builtin_expect(n == 0, 0)) __builtin_unreachable(); __builtin_assume(x > 1); return x / n; }
