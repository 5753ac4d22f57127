"""C spelling of the type model."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.frontend.c_types import (
    VOID,
    Array,
    CParameter,
    Field,
    FunctionPointer,
    Opaque,
    Pointer,
    Scalar,
    Signature,
    Struct,
    Vector,
    declare,
    is_plain,
    size_of,
)

DOUBLE = Scalar("double", "float", 8)
INT = Scalar("int", "int", 4)
SIZE = Scalar("size_t", "uint", 8, base="unsigned long")
POINT = Struct("struct point", (Field("x", 0, DOUBLE), Field("y", 8, DOUBLE)), 16)


@pytest.mark.parametrize(
    ("type_", "name", "text"),
    [
        (DOUBLE, "x", "double x"),
        (Pointer(DOUBLE, const=True), "x", "const double *x"),
        (Pointer(DOUBLE, const=True, restrict=True), "x", "const double *restrict x"),
        (Pointer(DOUBLE, restrict=True), "", "double *restrict"),
        (Pointer(Pointer(DOUBLE)), "p", "double **p"),
        (Pointer(Pointer(DOUBLE), const=True), "p", "double *const *p"),
        (Pointer(Pointer(DOUBLE, const=True)), "p", "const double **p"),
        (Pointer(Array(DOUBLE, 3)), "", "double (*)[3]"),
        (Pointer(Array(DOUBLE, 3)), "A", "double (*A)[3]"),
        (Pointer(Array(Array(DOUBLE, 3), None), const=True), "A", "const double (*A)[][3]"),
        (Array(Array(DOUBLE, 3), 2), "A", "double A[2][3]"),
        (Array(DOUBLE, 2), "", "double[2]"),
        (FunctionPointer(DOUBLE, (DOUBLE, INT)), "g", "double (*g)(double, int)"),
        (FunctionPointer(VOID, ()), "", "void (*)(void)"),
        (Pointer(FunctionPointer(DOUBLE, (DOUBLE,))), "g", "double (**g)(double)"),
        (POINT, "p", "struct point p"),
        (Pointer(VOID), "p", "void *p"),
        (Vector(DOUBLE, 4, 32), "v", "double __attribute__((vector_size(32))) v"),
    ],
)
def test_declare(type_: object, name: str, text: str) -> None:
    assert declare(type_, name) == text  # type: ignore[arg-type]


def test_sizes() -> None:
    assert size_of(Array(POINT, 3)) == 48
    assert size_of(Pointer(VOID)) == 8
    assert size_of(Array(DOUBLE, None)) is None
    assert size_of(VOID) is None


def test_what_needs_no_entry() -> None:
    assert all(is_plain(t) for t in (DOUBLE, SIZE, Pointer(POINT), VOID, Scalar("long double", "float", 16)))
    assert is_plain(Scalar("real", "float", 16, base="long double"))
    not_plain = (
        POINT,
        Scalar("double _Complex", "complex", 16),
        Scalar("__int128", "int", 16),
        Scalar("_BitInt(7)", "int", 1),
        Scalar("__float128", "float", 16),
        Scalar("_Float16", "float", 2),
        Vector(DOUBLE, 4, 32),
        Opaque("struct s"),
    )
    assert not any(is_plain(t) for t in not_plain)


def test_parameters_show_their_extents() -> None:
    matrix = CParameter("A", Pointer(Array(DOUBLE, None), const=True), ("n", "m"))
    rows = CParameter("B", Pointer(Array(DOUBLE, None)), ("", "m"))
    x = CParameter("x", Pointer(DOUBLE, const=True), ("n",))
    signature = Signature("f", DOUBLE, (matrix, rows, x, CParameter("n", SIZE)))
    assert str(signature) == "f(const double A[n][m], double (*B)[m], const double x[n], size_t n) -> double"
    assert signature.parameter("x") is x
