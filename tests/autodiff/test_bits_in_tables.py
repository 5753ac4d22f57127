"""Bits of numbers that are spelled, or looked up in tables, and put together to numbers again: refused. Checksums, bins and sorts
by such tables are not. (What decides: `autodiff/lost_in_text.py`.)"""

from __future__ import annotations

import pytest

import enzyme_magic as em

SOURCE = r"""#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define APART __attribute__((noinline))
static const char hex[] = "0123456789abcdef";
static int value(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }
static uint8_t box[256], back[256];
static void fill(void) { for (int i = 0; i < 256; i++) { box[i] = i*7 + 3; back[(i*7 + 3) & 255] = i; } }

double printed(double x) {
    double y = x*x, z; unsigned char b[8], c[8]; char t[40];
    memcpy(b, &y, 8);
    for (int i = 0; i < 8; i++) snprintf(t + 2*i, 3, "%02x", b[i]);
    for (int i = 0; i < 8; i++) { unsigned u; sscanf(t + 2*i, "%2x", &u); c[i] = u; }
    memcpy(&z, c, 8); return z + x; }
double as_word(double x) {
    double y = x*x, z; char t[40]; uint64_t u; memcpy(&u, &y, 8); snprintf(t, 40, "%llx", (unsigned long long)u);
    u = strtoull(t, NULL, 16); memcpy(&z, &u, 8); return z + x; }
double scaled(double x) { char t[40]; snprintf(t, 40, "%.0f", x*x*1000); return atoi(t) / 1000.0 + x; }
double spelled(double x) {
    double y = x*x, z; unsigned char b[8]; char t[16]; memcpy(b, &y, 8);
    for (int i = 0; i < 8; i++) { t[2*i] = hex[b[i] >> 4]; t[2*i + 1] = hex[b[i] & 15]; }
    for (int i = 0; i < 8; i++) b[i] = value(t[2*i])*16 + value(t[2*i + 1]);
    memcpy(&z, b, 8); return z + x; }
APART static void encode(const uint8_t *b, char *t, int n) {
    for (int i = 0; i < n; i++) { t[2*i] = hex[b[i] >> 4]; t[2*i + 1] = hex[b[i] & 15]; } }
APART static void decode(const char *t, uint8_t *b, int n) {
    for (int i = 0; i < n; i++) b[i] = value(t[2*i])*16 + value(t[2*i + 1]); }
double elsewhere(double x) {
    double y = x*x, z; char t[16]; encode((uint8_t *)&y, t, 8); decode(t, (uint8_t *)&z, 8); return z + x; }
double ciphered(double x) {
    double y = x*x, z; uint8_t b[8]; fill(); memcpy(b, &y, 8);
    for (int i = 0; i < 8; i++) b[i] = box[b[i]];
    for (int i = 0; i < 8; i++) b[i] = back[b[i]];
    memcpy(&z, b, 8); return z + x; }
double halves(double x) {
    static uint16_t there[65536], again[65536]; double y = x*x, z; uint16_t w[4];
    for (int i = 0; i < 65536; i++) { there[i] = i ^ 0x5555; again[i ^ 0x5555] = i; }
    memcpy(w, &y, 8); for (int i = 0; i < 4; i++) w[i] = again[there[w[i]]]; memcpy(&z, w, 8); return z + x; }
APART static void put(char *t, double y) { uint64_t u; memcpy(&u, &y, 8); sprintf(t, "%016llx", (unsigned long long)u); }
APART static double get(const char *t) { uint64_t u = strtoull(t, NULL, 16); double z; memcpy(&z, &u, 8); return z; }
double by_helpers(double x) { char t[40]; put(t, x*x); return get(t) + x; }
APART static char digit(int n) { return hex[n]; }
APART static int place(char c) { return strchr(hex, c) - hex; }
double one_by_one(double x) {
    double y = x*x, z; uint8_t *b = (uint8_t *)&y, *c = (uint8_t *)&z; char t[16];
    for (int i = 0; i < 8; i++) { t[2*i] = digit(b[i] >> 4); t[2*i + 1] = digit(b[i] & 15); }
    for (int i = 0; i < 8; i++) c[i] = place(t[2*i]) << 4 | place(t[2*i + 1]);
    return z + x; }

static uint32_t table[256];
static uint32_t crc(const uint8_t *p, int n) {
    uint32_t c = ~0u; for (int i = 0; i < n; i++) c = table[(c ^ p[i]) & 255] ^ (c >> 8); return ~c; }
typedef struct { double v; uint32_t sum; } packet;
double checksum(double x) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i; for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1; table[i] = c; }
    packet p, q; p.v = x*x; p.sum = crc((uint8_t *)&p.v, 8); memcpy(&q, &p, sizeof p);
    return crc((uint8_t *)&q.v, 8) == q.sum ? q.v + x : -1; }
double bins(double x) {
    int h[256] = {0}; double a[4] = {x, x*x, x + 1, 2*x}, s = 0;
    for (int i = 0; i < 4; i++) { uint8_t b[8]; memcpy(b, &a[i], 8); h[b[7]]++; }
    for (int i = 0; i < 256; i++) s += h[i];
    return s*x + x*x - 4*x + x; }
double sorted_by_bytes(double x) {
    double a[4] = {x*x, 0.5, x, 4}, b[4];
    for (int p = 0; p < 8; p++) {
        int c[257] = {0};
        for (int i = 0; i < 4; i++) c[((uint8_t *)&a[i])[p] + 1]++;
        for (int i = 0; i < 256; i++) c[i + 1] += c[i];
        for (int i = 0; i < 4; i++) b[c[((uint8_t *)&a[i])[p]]++] = a[i];
        memcpy(a, b, sizeof a); }
    return a[1] + a[2]; }
static const int weight[4] = {1, 1, 1, 1};
double by_exponent(double x) {
    uint64_t u; memcpy(&u, &x, 8); return weight[(u >> 52) & 3]*x*x + x; }
double counted(double x) { char t[80]; sprintf(t, "%g", x*x); return strlen(t) > 0 ? x*x + x : x; }
typedef struct { uint16_t gen, next; double at; } slot;
double pool(double x) {
    static slot s[4]; uint16_t head = 0; uint32_t handle[3]; double r = 0;
    for (int i = 0; i < 4; i++) { s[i].gen = i; s[i].next = i + 1; }
    for (int i = 0; i < 3; i++) { handle[i] = (uint32_t)s[head].gen << 16 | head; s[head].at = x*(i + 1); head = s[head].next; }
    for (int i = 0; i < 3; i++) { slot *q = &s[handle[i] & 0xffff]; q->gen++; if (q->gen == (handle[i] >> 16) + 1) r += q->at; }
    return r + x*x - 5*x; }
double setting(double x) { char t[8] = "k=1", o[40]; sprintf(o, "%g", x); return atoi(t + 2)*x*x + x; }
"""
LOST = ["printed", "as_word", "scaled", "spelled", "elsewhere", "ciphered", "halves", "by_helpers", "one_by_one"]
FINE = ["checksum", "bins", "sorted_by_bytes", "by_exponent", "counted", "pool", "setting"]


@pytest.mark.parametrize("opt", [0, 2])
def test_numbers_that_are_put_together_from_their_own_digits(opt: int) -> None:
    program = em.compile(SOURCE, opt=opt)
    for name in LOST:
        function = program[name]
        assert abs(function(1.6) - (1.6**2 + 1.6)) < 1e-2
        for ask in (lambda f: f.grad(1.6), lambda f: em.jvp(f, (1.6,), (1.0,))):
            with pytest.raises(em.DifferentiationError) as caught:
                ask(function)
            assert caught.value.code == "EM220", name
            assert type(caught.value) is em.DifferentiationError, "no name of the package's own is shown"
            assert "text" in str(caught.value) or "bits" in str(caught.value)


@pytest.mark.parametrize("opt", [0, 2])
def test_tables_from_which_no_number_comes_back(opt: int) -> None:
    program = em.compile(SOURCE, opt=opt)
    for name in FINE:
        assert program[name](1.6) == pytest.approx(1.6**2 + 1.6), name
        assert program[name].grad(1.6) == pytest.approx(2 * 1.6 + 1), name
        assert em.jvp(program[name], (1.6,), (1.0,))[1] == pytest.approx(2 * 1.6 + 1), name
