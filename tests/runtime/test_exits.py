"""exit, abort and failed asserts leave C code without ending the process."""

from __future__ import annotations

import ctypes
import threading

import pytest

import enzyme_magic as em
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.passes import native_code
from enzyme_magic.backend.runtime import arena, exits
from enzyme_magic.backend.runtime.native import support
from enzyme_magic.errors import ExecutionError

PROGRAM = """
declare void @exit(i32)
declare void @abort()
declare void @__assert_fail(ptr, ptr, i32, ptr)
declare i32 @usleep(i32)
@text = constant [6 x i8] c"x > 0\\00"
@file = constant [6 x i8] c"In[3]\\00"
@name = constant [5 x i8] c"root\\00"

define double @root(double %x) {
  %ok = fcmp ogt double %x, 0.0
  br i1 %ok, label %fine, label %failed
fine:
  ret double %x
failed:
  call void @__assert_fail(ptr @text, ptr @file, i32 3, ptr @name)
  unreachable
}
define i32 @leave(i32 %status) {
  %negative = icmp slt i32 %status, 0
  br i1 %negative, label %stay, label %go
stay:
  ret i32 %status
go:
  call void @exit(i32 %status)
  unreachable
}
define void @give_up() {
  call void @abort()
  unreachable
}
define i32 @slow(i32 %status) {
  %slept = call i32 @usleep(i32 20000)
  call void @exit(i32 %status)
  unreachable
}
define double @nested(ptr %call, double %x) {
  %inner = call double %call(double %x)
  %again = call double @root(double %x)
  ret double %again
}
"""


@pytest.fixture(scope="module")
def library() -> jit.Library:
    names = ["root", "leave", "give_up", "slow", "nested"]
    return jit.Library.load([jit.compile_object(PROGRAM)], names, symbols=exits.symbols())


def guard(library, name, result, parameters, *words):
    return exits.guarded(library.address(name), result, parameters, words[0], words[1:])


def test_assert_names_expression_line_and_file(library):
    root = guard(library, "root", ctypes.c_double, [ctypes.c_double], "double", "double")
    assert root(2.5) == 2.5
    with pytest.raises(ExecutionError, match=r"assertion `x > 0' failed at line 3 \(In\[3\]\)") as caught:
        root(-1.0)
    assert caught.value.code == "EM403"
    assert caught.value.line == 3
    assert root(4.0) == 4.0


def test_exit_names_the_status(library):
    leave = guard(library, "leave", ctypes.c_int, [ctypes.c_int], "i32", "i32")
    for status in (3, 0, 7):
        with pytest.raises(ExecutionError, match=rf"exit\({status}\) called") as caught:
            leave(status)
        assert caught.value.code == "EM401"
    assert leave(-5) == -5


def test_abort(library):
    give_up = guard(library, "give_up", None, [], "void")
    with pytest.raises(ExecutionError, match=r"abort\(\) called") as caught:
        give_up()
    assert caught.value.code == "EM402"


def test_small_types_pass_through_the_guard_unchanged():
    text = """
    define zeroext i1 @flag(i1 zeroext %x, i8 signext %c, float %f, i16 zeroext %u) {
      %ok.c = icmp eq i8 %c, -3
      %ok.f = fcmp oeq float %f, 0.5
      %ok.u = icmp eq i16 %u, -2
      %a = and i1 %ok.c, %ok.f
      %b = and i1 %a, %ok.u
      %r = and i1 %b, %x
      ret i1 %r
    }
    """
    loaded = jit.Library.load([jit.compile_object(text)], ["flag"])
    kinds = [ctypes.c_bool, ctypes.c_int8, ctypes.c_float, ctypes.c_uint16]
    words = ["i1 zeroext", "i1 zeroext", "i8 signext", "float", "i16 zeroext"]
    flag = guard(loaded, "flag", ctypes.c_bool, kinds, *words)
    assert flag(True, -3, 0.5, 65534) is True
    assert flag(False, -3, 0.5, 65534) is False
    assert flag(True, -2, 0.5, 65534) is False


def test_nested_guards_each_catch_their_own(library):
    """C calls back into Python, which makes a guarded call of its own; both leave."""
    root = guard(library, "root", ctypes.c_double, [ctypes.c_double], "double", "double")
    inner_errors = []

    @ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    def callback(x: float) -> float:
        try:
            return root(x)
        except ExecutionError as error:
            inner_errors.append(error)
            return 0.0

    nested = guard(library, "nested", ctypes.c_double, [ctypes.c_void_p, ctypes.c_double], "double", "ptr", "double")
    address = ctypes.cast(callback, ctypes.c_void_p).value
    with pytest.raises(ExecutionError, match="x > 0"):
        nested(address, -1.0)
    assert [error.code for error in inner_errors] == ["EM403"]
    assert nested(address, 1.0) == 1.0
    assert len(inner_errors) == 1


def test_threads_leave_independently(library):
    slow = guard(library, "slow", ctypes.c_int, [ctypes.c_int], "i32", "i32")
    seen: dict[int, str] = {}

    def work(status: int) -> None:
        try:
            slow(status)
        except ExecutionError as error:
            seen[status] = error.message

    threads = [threading.Thread(target=work, args=(status,)) for status in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {status: f"exit({status}) called" for status in range(1, 7)}


def test_every_process_ending_function_is_replaced():
    names = set(exits.symbols())
    assert {"exit", "_exit", "_Exit", "quick_exit", "abort", "__assert_fail"} <= names
    assert {*support.REPLACED, *support.KEEPS_KERNEL} == names
    assert set(exits.symbols(alone=True)) == set(support.REPLACED)


TAPE = (
    native_code.text_of("arena")
    + """
declare void @exit(i32)
define void @take_and_leave(ptr %arena, i64 %bytes) {
  %block = call ptr @em.allocate(ptr %arena, i64 %bytes)
  call void @llvm.memset.p0.i64(ptr %block, i8 1, i64 %bytes, i1 false)
  call void @exit(i32 1)
  unreachable
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""
)


def test_leaving_gives_the_arena_back():
    symbols = {**exits.symbols(), **support.arena_symbols()}
    library = jit.Library.load([jit.compile_object(TAPE)], ["take_and_leave"], symbols=symbols)
    call = guard(library, "take_and_leave", None, [ctypes.c_void_p, ctypes.c_int64], "void", "ptr", "i64")
    before = arena.statistics().in_use
    for bytes_ in (100, 1 << 20):
        with pytest.raises(ExecutionError):
            call(arena.current(), bytes_)
        assert arena.statistics().in_use == before


NEVER = """
__attribute__((noinline)) static double never(double x) { abort(); }
double always(double x, int k) { abort(); }
float trapped(float x, int k) { __builtin_trap(); }
double sometimes(double x, int k) { double y = x * x; return k ? never(y) * 2 : y; }
"""


def test_functions_that_never_return_have_forward_derivatives() -> None:
    """They end as the function does; what calls them goes on where it does not come to them."""
    p = em.compile_c(NEVER, opt=0)
    for name, code in (("always", "EM402"), ("trapped", "EM408"), ("sometimes", "EM402")):
        for derivative in (
            lambda x, k, f=p[name]: em.jvp(f, (x, k), (1.0, None)),
            em.jacfwd(p[name]),
            p[name].hessian,
        ):
            with pytest.raises(ExecutionError) as caught:
                derivative(3.0, 1)
            assert caught.value.code == code
    assert em.jvp(p.sometimes, (3.0, 0), (1.0, None)) == (9.0, 6.0)
    assert p.sometimes.hessian(3.0, 0) == 2.0
