"""IR as C: what a function returns, stores and asks for, in the user's names."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import enzyme_magic as em
from enzyme_magic.backend.explain.words.c_text import CText
from enzyme_magic.backend.explain.words.written import input_text
from enzyme_magic.backend.ir.instructions import Branch, Call, Return, Store
from enzyme_magic.backend.ir.module import Function

Texts = Callable[..., tuple[Function, CText]]
HEAD = """#include <math.h>
#include <stdbool.h>
#include <string.h>
typedef struct { double x, y; int k; double w[3]; } P;
typedef struct node { double v; struct node *next; } N;
static double table[4] = {1, 2, 3, 4};
double shared[4];
double outside(double);
"""


@pytest.fixture
def texts(compiled) -> Texts:
    """texts(body of `f` with its parameters, opt) -> the optimized function and its words."""

    def build(source: str, opt: int = 2) -> tuple[Function, CText]:
        program = compiled(HEAD + source, opt)
        function = program.module.module.functions["f"]
        return function, input_text(function, program.module.analyses.layout)

    return build


def returned(texts: Texts, source: str, opt: int = 2) -> str:
    function, text = texts(source, opt)
    (found,) = [i for i in function.instructions() if isinstance(i, Return)]
    return text.expression(found.operands[0])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("double f(double x, double y) { return x + y; }", "x + y"),
        ("double f(double x, double y) { return x - y * 2; }", "x - y*2"),
        ("double f(double x, double y) { return (x - y) * 0.5; }", "(x - y)*0.5"),
        ("double f(double x, double y) { return x / (y / x); }", "x/(y/x)"),
        ("double f(double x, double y) { return x / y / x; }", "x/y/x"),
        ("double f(double x, double y, double z) { return x - (y - z); }", "x - (y - z)"),
        ("double f(double x) { return -x * x; }", r"-x\*x|x\*-x"),
        ("double f(double x) { return pow(x, 3); }", "pow(x, 3)"),
        ("double f(double x, double y) { return fmax(sin(x), y); }", "fmax(sin(x), y)"),
        ("double f(double x, double y, double z) { return fma(x, y, z); }", "x*y + z"),
        ("double f(double x, int n) { return x * n; }", "x*n"),
        ("double f(int n, int m) { return (double)n / m; }", "(double)n/(double)m"),
        ("double f(float x, double y) { return x * y; }", r"x\*y|y\*x"),
        ("float f(double x) { return (float)x; }", "(float)x"),
        ("double f(double x) { return outside(x); }", "outside(x)"),
        ("double f(double x, double y) { return x > y ? x : y * 2; }", r"x > y \? x : y\*2|%cond"),
        ("double f(const double *p) { return *p; }", r"\*p"),
        ("double f(const double *p) { return p[0] * p[3]; }", r"(\*p|p\[0\])\*p\[3\]"),
        ("double f(const double *p, int i) { return p[i + 1]; }", r"p\[i \+ 1\]"),
        ("double f(const double *p, long i) { return p[2 * i - 1]; }", r"p\[2\*i - 1\]"),
        ("double f(const P *p) { return p->x * p->y; }", "p->x\\*p->y"),
        ("double f(const P *p, int i) { return p[i].w[2]; }", r"p\[i\]\.w\[2\]"),
        ("double f(const P *p, int i) { return p->w[i]; }", r"p->w\[i\]"),
        ("double f(const N *p) { return p->next->next->v; }", "p->next->next->v"),
        ("double f(double **a, int i, int j) { return a[i][j]; }", r"a\[i\]\[j\]"),
        ("double f(const double (*a)[3], int i, int j) { return a[i][j]; }", r"a\[i\]\[j\]"),
        ("double f(int i) { return table[i]; }", r"table\[i\]"),
        ("double f(double x) { double t = sin(x); return t * t; }", r"t\*t"),
        ("double f(double x, unsigned n) { return x * (n >> 1); }", r"x\*\(n >> 1\)"),
    ],
)
@pytest.mark.parametrize("opt", [0, 2])
def test_what_a_function_returns(source: str, expected: str, opt: int, texts: Texts) -> None:
    if not any(sign in expected for sign in "\\|"):
        expected = re.escape(expected)
    assert re.fullmatch(expected, returned(texts, source, opt))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("double f(double x) { return -(-x); }", "-(-x)"),
        ("double f(double x) { return -(-1*x); }", "x"),
        ("double f(double x) { return -(-2*x); }", "2*x"),
        ("double f(double x, double y) { return y + -1*x; }", "y - x"),
        ("double f(double x, double y) { return -(-x*y); }", "x*y"),
    ],
)
def test_minus_signs_are_those_of_people(source: str, expected: str, texts: Texts) -> None:
    """Exact, whatever the numbers are; and `--x` would be another operator."""
    assert returned(texts, source, 0) == expected


def test_a_number_stands_before_what_it_multiplies() -> None:
    """LLVM puts constants behind; where the source has it so, it stays."""
    text = "double f(double x, double y) {\n%s\n}"
    for body, said in [
        ("return -(-2*x);", "2*x"),
        ("return (x + y)*0.5;", "(x + y)*0.5"),
        ("return x*y*0.5;", "x*y*0.5"),
        ("if (x > 1) x = 1 + 0.1*(x - 1);\nreturn x*x;", "0.1*(x - 1) + 1"),
    ]:
        notes = [line.note for line in em.compile_c(text % body).f.report.source if line.note]
        assert any(said in note for note in notes), notes


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("x > 0", "x > 0"),
        ("x <= y", "x <= y"),
        ("x == y", "x == y"),
        ("x != y", "x != y"),
        ("n < 10", "n < 10|n <= 9"),
        ("!(x > y)", r"!\(x > y\)"),
        ("isnan(x)", r"isnan\(x\)"),
        ("x > 0 && y > 0", "x > 0 && y > 0|y > 0 && x > 0"),
        ("x > 0 || n", r"x > 0 \|\| n != 0|n != 0 \|\| x > 0"),
        ("s", "s != NULL"),
        ("*s > x", r"\*s > x|x < \*s"),
        ("n & 1", r"\(n & 1\) != 0"),
        ("x < y || x > y", r"x < y \|\| x > y"),  # not x != y: that is true of a NaN
        ("fabs(x) > 0", r"x < 0 \|\| x > 0"),
    ],
)
def test_conditions(condition: str, expected: str, texts: Texts) -> None:
    head = "double fabs(double); double f(double x, double y, int n, const double *s)"
    source = f"{head} {{ if ({condition}) return outside(x); return y; }}"
    function, text = texts(source)
    branch = next(i for i in function.instructions() if isinstance(i, Branch) and i.operands)
    called = next(i for i in function.instructions() if isinstance(i, Call) and i.called_function.name == "outside")
    holds = branch.targets[0] is called.parent
    assert re.fullmatch(expected, text.condition(branch.operands[0], holds)), text.condition(branch.operands[0], holds)


LOOPS = {
    "for (int i = 0; i < n; i++) s += a[i];": "a[i]",
    "for (int i = 1; i < n; i++) s += a[i - 1];": "a[i - 1]",
    "for (int i = n - 1; i >= 0; i--) s += a[i];": "a[i]",
    "for (int i = 0; i < n; i += 2) s += a[i + 1];": "a[i + 1]",
    "for (int i = 0; i < n; i++) s += a[n - i];": "a[n - i]",
    "for (int i = 0; i < n; i++) s += a[i * n + 3];": "a[n*i + 3]",
    "while (n--) s += *a++;": "*a",
    "for (int i = 0; i < n; i++) for (int j = i; j < n; j++) s += a[j];": "a[j]",
}


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("loop", LOOPS)
def test_array_elements_by_loop_variables(loop: str, opt: int, texts: Texts) -> None:
    function, text = texts(
        f"double f(const double *a, long n) {{ double s = 0; {loop} return s; }}".replace("int i", "long i"), opt
    )
    loads = {text.expression(i) for i in function.instructions() if i.opcode == "load"}
    expected = {LOOPS[loop], LOOPS[loop].replace("n*i", "i*n")}
    assert loads & expected, loads


@pytest.mark.parametrize("opt", [0, 2])
def test_stores(opt: int, texts: Texts) -> None:
    function, text = texts("void f(P *p, double *a, int i, double x) { p->y = x; a[i] = x * x; shared[2] = x; }", opt)
    stores = [i for i in function.instructions() if isinstance(i, Store)]
    assert [text.place(i.pointer, 8) for i in stores] == ["p->y", "a[i]", "shared[2]"]


HEADERS = """#include <stddef.h>
typedef struct { long n, m; } H;
typedef struct { int n, m; } S;
typedef struct { int n; double tail[]; } T;
typedef union { long l; double d; } U;
void f(H *q, S *s, T *t, U *u, int n, int i) {
"""


@pytest.mark.parametrize("opt", [1, 2])
@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("((double *)(q + 1))[i] = 2", "((double *)(q + 1))[i]"),
        ("*(double *)(q + 1) = 2", "*(double *)(q + 1)"),
        ("((double *)(q + 2))[3] = 2", "((double *)(q + 3))[1]"),
        ("((float *)(q + 1))[i] = 2", "((float *)(q + 1))[i]"),
        ("((double *)(s + 1))[i] = 2", "((double *)(s + 1))[i]"),
        ("*(double *)(s + i) = 2", "((double *)s)[i]"),
        ("*(float *)((char *)q + 20) = 2", "((float *)(q + 1))[1]"),
        ("*(float *)((char *)q + 4*n + 4) = 2", "((float *)q)[n + 1]"),
        ("*(double *)((char *)q + 20) = 2", "*(double *)((char *)q + 20)"),
        ("t->tail[i] = 2", "t->tail[i]"),
        ("t->tail[2] = 2", "t->tail[2]"),
        ("u[i].d = 2", "u[i].d"),
        ("q[i].m = 2", "q[i].m"),
        ("s[1].m = 2", "s[1].m"),
    ],
)
def test_what_lies_behind_a_header_is_no_member_of_it(written: str, expected: str, opt: int, compiled) -> None:
    program = compiled(f"{HEADERS}{written};\n}}", opt)
    function = program.module.module.functions["f"]
    text = input_text(function, program.module.analyses.layout)
    (store,) = [i for i in function.instructions() if isinstance(i, Store)]
    assert text.statement(store).rpartition(" = ")[0] == expected


def test_local_arrays_and_structs(texts: Texts) -> None:
    source = """double f(double x, int i) {
        double t[8]; P p;
        for (int k = 0; k < 8; k++) t[k] = x * k;
        p.w[i] = t[i]; p.y = x;
        return outside(p.w[0] + p.w[1]) + outside(t[i]);
    }"""
    function, text = texts(source, 0)
    places = {text.place(i.pointer, 8) for i in function.instructions() if isinstance(i, Store)}
    assert {"t[k]", "p.w[i]", "p.y"} <= places


def test_values_without_names_keep_those_of_the_ir(texts: Texts) -> None:
    """A merge of two values that belong to no variable."""
    function, text = texts("double f(double x, int k) { return (k ? outside(x) : outside(x + 1)) * 2; }", 0)
    phi = next(i for i in function.instructions() if i.opcode == "phi")
    assert text.value(phi).startswith("%")


def test_long_expressions_go_by_their_names(texts: Texts) -> None:
    terms = " + ".join(f"sin(x * {k})" for k in range(2, 30))
    function, text = texts(f"double f(double x) {{ double total = {terms}; return total; }}")
    (found,) = [i for i in function.instructions() if isinstance(i, Return)]
    assert text.expression(found.operands[0]) == "total"


def test_inlined_functions_speak_of_their_own_variables(texts: Texts) -> None:
    """And the function that they were inlined into of its own, as far as it can."""
    source = "static double g(double q) { double h = sin(q); return h * h; } double f(double x) { return g(x) + 1; }"
    assert returned(texts, source) == "sin(x)*sin(x) + 1"
    function, text = texts(source)
    assert [text.expression(i) for i in function.instructions() if i.opcode == "fmul"] == ["h*h"]


IN_REGISTERS = """double f(int n, const double *l, double *x) {
    double total = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= l[i * n + j] * x[j];
        x[i] = x[i] / l[i * n + i];
        total += x[i] * x[i];
    }
    return total;
}"""


def test_memory_that_is_kept_in_a_register_goes_by_its_place(texts: Texts) -> None:
    """`x[i]` over the inner loop, also where LLVM knows that it is `x[0]`; what was stored there before it is used again."""
    function, text = texts(IN_REGISTERS)
    said = {text.expression(i) for i in function.instructions() if str(i.type) == "double"}
    assert {"x[i] - l[i*n + j]*x[j]", "x[i]/l[(n + 1)*i]", "x[i]*x[i] + total"} <= said
    assert not any("%" in words for words in said)


def test_what_llvm_computed_before_a_merge(texts: Texts) -> None:
    source = """double f(int n, const double *x) {
        double s = 0;
        for (int i = 0; i < n; i++) s += x[i];
        return outside(log(s) + 1);
    }"""
    function, text = texts(source)
    said = {text.expression(i) for i in function.instructions()}
    assert "outside(log(s) + 1)" in said


def test_what_llvm_adds_with_a_minus_is_subtracted_as_written() -> None:
    """Contracted and not: `a - 2*b` is `b*-2 + a` in LLVM. A whole number beside a floating one has no cast, and is no datum."""
    source = (
        "double f(double x, double y, int n) {\n"
        "  double a = x - 2*sin(y);\n"
        "  double b = n*cos(x);\n"
        "  double c = (double)n/3;\n"
        "  return a - n*(b*y) + x*c;\n"
        "}"
    )
    for arguments in ("-ffp-contract=on", "-ffp-contract=off"):
        report = em.compile_c(source, compile_args=[arguments]).f.report
        notes = {line.number: (line.mark, line.note) for line in report.source}
        assert notes[2] == ("active", "active: x - 2*sin(y)"), arguments
        assert notes[3][1] == "active: n*cos(x)", arguments
        assert "active: a - n*(b*y)" in notes[5][1] or "(a - n*(b*y))" in notes[5][1], (arguments, notes[5])
        assert [note for _, note in notes.values() if "(double)n carries" in note] == [], arguments


@pytest.mark.parametrize("opt", range(4))
def test_a_link_that_leads_to_itself(opt: int) -> None:
    """A ring of one: what is stored lies where it is stored, which is no name for it."""
    source = """typedef struct link { struct link *next, *prev; double v; } L;
    static void alone(L *n) { n->prev->next = n->next; n->next->prev = n->prev; n->next = n->prev = n; }
    double f(double x) {
        L a = {&a, &a, x}, b = {&a, &a, 2}, *p = &b;
        a.next = a.prev = &b;
        for (int i = 0; i < 3; i++) { if (p == &b) p = p->next; else { alone(&b); p = &a; } p->v *= x; }
        return a.v * b.v;
    }"""
    program = em.compile_c(source, opt=opt)
    assert program.f.report.source
    assert em.grad(program.f, caching="store-all")(1.5) == pytest.approx(program.f.grad(1.5))
