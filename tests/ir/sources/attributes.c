#define A(...) __attribute__((__VA_ARGS__))
A(noinline, cold) double slow(double x) { return x + 1; }
A(always_inline) static inline double fast(double x) { return x * 2; }
A(pure) double look(const double *p, int n);
A(const) double compute(double x);
A(malloc, alloc_size(1), returns_nonnull) void *make(unsigned long n);
A(nonnull(1), hot) double sum(const double *p, int n) { return look(p, n) + compute(*p) + fast(slow(n)); }
A(alias("sum")) double also(const double *p, int n);
A(weak) double maybe(void) { return *(double *)make(8); }
A(constructor) static void begin(void) { maybe(); }
A(used) static int kept = 4;
A(annotate("marked")) double annotated = 3;
double restricted(double *restrict a, const double *restrict b A(aligned(16))) { a[0] = b[1]; return a[0]; }
double trap(double x) { if (x < 0) __builtin_trap(); __builtin_prefetch(&annotated); return __builtin_isnan(x) ? 0 : x; }
