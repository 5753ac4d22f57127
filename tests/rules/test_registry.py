"""Which instruction has which rule, and how names are read."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, FP128, X86_FP80
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.rules import inactive
from enzyme_magic.backend.rules.registry import RULES, inactive_reason, is_inactive, lookup, rule_for
from enzyme_magic.backend.rules.rule import DEAR
from enzyme_magic.backend.rules.spelling import (
    INTRINSICS,
    PROTOTYPES,
    HelperSignature,
    intrinsic_signature,
    libm_name,
    libm_signature,
)
from enzyme_magic.errors import InternalError

# The real functions of C99's math.h (7.12.4–7.12.13).
_C99 = """acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10
    log1p log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint lrint
    llrint round lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma"""
_BEYOND = (
    "exp10 sincos sinpi cospi tanpi j0 j1 jn y0 y1 yn lgamma_r roundeven fmaximum fminimum fmaximum_num fminimum_num"
)


@pytest.mark.parametrize("name", [*_C99.split(), *_BEYOND.split()])
def test_the_function_set_of_the_c_library_is_complete(name: str) -> None:
    assert name in RULES
    for suffix, type_ in (("", DOUBLE), ("f", FLOAT), ("l", X86_FP80)):
        spelled = f"lgamma{suffix}_r" if name == "lgamma_r" else name + suffix
        assert libm_signature(spelled) == HelperSignature(name, type_)
        assert libm_name(name, type_) == spelled


@pytest.mark.parametrize(
    ("name", "operation", "type_"),
    [
        ("__exp_finite", "exp", DOUBLE),
        ("__powf_finite", "pow", FLOAT),
        ("__lgamma_r_finite", "lgamma_r", DOUBLE),
        ("__atan2l_finite", "atan2", X86_FP80),
        ("sinf128", "sin", FP128),
        ("sinf32", "sin", FLOAT),
        ("sinf64x", "sin", X86_FP80),
        ("modff", "modf", FLOAT),
        ("erfl", "erf", X86_FP80),
        ("fmal", "fma", X86_FP80),
        ("ceill", "ceil", X86_FP80),
        ("gammaf", "lgamma", FLOAT),
        ("drem", "remainder", DOUBLE),
    ],
)
def test_spellings(name: str, operation: str, type_: object) -> None:
    assert libm_signature(name) == HelperSignature(operation, type_)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["sine", "f", "l", "", "sinx", "powll", "printf", "__finite", "sin_r", "abs"])
def test_other_names_are_nothing(name: str) -> None:
    assert libm_signature(name) is None


@pytest.mark.parametrize(
    ("name", "operation", "type_"),
    [
        ("llvm.sin.f64", "sin", DOUBLE),
        ("llvm.sin.v4f32", "sin", FLOAT),
        ("llvm.powi.f80.i32", "powi", X86_FP80),
        ("llvm.minnum.f32", "fmin", FLOAT),
        ("llvm.maximumnum.f64", "fmaximum_num", DOUBLE),
        ("llvm.lround.i64.f64", "lround", DOUBLE),
        ("llvm.frexp.f64.i32", "frexp", DOUBLE),
        ("llvm.exp10.f128", "exp10", FP128),
        ("llvm.is.fpclass.f64", "is.fpclass", DOUBLE),
        ("llvm.arithmetic.fence.f64", "arithmetic.fence", DOUBLE),
    ],
)
def test_intrinsics(name: str, operation: str, type_: object) -> None:
    assert intrinsic_signature(name) == HelperSignature(operation, type_)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", ["llvm.sin", "llvm.smax.i32", "llvm.memcpy.p0.p0.i64", "llvm.nosuch.f64", "sin", "llvm.vp.fadd.v4f32"]
)
def test_unknown_intrinsics_are_nothing(name: str) -> None:
    assert intrinsic_signature(name) is None


def test_every_spelled_operation_has_a_rule() -> None:
    # sincospi alone is always split into sinpi and cospi before anyone asks.
    assert set(PROTOTYPES) - set(RULES) == {"sincospi"}
    assert set(INTRINSICS.values()) - set(RULES) == {"sincospi"}


def _first(text: str) -> Instruction:
    return next(iter(parser.parse(text).definitions())).entry.instructions[0]


def _call(result: str, name: str, parameters: str, arguments: str, extra: str = "") -> Instruction:
    assigned = "" if result == "void" else "%r = "
    text = f"""
define void @f(double %x, float %s, ptr %p, i32 %n) {{
  {assigned}call {result} @{name}({arguments})
  ret void
}}
declare {result} @{name}({parameters})
{extra}"""
    return _first(text)


def test_one_operation_in_all_spellings() -> None:
    spellings = [
        _call("double", "sin", "double", "double %x"),
        _call("float", "sinf", "float", "float %s"),
        _call("double", "llvm.sin.f64", "double", "double %x"),
        _call("double", "__sin_finite", "double", "double %x"),
    ]
    assert {rule.operation for i in spellings if (rule := rule_for(i))} == {"sin"}
    assert lookup("sin").cost == DEAR


def test_a_declaration_with_another_type_is_not_the_library_s() -> None:
    assert rule_for(_call("double", "round", "double, i32", "double %x, i32 %n")) is None
    assert rule_for(_call("float", "sin", "float", "float %s")) is None


def test_a_function_with_a_body_is_differentiated_itself() -> None:
    text = """
define double @f(double %x) {
  %r = call double @cbrt(double %x)
  ret double %r
}
define double @cbrt(double %x) {
  ret double %x
}
"""
    assert rule_for(_first(text)) is None
    assert not is_inactive(_first(text))
    assert not is_inactive(_first(text.replace("cbrt", "atof")))


def test_indirect_and_unknown_calls_have_no_rule_and_are_not_inactive() -> None:
    text = "define double @f(ptr %g, double %x) {\n  %r = call double %g(double %x)\n  ret double %r\n}\n"
    assert rule_for(_first(text)) is None
    assert not is_inactive(_first(text))
    unknown = _call("double", "mystery", "double", "double %x")
    assert rule_for(unknown) is None
    assert not is_inactive(unknown)
    assert not is_inactive(_call("double", "llvm.nosuch.f64", "double", "double %x"))


def test_results_behind_pointers_wait_for_lowering() -> None:
    call = _call("double", "frexp", "double, ptr", "double %x, ptr %p")
    assert rule_for(call) is None
    assert not is_inactive(call)


def test_unknown_operation() -> None:
    with pytest.raises(InternalError, match="nosuch"):
        lookup("nosuch")


def test_instructions_without_rule() -> None:
    text = "define i32 @f(i32 %a, ptr %p) {{\n  %r = {}\n  ret i32 %r\n}}\n"
    assert rule_for(_first(text.format("add i32 %a, 1"))) is None
    assert rule_for(_first(text.format("load i32, ptr %p"))) is None
    assert rule_for(_first(text.format("select i1 true, i32 %a, i32 1"))) is None
    assert not is_inactive(_first(text.format("load i32, ptr %p")))


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (("double", "floor", "double", "double %x"), "jumps"),
        (("i64", "lround", "double", "double %x"), "jumps"),
        (("double", "llvm.rint.f64", "double", "double %x"), "jumps"),
        (("i32", "puts", "ptr", "ptr %p"), "prints"),
        (("i64", "strlen", "ptr", "ptr %p"), "text"),
        (("i64", "time", "ptr", "ptr %p"), "time"),
        (("double", "drand48", "", ""), "random"),
        (("i32", "__isnan", "double", "double %x"), "truth"),
        (("i1", "llvm.is.fpclass.f64", "double, i32 immarg", "double %x, i32 3"), "truth"),
        (("void", "llvm.lifetime.start.p0", "ptr", "ptr %p"), "compiler"),
        (("i32", "llvm.smax.i32", "i32, i32", "i32 %n, i32 1"), "whole"),
        (("void", "abort", "", ""), "return"),
    ],
)  # fmt: skip
def test_inactive_with_a_reason(call: tuple[str, str, str, str], word: str) -> None:
    instruction = _call(*call)
    assert is_inactive(instruction)
    assert word in (inactive_reason(instruction) or "")


def test_comparisons_and_conversions_to_integers_are_inactive() -> None:
    text = "define void @f(double %x) {{\n  %r = {}\n  ret void\n}}\n"
    for line in ("fcmp olt double %x, 0.0", "fptosi double %x to i32"):
        assert is_inactive(_first(text.format(line)))
    assert not is_inactive(_first(text.format("fmul double %x, %x")))


def test_no_name_is_both_active_and_inactive() -> None:
    names = [name for name in libc.names() if inactive.reason(name)]
    assert len(names) > 200
    assert not [name for name in names if libm_signature(name)]
    assert inactive.reason("malloc") is None  # allocation is the effects' business
    assert inactive.reason("scanf") is None  # writes numbers into memory
    assert inactive.reason("llvm.memcpy.p0.p0.i64") is None


def test_rules_are_frozen() -> None:
    with pytest.raises(AttributeError):
        lookup("sin").operands = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        RULES["sin"] = lookup("cos")  # type: ignore[index]
