"""Masks of vectors choose lane by lane: what a lane does not choose gets nothing from it, though other lanes choose it."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import DifferentiationError

SSE = r"""
#include <immintrin.h>
#include <string.h>
static double told(__m128d r) { double o[2]; _mm_storeu_pd(o, r); return o[0] + 2*o[1]*o[1]; }
#define A _mm_set_pd(-x, x)
#define B _mm_set_pd(2*x*x, 1 - x)
#define LESS _mm_cmplt_pd(A, B)
#define ABOVE _mm_cmpgt_pd(A, _mm_setzero_pd())
double kept(double x) { return told(_mm_and_pd(ABOVE, A)); }
double dropped(double x) { return told(_mm_andnot_pd(ABOVE, B)); }
double chosen(double x) { return told(_mm_or_pd(_mm_and_pd(LESS, A), _mm_andnot_pd(LESS, B))); }
double exchanged(double x) { return told(_mm_xor_pd(B, _mm_and_pd(LESS, _mm_xor_pd(A, B)))); }
double as_integers(double x) { return told(_mm_castsi128_pd(_mm_and_si128(_mm_castpd_si128(A), _mm_castpd_si128(LESS)))); }
double negated(double x) { return told(_mm_xor_pd(A, _mm_set1_pd(-0.0))); }
double magnitude(double x) { return told(_mm_andnot_pd(_mm_set1_pd(-0.0), A)); }
double moved(double x) { return _mm_movemask_pd(A) == 2 ? told(_mm_mul_pd(A, A)) : told(B); }
double shuffled(double x) { return told(_mm_mul_pd(_mm_shuffle_pd(A, B, 1), _mm_unpackhi_pd(A, B))); }
double least(double x) { return told(_mm_max_pd(_mm_min_pd(A, B), _mm_set1_pd(-1))); }
double narrowed(double x) { return told(_mm_cvtps_pd(_mm_cvtpd_ps(_mm_mul_pd(A, B)))); }
double swapped(double x) {
    unsigned long long u, v; double y = x*x, z = 3*x; memcpy(&u, &y, 8); memcpy(&v, &z, 8);
    u = __builtin_bswap64(u) ^ 5; v = __builtin_rotateleft64(v, 24);
    u = __builtin_bswap64(u ^ 5); v = __builtin_rotateright64(v, 16); v = __builtin_rotateleft64(v, 56);
    memcpy(&y, &u, 8); memcpy(&z, &v, 8); return y*z; }
float single(float x) {
    __m128 a = _mm_set_ps(x*x, 2*x, -x, x), b = _mm_set_ps(1, x, 2*x*x, 1 - x), m = _mm_cmplt_ps(a, b);
    float o[4]; _mm_storeu_ps(o, _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b)));
    return o[0] + 2*o[1]*o[1] + o[2]*o[3]; }
"""
AVX = r"""
#include <immintrin.h>
typedef double v4 __attribute__((vector_size(32)));
typedef long l4 __attribute__((vector_size(32)));
static double told(__m256d r) { double o[4]; _mm256_storeu_pd(o, r); return o[0] + 2*o[1]*o[1] + o[2]*o[3]; }
#define A _mm256_set_pd(x*x, 2*x, -x, x)
#define B _mm256_set_pd(1, x, 2*x*x, 1 - x)
double blended(double x) { return told(_mm256_blendv_pd(A, B, _mm256_cmp_pd(A, B, _CMP_LT_OS))); }
double loaded(double x) {
    double memory[4] = {x, 2*x, 3*x*x, 4*x};
    return told(_mm256_maskload_pd(memory, _mm256_castpd_si256(_mm256_cmp_pd(A, B, _CMP_LT_OS)))); }
double multiplied(double x) { return told(_mm256_fmadd_pd(A, B, A)); }
double summed(double x) { return told(_mm256_hadd_pd(A, _mm256_hsub_pd(A, B))); }
double stepped(double x) { return told(_mm256_mul_pd(A, _mm256_floor_pd(_mm256_min_pd(B, _mm256_set1_pd(x + 0.3))))); }
double turned(double x) { __m256d s = _mm256_set1_pd(-0.0);
    return told(_mm256_xor_pd(_mm256_and_pd(s, B), A)) + told(_mm256_or_pd(_mm256_and_pd(s, B), _mm256_andnot_pd(s, A))); }
double half_turned(double x) { return told(_mm256_xor_pd(A, _mm256_set_pd(-0.0, 0, 0, -0.0))); }
double in_bytes(double x) { __m256i a = _mm256_castpd_si256(A), b = _mm256_castpd_si256(B);
    __m256i m = _mm256_cmpgt_epi64(a, _mm256_setzero_si256());
    return told(_mm256_castsi256_pd(_mm256_blendv_epi8(_mm256_alignr_epi8(a, b, 8), _mm256_shuffle_epi32(b, 0x4e), m))); }
double kept_positive(double x) {
    __m256d m = _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_castpd_si256(A), _mm256_setzero_si256()));
    return told(_mm256_and_pd(m, A)); }
double of_gcc(double x) { v4 a = {x, -x, 2*x, x*x}, b = {1, 2, 3*x, x}; l4 m = a < b; v4 r = (v4)((m & (l4)a) | (~m & (l4)b));
    return r[0] + 2*r[1]*r[1] + r[2]*r[3]; }
"""
NAMES = {
    SSE: "kept dropped chosen exchanged as_integers negated magnitude moved shuffled least narrowed swapped single",
    AVX: "turned half_turned in_bytes kept_positive blended loaded multiplied summed stepped of_gcc",
}


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("source", [SSE, AVX], ids=["sse", "avx"])
def test_masks(source: str, opt: int) -> None:
    program = em.compile(source, opt=opt, compile_args=("-mavx2", "-mfma") if source is AVX else ())
    refused = []
    for name in NAMES[source].split():
        f = program[name]
        step = 2.0**-7 if name in ("single", "narrowed") else 2.0**-20
        for x in (0.75, 1.5):
            difference = (float(f(x + step)) - float(f(x - step))) / (2 * step)
            try:
                slopes = [f.grad(x), em.jvp(f, (x,), (1.0,))[1]]
            except DifferentiationError:
                refused.append(name)
                continue
            np.testing.assert_allclose(np.array(slopes, float), difference, rtol=1e-3, err_msg=f"{name}({x})")
    assert not refused


DIVIDED = r"""
#include <immintrin.h>
static double told(__m128d r) { double o[2]; _mm_storeu_pd(o, r); return o[0] + 2*o[1]*o[1]; }
#define LANES double m[4] = {x, x - 0.75, x*x, 1.5 - x}; __m128d a = _mm_loadu_pd(m), b = _mm_loadu_pd(m + 2), \
    q = _mm_div_pd(b, a), k = _mm_cmpgt_pd(_mm_mul_pd(a, a), _mm_set1_pd(0.1));
double blended(double x) { LANES return told(_mm_blendv_pd(b, q, k)); }
double kept(double x) { LANES return told(_mm_and_pd(k, _mm_sqrt_pd(_mm_mul_pd(a, a)))); }
double squared(double x) { LANES return told(_mm_blendv_pd(a, _mm_add_pd(_mm_mul_pd(q, q), b), k)); }
double stored(double x) { LANES _mm_maskstore_pd(m, _mm_castpd_si128(k), q); return m[0]*m[1] + m[2]; }
double turned(double x) { LANES return told(_mm_blendv_pd(b, _mm_shuffle_pd(q, q, 0), k)) + told(_mm_blendv_pd(b, q, k)); }
double taken(double x) { LANES int t = _mm_movemask_pd(k); return (t & 1 ? q[0] : 1)*(t & 2 ? q[1] : x); }
double summed(double x) { LANES __m128d s = _mm_setzero_pd();
    for (int i = 0; i < 3; i++) { s = _mm_add_pd(s, _mm_blendv_pd(b, _mm_div_pd(b, a), k)); b = _mm_mul_pd(b, a); }
    return told(s); }
"""


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_lanes_that_nobody_asks_for(opt: int) -> None:
    """One lane divides by zero and is masked away; the other is used."""
    program = em.compile(DIVIDED, opt=opt, compile_args=("-mavx2",))
    for name in ("blended", "kept", "squared", "stored", "turned", "taken", "summed"):
        f = program[name]
        difference = (f(0.75 + 2.0**-20) - f(0.75 - 2.0**-20)) * 2.0**19
        np.testing.assert_allclose([f.grad(0.75), em.jvp(f, (0.75,), (1.0,))[1]], difference, 1e-6, err_msg=name)
