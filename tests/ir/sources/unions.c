#include <stdint.h>
#include <string.h>
union bits { double d; uint64_t u; float f[2]; unsigned char bytes[8]; };
double next(double x) { union bits b; b.d = x; b.u += 1; return b.d; }
float half_of(double x) { union bits b = {.d = x}; return b.f[1]; }
uint64_t reinterpret(double x) { uint64_t u; memcpy(&u, &x, sizeof u); return u ^ 0x8000000000000000u; }
struct tagged { int kind; union { double d; long i; struct { float re, im; } z; } as; };
double value(const struct tagged *t) {
    switch (t->kind) {
        case 0: return t->as.d;
        case 1: return (double)t->as.i;
        default: return (double)(t->as.z.re * t->as.z.im);
    }
}
