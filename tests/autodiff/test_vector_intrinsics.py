"""Vector intrinsics of x86 as people use them: right in both modes at every optimization level."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

SOURCE = r"""
#include <immintrin.h>
static double told(__m128d r) { double o[2]; _mm_storeu_pd(o, r); return o[0] + 2*o[1]*o[1]; }
static double told4(__m256d r) { double o[4]; _mm256_storeu_pd(o, r); return o[0] + 2*o[1]*o[1] + o[2]*o[3]; }
static double tolds(__m128 r) { float o[4]; _mm_storeu_ps(o, r); return o[0] + 2*o[1]*o[1] + o[2]*o[3]; }
#define A _mm_set_pd(-x, x)
#define B _mm_set_pd(2*x*x, 1 - x)
#define A4 _mm256_set_pd(x*x, 2*x, -x, x)
#define B4 _mm256_set_pd(1, x, 2*x*x, 1 - x)
#define F _mm_set_ps(x*x, 2*x, -x, x)
#define G _mm_set_ps(1, x, 2*x*x, 1 - x)
#define LESS _mm256_castpd_si256(_mm256_cmp_pd(A4, B4, _CMP_LT_OS))
#define MEMORY double m[6] = {x, 2*x, 3*x*x, 4*x, x*x*x, 1}
double least_of_one(double x) { return told(_mm_min_sd(A, B)) + told(_mm_max_sd(B, A)); }
float least_single(float x) { return tolds(_mm_min_ss(F, G)) + tolds(_mm_max_ss(G, F)); }
double compared(double x) { return told(_mm_blendv_pd(A, B, _mm_cmplt_sd(A, B))); }
double rounded(double x) { return told(_mm_sub_pd(A, _mm_floor_sd(A, B))); }
double narrowed(double x) { return _mm_cvtsd_f64(_mm_cvtss_sd(A, _mm_cvtsd_ss(_mm_setzero_ps(), B))); }
double turned(double x) { return told(_mm_addsub_pd(A, B)) + told4(_mm256_addsub_pd(A4, B4)); }
double fused(double x) { return told4(_mm256_fmaddsub_pd(A4, B4, A4)) + told4(_mm256_fmsubadd_pd(A4, B4, B4)); }
double product(double x) { return told(_mm_dp_pd(A, B, 0x31)) + told(_mm_dp_pd(A, B, 0x13)); }
float products(float x) { return tolds(_mm_dp_ps(F, G, 0xb5)); }
double by_sign(double x) { return told(_mm_blendv_pd(A, B, A)) + told4(_mm256_blendv_pd(A4, B4, B4)); }
double permuted(double x) { return told4(_mm256_permutevar_pd(A4, _mm256_set_epi64x((long long)(2*x), 2, 2, 0))); }
double loaded(double x) { MEMORY; return told4(_mm256_maskload_pd(m + 1, LESS)); }
double some(double x) { MEMORY; return told4(_mm256_maskload_pd(m + 3, _mm256_set_epi64x(0, -1, -1, -1))); }
double stored(double x) { MEMORY; _mm256_maskstore_pd(m, LESS, B4); return told4(_mm256_loadu_pd(m)); }
double gathered(double x) { MEMORY; return told4(_mm256_i32gather_pd(m, _mm_set_epi32(4, 2, 2, 1), 8)); }
double chosen(double x) {
    MEMORY;
    return told4(_mm256_mask_i64gather_pd(A4, m, _mm256_set_epi64x(4, 2, 2, (int)(2*x)), _mm256_cmp_pd(A4, B4, 1), 8)); }
double decided(double x) { return _mm256_movemask_pd(_mm256_cmp_pd(A4, B4, 1)) == 3 ? told4(A4) : told4(B4)*x; }
typedef double v4 __attribute__((vector_size(32)));
double reduced(double x) { v4 a = {x, x*x, 1, -x}; return __builtin_reduce_max(a)*x + __builtin_reduce_min(a*a) + told4(a); }
double sum(const double *a, const int *k, int n) {
    __m256d s = _mm256_setzero_pd();
    for (int i = 0; i < n; i += 4) {
        __m256i m = _mm256_cmpgt_epi64(_mm256_set1_epi64x(n - i), _mm256_set_epi64x(3, 2, 1, 0));
        __m256d v = _mm256_maskload_pd(a + i, m);
        __m128i at = _mm_maskload_epi32(k + i, _mm_cmpgt_epi32(_mm_set1_epi32(n - i), _mm_set_epi32(3, 2, 1, 0)));
        s = _mm256_fmadd_pd(v, _mm256_mask_i32gather_pd(v, a, at, _mm256_castsi256_pd(m), 8), s);
    }
    return told4(s); }
void scaled(double *o, const double *a, int n) {
    for (int i = 0; i < n; i += 4) {
        __m256i m = _mm256_cmpgt_epi64(_mm256_set1_epi64x(n - i), _mm256_set_epi64x(3, 2, 1, 0));
        __m256d v = _mm256_maskload_pd(a + i, m);
        _mm256_maskstore_pd(o + i, m, _mm256_mul_pd(v, v));
    } }
double through(const double *a, const int *k, int n) {
    double o[16] = {0}, s = 0;
    scaled(o, a, n);
    for (int i = 0; i < n; i++) s += o[i]*o[k[i]];
    return s; }
"""
SINGLE = {"least_single": 1e-2, "products": 1e-2, "narrowed": 1e-2}
NAMES = """least_of_one least_single compared rounded narrowed turned fused product products by_sign permuted loaded some stored
    gathered chosen decided reduced"""


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_intrinsics(opt: int) -> None:
    program = em.compile(SOURCE, opt=opt, compile_args=("-mavx2", "-mfma"))
    for name in NAMES.split():
        f = program[name]
        step = 2.0**-8 if name in SINGLE else 2.0**-20
        for x in (0.7, 1.4):
            difference = (float(f(x + step)) - float(f(x - step))) / (2 * step)
            slopes = [f.grad(x), em.jvp(f, (x,), (1.0,))[1]]
            rtol = SINGLE.get(name, 1e-6)
            np.testing.assert_allclose(np.array(slopes, float), difference, rtol, err_msg=f"{name}({x})")
    a, k = np.array([0.3, 1.2, -0.7, 2.0, 0.9, 1.1]), np.array([1, 1, 5, 0, 3, 2], np.int32)
    for name in ("sum", "through"):
        f = program[name]
        slope = f.grad(a, k, len(a))
        slope = slope[0] if isinstance(slope, tuple) else slope
        for i in range(len(a)):
            there, back = a.copy(), a.copy()
            there[i] += 2.0**-20
            back[i] -= 2.0**-20
            difference = (f(there, k, len(a)) - f(back, k, len(a))) * 2.0**19
            np.testing.assert_allclose(slope[i], difference, 1e-6, err_msg=f"{name}, {i}")
