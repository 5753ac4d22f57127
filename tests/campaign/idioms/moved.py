"""Bytes that are moved by code that does not know what they hold: vectors, rings, swaps, sorts, maps."""

from __future__ import annotations

from .code import Code, Use

ITEM = ("double v; int id;", "int id; double v;", "float f; int id; double v;", "double v; float f; char id;")


def growing_vector(use: Use) -> Code:
    """A vector of doubles or structs that doubles its room."""
    struct = use.random.random() < 0.5
    item = "<p>_T" if struct else "double"
    value, get = ("(<p>_T){.v = x, .id = 2}", ".v") if struct else ("x", "")
    support = f"""
typedef struct {{ {use.pick(*ITEM)} }} <p>_T;
typedef struct {{ {item} *d; size_t n, cap; }} <p>_V;
{use.place()} void <p>_push(<p>_V *v, double x) {{
    if (v->n == v->cap) {{ v->cap = v->cap ? 2*v->cap : {use.pick("1", "2")}; v->d = realloc(v->d, v->cap*sizeof({item})); }}
    v->d[v->n++] = {value}; }}"""
    shrink = use.pick("", f"v.d = realloc(v.d, 2*sizeof({item})); s += v.d[0]{get}*v.d[1]{get};")
    body = f"""
<p>_V v = {{0}};
for (int i = 0; i < {use.pick("3", "5", "<n>")}; i++) <p>_push(&v, sin(<a>*i) + <b>*0.2);
double s = 0; for (size_t i = 0; i < v.n; i++) s += 0.3*v.d[i]{get}*v.d[v.n - 1 - i]{get};
{shrink}
free(v.d);
<r> = s;"""
    return Code(support, body)


def ring_buffer(use: Use) -> Code:
    """A ring of items that are copied in and out by size."""
    support = f"""
typedef struct {{ {use.pick(*ITEM)} }} <p>_T;
typedef struct {{ {use.pick("char", "unsigned char", "void")} *slots; size_t size; int cap, head, len; }} <p>_R;
{use.place()} void <p>_put(<p>_R *q, const void *item) {{
    int at = (q->head + q->len) % q->cap; q->len++;
    memcpy((char *)q->slots + at*q->size, item, q->size); }}
{use.place()} void <p>_get(<p>_R *q, void *item) {{
    memcpy(item, (char *)q->slots + q->head*q->size, q->size); q->head = (q->head + 1) % q->cap; q->len--; }}"""
    item, value, get = use.random.choice([("<p>_T", "{.v = x, .id = 3}", ".v"), ("double", "x", "")])
    body = f"""
<p>_R q = {{malloc(3*sizeof({item})), sizeof({item}), 3, 0, 0}};
double s = 0;
for (int i = 0; i < {use.pick("4", "<n>")}; i++) {{
    double x = <a>*0.5 + sin(<b>*i); {item} in = {value}, out;
    <p>_put(&q, &in);
    if (q.len == 2) {{ <p>_get(&q, &out); s += out{get}*out{get}*0.3; }}
}}
free(q.slots);
<r> = s;"""
    return Code(support, body)


def typed_ring(use: Use) -> Code:
    """A ring of doubles in a struct, as a moving mean keeps it."""
    body = f"""
struct {{ double v[3]; int at; double sum; }} ring = {{{{0}}, 0, 0}};
double s = 0;
for (int i = 0; i < <n>; i++) {{
    double x = <a>*cos(<b> + i);
    ring.sum += x - ring.v[ring.at]; ring.v[ring.at] = x; ring.at = (ring.at + 1) % 3;
    {use.pick("s += ring.sum*0.2;", "s += ring.sum*x*0.1;", "s = 0.5*s + ring.v[(ring.at + 1) % 3];")}
}}
<r> = s;"""
    return Code("", body)


SWAPS = (
    "char t[64]; memcpy(t, p, size); memcpy(p, q, size); memcpy(q, t, size);",
    "void *t = malloc(size); memcpy(t, p, size); memmove(p, q, size); memcpy(q, t, size); free(t);",
    "char *u = p, *v = q; while (size--) { char t = *u; *u++ = *v; *v++ = t; }",
    "unsigned char *u = p, *v = q; for (size_t i = 0; i < size; i++) { unsigned char t = u[i]; u[i] = v[i]; v[i] = t; }",
    "typedef uint64_t __attribute__((may_alias)) word; word *u = p, *v = q;"
    " for (size_t i = 0; i < size/8; i++) { word t = u[i]; u[i] = v[i]; v[i] = t; }",
)


def generic_swap(use: Use) -> Code:
    """Two items exchanged through void pointers."""
    fields = use.pick(
        "double v; long id;", "double v, w;", "long id; double v;", "double v;", "double v; int id; float f;"
    )
    support = f"""
typedef struct {{ {fields} }} <p>_T;
{use.place()} void <p>_swap(void *p, void *q, size_t size) {{ {use.pick(*SWAPS)} }}"""
    body = f"""
<p>_T t[3] = {{{{.v = <a>*<a>}}, {{.v = sin(<b>)}}, {{.v = 0.5}}}};
double u = <a>, w = <b>;
<p>_swap(&t[0], &t[{use.pick("1", "2", "<n> % 2 + 1")}], sizeof(<p>_T));
{use.pick("<p>_swap(&u, &w, sizeof u);", "<p>_swap(&u, &t[2].v, sizeof u);", "")}
<r> = t[0].v + 2*t[1].v*t[2].v*0.2 + 0.7*u - 0.3*w;"""
    return Code(support, body)


def sorted_structs(use: Use) -> Code:
    """Insertion sort of structs that are moved as bytes, by a comparison that is handed over."""
    support = f"""
typedef struct {{ {use.pick(*ITEM)} }} <p>_T;
{use.place()} int <p>_less(const void *p, const void *q) {{ return ((const <p>_T *)p)->v < ((const <p>_T *)q)->v; }}
{use.place()} void <p>_sort(void *base, int count, size_t size, int (*less)(const void *, const void *)) {{
    char *d = base, t[sizeof(<p>_T)];
    for (int i = 1; i < count; i++) {{
        memcpy(t, d + i*size, size);
        int j = i;
        for (; j > 0 && less(t, d + (j - 1)*size); j--) {use.pick("memcpy", "memmove")}(d + j*size, d + (j - 1)*size, size);
        memcpy(d + j*size, t, size);
    }}
}}"""
    body = f"""
<p>_T t[4];
for (int i = 0; i < 4; i++) {{ t[i] = (<p>_T){{0}}; t[i].v = sin(<a>*(i + 1.3)) + <b>*0.1*i; t[i].id = i; }}
<p>_sort(t, 4, sizeof t[0], <p>_less);
<r> = 0; for (int i = 0; i < 4; i++) <r> += (i + 1)*t[i].v*{use.pick("1.0", "(1 + t[i].id % 2)", "t[i].v")};"""
    return Code(support, body)


def library_sort(use: Use) -> Code:
    """Structs or pointers to them are sorted by the C library; one is looked up there by its number."""
    pointers = use.random.random() < 0.4
    item, element = ("<p>_T *", "(*(<p>_T *const *)") if pointers else ("<p>_T ", "((const <p>_T *)")
    support = f"""
typedef struct {{ {use.pick(*ITEM)} }} <p>_T;
{use.place()} int <p>_up(const void *p, const void *q) {{
    double a = {element}p)->v, b = {element}q)->v; {use.pick("return a < b ? -1 : a > b;", "return (a < b) - (a > b);")} }}
{use.place()} int <p>_by_id(const void *p, const void *q) {{ return {element}p)->id - {element}q)->id; }}
{use.place()} int <p>_is(const void *key, const void *q) {{ return *(const int *)key - {element}q)->id; }}"""
    value, dot = ("&all[i]", "->") if pointers else ("all[i]", ".")
    body = f"""
<p>_T all[5]; {item}t[5]; int count = {use.pick("4", "5", "2 + abs(<n>) % 3")}, key = 2;
for (int i = 0; i < count; i++) {{ all[i] = (<p>_T){{0}}; all[i].v = sin(<a>*(i + 1.3)) + <b>*0.1*i; all[i].id = (3*i + 1)%5; }}
for (int i = 0; i < count; i++) t[i] = {value};
qsort(t, count, sizeof t[0], <p>_up);
<r> = 0; for (int i = 0; i < count; i++) <r> += (i + 1)*t[i]{dot}v*{use.pick("1.0", f"(1 + t[i]{dot}id % 2)", f"t[i]{dot}v")};
qsort(t, count, sizeof t[0], <p>_by_id);
{item}*e = bsearch(&key, t, count, sizeof t[0], <p>_is);
if (e) <r> += {use.pick("0.5", "<a>")}*{"(*e)->v" if pointers else "e->v"};"""
    return Code(support, body)


def generic_list(use: Use) -> Code:
    """A list whose links carry bytes of any item."""
    support = f"""
typedef struct <p>_L {{ struct <p>_L *next; {use.pick("size_t size;", "")} char data[]; }} <p>_L;
{use.place()} <p>_L *<p>_cons(<p>_L *next, const void *item, size_t size) {{
    <p>_L *l = malloc(sizeof(<p>_L) + size); l->next = next; memcpy(l->data, item, size); return l; }}"""
    body = f"""
<p>_L *list = NULL;
for (int i = 0; i < {use.pick("3", "<n>")}; i++) {{ double x = <a>*0.4*i + sin(<b>); list = <p>_cons(list, &x, sizeof x); }}
double s = 0;
while (list) {{ double x; memcpy(&x, list->data, sizeof x); s = 0.6*s + x*{use.pick("x", "1.0", "sin(x)")};
    <p>_L *l = list->next; free(list); list = l; }}
<r> = 0.5*s;"""
    return Code(support, body)


def hash_map(use: Use) -> Code:
    """A small table of structs that are found by a key."""
    support = f"""
typedef struct {{ {use.pick("int used; unsigned key; double v;", "double v; unsigned key; char used;")} }} <p>_E;
{use.place()} <p>_E *<p>_find(<p>_E *t, int size, unsigned key) {{
    unsigned at = key*2654435761u % size;
    while (t[at].used && t[at].key != key) at = (at + 1) % size;
    return t + at; }}
{use.place()} void <p>_set(<p>_E *t, int size, unsigned key, double v) {{
    <p>_E e = {{.used = 1, .key = key, .v = v}};
    {use.pick("*<p>_find(t, size, key) = e;", "memcpy(<p>_find(t, size, key), &e, sizeof e);")} }}"""
    memory = use.random.choice([("<p>_E *t = calloc(8, sizeof *t);", "free(t);"), ("<p>_E t[8] = {{0}};", "")])
    body = f"""
{memory[0]}
for (int i = 0; i < 5; i++) <p>_set(t, 8, i*7 % 4 + <n>, sin(<a>*i) + 0.3*<b>);
double s = 0; for (int i = 0; i < 4; i++) {{ <p>_E *e = <p>_find(t, 8, i + <n>); if (e->used) s += e->v*(i + 1)*0.5; }}
{memory[1]}
<r> = s;"""
    return Code(support, body)


def ring(use: Use) -> Code:
    """Links within structs, in a ring with a head; one that is taken out leads to itself."""
    link = "double v; <p>_L l; int k;" if use.number(0, 1) else "<p>_L l; double v; float w;"
    support = f"""
typedef struct <p>_l {{ struct <p>_l *next, *prev; }} <p>_L;
typedef struct {{ {link} }} <p>_T;
{use.place()} <p>_T *<p>_of(<p>_L *l) {{ return (<p>_T *)((char *)l - offsetof(<p>_T, l)); }}
{use.place()} void <p>_add(<p>_L *h, <p>_L *n) {{ n->next = h; n->prev = h->prev; h->prev->next = n; h->prev = n; }}
{use.place()} void <p>_out(<p>_L *n) {{ n->prev->next = n->next; n->next->prev = n->prev; n->next = n->prev = n; }}"""
    body = f"""
<p>_T t[4];
<p>_L h = {{&h, &h}};
for (int i = 0; i < 4; i++) {{ t[i].v = <a>*i + <b>; <p>_add(&h, &t[i].l); }}
<p>_out(&t[{use.number(0, 3)}].l);
<p>_out(&t[1].l); <p>_add({use.pick("&h", "h.next")}, &t[1].l);
double s = 0;
for (<p>_L *l = h.next; l != &h; l = l->next) {{ s = s*0.5 + <p>_of(l)->v; <p>_of(l)->v *= {use.pick("<a>", "0.5")}; }}
<r> = s*0.3 + <p>_of(h.prev)->v*0.1;"""
    return Code(support, body)


IDIOMS = {
    "growing vector": growing_vector,
    "ring buffer by size": ring_buffer,
    "ring of doubles": typed_ring,
    "generic swap": generic_swap,
    "sorted structs": sorted_structs,
    "library sort": library_sort,
    "generic list": generic_list,
    "hash map": hash_map,
    "ring of links": ring,
}
