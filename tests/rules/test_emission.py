"""What the formulas look like as IR, and how constants, flags and types shape them."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.constants import float_constant, float_value
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.backend.ir.text.printer import print_function, print_module
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, FloatType
from enzyme_magic.backend.ir.values import Constant, Value
from enzyme_magic.backend.llvm import binding
from enzyme_magic.backend.rules.ir_basic import declared
from enzyme_magic.backend.rules.ir_emitter import InstructionPrimals, IREmitter
from enzyme_magic.backend.rules.registry import lookup, rule_for
from enzyme_magic.errors import DifferentiationError


class Written:
    """The contribution of one instruction, written into the function it is in; d is 1 unless given."""

    def __init__(
        self, text: str, operand: int = 0, d: float | None = 1.0, result: int = 0, to: FloatType | None = None
    ):
        self.module: Module = parser.parse(text)
        self.function: Function = next(iter(self.module.definitions()))
        self.primal: Instruction = self.function.entry.instructions[0]
        rule = rule_for(self.primal)
        assert rule is not None
        type_ = to or self.primal.operands[operand].type
        builder = Builder(self.function.entry, self.function.entry.terminator)
        emitter = IREmitter.for_instruction(builder, self.module, self.primal, type_)
        primals = InstructionPrimals(
            emitter, self.primal, self.primal.operands.__getitem__, lambda: self.primal, rule.results
        )
        contribution = rule.contribution(result, operand)
        assert contribution is not None
        seed: Value = self.function.arguments[-1] if d is None else float_constant(type_, d)
        self.value: Value = contribution(emitter, seed, primals)

    @property
    def lines(self) -> list[str]:
        """The new instructions, in LLVM's words."""
        assigned = [line for line in print_function(self.function).splitlines() if " = " in line]
        return [line.split(" = ", 1)[1] for line in assigned[1:]]

    def verify(self) -> None:
        binding.verify(print_module(self.module))


def _pow(exponent: str, type_: str = "double", short: str = "f64") -> str:
    return f"""
define {type_} @f({type_} %x) {{
  %r = call {type_} @llvm.pow.{short}({type_} %x, {type_} {exponent})
  ret {type_} %r
}}
declare {type_} @llvm.pow.{short}({type_}, {type_})
"""


def test_the_cube_of_the_talk() -> None:
    written = Written(_pow("3.0"))
    assert written.lines == ["fmul double %x, %x", "fmul double %1, 3.000000e+00"]
    written.verify()


@pytest.mark.parametrize(
    ("exponent", "lines"),
    [
        ("2.0", ["fmul double %x, 2.000000e+00"]),
        ("4.0", ["fmul double %x, %x", "fmul double %1, %x", "fmul double %2, 4.000000e+00"]),
        ("0.5", ["fmul double %r, 2.000000e+00", "fdiv double 1.000000e+00, %1"]),
        ("-2.0", ["fdiv double %r, %x", "fmul double %1, -2.000000e+00"]),
    ],
)
def test_constant_exponents(exponent: str, lines: list[str]) -> None:
    written = Written(_pow(exponent))
    assert written.lines == lines
    written.verify()


def test_exponents_zero_and_one_emit_nothing() -> None:
    for exponent, slope in (("1.0", 1.0), ("0.0", 0.0)):
        written = Written(_pow(exponent))
        assert written.lines == []
        assert isinstance(written.value, Constant)
        assert float_value(written.value) == slope


def test_other_exponents_use_the_result_without_a_second_pow() -> None:
    written = Written(_pow("2.3"))
    assert [line.split("(")[0] for line in written.lines] == ["call double @em.pow_partial.f64"]
    helper = written.module.functions["em.pow_partial.f64"]
    assert helper.linkage == "internal"
    assert [b.name for b in helper.blocks] == ["entry", "quick", "slow"]
    written.verify()


def test_nan_exponent_is_no_special_case() -> None:
    assert "em.pow_partial" in Written(_pow("0x7FF8000000000000")).lines[0]


@pytest.mark.parametrize(("type_", "short"), [("float", "f32"), ("x86_fp80", "f80"), ("fp128", "f128")])
def test_every_type(type_: str, short: str) -> None:
    exponent = {"float": "3.0", "x86_fp80": "0xK4000C000000000000000", "fp128": "0xL00000000000000004000800000000000"}[
        type_
    ]
    written = Written(_pow(exponent, type_, short))
    assert written.lines[0] == f"fmul {type_} %x, %x"
    assert len(written.lines) == 2
    written.verify()


def _binary(opcode: str, a: str = "%x", b: str = "%y", flags: str = "") -> str:
    return f"""
define double @f(double %x, double %y, double %d) {{
  %r = {opcode} {flags}double {a}, {b}
  ret double %r
}}
"""


def test_multiplying_by_one_and_minus_one_leaves_nothing() -> None:
    assert Written(_binary("fmul")).lines == []
    assert Written(_binary("fmul")).value is not None
    assert Written(_binary("fmul"), d=-1.0).lines == ["fneg double %y"]
    assert Written(_binary("fmul"), d=None).lines == ["fmul double %d, %y"]
    assert Written(_binary("fsub"), operand=1).lines == []  # the constant -1


def test_constants_are_not_folded_further() -> None:
    """x*0 is no zero and x + 0 is no x: NaN and the sign of zero count."""
    assert Written(_binary("fmul"), d=0.0).lines == ["fmul double %y, 0.000000e+00"]
    assert Written(_binary("fmul", b="2.0"), d=3.0).lines == ["fmul double 3.000000e+00, 2.000000e+00"]


def test_reciprocal_reuses_its_result() -> None:
    assert Written(_binary("fdiv", a="1.0"), operand=1).lines == ["fmul double %r, %r", "fneg double %1"]
    assert Written(_binary("fdiv"), operand=1).lines == [
        "fdiv double 1.000000e+00, %y",
        "fneg double %1",
        "fmul double %2, %r",
    ]


def test_fast_math_flags_are_inherited_without_promises_about_values() -> None:
    assert Written(_binary("fmul", flags="fast "), d=None).lines == ["fmul reassoc nsz arcp contract afn double %d, %y"]
    assert Written(_binary("fmul", flags="nnan ninf nsz "), d=None).lines == ["fmul nsz double %d, %y"]
    assert Written(_binary("fmul"), d=None).lines == ["fmul double %d, %y"]


def test_debug_location_is_kept() -> None:
    text = """
define double @f(double %x, double %d) !dbg !4 {
  %r = call double @llvm.sqrt.f64(double %x), !dbg !7
  ret double %r
}
declare double @llvm.sqrt.f64(double)
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
"""
    written = Written(text, d=None)
    assert isinstance(written.value, Instruction)
    assert written.value.line == 3
    written.verify()


_CONVERSION = """
define {target} @f({source} %x, {source} %forward, {target} %reverse) {{
  %r = {opcode} {source} %x to {target}
  ret {target} %r
}}
"""


@pytest.mark.parametrize(
    ("opcode", "source", "target"),
    [
        ("fpext", "float", "double"),
        ("fptrunc", "double", "float"),
        ("fpext", "double", "x86_fp80"),
        ("fptrunc", "x86_fp80", "float"),
    ],
)
def test_conversions_convert_the_derivative_along(opcode: str, source: str, target: str) -> None:
    back = "fptrunc" if opcode == "fpext" else "fpext"
    for forward in (True, False):
        module = parser.parse(_CONVERSION.format(opcode=opcode, source=source, target=target))
        function = next(iter(module.definitions()))
        primal = function.entry.instructions[0]
        rule = rule_for(primal)
        assert rule is not None
        emitted = primal.type if forward else primal.operands[0].type
        emitter = IREmitter.for_instruction(Builder(function.entry, function.entry.terminator), module, primal, emitted)
        primals = InstructionPrimals(emitter, primal, primal.operands.__getitem__, lambda primal=primal: primal)
        contribution = rule.contribution(0, 0)
        assert contribution is not None
        value = contribution(emitter, function.arguments[1 if forward else 2], primals)
        assert (value.opcode, value.type) == (opcode if forward else back, emitted)
        binding.verify(print_module(module))


@pytest.mark.parametrize("opcode", ["sitofp", "uitofp", "fptosi", "fptoui"])
def test_integers_carry_no_derivative(opcode: str) -> None:
    assert lookup(opcode).is_inactive


_EXTREMUM = """
define double @f(double %x, double %d) {{
  %r = call double @llvm.{name}.f64(double {a}, double {b})
  ret double %r
}}
declare double @llvm.{name}.f64(double, double)
"""


@pytest.mark.parametrize("name", ["maxnum", "maximum", "maximumnum"])
def test_relu_as_maximum_is_the_select(name: str) -> None:
    """fmax(x, 0), fmax(0, x) and x > 0 ? x : 0 have one slope everywhere, 0 at 0, and the first two cost one comparison."""
    second = Written(_EXTREMUM.format(name=name, a="%x", b="0.0"), d=None).lines
    first = Written(_EXTREMUM.format(name=name, a="0.0", b="%x"), operand=1, d=None).lines
    if name != "maximum":
        assert second == ["fcmp ogt double %x, 0.000000e+00", "select i1 %1, double %d, double 0.000000e+00"]
    if name == "maximum":
        assert first == ["fcmp oge double 0.000000e+00, %x", "select i1 %1, double 0.000000e+00, double %d"]


def test_select_passes_the_adjoint_down_one_arm() -> None:
    text = """
define double @f(double %x, i1 %c, double %d) {
  %r = select i1 %c, double %x, double 0.0
  ret double %r
}
"""
    assert Written(text, operand=1, d=None).lines == ["select i1 %c, double %d, double 0.000000e+00"]


def test_functions_missing_as_intrinsic_are_declared_once() -> None:
    text = """
define float @f(float %x, float %d) {
  %r = call float @y0f(float %x)
  ret float %r
}
declare float @y0f(float)
"""
    written = Written(text, d=None)
    assert written.lines[0].startswith("call float @y1f(float %x)")
    assert written.module.functions["y1f"].is_declaration
    assert (
        declared(written.module, "y1f", written.module.functions["y1f"].function_type)
        is written.module.functions["y1f"]
    )
    written.verify()


def test_a_function_of_the_program_is_not_called_by_mistake() -> None:
    text = """
define double @f(double %x, double %d) {
  %r = call double @y0(double %x)
  ret double %r
}
define double @y1(double %x) {
  ret double %x
}
declare double @y0(double)
"""
    with pytest.raises(DifferentiationError, match="y1") as caught:
        Written(text)
    assert caught.value.code == "EM261"
    assert caught.value.hint


def test_vectors_work_elementwise_where_an_intrinsic_exists() -> None:
    text = """
define <4 x float> @f(<4 x float> %x, <4 x float> %d) {
  %r = call <4 x float> @llvm.sin.v4f32(<4 x float> %x)
  ret <4 x float> %r
}
declare <4 x float> @llvm.sin.v4f32(<4 x float>)
"""
    written = Written(text, d=None)
    assert written.lines[0].startswith("call <4 x float> @llvm.cos.v4f32(<4 x float> %x)")
    written.verify()


def test_half_goes_through_float_where_libm_has_no_half() -> None:
    module = Module()
    from enzyme_magic.backend.ir.attributes import EMPTY
    from enzyme_magic.backend.ir.types import HALF, FunctionType
    from enzyme_magic.backend.ir.values import Argument, Block

    argument = Argument(HALF, "x", EMPTY, 0)
    function = Function(name="f", function_type=FunctionType(HALF, (HALF,)), arguments=[argument])
    module.add(function)
    block = Block("entry", parent=function)
    function.blocks.append(block)
    builder = Builder(block)
    emitter = IREmitter(builder, module, HALF)
    builder.ret(emitter.call("j1", emitter.term(argument)).value)
    assert [i.opcode for i in block.instructions] == ["fpext", "call", "fptrunc", "ret"]
    binding.verify(print_module(module))


def test_types_of_the_emitter() -> None:
    assert float_value(IREmitter(Builder(None), Module(), FLOAT).number(0.1).value) != 0.1  # type: ignore[arg-type]
    assert float_value(IREmitter(Builder(None), Module(), DOUBLE).number(0.1).value) == 0.1  # type: ignore[arg-type]
