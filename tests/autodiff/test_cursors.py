"""Pointers into memory without numbers, beside numbers: a text is read with a cursor that a static holds.

Nobody needs the shadow of such a pointer, and it has none. It was refused as "stored before the gradient began" (EM407).
"""

from __future__ import annotations

import pytest

import enzyme_magic as em
from enzyme_magic.errors import ExecutionError

LEVELS = pytest.mark.parametrize("opt", [0, 1, 2, 3])
HEAD = "#include <stdlib.h>\n#include <string.h>\nstatic const char *p; static double X;\n"
DIGIT = "double v = *p++ - '0'; return v;"
STRTOD = "char *end; double v = strtod(p, &end); p = end; return v;"
READ = "if (*p == 'x') { p++; return X; } "
SUM = "X = x; double a = number(); if (*p == '+') p++; double b = number(); return a*x + b*x*x; }\n"
OF_STRING = 'double f(double x) { p = "3+x"; ' + SUM
OF_PARAMETER = "double f(double x, const char *text) { p = text; " + SUM
PARSER = r"""
static double sum(void);
static double atom(void) {
    if (*p == 'x') { p++; return X; }
    if (*p == '(') { p++; double v = sum(); p++; return v; }
    char *end; double v = strtod(p, &end); p = end; return v;
}
static double product(void) {
    double v = atom();
    while (*p == '*' || *p == '/') { char c = *p++; double w = atom(); v = c == '*' ? v*w : v/w; }
    return v;
}
static double sum(void) {
    double v = product();
    while (*p == '+' || *p == '-') { char c = *p++; double w = product(); v = c == '+' ? v + w : v - w; }
    return v;
}
double f(double x) { X = x; p = "3*x*x+2.5/(1+x)-x"; return sum(); }
"""
# What strtod stores leads into the struct whose number is read from there.
BACK = r"""
struct row { char line[16]; double v; };
double f(double x) {
    struct row r[2]; r[0].v = x; r[1].v = x*x; strcpy(r[0].line, "3 "); strcpy(r[1].line, "4");
    char *end; double s = 0;
    for (int i = 0; i < 2; i++) {
        double a = strtod(r[i].line, &end);
        struct row *back = (struct row *)(end - 1);
        s += a*back->v*(1 + s);
    }
    return s;
}
"""


def both(f: em.CFunction, *arguments: object) -> tuple[float, float]:
    given = (1.3, *arguments)
    reverse = f.grad(*given)
    return float(getattr(reverse, "x", reverse)), float(em.jvp(f, given, (1.0,) + (None,) * len(arguments))[1])


@LEVELS
@pytest.mark.parametrize("number", [DIGIT, STRTOD], ids=["digit", "strtod"])
@pytest.mark.parametrize("apart", ["", "__attribute__((noinline)) "], ids=["", "noinline"])
def test_a_cursor_in_a_static(opt: int, number: str, apart: str) -> None:
    of_string, of_parameter = (
        em.compile_c(f"{HEAD}{apart}static double number(void) {{ {READ}{number} }}\n{f}", opt=opt).f
        for f in (OF_STRING, OF_PARAMETER)
    )
    want = pytest.approx(3 + 3 * 1.3**2)
    assert both(of_string) == (want, want)
    assert both(of_parameter, b"3+x") == (want, want)


@LEVELS
def test_a_recursive_parser(opt: int) -> None:
    want = pytest.approx(6 * 1.3 - 2.5 / 2.3**2 - 1)
    assert both(em.compile_c(HEAD + PARSER, opt=opt).f) == (want, want)


@LEVELS
def test_what_the_library_stores_leads_to_numbers(opt: int) -> None:
    want = pytest.approx(3 + 8 * 1.3 + 36 * 1.3**2)
    assert both(em.compile_c(HEAD + BACK, opt=opt).f) == (want, want)


@pytest.mark.parametrize("opt", [0, 2])
def test_a_place_that_is_null_stays_so(opt: int) -> None:
    text = HEAD + (
        "__attribute__((noinline)) static double number(const char *s, char **end) { return strtod(s, end); }\n"
        'double f(double x) { char *end; return x*x*number("3", 0) + x*number("4;", &end)*(*end == \';\'); }'
    )
    assert em.compile_c(text, opt=opt).f.grad(1.3) == pytest.approx(6 * 1.3 + 4)


@pytest.mark.parametrize("opt", [0, 2])
def test_numbers_that_were_there_before_are_refused_still_after_moving_on(opt: int) -> None:
    """The cursor leads to numbers, moves on before they are read, and came from before."""
    text = HEAD + (
        "static struct { double *at; } c;\nvoid set(double *from) { c.at = from; }\n"
        "__attribute__((noinline)) static double next(void) { return *c.at; }\n"
        "double f(double x) { c.at++; *c.at = x; return next()*x; }"
    )
    program = em.compile_c(text, opt=opt)
    numbers = em.shared_empty(4, "float64")
    program.set(numbers)
    with pytest.raises(ExecutionError, match="EM407"):
        program.f.grad(1.3)


VARIABLES = """struct parser { const char *p; double vars[26]; };
static __attribute__((noinline)) double atom(struct parser *s) {
    char name[8]; int n = 0; while (*s->p >= 'a' && *s->p <= 'z') name[n++] = *s->p++;
    return s->vars[name[0] - 'a']; }
static double product(struct parser *s) { double v = atom(s); while (*s->p == '*') { s->p++; v *= atom(s); } return v; }
double f(double x) { struct parser s = {.p = "xa*y*xb"}; s.vars['x' - 'a'] = x; s.vars['y' - 'a'] = x*x; return product(&s); }
"""
ONE_BASED = """struct list { const char *p; double v[4]; };
static __attribute__((noinline)) double at(struct list *s, int i) { s->p++; return s->v[i - 1]; }
double f(double x) { struct list s = {"123", {1, x, x*x, x}}; double r = 1; for (int i = 2; i < 5; i++) r *= at(&s, i); return r; }
"""


@LEVELS
@pytest.mark.parametrize("text", [VARIABLES, ONE_BASED])
def test_a_cursor_beside_an_array_of_numbers(text: str, opt: int) -> None:
    """Before the array, where an index begins, lies the cursor: C keeps both apart (EM220 before)."""
    function = em.compile_c(text, opt=opt).f
    assert function.grad(1.5) == pytest.approx(4 * 1.5**3)
    assert em.jvp(function, (1.5,), (1.0,))[1] == pytest.approx(4 * 1.5**3)
