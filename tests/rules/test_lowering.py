"""Results behind pointers become values: the module computes what it did."""

from __future__ import annotations

import ctypes

import pytest

from enzyme_magic.backend.ir.checks.verify import verify
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.backend.ir.text.printer import print_module
from enzyme_magic.backend.llvm import binding
from enzyme_magic.backend.llvm.objects.jit import Library, compile_object
from enzyme_magic.backend.rules.lowering import MEMORY_RESULTS, lower
from enzyme_magic.backend.rules.registry import lookup, rule_for

_TEXT = """
define double @two(double %x, ptr %p) {
  %r = call double @frexp(double %x, ptr %p)
  ret double %r
}
define double @parts(double %x, ptr %p) {
  %r = call double @modf(double %x, ptr %p)
  ret double %r
}
define void @circle(double %x, ptr %s, ptr %c) {
  call void @sincos(double %x, ptr %s, ptr %c)
  ret void
}
define double @rest(double %x, double %y, ptr %p) {
  %r = call double @remquo(double %x, double %y, ptr %p)
  ret double %r
}
define double @gamma_sign(double %x, ptr %p) {
  %r = call double @lgamma_r(double %x, ptr %p)
  ret double %r
}
define float @single(float %x, ptr %p) {
  %r = call float @frexpf(float %x, ptr %p)
  ret float %r
}
declare double @frexp(double, ptr)
declare float @frexpf(float, ptr)
declare double @modf(double, ptr)
declare void @sincos(double, ptr, ptr)
declare double @remquo(double, double, ptr)
declare double @lgamma_r(double, ptr)
"""


@pytest.fixture(scope="module")
def lowered() -> Module:
    module = parser.parse(_TEXT)
    assert lower(module) == 6
    verify(module)
    return module


def test_no_call_with_results_behind_pointers_is_left(lowered: Module) -> None:
    for function in ("two", "parts", "circle", "rest", "gamma_sign", "single"):
        opcodes = [i.opcode for i in lowered.functions[function].instructions()]
        assert opcodes.count("call") == 1
        assert "store" in opcodes
        call = lowered.functions[function].entry.instructions[0]
        rule = rule_for(call)
        assert rule is not None
        assert rule.operation in MEMORY_RESULTS


def test_names_survive(lowered: Module) -> None:
    assert "%r = extractvalue" in print_module(lowered)


def test_it_computes_the_same(lowered: Module) -> None:
    names = ["two", "parts", "circle", "rest", "gamma_sign", "single"]
    before = Library.load([compile_object(_TEXT)], names)
    after = Library.load([compile_object(print_module(lowered))], names)
    double, pointer = ctypes.c_double, ctypes.c_void_p

    def outcome(library: Library, name: str, *numbers: float) -> tuple[object, ...]:
        outs = [ctypes.create_string_buffer(8) for _ in range(2 if name == "circle" else 1)]
        result = None if name == "circle" else ctypes.c_float if name == "single" else double
        kinds = [ctypes.c_float if name == "single" else double] * len(numbers)
        function = ctypes.CFUNCTYPE(result, *kinds, *[pointer] * len(outs))(library.address(name))
        value = function(*numbers, *(ctypes.addressof(out) for out in outs))
        return (value, *(out.raw for out in outs))

    for name in names:
        for x in (0.7, -13.25, 1e10, 0.0):
            numbers = (x, 3.0) if name == "rest" else (x,)
            assert outcome(before, name, *numbers) == outcome(after, name, *numbers), (name, x)


def test_debug_records_follow() -> None:
    text = """
define double @f(double %x, ptr %p) !dbg !4 {
    #dbg_value(double %x, !8, !DIExpression(), !7)
  %r = call double @modf(double %x, ptr %p), !dbg !7
    #dbg_value(double %r, !8, !DIExpression(), !7)
  ret double %r, !dbg !7
}
declare double @modf(double, ptr)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "cell", directory: "")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 3, column: 5, scope: !4)
!8 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 1)
"""
    module = parser.parse(text)
    assert lower(module) == 1
    printed = print_module(module)
    assert printed.count("#dbg_value") == 2
    assert all(i.line == 3 for i in module.functions["f"].instructions())
    binding.verify(printed)


def test_what_llvm_cannot_generate_becomes_a_library_call() -> None:
    text = """
define x86_fp80 @f(x86_fp80 %x, x86_fp80 %y) {
  %r = call x86_fp80 @llvm.minimum.f80(x86_fp80 %x, x86_fp80 %y)
  ret x86_fp80 %r
}
define double @g(double %x) {
  %p = call { double, double } @llvm.sincospi.f64(double %x)
  %s = extractvalue { double, double } %p, 0
  ret double %s
}
declare x86_fp80 @llvm.minimum.f80(x86_fp80, x86_fp80)
declare { double, double } @llvm.sincospi.f64(double)
"""
    module = parser.parse(text)
    assert lower(module) == 2
    printed = print_module(module)
    assert "call x86_fp80 @fminimuml(x86_fp80 %x, x86_fp80 %y)" in printed
    assert "call double @sinpi(double %x)" in printed
    assert "call double @cospi(double %x)" in printed
    binding.verify(printed)
    assert rule_for(module.functions["f"].entry.instructions[0]) is lookup("fminimum")


def test_a_function_of_the_program_is_left_alone() -> None:
    text = _TEXT.replace(
        "declare double @modf(double, ptr)", "define double @modf(double %x, ptr %p) {\n  ret double %x\n}"
    )
    module = parser.parse(text)
    assert lower(module) == 5
    assert "call double @modf" in print_module(module)


def test_nothing_to_do() -> None:
    module = parser.parse("define double @f(double %x) {\n  ret double %x\n}\n")
    assert lower(module) == 0
