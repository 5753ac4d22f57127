"""Syntax one construct at a time, and what happens to text outside the subset."""

from __future__ import annotations

import gc
import random

import pytest

from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.checks.verify import verify
from enzyme_magic.backend.ir.instructions import Call, GetElementPtr, Load, Phi
from enzyme_magic.backend.ir.metadata import MDRecord, MDTuple
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.ir.text.printer import print_module
from enzyme_magic.backend.ir.types import FunctionType, TargetType, VectorType
from enzyme_magic.backend.ir.values import ConstantExpression, ConstantInt, ConstantString, InlineAsm
from enzyme_magic.errors import UnsupportedIRError

from .conftest import read_by_llvm
from .structure import difference

GLOBALS = r"""
@a = external global [4 x double], align 16
@b = internal unnamed_addr constant [3 x i8] c"a\0A\22", section ".x y", align 1
@c = thread_local(initialexec) global i32 0
@d = addrspace(1) global i128 -170141183460469231731687303715884105728
@e = weak_odr hidden global ptr getelementptr inbounds ([4 x double], ptr @a, i64 0, i64 1), comdat
@f = private global i64 ptrtoint (ptr @a to i64)
@g = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64))
@h = global <{ i8, double }> <{ i8 1, double 0x7FF8000000000000 }>
@i = global [2 x float] [float 0x3FB99999A0000000, float -0.000000e+00]
@j = global x86_fp80 0xK3FFF8000000000000000
@k = global fp128 0xL00000000000000003FFF000000000000
@l = global <4 x half> <half 0xH3C00, half 0xH0001, half poison, half undef>
@m = global <4 x bfloat> splat (bfloat 0xR3F80)
@n = global { ptr, i1 } { ptr null, i1 true }
@o = appending global [1 x ptr] [ptr @a], section "llvm.metadata"
@p = global ptr addrspacecast (ptr addrspace(1) @d to ptr)
@"odd \22 name" = global ptr @q
@q = extern_weak global i8
@r = common global double 0.000000e+00
@s = global ptr dso_local_equivalent @fun
@t = global ptr no_cfi @fun
@u = global i8 trunc (i64 ptrtoint (ptr @a to i64) to i8)
@v = global ppc_fp128 0xM3FF00000000000003C90000000000000
@w = global ptr getelementptr inbounds inrange(-8, 8) (i8, ptr @a, i64 8)
@x = externally_initialized global i32 undef
@y = global target("spirv.Image", void, 1) zeroinitializer
@z = global ptr @"odd \22 name", no_sanitize_address
@alias = weak alias double, getelementptr (double, ptr @a, i64 1)
@ifunc = ifunc void (), ptr @resolver
$e = comdat any
declare void @fun()
define ptr @resolver() {
  ret ptr @fun
}
module asm ".globl thing"
module asm "\09.byte 1 # \22"
"""

FUNCTION = """
%t = type { i32, [2 x %t.0] }
%t.0 = type opaque
%p = type <{ i8, i32 }>
define linkonce_odr dso_local fastcc noundef nofpclass(nan inf) double @f(ptr noundef readonly align 8 captures(none) %0,
  i32 range(i32 0, 14) %n, ptr sret(%p) align 1 initializes((0, 4), (5, 8)) %out, ...) local_unnamed_addr #0 section "text"
  comdat align 32 gc "statepoint-example" prefix i32 7 prologue i8 1 personality ptr @g !note !0 {
  %2 = load atomic volatile i32, ptr %0 syncscope("agent") acquire, align 4
  %c = icmp samesign ult i32 %2, %n
  br i1 %c, label %"a b", label %4, !prof !1

"a b":
  %3 = tail call fast noundef nofpclass(nan) double (ptr, ...) @v(ptr nonnull byval(%p) align 4 %0, double 0.000000e+00) #1
    [ "deopt"(i32 1, ptr %0), "x"() ]
  br label %4

4:
  %5 = phi nnan double [ %3, %"a b" ], [ 1.000000e+00, %1 ]
  %6 = trunc nuw nsw i64 7 to i32
  %7 = getelementptr inbounds nuw %p, ptr %0, i64 0, i32 1
  %8 = or disjoint i32 %6, %n
  %9 = uitofp nneg i32 %8 to double
  %10 = cmpxchg weak volatile ptr %7, i32 %8, i32 0 syncscope("one") seq_cst monotonic, align 4
  %11 = extractvalue { i32, i1 } %10, 1
  %12 = call <2 x double> asm sideeffect inteldialect "mov $0, $1", "=x,r"(i32 %8) #2, !srcloc !2
  %13 = shufflevector <2 x double> %12, <2 x double> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 0>
  %14 = va_arg ptr %0, double
  call void @llvm.metadata.use(metadata !{i32 3, ptr @g, null, !"s"}, metadata i32 %8, metadata !"text")
  %15 = alloca inalloca i8, i32 %8, align 16
  %16 = alloca double, align 8, addrspace(5)
  %17 = getelementptr double, <2 x ptr> zeroinitializer, <2 x i64> <i64 1, i64 2>
  switch i32 %8, label %end [
  ], !dbg !3
end:
  ret double %5
}
declare !note !0 i32 @g(...)
declare double @v(ptr, ...) #3
declare void @llvm.metadata.use(metadata, metadata, metadata)
$f = comdat largest
attributes #0 = { nounwind memory(argmem: read, errnomem: write) allocsize(0,1)
  uwtable(sync) alignstack=16 vscale_range(1,2) "a"="b \\22" "c" }
attributes #1 = { nocreateundeforpoison dead_on_unwind }
attributes #2 = { nounwind }
attributes #3 = { allockind("alloc,zeroed") }
!0 = distinct !{!0, null, !"a\\0A", i64 -1, double 2.5, !4}
!1 = !{!"branch_weights", i32 1, i32 9}
!2 = !{i64 5}
!3 = !DILocation(line: 4, column: 2, scope: !5, inlinedAt: !6, isImplicitCode: true)
!4 = !DIBasicType(name: "some\\00header", size: 8)
!5 = !{}
!6 = !{}
!named = !{!0, !1}
"""


def unchanged(text: str) -> None:
    module = parse(text)
    assert difference(module, parse(print_module(module))) is None


def test_globals_round_trip() -> None:
    unchanged(GLOBALS)
    module = parse(GLOBALS)
    b = module.variables["b"]
    assert b.initializer == ConstantString(b.value_type, b'a\n"')
    assert b.suffix == ('section ".x y"', "align 1")
    assert module.variables["c"].is_thread_local
    assert module.variables['odd " name'].initializer is module.variables["q"]
    assert isinstance(module.variables["d"].initializer, ConstantInt)
    assert module.variables["d"].initializer.value == -(2**127)
    g = module.variables["g"].initializer
    assert isinstance(g, ConstantExpression)
    assert isinstance(g.operands[1], ConstantExpression)
    assert g.operands[1].operands == (b,)
    assert module.asm == (".globl thing", '\t.byte 1 # "')
    assert isinstance(module.variables["y"].value_type, TargetType)
    assert module.aliases["ifunc"].value_type == FunctionType(module.functions["fun"].function_type.result, ())


def test_functions_round_trip() -> None:
    text = FUNCTION
    unchanged(text)
    f = parse(text).functions["f"]
    assert [a.name for a in f.arguments] == ["", "n", "out"]
    assert f.arguments[1].attributes.get("range") == Attribute("range", "i32 0, 14")
    assert f.attributes.get("memory") == Attribute("memory", "argmem: read, errnomem: write")
    assert f.attributes.get("a") == Attribute("a", 'b "', quoted=True)
    assert "captures" in f.arguments[0].attributes
    assert (f.linkage, f.calling_convention, f.prefix) == (
        "linkonce_odr",
        "fastcc",
        ("dso_local", "local_unnamed_addr"),
    )
    by_name = {i.name: i for i in f.instructions() if i.name}
    first, *_ = f.entry.instructions
    assert isinstance(first, Load)
    assert (first.ordering, first.volatile, first.align) == ('syncscope("agent") acquire', True, 4)
    assert by_name["c"].flags == ("samesign",)
    call = f.blocks[1].instructions[0]
    assert isinstance(call, Call)
    assert call.function_type.variadic
    assert len(call.arguments) == 2
    assert [(b.tag, b.start, b.stop) for b in call.bundles] == [("deopt", 2, 4), ("x", 4, 4)]
    phi = f.blocks[2].instructions[0]
    assert isinstance(phi, Phi)
    assert phi.blocks == [f.blocks[1], f.entry]
    assembly = next(i for i in f.instructions() if isinstance(i, Call) and isinstance(i.callee, InlineAsm))
    assert isinstance(assembly.callee, InlineAsm)
    assert assembly.callee.spelling == 'sideeffect inteldialect "mov $0, $1", "=x,r"'
    vector_gep = f.blocks[2].instructions[-2]
    assert isinstance(vector_gep, GetElementPtr)
    assert isinstance(vector_gep.type, VectorType)
    location = f.blocks[2].terminator.metadata["dbg"]
    assert isinstance(location, MDRecord)
    assert location.fields["isImplicitCode"] == "true"
    cycle = f.metadata["note"]
    assert isinstance(cycle, MDTuple)
    assert cycle.operands[0] is cycle
    assert cycle.distinct


def test_values_before_their_definition() -> None:
    text = """define i32 @f(i1 %c) {
entry:
  br label %head
tail:
  %y = add i32 %x, %z
  call void @use(metadata i32 %x)
    #dbg_value(i32 %z, !0, !DIExpression(), !0)
    #dbg_value(!DIArgList(i32 %x, i32 %z), !0, !DIExpression(DW_OP_LLVM_arg, 0), !0)
  br i1 %c, label %head, label %end
head:
  %x = phi i32 [ 0, %entry ], [ %y, %tail ]
  %z = mul i32 %x, %x
  br label %tail
end:
  ret i32 %y
}
declare void @use(metadata)
!0 = !{}"""
    module = parse(text)
    verify(module)
    unchanged(text)
    assert "i32 %x, i32 %z" in print_module(module)


def test_names_are_made_unique_and_numbers_are_llvms() -> None:
    module = parse(
        "define double @f(double %x, double %0) {\n  %a = fadd double %x, %0\n  %2 = fmul double %a, %a\n  ret double %2\n}"
    )
    for instruction in module.functions["f"].entry.instructions[:2]:
        instruction.name = "a b"
    text = print_module(module)
    assert '%"a b.1" = fmul double %"a b", %"a b"' in text
    read_by_llvm(text)


def test_comments_and_blank_lines_are_skipped() -> None:
    assert parse("; nothing\n\n;\n  ; more\n").functions == {}
    assert parse("").variables == {}


HEAD = """define void @f() personality ptr null !dbg !2 {
entry:
"""
DEBUG = """
}
declare void @g()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "cell.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, line: 3, type: !4, unit: !0)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = !DILocation(line: 17, column: 9, scope: !7)
!7 = distinct !DILexicalBlock(scope: !2, file: !1, line: 5)
!8 = !DILocation(line: 99, scope: !7, inlinedAt: !6)
"""


@pytest.mark.parametrize(
    ("instruction", "opcode"),
    [
        ("%s = catchswitch within none [label %a] unwind to caller, !dbg !6", "catchswitch"),
        ("%s = cleanuppad within none [], !dbg !8", "cleanuppad"),
        ("%s = catchpad within %x [ptr null], !dbg !6", "catchpad"),
        ("catchret from %x to label %a, !dbg !6", "catchret"),
        ("cleanupret from %x unwind to caller, !dbg !8", "cleanupret"),
        ("%s = quantum_add double 1.0, 2.0, !dbg !6", "quantum_add"),
    ],
)
def test_outside_the_subset_names_instruction_and_line(instruction: str, opcode: str) -> None:
    with pytest.raises(UnsupportedIRError) as caught:
        parse(HEAD + f"  call void @g(), !dbg !8\n  {instruction}\na:\n  ret void\nb:\n  ret void" + DEBUG)
    error = caught.value
    assert error.code == "EM150"
    assert error.line == 17
    assert error.span is not None
    assert error.span.file == "cell.c"
    assert " ".join(instruction.split()) in error.message
    assert opcode in error.message.split("`")[0]
    assert error.hint


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("define void @f() {\n  ret void", "a label expected"),
        ("define void @f() {", "'}' expected"),
        ("define void @f() {\n  br label %nowhere\n}", "%nowhere is named in @f but not defined"),
        ("define i32 @f() {\n  ret i32 %x\n}", "%x is used in @f but not defined"),
        ("define i32 @f() {\n  %x = add i32 1, 2\n  %x = add i32 1, 2\n  ret i32 %x\n}", "%x is defined twice"),
        ("define void @f() {\na:\n  br label %a\na:\n  ret void\n}", "defined twice"),
        ("define void @f() {\n  ret void\n  ret void\n}", "a label expected"),
        ("define void @f() {\n  call i32 @g()\n  ret void\n}\ndeclare i32 @g()", "a result without a name"),
        ("define void @f() {\n  call void @missing()\n  ret void\n}", "@missing is not defined"),
        ("define void @f() {\n  ret void, !dbg !9\n}", "metadata !9 is not defined"),
        ("define void @f() {\n  %x = add wrong 1, 2\n  ret void\n}", "a type expected instead of 'wrong'"),
        ("define void @f() {\n  %x = load ptrauth (ptr @f), ptr null\n  ret void\n}", "a type expected"),
        ("@x = global ptr ptrauth (ptr @x, i32 0)", "a value of type ptr expected instead of 'ptrauth'"),
        ("@x = global i32 1.5", "a value of type i32"),
        ("@x = global double true", "a value of type double"),
        ("@x = global float 0xK3FFF8000000000000000", "a value of type float"),
        ("@x = global i32 0, strange", "'strange' behind a global variable"),
        ("@x = global [2 x i32", "']' expected"),
        ('@x = global target("a"', "')' expected"),
        ('@"7" = global i32 0', "a number for a name"),
        ("something else", "a statement expected"),
        ("!0 = !DILocation(line: 1", "')' expected"),
        ("%s = type { i32, %s }\ndefine void @f(%t %a) {\n  %x = extractvalue %t %a, 0\n  ret void\n}", "has no body"),
        ("@x = global i32 0\n@y = global ptr " + "getelementptr (i8, ptr " * 5000, "nested too deeply"),
    ],
)
def test_broken_text(text: str, why: str) -> None:
    with pytest.raises(UnsupportedIRError) as caught:
        parse(text)
    assert why in caught.value.message
    assert caught.value.line is None


def test_no_text_makes_the_parser_fail_otherwise() -> None:
    """Cut, shuffled and mangled text is refused, or happens to be fine: nothing else comes out."""
    rng = random.Random(7)
    refused = 0
    for number in range(1000):
        pieces = (GLOBALS, FUNCTION)[number % 2].split(" ")
        broken = list(pieces)
        for _ in range(rng.randint(1, 4)):
            where = rng.randrange(len(broken))
            action = rng.randrange(3)
            if action == 0:
                del broken[where]
            elif action == 1:
                broken[where] = rng.choice(pieces)
            else:
                broken = broken[:where] or pieces
        try:
            parse(" ".join(broken))
        except UnsupportedIRError:
            refused += 1
    assert 500 < refused < 1000


def test_the_collector_is_switched_on_again() -> None:
    parse("@x = global i32 0")
    assert gc.isenabled()
    with pytest.raises(UnsupportedIRError):
        parse("nonsense")
    assert gc.isenabled()
    gc.disable()
    try:
        parse("@x = global i32 0")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_comparison_sees_differences() -> None:
    """The law is only as good as `difference`."""
    text = FUNCTION
    for old, new in (
        ("nuw nsw i64 7", "nuw i64 7"),
        ("double 2.5", "double 2.25"),
        ("readonly align 8", "align 8"),
        ("line: 4", "line: 5"),
        ("i32 7", "i32 8"),
        ("%5\n}", "%9\n}"),
        ("[ 1.000000e+00, %1 ]", "[ 2.000000e+00, %1 ]"),
        ('!"a\\0A"', '!"a"'),
        ("seq_cst monotonic", "seq_cst seq_cst"),
        ("label %end [", "label %4 ["),
        ("distinct !{!0,", "distinct !{!5,"),
        (' gc "statepoint-example"', ""),
    ):
        changed = text.replace(old, new)
        assert changed != text, old
        assert difference(parse(text), parse(changed)) is not None, old
    assert difference(parse(text), parse(text)) is None


def test_assembly_that_jumps_has_its_labels_as_successors() -> None:
    text = (
        HEAD + '  callbr void asm "", "!i"()\n          to label %a [label %b]\na:\n  ret void\nb:\n  ret void' + DEBUG
    )
    module = parse(text)
    function = next(f for f in module.definitions())
    jump = function.entry.terminator
    assert [block.name for block in jump.successors] == ["a", "b"]
    assert "to label %a [label %b]" in print_module(module)
    assert print_module(parse(print_module(module))) == print_module(module)
