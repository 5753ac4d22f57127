"""Variables in memory do not touch each other."""

from __future__ import annotations

import ctypes

import pytest

from enzyme_magic.backend.llvm import binding
from enzyme_magic.backend.llvm.objects import jit, spacing

SPACED = {
    "@x = internal global [4 x double] zeroinitializer, align 16": (
        "@x = internal global { [4 x double], i8 } { [4 x double] zeroinitializer, i8 0 }, align 16"
    ),
    r'@x = private unnamed_addr constant [4 x i8] c"\22]}\00", align 1': (
        r'@x = private unnamed_addr constant { [4 x i8], i8 } { [4 x i8] c"\22]}\00", i8 0 }, align 1'
    ),
    "@x = constant { i32, [1 x i8] } { i32 1, [1 x i8] [i8 2] }, align 8, !dbg !3": (
        "@x = constant { { i32, [1 x i8] }, i8 } { { i32, [1 x i8] } { i32 1, [1 x i8] [i8 2] }, i8 0 }, align 8, !dbg !3"
    ),
    "@x = weak_odr dso_local global %s undef, comdat, align 8": (
        "@x = weak_odr dso_local global { %s, i8 } { %s undef, i8 0 }, comdat, align 8"
    ),
    '@x = global i32 3, comdat($x), code_model "large", align 4, !type !0, !dbg !1': (
        '@x = global { i32, i8 } { i32 3, i8 0 }, comdat($x), code_model "large", align 4, !type !0, !dbg !1'
    ),
    "@x = global i32 3, sanitize_address_dyninit, align 4": (
        "@x = global { i32, i8 } { i32 3, i8 0 }, sanitize_address_dyninit, align 4"
    ),
    "@x = global ptr getelementptr ([4 x double], ptr @y, i64 0, i64 4)": (
        "@x = global { ptr, i8 } { ptr getelementptr ([4 x double], ptr @y, i64 0, i64 4), i8 0 }"
    ),
}
KEPT = [
    "@x = external global i32",
    "@x = extern_weak global i32",
    "@x = common global i32 0, align 4",
    '@x = internal global ptr null, section "plugins", align 8',
    '@llvm.used = appending global [1 x ptr] [ptr @y], section "llvm.metadata"',
    '@x = global i32 3, partition "part", align 4',
    "@x = global i32 3, align 4 #0",
    "@x = external externally_initialized global i32",
    "@x = alias i32, ptr @y",
    "define i32 @f() {",
]


@pytest.mark.parametrize("line", SPACED)
def test_a_byte_behind_each(line: str) -> None:
    assert spacing.add(line) == SPACED[line]


@pytest.mark.parametrize("line", KEPT)
def test_what_stays(line: str) -> None:
    assert spacing.add(line) == line


def test_in_memory() -> None:
    """Of every two variables of a module neither begins where the other ends; values and alignments are as they were."""
    sizes = {"a": 16, "b": 16, "c": 1, "d": 32, "e": 16, "s": 4}
    text = """
        @a = global [2 x double] [double 1.0, double 2.0], align 8
        @b = global [2 x double] [double 3.0, double 4.0], align 8
        @c = global i8 7, align 1
        @d = constant [4 x i64] [i64 1, i64 2, i64 3, i64 4], align 32
        @e = global [2 x double] zeroinitializer, align 16
        @s = constant [4 x i8] c"abc\\00", align 1
    """.replace("\\\\", "\\")
    library = jit.Library.load([jit.compile_object(binding.canonical(text))], list(sizes))
    places = {name: library.address(name) for name in sizes}
    assert not {places[name] + sizes[name] for name in sizes} & set(places.values())
    assert places["d"] % 32 == places["e"] % 16 == 0
    assert list((ctypes.c_double * 2).from_address(places["b"])) == [3.0, 4.0]
    assert ctypes.string_at(places["s"], 4) == b"abc\0"
