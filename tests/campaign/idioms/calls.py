"""Calls through pointers, state that stays, arrays of two sizes, recursion, a text read with a cursor."""

from __future__ import annotations

from .code import Code, Use


def null_callback(use: Use) -> Code:
    """A callback that may be NULL and is tested."""
    support = f"""
typedef {use.pick("int", "double")} (*<p>_cb)(double);
{use.place()} double <p>_newton(double a, <p>_cb cb) {{
    double x = 1.5;
    for (int i = 0; i < {use.number(3, 6)}; i++) {{ x -= (x*x - a)/(2*x); if (cb && cb(x) > 3.9) break; }}
    return x; }}"""
    told = "static {} <p>_told(double x) {{ return x > 4; }}"
    given = use.random.random() < 0.5
    support += "\n" + told.format("int" if "typedef int" in support else "double") if given else ""
    return Code(support, f"\n<r> = <p>_newton(2 + <a>*<a>, {'<p>_told' if given else use.pick('NULL', '0')}) + <b>;")


def callback_with_context(use: Use) -> Code:
    """A function that is handed over with a context of its own behind void *."""
    support = f"""
typedef struct {{ double k; {use.pick("int calls;", "double seen;", "double *also;")} }} <p>_X;
static double <p>_f(double t, void *p) {{ <p>_X *c = p; {use.pick("c->k *= 0.9;", "")} return c->k*sin(t); }}
static double <p>_g(double t, void *p) {{ <p>_X *c = p; return c->k*t; }}
{use.place()} double <p>_trapeze(double (*f)(double, void *), void *p, double lo, double hi) {{
    double s = 0; for (int i = 0; i < 4; i++) s += f(lo + (hi - lo)*i*0.25, p); return s*0.25; }}"""
    chosen = use.pick("<p>_f", "<p>_g", "<n> > 3 ? <p>_f : <p>_g", "<a> > 0 ? <p>_f : <p>_g")
    body = f"""
<p>_X c = {{0}}; c.k = <a>;
<r> = <p>_trapeze({chosen}, &c, 0, <b>) + c.k;"""
    return Code(support, body)


def table_of_functions(use: Use) -> Code:
    """Functions in a static table of structs."""
    support = f"""
static double <p>_id(double x) {{ return x; }}
static double <p>_sq(double x) {{ return 0.5*x*x; }}
{use.pick("static const", "static")} struct {{
    {use.pick("const char *name; double (*f)(double);", "double (*f)(double); const char *name;")} }} <p>_t[] = {{
    {{.name = "id", .f = <p>_id}}, {{.name = "sq", .f = <p>_sq}}, {{.name = "sin", .f = {use.pick("sin", "<p>_sq", "NULL")}}}}};"""
    body = f"""
<r> = 0;
for (int i = 0; i < {use.pick("3", "2")}; i++) if (<p>_t[(i + <n>) % 3].f) <r> += <p>_t[(i + <n>) % 3].f(<a> + i*<b>*0.2);"""
    return Code(support, body)


def memo(use: Use) -> Code:
    """Statics that remember the last call; forgotten at the beginning, so that a call means the same each time."""
    support = f"""
static double <p>_x, <p>_v; static int <p>_known;
{use.place()} double <p>_memo(double x) {{
    if (!<p>_known || x != <p>_x) {{ <p>_x = x; <p>_v = sin(x)*x; <p>_known = 1; }}
    return <p>_v; }}"""
    return Code(
        support,
        "\n<p>_known = 0;\n<r> = <p>_memo(<a>) + 0.5*<p>_memo(<a>) - <p>_memo(<b>)*0.3 + <p>_memo(<b>)*<a>*0.1;",
    )


def memo_table(use: Use) -> Code:
    """A static table that is filled when it is asked for."""
    support = """
static double <p>_t[8]; static char <p>_has[8];
static double <p>_fib(int k, double x, double y) {
    if (k < 2) return k ? y : x;
    if (!<p>_has[k]) { <p>_t[k] = 0.6*<p>_fib(k - 1, x, y) + 0.5*sin(<p>_fib(k - 2, x, y)); <p>_has[k] = 1; }
    return <p>_t[k]; }"""
    clear = use.pick("memset(<p>_has, 0, sizeof <p>_has);", "for (int i = 0; i < 8; i++) <p>_has[i] = 0;")
    return Code(support, f"\n{clear}\n<r> = <p>_fib({use.number(3, 7)}, <a>, <b>);")


def scratch(use: Use) -> Code:
    """Static scratch, always written before it is read; or a block that a static holds and that grows."""
    if use.random.random() < 0.5:
        support = f"""
static double <p>_s[4];
{use.place()} double <p>_norm(double x, double y) {{ <p>_s[0] = x*x; <p>_s[1] = y*y; <p>_s[2] = <p>_s[0] + <p>_s[1];
    return sqrt(1 + <p>_s[2]); }}"""
        return Code(support, "\n<r> = <p>_norm(<a>, <b>) + 0.3*<p>_norm(<b>, 0.5);")
    support = f"""
static double *<p>_s; static int <p>_cap;
{use.place()} double *<p>_room(int n) {{ if (n > <p>_cap) {{ <p>_s = realloc(<p>_s, n*sizeof(double)); <p>_cap = n;
    }} return <p>_s; }}"""
    body = """
double *s = <p>_room(3); s[0] = <a>; s[1] = sin(<b>); s[2] = s[0]*s[1];
s = <p>_room(5); s[3] = s[2] + s[0];
<r> = s[3] + s[1];"""
    return Code(support, body)


def vla(use: Use) -> Code:
    """Arrays of two run-time sizes, local and as parameters."""
    support = f"""
{use.place()} void <p>_mul(int n, int m, double c[n][m], double u[n][m], const double *v) {{
    for (int i = 0; i < n; i++) for (int j = 0; j < m;
    j++) c[i][j] = u[i][j]*v[j]{use.pick("", " + (j ? c[i][j - 1] : 0)*0.3")}; }}"""
    memory = use.random.choice(
        [
            ("double u[h][m], c[h][m];", ""),
            ("double (*u)[m] = malloc(h*sizeof *u), (*c)[m] = malloc(h*sizeof *c);", "free(u); free(c);"),
        ]
    )
    body = f"""
int h = <n> {use.pick("", "- 1", "- 2")}, m = {use.pick("3", "2", "h + 1")};
{memory[0]}
double v[m];
for (int j = 0; j < m; j++) v[j] = cos(<b>*j);
for (int i = 0; i < h; i++) for (int j = 0; j < m; j++) u[i][j] = 0.3*sin(<a>*i + j);
<p>_mul(h, m, c, u, v);
{use.pick("memcpy(u[0], c[1], m*sizeof(double));", "u[0][1] = c[1][0];", "")}
<r> = 0; for (int i = 0; i < h; i++) for (int j = 0; j < m; j++) <r> += 0.3*u[i][j]*c[i][j];
{memory[1]}"""
    return Code(support, body)


def mutual_recursion(use: Use) -> Code:
    """Two functions that call one another, with an array handed down."""
    support = """
static double <p>_odd(double *w, int k, double x);
static double <p>_even(double *w, int k, double x) { if (k <= 0) return x; w[k & 3] += 0.2*x;
    return <p>_odd(w, k - 1, sin(x) + w[k & 1]); }
static double <p>_odd(double *w, int k, double x) { if (k <= 0) return w[0]; w[(k + 1) & 3] *= x;
    return 0.5*<p>_even(w, k - 1, x*0.7) + x; }"""
    return Code(
        support,
        f"\ndouble w[4] = {{<a>, <b>, 0.5, 0.3}};\n<r> = 0.3*<p>_even(w, {use.pick('3', '4', '<n>')}, <a>*0.5) + 0.1*w[1];",
    )


def structs_by_value(use: Use) -> Code:
    """Structs with padding and arrays, passed and returned, constant ones too."""
    fields = use.pick(
        "char c; double v[2];",
        "double v[2]; char c;",
        "int c; double v[2]; float w;",
        "double v[2]; struct { short k; double z; } in; int c;",
    )
    support = f"""
typedef struct {{ {fields} }} <p>_S;
static const <p>_S <p>_zero = {{.c = 1}};
{use.place()} <p>_S <p>_scaled(<p>_S s, double k) {{ s.v[0] *= k; s.v[1] += k; return s; }}
{use.place()} void <p>_store(<p>_S *to, <p>_S from) {{ *to = from; }}"""
    body = f"""
<p>_S s = {use.pick("<p>_zero", "{.c = 2}")}, t;
s.v[0] = <a>;
t = <p>_scaled(s, <b>);
{use.pick("<p>_store(&s, t);", "s = t.c == 1 ? t : s;", "memcpy(&s, &t, sizeof s);", "{ <p>_S h = s; s = t; t = h; }")}
<r> = 0.4*s.v[0]*s.v[1] + 0.2*t.v[0] + t.c;"""
    return Code(support, body)


def cursor(use: Use) -> Code:
    """A text that is read with a cursor in a static: letters are numbers of the caller, digits are digits."""
    digits = use.pick("strtod(<p>_at, &end)", "strtol(<p>_at, &end, 10)", "strtof(<p>_at, &end)")
    number = use.pick(
        f"char *end; double v = {digits}; <p>_at = end; return v;",
        "double v = 0; while (*<p>_at >= '0' && *<p>_at <= '9') v = 10*v + (*<p>_at++ - '0'); return v;",
    )
    support = f"""
static const char *<p>_at; static double <p>_v[2];
{use.place()} double <p>_atom(void) {{
    if (*<p>_at == 'a' || *<p>_at == 'b') return <p>_v[*<p>_at++ - 'a'];
    {number} }}
{use.place()} double <p>_sum(void) {{
    double s = <p>_atom();
    while (*<p>_at == '+' || *<p>_at == '*') {{ if (*<p>_at++ == '+') s += 0.5*<p>_atom(); else s *= 0.4*<p>_atom(); }}
    return s; }}"""
    text = use.pick('"a+2*b"', '"1*a*b+a"', '"b+3"', '<n> > 5 ? "a*b" : "2+b*a"')
    return Code(support, f"\n<p>_v[0] = <a>; <p>_v[1] = <b>; <p>_at = {text};\n<r> = <p>_sum();")


def moved_pointer(use: Use) -> Code:
    """A pointer in a variable, moved by functions that touch nothing it leads to."""
    held, at = use.random.choice(
        [("static double *<p>_at;", "<p>_at"), ("static struct { double *p; int k; } <p>_c;", "<p>_c.p")]
    )
    support = f"""
{held} static double *<p>_mark;
{use.place()} void <p>_move(int k) {{ {at} += k; }}
{use.place()} void <p>_keep(void) {{ <p>_mark = {at}; }}
{use.place()} void <p>_back(void) {{ {at} = <p>_mark; }}
{use.place()} double *<p>_here(void) {{ return {at}; }}
{use.place()} double <p>_get(void) {{ return *{at}; }}"""
    body = f"""
double t[5]; for (int i = 0; i < 5; i++) t[i] = sin(<a>*i) + 0.2*i*<b>;
{at} = t; <p>_move({use.pick("1", "2", "1 + (<n> & 1)")}); <p>_keep(); <p>_move({use.pick("1", "2", "-1 + <n> % 2")});
<r> = <p>_get()*{use.pick("1.0", "*<p>_here()", "<a>")};
{use.pick("<p>_back();", "{ double *h = <p>_mark; <p>_mark = t; <p>_back(); <p>_mark = h; }")}
<r> += <p>_get()*0.5*<b>;"""
    return Code(support, body)


def followed_pointer(use: Use) -> Code:
    """A struct whose pointer a helper sets to what its other pointers lead to, through one or two levels."""
    support = f"""
typedef struct <p>_N {{ double v; struct <p>_N *next; double *p; }} <p>_N;
typedef struct {{ <p>_N *at, **all; double *now; }} <p>_V;
{use.place()} void <p>_step(<p>_V *v) {{ v->at = {use.pick("v->at->next", "v->all[1]", "v->at->next->next")}; }}
{use.place()} void <p>_look(<p>_V *v, int k) {{ {
        use.pick(
            "v->now = v->all[k]->p;",
            "v->now = v->at->p;",
            "v->now = &v->all[k]->v;",
            "memcpy(&v->now, &v->all[k]->p, sizeof v->now);",
            "v->at->p = v->at->next->p; v->now = v->at->p;",
        )
    } }}
{use.place()} void <p>_both(<p>_V *v, int k) {{ {
        use.pick("<p>_step(v); <p>_look(v, k);", "<p>_look(v, k); <p>_step(v);")
    } }}"""
    body = f"""
double t[3] = {{<a>, <a>*<b>, sin(<b>)}};
<p>_N u = {{<a>*<a>, 0, t}}, w = {{0.5*<b>, &u, t + 1}}, z = {{<a> - <b>, &w, t + 2}}, *all[3] = {{&z, &w, &u}};
u.next = &z; <p>_V v = {{&z, all, 0}};
<p>_both(&v, {use.pick("0", "1", "<n> % 3")});
<r> = v.at->v + 0.3**v.now;
{use.pick("*v.now = 0.7*<b>; <r> += t[0] + 0.2*u.v*t[2];", "v.at->v *= <a>; <r> += 0.4*w.v;", "")}"""
    return Code(support, body)


def variable_arguments(use: Use) -> Code:
    """A function with variable arguments: numbers, integers and pointers, read from a list, its copy, or by another function."""
    body = use.pick(
        "double s = 0; while (k--) s = 0.6*s + va_arg(l, double)*va_arg(l, int);",
        "va_list c; va_copy(c, l); double s = <p>_rest(k, l); while (k--) { s *= 0.5*va_arg(c, double); (void)va_arg(c, int); }"
        " va_end(c);",
        "double s = <p>_rest(k, l);",
    )
    support = f"""
{use.place()} double <p>_rest(int k, va_list l) {{
    double s = 0; while (k--) {{ s += va_arg(l, double); s *= 0.4*va_arg(l, int); }} return s; }}
{use.place()} double <p>_all(int k, ...) {{ va_list l; va_start(l, k); {body} va_end(l); return s; }}
{use.place()} void <p>_put(int k, ...) {{
    va_list l; va_start(l, k); while (k--) {{ double *p = va_arg(l, double *); *p = va_arg(l, double); }} va_end(l); }}"""
    call = use.pick(
        "<r> = <p>_all(2, <a>, 1, <b>, 2);",
        "<r> = <p>_all(5, <a>, 1, <b>, 2, <a>*<b>, 1, <a>, <n>, 0.5*<b>, 2);",
        "double u, v; <p>_put(2, &u, <a>*<b>, &v, sin(<a>)); <r> = u*v + <p>_all(1, u, 2);",
    )
    return Code(support, f"\n{call}")


def member_as_array(use: Use) -> Code:
    """The first member of a struct as the beginning of an array of them all."""
    get = use.pick("return (&v->x)[i];", "return *(&v->x + i);", "return (&v->y)[i - 1];", "return ((double *)v)[i];")
    put = use.pick(
        "(&v->x)[i] = d;", "*(&v->y + i - 1) = d;", "((double *)&v->x)[i] += d;", "double *p = &v->x; p[i] = d;"
    )
    support = f"""
typedef struct {{ double x, y, z; {use.pick("", "int k;")} }} <p>_V;
{use.place()} double <p>_get(const <p>_V *v, int i) {{ {get} }}
{use.place()} void <p>_put(<p>_V *v, int i, double d) {{ {put} }}"""
    body = f"""
<p>_V v;
v.x = <a>; v.y = <b>; v.z = {use.pick("<a>*<b>", "0.5", "sin(<a>)")};
double s = 0;
for (int i = 0; i < 3; i++) {{
    v.y = v.y*0.5 + v.z*0.3;
    {use.pick("<p>_put(&v, (i + 1) % 3, <p>_get(&v, i)*0.4 + v.x*0.2);", "v.z = <p>_get(&v, i)*v.x;")}
    s += <p>_get(&v, i)*(i + 1);
}}
<r> = s*0.3 + v.y*v.z*0.2;"""
    return Code(support, body)


IDIOMS = {
    "callback that may be NULL": null_callback,
    "callback with context": callback_with_context,
    "table of functions": table_of_functions,
    "memo in statics": memo,
    "memo table": memo_table,
    "static scratch": scratch,
    "2-D VLA": vla,
    "mutual recursion": mutual_recursion,
    "structs by value": structs_by_value,
    "cursor in a static": cursor,
    "pointer moved by functions": moved_pointer,
    "pointer followed by functions": followed_pointer,
    "variable arguments": variable_arguments,
    "member as an array": member_as_array,
}
