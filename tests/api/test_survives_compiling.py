"""Programs that no compiler makes sense of: each is an error of ours or works, and the process goes on."""

from __future__ import annotations

import pytest

import enzyme_magic as em
from enzyme_magic.config import read_settings
from enzyme_magic.errors import ArgumentError, CompileError, UnsupportedIRError

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
        "double größe(double ä) { return g * h * ä; }" + GOOD
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
