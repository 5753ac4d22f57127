"""Heap blocks that hold more than one kind of thing: headers, tables of rows, numbers behind them, arenas."""

from __future__ import annotations

from .code import Code, Use


def header_and_numbers(use: Use) -> Code:
    """A header that points to the numbers behind it in the same block; copied or moved, and pointed anew."""
    make = use.pick("malloc(sizeof(<p>_G) + m*sizeof(double))", "calloc(1, sizeof(<p>_G) + m*sizeof(double))")
    move = use.pick(
        "g = realloc(g, sizeof(<p>_G) + 2*m*sizeof(double)); g->w = (double *)(g + 1);",
        "<p>_G *h = malloc(sizeof(<p>_G) + m*sizeof(double)); memcpy(h, g, sizeof(<p>_G) + m*sizeof(double));"
        " h->w = (double *)(h + 1); free(g); g = h;",
        "<p>_G *h = malloc(sizeof(<p>_G) + m*sizeof(double)); h->n = m; h->w = (double *)(h + 1);"
        " memcpy(h->w, g->w, m*sizeof(double)); free(g); g = h;",
        "<p>_copy(g->w + 1, g->w, sizeof(double));",
        "memset(g->w + 1, 0, sizeof(double));",
        "",
    )
    fields = use.pick("int n; double *w;", "double *w; int n;", "double *w; double scale; int n;")
    support = f"""
typedef struct {{ {fields} }} <p>_G;
{use.place()} void <p>_copy(void *to, const void *from, size_t size) {{ memcpy(to, from, size); }}
{use.place()} <p>_G *<p>_make(int m) {{ <p>_G *g = {make}; g->n = m; g->w = (double *)(g + 1); return g; }}"""
    body = f"""
int m = {use.pick("3", "<n>")};
<p>_G *g = <p>_make(m);
for (int i = 0; i < m; i++) g->w[i] = i % 2 ? sin(<a> + i) : <b>*<a>*0.3;
{move}
<r> = g->w[0] + 0.5*g->w[1]*g->w[2];
free(g);"""
    return Code(support, body)


def matrix_block(use: Use) -> Code:
    """A matrix with its table of rows and its numbers in one block behind a header."""
    support = f"""
typedef struct {{ double **row, *d; int r, c; }} <p>_M;
{use.place()} <p>_M *<p>_mk(int r, int c) {{
    <p>_M *m = malloc(sizeof(<p>_M) + r*sizeof(double *) + r*c*sizeof(double));
    m->r = r; m->c = c; m->row = (double **)(m + 1); m->d = (double *)(m->row + r);
    for (int i = 0; i < r; i++) m->row[i] = m->d + i*c;
    return m; }}"""
    copy = use.pick(
        "memcpy(v->d, u->d, 4*sizeof(double));",
        "for (int i = 0; i < 2; i++) memcpy(v->row[i], u->row[i], 2*sizeof(double));",
        "for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) v->row[i][j] = u->row[j][i];",
        "memcpy(v->d, u->d, 4*sizeof(double)); { double *t = v->row[0]; v->row[0] = v->row[1]; v->row[1] = t; }",
    )
    body = f"""
<p>_M *u = <p>_mk(2, 2), *v = <p>_mk(2, 2);
for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) u->row[i][j] = <a>*(i + 1) - <b>*j*0.5;
{copy}
<r> = 0.3*v->row[0][0]*v->row[1][1] - 0.2*u->row[1][0]*v->row[0][1];
free(u); free(v);"""
    return Code(support, body)


def static_pool(use: Use) -> Code:
    """Numbers put into static bytes wherever there is room, and copied within them."""
    support = f"""
static {use.pick("char", "unsigned char")} <p>_pool[256]; static {use.pick("size_t", "int")} <p>_used;
{use.place()} void *<p>_take(size_t size) {{ void *p = <p>_pool + <p>_used; <p>_used += size; return p; }}"""
    copy = use.pick(
        "memcpy(v, u, 3*sizeof(double));",
        "memmove(v, u, 3*sizeof(double)); u[1] = 0;",
        "for (int i = 0; i < 3; i++) v[i] = u[2 - i];",
    )
    head = use.pick("", "*(int *)<p>_take(8) = 2;", "memset(<p>_take(8), 1, 8);")
    body = f"""
<p>_used = 0; {head}
double *u = <p>_take(3*sizeof(double));
for (int i = 0; i < 3; i++) u[i] = {use.pick("<a>*i + <b>", "sin(<a> + i)*<b>")};
double *v = <p>_take(3*sizeof(double));
{copy}
<r> = 0.3*v[0]*v[1] + u[1]*v[2];"""
    return Code(support, body)


def recipes_matrix(use: Use) -> Code:
    """Numerical Recipes' matrix: a table of rows with the numbers behind it, or in a block of their own."""
    joint = "double **m = malloc(r*sizeof(double *) + r*c*sizeof(double)); m[0] = (double *)(m + r);"
    apart = "double **m = malloc(r*sizeof(double *)); m[0] = calloc(r*c, sizeof(double));"
    together = use.random.random() < 0.6
    release = "free(u); free(v);" if together else "free(u[0]); free(v[0]); free(u); free(v);"
    copy = use.pick(
        "memcpy(v[0], u[0], m*m*sizeof(double));",
        "for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) v[i][j] = u[j][i];",
        "for (int i = 0; i < m*m; i++) v[0][i] = u[0][i];",
    )
    support = f"""
{use.place()} double **<p>_nr(int r, int c) {{ {joint if together else apart}
    for (int i = 1; i < r; i++) m[i] = m[i - 1] + c;
    return m; }}"""
    body = f"""
int m = {use.pick("3", "2", "<n>")};
double **u = <p>_nr(m, m), **v = <p>_nr(m, m);
for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) u[i][j] = sin(<a>*(i + 1)) + <b>*j*0.2;
{copy}
<r> = v[1][1]*v[0][0] + u[m - 1][0];
{release}"""
    return Code(support, body)


def row_table(use: Use) -> Code:
    """A table of pointers to rows, each allocated alone; rows are exchanged."""
    body = f"""
int m = {use.pick("3", "<n>")};
double **t = malloc(m*sizeof *t);
for (int i = 0; i < m; i++) {{ t[i] = malloc(2*sizeof(double)); t[i][0] = <a>*0.3*i; t[i][1] = cos(<b> + i); }}
double *s = t[0]; t[0] = t[m - 1]; t[m - 1] = s;
{use.pick("memcpy(t[1], t[0], 2*sizeof(double));", "t[1][0] += t[0][0]*t[0][1];", "t[1][1] = t[2][0];")}
<r> = 0; for (int i = 0; i < m; i++) <r> += 0.4*t[i][0]*t[i][1];
for (int i = 0; i < m; i++) free(t[i]);
free(t);"""
    return Code("", body)


def stretchy_buffer(use: Use) -> Code:
    """A buffer whose header lies before the pointer that is handed around."""
    support = f"""
typedef struct {{ size_t cap, len; }} <p>_H;
{use.place()} double *<p>_grow(double *v, size_t more) {{
    <p>_H *h = v ? (<p>_H *)v - 1 : NULL;
    size_t len = h ? h->len : 0, cap = h ? h->cap : 0;
    if (len + more > cap) {{ cap = 2*cap + more; h = realloc(h, sizeof(<p>_H) + cap*sizeof(double)); h->len = len; h->cap = cap; }}
    return (double *)(h + 1); }}
{use.place()} double *<p>_push(double *v, double x) {{ v = <p>_grow(v, 1); v[((<p>_H *)v - 1)->len++] = x; return v; }}"""
    body = f"""
double *v = NULL;
for (int i = 0; i < {use.pick("3", "4", "<n>")}; i++) v = <p>_push(v, i % 2 ? <a>*0.5 : sin(<b>*i + <a>));
<p>_H *h = (<p>_H *)v - 1;
<r> = 0; for (size_t i = 0; i < h->len; i++) <r> += v[i]*v[h->len - 1 - i]*0.5;
free(h);"""
    return Code(support, body)


def flexible_member(use: Use) -> Code:
    """A struct that ends in an array of as many numbers as were allocated."""
    head = use.pick("int n;", "int n; double first;", "double first; int n;", "char tag; int n;")
    move = use.pick(
        "g = realloc(g, sizeof *g + (m + 2)*sizeof(double));",
        "<p>_F *h = malloc(sizeof *h + m*sizeof(double)); memcpy(h, g, sizeof *g + m*sizeof(double)); free(g); g = h;",
        "memmove(g->v + 1, g->v, (m - 1)*sizeof(double));",
        "",
    )
    support = f"""
typedef struct {{ {head} double v[]; }} <p>_F;
{use.place()} double <p>_sum(const <p>_F *f) {{ double s = 0; for (int i = 0; i < f->n; i++) s += f->v[i]*(i + 1); return s; }}"""
    body = f"""
int m = {use.pick("2", "3", "<n>")};
<p>_F *g = malloc(sizeof *g + m*sizeof(double));
g->n = m;
for (int i = 0; i < m; i++) g->v[i] = 0.3*sin(<a>*i + <b>);
{move}
<r> = <p>_sum(g) + g->v[0]*g->v[1];
free(g);"""
    return Code(support, body)


def arena(use: Use) -> Code:
    """Numbers, integers and structs out of one block by moving a pointer."""
    support = f"""
typedef struct {{ char *base; size_t used; }} <p>_A;
typedef struct {{ double v; int k; }} <p>_I;
{use.place()} void *<p>_take(<p>_A *a, size_t size) {{ void *p = a->base + a->used;
    a->used += (size + 15) & ~(size_t)15; return p; }}"""
    body = f"""
<p>_A arena = {{malloc(512), 0}};
double *u = <p>_take(&arena, 3*sizeof(double));
{use.pick("int *k = <p>_take(&arena, 2*sizeof(int)); k[0] = 1; k[1] = 2;", "int k[2] = {1, 2};")}
<p>_I *item = <p>_take(&arena, sizeof *item);
u[0] = <a>; u[1] = <b>*<a>*0.3; u[2] = sin(<b>);
item->v = u[k[0]]*0.5; item->k = k[1];
{use.pick("arena.used = 0; double *w = <p>_take(&arena, 8); *w = u[2] + 1;", "double *w = <p>_take(&arena, 8); *w = u[0];")}
<r> = item->v + u[item->k]*u[1] + *w;
free(arena.base);"""
    return Code(support, body)


def handle(use: Use) -> Code:
    """A handle of a block, of which functions see the header only; copied, moved, grown by a size that a function tells."""
    place = use.place()
    fields = use.pick("size_t n;", "size_t n, cap;", "size_t deg, dim, n;", "int n; int pad; size_t cap;")
    support = f"""
struct <p>_I {{ {fields} }};
typedef struct {{ struct <p>_I *p; }} <p>_S;
{place} double *<p>_x(const <p>_S *s) {{ return (double *)(&s->p[1]); }}
{place} size_t <p>_size(const <p>_S *s) {{ return sizeof(struct <p>_I) + s->p->n*sizeof(double); }}
{place} void <p>_make(<p>_S *s, int n) {{
    s->p = malloc(sizeof(struct <p>_I) + (size_t)n*sizeof(double)); s->p->n = n;
    for (int i = 0; i < n; i++) <p>_x(s)[i] = 0; }}
{place} void <p>_copy(<p>_S *d, const <p>_S *s) {{ size_t m = <p>_size(s); d->p = malloc(m); memcpy(d->p, s->p, m); }}
{place} void <p>_grow(<p>_S *s) {{ s->p = realloc(s->p, 2*<p>_size(s)); }}
{place} void <p>_free(<p>_S *s) {{ free(s->p); s->p = 0; }}"""
    change = use.pick(
        "<p>_copy(&t, &s); <p>_x(&s)[0] = 7; <p>_free(&s); s = t;",
        "<p>_grow(&s);",
        "<p>_copy(&t, &s); for (int i = 0; i + 1 < m; i++) <p>_x(&t)[i] = <p>_x(&t)[i + 1] - <p>_x(&s)[i]; <p>_free(&s); s = t;",
        "<p>_copy(&t, &s); <p>_copy(&u, &t); <p>_free(&t); <p>_free(&s); s = u;",
        "memmove(<p>_x(&s), <p>_x(&s) + 1, (s.p->n - 1)*sizeof(double));",
    )
    body = f"""
int m = {use.pick("3", "<n>")};
<p>_S s, t, u; t.p = 0; u.p = 0;
<p>_make(&s, m);
for (int i = 0; i < m; i++) <p>_x(&s)[i] = i % 2 ? sin(<a> + i) : <b>*<a>*0.3;
{change}
<r> = <p>_x(&s)[0] + 0.5*<p>_x(&s)[1]*<p>_x(&s)[2];
<p>_free(&s);"""
    return Code(support, body)


def constructor(use: Use) -> Code:
    """An object that a function makes, with room that its caller fills."""
    extra, room, gone = use.random.choice(
        [
            ("", "", ""),
            (
                "int *at;",
                "o->at = malloc(n*sizeof(int)); for (int i = 0; i < n; i++) o->at[i] = n - 1 - i;",
                "free(o->at);",
            ),
            ("char *name;", 'o->name = malloc(8); strcpy(o->name, "ab");', "free(o->name);"),
            ("struct <p>_S *up;", "o->up = NULL;", ""),
        ]
    )
    fail = use.pick("if (!o->x) { free(o); return NULL; }", "", "if (!o) return NULL;")
    support = f"""
typedef struct <p>_S {{ {use.pick("double v; double *x;", "double *x; double v;", "int n; double *x; double v;")} {extra} }} <p>_S;
{use.place()} void *<p>_get(int n, size_t s) {{ return {use.pick("calloc(n, s)", "malloc(n*s)")}; }}
{use.place()} <p>_S *<p>_new(int n, double v) {{
    <p>_S *o = {use.pick("malloc(sizeof *o)", "calloc(1, sizeof *o)", "<p>_get(1, sizeof(<p>_S))")};
    o->v = v; {room}
    o->x = {use.pick("malloc(n*sizeof(double))", "<p>_get(n, sizeof(double))")}; {fail}
    return o; }}
{use.place()} void <p>_set(<p>_S *o, int i, double v) {{ o->x[i] = v; }}
{use.place()} void <p>_gone(<p>_S *o) {{ {gone} free(o->x); free(o); }}"""
    index = "o->at[i]" if "at" in extra else "i"
    body = f"""
<p>_S *o = <p>_new(<n>, {use.pick("<a>", "<a>*0.5", "1.5")}), *q = <p>_new(3, {use.pick("<b>", "0.5")});
for (int i = 0; i < <n>; i++) {use.pick(f"o->x[{index}] = <b>*sin(i + <a>);", "<p>_set(o, i, <b>*0.3*i);")}
for (int i = 0; i < 3; i++) {use.pick("q->x[i] = <a>*0.2*i;", "<p>_set(q, i, o->x[i]*0.4);")}
<r> = o->v*o->x[1]*0.3 + q->v*q->x[2]*0.2 + o->x[3]*0.1;
<p>_gone(o); <p>_gone(q);"""
    return Code(support, body)


IDIOMS = {
    "object of a constructor": constructor,
    "header and numbers in one block": header_and_numbers,
    "matrix in one block": matrix_block,
    "numerical recipes matrix": recipes_matrix,
    "table of rows": row_table,
    "stretchy buffer": stretchy_buffer,
    "flexible array member": flexible_member,
    "arena": arena,
    "static pool": static_pool,
    "handle of a block": handle,
}
