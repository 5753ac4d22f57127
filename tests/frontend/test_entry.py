"""The uniform entry: made by clang, called with pointers to values."""

from __future__ import annotations

import ctypes

import pytest

from enzyme_magic.backend.frontend.c_types import CParameter, Scalar, Signature
from enzyme_magic.backend.frontend.compile import Unit
from enzyme_magic.backend.frontend.entry import needs_entry
from enzyme_magic.backend.llvm.objects import jit

D = ctypes.c_double
_ALIVE: list[jit.Library] = []


def call(unit: Unit, name: str, result: object, *values: object) -> object:
    """Call `<name>.entry` with the addresses of ctypes values."""
    symbol = f"{name}.entry"
    library = jit.Library.load([jit.compile_object(unit.irs[0])], [symbol])
    _ALIVE.append(library)  # a result may be the address of a function in it
    native = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(library.address(symbol))
    places = (ctypes.c_void_p * max(len(values), 1))(*[ctypes.addressof(value) for value in values])
    native(ctypes.addressof(places), ctypes.addressof(result) if result is not None else None)
    return result


class Point(ctypes.Structure):
    _fields_ = (("x", D), ("y", D))


class Three(ctypes.Structure):
    _fields_ = (("a", ctypes.c_float), ("b", ctypes.c_float), ("c", ctypes.c_float))


class Big(ctypes.Structure):
    _fields_ = (("v", D * 9), ("n", ctypes.c_int))


def test_structs_small_and_large_by_value(compile_c) -> None:
    text = """\
typedef struct { double x, y; } point; struct three { float a, b, c; }; struct big { double v[9]; int n; };
point f(point p, struct three t, struct big b, double s, const double *q) {
  return (point){p.x * t.a + t.b * t.c + b.v[8] * b.n, p.y * s + q[1]};
}
"""
    unit = compile_c(text)
    assert unit.entries == ("f",)
    big = Big((D * 9)(*range(9)), 3)
    array = (D * 2)(5, 7)
    result = call(unit, "f", Point(), Point(2, 3), Three(4, 5, 6), big, D(10), ctypes.pointer(array))
    assert (result.x, result.y) == (2 * 4 + 5 * 6 + 8 * 3, 3 * 10 + 7)


def test_scalars_no_python_call_can_pass(compile_c) -> None:
    text = """\
double _Complex f(double _Complex z, __int128 i, _BitInt(40) b, _Float16 h, float g) {
  return z * z + (double)(i >> 64) + (double)b + h + g;
}
"""
    unit = compile_c(text)
    z = (D * 2)(1, 2)
    i = (ctypes.c_uint64 * 2)(0, 9)
    h = ctypes.c_uint16(0x3C00)  # 1.0
    result = call(unit, "f", (D * 2)(), z, i, ctypes.c_int64(-5), h, ctypes.c_float(0.5))
    assert list(result) == [-3 + 9 - 5 + 1 + 0.5, 4]


def test_vectors_unions_enums_pointers_functions(compile_c) -> None:
    text = """\
typedef float v4 __attribute__((vector_size(16))); union u { int i; double d; }; enum e { A, B = 7 };
struct hidden; static double twice(double x) { return 2 * x; }
double (*get(union u u))(double) { return u.i ? twice : 0; }
v4 f(v4 x, union u u, enum e e, double (*g)(double), struct hidden *h, _Bool b) {
  return x * (float)(u.d + e + g(3) + (h != 0) + b);
}
"""
    unit = compile_c(text)
    assert unit.entries == ("get", "f")
    double_it = ctypes.CFUNCTYPE(D, D)(lambda x: 2 * x)
    function = ctypes.cast(double_it, ctypes.c_void_p)
    result = call(
        unit,
        "f",
        (ctypes.c_float * 4)(),
        (ctypes.c_float * 4)(1, 2, 3, 4),
        D(0.5),
        ctypes.c_int(7),
        function,
        ctypes.c_void_p(1),
        ctypes.c_bool(True),
    )
    assert list(result) == [15.5, 31, 46.5, 62]
    pointer = call(unit, "get", ctypes.c_void_p(), ctypes.c_int64(1))
    assert ctypes.CFUNCTYPE(D, D)(pointer.value)(4.0) == 8


def test_promoted_parameters_of_old_definitions(compile_c) -> None:
    unit = compile_c("double f(x, c) float x; char c; { return x * c; }\ndouble g(x) double x; { return x; }")
    assert unit.entries == ("f",)
    assert call(unit, "f", D(), ctypes.c_float(1.5), ctypes.c_char(3)).value == 4.5


def test_void_and_written_memory(compile_c) -> None:
    unit = compile_c("struct p { double x; }; void f(struct p p, double *out) { *out = p.x; }")
    out = D()
    call(unit, "f", None, D(4), ctypes.pointer(out))
    assert out.value == 4


def test_plain_functions_have_none(compile_c) -> None:
    text = """\
enum e { A }; typedef long double real;
struct s;
real f(double x, float y, int n, _Bool b, char c, enum e e, double A[n][n], struct s *s, double (*g)(double), real r) {
  return r;
}
struct t { int i; }; static double hidden(struct t t) { return t.i; }
double use(int i) { return hidden((struct t){i}); }
struct t variadic(int n, ...) { return (struct t){n}; }
"""
    unit = compile_c(text)
    assert unit.entries == ()
    assert ".entry" not in unit.irs[0]


def test_macros_named_as_types_and_functions_do_no_harm(compile_c) -> None:
    text = """\
typedef struct { double x; } point;
double f(point p) { return p.x; }
#define point nonsense here
#define f(x) other(x)
#define args 7
#define result
"""
    unit = compile_c(text)
    assert call(unit, "f", D(), D(3)).value == 3


def test_types_without_a_name_get_none_and_others_keep_theirs(compile_c) -> None:
    text = "double f(struct { double x; } p) { return p.x; }\nstruct q { double x; };\ndouble g(struct q q) { return q.x; }"
    unit = compile_c(text)
    assert unit.entries == ("g",)
    assert unit.notes == ("f cannot be called from Python: a type in its signature has no name",)


def test_a_result_without_a_name(compile_c) -> None:
    unit = compile_c("struct { double a, b; } f(double x) { __typeof__(f(x)) r = {x, 2 * x}; return r; }")
    assert unit.entries == ("f",)
    assert (call(unit, "f", Point(), D(3)).y) == 6


def test_an_entry_clang_refuses_is_left_out(compile_c) -> None:
    """A struct known only inside the parameter list cannot be named behind it."""
    unit = compile_c(
        "double f(struct local { double x; } p) { return p.x; }\nstruct q { double x; };\ndouble g(struct q q) { return q.x; }"
    )
    assert "g" in unit.entries
    assert "f" not in unit.entries


def test_a_debug_name_that_means_another_type_makes_no_entry(compile_c) -> None:
    """Debug info calls both complex types alike; the comparison in the entry sees the difference."""
    unit = compile_c("__float128 _Complex f(__float128 _Complex z) { return z; }")
    assert unit.entries == ()
    assert unit.notes


def test_entries_change_no_line_and_no_message(compile_c) -> None:
    unit = compile_c("struct p { double x; };\ndouble f(struct p p) { 1 == 2; return p.x; }")
    assert [d.span.line for d in unit.diagnostics] == [2]
    assert list(unit.signatures) == ["f"]


@pytest.mark.parametrize(
    ("base", "needed"),
    [("double", False), ("long double", False), ("__float128", True), ("_Float16", True), ("__bf16", True)],
)
def test_floats(base, needed) -> None:
    parameter = CParameter("x", Scalar("real", "float", 16, base=base))
    assert needs_entry(Signature("f", Scalar("double", "float", 8), (parameter,))) is needed
