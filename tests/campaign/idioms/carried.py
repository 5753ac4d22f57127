"""Bits of numbers in integers and pointers, and numbers of other widths."""

from __future__ import annotations

from .code import Code, Use

BITS = "static inline uint64_t <p>_bits(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }\n"
BACK = "static inline double <p>_back(uint64_t u) { double d; memcpy(&d, &u, 8); return d; }"


def bits_in_table(use: Use) -> Code:
    """Bits in a table of integers at an index that is known at run time."""
    table = use.random.choice([("uint64_t t[4] = {1, 2, 3, 4};", ""), ("uint64_t *t = calloc(4, 8);", "free(t);")])
    moved = use.pick(
        "t[(at + 1) % 4] = t[at];",
        "uint64_t s = t[at]; t[at] = t[(at + 1) % 4]; t[(at + 1) % 4] = s;",
        "t[(at + 1) % 4] = <p>_bits(<b>);",
    )
    body = f"""
{table[0]}
int at = <n> {use.pick("% 4", "% 3", "& 1")};
{use.pick("t[at] = <p>_bits(<a>*<a>*0.5);", "double y = <a>*<b>; memcpy(&t[at], &y, 8);")}
{moved}
<r> = <p>_back(t[(at + 1) % 4]) + {use.pick("<b>", "0.3*<a>")};
{table[1]}"""
    return Code("\n" + BITS + BACK, body)


def kept_elsewhere(use: Use) -> Code:
    """Numbers that one function puts into integers or pointers, and others move on and take out."""
    support = f"""
typedef {use.pick("uint64_t", "void *")} <p>_W;
typedef struct {{ <p>_W *at; int n; }} <p>_T;
{use.place()} void <p>_in(<p>_W *t, const double *d, int n) {{ memcpy(t, d, n*sizeof(double)); }}
{use.place()} void <p>_put(<p>_T *t, int i, double d) {{ memcpy(t->at + i, &d, 8); }}
{use.place()} void <p>_turn(<p>_W *t, int n) {{
    for (int i = 0; i < n/2; i++) {{ <p>_W w = t[i]; t[i] = t[n-1-i]; t[n-1-i] = w; }} }}
{use.place()} void <p>_out(<p>_T *t, double *d) {{ for (int i = 0; i < t->n; i++) memcpy(d + i, t->at + i, 8); }}
{use.place()} void <p>_copy(void *to, const void *from, long size) {{ memcpy(to, from, size); }}"""
    body = f"""
<p>_W w[3], *k = {use.pick("w", "malloc(3*sizeof(<p>_W))")};
<p>_T t = {{k, 3}};
double d[3] = {{<a>*<a>*0.3, <b>, <a>*<b>*0.2}}, e[3];
{use.pick("<p>_in(k, d, 3);", "for (int i = 0; i < 3; i++) <p>_put(&t, i, d[i]);", "<p>_copy(k, d, 3*sizeof(double));")}
{use.pick("<p>_turn(k, 3);", "<p>_turn(t.at, 2);", "")}
{use.pick("<p>_out(&t, e);", "<p>_copy(e, k, 3*sizeof(double));", "memcpy(e, t.at, 3*sizeof(double));")}
<r> = e[0] + 0.5*e[1]*e[2];
if (k != w) free(k);"""
    return Code(support, body)


def bits_computed(use: Use) -> Code:
    """Bits that are taken apart, or computed with; what is not undone must be refused."""
    change = use.pick(
        "u = __builtin_bswap64(u); u = __builtin_bswap64(u);",
        "uint32_t lo = (uint32_t)u, hi = (uint32_t)(u >> 32); u = (uint64_t)hi << 32 | lo;",
        "u ^= 0x8000000000000000u;",
        "u &= 0x7fffffffffffffffu;",
        "u = u*1 + 0;",
        "uint64_t w = <p>_bits(<b>*<b> + 4); u = u < w ? u : w;",
        "uint64_t w = <p>_bits(<b>); u ^= w; w ^= u; u ^= w;",
        "int64_t w; memcpy(&w, &u, 8); if (w < 0) w = -w; memcpy(&u, &w, 8); u &= 0x7fffffffffffffffu; if (!(u >> 52)) u = 0;",
        "unsigned char c[8]; for (int i = 0; i < 8; i++) c[i] = (unsigned char)(u >> 8*i); u = 0; for (int i = 0; "
        "i < 8; i++) u |= (uint64_t)c[i] << 8*i;",
    )
    return Code("\n" + BITS + BACK, f"\nuint64_t u = <p>_bits(<a>*<a>*0.3 + 0.5);\n{change}\n<r> = <p>_back(u) + <b>;")


def parts_of_numbers(use: Use) -> Code:
    """Words of numbers that go on without the rest: moved, put together again, looked at, or taken for numbers of their own."""
    width = use.pick("uint32_t", "uint16_t", "unsigned char")
    kept = use.random.choice(
        [
            (f"{width} t[32] = {{0}};", ""),
            (f"static {width} t[32]; memset(t, 0, sizeof t);", ""),
            (f"{width} *t = calloc(32, sizeof *t);", "free(t);"),
        ]
    )
    count = f"(int)(16/sizeof({width}))"
    moved = use.pick(
        f"for (int i = 0; i < {count}; i++) t[i] = w[i];\nfor (int i = 0; i < {count}; i++) w[i] = t[i];",
        f"for (int i = 0; i < {count}; i++) t[31 - i] = w[i];\nfor (int i = 0; i < {count}; i++) w[i] = t[31 - i];",
        f"for (int i = 0; i < {count}/2; i++) {{ {width} c = w[i]; w[i] = w[i + {count}/2]; w[i + {count}/2] = c; }}",
        f"t[<n> % {count}] = w[<n> % {count}];\nw[<n> % {count}] = t[<n> % {count}];",
        "uint32_t h = 7; for (int i = 0; i < COUNT; i++) h = 31*h + w[i];\nif (h == 12345) y[0] = 0;".replace(
            "COUNT", count
        ),
        "uint32_t h = w[0]; t[h % 32] = w[0]; w[0] = t[h % 32];",
        f"{width} all = 0; for (int i = 0; i < {count}; i++) all ^= w[i];\nt[0] = all; e += 1e-3*t[0];",
        "t[<n> % 4] = w[0]; for (int i = 0; i < 4; i++) e += 1e-3*t[i];",
    )
    body = f"""
{kept[0]}
double e = 0, y[2] = {{<a>*<a>*0.3, <b>}};
{width} w[{count}];
memcpy(w, y, 16);
{moved}
{use.pick("memcpy(y, w, 16);", "memcpy(&y[0], w, 8); memcpy(&y[1], &w[sizeof y/sizeof w[0]/2], 8);")}
{kept[1]}
<r> = y[0]*0.5 + y[1] + e;"""
    return Code("", body)


def words_over_numbers(use: Use) -> Code:
    """Numbers among words, some of which are set to the bits of a constant, word by word or at once."""
    words = "typedef struct { uint32_t lo, hi; } <p>_W;"
    put = use.pick("memcpy(&w[k], &v, 8);", "<p>_W u; memcpy(&u, &v, 8); w[k] = u;")
    constant = use.pick(
        "w[k].lo = 0; w[k].hi = 0x40080000;",
        "uint32_t *t = &w[k].lo; for (int i = 0; i < 2; i++) memcpy(t + i, &(uint32_t){i ? 0x3ff80000 : 0}, 4);",
        "w[k] = (<p>_W){0, 0x3fe00000};",
        "static const uint32_t t[] = {0, 0x40000000}; memcpy(&w[k], t, 8);",
        "w[k] = w[(k + 1) % 3];",
    )
    read = use.pick(
        "double v; memcpy(&v, &w[k], 8); return v;", "<p>_W u = w[k]; double v; memcpy(&v, &u, 8); return v;"
    )
    support = f"""
{words}
{use.place()} void <p>_put(<p>_W *w, int k, double v) {{ {put} }}
{use.place()} void <p>_set(<p>_W *w, int k) {{ {constant} }}
{use.place()} double <p>_get(const <p>_W *w, int k) {{ {read} }}"""
    kept = use.random.choice(
        [("<p>_W w[3];", ""), ("<p>_W *w = malloc(3*sizeof *w);", "free(w);"), ("static <p>_W w[3];", "")]
    )
    body = f"""
{kept[0]}
<p>_put(w, 0, <a>); <p>_put(w, 1, <b>*0.5); <p>_put(w, 2, <a>*<b>*0.3);
{use.pick("<p>_set(w, <n> % 3);", "<p>_set(w, 1);", "if (<n> > 3) <p>_set(w, 2);", "<p>_set(w, 0); <p>_put(w, 0, <b>);")}
<r> = <p>_get(w, 0) + <p>_get(w, 1)*<p>_get(w, 2);
{kept[1]}"""
    return Code(support, body)


def pointer_carrier(use: Use) -> Code:
    """A number in a pointer's slot, or a pointer in an integer's."""
    body = use.pick(
        "void *slot; double y = <a>*<a>*0.5; memcpy(&slot, &y, 8); void *other = slot; memcpy(&<r>, &other, 8); <r> += <b>;",
        "void *slots[2] = {0}; double y = <a>*<b>; memcpy(&slots[<n> & 1], &y, 8); memcpy(&y, &slots[<n> & 1], 8); <r> = y;",
        "double y = <a>*<b>; uintptr_t at = (uintptr_t)&y; double *q = (double *)at; *q += <a>; <r> = y*0.5;",
        "double y[2] = {<a>, <b>}; uintptr_t at = (uintptr_t)y + 8*(<n> & 1); <r> = *(double *)at + y[0];",
        "double y[2] = {<a>*<a>, <b>}; intptr_t apart = (char *)&y[1] - (char *)&y[0]; "
        "<r> = *(double *)((char *)y + apart)*y[0]*0.3;",
        "double y = sin(<a>); double *q = &y; void *p; memcpy(&p, &q, sizeof p); <r> = *(double *)p + <b>;",
    )
    return Code("", "\n" + body)


def addresses(use: Use) -> Code:
    """The address of a local variable that others know: a pointer in a static variable, or an integer, which may be refused."""
    support = """
static double *<p>_at;
static uintptr_t <p>_word;
PLACE void <p>_keep(double *p) { <p>_at = p; }
PLACE double <p>_kept(double x) { return <p>_at[0]*x; }
PLACE void <p>_change(double x) { <p>_at[0] = <p>_at[0]*0.5 + x; }
PLACE void <p>_put(uintptr_t *s, uintptr_t v) { *s = v; }
PLACE uintptr_t <p>_next(const double *p) { return (uintptr_t)(p + 1); }
PLACE double <p>_behind(uintptr_t v, double x) { return *(double *)(v & ~(uintptr_t)1)*x*0.3; }
PLACE double <p>_halves(uint32_t lo, uint32_t hi) { return *(double *)((uintptr_t)lo | (uintptr_t)hi << 32); }
PLACE void <p>_copied(uintptr_t *u, double *p) { memcpy(u, &p, sizeof p); }
PLACE void <p>_moved(uintptr_t *s, const uintptr_t *u) { *s = *u; }
PLACE void <p>_further(uintptr_t *s, const uintptr_t *u) { *s = *u + 8; }
PLACE ptrdiff_t <p>_apart(const double *p, const double *q) { return q - p; }"""
    body = use.pick(
        "<p>_keep(y + 1); <r> = <p>_kept(<b>)*0.3;",
        "<p>_keep(y); <p>_change(<b>); <r> = y[0] + y[1]*0.3;",
        "<p>_keep(y); <p>_change(<b>); <p>_keep(y + 1); <p>_change(y[0]); <r> = y[0]*0.3 + y[1];",
        "<r> = <p>_behind((uintptr_t)y | (<n> & 1), <b>) + y[1];",
        "<r> = *(double *)<p>_next(y) + y[0]*0.1;",
        "uintptr_t v = (uintptr_t)(y + 1); <r> = <p>_halves((uint32_t)v, (uint32_t)(v >> 32)) + y[0];",
        "uintptr_t s; double *q; <p>_put(&s, (uintptr_t)y); memcpy(&q, &s, 8); <r> = <n> > 1 ? y[1] + q[0]*0.3 : 0;",
        "uintptr_t u, s; double *q; <p>_copied(&u, y); <p>_moved(&s, &u); memcpy(&q, &s, 8); <r> = q[1] + y[0]*0.3;",
        "uintptr_t u, s; double *q; <p>_copied(&u, y); <p>_further(&s, &u); memcpy(&q, &s, 8); <r> = q[0] + y[0]*0.3;",
        "uintptr_t u[2]; double *q; <p>_copied(&u[<n> & 1], y); u[<n> & 1] += 8; memcpy(&q, &u[<n> & 1], 8); <r> = *q*y[0];",
        "<p>_word = (uintptr_t)y; <r> = *(double *)<p>_word + y[1];",
        "double *q = (double *)((uintptr_t)y + 8*(uintptr_t)<p>_apart(y, y + 1)); <r> = *q + y[0]*0.2;",
    )
    return Code(support.replace("PLACE", use.place()), f"\ndouble y[2] = {{<a>*<b>*0.4, sin(<a>)}};\n{body}")


def long_doubles(use: Use) -> Code:
    """Sums and structs of long doubles."""
    support = f"""
typedef struct {{ {use.pick("int n; long double v;", "long double v; int n;", "long double v, w;")} }} <p>_L;
{use.place()} long double <p>_dot(const double *u, const double *v, int n) {{ long double s = 0; for (int i = 0;
    i < n; i++) s += (long double)u[i]*v[i]; return s; }}"""
    body = f"""
double u[3] = {{<a>, <b>, sin(<a>)}}, v[3] = {{0.3, <a>, <b>}};
<p>_L l = {{0}}, m;
l.v = <p>_dot(u, v, 3)*0.3L;
{use.pick("m = l;", "memcpy(&m, &l, sizeof m);", "m.v = l.v*l.v*0.2L;", "m = <n> > 2 ? l : (<p>_L){0};")}
<r> = (double){use.pick("m.v", "sinl(m.v)", "(m.v + l.v)*0.5L", "sqrtl(1 + m.v*m.v)")};"""
    return Code(support, body)


def floats_among_doubles(use: Use) -> Code:
    """Floats in arrays and structs beside doubles."""
    support = f"""
typedef struct {{ {use.pick("float f; int k; double d;", "double d; float f, g;", "float f, g, h; double d;")} }} <p>_M;
{use.place()} float <p>_half(float v) {{ return 0.5f*v; }}"""
    change = use.pick(
        "float t[2]; memcpy(t, w, sizeof t); w[1] = t[0];",
        "w[1] = <p>_half(w[0]) + (float)m.d;",
        "m.d += w[0]*w[1];",
        "<p>_M other = m; m.f = (float)other.d; m.d = other.f;",
    )
    body = f"""
float w[2] = {{(float)(<a>*<b>), (float)sin(<a>)}};
<p>_M m = {{0}}; m.f = w[0]; m.d = <b>;
{change}
<r> = 0.3*w[0]*w[1] + m.f*m.d*0.2;"""
    return Code(support, body)


IDIOMS = {
    "bits in a table": bits_in_table,
    "numbers kept elsewhere": kept_elsewhere,
    "bits computed with": bits_computed,
    "parts of numbers": parts_of_numbers,
    "words over numbers": words_over_numbers,
    "pointer as carrier": pointer_carrier,
    "addresses that others know": addresses,
    "long double": long_doubles,
    "floats among doubles": floats_among_doubles,
}
