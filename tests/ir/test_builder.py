"""Everything the builder can make, read back by our parser, our verifier and LLVM."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.checks.verify import verify
from enzyme_magic.backend.ir.constants import float_constant, int_constant, poison, undef, zero
from enzyme_magic.backend.ir.metadata import MDString, MDTuple
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.ir.text.printer import line, print_function, print_module, short
from enzyme_magic.backend.ir.types import (
    DOUBLE,
    FLOAT,
    I8,
    I32,
    I64,
    POINTER,
    VOID,
    FunctionType,
    NamedType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from enzyme_magic.backend.ir.values import Argument, Block
from enzyme_magic.errors import InternalError

from .conftest import read_by_llvm
from .structure import difference


def make_function(module: Module, name: str, result: Type, *parameters: tuple[str, Type]) -> Function:
    function = Function(name, function_type=FunctionType(result, tuple(type_ for _, type_ in parameters)))
    function.arguments = [Argument(type_, label, EMPTY, k) for k, (label, type_) in enumerate(parameters)]
    function.blocks = [Block("entry", parent=function)]
    module.add(function)
    return function


def accept(module: Module) -> None:
    verify(module)
    text = print_module(module)
    assert difference(module, parse(text)) is None
    assert difference(parse(read_by_llvm(text)), parse(read_by_llvm(read_by_llvm(text)))) is None


def test_arithmetic_and_conversions() -> None:
    module = Module()
    function = make_function(
        module, "f", DOUBLE, ("x", DOUBLE), ("n", I32), ("v", VectorType(4, FLOAT)), ("p", POINTER)
    )
    x, n, v, p = function.arguments
    b = Builder(function.entry)
    y = b.fneg(b.frem(b.fdiv(b.fmul(b.fsub(b.fadd(x, x, flags=("fast",)), x), x), x), x))
    k = b.xor(b.or_(b.and_(b.ashr(b.lshr(b.shl(n, n), n, flags=("exact",)), n), n), n), n)
    k = b.add(b.sub(b.mul(b.udiv(b.sdiv(b.urem(b.srem(k, n), n), n), n), n), n, flags=("nuw",)), n, flags=("nsw",))
    b.fadd(v, float_constant(v.type, 0.5))
    wide = b.sext(k, I64)
    b.add(b.zext(n, I64), wide)
    b.trunc(wide, I8, flags=("nsw",))
    b.fptrunc(y, FLOAT)
    b.fpext(b.extract_element(v, 2), DOUBLE)
    b.add(b.fptosi(y, I32), b.fptoui(y, I32))
    b.fadd(b.sitofp(n, DOUBLE), b.uitofp(n, DOUBLE, flags=("nneg",)))
    b.inttoptr(b.ptrtoint(p, I64), POINTER)
    b.bitcast(y, I64)
    b.addrspacecast(p, PointerType(1))
    condition = b.and_(b.fcmp("ogt", x, y), b.icmp("slt", n, k, flags=("samesign",)))
    b.ret(b.select(condition, b.freeze(y), x, name="chosen"))
    accept(module)


def test_memory_and_aggregates() -> None:
    module = Module(named_types={"pair": StructType((DOUBLE, I32)), "tight": StructType((I8, DOUBLE), packed=True)})
    function = make_function(module, "f", NamedType("pair"), ("p", POINTER), ("n", I64), ("a", NamedType("pair")))
    p, n, a = function.arguments
    table = GlobalVariable("odd name", linkage="internal", value_type=DOUBLE, initializer=float_constant(DOUBLE, 0.1))
    module.add(table)
    b = Builder(function.entry)
    slot = b.alloca(DOUBLE, count=n, align=16, name="slot")
    b.store(b.load(DOUBLE, table, align=8, name="old"), slot, align=16)
    b.store(b.load(I32, p, ordering="acquire", align=4), p, ordering="release", align=4, volatile=True)
    field = b.gep(NamedType("pair"), p, [n, 1], name="field", flags=("inbounds",))
    b.store(b.extract_value(a, 1), field)
    lanes = b.gep(DOUBLE, p, [undef(VectorType(2, I64))])
    assert lanes.type == VectorType(2, POINTER)
    b.fence("seq_cst")
    b.atomic_rmw("fadd", slot, float_constant(DOUBLE, 1.0), ordering="monotonic")
    vector = b.insert_element(poison(VectorType(2, FLOAT)), float_constant(FLOAT, 0.1), 0)
    b.shuffle_vector(vector, zero(vector.type), [0, None, 3])
    b.gep(I8, p, [1 << 40])
    b.ret(b.insert_value(a, float_constant(DOUBLE, 2.0), 0))
    accept(module)


def test_control_flow_and_calls() -> None:
    module = Module()
    external = Function("g", function_type=FunctionType(DOUBLE, (DOUBLE,)), calling_convention="fastcc", parent=module)
    external.arguments = [Argument(DOUBLE, "", AttributeSet((Attribute("noundef"),)), 0)]
    module.add(external)
    printf_type = FunctionType(I32, (POINTER,), variadic=True)
    printf = Function("printf", function_type=printf_type, arguments=[Argument(POINTER, "", EMPTY, 0)])
    module.add(printf)
    function = make_function(module, "f", DOUBLE, ("x", DOUBLE), ("n", I32), ("callback", POINTER))
    x, n, callback = function.arguments
    loop, end, dead = (Block(name, parent=function) for name in ("loop", "end", "dead"))
    function.blocks += [loop, end, dead]
    b = Builder(function.entry)
    b.call(printf, [callback, x, n], attributes=AttributeSet((Attribute("nounwind"),)))
    b.switch(n, end, [(0, loop), (int_constant(I32, -7), end)])
    b.position(loop)
    total = b.phi(DOUBLE, name="total")
    called = b.call(external, [total], name="called", flags=("nnan",))
    indirect = b.call(callback, [called], name="called", function_type=FunctionType(DOUBLE, (DOUBLE,)))
    late = b.phi(I32, name="k")
    b.add_incoming(total, x, function.entry)
    b.add_incoming(total, indirect, loop)
    following = b.add(late, int_constant(I32, 1))
    b.add_incoming(late, int_constant(I32, 0), function.entry)
    b.add_incoming(late, following, loop)
    b.cond_br(b.icmp("eq", following, n), end, loop)
    assert loop.instructions[:2] == [total, late]
    b.position(end)
    out = b.phi(DOUBLE)
    for value, source in ((x, function.entry), (x, function.entry), (indirect, loop)):
        b.add_incoming(out, value, source)
    b.ret(out)
    b.position(dead)
    b.unreachable()
    assert called.calling_convention == "fastcc"
    verify(module)
    names = Names(function)
    assert [names.of(called), names.of(indirect), names.of(out)] == ["%called", "%called.1", "%3"]
    assert line(called, names) == "%called = call nnan fastcc double @g(double %total)"
    assert short(indirect, names) == "%called.1 = call double %callback(%called)"
    read_by_llvm(print_module(module))


def test_insertion_before_keeps_the_order_and_the_metadata() -> None:
    module = Module()
    function = make_function(module, "f", DOUBLE, ("x", DOUBLE))
    x = function.arguments[0]
    end = Builder(function.entry).ret(x)
    b = Builder(function.entry, end)
    mark = MDTuple([MDString("here")])
    b.metadata = {"note": mark}
    made = [b.fadd(x, x, name="twice") for _ in range(4)]
    assert function.entry.instructions == [*made, end]
    Builder(function.entry, made[0]).fmul(x, x)
    made.append(b.fadd(x, x))
    assert function.entry.instructions[1:] == [*made, end]
    assert all(i.metadata == {"note": mark} for i in made)
    assert all(i.parent is function.entry for i in function.instructions())
    assert print_module(module).count("!note !0") == 5
    accept_text = print_function(function)
    assert "%twice.3 = fadd double %x, %x" in accept_text
    assert "!note" not in accept_text


def test_debug_location_is_attached() -> None:
    module = Module()
    function = make_function(module, "f", VOID)
    b = Builder(function.entry)
    b.debug_location = MDTuple()
    assert b.ret().metadata["dbg"] is b.debug_location


def test_named_structs_need_their_module() -> None:
    function = Function("f", function_type=FunctionType(VOID, ()))
    block = Block("entry", parent=function)
    with pytest.raises(InternalError, match="is the function in its module"):
        Builder(block).extract_value(undef(NamedType("pair")), 0)


@pytest.mark.parametrize(
    ("text", "picture"),
    [
        ("%mul = fmul fast double %x, %y", "%mul = fmul double %x, %y"),
        ("%p = getelementptr inbounds nuw double, ptr %a, i64 %i", "%p = gep double, ptr %a, %i"),
        ("store double 2.500000e+00, ptr %a, align 8, !tbaa !0", "store double 2.5, ptr %a"),
        ("%l = load volatile float, ptr %a, align 4", "%l = load float, ptr %a"),
        ("%c = tail call noundef double @g(double noundef %x) #1", "%c = call double @g(%x)"),
        ("%s = select i1 true, double %x, double 0.000000e+00", "%s = select true, %x, 0.0"),
        ("%k = fcmp ogt double %x, 1.000000e-01", "%k = fcmp ogt double %x, 0.1"),
        ("%t = sitofp i64 %i to double", "%t = sitofp i64 %i to double"),
        ("%m = alloca [4 x i8], align 1", "%m = alloca [4 x i8]"),
        ("%q = fneg double %x", "%q = fneg double %x"),
        ("%o = atomicrmw add ptr %a, i64 1 seq_cst, align 8", "%o = atomicrmw add %a, 1"),
    ],
)
def test_picture_texts(text: str, picture: str) -> None:
    source = f"""define void @f(double %x, double %y, ptr %a, i64 %i) {{
entry:
  {text}
  br i1 true, label %next, label %end
next:
  %r = phi double [ %x, %entry ]
  br label %end
end:
  ret void
}}
declare double @g(double)
attributes #1 = {{ nounwind }}
!0 = !{{}}"""
    function = parse(source).functions["f"]
    names = Names(function)
    texts = [short(i, names) for i in function.instructions()]
    assert texts == [picture, "br true", "%r = phi [%x]", "br", "ret"]
    assert short(function.entry.instructions[0]) == picture
