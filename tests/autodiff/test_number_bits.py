"""Bits of numbers in integers and pointers, and numbers behind headers: a right derivative or a refusal, never a wrong number.

The programs are the product of small parts: how a number becomes bits, what is done with them, where they are kept. `MOVES` only
move bytes; `LOSSES` compute with them, so that each must be refused where a derivative would be lost. Differences are the judge.
"""

from __future__ import annotations

import itertools

import pytest

import enzyme_magic as em

HEAD = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static inline uint64_t bits(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }
static inline double num(uint64_t u) { double d; memcpy(&d, &u, 8); return d; }
"""
REFUSED = (
    "EM220",
    "EM221",
    "EM223",
    "EM224",
    "EM230",
    "EM409",
)  # EM409: by the run, where memory may hold integers, too
KEPT = {
    "value": "{v}",
    "table": "(t[k & 3] = {v}, t[k & 3])",
    "heap": "(h[0] = {v}, h[0])",
}
MOVES = {
    "same": "a",
    "chosen": "(k > 0 ? a : b)",
    "halves": "((a >> 32) << 32 | (a & 0xffffffffu))",
    "exchanged": "(a ^ b ^ a ^ b ^ a)",
}
LOSSES = {
    "minimum": "(a < b ? a : b) * (uint64_t)k",
    "absolute": "(uint64_t)llabs((int64_t)a)",
    "one_more": "a + (uint64_t)k",
    "turned": "(a << 13 | a >> 51) ^ (uint64_t)k",
    "reversed": "__builtin_bswap64(a) + (uint64_t)k",
    "counted": "a + (uint64_t)__builtin_popcountll(a)",
    "divided": "a / (uint64_t)k",
}
MADE = {"number": "num({v})", "converted": "(double)({v}) * 1e-16"}


def _functions() -> dict[str, tuple[str, bool]]:
    """(text, whether it must be refused) by name."""
    found: dict[str, tuple[str, bool]] = {}
    operations = [*MOVES.items(), *LOSSES.items()]
    for (kept, form), (name, operation), (made, result) in itertools.product(KEPT.items(), operations, MADE.items()):
        text = result.format(v=form.format(v=operation))
        function = f"{kept}_{name}_{made}"
        body = f"uint64_t a = bits(x*x), b = bits(3*x), t[4] = {{1, 2, 3, 4}}, *h = malloc(8); double r = {text};"
        line = f"double {function}(double x, int k) {{ {body} free(h); return r + 0*t[0] + 0*num(b); }}"
        found[function] = (line, name in LOSSES or made == "converted")
    return found


FUNCTIONS = _functions()
OTHERS = {
    "decides": ("return (bits(x) * 31 & 1) ? x*x : x*x;", False),
    "exponent": ("return ((int)(bits(x) >> 52) - 1000)*x;", False),
    "generator": ("uint64_t s = 88172645463325252ull; s ^= s << 13; s ^= s >> 7; return x*((double)(s >> 11)*0x1p-53);", False),
    "text": ('unsigned h = 7; for (const char *s = "text"; *s; s++) h = 31*h + *s; return x*(h % 10);', False),
    "digits": ("union {float f; uint32_t i;} v; v.i = (uint32_t)((1 << 23)*((float)x + 126.94269504f)); return v.f*x;", True),
    "high_digits": ("static union {double d; struct {int j, i;} n;} e; e.n.j = 0; e.n.i = (int)(1512775.395*x + 1072632447);"
                    " return e.d*x;", True),
    "shifted_digits": ("return num((uint64_t)((int64_t)(1512775*x + 1072632447) << 32))*x;", True),
    "digits_by_another": ("return num(scaled(x) + 4607182418800017408ll)*x;", True),
    "digits_under_a_mask": ("return (num(0x3ff0000000000000 | ((uint64_t)(x*1e15) & 0xfffffffffffff)) - 1)*x;", True),
    "power": ("return num((uint64_t)((int)(x*3.3) + 1023) << 52)*x;", False),
    "digits_of_a_constant": ("uint64_t s = (uint64_t)(3.5*k); s = s*6364136223846793005ull + 1;"
                             " return (num(0x3ff0000000000000 | s >> 12) - 1)*x;", False),
    "member": ("union {double d; int64_t i;} u; u.i = (int64_t)(x*9); double j = (double)u.i; u.d = x*x; return u.d*j;", False),
    "pointer": ("void *p; double y = x*x; memcpy(&p, &y, 8); void *q = p; memcpy(&y, &q, 8); return y;", None),
    "atomic": ("uint64_t s = 0; __atomic_fetch_add(&s, bits(x*x), 5); return num(s);", True),
    "reread": ("union {double d; int64_t i;} *u = malloc(16); u->d = x*x; u[1].i = u->i; double r = (double)u[1].i*1e-18; free(u);"
               " return r;", True),
    "reread_static": ("static union {double d; int64_t i;} u[2]; u[1].d = x*x; return (double)u[1].i*1e-18;", True),
    "sorted": (
        "int64_t v[3] = {bits(x*x), bits(3*x), bits(x)};"
        " for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) if (v[j] > v[j + 1]) {"
        " int64_t c = v[j]; v[j] = v[j + 1]; v[j + 1] = c; } return num(v[0]) + 2*num(v[2]);",
        None,
    ),
    "kept_by_another": ("uint64_t s; put(&s, x*x); return num(s);", True),
    "moved_by_another": ("uint64_t s; move(&s, x*x); return num(s);", None),
    "summed": ("uint64_t v[4] = {1, 2, 3, 4}, s = 0; double y = x*x; memcpy(&v[k], &y, 8);"
               " for (int i = 0; i < 4; i++) if (i == k) s += v[i]; return num(s);", True),
}  # fmt: skip
PUT = "__attribute__((noinline)) static int64_t scaled(double x) { return (int64_t)(x*1e15); }\n"
PUT += "__attribute__((noinline)) static void put(uint64_t *p, double x) { *p = bits(x) + 1; }\n"
PUT += "__attribute__((noinline)) static void move(uint64_t *p, double x) { *p = bits(x); }\n"

BLOCKS = """
typedef struct { int n; double *w; } G;
typedef struct { double s; double *w; } C;
typedef struct { double **row, *d; } M;
typedef struct { double x; int k; } P;
__attribute__((noinline)) static void copy(void *to, const void *from, size_t n) { memcpy(to, from, n); }
static M *made(int n) {
    M *m = calloc(1, sizeof(M) + n*sizeof(double *) + n*n*sizeof(double));
    m->row = (double **)(m + 1); m->d = (double *)(m->row + n);
    for (int i = 0; i < n; i++) m->row[i] = m->d + i*n;
    return m; }
double grown(double x, int n) { G *a = malloc(sizeof(G) + 16); a->n = 1; a->w = (double *)(a + 1); a->w[0] = x*x;
    a = realloc(a, 64); a->w = (double *)(a + 1); double r = a->w[0]; free(a); return r; }
double rows(double x, int n) { M *a = made(n), *b = made(n); a->row[1][0] = x*x; memcpy(b->d, a->d, n*n*sizeof(double));
    double r = b->row[1][0]; free(a); free(b); return r; }
double by_helper(double x, int n) { M *a = made(n), *b = made(n); a->row[1][0] = x*x; copy(b->d, a->d, n*n*sizeof(double));
    double r = b->row[1][0]; free(a); free(b); return r; }
double whole(double x, int n) { size_t z = sizeof(C) + n*8; C *a = calloc(1, z), *b = calloc(1, z); a->w = (double *)(a + 1);
    a->s = x; for (int i = 0; i < n; i++) a->w[i] = x*(i + 1);
    memcpy(b, a, z); b->w = (double *)(b + 1); double r = b->s; for (int i = 0; i < n; i++) r += b->w[i]*b->w[i];
    free(a); free(b); return r; }
double cleared(double x, int n) { G *a = calloc(1, sizeof(G) + n*8); a->w = (double *)(a + 1); double r = 0;
    for (int k = 0; k < 3; k++) { for (int i = 0; i < n; i++) a->w[i] += x*x; r += a->w[1]; memset(a + 1, 0, n*8); }
    free(a); return r; }
double stretchy(double x, int n) { size_t *h = malloc(16 + 8*n); h[0] = n; double *w = (double *)(h + 2);
    for (int i = 0; i < n; i++) w[i] = x*(i + 1);
    h = realloc((size_t *)w - 2, 16 + 16*n); w = (double *)(h + 2);
    double r = 0; for (size_t i = 0; i < h[0]; i++) r += w[i]*w[i]; free(h); return r; }
double untouched(double x, int n) { G *a = malloc(sizeof(G) + n*8); a->w = (double *)(a + 1);
    for (int i = 0; i < n; i++) a->w[i] = x*i;
    double r = a->w[1]*a->w[1]; free(a); return r; }
"""
MUST_BE_RIGHT = {"untouched"}
BLOCK_NAMES = ("grown", "rows", "by_helper", "whole", "cleared", "stretchy", "untouched")


def _differ(function: em.CFunction, mode: str) -> tuple[float, float]:
    x, h = 1.5, 1e-5
    if mode == "reverse":
        found = function.grad(x, 3)
    else:
        found = function.jvp((x, 3), (1.0, None))
        found = found[-1] if isinstance(found, tuple) else found
    return float(found), (function(x + h, 3) - function(x - h, 3)) / (2 * h)


def _wrong(program: em.Program, name: str, refused: bool | None) -> list[str]:
    """What is wrong: a number, a refusal where None is allowed, none where one is demanded. None: either is allowed."""
    found: list[str] = []
    for mode in ("reverse", "forward"):
        try:
            derivative, want = _differ(program[name], mode)
        except em.EnzymeError as error:
            if refused is False or error.code not in REFUSED:
                found.append(f"{name} {mode}: {error}")
            continue
        if derivative != pytest.approx(want, rel=1e-4, abs=1e-4):
            found.append(f"{name} {mode}: {derivative} instead of {want}")
    return found


@pytest.mark.parametrize("opt", [0, 2])
def test_bits_of_numbers(opt: int) -> None:
    """A third of the products at each level; all of them every night."""
    chosen = dict(list(FUNCTIONS.items())[opt // 2 :: 5])
    _check_bits(chosen, opt)


@pytest.mark.nightly
@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_all_bits_of_numbers(opt: int) -> None:
    _check_bits(FUNCTIONS, opt)


def _check_bits(chosen: dict[str, tuple[str, bool]], opt: int) -> None:
    program = em.compile_c(HEAD + "\n".join(text for text, _ in chosen.values()), opt=opt)
    bad: list[str] = []
    for name, (_, lost) in chosen.items():
        for mode in ("reverse", "forward"):
            try:
                derivative, want = _differ(program[name], mode)
            except em.EnzymeError as error:
                if error.code not in REFUSED:
                    bad.append(f"{name} {mode}: {error}")
                continue
            if lost or derivative != pytest.approx(want, rel=1e-4):
                bad.append(f"{name} {mode}: {derivative}, differences {want}")
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("opt", [0, 1, 3])
def test_what_decides_and_what_computes(opt: int) -> None:
    lines = [f"double {name}(double x, int k) {{ {body} }}" for name, (body, _) in OTHERS.items()]
    program = em.compile_c(HEAD + PUT + "\n".join(lines), opt=opt)
    bad = [line for name, (_, refused) in OTHERS.items() for line in _wrong(program, name, refused)]
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_numbers_behind_headers(opt: int) -> None:
    program = em.compile_c(HEAD + BLOCKS, opt=opt)
    bad = [line for name in BLOCK_NAMES for line in _wrong(program, name, False if name in MUST_BE_RIGHT else None)]
    assert not bad, "\n".join(bad)
    assert all(program[name].jvp((1.5, 3), (1.0, None)) is not None for name in BLOCK_NAMES if name != "stretchy")


def _assert_right_or_refused(program, names) -> None:
    """Of functions whose derivative at 1.5 is 3, in both modes."""
    for name in names:
        function = program[name]
        for derivative in (lambda f=function: em.grad(f)(1.5), lambda f=function: em.jvp(f, (1.5,), (1.0,))[1]):
            try:
                found = derivative()
            except (em.errors.DifferentiationError, em.errors.ExecutionError):
                continue
            assert found == pytest.approx(3.0), name


BYTES = {  # the bits of a number, taken to pieces of a byte and put together again by shifts of computed width
    "variable": "for (int i = 0; i < 8; i++) { unsigned char c = (unsigned char)(u >> 8*i); w |= (uint64_t)c << 8*i; }",
    "array": "unsigned char c[8]; for (int i = 0; i < 8; i++) c[i] = (unsigned char)(u >> 8*i); memcpy(&w, c, 8);",
    "step": "unsigned char c[8]; for (int i = 0; i < 8; i++) { c[i] = u & 255; u >>= 8; }"
    " for (int i = 7; i >= 0; i--) w = w << 8 | c[i];",
    "single": "for (int i = 0; i < 64; i++) { unsigned char c = (u >> i) & 1; w |= (uint64_t)c << i; }",
}


@pytest.mark.parametrize("opt", [0, 2])
def test_bytes_taken_out_by_shifts_lose_no_derivative(opt: int) -> None:
    text = HEAD + "".join(
        f"double {name}(double x) {{ uint64_t u = bits(x*x), w = 0; {body} return num(w); }}\n"
        for name, body in BYTES.items()
    )
    program = em.compile(text, opt=opt)
    _assert_right_or_refused(program, BYTES)


# A function of its own reads the bits, and what it says of its result is no reason to believe that they are none.
ELSEWHERE = """typedef union { double d; uint64_t i; struct { uint32_t lo, hi; } w; } parts;
static uint64_t high(parts *p) { return p->i & 0xffffffff00000000ull; }
static uint64_t more(parts *p) { return p->i + (1ull << 52); }
static uint32_t half(parts *p) { return p->w.hi; }
static unsigned char byte(const void *p, int k) { return ((const unsigned char *)p)[k]; }
double masked(double x) { parts p, q; p.d = x*x; q.i = high(&p); return q.d; }
double added(double x) { parts p, q; p.d = x*x; q.i = more(&p); return q.d/2; }
double halved(double x) { parts p, q; p.d = x*x; q.d = 0; q.w.hi = half(&p); return q.d; }
double bytewise(double x) { double a = x*x, b; for (int k = 0; k < 8; k++) ((unsigned char *)&b)[k] = byte(&a, k); return b; }
"""


@pytest.mark.parametrize("opt", range(4))
def test_bits_that_another_function_reads_lose_no_derivative(opt: int) -> None:
    program = em.compile(HEAD + ELSEWHERE, opt=opt)
    _assert_right_or_refused(program, ("masked", "added", "halved", "bytewise"))


TEXT = """#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void put(char *to, double v) { sprintf(to, "%.17g", v); }
static void put_all(char *to, const char *form, ...) { va_list a; va_start(a, form); vsprintf(to, form, a); va_end(a); }
static double get(const char *from) { return strtod(from, NULL); }
static int is_short(double v) {
    char t[32]; double w; sprintf(t, "%1.15g", v); return sscanf(t, "%lg", &w) == 1 && fabs(v - w) < 1e-9; }
double near(double x) { char t[64]; snprintf(t, sizeof t, "%.17g", x*x); return atof(t) + x; }
double apart(double x) { char t[64]; put(t, x*x); return get(t) + x; }
double several(double x) { char t[64]; put_all(t, "%.17g", x*x); return get(t) + x; }
double copied(double x) { char t[64], u[64]; put(t, x*x); strcpy(u, t); return get(u) + x; }
double by_format(double x) { char t[64]; double v; put(t, x*x); sscanf(t, "%lf", &v); return v + x; }
double beside(double x) {
    char log[64], t[8]; snprintf(log, sizeof log, "x = %g", x); strncpy(t, "2.5", sizeof t); return get(t)*x*is_short(x); }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_numbers_that_are_read_from_text_they_were_written_to(opt: int) -> None:
    """Their digits carried nothing (a gradient of 1 before); text that is printed, compared or constant is none of them."""
    program = em.compile(TEXT, opt=opt)
    for name in ("near", "apart", "several", "copied", "by_format"):
        for derivative in (program[name].grad, lambda x, name=name: em.jvp(program[name], (x,), (1.0,))):
            with pytest.raises(em.DifferentiationError, match=r"EM22[01]"):
                derivative(1.5)
    assert program["beside"].grad(1.5) == 2.5


BY_HAND = r"""
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void put(char *to, double v) { sprintf(to, "%.17g", v); }
__attribute__((noinline)) static int at(const char *from, int k) { return from[k]; }
__attribute__((noinline)) static void set(char *to, int k, char c) { to[k] = c; }
__attribute__((noinline)) static double digits(const char **s) {
    double v = 0, place = 1;
    for (; **s >= '0' && **s <= '9'; ++*s) v = 10*v + (**s - '0');
    if (**s == '.') for (++*s; **s >= '0' && **s <= '9'; ++*s) v += (**s - '0')*(place /= 10);
    return v; }
double by_call(double x) { char t[64], u[64]; put(t, x*x); for (int k = 0; k < 64; k++) u[k] = at(t, k); return atof(u) + x; }
double given(double x) { char t[64], u[64]; put(t, x*x); for (int k = 0; k < 64; k++) set(u, k, t[k]); return atof(u) + x; }
double widened(double x) {
    char t[64], u[64]; int w[64]; put(t, x*x);
    for (int k = 0; k < 64; k++) w[k] = t[k];
    for (int k = 0; k < 64; k++) u[k] = w[k] == ',' ? '.' : w[k];
    return atof(u) + x; }
double spelled(double x) { char t[64]; const char *s = t; snprintf(t, sizeof t, "%.12f", x*x); return digits(&s) + x; }
"""
FILES = r"""#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void save(FILE *to, double v) { fprintf(to, "%.17g\n", v); rewind(to); }
__attribute__((noinline)) static double load(FILE *from) { double v; fscanf(from, "%lf", &v); return v; }
double a_line(double x) { char t[64]; FILE *f = tmpfile(); save(f, x*x); fgets(t, sizeof t, f); fclose(f); return atof(t) + x; }
double any_line(double x) {
    char *t = 0; size_t n = 0; FILE *f = tmpfile(); save(f, x*x); getline(&t, &n, f); fclose(f);
    double v = atof(t); free(t); return v + x; }
double by_calls(double x) { FILE *f = tmpfile(); save(f, x*x); double v = load(f); fclose(f); return v + x; }
double its_bytes(double x) {
    double v = x*x, w; FILE *f = tmpfile(); fwrite(&v, sizeof v, 1, f); rewind(f); fread(&w, sizeof w, 1, f); fclose(f);
    return w + x; }
__attribute__((noinline)) static double word(FILE *from) {
    unsigned long u; double v = 0; if (fread(&u, sizeof u, 1, from) == 1) __builtin_memcpy(&v, &u, sizeof u);
    return v; }
__attribute__((noinline)) static void number(FILE *from, double *v) { int k; if (fread(&k, sizeof k, 1, from) == 1) *v = k; }
double a_word(double x) {
    double v = x*x; FILE *f = tmpfile(); fwrite(&v, sizeof v, 1, f); rewind(f); v = word(f); fclose(f); return v + x; }
double a_number(double x) {
    int k = (int)(x*x); double v = x*x; FILE *f = tmpfile(); fprintf(f, "%g", v); rewind(f); number(f, &v); fclose(f);
    return v*k + x; }
__attribute__((noinline)) static double digits(FILE *from) {
    char c; double v = 0; while (fread(&c, 1, 1, from) == 1) v = 10*v + (c == '1' ? 1 : c == '2' ? 2 : 0);
    return v; }
double by_choice(double x) {
    FILE *f = tmpfile(); fprintf(f, "%.0f", x*x); rewind(f); double v = digits(f); fclose(f); return v + x; }
double in_memory(double x) { char t[64]; FILE *f = fmemopen(t, 64, "w"); fprintf(f, "%.17g", x*x); fclose(f); return atof(t) + x; }
double grown(double x) {
    char *t; size_t n; FILE *f = open_memstream(&t, &n); fprintf(f, "%.17g", x*x); fclose(f);
    double v = atof(t); free(t); return v + x; }
double named(double x) {
    char t[64]; sprintf(t, "%.17g", x*x); setenv("EM_TEST_NUMBER", t, 1); return atof(getenv("EM_TEST_NUMBER")) + x; }
"""
NOT_BACK = r"""
#include <stdio.h>
#include <stdlib.h>
struct part { double v; char on; };
__attribute__((noinline)) static void show(double v) { char t[64]; snprintf(t, sizeof t, "%g", v); fputs(t, stderr); }
__attribute__((noinline)) static double of(const struct part *p) { return p->on*p->v; }
double flagged(double x) { struct part p = {x*x, 1}; show(p.v); return of(&p); }
double setting(double x) {
    char t[8]; const char *s = "a=2.5"; int n = 0;
    for (s += 2; *s; s++) t[n++] = *s;
    t[n] = 0; show(x); return atof(t)*x; }
__attribute__((noinline)) static double sum(const char **s, double x) {
    double v = 0; for (; **s; ++*s) v += (**s - '0')*x;
    show(v); return v; }
double told(double x) { const char *s = "12"; return sum(&s, x*x); }
double input(double x) {
    double k = 2.5; FILE *f = tmpfile(); fprintf(stderr, "%g", x); fscanf(f, "%lf", &k); fclose(f); return k*x; }
static FILE *journal;
struct net { int n; double *w; };
__attribute__((noinline)) static void seed(void) {
    FILE *f = fopen("/dev/urandom", "r"); unsigned s = 4;
    if (f) { if (fread(&s, sizeof s, 1, f) != 1) s = 5; fclose(f); }
    srand(s); }
__attribute__((noinline)) static void report(struct net *a) { if (journal) fprintf(journal, "%f", a->w[0]); }
__attribute__((noinline)) static struct net *net(int n) {
    struct net *a = calloc(1, sizeof *a); seed(); a->n = n; a->w = calloc(n, sizeof(double)); report(a); return a; }
double seeded(double x) {
    struct net *a = net(2); a->w[1] = x*x; report(a); double r = a->w[0] + a->w[1]; free(a->w); free(a); return r; }
"""


def _assert_refused(code: str, opt: int, names: str, words: str) -> None:
    program = em.compile(code, opt=opt)
    for name in names.split():
        for derivative in (program[name].grad, lambda x, name=name: em.jvp(program[name], (x,), (1.0,))):
            with pytest.raises(em.DifferentiationError, match=words):
                derivative(1.5)


@pytest.mark.parametrize("opt", [0, 2])
def test_text_of_numbers_that_is_copied_by_characters_and_read(opt: int) -> None:
    """Characters are integers, and carried nothing: gradients of 1 before."""
    _assert_refused(BY_HAND, opt, "by_call given widened spelled", "is read from text")


@pytest.mark.parametrize("opt", [0, 2])
def test_numbers_that_are_written_to_files_and_read_again(opt: int) -> None:
    """Files were not followed at all: gradients of 1 before."""
    names = "a_line any_line by_calls its_bytes a_word a_number by_choice in_memory grown named"
    _assert_refused(FILES, opt, names, "is read from (text|a file)")


@pytest.mark.parametrize("opt", [0, 2])
def test_text_and_files_from_which_no_number_comes_back(opt: int) -> None:
    program = em.compile(NOT_BACK, opt=opt)
    found = {name: program[name].grad(1.5) for name in ("flagged", "setting", "told", "input", "seeded")}
    assert found == {"flagged": 3.0, "setting": 2.5, "told": 9.0, "input": 2.5, "seeded": 3.0}
