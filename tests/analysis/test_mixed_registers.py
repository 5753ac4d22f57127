"""Registers that hold a number or a pointer: which these are, and what they compute once they are memory."""

from __future__ import annotations

import ctypes

import pytest

from enzyme_magic.backend.analysis.derivatives.mixed_registers import MixedUses, mixed_registers
from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.prepare.bits.mixed_memory import to_memory

HEAD = 'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"\n'
CHOSEN = """define double @f(double %x, i64 %n) {
entry:
  %v = alloca double
  store double 3.0, ptr %v
  %bits = bitcast double %x to i64
  %address = ptrtoint ptr %v to i64
  %number = icmp eq i64 %n, 0
  %either = select i1 %number, i64 %bits, i64 %address
  br i1 %number, label %as_number, label %as_pointer
as_number:
  %d = bitcast i64 %either to double
  ret double %d
as_pointer:
  %p = inttoptr i64 %either to ptr
  %e = load double, ptr %p
  ret double %e
}"""
SWAPPED = """define double @f(double %x, i64 %n) {
entry:
  %v = alloca double
  store double 3.0, ptr %v
  br label %loop
loop:
  %a = phi ptr [ %v, %entry ], [ %b, %loop ]
  %b = phi ptr [ %q, %entry ], [ %a, %loop ]
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %odd = and i64 %n, 1
  %is_pointer = icmp eq i64 %odd, 1
  br i1 %is_pointer, label %as_pointer, label %as_number
as_pointer:
  %e = load double, ptr %a
  ret double %e
as_number:
  %i = ptrtoint ptr %a to i64
  %d = bitcast i64 %i to double
  ret double %d
}""".replace(
    "  br label %loop\nloop:",
    "  %qi = bitcast double %x to i64\n  %q = inttoptr i64 %qi to ptr\n  br label %loop\nloop:",
    1,
)
COPIED = """define double @f(double %x, i64 %n) {
entry:
  %u = alloca [8 x i8]
  %w = alloca [8 x i8]
  %v = alloca double
  store double 3.0, ptr %v
  %number = icmp eq i64 %n, 0
  br i1 %number, label %put_number, label %put_pointer
put_number:
  store double %x, ptr %u
  br label %copy
put_pointer:
  store ptr %v, ptr %u
  br label %copy
copy:
  %c = load double, ptr %u
  store double %c, ptr %w
  br i1 %number, label %as_number, label %as_pointer
as_number:
  %d = load double, ptr %w
  ret double %d
as_pointer:
  %p = load ptr, ptr %w
  %e = load double, ptr %p
  ret double %e
}"""
TYPED = """define double @f(double %x, i64 %n) {
entry:
  %u = alloca double
  store double %x, ptr %u
  %number = icmp eq i64 %n, 0
  %c = load double, ptr %u
  %d = select i1 %number, double %c, double 3.0
  store double %d, ptr %u
  %e = load double, ptr %u
  ret double %e
}"""
PROGRAMS = {
    "chosen": (CHOSEN, {"either"}),
    "swapped": (SWAPPED, {"a", "b"}),
    "copied": (COPIED, {"c"}),
    "typed": (TYPED, set()),
}


def rewritten(text: str) -> tuple[Module, set[str]]:
    module = parser.parse(HEAD + text)
    function = module.functions["f"]
    found = mixed_registers(function, Types.of(module, DataLayout.of(module)))
    if found:
        to_memory(module, function, [i for i in function.instructions() if i in found])
    return module, {i.name for i in found if i.name}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_mixed_and_what_it_computes(name: str) -> None:
    text, expected = PROGRAMS[name]
    module, found = rewritten(text)
    assert found == expected
    library = jit.Library.load([jit.compile_object(printer.print_module(module), 0)], ["f"])
    call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_int64)(library.address("f"))
    odd = name == "swapped"
    assert [call(1.5, n) for n in (0, 1, 2, 3)][odd:] == ([3.0, 1.5, 3.0] if odd else [1.5, 3.0, 3.0, 3.0])


@pytest.mark.parametrize("name", ["chosen", "swapped", "copied"])
def test_nothing_is_left_to_find(name: str) -> None:
    module, _ = rewritten(PROGRAMS[name][0])
    types = Types.of(module, DataLayout.of(module))
    function = module.functions["f"]
    assert not mixed_registers(function, types)
    crossing = MixedUses.of_program(module, types)
    assert not any(crossing.of(i) for i in function.instructions())


def test_a_number_that_is_followed_crosses() -> None:
    module = parser.parse(
        HEAD + "define double @f(double %x) {\n %i = bitcast double %x to i64\n %p = inttoptr i64 %i to ptr\n"
        " %d = load double, ptr %p\n ret double %d\n}"
    )
    function = module.functions["f"]
    crossing = MixedUses.of_program(module, Types.of(module, DataLayout.of(module)))
    assert [i.opcode for i in function.instructions() if crossing.of(i)] == ["inttoptr"]
    argument = function.arguments[0]
    assert crossing.of_passed(function, argument, 0, argument.type)
