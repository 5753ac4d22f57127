"""Numbers that are put together of bits which bits of other numbers decided: refused, in both modes, also where functions take them
apart and put them together. What bits choose, sort, hash, count or mark is not. (What decides: `autodiff/decided_by_bits.py`.)"""

from __future__ import annotations

import pytest

import enzyme_magic as em

SOURCE = r"""#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define APART __attribute__((noinline))
static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }
static double number(uint64_t u) { double x; memcpy(&x, &u, 8); return x; }
static int get(const uint8_t *b, int i) { return b[i >> 3] >> (i & 7) & 1; }
static void set(uint8_t *b, int i, int v) { if (v) b[i >> 3] |= 1 << (i & 7); else b[i >> 3] &= ~(1 << (i & 7)); }

double one_by_one(double x) {
    uint64_t u = bits(x*x), v = 0; for (int i = 0; i < 64; i++) if (u >> i & 1) v |= 1ull << i; return number(v) + x; }
double selected(double x) {
    uint64_t u = bits(x*x), v = 0; for (int i = 0; i < 64; i++) v |= u >> i & 1 ? 1ull << i : 0; return number(v) + x; }
double truths(double x) {
    uint64_t u = bits(x*x), v = 0; bool b[64];
    for (int i = 0; i < 64; i++) b[i] = u >> i & 1;
    for (int i = 0; i < 64; i++) if (b[i]) v |= 1ull << i;
    return number(v) + x; }
double spelled(double x) {
    uint64_t u = bits(x*x), v = 0; char t[65] = {0};
    for (int i = 0; i < 64; i++) t[i] = u >> (63 - i) & 1 ? '1' : '0';
    for (char *p = t; *p; p++) v = v*2 + (*p - '0');
    return number(v) + x; }
double read_again(double x) {
    uint64_t u = bits(x*x); char t[65] = {0};
    for (int i = 0; i < 64; i++) t[i] = u >> (63 - i) & 1 ? '1' : '0';
    return number(strtoull(t, NULL, 2)) + x; }
double by_bytes(double x) {
    double y = x*x, z; uint8_t *p = (uint8_t *)&y, q[8];
    for (int i = 0; i < 8; i++) { q[i] = 0; for (int k = 0; k < 8; k++) if (p[i] & 1 << k) q[i] |= 1 << k; }
    memcpy(&z, q, 8); return z + x; }
double in_union(double x) {
    union { double d; uint64_t i; } a = {x*x}, b; b.i = 0;
    for (int i = 0; i < 64; i++) if (a.i >> i & 1) b.i += 1ull << i;
    return b.d + x; }
double by_helpers(double x) {
    double y = x*x, z = 0; for (int i = 0; i < 64; i++) set((uint8_t *)&z, i, get((uint8_t *)&y, i)); return z + x; }
APART static uint64_t mirrored(uint64_t u) {
    uint64_t v = 0; for (int i = 0; i < 64; i++) if (u >> i & 1) v |= 1ull << (63 - i); return v; }
double mirrored_twice(double x) { return number(mirrored(mirrored(bits(x*x)))) + x; }
APART static uint64_t rest(uint64_t u, int k) { return k == 64 ? 0 : (u >> k & 1 ? 1ull << k : 0) | rest(u, k + 1); }
double recursive(double x) { return number(rest(bits(x*x), 0)) + x; }
static bool wires[64];
APART static void apart(double x) { uint64_t u = bits(x); for (int i = 0; i < 64; i++) wires[i] = u >> i & 1; }
APART static double together(void) { uint64_t v = 0; for (int i = 0; i < 64; i++) if (wires[i]) v |= 1ull << i; return number(v); }
double by_wires(double x) { apart(x*x); return together() + x; }
APART static void split(const double *a, bool *b) { uint64_t u; memcpy(&u, a, 8); for (int i = 0; i < 64; i++) b[i] = u >> i & 1; }
APART static void join(const bool *b, double *a) {
    uint64_t v = 0; for (int i = 0; i < 64; i++) if (b[i]) v |= 1ull << i; memcpy(a, &v, 8); }
double by_pointers(double x) { bool b[64]; double y = x*x, z; split(&y, b); join(b, &z); return z + x; }

double by_sign(double x) { return number(bits(x) >> 63 ? 0xbff0000000000000ull : 0x3ff0000000000000ull)*x*x + x; }
double power(double x) { int k = 3; if (bits(x) >> 63) k = -3; return number((uint64_t)(1023 + k) << 52)/8*x*x + x; }
double sorted_by_bits(double x) {
    uint64_t a[4] = {bits(x*x), bits(0.5), bits(x), bits(8)}, b[4];
    for (int k = 0; k < 64; k++) {
        int n = 0; for (int p = 0; p < 2; p++) for (int i = 0; i < 4; i++) if ((a[i] >> k & 1) == p) b[n++] = a[i];
        memcpy(a, b, sizeof a); }
    return number(a[1]) + number(a[2]); }
APART static void put(void *base, int k, const void *e, size_t size) { memcpy((char *)base + k*size, e, size); }
double parted(double x) {
    double a[2] = {x, x*x}, b[2]; int n = 0;
    for (int p = 0; p < 2; p++) for (int i = 0; i < 2; i++) if ((int)(bits(a[i]) >> 40 & 1) == p) put(b, n++, &a[i], 8);
    return b[0] + b[1]; }
static uint32_t crc(const uint8_t *p, int n) {
    uint32_t c = ~0u; while (n--) { c ^= *p++; for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1; } return ~c; }
double checked(double x) {
    uint8_t t[12]; double y = x*x; memcpy(t, &y, 8); uint32_t c = crc(t, 8); memcpy(t + 8, &c, 4);
    memcpy(&y, t, 8); memcpy(&c, t + 8, 4); return c == crc(t, 8) ? y + x : -1; }
typedef struct { uint64_t mask; double sum; } state;
double masked(double x) {
    double a[4] = {x, x*x, -1, -x}; state s = {0, 0}, t;
    for (int i = 0; i < 4; i++) { if (bits(a[i]) >> 63) s.mask |= 1ull << i; s.sum += a[i]; }
    memcpy(&t, &s, sizeof t); return t.mask >> 2 & 1 ? t.sum + 1 + x : 0; }
double tagged(double x) {
    uint8_t t[32]; int n = 0, k = 0; double a[2] = {x, x*x}, s = 0;
    for (int i = 0; i < 2; i++)
        if ((bits(a[i]) & 1ull << 62) == 0 && a[i] == 0) t[n++] = 0; else { t[n++] = 1; memcpy(t + n, &a[i], 8); n += 8; }
    for (int i = 0; i < 2; i++) if (t[k++]) { double y; memcpy(&y, t + k, 8); k += 8; s += y; }
    return s; }
static bool is_number(uint64_t v) { return (v & 0x7ff8000000000000ull) != 0x7ff8000000000000ull; }
double boxed(double x) {
    uint64_t t[4] = {bits(x), 0x7ff8000100000003ull, bits(x*x), 0x7ff8000100000004ull}; double s = 0;
    for (int i = 0; i < 4; i++) s += is_number(t[i]) ? number(t[i]) : (int)(uint32_t)t[i] - 3.5;
    return s; }
APART static int write(uint8_t *t, double y) {
    float f = (float)y; if ((bits(y) & 0x1fffffff) == 0) { t[0] = 1; memcpy(t + 1, &f, 4); return 5; }
    t[0] = 2; memcpy(t + 1, &y, 8); return 9; }
APART static int read(const uint8_t *t, double *y) {
    float f; if (t[0] == 1) { memcpy(&f, t + 1, 4); *y = f; return 5; }
    memcpy(y, t + 1, 8); return 9; }
double packed(double x) {
    uint8_t t[32]; int n = write(t, x), k = 0; double s = 0, y; write(t + n, x*x);
    for (int i = 0; i < 2; i++) { k += read(t + k, &y); s += y; }
    return s; }
double drawn(double x) {
    uint64_t s = 12345; double r = 0; int low = bits(x - 2) >> 63;
    for (int i = 0; i < 9; i++) {
        s = s & 1 ? s >> 1 ^ 0xd800000000000000ull : s >> 1; r += number(s >> 12 | 0x3ff0000000000000ull); }
    return (low ? r : 2*r)*0 + x*x + x; }
"""
LOST = ["one_by_one", "selected", "truths", "spelled", "read_again", "by_bytes", "in_union"]
BY_CALLS = ["by_helpers", "mirrored_twice", "recursive", "by_wires", "by_pointers"]
FINE = ["by_sign", "power", "sorted_by_bits", "parted", "checked", "masked", "tagged", "boxed", "packed", "drawn"]


@pytest.mark.parametrize("opt", [0, 2])
def test_numbers_of_bits_that_bits_decided(opt: int) -> None:
    program = em.compile(SOURCE, opt=opt)
    for name in [*LOST, *BY_CALLS]:
        function = program[name]
        assert function(1.6) == pytest.approx(1.6**2 + 1.6), name
        for ask in (lambda f: f.grad(1.6), lambda f: em.jvp(f, (1.6,), (1.0,))):
            with pytest.raises(em.DifferentiationError) as caught:
                ask(function)
            assert caught.value.code == "EM220", name
            assert "bits" in str(caught.value), name


@pytest.mark.parametrize("opt", [0, 2])
def test_what_bits_decide_otherwise(opt: int) -> None:
    program = em.compile(SOURCE, opt=opt)
    for name in FINE:
        assert program[name](1.6) == pytest.approx(1.6**2 + 1.6), name
        assert program[name].grad(1.6) == pytest.approx(2 * 1.6 + 1), name
        if name != "checked" or opt:  # forward mode at opt=0 may say EM409 there
            assert em.jvp(program[name], (1.6,), (1.0,))[1] == pytest.approx(2 * 1.6 + 1), name
