#include <stdint.h>
uint32_t hash(const uint8_t *p, int n) { uint32_t h = 2166136261u; while (n--) { h ^= *p++; h *= 16777619u; h = h << 5 | h >> 27; } return h; }
int64_t divide(int64_t a, int64_t b) { return a / 7 + a % 16 + b / -3 + (int64_t)((uint64_t)a / 10); }
int bits(unsigned x) { return __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctz(x) + __builtin_bswap32(x) + __builtin_parity(x); }
int checked(int a, int b, int *r) { return __builtin_add_overflow(a, b, r) | __builtin_mul_overflow(a, b, r) << 1; }
unsigned __int128 wide(uint64_t a, uint64_t b) { return (unsigned __int128)a * b + ((unsigned __int128)1 << 100); }
_BitInt(37) odd(_BitInt(37) x, _BitInt(37) y) { return x * y - 1; }
int min3(int a, int b, int c) { int m = a < b ? a : b; return m < c ? m : c; }
int8_t saturate(int x) { return x > 127 ? 127 : x < -128 ? -128 : (int8_t)x; }
uintptr_t align_up(void *p) { return ((uintptr_t)p + 15) & ~(uintptr_t)15; }
void *round_trip(void *p, long d) { return (void *)((uintptr_t)p + (uintptr_t)d); }
