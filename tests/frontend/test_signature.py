"""Signatures from debug info, with extents from the text."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.frontend import signature
from enzyme_magic.backend.frontend.c_types import (
    Array,
    Enum,
    Field,
    FunctionPointer,
    Opaque,
    Pointer,
    Scalar,
    Signature,
    Struct,
    Vector,
    Void,
)
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.ir.text import parser

DOUBLE = Scalar("double", "float", 8)
INT = Scalar("int", "int", 4)


def one(compile_c, text: str, name: str = "f") -> Signature:
    return compile_c(text).signatures[name]


@pytest.mark.parametrize(
    ("declaration", "type_"),
    [
        ("double x", DOUBLE),
        ("float x", Scalar("float", "float", 4)),
        ("long double x", Scalar("long double", "float", 16)),
        ("_Bool x", Scalar("_Bool", "bool", 1)),
        ("char x", Scalar("char", "char", 1)),
        ("signed char x", Scalar("signed char", "char", 1)),
        ("unsigned char x", Scalar("unsigned char", "uint", 1)),
        ("short x", Scalar("short", "int", 2)),
        ("unsigned long long x", Scalar("unsigned long long", "uint", 8)),
        ("__int128 x", Scalar("__int128", "int", 16)),
        ("_BitInt(37) x", Scalar("_BitInt(37)", "int", 8)),
        ("double _Complex x", Scalar("double _Complex", "complex", 16)),
        ("float _Complex x", Scalar("float _Complex", "complex", 8)),
        ("long double _Complex x", Scalar("long double _Complex", "complex", 32)),
        ("_Float16 x", Scalar("_Float16", "float", 2)),
        ("__float128 x", Scalar("__float128", "float", 16)),
        ("const volatile double x", DOUBLE),
        ("real x", Scalar("real", "float", 8, base="double")),
        ("enum color x", Enum("enum color", Scalar("unsigned int", "uint", 4), (("RED", 0), ("GREEN", 5)))),
        ("sign x", Enum("sign", INT, (("MINUS", -1), ("PLUS", 1)))),
        ("struct point x", Struct("struct point", (Field("x", 0, DOUBLE), Field("y", 8, DOUBLE)), 16)),
        ("pair x", Struct("pair", (Field("a", 0, Scalar("float", "float", 4)), Field("n", 4, INT)), 8)),
        ("union u x", Struct("union u", (Field("i", 0, INT), Field("d", 0, DOUBLE)), 8, union=True)),
        ("v4 x", Vector(Scalar("float", "float", 4), 4, 16, "v4")),
        ("f3 x", Vector(Scalar("float", "float", 4), 3, 16, "f3")),
        ("const double *restrict x", Pointer(DOUBLE, const=True, restrict=True)),
        ("double *const x", Pointer(DOUBLE)),
        ("volatile int *x", Pointer(INT, volatile=True)),
        ("const double *const *x", Pointer(Pointer(DOUBLE, const=True), const=True)),
        ("void *x", Pointer(Void())),
        ("const void *x", Pointer(Void(), const=True)),
        ("double (*x)[4]", Pointer(Array(DOUBLE, 4))),
        ("const double (*x)[4]", Pointer(Array(DOUBLE, 4), const=True)),
        ("double x[3][4]", Pointer(Array(DOUBLE, 4))),
        ("vec3 *x", Pointer(Array(DOUBLE, 3))),
        ("double (*x)(double, const int *)", FunctionPointer(DOUBLE, (DOUBLE, Pointer(INT, const=True)))),
        ("void (*x)(int, ...)", FunctionPointer(Void(), (INT,), variadic=True)),
        ("double x(double)", FunctionPointer(DOUBLE, (DOUBLE,))),
        ("double (**x)(double)", Pointer(FunctionPointer(DOUBLE, (DOUBLE,)))),
        ("struct hidden *x", Pointer(Opaque("struct hidden"))),
        ("_Atomic double *x", Pointer(DOUBLE)),
    ],
)
def test_parameter_types(compile_c, declaration, type_) -> None:
    text = f"""\
typedef double real; typedef double vec3[3]; struct hidden;
enum color {{ RED, GREEN = 5 }}; typedef enum {{ MINUS = -1, PLUS = 1 }} sign;
struct point {{ double x, y; }}; typedef struct {{ float a; int n; }} pair; union u {{ int i; double d; }};
typedef float v4 __attribute__((vector_size(16))); typedef float f3 __attribute__((ext_vector_type(3)));
void f({declaration}) {{ }}
"""
    (parameter,) = one(compile_c, text).parameters
    assert parameter.type == type_
    assert parameter.name == "x"
    assert parameter.line == 5


def test_structs_with_bit_fields_arrays_padding_and_circles(compile_c) -> None:
    text = """\
struct list { struct list *next; struct other *o; unsigned a:3, b:7; float w[2][3]; char c; double d;
  struct { int in; }; double tail[]; };
struct other { struct list *back; };
void f(struct list *x, struct other y) { }
"""
    x, y = (parameter.type for parameter in one(compile_c, text).parameters)
    assert isinstance(x, Pointer)
    assert isinstance(x.to, Struct)
    unsigned = Scalar("unsigned int", "uint", 4)
    inner = Struct("", (Field("in", 0, INT),), 4)
    assert x.to.fields == (
        Field("next", 0, Pointer(Opaque("struct list"))),
        Field("o", 8, Pointer(Opaque("struct other"))),
        Field("a", 16, unsigned, 3, 0),
        Field("b", 16, unsigned, 7, 3),
        Field("w", 20, Array(Array(Scalar("float", "float", 4), 3), 2)),
        Field("c", 44, Scalar("char", "char", 1)),
        Field("d", 48, DOUBLE),
        Field("", 56, inner),
        Field("tail", 64, Array(DOUBLE, None)),
    )
    assert x.to.size == 64
    assert y == Struct("struct other", (Field("back", 0, Pointer(Opaque("struct list"))),), 8)


def test_many_structs_that_know_each_other_take_no_time(compile_c) -> None:
    count = 14
    structs = "".join(f"struct s{k};\n" for k in range(count)) + "".join(
        f"struct s{k} {{ " + " ".join(f"struct s{j} *p{j};" for j in range(count)) + " };\n" for k in range(count)
    )
    (parameter,) = one(compile_c, f"{structs}void f(struct s0 *x) {{}}").parameters
    assert len(parameter.type.to.fields) == count


def test_functions(compile_c) -> None:
    text = """\
static inline double helper(double x) { return x; }
double f(int n, const double x[static n], double A[restrict n][2*n], double (*B)[n]) { return helper(x[0]); }
double variadic(int n, ...) { return n; }
double old(x, n, a) float x; int n; double a[n]; { return x * a[0]; }
double none() { return 1; }
void nothing(void) { }
double unnamed(double, int n) { return n; }
double (*returns(int k))(double) { return 0; }
extern double elsewhere(double);
double use(double x) { return elsewhere(x); }
"""
    found = compile_c(text).signatures
    assert {name: str(s) for name, s in found.items()} == {
        "helper": "helper(double x) -> double",
        "f": "f(int n, const double x[n], double A[n][2*n], double (*B)[n]) -> double",
        "variadic": "variadic(int n, ...) -> double",
        "old": "old(float x, int n, double a[n]) -> double",
        "none": "none() -> double",
        "nothing": "nothing() -> void",
        "unnamed": "unnamed(double, int n) -> double",
        "returns": "returns(int k) -> double (*)(double)",
        "use": "use(double x) -> double",
    }
    assert found["helper"].static
    assert not found["f"].static
    assert found["variadic"].variadic
    assert not found["none"].variadic
    assert [s.name for s in found.values() if not s.prototyped] == ["old", "none"]
    assert (found["f"].line, found["f"].parameters[3].line) == (2, 2)
    assert text.split("\n")[1][found["f"].parameters[3].column - 1 :].startswith("B)[n]")


def test_a_name_hidden_by_macros_has_no_extents(compile_c) -> None:
    text = (
        "#define F(name) double name(int n, double x[n])\nF(f) { return x[0]; }\n"
        "#define N 8\ndouble g(double x[N]) { return x[0]; }"
    )
    found = compile_c(text).signatures
    assert found["f"].parameters[1].extents == ()
    assert found["f"].parameters[1].name == "x"
    assert found["g"].parameters[0].extents == ("8",)


def test_the_skeleton_says_the_same_as_the_whole_module(compile_c) -> None:
    text = """\
struct p { double x; struct p *q; };
double f(struct p p, int n, double x[n]) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  return s * p.x;
}
static int k;
int *g(void) { return &k; }
"""
    unit = compile_c(text)
    whole = signature.signatures(parser.parse(unit.irs[0]), [Source(text, "In[3]")])
    whole.pop("f.entry")
    assert whole == dict(unit.signatures)


def test_functions_of_an_included_file_are_told_apart(compile_c, tmp_path) -> None:
    (tmp_path / "h.h").write_text("static double helper(int n, double *x) { return x[n]; }\n")
    found = compile_c(
        '#include "h.h"\ndouble f(int n, double x[n]) { return helper(n - 1, x); }', include=(str(tmp_path),)
    ).signatures
    assert found["helper"].file == str(tmp_path / "h.h")
    assert found["helper"].parameters[1].extents == ()
    assert found["f"].parameters[1].extents == ("n",)
