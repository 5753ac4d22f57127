"""Words that one function takes from a block by `memcpy`, where another one put numbers.

C allows it, and nothing is declared: both agree on the block alone. Such words carry the numbers' derivatives wherever they go, or
the derivative is refused.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em

HEAD = """#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NI static __attribute__((noinline))
typedef struct { void *block; int bytes; } O;
typedef struct { uint64_t a, b; } W;
NI O *of(int bytes) { O *o = calloc(1, sizeof *o); o->block = malloc(bytes); o->bytes = bytes; return o; }
NI O *twin(const O *p) { O *q = of(p->bytes); memcpy(q->block, p->block, p->bytes); return q; }
NI double number(uint64_t u) { double v; memcpy(&v, &u, 8); return v; }
"""
PUT = {
    "by memcpy": "NI O *put(double x) { O *o = of(16); double y = x*x; memcpy(o->block, &x, 8);"
    " memcpy((char *)o->block + 8, &y, 8); return o; }",
    "stored": "NI O *put(double x) { O *o = of(16); double *d = o->block; d[0] = x; d[1] = x*x; return o; }",
    "in a loop": "NI O *put(double x) { O *o = of(16); double *d = o->block, z = x; for (int i = 0; i < 2; i++, z *= x) d[i] = z;"
    " return o; }",
    "by a callee": "NI void set(void *at, double v) { memcpy(at, &v, 8); }"
    "NI O *put(double x) { O *o = of(16); set(o->block, x); set((char *)o->block + 8, x*x); return o; }",
    "beside an integer": "NI O *put(double x) { struct { double a, b; int n; } s = {x, x*x, 3}; O *o = of(24);"
    " memcpy(o->block, &s, 24); return o; }",
}
WORD = {
    "word": "NI uint64_t word(const O *o, int k) { uint64_t u; memcpy(&u, (char *)o->block + 8*k, 8); return u; }",
    "halves": "NI uint64_t word(const O *o, int k) { uint32_t a[2]; memcpy(a, (char *)o->block + 8*k, 8);"
    " return (uint64_t)a[1] << 32 | a[0]; }",
    "by a callee": "NI void get(void *to, const void *from, int n) { memcpy(to, from, n); }"
    "NI uint64_t word(const O *o, int k) { uint64_t u; get(&u, (char *)o->block + 8*k, 8); return u; }",
    "array": "NI uint64_t *words(const O *o) { uint64_t *w = malloc(24); memcpy(w, o->block, o->bytes); return w; }"
    "NI uint64_t at(const uint64_t *w, int k) { return w[k]; }"
    "NI uint64_t word(const O *o, int k) { return at(words(o), k); }",
    "struct": "NI void words(W *w, const O *o) { memcpy(w, o->block, 8*(o->bytes/8 - o->bytes/24)); }"
    "NI uint64_t at(const W *w, int k) { return k ? w->b : w->a; }"
    "NI uint64_t word(const O *o, int k) { W w; words(&w, o); return at(&w, k); }",
    "variable": "static uint64_t all[3]; NI void words(const O *o) { memcpy(all, o->block, o->bytes); }"
    "NI uint64_t at(int k) { return all[k]; }"
    "NI uint64_t word(const O *o, int k) { words(o); return at(k); }",
    "by a cast": "NI uint64_t word(const O *o, int k) { return k ? ((uint64_t *)o->block)[1] : *(uint64_t *)o->block; }",
}
END = "double f(double x) { O *o = put(x), *p = MADE; uint64_t u = word(p, 0), v = word(p, 1); return MAKES; }"
CASES = [(put, "word") for put in PUT] + [("stored", word) for word in WORD if word != "word"]


def derivatives(function: em.Function) -> list[float]:
    """By both modes; what is refused is left out, with an allowed code."""
    found = []
    for derivative in (function.grad, lambda x: em.jvp(function, (x,), (1.0,))[1]):
        try:
            found.append(float(derivative(1.5)))
        except em.DifferentiationError as error:
            if error.code not in {"EM220", "EM223"}:
                raise
    return found


@pytest.mark.parametrize(("made", "opt"), [("o", 0), ("twin(o)", 2)])
@pytest.mark.parametrize(("put", "word"), CASES)
def test_words_that_are_moved(put: str, word: str, made: str, opt: int) -> None:
    text = END.replace("MADE", made).replace("MAKES", "number(u)*number(v)")
    function = em.compile_c(HEAD + PUT[put] + WORD[word] + text, opt=opt).f
    assert function(1.5) == pytest.approx(1.5**3)
    assert derivatives(function) == pytest.approx([3 * 1.5**2] * 2)


@pytest.mark.parametrize(("put", "word"), CASES)
def test_words_that_are_compared(put: str, word: str) -> None:
    """The larger of two words is one of them, or refused; it is no constant."""
    text = END.replace("MADE", "o").replace("MAKES", "number(u > v ? u : v)")
    function = em.compile_c(HEAD + PUT[put] + WORD[word] + text, opt=2).f
    assert function(1.5) == pytest.approx(1.5**2)
    assert all(found == pytest.approx(3.0) for found in derivatives(function))


@pytest.mark.parametrize("opt", [0, 2])
def test_words_that_are_copied_out_of_integers(opt: int) -> None:
    """Of a chosen word of a struct of integers, into which a block was copied."""
    chosen = """NI void words(W *w, const O *o) { memcpy(w, o->block, 8*(o->bytes/8 - o->bytes/24)); }
    NI void at(void *r, const W *w, int k) { memcpy(r, k ? &w->b : &w->a, 8); }
    NI double word(const O *o, int k) { W w; words(&w, o); double r; at(&r, &w, k); return r; }
    double f(double x) { O *o = put(x), *p = twin(o); return word(p, 0)*word(p, 1); }"""
    function = em.compile_c(HEAD + PUT["stored"] + chosen, opt=opt).f
    assert derivatives(function) == pytest.approx([3 * 1.5**2] * 2)


@pytest.mark.parametrize("opt", [0, 2])
def test_pointers_as_words(opt: int) -> None:
    """Two numbers change places by way of two pointers."""
    swap = """NI void swap(O *o) { void *s, *t; char *c = o->block; memcpy(&s, c, 8); memcpy(&t, c + 8, 8);
        memcpy(c, &t, 8); memcpy(c + 8, &s, 8); }
    double f(double x) { O *o = put(x); swap(o); double *w = o->block; return w[0]*x + w[1]; }"""
    function = em.compile_c(HEAD + PUT["stored"] + swap, opt=opt).f
    assert derivatives(function) == pytest.approx([3 * 1.5**2 + 1] * 2)


BESIDE = {
    "integers of a container": """typedef struct { char *at; int n, size; } V;
        NI V *made(int size) { V *v = calloc(1, sizeof *v); v->size = size; v->at = malloc(16*size); return v; }
        NI void push(V *v, const void *e) { memcpy(v->at + v->n++*v->size, e, v->size); }
        NI void get(const V *v, int i, void *to) { memcpy(to, v->at + i*v->size, v->size); }
        double f(double x) { V *v = made(8), *w = made(8); double y = x*x, a, b; long k = 1, j; push(v, &x); push(v, &y);
            push(w, &k); get(w, 0, &j); get(v, j - 1, &a); get(v, j, &b); return a*b*j; }""",
    "a count before numbers": """NI void put(char *b, int n, const double *v) {
            memcpy(b, &n, 4); for (int i = 0; i < n; i++) memcpy(b + 4 + 8*i, v + i, 8); }
        NI double all(const char *b) { int n; memcpy(&n, b, 4); double p = 1, d;
            for (int i = 0; i < n; i++) { memcpy(&d, b + 4 + 8*i, 8); p *= d; } return p; }
        double f(double x) { char b[64]; double v[2] = {x, x*x}; put(b, 2, v); return all(b); }""",
    "texts from one allocator": """NI void *get(size_t n) { void *p = malloc(n); if (!p) exit(1); return p; }
        NI double read(const char *s) { double v = 0; while (*s) v = v*10 + (*s++ - '0'); return v; }
        NI unsigned hash(const char *s) { unsigned h, w; memcpy(&w, s, 4); h = w*2654435761u; return h % 4; }
        NI char *text(int k) { char *s = get(8); memset(s, 0, 8); s[0] = '1'; s[1] = '0' + k; return s; }
        double f(double x) { double *w = get(32); for (int i = 0; i < 4; i++) w[i] = x*x*x;
            char *s = text(0); return w[hash(s)]*read(s)/10; }""",
}


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("beside", BESIDE)
def test_integers_beside_numbers(beside: str, opt: int) -> None:
    """What is an integer stays one: where numbers come to the same functions, too, nothing is refused."""
    function = em.compile_c(HEAD + BESIDE[beside], opt=opt).f
    assert derivatives(function) == pytest.approx([3 * 1.5**2] * 2)


PAIR = """typedef struct { int w[4]; } Q;
typedef struct { int lo, hi; } P;
NI void put(Q *q, double x) { memcpy(q->w, &x, 8); }
NI double of_two(int lo, int hi) { return number((uint64_t)(unsigned)hi << 32 | (unsigned)lo); }
NI void *boxed(double x) { double *b = malloc(8); *b = x; return b; }
"""
PARTS = {
    "array of a struct": "Q a; put(&a, x); return of_two(a.w[0], a.w[1])*x;",
    "copied array of a struct": "Q a, b; put(&a, x); copy(&b, &a, sizeof a); return of_two(b.w[0], b.w[1])*x;",
    "members": "P p; take(&p, boxed(x)); return of_two(p.lo, p.hi)*x;",
    "items": "int w[2]; copy(w, boxed(x), 8); return of_two(w[0], w[1])*x;",
    "two variables": "int lo, hi; char *b = boxed(x); parts(b, &lo, &hi); return of_two(lo, hi)*x;",
}


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("member", PARTS)
def test_parts_in_smaller_integers(member: str, opt: int) -> None:
    helpers = """NI void copy(void *to, const void *from, int n) { memcpy(to, from, n); }
    NI void take(P *p, const void *b) { memcpy(p, b, sizeof *p); }
    NI void parts(const void *b, int *lo, int *hi) { memcpy(lo, b, 4); memcpy(hi, (char *)b + 4, 4); }
    """
    function = em.compile_c(HEAD + PAIR + helpers + "double f(double x) { " + PARTS[member] + " }", opt=opt).f
    assert function(1.5) == pytest.approx(2.25)
    assert derivatives(function) == pytest.approx([3.0] * 2)


HOLDERS = {
    "characters": "char blob[24];",
    "behind an integer": "int n; char blob[20];",
    "behind a wide integer": "long n; unsigned char blob[16];",
    "behind a number": "double w; char blob[16];",
    "behind a pointer": "void *w; char blob[16];",
}
COPIES = {
    "assigned": "*to->r = *from->r;",
    "by length": "memcpy(to->r->blob, from->r->blob, from->n);",
    "both words": "memcpy(to->r->blob, from->r->blob, 16);",
}


@pytest.mark.parametrize(("copy", "opt"), [("assigned", 0), ("assigned", 2), ("by length", 2), ("both words", 0)])
@pytest.mark.parametrize("holder", HOLDERS)
def test_numbers_among_characters(holder: str, copy: str, opt: int) -> None:
    """One function puts a number among the characters of a struct, another copies the struct, a third reads the number."""
    text = f"""typedef struct {{ {HOLDERS[holder]} }} R; typedef struct {{ R *r; int n; }} H;
    NI H *held(void) {{ H *h = calloc(1, sizeof *h); h->r = calloc(1, sizeof(R)); h->n = 8; return h; }}
    NI void put(H *h, double x) {{ memcpy(h->r->blob, &x, 8); }}
    NI void copy(H *to, const H *from) {{ {COPIES[copy]} }}
    NI double get(const H *h) {{ double v; memcpy(&v, h->r->blob, 8); return v; }}
    double f(double x) {{ H *a = held(), *b = held(); put(a, x*x); copy(b, a); return get(b)*x; }}"""
    function = em.compile_c(HEAD + text, opt=opt).f
    assert derivatives(function) == pytest.approx([3 * 1.5**2] * 2)


@pytest.mark.parametrize("opt", [0, 2])
def test_names_beside_numbers(opt: int) -> None:
    """Texts in structs whose numbers others set are texts: nothing is refused."""
    text = """typedef struct { char name[8]; double v; int k; } R; typedef struct { R *r; int n; } H;
    NI void put(H *h, int k, const char *name, double x) { strcpy(h->r[k].name, name); h->r[k].v = x; h->r[k].k = k; }
    NI void swap(H *h, int i, int j) { R t = h->r[i]; h->r[i] = h->r[j]; h->r[j] = t; }
    NI int find(const H *h, const char *s) { for (int i = 0; i < 3; i++) if (!strcmp(h->r[i].name, s)) return i; return -1; }
    NI unsigned hash(const H *h, int k) { unsigned u; memcpy(&u, h->r[k].name, 4); return u; }
    double f(double x) { H *h = calloc(1, sizeof *h); h->r = calloc(4, sizeof(R)); put(h, 0, "aa", x); put(h, 1, "bb", x*x);
        put(h, 2, "cc", x*x*x); swap(h, 0, 2);
        return h->r[find(h, "aa")].v*h->r[find(h, "bb")].v*(hash(h, 0) == hash(h, 1) ? 2 : 1); }"""
    function = em.compile_c(HEAD + text, opt=opt).f
    assert derivatives(function) == pytest.approx([3 * 1.5**2] * 2)
