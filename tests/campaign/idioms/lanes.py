"""Vector code: lane masks, comparisons, shuffles, and the SSE2 intrinsics that people use."""

from __future__ import annotations

from .code import Code, Use

MASKS = (
    "_mm_and_pd(_mm_cmpgt_pd(u, v), u)",
    "_mm_andnot_pd(_mm_cmplt_pd(u, v), v)",
    "_mm_or_pd(_mm_and_pd(_mm_cmpge_pd(u, v), u), _mm_andnot_pd(_mm_cmpge_pd(u, v), v))",
    "_mm_max_pd(u, v)",
    "_mm_min_pd(u, _mm_mul_pd(v, v))",
    "_mm_xor_pd(u, _mm_set1_pd(-0.0))",
    "_mm_andnot_pd(_mm_set1_pd(-0.0), u)",
    "_mm_or_pd(_mm_andnot_pd(_mm_set1_pd(-0.0), u), _mm_and_pd(_mm_set1_pd(-0.0), v))",
    "_mm_sqrt_pd(_mm_add_pd(_mm_set1_pd(1.0), _mm_mul_pd(u, u)))",
    "_mm_shuffle_pd(u, v, 1)",
    "_mm_unpackhi_pd(u, v)",
    "_mm_div_pd(u, _mm_add_pd(_mm_set1_pd(2.0), _mm_mul_pd(v, v)))",
    "_mm_cvtps_pd(_mm_cvtpd_ps(u))",
    "_mm_add_sd(u, v)",
    "_mm_move_sd(u, v)",
    "_mm_blendv(u, v)",
)
BLEND = (
    "static inline __m128d <p>_blend(__m128d u, __m128d v) { __m128d m = _mm_cmpgt_pd(v, u);"
    " return _mm_or_pd(_mm_and_pd(m, v), _mm_andnot_pd(m, _mm_set1_pd(0.25))); }"
)


def intrinsics(use: Use) -> Code:
    """Two lanes through an SSE2 intrinsic, stored or shuffled out."""
    chosen = use.pick(*MASKS).replace("_mm_blendv", "<p>_blend")
    sign = use.pick("", "if (_mm_movemask_pd(v) & 1) w = _mm_add_pd(w, u);")
    body = f"""
__m128d u = _mm_set_pd(<b>, <a>), v = {use.pick("_mm_setzero_pd()", "_mm_set_pd(<a>*0.5, <b>)", "_mm_set1_pd(0.3)")};
__m128d w = {chosen};
{sign}
double out[2]; _mm_storeu_pd(out, w);
<r> = out[0] + 2*out[1]{use.pick("", " + 0.5*_mm_cvtsd_f64(_mm_unpackhi_pd(w, u))")};"""
    return Code("\n" + BLEND, body)


def single_lanes(use: Use) -> Code:
    """Four lanes of floats."""
    chosen = use.pick(
        "_mm_max_ps(u, v)",
        "_mm_and_ps(_mm_cmplt_ps(u, v), u)",
        "_mm_mul_ps(u, v)",
        "_mm_shuffle_ps(u, v, 0x1b)",
        "_mm_xor_ps(u, _mm_set1_ps(-0.0f))",
        "_mm_hadd(u, v)",
        "_mm_sqrt_ps(_mm_add_ps(_mm_set1_ps(1.0f), _mm_mul_ps(u, u)))",
    ).replace("_mm_hadd(u, v)", "_mm_add_ps(_mm_movehl_ps(u, v), _mm_unpacklo_ps(u, v))")
    body = f"""
float p = (float)<a>, q = (float)<b>, out[4];
__m128 u = _mm_setr_ps(p, q, p*q, 0.5f), v = _mm_setr_ps(q, 0.25f, p, p + q);
_mm_storeu_ps(out, {chosen});
<r> = 0.4*out[0] + 0.3*out[1] - 0.2*out[2] + 0.1*out[3];"""
    return Code("", body)


def vector_types(use: Use) -> Code:
    """Compiler's vectors: compares that give masks, selects, lanes by number."""
    lanes = use.number(1, 2) * 2
    first = ", ".join(("<a>", "<b>", "<a>*<b>*0.3", "0.4")[:lanes])
    second = ", ".join(("<b>*0.5", "0.2", "<a>", "<b>")[:lanes])
    chosen = use.pick(
        "(<p>_v)(((<p>_m)u & (u > v)) | ((<p>_m)v & ~(u > v)))",
        "u*v - u",
        "(<p>_v)((<p>_m)u & (u < v))",
        "u + v",
        "u/(v*v + 1.5)",
    )
    support = f"""
typedef double <p>_v __attribute__((vector_size({8 * lanes})));
typedef long long <p>_m __attribute__((vector_size({8 * lanes})));"""
    body = f"""
<p>_v u = {{{first}}}, v = {{{second}}};
<p>_v w = {chosen};
{use.pick("w[0] += w[1]*0.5;", "w[<n> & 1] = <a>;", "")}
<r> = 0; for (int i = 0; i < {lanes}; i++) <r> += (i + 1)*0.5*w[i];"""
    return Code(support, body)


def lane_loop(use: Use) -> Code:
    """A loop over an array in steps of two lanes, with its rest."""
    chosen = use.pick(
        "_mm_mul_pd(u, u)", "_mm_and_pd(_mm_cmpgt_pd(u, _mm_setzero_pd()), u)", "_mm_max_pd(u, _mm_set1_pd(-0.2))"
    )
    body = f"""
double in[5], out[5];
for (int i = 0; i < 5; i++) in[i] = sin(<a>*i + <b>);
int i = 0;
for (; i + 2 <= 5; i += 2) {{
    __m128d u = _mm_loadu_pd(in + i);
    _mm_storeu_pd(out + i, {chosen});
}}
for (; i < 5; i++) out[i] = in[i];
<r> = 0; for (i = 0; i < 5; i++) <r> += 0.4*(i + 1)*out[i];"""
    return Code("", body)


UNION = """
typedef union { struct { float x, y, z, w; }; float at[4]; __m128 v; } <p>_V;
static <p>_V <p>_made(float x, float y, float z) { <p>_V r = {{x, y, z, 0.5f}}; return r; }
<how> <p>_V <p>_op(<p>_V a, <p>_V b) { <p>_V r; r.v = <op>; return r; }
<how> <p>_V <p>_other(<p>_V a, <p>_V b) { for (int i = 0; i < 4; i++) a.at[i] += b.at[3 - i]*0.3f; return a; }"""


def unions_of_lanes(use: Use) -> Code:
    """Four floats and their vector in one union, by value through calls and pointers to functions."""
    operation = use.pick(
        "_mm_mul_ps(a.v, b.v)", "_mm_add_ps(a.v, b.v)", "_mm_max_ps(a.v, b.v)", "_mm_shuffle_ps(a.v, b.v, 0x4e)"
    )
    support = UNION.replace("<how>", use.pick("static", "static __attribute__((noinline))")).replace("<op>", operation)
    call = use.pick(
        "u = <p>_op(u, v); u = <p>_other(u, v);",
        "for (int i = 0; i < 3; i++) u = i & 1 ? <p>_op(u, v) : <p>_other(v, u);",
        "<p>_V (*ops[2])(<p>_V, <p>_V) = {<p>_op, <p>_other}; u = ops[<n> & 1](ops[1](u, v), v);",
        "<p>_V t[2] = {<p>_other(u, v), v}; u = t[<n> & 1];",
    )
    body = f"""
<p>_V u = <p>_made((float)<a>, 0.25f, (float)<b>), v = <p>_made((float)<b>, (float)<a>, 0.75f);
{call}
<r> = 0.4*u.x + 0.3*u.at[1] - 0.2*u.z + 0.1*u.at[3];"""
    return Code(support, body)


IDIOMS = {
    "unions of lanes": unions_of_lanes,
    "lane intrinsics": intrinsics,
    "lanes of floats": single_lanes,
    "vector types": vector_types,
    "loop over lanes": lane_loop,
}
