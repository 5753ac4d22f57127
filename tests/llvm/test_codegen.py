"""Modules that would make LLVM end the process are compiled where that harms nobody."""

import ctypes

import pytest

from enzyme_magic.backend.llvm.apart import worker
from enzyme_magic.backend.llvm.objects import codegen, jit, tuning
from enzyme_magic.errors import InternalError, ToolchainError


def test_good_inline_assembly(clang, load, call):
    text = clang('int f(int x) { __asm__("addl $5, %0" : "+r"(x)); return x; }')
    assert call(load(text, ["f"]), "f", 2, result=ctypes.c_int) == 7


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('int f(int x) { __asm__("bogus %0" : "+r"(x)); return x; }', "bogus"),
        ('__asm__("nonsense here"); int f(int x) { return x; }', "nonsense"),
    ],
)
def test_bad_inline_assembly_is_an_error_not_an_exit(clang, load, source, words):
    with pytest.raises(ToolchainError, match=words) as caught:
        load(clang(source), ["f"])
    assert caught.value.code == "EM125"
    assert "assembly" in caught.value.hint


def test_intrinsics_of_another_processor_are_an_error_not_an_abort():
    text = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndefine i32 @f() {\n  %r = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  ret i32 %r\n}\n"  # noqa: E501
    with pytest.raises(ToolchainError, match=r"Cannot select.*EM125"):
        jit.compile_object(text)


def test_a_bad_module_is_reported_before_a_child_is_started(monkeypatch):
    monkeypatch.setattr(worker, "work", lambda *_, **__: pytest.fail("a child was started"))
    with pytest.raises(InternalError, match="EM910"):
        jit.compile_object('define void @f() {\n  call void asm sideeffect "nop", ""()\n  ret double %x\n}\n')


def test_a_child_that_cannot_start_is_an_error(monkeypatch):
    worker._end()
    monkeypatch.setattr(worker.sys, "executable", "/nonexistent/python")
    with pytest.raises(ToolchainError, match="EM125"):
        jit.compile_object('define void @f() {\n  call void asm sideeffect "nop", ""()\n  ret void\n}\n')


def test_ordinary_modules_need_no_child(monkeypatch):
    monkeypatch.setattr(worker, "work", lambda *_, **__: pytest.fail("a child was started"))
    assert jit.compile_object('@s = constant [16 x i8] c"call asm \\22nop\\22\\0A\\00"\n')


def test_the_same_object_from_the_worker():
    text = "define double @f(double %x) {\n  %r = fmul double %x, 2.0\n  ret double %r\n}\n"
    assert worker.work("emit", codegen.prepared(text), level=3) == codegen.emit(
        codegen.prepared(text), 3, tuning.target()
    )
