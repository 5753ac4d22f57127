"""Enzyme's names in C text: declared by use, attributes carried into the module."""

from __future__ import annotations

import re

import pytest

from enzyme_magic.errors import CompileError

SQUARE = "double square(double x) { return x * x; }\n"


def prototypes(compile_c, text: str) -> dict[str, str]:
    return {
        match[2]: match[1].strip()
        for note in compile_c(text).notes
        if (match := re.fullmatch(r"declared (.*?)(__enzyme_\w+)\(.*\)", note))
    }


def test_the_talks_call(compile_c) -> None:
    text = SQUARE + "double dsquare(double x) {\n  return __enzyme_autodiff(square, x);\n}"
    unit = compile_c(text)
    assert unit.notes == ("declared double __enzyme_autodiff(void *, ...)",)
    assert re.search(
        r"call double \(ptr, \.\.\.\) @__enzyme_autodiff\(ptr noundef @square, double noundef %", unit.irs[0]
    )
    assert unit.diagnostics == ()


def test_markers(compile_c) -> None:
    text = (
        SQUARE
        + "double d(double x, double dx) { return __enzyme_fwddiff(square, enzyme_dup, x, dx, diffe_const, enzyme_width); }"
    )
    unit = compile_c(text)
    assert {"declared enzyme_dup", "declared diffe_const", "declared enzyme_width"} <= set(unit.notes)
    for name in ("enzyme_dup", "diffe_const", "enzyme_width"):
        assert f"@{name} = external" in unit.irs[0]
        assert f"load i32, ptr @{name}" in unit.irs[0]


@pytest.mark.parametrize(
    ("use", "result"),
    [
        ("double g(double x) { return __enzyme_autodiff(square, x); }", "double"),
        ("double g(double x) { double d = __enzyme_autodiff(square, x); return d; }", "double"),
        ("double g(double x) { double d; d = 1; d = __enzyme_autodiff(square, x); return d; }", "double"),
        ("double g(double x) { return 2 * __enzyme_autodiff(square, x) + 1; }", "double"),
        ("double g(double x) { return (x > 0 ? 1 : __enzyme_autodiff(square, x)); }", "double"),
        ("void g(double x) { __enzyme_autodiff(square, x); }", "void"),
        ("void g(double x) { if (x > 0) __enzyme_autodiff(square, x); else __enzyme_autodiff(square, -x); }", "void"),
        ("float sq(float x) { return x * x; }\nfloat g(float x) { return __enzyme_autodiff(sq, x); }", "float"),
        (
            "float sq(float x) { return x * x; }\ndouble g(float x) { double d = __enzyme_autodiff((void *)sq, x); return d; }",
            "float",
        ),
        ("struct G { double a, b; };\nstruct G g(double x) { return __enzyme_autodiff(square, x, x); }", "struct G"),
        (
            "typedef struct { double a, b; } G;\nvoid g(double x, G *out) { G r = __enzyme_autodiff(square, x, x); *out = r; }",
            "G",
        ),
        (
            "typedef struct { double a, b; } G;\nvoid g(double x, G *out) { G r; r = __enzyme_autodiff(square, x, x); *out = r; }",
            "G",
        ),
        ("void g(double x) { __enzyme_autodiff(square, x); double d = __enzyme_autodiff(square, x); }", "double"),
    ],
)
def test_the_result_follows_the_use(compile_c, use, result) -> None:
    assert prototypes(compile_c, SQUARE + use) == {"__enzyme_autodiff": result}


def test_different_entries_have_different_results(compile_c) -> None:
    text = (
        SQUARE
        + """\
typedef struct { double a, b; } G;
G g(double x) { return __enzyme_autodiff_two(square, x, x); }
void *tape(double x) { void *t = __enzyme_augmentfwd(square, x); return t; }
unsigned long size(void) { return __enzyme_augmentsize(square, enzyme_out); }
void hint(double *p) { __enzyme_double(p, 8); }
int iter(int n) { return __enzyme_iter(n, 1); }
double undo(double x, void *t) { double d = __enzyme_reverse(square, x, 1.0, t); return d; }
"""
    )
    assert prototypes(compile_c, text) == {
        "__enzyme_autodiff_two": "G",
        "__enzyme_augmentfwd": "void *",
        "__enzyme_augmentsize": "unsigned long",
        "__enzyme_double": "void",
        "__enzyme_iter": "int",
        "__enzyme_reverse": "double",
    }


@pytest.mark.parametrize("body", ["return __enzyme_iter(3, 1)*x;", "double s = __enzyme_iter(3L, 1); return s*x;"])
def test_a_number_of_iterations_is_an_integer_wherever_it_goes(compile_c, body) -> None:
    unit = compile_c(f"double w(double x) {{ {body} }}")
    assert "declared int __enzyme_iter(int, int)" in str(unit.notes)
    assert "call i32 @__enzyme_iter(i32 noundef 3, i32 noundef 1)" in unit.irs[0]


def test_lines_stay_when_a_declaration_needs_the_cells_own_type(compile_c) -> None:
    text = (
        SQUARE + "typedef struct { double a; } G; int k; G g(double x) { return __enzyme_autodiff(square, x); } "
        "double h(double x) {\n 1 == 2; return x; }"
    )
    unit = compile_c(text)
    assert unit.signatures["g"].line == 2
    assert unit.signatures["g"].parameters[0].column == 51
    assert unit.diagnostics[0].span.line == 3
    with pytest.raises(CompileError) as caught:
        compile_c(text + "\nint bad(void) { return y; }")
    assert (caught.value.line, caught.value.span.column) == (4, 24)


def test_the_users_declarations_win(compile_c) -> None:
    text = (
        SQUARE + "int enzyme_dup; float __enzyme_autodiff(void *, ...);\n"
        "float g(double x) { return __enzyme_autodiff((void *)square, enzyme_dup, x, x); }"
    )
    unit = compile_c(text)
    assert unit.notes == ()
    assert "call float (ptr, ...) @__enzyme_autodiff" in unit.irs[0]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("enzyme_dpu", "enzyme_dup"), ("__enzyme_autodif(1)", "__enzyme_autodiff"), ("diffe_cnst", "diffe_const")],
)
def test_misspelt_names_are_errors_with_a_hint(compile_c, name, meant) -> None:
    with pytest.raises(CompileError) as caught:
        compile_c(f"double f(double x) {{ return {name}; }}")
    assert caught.value.hint == f"did you mean {meant}?"


def test_strict_headers_adds_no_declaration(compile_c) -> None:
    with pytest.raises(CompileError):
        compile_c(SQUARE + "double d(double x) { return __enzyme_autodiff(square, x); }", strict_headers=True)


def annotations(ir: str) -> list[tuple[str, str, str]]:
    """(function, kind, first argument's global) of each entry of llvm.global.annotations."""
    strings = dict(re.findall(r'^(@[\w.]+) = .*? c"(.*?)\\00"', ir, re.MULTILINE))
    arguments = dict(re.findall(r"^(@[\w.]+) = .*? \{ ptr \} \{ ptr (@[\w.]+) \}", ir, re.MULTILINE))
    line = next(row for row in ir.split("\n") if row.startswith("@llvm.global.annotations"))
    entries = re.findall(r"\{ ptr (@\w+), ptr (@[\w.]+), ptr @[\w.]+, i32 \d+, ptr (@[\w.]+|null) \}", line)
    return [(f, strings[kind], arguments.get(a, a)) for f, kind, a in entries]


def test_attributes_reach_the_module(compile_c) -> None:
    text = """\
void aug(double x); void rev(double x);
__attribute__((enzyme("augment", aug), enzyme("gradient", rev), noinline)) double f(double x) { return x; }
__attribute__((enzyme_inactive)) double g(double x) { return x; }
double __attribute__((enzyme_function_like("log1p"))) h(double x) { return x; }
"""
    found = annotations(compile_c(text).irs[0])
    assert ("@f", "enzyme_augment", "@aug") in found
    assert ("@f", "enzyme_gradient", "@rev") in found
    assert ("@g", "enzyme_inactive", "null") in found
    assert any(row[:2] == ("@h", "enzyme_function_like") for row in found)


def test_attributes_work_with_strict_headers_and_without_warnings(compile_c) -> None:
    text = "__attribute__((enzyme_inactive)) double g(double x) { return x; }"
    assert annotations(compile_c(text, strict_headers=True, compile_args=("-w",)).irs[0])


@pytest.mark.parametrize(
    "attribute", ["__attribute__((enzyme_unheard_of))", "[[enzyme::inactive]]", "__attribute__((enzyme_inactiv))"]
)
def test_an_attribute_is_never_dropped(compile_c, attribute) -> None:
    with pytest.raises(CompileError) as caught:
        compile_c(f"int before;\n{attribute} double g(double x) {{ return x; }}", compile_args=("-w",))
    assert caught.value.code == "EM116"
    assert caught.value.line == 2


def test_an_attribute_in_a_header_is_never_dropped(compile_c, tmp_path) -> None:
    (tmp_path / "h.h").write_text("__attribute__((enzyme_inactive)) double g(double x);\n")
    with pytest.raises(CompileError) as caught:
        compile_c('#include "h.h"\ndouble f(double x) { return g(x); }', include=(str(tmp_path),))
    assert caught.value.code == "EM116"


def test_a_variable_named_enzyme_is_no_attribute(compile_c) -> None:
    unit = compile_c(
        "double enzyme(double x) { return x; }\n__attribute__((noinline)) double f(double x) { return enzyme(x); }"
    )
    assert unit.notes == ()
