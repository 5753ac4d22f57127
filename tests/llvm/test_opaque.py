"""Separating bodies and joining them again: what stays where, under which name."""

import ctypes
import re

import pytest

from enzyme_magic.backend.llvm import binding, link, moduletext, opaque, optimize
from enzyme_magic.errors import UnsupportedIRError

PROGRAM = """
#include <stdio.h>
static double state = 1.0;
static const double weights[2] = {3.0, 5.0};
static double twice(double x) { return 2 * x; }
struct pair { double a; float b; };
static struct pair pairs[2] __attribute__((aligned(64))) = {{1.0, 2.0f}, {3.0, 4.0f}};
double rule(double x) {
    static int calls;
    printf("rule %d\\n", ++calls);
    state += x;
    return twice(x) * weights[calls & 1] + pairs[1].a;
}
double other(double x) { return twice(x) + state + pairs[0].b; }
double f(double x) { return rule(x) + other(x); }
"""


def lines(text, start):
    return [line for line in text.split("\n") if line.startswith(start)]


def test_what_stays_where(clang):
    main, side = opaque.separate(clang(PROGRAM), {"rule"})
    assert [item.name for item in moduletext.split(side) if item.kind == "function"] == ["rule"]
    assert "rule" not in [item.name for item in moduletext.split(main) if item.kind == "function"]
    (declared,) = [line for line in lines(main, "declare") if "@rule(" in line]
    assert "nobuiltin" in main
    assert "double noundef" in declared
    (unique,) = set(re.findall(r"@state(\.\w+)", main))
    for name in ("state", "weights", "pairs", "rule.calls", ".str"):
        assert len(lines(main, f"@{name}{unique} = ")) == 1
        (outside,) = lines(side, f"@{name}{unique} = ")
        assert " external " in outside, "one definition, in the main module"
    assert "external constant [2 x double], align 16" in side
    assert "external global [2 x { double, float, [4 x i8] }], align 64" in side
    assert not re.search(r"^@\S+ = (?:internal|private)", side, re.M)
    assert "define double @twice(" in main
    assert "declare double @twice(" in side


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_together_again_it_is_the_same_program(clang, load, call, capfd, level):
    main, side = opaque.separate(clang(PROGRAM), {"rule"})
    separated = load(link.link([optimize.pre_ad(main, level), side]), ["f"])
    whole = load(optimize.pre_ad(clang(PROGRAM), level), ["f"])
    assert [call(separated, "f", x) for x in (1.0, 2.0, 3.0)] == [call(whole, "f", x) for x in (1.0, 2.0, 3.0)]
    ctypes.CDLL(None).fflush(None)
    assert capfd.readouterr().out == "rule 1\nrule 2\nrule 3\n" * 2


def test_statics_of_different_programs_get_different_names(clang):
    first, _ = opaque.separate(clang(PROGRAM), {"rule"})
    second, _ = opaque.separate(clang(PROGRAM + "int another;"), {"rule"})
    names = [set(re.findall(r"@state\.\w+", text)) for text in (first, second)]
    assert names[0].isdisjoint(names[1])
    assert opaque.separate(clang(PROGRAM), {"rule"})[0] == first, "and the same program the same ones"


def test_nothing_to_separate(clang):
    main, side = opaque.separate(clang(PROGRAM), {"printf", "no_such_function"})
    assert "define double @rule(" in main
    assert "define" not in side
    binding.verify(link.link([main, side]))


def test_every_function_may_have_a_rule(clang, load, call):
    main, side = opaque.separate(clang(PROGRAM), {"rule", "other", "twice", "f"})
    assert not lines(main, "define")
    assert call(load(link.link([optimize.pre_ad(main, 2), side]), ["f"]), "f", 1.0) == 13.0 + 6.0


@pytest.mark.parametrize("separated", ["jump", "caller"])
def test_addresses_of_labels(clang, load, call, separated):
    """A table of label addresses lives where the labels are."""
    source = """
    int jump(int x) { static const void *const labels[] = {&&a, &&b}; goto *labels[x]; a: return 1; b: return 2; }
    int caller(int x) { return 10 * jump(x); }
    """
    main, side = opaque.separate(clang(source), {separated})
    library = load(link.link([optimize.pre_ad(main, 2), side]), ["caller"])
    assert [call(library, "caller", x, result=ctypes.c_int) for x in (0, 1)] == [10, 20]


INLINE = """
inline double c99(double x) { return x + 1; }
double rule(double x) { return c99(x) * 2; }
double f(double x) { return rule(x); }
"""
TEMPLATE = """
template <class T> T cube(T x) { return x * x * x; }
double rule(double x) { return cube(x); }
extern "C" double f(double x) { return rule(x) + cube(x); }
"""


@pytest.mark.parametrize("separated", [{"rule"}, {"c99"}, {"rule", "c99"}])
def test_inline_functions_of_c_keep_their_bodies(clang, load, call, separated):
    """What LLVM would drop as defined elsewhere is defined here, on whichever side."""
    main, side = opaque.separate(clang(INLINE), separated)
    assert call(load(link.link([optimize.pre_ad(main, 2), side]), ["f"]), "f", 2.0) == 6.0


def test_templates_keep_their_bodies(clang, load, call):
    main, side = opaque.separate(clang(TEMPLATE, language="cpp"), {"_Z4ruled", "_Z4cubeIdET_S0_"})
    optimized = optimize.pre_ad(main, 2)
    assert len(re.findall(r"call .*@(?:_Z4ruled|_Z4cubeIdET_S0_)\(", optimized)) == 2
    assert call(load(link.link([optimized, side]), ["f"]), "f", 2.0) == 16.0


ALIAS = """
double g(double x) { return x; }
double other(double) __attribute__((alias("g")));
double rule(double x) { return 2 * x; }
double f(double x) { return other(x) + rule(x); }
"""


@pytest.mark.parametrize("separated", ["g", "f"])
def test_aliases_beside_rules_are_refused(clang, separated):
    with pytest.raises(UnsupportedIRError, match="'other' is an alias") as caught:
        opaque.separate(clang(ALIAS), {separated})
    assert caught.value.code == "EM122"
    assert "other" in caught.value.hint


def test_aliases_elsewhere_are_fine(clang, load, call):
    main, side = opaque.separate(clang(ALIAS), {"rule"})
    assert call(load(link.link([optimize.pre_ad(main, 2), side]), ["f"]), "f", 2.0) == 6.0


CONSTRUCTOR = """
static int state;
__attribute__((constructor)) static void begin(void) { state += 7; }
int rule(void) { return state; }
int f(void) { return rule(); }
"""


def test_constructors_run_once(clang, load, call):
    main, side = opaque.separate(clang(CONSTRUCTOR), {"rule"})
    assert call(load(link.link([optimize.pre_ad(main, 2), side]), ["f"]), "f", result=ctypes.c_int) == 7


def test_unnamed_globals_and_odd_names(load, call):
    text = """
@0 = private unnamed_addr constant [6 x i8] c"@rule\\00"
@"odd name" = internal global <{ i64, [2 x { i8, ptr }] }> <{ i64 9, [2 x { i8, ptr }] undef }>, section ", align 3", align 8
define double @rule(ptr %p) {
  %c = load i8, ptr @0
  %x = load double, ptr @"odd name"
  ret double %x
}
define double @f() {
  store double 4.0, ptr @"odd name"
  %r = call double @rule(ptr @0)
  ret double %r
}
"""
    main, side = opaque.separate(text, {"rule"})
    assert re.search(r'^@"odd name\.\w{8}" = external global <\{ i64, \[2 x \{ i8, ptr \}\] \}>, align 8$', side, re.M)
    assert call(load(link.link([optimize.pre_ad(main, 0), side]), ["f"]), "f") == 4.0


def test_splitting_and_joining_is_the_same_module(clang):
    text = binding.canonical(clang(PROGRAM))
    assert binding.canonical(moduletext.join(moduletext.split(text))) == text


@pytest.mark.parametrize(
    ("line", "declared"),
    [
        ("define internal fastcc nonnull ptr @f(ptr captures(none) %p, ...) unnamed_addr #3 personality ptr @g !dbg !5 {",
         "declare fastcc nonnull ptr @f(ptr captures(none) %p, ...) #3"),
        ('define weak_odr void @"a(b"([2 x { i8, <2 x float> }] %x) section "s ( #1" align 16 {',
         'declare void @"a(b"([2 x { i8, <2 x float> }] %x)'),
    ],
)  # fmt: skip
def test_declarations_of_functions(line, declared):
    (item,) = moduletext.split(line + "\n  unreachable\n}\n")
    assert moduletext.declaration(item).text == declared


@pytest.mark.parametrize(
    ("line", "declared"),
    [
        ("@a = internal unnamed_addr constant [2 x double] [double 1.0, double 2.0], align 16, !dbg !3",
         "@a = external unnamed_addr constant [2 x double], align 16"),
        ("@a = global %struct.p { double 1.0 }", "@a = external global %struct.p"),
        ('@a = linkonce_odr global %"std::a<b, c>" zeroinitializer, align 4', '@a = external global %"std::a<b, c>", align 4'),
        ("@a = private addrspace(1) constant ptr addrspace(1) null", "@a = external addrspace(1) constant ptr addrspace(1)"),
        ('@a = constant [12 x i8] c", align 32\\00\\00", align 1', "@a = external constant [12 x i8], align 1"),
        ("@a = global ptr @b", "@a = external global ptr"),
        ("@a = common global x86_fp80 0xK00000000000000000000, align 16", "@a = external global x86_fp80, align 16"),
    ],
)  # fmt: skip
def test_declarations_of_variables(line, declared):
    (item,) = moduletext.split(line)
    assert item.kind == "variable"
    assert moduletext.declaration(item).text == declared


def test_renaming_leaves_strings_alone():
    assert (
        moduletext.rename('@a = constant [3 x i8] c"@a\\00", !x !{!"@a"}', {"a": "b c"})
        == '@"b c" = constant [3 x i8] c"@a\\00", !x !{!"@a"}'
    )
