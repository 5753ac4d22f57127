"""Missing headers and declarations: what is added, and when nothing is."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.frontend.additions import Additions
from enzyme_magic.backend.frontend.headers import foreseen
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.frontend.standard_names import HEADER_OF
from enzyme_magic.errors import CompileError

USES = {
    "size_t": "void f(size_t n) {}",
    "int32_t": "int32_t f(void) { return 1; }",
    "bool": "bool f(void) { return true; }",
    "FILE": "void f(FILE *s) {}",
    "NULL": "void *f(void) { return NULL; }",
    "INFINITY": "double f(void) { return INFINITY; }",
    "M_PI": "double f(void) { return M_PI; }",
    "isnan": "int f(double x) { return isnan(x); }",
    "assert": "void f(int x) { assert(x); }",
    "memcpy": "void f(double *a, double *b) { memcpy(a, b, 8); }",
    "malloc": "double *f(void) { return malloc(8); }",
    "printf": 'void f(double x) { printf("%g", x); }',
    "fprintf": 'void f(double x) { fprintf(stderr, "%g", x); }',
    "va_list": "void f(int n, ...) { va_list a; va_start(a, n); va_end(a); }",
    "errno": "int f(void) { return errno; }",
    "INT_MAX": "int f(void) { return INT_MAX; }",
    "DBL_MAX": "double f(void) { return DBL_MAX; }",
    "complex": "double complex f(double complex z) { return z * I; }",
    "clock": "long f(void) { return clock() / CLOCKS_PER_SEC; }",
    "exp10": "double f(double x) { return exp10(x); }",
    "sincos": "void f(double x, double *s, double *c) { sincos(x, s, c); }",
    "uintptr_t": "uintptr_t f(void *p) { return (uintptr_t)p; }",
    "tgammal": "long double f(long double x) { return tgammal(x); }",
    "PRId64": "char *f(void) { return PRId64; }",
    "offsetof": "struct s { int a, b; }; int f(void) { return offsetof(struct s, b); }",
    "usleep": "void f(void) { usleep(1); }",
    "qsort": "void f(void *p) { qsort(p, 1, 1, 0); }",
    "jmp_buf": "jmp_buf j; int f(void) { return setjmp(j); }",
    "atomic_int": "atomic_int a;",
    "ssize_t": "ssize_t f(void) { return 1; }",
    "pthread_t": "pthread_t t;",
    "__m128d": "__m128d v;",
}


@pytest.mark.parametrize("name", USES)
def test_a_standard_name_brings_its_header(compile_c, name) -> None:
    unit = compile_c(USES[name])
    assert f"added #include <{HEADER_OF[name]}>" in unit.notes


@pytest.mark.parametrize("header", sorted(set(HEADER_OF.values()) - {"omp.h", "immintrin.h"}))
def test_every_name_of_the_table_is_in_its_header(compile_c, header) -> None:
    """Each name is a macro, or can be named in a type or expression once the header is there."""
    names = [name for name, its in HEADER_OF.items() if its == header]
    checks = "\n".join(
        f"#ifndef {name}\n__typeof__({name}) *use_{k};\n#endif"
        for k, name in enumerate(names)
        if name not in ("complex", "I")
    )
    compile_c(f"#define _GNU_SOURCE\n#include <{header}>\n{checks}\nint end;")


def test_several_at_once_and_lines_stay(compile_c) -> None:
    text = (
        "void f(size_t n, double *x) {\n  for (size_t i = 0; i < n; i++) x[i] = sin(x[i]);\n  int32_t unused = yy;\n}"
    )
    with pytest.raises(CompileError) as caught:
        compile_c(text)
    assert (caught.value.line, caught.value.span.column) == (3, 20)
    assert [d.message for d in caught.value.diagnostics] == ["use of undeclared identifier 'yy'"]


def test_strict_headers(compile_c, runs) -> None:
    compile_c("int warm;")
    runs.clear()
    with pytest.raises(CompileError) as caught:
        compile_c("double f(double x) { return pow(x, 3); }", strict_headers=True)
    assert len(runs) == 1
    assert "math.h" in caught.value.hint
    with pytest.raises(CompileError) as caught:
        compile_c("size_t n;", strict_headers=True)
    assert caught.value.hint == "#include <stddef.h>"


def test_what_is_declared_is_left_alone(compile_c) -> None:
    unit = compile_c("double pow(double, double);\ndouble f(double x) { return pow(x, 3); }")
    assert unit.notes == ()


def test_the_users_own_function_wins(compile_c) -> None:
    text = """\
static double pow(double x, int n) { return n ? x * pow(x, n - 1) : 1; }
double f(double x) { return pow(x, 3) + sin(x); }
"""
    unit = compile_c(text)
    assert unit.notes == ("declared double sin(double)",)
    assert "define internal double @pow(double" in unit.irs[0]
    assert "@llvm.sin.f64" in unit.irs[0]


@pytest.mark.parametrize(
    "text",
    [
        "double f(double (*pow)(double, double), double x) { return pow(x, 3); }",
        "double log(double x) { return x; }\ndouble f(double x) { return log(x); }",
        "double f(double exp) { return exp * exp; }",
        "struct s { double (*sin)(double); };\ndouble f(struct s *s) { return s->sin(1.0); }",
        "#define sin(x) (x)\ndouble f(double x) { return sin(x); }",
        "static double round(double);\ndouble f(double x) { return round(x); }\nstatic double round(double x) { return x; }",
        "double f(double x) { /* pow(x, 3) */ return x; } // sin(x)",
        'char *f(void) { return "pow(x, 3)"; }',
    ],
)
def test_nothing_is_added_where_nothing_is_missing(compile_c, text) -> None:
    assert compile_c(text).notes == ()


def test_foresight_is_taken_back(compile_c, runs) -> None:
    text = "typedef double T;\ndouble f(int n) { T *malloc(int); return *malloc(n); }"
    assert foreseen(Source(text, "t")).headers == ("stdlib.h",)
    unit = compile_c(text)
    assert unit.notes == ()
    assert "i32" in next(line for line in unit.irs[0].split("\n") if "@malloc" in line)


def test_foresight_is_not_used_near_the_preprocessor() -> None:
    assert foreseen(Source("#if 0\ndouble f(double x) { return sin(x); }\n#endif\nint g;", "t")) == Additions()


def test_what_was_added_is_remembered(compile_c, runs) -> None:
    compile_c("int warm;")
    text = "int32_t f(int32_t x) { return x; }"
    first = compile_c(text)
    runs.clear()
    second = compile_c(text)
    assert len(runs) == 1
    assert second == first


def test_a_header_the_user_lacks_in_part(compile_c) -> None:
    unit = compile_c("#include <math.h>\ndouble f(double x) { return exp10(x); }")
    assert "added #define _GNU_SOURCE" in unit.notes
