"""Memory whose kind is said by a tag: unions, stack machines, expression trees."""

from __future__ import annotations

from .code import Code, Use


def tagged_union(use: Use) -> Code:
    """Values of several kinds, read as what they were last written."""
    support = f"""
typedef struct {{ int tag; union {{ double d; long i; float f; {use.pick("void *p;", "double *p;", "char s[8];")} }} u; }} <p>_V;
{use.place()} <p>_V <p>_real(double x) {{ <p>_V v; v.tag = 1; v.u.d = x; return v; }}
{use.place()} <p>_V <p>_whole(long i) {{ <p>_V v; v.tag = 0; v.u.i = i; return v; }}
{use.place()} double <p>_as(<p>_V v) {{ return v.tag == 1 ? v.u.d : v.tag == 2 ? v.u.f : (double)v.u.i; }}"""
    change = use.pick(
        "v[0] = v[1];",
        "{ <p>_V t = v[0]; v[0] = v[2]; v[2] = t; }",
        "memcpy(&v[2], &v[1], sizeof v[0]);",
        "v[2].tag = 2; v[2].u.f = (float)(<a>*0.5);",
        "",
    )
    body = f"""
<p>_V v[3];
v[0] = <p>_whole(2); v[1] = <p>_real(<a>*<b>*0.5); v[2] = <p>_real(sin(<a>));
{change}
<r> = 0; for (int i = 0; i < 3; i++) <r> += (i + 1)*0.5*<p>_as(v[i]);"""
    return Code(support, body)


def values_passed(use: Use) -> Code:
    """Values of two kinds that go from function to function in registers."""
    other = use.pick("int64_t", "int", "short", "unsigned char")
    tag = use.pick("int", "char", "int64_t")
    place = use.place()
    support = f"""
typedef struct {{ {tag} tag; union {{ double d; {other} i; {use.pick("char s[8];", "void *p;", "float f;")} }} u; }} <p>_V;
typedef struct <p>_L {{ <p>_V v; struct <p>_L *next; }} <p>_L;
{place} <p>_V <p>_real(double x) {{ <p>_V v = {{0}}; v.tag = 1; v.u.d = x; return v; }}
{place} <p>_V <p>_whole(int i) {{ <p>_V v = {{0}}; v.u.i = ({other})i; return v; }}
{use.place()} double <p>_as(<p>_V v) {{ return v.tag ? v.u.d : (double)v.u.i; }}
{use.place()} <p>_V <p>_sum(<p>_V a, <p>_V b) {{
    if (!a.tag && !b.tag) return <p>_whole((int)(a.u.i + b.u.i));
    return <p>_real(0.5*(<p>_as(a) + <p>_as(b)));
}}
{use.place()} <p>_V <p>_product(<p>_V a, <p>_V b) {{
    if (!a.tag && !b.tag) return <p>_whole((int)(a.u.i * b.u.i));
    return <p>_real(0.3*<p>_as(a)*<p>_as(b));
}}"""
    way = use.pick(
        "<p>_V r = <p>_whole(1); for (int i = 0; i < 4; i++) r = <p>_sum(r, i & 1 ? <p>_whole(i) : <p>_real(<a>*i + <b>));",
        "<p>_V (*op[2])(<p>_V, <p>_V) = {<p>_sum, <p>_product}; <p>_V r = <p>_real(<a>);\n"
        "for (int i = 0; i < 4; i++) r = op[i & 1](r, i > 1 ? <p>_whole(2) : <p>_real(sin(<b>)));",
        "<p>_L c = {<p>_real(<a>*<a>*0.2), NULL}, d = {<p>_whole(2), &c}, e = {<p>_real(<b>), &d}; <p>_V r = <p>_whole(0);\n"
        "for (<p>_L *l = &e; l; l = l->next) r = <p>_sum(r, l->v);",
        "<p>_V r = <p>_product(<n> > 4 ? <p>_real(<a>) : <p>_whole(2), <n> > 3 ? <p>_real(<b>) : <p>_whole(3));",
    )
    return Code(support, f"\n{way}\n<r> = <p>_as(r);")


def moved_union(use: Use) -> Code:
    """A union of an array and a struct that is copied whole."""
    support = f"""
typedef union {{ double v[2]; struct {{ double x, y; }} s; {use.pick("long raw[2];", "char raw[16];", "float f[4];")} }} <p>_U;
{use.place()} <p>_U <p>_turn(<p>_U u) {{ <p>_U w; w.s.x = u.v[1]; w.s.y = -u.v[0]; return w; }}"""
    body = f"""
<p>_U u = {{{{<a>, sin(<b>)}}}}, w;
{use.pick("w = <p>_turn(u);", "memcpy(&w, &u, sizeof w);", "w = u; w.v[0] *= 2;")}
{use.pick("w = <n> > 3 ? w : u;", "")}
<r> = w.s.x*w.v[1]*0.5 + u.s.y;"""
    return Code(support, body)


def stack_machine(use: Use) -> Code:
    """A small machine with a stack of numbers, or of tagged values."""
    tagged = use.random.random() < 0.5
    cell = "typedef struct { int tag; union { double d; long i; } u; } <p>_C;" if tagged else "typedef double <p>_C;"
    push = "(<p>_C){1, {.d = $}}" if tagged else "$"
    get = "stack[top - {}].u.d" if tagged else "stack[top - {}]"
    one, two = get.format(1), get.format(2)
    support = f"""
{cell}
{use.place()} double <p>_run(const char *code, double x, double y) {{
    <p>_C stack[8]; int top = 0;
    for (; *code; code++) switch (*code) {{
    case 'x': stack[top++] = {push.replace("$", "x")}; break;
    case 'y': stack[top++] = {push.replace("$", "y")}; break;
    case '+': {two} += {one}; top--; break;
    case '*': {two} *= {one}; top--; break;
    case 's': {one} = sin({one}); break;
    case 'd': stack[top] = stack[top - 1]; top++; break;
    case '%': {{ <p>_C t = stack[top - 1]; stack[top - 1] = stack[top - 2]; stack[top - 2] = t; }} break;
    default: stack[top++] = {push.replace("$", "0.5*(*code - '0')")}; break;
    }}
    return {get.format(1)}; }}"""
    program = use.pick("xy*s", "xdd**sy+", "xy%s3*+", "x2*sy1+*s", "xsydss*+")
    return Code(support, f'\n<r> = <p>_run("{program}", <a>, <b>);')


def byte_code(use: Use) -> Code:
    """A program of structs with registers, one of which is chosen at run time."""
    support = f"""
typedef struct {{ char op; unsigned char d, s; double k; }} <p>_I;
{use.place()} double <p>_run(const <p>_I *code, int count, double *reg) {{
    for (int i = 0; i < count; i++) {{
        <p>_I in = code[i];
        switch (in.op) {{
        case 0: reg[in.d] = reg[in.s]; break;
        case 1: reg[in.d] += reg[in.s]*in.k; break;
        case 2: reg[in.d] *= reg[in.s]; break;
        default: reg[in.d] = sin(reg[in.s] + in.k);
        }}
    }}
    return reg[0]; }}"""
    ops = ", ".join(
        f"{{{use.number(0, 3)}, {use.number(0, 2)}, {use.number(0, 2)}, 0.{use.number(1, 9)}}}" for _ in range(4)
    )
    body = f"""
{use.pick("static const", "const", "")} <p>_I code[4] = {{{ops}}};
double reg[3] = {{<a>*0.5, sin(<b>), 0.4}};
<r> = 0.2*<p>_run(code, 4, reg) + 0.1*reg[1];"""
    return Code(support, body)


def expression_tree(use: Use) -> Code:
    """A tree on the heap, built and evaluated by recursion."""
    support = f"""
typedef struct <p>_N {{ int op; double k; struct <p>_N *l, *r; }} <p>_N;
{use.place()} <p>_N *<p>_new(int op, double k, <p>_N *l, <p>_N *r) {{ <p>_N *t = malloc(sizeof *t); t->op = op;
    t->k = k; t->l = l; t->r = r; return t; }}
static double <p>_eval(const <p>_N *t) {{
    if (t->op == 0) return t->k;
    double l = <p>_eval(t->l);
    if (t->op == 1) return sin(l);
    double r = <p>_eval(t->r);
    return t->op == 2 ? l + r : l*r*t->k; }}
static void <p>_drop(<p>_N *t) {{ if (t) {{ <p>_drop(t->l); <p>_drop(t->r); free(t); }} }}"""
    body = f"""
<p>_N *x = <p>_new(0, <a>, NULL, NULL), *y = <p>_new(0, <b>, NULL, NULL);
<p>_N *t = <p>_new({use.number(2, 3)}, 0.5, <p>_new(1, 0, x, NULL),
    <p>_new({use.number(2, 3)}, 0.3, y, <p>_new(0, {use.pick("<a>", "0.7")}, NULL, NULL)));
<r> = <p>_eval(t);
<p>_drop(t);"""
    return Code(support, body)


def search_tree(use: Use) -> Code:
    """A binary search tree by recursion; what is asked for depends on order alone."""
    support = """
typedef struct <p>_N { double v; struct <p>_N *kid[2]; int size; } <p>_N;
static <p>_N *<p>_add(<p>_N *t, double v) {
    if (!t) { t = calloc(1, sizeof *t); t->v = v; t->size = 1; return t; }
    int right = v > t->v;
    t->kid[right] = <p>_add(t->kid[right], v); t->size++;
    return t; }
static double <p>_sum(const <p>_N *t, int depth) {
    return t ? t->v*(depth + 1)*0.3 + <p>_sum(t->kid[0], depth + 1) + <p>_sum(t->kid[1], depth + 1) : 0; }
static void <p>_drop(<p>_N *t) { if (t) { <p>_drop(t->kid[0]); <p>_drop(t->kid[1]); free(t); } }"""
    body = f"""
<p>_N *t = NULL;
for (int i = 0; i < {use.pick("3", "5")}; i++) t = <p>_add(t, sin(<a>*(i + 0.7)) + <b>*0.1*i);
<r> = <p>_sum(t, 0);
<p>_drop(t);"""
    return Code(support, body)


LISTS = """
typedef struct { <tag> tag; union { <members> } u; } <p>_V;
typedef struct <p>_C { <p>_V car, cdr; } <p>_C;
<how> void <p>_num(<p>_V *r, double d) { r->tag = 0; r->u.num = d; }
<how> void <p>_sym(<p>_V *r, int k) { r->tag = 1; r->u.sym = k; }
<how> void <p>_cons(<p>_V *r, <p>_C *c, const <p>_V *a, const <p>_V *d) {
    c->car = *a; c->cdr = *d; <p>_V v; v.tag = 2; v.u.cell = c; *r = v; }
<how> void <p>_nth(<p>_V *r, const <p>_V *p, int k) { <p>_V e = *p; while (k--) e = e.u.cell->cdr; *r = e.u.cell->car; }
static double <p>_as(const <p>_V *v) { return v->tag == 0 ? v->u.num : v->tag == 1 ? v->u.sym : 0.25*<p>_as(&v->u.cell->car); }"""


def lists_of_values(use: Use) -> Code:
    """Lists of numbers, integers and lists, in memory of one union, whatever member of it comes first."""
    members = ["double num;", "int sym;", "struct <p>_C *cell;", "long any;"]
    first = use.number(0, 3)
    order = " ".join(members[first:] + members[:first])
    support = LISTS.replace("<members>", order).replace("<tag>", use.pick("int", "char", "long"))
    support = support.replace("<how>", use.pick("static", "static __attribute__((noinline))"))
    ask = use.pick("<p>_nth(&o, &e, 1);", "<p>_nth(&o, &e, 0); <p>_nth(&o, &o, 1);", "<p>_nth(&o, &e, <n> & 1);")
    body = f"""
<p>_C *c = malloc(4*sizeof *c); <p>_V v, s, w, d, e, o;
<p>_num(&v, <a>); <p>_sym(&s, 3); <p>_num(&w, <b>*0.5);
<p>_cons(&d, c, &w, &s); <p>_cons(&d, c + 1, &v, &d); <p>_cons(&e, c + 2, &s, &s); <p>_cons(&e, c + 3, &d, &d);
{ask}
<r> = <p>_as(&o); <p>_nth(&o, &d, 0); <r> += 0.5*<p>_as(&o)*<p>_as(&e.u.cell->cdr); free(c);"""
    return Code(support, body)


VALUES = """
typedef struct { <tag> tag; union { <members> } u; } <p>_V;
<how> <p>_V <p>_num(double d) { <p>_V v = {0}; v.u.d = d; return v; }
<how> <p>_V <p>_vec(double *p) { <p>_V v = {1}; v.u.v = p; return v; }
<place> double <p>_as(const <p>_V *p) { <p>_V v = *p; if (v.tag == 0) return v.u.d;
    double s = 0; for (int i = 0; i < 2; i++) s += v.u.v[i]*(i + 1)*0.4; return s; }
<place> void <p>_choose(<p>_V *r, const <p>_V *a, const <p>_V *b, int k) { *r = k ? *a : *b; }
<place> <p>_V <p>_other(<p>_V a, <p>_V b) { return <p>_as(&a) > <p>_as(&b) ? b : a; }"""


def numbers_and_vectors(use: Use) -> Code:
    """Values that are numbers or lead to some, chosen and kept in tables, by value and by address."""
    members = ["double d;", "double *v;", use.pick("long any;", "int small;", "double *w;")]
    first = use.number(0, 2)
    support = VALUES.replace("<members>", " ".join(members[first:] + members[:first]))
    support = support.replace("<tag>", use.pick("int", "char", "long")).replace("<how>", use.place())
    support = support.replace("<place>", use.place())
    way = use.pick(
        "<p>_choose(&r, &t[0], &t[1], <n> > 3); r = <p>_other(r, t[2]);",
        "r = t[0]; for (int i = 1; i < 3; i++) r = i & 1 ? t[i] : <p>_other(r, t[i]);",
        "for (int i = 0; i < 3; i++) { <p>_choose(&r, &t[i], &t[(i + 1) % 3], i & 1); <r> += 0.3*<p>_as(&r); }",
        "<p>_V k[3]; for (int i = 0; i < 3; i++) k[2 - i] = t[i]; r = k[<n> & 1]; if (r.tag) r.u.v[0] *= <b>;",
        "<p>_V *q = &t[<n> & 1]; r = *q; if (!r.tag) r.u.d *= r.u.d*0.3; else r = <p>_num(r.u.v[1]*r.u.v[0]*0.3); *q = r;",
    )
    body = f"""
double w[3] = {{<a>, <b>*0.5, sin(<a>)}}; <p>_V t[3], r; <r> = 0;
t[0] = <p>_num(<a>*<b>*0.4); t[1] = <p>_vec(w); t[2] = {use.pick("<p>_vec(w + 1)", "<p>_num(cos(<b>))", "t[1]")};
{way}
<r> += 0.5*<p>_as(&r) + 0.1*<p>_as(&t[0]) + 0.2*<p>_as(&t[2]);"""
    return Code(support, body)


IDIOMS = {
    "numbers and vectors": numbers_and_vectors,
    "lists of values": lists_of_values,
    "tagged union": tagged_union,
    "values passed": values_passed,
    "union moved whole": moved_union,
    "stack machine": stack_machine,
    "byte code": byte_code,
    "expression tree": expression_tree,
    "search tree": search_tree,
}
