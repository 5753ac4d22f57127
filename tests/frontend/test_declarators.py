"""Extents from the declarator's text."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.frontend.declarators import declarators
from enzyme_magic.backend.frontend.tokens import tokenize


def extents(text: str, *names: str, function: str = "f", line: int | None = None) -> dict[str, tuple[str, ...]]:
    at = line or next(k for k, row in enumerate(text.split("\n"), 1) if f"{function}(" in row.replace(" (", "("))
    return {name: d.extents for name, d in declarators(text, function, at, names).items()}


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("double x[n]", ("n",)),
        ("const double x[static n]", ("n",)),
        ("double x[restrict static const 2*n + 1]", ("2*n+1",)),
        ("double x[]", ()),
        ("double x[*]", ()),
        ("double *x", ()),
        ("double x[n][m]", ("n", "m")),
        ("double x[][m]", ("", "m")),
        ("double (*x)[m]", ("", "m")),
        ("double (*restrict x)[n][3]", ("", "n", "3")),
        ("double (*x)(double, int)", ()),
        ("struct { int a; } x[n]", ("n",)),
        ("double __attribute__((aligned(64))) x[n]", ("n",)),
        ("__typeof__(double[3]) *x", ()),
        ("double x[n /* ] */ ]", ("n",)),
        ("double x[sizeof(int)]", ("sizeof(int)",)),
        ("double x [ n\n]", ("n",)),
        ("double x[(n)]", ("n",)),
        ("double x[n * (n + 1) / 2]", ("n*(n+1)/2",)),
    ],
)
def test_one_parameter(parameter: str, expected: tuple[str, ...]) -> None:
    assert extents(f"void f(int n, int m, {parameter}) {{ }}", "n", "m", "x")["x"] == expected


def test_place_of_the_name() -> None:
    found = declarators("/* é */\nvoid f(int n,\n   double é[n], double y[n]) {}", "f", 2, ("n", "é", "y"))
    assert (found["é"].line, found["é"].column) == (3, 11)
    assert (found["y"].line, found["y"].column) == (3, 24)


def test_prototypes_comments_strings_and_calls_are_no_definitions() -> None:
    text = """\
double f(int n, double *x);
// double f(int n, double x[1]) {
char *s = "double f(int n, double x[2]) {";
double g(int n, double *x) { return f(n, x); }
double f(int n, double x[n]) { return 0; }
"""
    assert extents(text, "n", "x", line=5) == {"n": (), "x": ("n",)}
    assert extents(text, "n", "x", line=1) == {}


def test_knr_definitions() -> None:
    assert extents("double f(n, x, y)\n int n; double x[n], *y;\n{ return 0; }", "n", "x", "y") == {
        "n": (),
        "x": ("n",),
        "y": (),
    }


def test_both_arms_of_a_conditional_are_told_apart_by_the_line() -> None:
    text = "#if A\nvoid f(int n, double x[n])\n#else\nvoid f(int n, double x[2*n])\n#endif\n{ }"
    assert extents(text, "x", line=2) == {"x": ("n",)}
    assert extents(text, "x", line=4) == {"x": ("2*n",)}


def test_object_macros_are_replaced_unless_defined_twice() -> None:
    text = "#define N (M+1) // size\n#define M 3\n#define K 1\n#define K 2\nvoid f(double a[N], double b[K], double c[M]) {}"
    assert extents(text, "a", "b", "c") == {"a": ("3+1",), "b": ("K",), "c": ("3",)}


def test_macro_made_functions_and_parameters_have_no_extents() -> None:
    assert extents("#define DEF(name) void name(int n, double x[n])\nDEF(f) {}", "n", "x", line=2) == {}
    assert extents("#define VEC(a) double a[3]\nvoid f(VEC(x)) {}", "x") == {}


def test_unbalanced_text_is_no_error() -> None:
    assert extents("void f(int n, double x[n", "n", "x") == {}
    assert extents("void f(", "n") == {}
    assert tokenize("'\"/* \\").tokens[0].text == "'"


def test_tokens_know_their_depth_and_place() -> None:
    tokens = tokenize("#define A {\\\n {\nint f() { return '}'; } /* { */ int g;")
    assert [(t.text, t.depth) for t in tokens.tokens if t.text in "{}fg"] == [("f", 0), ("{", 0), ("}", 0), ("g", 0)]
    assert tokens.at(3, 5) == 1
    assert tokens.at(3, 4) is None
