"""Vector intrinsics of x86 as people use them: right in both modes at every optimization level."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import DifferentiationError

SOURCE = r"""
#include <immintrin.h>
#include <stdint.h>
#include <string.h>
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
#define ONES _mm_set1_epi64x(-1)
double without_sign(double x) { return told(_mm_and_pd(A, _mm_castsi128_pd(_mm_srli_epi64(ONES, 1)))); }
double sign_of_another(double x) { return told(_mm_xor_pd(A, _mm_and_pd(B, _mm_castsi128_pd(_mm_slli_epi64(ONES, 63))))); }
double spread_sign(double x) { __m128i s = _mm_srai_epi32(_mm_castps_si128(_mm_cvtpd_ps(A)), 31);
    return told(_mm_and_pd(_mm_castsi128_pd(_mm_unpacklo_epi32(s, s)), B)); }
double all_ones(double x) { __m128i z = _mm_setzero_si128(); __m128d o = _mm_castsi128_pd(_mm_cmpeq_epi32(z, z));
    return told(_mm_and_pd(A, _mm_andnot_pd(_mm_cmplt_pd(A, B), o))); }
double bytes_turned(double x) { __m128i i = _mm_set_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    __m128i z = _mm_set_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 15, 14, 13, 12, 11, 10, 9, 8), b = _mm_castpd_si128(B);
    return told(_mm_castsi128_pd(_mm_shuffle_epi8(b, i))) + told(_mm_castsi128_pd(_mm_shuffle_epi8(b, z))); }
double as_singles(double x) { __m128 a = _mm_castpd_ps(A), b = _mm_castpd_ps(B);
    return told(_mm_castps_pd(_mm_movelh_ps(a, b))) + told(_mm_castps_pd(_mm_movehl_ps(a, b)))
        + told(_mm_castps_pd(_mm_shuffle_ps(a, b, 0x4e))); }
double lanes_of_eight(double x) { __m256i i = _mm256_set_epi32(1, 0, 3, 2, 5, 4, 7, 6);
    return told4(_mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(A4), i))); }
double larger_bits(double x) { __m256i a = _mm256_castpd_si256(A4), b = _mm256_castpd_si256(B4), m = _mm256_cmpgt_epi64(b, a);
    return told4(_mm256_castsi256_pd(_mm256_or_si256(_mm256_and_si256(m, a), _mm256_andnot_si256(m, b)))); }
double by_words(double x) { double a = x*x, b = 3*x; int64_t u, v; memcpy(&u, &a, 8); memcpy(&v, &b, 8);
    uint64_t m = -(uint64_t)(a < b), w = (u & m) | (v & ~m); v = v ^ ((u ^ v) & -(int64_t)(u < v));
    memcpy(&a, &w, 8); memcpy(&b, &v, 8); return a*x + b; }
double counted(double x) {
    return _mm_cvttsd_si64(_mm_mul_pd(A, A))*x + _mm_cvtsd_si32(B)*x*x + _mm_cvtsi128_si32(_mm_cvtpd_epi32(A))*x; }
float halves(float x) { __m128 a = _mm_cvtph_ps(_mm_cvtps_ph(F, 0));
    __m256 b = _mm256_cvtph_ps(_mm256_cvtps_ph(_mm256_castps128_ps256(F), 4));
    return tolds(_mm_mul_ps(a, G)) + tolds(_mm256_castps256_ps128(b)); }
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
SINGLE = {"least_single": 1e-2, "products": 1e-2, "narrowed": 1e-2, "halves": 2e-2}
NAMES = """least_of_one least_single compared rounded narrowed turned fused product products by_sign permuted loaded some stored
    gathered chosen decided reduced without_sign sign_of_another spread_sign all_ones bytes_turned as_singles lanes_of_eight
    larger_bits by_words counted halves"""


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_intrinsics(opt: int) -> None:
    program = em.compile(SOURCE, opt=opt, compile_args=("-mavx2", "-mfma", "-mf16c"))
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


def test_bits_of_numbers_in_other_integers() -> None:
    """Conversions that round in a way of their own are not known: an error, and no zero."""
    text = r"""
#include <immintrin.h>
float toward_zero(float x) { return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtps_ph(_mm_set1_ps(x*x), 3)))*x; }
float in_a_table(float x) { unsigned short t[4]; for (int i = 0; i < 4; i++) t[i] = _cvtss_sh(x*i, 1); return _cvtsh_ss(t[2])*x; }
"""
    for opt in (0, 2):
        program = em.compile(text, opt=opt, compile_args=("-mf16c",))
        for name in ("toward_zero", "in_a_table"):
            for derivative in (program[name].grad, lambda x, f=program[name]: f.jvp((x,), (1.0,))):
                with pytest.raises(DifferentiationError) as caught:
                    derivative(np.float32(0.75))
                assert caught.value.code in ("EM220", "EM221", "EM223")
