"""Bytes of a number that go on without the rest: as integers, or beside others until they are a number again.

Where they decide or choose an element, there is no derivative. Where they are moved and come together again, it is right. Where
they become a number of another meaning (low digits as a seed), no derivative is known, and that is an error. Differences are
the judge.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em

HEAD = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef union { double d; uint32_t w[2]; uint16_t h[4]; unsigned char c[8]; struct { uint32_t lo, hi; } s; } parts;
static inline uint64_t bits(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }
static inline double num(uint64_t u) { double d; memcpy(&d, &u, 8); return d; }
__attribute__((noinline)) static void split(double d, uint32_t *lo, uint32_t *hi) { *lo = (uint32_t)bits(d); *hi = bits(d) >> 32; }
__attribute__((noinline)) static uint32_t low(double d) { return (uint32_t)bits(d); }
"""
DECIDE = {
    "cast": "int i = (int)bits(x*x); return x*x + (i == 7);",
    "chosen": "double t[8] = {0}; uint32_t h = (uint32_t)bits(x)*2654435761u; t[h % 8] = x*x; return t[h % 8];",
    "checked": "double d[2] = {x, x}; uint32_t w[4], h = 0; memcpy(w, d, 16); for (int i = 0; i < 4; i++) h = h*31 + w[i];"
    " memcpy(d, w, 16); return h == 17 ? 0 : d[0]*d[1];",
}
MOVED = {
    "words": "double d[3] = {x, x*x, 2*x}, e[3]; uint32_t in[6], out[6]; memcpy(in, d, 24);"
    " for (int i = 0; i < 6; i++) out[i] = in[i]; memcpy(e, out, 24); return e[0]*e[1] + e[2];",
    "apart": "double d[2] = {x, x*x}, e[2]; uint32_t in[4], lo[2], hi[2]; memcpy(in, d, 16);"
    " for (int i = 0; i < 2; i++) { lo[i] = in[2*i]; hi[i] = in[2*i + 1]; }"
    " for (int i = 0; i < 2; i++) { uint32_t w[2] = {lo[i], hi[i]}; memcpy(&e[i], w, 8); } return e[0]*e[1];",
    "arrays": "uint32_t lo[3], hi[3]; for (int i = 0; i < k; i++) { uint64_t u = bits(x*(i + 1)); lo[i] = (uint32_t)u;"
    " hi[i] = u >> 32; } double s = 0; for (int i = 0; i < k; i++) { double d = num((uint64_t)hi[i] << 32 | lo[i]); s += d*d; }"
    " return s;",
    "swapped": "parts p = {x*x}, q = {3*x}; for (int i = 0; i < 2; i++) { uint32_t t = p.w[i]; p.w[i] = q.w[i]; q.w[i] = t; }"
    " return p.d*p.d + q.d;",
    "turned": "double d = x*x; uint16_t w[4], v[4]; memcpy(w, &d, 8); for (int i = 0; i < 4; i++) v[3 - i] = w[i];"
    " for (int i = 0; i < 4; i++) w[i] = v[3 - i]; memcpy(&d, w, 8); return d;",
    "high": "double d = x*x; uint16_t w[4], t; memcpy(w, &d, 8); t = w[3]; w[3] = 0; w[3] = t; memcpy(&d, w, 8); return d;",
    "called": "uint32_t lo, hi; split(x*x, &lo, &hi); return num((uint64_t)hi << 32 | lo);",
}
LOST = {
    "converted": "return low(x*x)*1e-9 + x;",
    "cast_converted": "int i = (int)bits(x*x); return i*1e-9 + x;",
    "member": "struct { int t; uint32_t lo; } s = {1, (uint32_t)bits(x*x)}; return s.lo*1e-9 + x;",
    "table": "uint32_t t[4] = {1, 2, 3, 4}; t[k & 3] = low(x*x); double s = x; for (int i = 0; i < 4; i++)"
    " s += t[i]*1e-9; return s;",
    "block": "uint16_t *t = calloc(4, 2); t[k & 3] = (uint16_t)bits(x*x); double s = x; for (int i = 0; i < 4; i++) s += t[i]*1e-5;"
    " free(t); return s;",
    "one_byte": "unsigned char c = (unsigned char)bits(x*x); return c*1e-3 + x;",
    "of_union": "parts p = {x*x}; return p.w[0]*1e-9 + x;",
    "of_memory": "double d = x*x; uint32_t w; memcpy(&w, &d, 4); return w*1e-9 + x;",
    "all_bytes": "double d = x*x, s = x; for (int i = 0; i < 8; i++) s += ((unsigned char *)&d)[i]*1e-3; return s;",
    "hashed": "double d[2] = {x*x, x}; uint32_t h = 5381; for (int i = 0; i < 16; i++) h = h*33 + ((unsigned char *)d)[i];"
    " return h*1e-9 + x;",
    "high_word": "uint32_t lo, hi; split(x*x, &lo, &hi); return hi*1e-9 + x;",
    "seed": "uint32_t s = (uint32_t)bits(x); s ^= s << 13; s ^= s >> 17; s ^= s << 5; return x*((s >> 8)*0x1p-24);",
    "kept": "static uint32_t seen; seen = low(x*x); return seen*1e-9 + x;",
    "rounded": "float f = (float)(x*x); uint32_t u; memcpy(&u, &f, 4); uint16_t h = u >> 16;"
    " u = (uint32_t)h << 16; memcpy(&f, &u, 4); return f;",
}  # fmt: skip
CODES = ("EM220", "EM221", "EM223", "EM224", "EM409")
NEVER_REFUSED = {*DECIDE, "words", "apart", "swapped", "turned", "high"}


def _wrong(function: em.CFunction, name: str) -> list[str]:
    x, k, h = 1.57, 3, 1e-6
    want, wrong = (function(x + h, k) - function(x - h, k)) / (2 * h), []
    for mode in ("reverse", "forward"):
        try:
            found = function.grad(x, k) if mode == "reverse" else function.jvp((x, k), (1.0, None))[-1]
        except em.EnzymeError as error:
            if name in NEVER_REFUSED or error.code not in CODES:
                wrong.append(f"{name} {mode}: {error}")
            continue
        if name in LOST or found != pytest.approx(want, rel=1e-6):
            wrong.append(f"{name} {mode}: {found}, differences {want}")
    return wrong


@pytest.mark.parametrize("opt", [0, 2])
def test_parts_of_numbers_are_followed_or_refused(opt: int) -> None:
    functions = DECIDE | MOVED | LOST
    text = "".join(f"double {name}(double x, int k) {{ {body} }}\n" for name, body in functions.items())
    program = em.compile_c(HEAD + text, opt=opt)
    bad = [line for name in functions for line in _wrong(program[name], name)]
    assert not bad, "\n".join(bad)
