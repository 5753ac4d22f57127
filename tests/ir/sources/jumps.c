#include <setjmp.h>
#include <stdlib.h>
static jmp_buf where;
void fail(double x) { if (x < 0) longjmp(where, 1); if (x > 1e9) exit(3); if (x != x) abort(); }
double guarded(double x) {
    volatile double kept = x;
    if (setjmp(where)) return kept;
    fail(x);
    return kept * 2;
}
