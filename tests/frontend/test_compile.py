"""Text to IR: the ordinary case, options, included files, the canonical form of the result."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import pytest

from enzyme_magic.backend.frontend.compile import compile_sources
from enzyme_magic.backend.frontend.sources import Source, read
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.config import Options, Settings
from enzyme_magic.errors import CompileError

RELU3 = """\
double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}
"""


def test_the_cell_of_the_talk_needs_one_run(compile_c, runs) -> None:
    compile_c("int warm;")
    runs.clear()
    unit = compile_c(RELU3)
    assert unit.notes == ("added #include <math.h>",)
    assert len(runs) == 1
    assert "@llvm.pow.f64(double" in unit.irs[0]
    assert unit.entries == ()
    assert unit.files == ()
    assert unit.diagnostics == ()
    assert str(unit.signatures["relu3"]) == "relu3(double x) -> double"


def test_names_debug_lines_and_types_survive_unoptimized(compile_c) -> None:
    ir = compile_c(RELU3).irs[0]
    assert "%result = alloca double" in ir
    assert '!DIFile(filename: "In[3]", directory: ".")' in ir
    assert "!DILocation(line: 4, column: 18" in ir
    assert "!tbaa" in ir
    assert "optnone" not in ir


def test_the_text_is_canonical(compile_c, settings, tmp_path, monkeypatch) -> None:
    first = compile_c(RELU3).irs[0]
    assert 'target triple = "x86_64-unknown-linux-gnu"' in first or "aarch64-unknown-linux-gnu" in first
    assert first.startswith('source_filename = "In[3]"\n')
    for word in (
        "target-cpu",
        "target-features",
        "tune-cpu",
        "frame-pointer",
        "stack-protector",
        str(Path.cwd()),
        "/tmp",
    ):
        assert word not in first
    elsewhere = tmp_path / "a folder" / "é"
    elsewhere.mkdir(parents=True)
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    other = Settings(cache_dir=elsewhere / "ca che", environment=dict(os.environ))
    unit = compile_sources([Source(RELU3, "In[3]")], Options(), other, 22)
    assert unit.irs[0] == first
    assert [entry.name for entry in elsewhere.iterdir()] == ["ca che"], "scratch folders are removed"


def test_our_parser_reads_it(compile_c) -> None:
    module = parser.parse(compile_c(RELU3).irs[0])
    assert [function.name for function in module.definitions()] == ["relu3"]


def test_fma_contraction_and_errno_follow_the_canonical_line(compile_c) -> None:
    ir = compile_c("#include <math.h>\ndouble f(double x, double y) { return sin(x) * y + sqrt(x); }").irs[0]
    assert "@llvm.sin.f64" in ir
    assert "@llvm.fmuladd.f64" in ir


def test_failed_asserts_stay(compile_c) -> None:
    text = "#include <assert.h>\nvoid f(double x) { assert(x > 0); }"
    assert "__assert_fail" in compile_c(text).irs[0]
    assert "__assert_fail" not in compile_c(text, define=("NDEBUG",)).irs[0]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("double f(double x) {\n double s;\n s += x;\n return s; }", "s"),
        ("double f(double x) {\n double most;\n if (x > 0) most = x;\n return most; }", "most"),
    ],
)
def test_what_was_never_set_has_a_warning_and_can_be_silenced(compile_c, text: str, name: str) -> None:
    (warning,) = compile_c(text).diagnostics
    assert warning.severity == "warning"
    assert f"variable '{name}' is" in warning.message
    assert compile_c(text, compile_args=("-Wno-uninitialized",)).diagnostics == ()


def test_warnings_are_data(compile_c) -> None:
    unit = compile_c("int f(void) {\n  return 1.5 == 2;\n  int é = 1; é == 2;\n}")
    assert [(d.severity, d.option, d.span.line, d.span.column) for d in unit.diagnostics] == [
        ("warning", "-Wunused-comparison", 3, 16)
    ]
    assert unit.diagnostics[0].span.text == "  int é = 1; é == 2;"
    assert compile_c("int f(void) { 1 == 2; return 0; }", compile_args=("-w",)).diagnostics == ()


def test_define_and_arguments_reach_the_compiler(compile_c) -> None:
    unit = compile_c(
        "double f(double x) { return x * K + x; }", define=("K=7.0",), compile_args=("-ffast-math", "-g", "-O3")
    )
    assert "fmul fast double" in unit.irs[0]
    assert "7.000000e+00" in unit.irs[0]
    assert unit.notes == ("-O3 is left out: the level before differentiation is opt=2, after it post_opt=3",)
    assert compile_c("double f(double x) { return x * 2; }", compile_args=("-Ofast",)).irs[0].count("fmul fast") == 1


@pytest.mark.parametrize(
    "word", ["-o", "-c", "-E", "-MD", "--target=arm", "-fsyntax-only", "other.c", "-flto", "-x", "-emit-ast"]
)
def test_options_that_change_the_product_are_refused(compile_c, word) -> None:
    with pytest.raises(CompileError) as caught:
        compile_c("int x;", compile_args=(word,))
    assert caught.value.code == "EM117"


def test_unknown_option(compile_c) -> None:
    with pytest.raises(CompileError, match="-fnothing-of-the-kind") as caught:
        compile_c("int x;", compile_args=("-fnothing-of-the-kind",))
    assert caught.value.code == "EM117"


def test_option_without_its_value(compile_c) -> None:
    with pytest.raises(CompileError, match="needs a value"):
        compile_c("int x;", compile_args=("-include",))


def test_unknown_language(compile_c) -> None:
    with pytest.raises(CompileError) as caught:
        compile_c("program x", language="fortran")
    assert caught.value.code == "EM119"


def test_cpp_text(compile_c) -> None:
    unit = compile_c(
        "template<class T> T square(T x) { return x * x; }\ndouble f(double x) { return square(x); }", language="c++"
    )
    assert "double @_Z1fd(double" in unit.irs[0]
    assert str(unit.signatures["_Z1fd"]) == "f(double x) -> double"


def test_cpp_values_without_an_entry_are_told(compile_c) -> None:
    unit = compile_c("struct P { double x; };\ndouble f(P p) { return p.x; }", language="c++")
    assert unit.entries == ()
    assert unit.notes == ("f cannot be called from Python: only plain scalars and pointers can be passed to C++ yet",)


def test_two_threads_at_once(compile_c) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        units = list(pool.map(lambda k: compile_c(f"double f(double x) {{ return pow(x, {k}); }}"), range(6)))
    assert [f"double {k}.000000e+00" in unit.irs[0] for k, unit in enumerate(units)] == [True] * 6


def test_included_files_are_recorded_by_content(compile_c, tmp_path) -> None:
    folder = tmp_path / "in clude $x #"
    folder.mkdir()
    header = folder / "my header.h"
    header.write_text("#define TWICE 2\n")
    text = '#include <math.h>\n#include "my header.h"\ndouble f(double x) { return TWICE * sin(x); }'
    first = compile_c(text, include=(str(folder),))
    assert first.files == ((str(header), hashlib.sha256(header.read_bytes()).hexdigest()),)
    header.write_text("#define TWICE 2.0 // changed\n")
    second = compile_c(text, include=(str(folder),))
    assert second.files != first.files


def test_a_file_finds_its_neighbours(compile_c, settings, tmp_path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "k.h").write_text("static const double k = 3;\n")
    source = tmp_path / "sub" / "prog.c"
    source.write_text('#include "k.h"\ndouble f(double x) { return k * x; }\n')
    unit = compile_sources([read(source)], Options(), settings, 22)
    assert unit.signatures["f"].file == str(source)
    assert [name for name, _ in unit.files] == [str(tmp_path / "sub" / "k.h")]


def test_a_cell_finds_headers_beside_the_notebook(compile_c, tmp_path, monkeypatch) -> None:
    (tmp_path / "k.h").write_text("#define K 3\n")
    monkeypatch.chdir(tmp_path)
    unit = compile_c('#include "k.h"\nint f(void) { return K; }')
    assert [name for name, _ in unit.files] == [str(tmp_path / "k.h")]


def test_several_sources(settings) -> None:
    texts = [
        Source("double g(double);\ndouble f(double x) { return g(x); }", "a.c"),
        Source("double g(double x) { return sin(x); }", "b.c"),
    ]
    unit = compile_sources(texts, Options(), settings, 22)
    assert len(unit.irs) == 2
    assert sorted(unit.signatures) == ["f", "g"]
    assert unit.signatures["g"].file == "b.c"
    assert unit.notes == ("added #include <math.h>",)


def test_names_with_odd_characters(settings) -> None:
    name = 'In[3] "quoted" back\\slash é\nsecond line'
    unit = compile_sources([Source("double f(double x) { return x; }", name)], Options(), settings, 22)
    assert unit.signatures["f"].file == 'In[3] "quoted" back\\slash é second line'
    with pytest.raises(CompileError) as caught:
        compile_sources([Source("double f(double x) { return y; }", name)], Options(), settings, 22)
    assert caught.value.span.file == 'In[3] "quoted" back\\slash é second line'
    assert caught.value.span.text == "double f(double x) { return y; }"


def test_line_endings_byte_order_mark_and_missing_last_newline(compile_c) -> None:
    unit = compile_c("\ufeffdouble f(\r\n  double x,\r\n  double y) { return x*y; }")
    assert [(p.line, p.column) for p in unit.signatures["f"].parameters] == [(2, 10), (3, 10)]
    assert compile_c("double f(double x) { return x; } // \\").signatures["f"].line == 1


def test_the_user_may_move_the_line_himself(compile_c) -> None:
    unit = compile_c('#line 100 "other.c"\ndouble f(double *x) { return x[0]; }')
    assert (unit.signatures["f"].file, unit.signatures["f"].line) == ("other.c", 100)
