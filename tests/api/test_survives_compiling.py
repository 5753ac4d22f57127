"""Programs that no compiler makes sense of: each is an error of ours or works, and the process goes on."""

from __future__ import annotations

import platform
from random import Random

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.config import read_settings
from enzyme_magic.errors import ArgumentError, CompileError, EnzymeError, ToolchainError, UnsupportedIRError
from tests.campaign.mutations import mutated_ir

GOOD = " double good(double x) { return x * x * x; }"


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('double f(double x) __asm__("llvm.foo"); double f(double x) { return x; }', "EM123"),
        ('double f(double x) __asm__("llvm.sqrt.f64"); double f(double x) { return x; }', "EM123"),
        ('double g __asm__("llvm.used") = 1; double f(double x) { return x * g; }', "EM123"),
        ('double g __asm__(".Lg") = 1; double f(double x) { return x * g; }', "EM123"),
        ('double f(double x) __asm__(".text"); double f(double x) { return x; }', "EM123"),
        ('double f(double x) { __asm__ volatile(".section foo\\n.quad 1"); return x * x; }', "EM123"),
        ('double f(double x) { __asm__ volatile("nop\\n\\tl: /* here */ .text"); return x * x; }', "EM123"),
        ('double f(double x) { __asm__ volatile(".pushsection foo; nop"); return x * x; }', "EM123"),
        ("double _GLOBAL_OFFSET_TABLE_ = 3; double f(double x) { return x * _GLOBAL_OFFSET_TABLE_; }", "EM123"),
        ("double __dso_handle = 3; double f(double x) { return x * __dso_handle; }", "EM123"),
        ('double g __attribute__((section(".eh_frame"))) = 3; double f(double x) { return x * g; }', "EM123"),
        ('double g __attribute__((section(".text"))) = 3; double f(double x) { return x * g; }', "EM123"),
    ],
)
def test_names_and_sections_of_the_linker_are_refused(source: str, code: str) -> None:
    with pytest.raises(UnsupportedIRError) as caught:
        em.compile_c(source + GOOD)
    assert caught.value.code == code


def test_ordinary_names_and_sections_are_not() -> None:
    p = em.compile_c(
        'double g __attribute__((section("settings"))) = 3; double h __attribute__((section(".data.h"))) = 2;'
        '__attribute__((annotate("a word"))) double größe(double ä) { return g * h * ä; }' + GOOD
    )
    assert p["größe"].grad(1.0) == 6.0
    assert p.good.grad(2.0) == 12.0


def test_functions_without_their_c_name_are_named_and_the_others_work() -> None:
    p = em.compile_c(
        'double f(double x) __asm__("hello"); double f(double x) { return x; }'
        "__attribute__((regcall)) double h(double x) { return x; }" + GOOD
    )
    assert list(p) == ["good"]
    assert p.good.grad(2.0) == 12.0
    said = " ".join(p.notes)
    assert "f cannot be called from Python: its symbol is 'hello'" in said
    assert "h cannot" in said
    with pytest.raises(CompileError, match="its symbol is 'hello'"):
        em.compile_c('double f(double x) __asm__("hello"); double f(double x) { return x; }')


ALIASES = """
static double impl(double x) { return x * x; }
double second(double) __attribute__((alias("impl")));
double third(double) __attribute__((weak, alias("impl")));
double numbers[3] = {1, 2, 3};
extern double others[3] __attribute__((alias("numbers")));
static double (*const table[2])(double) = {second, third};
static double *places[2] = {&others[1], others + 2};
__attribute__((noinline)) static double call(double (*p)(double), double x) { return p(x); }
double called(double x, int k) { return second(x) * third(x) * call(second, x) + table[k](x) + (second == impl); }
double memory(double x, int k) { others[1] = x; *places[k] = x * x; double y = numbers[1] * numbers[2]; numbers[2] = 3; return y; }
double asks(double x) { return __enzyme_autodiff((void *)second, x); }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_aliases_are_what_they_name(opt: int) -> None:
    p = em.compile_c(ALIASES, opt=opt)
    for name in ("called", "memory"):
        for k in (0, 1):
            em.check_grads(p[name], (1.3, k))
    assert p.memory.grad(2.0, 1) == 12.0  # x of numbers[1], x*x of numbers[2]
    assert p.called.hessian(1.0, 0) == 30.0 + 2.0
    assert (p.asks(3.0), p.asks.grad(3.0)) == (6.0, 2.0)


CLONES = """
__attribute__((target_clones("avx2", "default"))) double g(double x) { return x * x; }
__attribute__((target_clones("avx2", "default"))) static double r(double x, int n) { return n ? x * r(x, n - 1) : 1; }
__attribute__((target("avx2"))) double h(double x) { return x * x * x; }
__attribute__((target("default"))) double h(double x) { return x * x * x; }
__attribute__((target_clones("avx2", "default"))) double größe$(double x) { return 2 * x; }
double f(double x) { double (*p)(double) = g; return p(x) * g(x) + r(x, 3) + h(x) + größe$(x); }
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="names of x86 processors")
@pytest.mark.parametrize("opt", [0, 2])
def test_functions_that_are_written_for_several_processors_are_functions(opt: int) -> None:
    p = em.compile_c(CLONES, opt=opt)
    assert list(p) == ["g", "h", "größe$", "f"]
    assert p.notes == ()
    assert [p[name].grad(2.0) for name in p] == [4.0, 12.0, 2.0, 32.0 + 12.0 + 12.0 + 2.0]
    assert p.f(2.0) == 16.0 + 8.0 + 8.0 + 4.0


def test_a_choice_of_the_program_at_load_time_is_refused() -> None:
    text = "static double one(double x) { return x * x; } static double (*choice(void))(double) { return one; } "
    with pytest.raises(UnsupportedIRError, match="'f' is an ifunc") as caught:
        em.compile_c(text + 'double f(double) __attribute__((ifunc("choice")));')
    assert caught.value.code == "EM123"
    assert em.compile_c(text + "double f(double x) { return choice()(x); }").f.grad(2.0) == 4.0


@pytest.mark.parametrize("opt", [0, 2])
def test_names_of_any_letters(opt: int) -> None:
    p = em.compile_c(
        "static double größe$ = 2; static __attribute__((noinline)) double $in(double x$) { größe$ += 1; return x$ * x$ * größe$; }"
        "double f(double $x) { double 数 = $in($x); return 数 * $in($x + größe$); } double übrig(double ß) { return $in(ß) * ß; }"
        "typedef struct süß$ { double a$; int ñ; } süß; double taken(süß q) { return q.a$ * q.a$; }",
        opt=opt,
    )
    em.check_grads(p.f, (2.0,))
    em.check_grads(p.übrig, (2.0,), order=2)
    assert p.übrig.grad(2.0) == 36.0
    assert p.taken.grad((3.0, 1))["a$"] == 6.0


@pytest.mark.parametrize("opt", [0, 2])
def test_names_that_are_longer_than_llvm_keeps(opt: int) -> None:
    a = "a" * 1500
    text = (
        f"double f(double {a}x, double {a}y) {{ double {a}1 = {a}x * {a}y, {a}2 = {a}1 * {a}y; return {a}1 * {a}2; }}"
    )
    text += f"static __attribute__((noinline)) double {a}3(double x) {{ return x * x; }} double g(double x) {{ return {a}3(x); }}"
    p = em.compile_c(text, opt=opt)
    assert tuple(p.f.grad(2.0, 3.0)) == (108.0, 108.0)
    assert p.g.grad(2.0) == 4.0


def test_what_clang_breaks_is_not_our_mistake() -> None:
    """clang 22 stores a bit of such a vector as a byte, and does not look."""
    text = "typedef _Bool b8 __attribute__((ext_vector_type(8))); "
    text += "double f(double x, int k) { b8 m = {1, 0, 1}; LINE return m[2] ? x * x : x; }"
    with pytest.raises(ToolchainError, match="clang made of this C what LLVM does not accept") as caught:
        em.compile_c(text.replace("LINE", "m[k] = x > 1;"))
    assert caught.value.code == "EM125"
    assert em.compile_c(text.replace("LINE", "")).f.grad(2.0, 1) == 4.0


@pytest.mark.parametrize("word", ["__int128", "_BitInt(77)", "__float128"])
def test_numbers_wider_than_python_passes(word: str) -> None:
    p = em.compile_c(f"double f(double x, {word} n) {{ return x * (double)n; }}" + GOOD)
    with pytest.raises(ArgumentError, match="cannot be passed from Python"):
        p.f(2.0, 3)
    assert p.good.grad(2.0) == 12.0


def test_a_bit_int_has_its_own_range() -> None:
    f = em.compile_c("double f(double x, _BitInt(24) n) { return x * (double)n; }").f
    assert f.grad(2.0, -(1 << 23)) == -(1 << 23)
    with pytest.raises(ArgumentError):
        f(2.0, 1 << 23)


def test_settings_have_units_and_nothing_else() -> None:
    assert read_settings({"ENZYME_MAGIC_TAPE_LIMIT": "8G"}).tape_limit == 8 << 30
    assert read_settings({"ENZYME_MAGIC_TAPE_LIMIT": "512 MiB"}).tape_limit == 512 << 20
    assert read_settings({"ENZYME_MAGIC_TAPE_LIMIT": "1.5gb"}).tape_limit == 3 << 29
    assert read_settings({"ENZYME_MAGIC_TAPE_LIMIT": "1e9"}).tape_limit == 10**9
    assert read_settings({}).tape_limit == 8 << 30
    for name, value in (
        ("TAPE_LIMIT", "8X"),
        ("TAPE_LIMIT", "-1"),
        ("TAPE_LIMIT", "9" * 400),
        ("COMPILE_TIMEOUT", "1e999"),
        ("COMPILE_TIMEOUT", "soon"),
        ("COMPILE_TIMEOUT", "1G"),
    ):
        with pytest.raises(ArgumentError, match=f"ENZYME_MAGIC_{name}"):
            read_settings({f"ENZYME_MAGIC_{name}": value})


def test_pointers_as_deep_as_you_like() -> None:
    p = em.compile_c(f"double g(double {'*' * 2000}x) {{ return 1; }} double f(double x) {{ return x * x; }}")
    assert p.f.grad(3.0) == 6.0
    with pytest.raises(em.EnzymeError):
        p.g(1.0)


def test_deep_json_is_no_report() -> None:
    for text in ("[" * 100_000, '{"a":' * 100_000):
        with pytest.raises(ArgumentError, match="no report"):
            em.Report.from_json(text)


def test_messages_stay_readable() -> None:
    for middle in ("y" * 20_000, "+ x " * 5_000 + "+ unknown"):
        with pytest.raises(CompileError) as caught:
            em.compile_c(f"double f(double x) {{ return x {middle if middle[0] == '+' else '* ' + middle}; }}")
        assert max(map(len, str(caught.value).split("\n"))) < 2500
        assert "^" in str(caught.value)


BARE = [
    ["-dependency-file"],
    ["-isysroot"],
    ["-mthread-model"],
    ["-framework"],
    ["-Wp,-MD,x.d"],
    ["-Z"],
    ["-include-pch"],
    ["-fsave-optimization-record"],
]


def test_options_that_take_a_word_are_refused() -> None:
    before = em.compile_c(GOOD, compile_args=["-fwrapv", "-mfma", "-march=native", "-fno-builtin-sin", "-Wno-all"])
    assert before.good.grad(2.0) == 12.0
    for words in (
        ["-Xclang", "-dependency-file"],
        ["-Xclang", "-o", "-Xclang", "x"],
        ["-Xpreprocessor", "-dependency-file"],
        ["-dependency-file", "x.d"],
        *BARE,
    ):
        with pytest.raises(CompileError) as caught:
            em.compile_c("double f(double x) { return x; }", compile_args=words)
        assert caught.value.code == "EM117"
    assert em.compile_c(GOOD, compile_args=["-Xclang", "-ffast-math"]).good(2.0) == 8.0


MATRIX = """
typedef double m __attribute__((matrix_type(3, 3)));
double f(double x) {
  m a;
  for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) a[i][j] = x * i + j;
  m b = a * a;
  return b[1][2];
}
"""


def test_what_ends_llvm_ends_a_worker() -> None:
    """Again and again, and what comes between works."""
    for _ in range(2):
        with pytest.raises(ToolchainError, match="LLVM cannot compile this program") as caught:
            em.compile_c(MATRIX, compile_args=["-fenable-matrix"], force=True)
        assert caught.value.code == "EM125"
        with pytest.raises(EnzymeError):
            em.compile_c('int g(int) __asm__("llvm.sin.f64"); double f(double x) { return x * g(3); }', force=True)
        assert em.compile_c(GOOD, compile_args=["-fenable-matrix"], force=True).good.grad(2.0) == 12.0


def test_broken_ir_is_an_error_and_the_repaired_text_works() -> None:
    """With debug info LLVM's parser ends the process at a module that it does not verify."""
    program = em.compile_c(GOOD + " double k(double x) { return good(x) * 2; }")
    good = program.compiled.record.input_ir
    broken = [
        good.replace("ret double", "ret float"),
        good.replace("fmul double", "fmul i64"),
        good.replace("@good", '@"llvm.foo"'),
        good.replace("!DISubprogram(", "!DISubrange("),
        good.replace("unit: !", "unit: null, file: !"),
        good[: len(good) // 2],
    ]
    for source in broken:
        assert source != good
        with pytest.raises(EnzymeError):
            em.compile_ir(source, force=True)
    assert em.compile_ir(good, force=True).good.grad(2.0) == 12.0


CIRCULAR = """
define double @f(ptr %p) !dbg !4 {
  %x = load double, ptr %p
  %y = fmul double %x, %x
  ret double %y, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1)
!1 = !DIFile(filename: "baseType: !7", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, unit: !0, type: !5, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{!3, !7}
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !9, size: 64)
!8 = !DILocation(line: 1, scope: !4)
!9 = distinct !DIDerivedType(tag: DW_TAG_const_type, baseType: !10)
!10 = distinct !DIDerivedType(tag: DW_TAG_typedef, name: "t", baseType: !TO)
"""
ANNOTATED = '@llvm.global.annotations = appending global [1 x i32] [i32 1], section "llvm.metadata"\n'


def test_debug_info_that_is_circular_is_an_error() -> None:
    """LLVM lets it pass; whoever follows it does not come back."""
    for to in ("9", "10"):
        with pytest.raises(CompileError, match="circular") as caught:
            em.compile_ir(CIRCULAR.replace("TO", to), force=True)
        assert caught.value.code == "EM120"
    f = em.compile_ir(CIRCULAR.replace("TO", "3"), force=True).f
    assert f.grad(np.array([3.0])).tolist() == [6.0]


def test_annotations_that_are_not_clangs_say_nothing() -> None:
    text = "define double @f(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n"
    assert em.compile_ir(ANNOTATED + text, force=True).f.grad(3.0) == 6.0


@pytest.mark.parametrize("arguments", ["double %x", "double %x, double %x, double %x"])
def test_a_call_with_other_arguments_than_the_function_has_is_not_differentiated(arguments: str) -> None:
    text = "define internal double @g(double %x, double %y) noinline {\n  %r = fmul double %x, %y\n  ret double %r\n}\n"
    text += "define double @f(double %x) {\n  %r = call double @g(ARGUMENTS)\n  ret double %r\n}\n"
    assert em.compile_ir(text.replace("ARGUMENTS", "double %x, double %x")).f.grad(3.0) == 6.0
    with pytest.raises(EnzymeError) as caught:
        em.compile_ir(text.replace("ARGUMENTS", arguments), opt=0).f.grad(3.0)
    assert caught.value.code == "EM220"


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(20))
def test_mutated_ir_gives_a_result_or_an_error(seed: int) -> None:
    program = em.compile_c(
        "double s(double *x, int n) { double t = 0; for (int i = 0; i < n; i++) t += i % 3 ? x[i] * t : x[i]; return t; }"
        + GOOD
    )
    random = Random(seed)
    for _ in range(1000):
        text = mutated_ir(program.s.ir(random.choice(("input", "optimized"))), random)
        try:
            made = em.compile_ir(text, force=True)
            for name in made:
                made[name].ir("gradient")
        except EnzymeError:
            continue
