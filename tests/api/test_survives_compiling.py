"""Programs that no compiler makes sense of: each is an error of ours or works, and the process goes on."""

from __future__ import annotations

import re
from random import Random

import pytest

import enzyme_magic as em
from enzyme_magic.config import read_settings
from enzyme_magic.errors import ArgumentError, CompileError, EnzymeError, ToolchainError, UnsupportedIRError

GOOD = " double good(double x) { return x * x * x; }"


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('double f(double x) __asm__("llvm.foo"); double f(double x) { return x; }', "EM123"),
        ('double f(double x) __asm__("llvm.sqrt.f64"); double f(double x) { return x; }', "EM123"),
        ('double g __asm__("llvm.used") = 1; double f(double x) { return x * g; }', "EM123"),
        ('double g __asm__(".Lg") = 1; double f(double x) { return x * g; }', "EM123"),
        ('double f(double x) __asm__(".text"); double f(double x) { return x; }', "EM123"),
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
        '__attribute__((target_clones("avx2", "default"))) double g(double x) { return x; }'
        "__attribute__((regcall)) double h(double x) { return x; }" + GOOD
    )
    assert list(p) == ["good"]
    assert p.good.grad(2.0) == 12.0
    said = " ".join(p.notes)
    assert "f cannot be called from Python: its symbol is 'hello'" in said
    assert "g cannot" in said
    assert "h cannot" in said
    with pytest.raises(CompileError, match="its symbol is 'hello'"):
        em.compile_c('double f(double x) __asm__("hello"); double f(double x) { return x; }')


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
        ("COMPILE_TIMEOUT", "soon"),
        ("COMPILE_TIMEOUT", "1G"),
    ):
        with pytest.raises(ArgumentError, match=f"ENZYME_MAGIC_{name}"):
            read_settings({f"ENZYME_MAGIC_{name}": value})


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


def test_options_that_take_a_word_are_refused() -> None:
    for words in (["-Xclang", "-dependency-file"], ["-Xclang", "-o", "-Xclang", "x"], ["-dependency-file", "x.d"]):
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


_WORDS = re.split(
    " ",
    "i32 i64 double float ptr null undef poison void label %0 %x @good !dbg !0 i1 -1 call ret br phi load store token metadata "
    "x86_amx i8388607 musttail noreturn external internal addrspace(3) 99999999999999999999",
)


def _mutated(text: str, random: Random) -> str:
    lines = text.split("\n")
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(lines))
        words = lines[at].split(" ")
        words[random.randrange(len(words))] = random.choice((*_WORDS, *words))
        change = random.randrange(4)
        lines[at : at + 1] = [] if change == 0 else [lines[at]] * 2 if change == 1 else [" ".join(words)]
        lines = lines or [""]
    return "\n".join(lines)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(20))
def test_mutated_ir_gives_a_result_or_an_error(seed: int) -> None:
    program = em.compile_c(
        "double s(double *x, int n) { double t = 0; for (int i = 0; i < n; i++) t += i % 3 ? x[i] * t : x[i]; return t; }"
        + GOOD
    )
    random = Random(seed)
    for _ in range(1000):
        text = _mutated(program.s.ir(random.choice(("input", "optimized"))), random)
        try:
            made = em.compile_ir(text, force=True)
            for name in made:
                made[name].ir("gradient")
        except EnzymeError:
            continue
