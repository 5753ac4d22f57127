"""What a person reads when the text is wrong."""

from __future__ import annotations

import pickle

import pytest

from enzyme_magic.backend.frontend import sources
from enzyme_magic.backend.frontend.compile import compile_sources
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.config import Options
from enzyme_magic.errors import CompileError


def failing(compile_c, text: str, **options: object) -> CompileError:
    with pytest.raises(CompileError) as caught:
        compile_c(text, **options)
    return caught.value


def test_line_column_and_caret(compile_c) -> None:
    error = failing(compile_c, "double f(double x) {\n  return x > 0 ? yy*x*x : 0;\n}\n")
    assert (error.code, error.line, error.span.file, error.span.column) == ("EM110", 2, "In[3]", 18)
    assert str(error) == (
        "In[3], line 2, column 18: use of undeclared identifier 'yy'  [EM110]\n"
        "    2 |   return x > 0 ? yy*x*x : 0;\n"
        "      |                  ^~"
    )


def test_columns_count_characters(compile_c) -> None:
    error = failing(compile_c, "double f(double x) {\n\t/* äöü€ */ return y;\n}")
    assert (error.span.line, error.span.column) == (2, 20)
    assert error.span.text[error.span.column - 1] == "y"


def test_every_error_is_listed(compile_c) -> None:
    error = failing(compile_c, "int f(void) { return a; }\nint g(void) { return b; }\n#error three\n")
    assert sorted(d.span.line for d in error.diagnostics) == [1, 2, 3]
    assert "also In[3], line 2" in str(error)
    assert pickle.loads(pickle.dumps(error)).diagnostics == error.diagnostics


def test_notes_belong_to_their_error(compile_c) -> None:
    error = failing(compile_c, "double f(double x) { return x; }\ndouble f(double x) { return 2*x; }")
    (diagnostic,) = error.diagnostics
    assert [note.span.line for note in diagnostic.notes] == [1]


def test_repairs_become_hints(compile_c) -> None:
    assert failing(compile_c, "double f(double x) { return sin(x) }").hint == "insert ; at column 35"
    error = failing(compile_c, "double f(double weight) { return wieght; }")
    assert "did you mean 'weight'?" in error.message


def test_missing_header_names_the_option(compile_c) -> None:
    error = failing(compile_c, '#include "foo.h"\nint x;')
    assert (error.code, error.line) == ("EM115", 1)
    assert "-I" in error.hint


def test_an_error_inside_a_header(compile_c, tmp_path) -> None:
    (tmp_path / "bad.h").write_text("int ok;\nint bad bad;\n")
    error = failing(compile_c, '#include "bad.h"\n', include=(str(tmp_path),))
    assert error.span.file == str(tmp_path / "bad.h")
    assert (error.span.line, error.span.text) == (2, "int bad bad;")


def test_an_unknown_function_is_the_users_error(compile_c) -> None:
    error = failing(compile_c, "double f(double x) { return frobnicate(x); }")
    assert "call to undeclared function 'frobnicate'" in error.message


def test_undeclared_functions_are_errors_in_old_c_too(compile_c) -> None:
    for extra in ((), ("-w",), ("-Wno-implicit-function-declaration",)):
        error = failing(compile_c, "double f(double x) { return frobnicate(x); }", compile_args=("-std=gnu89", *extra))
        assert "frobnicate" in error.message


def test_text_that_looks_like_a_message_is_no_message(compile_c) -> None:
    error = failing(compile_c, 'int f(void) { return y; } // In[3]:7:7: error: "made up"\n')
    assert [d.span.line for d in error.diagnostics] == [1]


def test_many_errors_end(compile_c) -> None:
    error = failing(compile_c, "\n".join(f"int f{k}(void) {{ return y{k}; }}" for k in range(200)))
    assert error.line == 1
    assert len(error.diagnostics) < 60
    assert len(str(error)) < 1000


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "EM111"),
        (" \n\t\n", "EM111"),
        ("\ufeff\n", "EM111"),
        ("int f(void);\0", "EM113"),
        ("int x; // \ud800", "EM112"),
        ("int x; //" + "x" * 4_000_000, "EM114"),
    ],
)
def test_text_no_compiler_should_see(compile_c, runs, text, code) -> None:
    error = failing(compile_c, text)
    assert error.code == code
    assert error.hint
    assert runs == []


def test_a_ten_megabyte_cell(compile_c, runs) -> None:
    error = failing(compile_c, "double x;\n" * 1_000_000)
    assert error.code == "EM114"
    assert runs == []


def test_nul_and_bad_bytes_have_a_place() -> None:
    with pytest.raises(CompileError) as caught:
        sources.check(Source("int a;\nint \0b;", "In[3]"), 1000)
    assert (caught.value.span.line, caught.value.span.column) == (2, 5)
    with pytest.raises(CompileError) as caught:
        sources.from_bytes(b"int a;\nint \xff;", "a.c")
    assert (caught.value.code, caught.value.line) == ("EM112", 2)


def test_files(tmp_path) -> None:
    with pytest.raises(CompileError) as caught:
        sources.read(tmp_path / "none.c")
    assert caught.value.code == "EM118"
    latin = tmp_path / "latin.c"
    latin.write_bytes("// é\nint x;".encode("latin-1"))
    with pytest.raises(CompileError) as caught:
        sources.read(latin)
    assert caught.value.code == "EM112"


def test_no_source_at_all(settings) -> None:
    with pytest.raises(CompileError) as caught:
        compile_sources([], Options(), settings, 22)
    assert caught.value.code == "EM111"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("double f(double x) { return sni(x); }", "sin"),
        ("double f(double x) { return squrt(x); }", "sqrt"),
        ("double f(double vaule) { return value*2; }", "vaule"),
        ("/* valuf */ double f(double vaule) { return valve*2; }", "vaule"),
    ],
)
def test_the_name_that_was_meant(written: str, meant: str, compile_c) -> None:
    with pytest.raises(CompileError) as caught:
        compile_c(written)
    assert caught.value.hint == f"did you mean {meant}?"
    assert "ISO" not in str(caught.value)


def test_nothing_is_guessed_where_nothing_is_near(compile_c) -> None:
    with pytest.raises(CompileError) as caught:
        compile_c("double f(double x) { return zzzqqq*x; }")
    assert caught.value.hint is None


@pytest.mark.parametrize("name", ["y", "ab", "def"])
def test_a_short_name_is_no_misprint_of_the_library(name: str, compile_c) -> None:
    """No yn for y, abs for ab, ldexpf for def."""
    with pytest.raises(CompileError) as caught:
        compile_c(f"double f(double x) {{ return {name}*x; }}")
    assert caught.value.hint is None


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("x^2", "C has no sign for powers: x*x, or pow(x, 2)"),
        ("x**2", "C has no sign for powers: x*x, or pow(x, 2)"),
        ("x ** 2", "C has no sign for powers: x*x, or pow(x, 2)"),
        ("y·dx + x", "in C, · is written as *"),
        ("3 × x", "in C, × is written as *"),
        ("x − 1", "in C, − is written as -"),
        ("x²", "in C, ² is written as a product, as x*x"),
        ("x ≤ 1", "in C, ≤ is written as <="),
        ("x * y", "did you mean yn?"),
    ],
)
def test_formulas_that_are_no_c(written: str, hint: str, compile_c) -> None:
    with pytest.raises(CompileError) as caught:
        compile_c(f"double f(double x, double yn, double *p) {{\n  return {written};\n}}")
    assert caught.value.hint == hint


@pytest.mark.parametrize("written", ["x & 2", "*x", "p ^ 2", "3 * *x"])
def test_other_signs_are_not_taken_for_powers(written: str, compile_c) -> None:
    with pytest.raises(CompileError) as caught:
        compile_c(f"double f(double x, double *p) {{ return {written}; }}")
    assert "power" not in (caught.value.hint or "") or "^" in written


@pytest.mark.parametrize(
    ("written", "line", "hint"),
    [
        ("double f(double x) {\n  /* a square\n  return x*x;\n}", 2, "end the comment with */"),
        (
            "double f(double x) {\n  if (x > 0) {\n    return x;\n  return 0;\n}",
            5,
            "a } is missing: of the { at line 1",
        ),
        ("double f(double x) {\n  y = x*x;\n  return y;\n}", 2, "C has to know its type: double y = …"),
        ("def f(x):\n  return x*x", 1, "this is Python, and the cell is C: double f(double x)"),
        ("import math\ndouble f(double x) { return x; }", 1, "this is Python, and the cell is C: #include <math.h>"),
        ("#include <iostream>\ndouble f(double x) { return x; }", 1, "iostream is a header of C++, and the text is C"),
        ("#include <mine.h>\ndouble f(double x) { return x; }", 1, "say where mine.h is"),
    ],
)
def test_slips_of_learners_have_their_repair(written: str, line: int, hint: str, compile_c) -> None:
    with pytest.raises(CompileError) as caught:
        compile_c(written)
    assert caught.value.line == line
    assert (caught.value.hint or "").startswith(hint)


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("for (int i = 0; i < n; i++);\n    s += x;", [(2, 30, "-Wempty-body")]),
        ("for (int i = 0; i < n; i++); {\n s += x; }", [(2, 30, "-Wempty-body")]),
        ("if (n > 3);\n  s = x;", [(2, 13, "-Wempty-body")]),
        ("while (n > 3);\n    n--;", [(2, 16, "-Wempty-body")]),
        ("s = 1/2*x;", [(2, 7, "-Winteger-division")]),
        ("s = (2 / 3)*x + 4/5;", [(2, 8, "-Winteger-division"), (2, 19, "-Winteger-division")]),
        ("for (; n > 3; n--);\n  s = x;", []),  # what follows is not the body
        ("for (; n > 3; n--)\n    ;\n  s = x;", []),
        ("do n--; while (n > 3);\n  s = x;", []),
        ("if (n > 3) n--; else if (n < -3); else n++;", []),
        ("s = x*1/2 + 1.0/2 + 1/2. + 3/2 + n/2; /* 1/2 */", []),
        ('const char *t = "1/2; if (n);"; s = t[0]; // for (;;);', []),
    ],
)
def test_what_compiles_and_is_hardly_meant_is_a_warning(
    body: str, places: list[tuple[int, int, str]], compile_c
) -> None:
    """Where clang is silent, because a line of its file is not the line of the cell."""
    unit = compile_c(f"double f(double x, int n) {{ double s = 0;\n  {body}\n  return s; }}")
    told = [d for d in unit.diagnostics if d.option in ("-Wempty-body", "-Winteger-division")]
    assert [(d.span.line, d.span.column, d.option) for d in told] == places
    assert {d.severity for d in told} <= {"warning"}
    assert all(str(d).count("^") == 1 for d in told)


def test_what_a_note_proposes_is_no_repair(compile_c) -> None:
    """It is one of several ways, as `remove the 'if' if its condition is always true`."""
    text = "double f(double x) {\n  double r;\n  if (x > 0) r = x;\n  return r;\n}"
    with pytest.raises(CompileError) as caught:
        compile_c(text, compile_args=("-Werror=sometimes-uninitialized",))
    assert caught.value.hint is None
