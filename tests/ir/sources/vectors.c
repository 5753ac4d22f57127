typedef float v4 __attribute__((vector_size(16)));
typedef double d4 __attribute__((vector_size(32)));
typedef int i4 __attribute__((vector_size(16)));
typedef _Bool b8 __attribute__((ext_vector_type(8)));
v4 mix(v4 a, v4 b) { return __builtin_shufflevector(a, b, 0, 5, -1, 7) * a + (v4){1, 2, 3, 4}; }
d4 halves(d4 a) { return a * 0.5 + (d4){0.5, 0.5, 0.5, 0.5}; }
float lane(v4 a, int k) { a[k] = 3; return a[k & 3] + a[2]; }
i4 compare(v4 a, v4 b) { return a < b; }
v4 choose(i4 m, v4 a, v4 b) { return (v4)((m & (i4)a) | (~m & (i4)b)); }
d4 convert(v4 a) { return __builtin_convertvector(a, d4); }
float reduce(const float *x, int n) { float s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }
void saxpy(float *restrict y, const float *restrict x, float a, int n) { for (int i = 0; i < n; i++) y[i] += a * x[i]; }
int bits(b8 a, b8 b) { b8 c = a & b; return c[0] + c[7]; }
