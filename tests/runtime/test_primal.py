"""C functions called from Python: every kind of result, arrays without copies, stdout in order."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from enzyme_magic.backend.native import Entry, Slot
from enzyme_magic.backend.runtime.calls.callable import primal
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.values import layout
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder
from enzyme_magic.errors import ArgumentError, ExecutionError

from .native_code import (
    BOOL,
    CHAR,
    COMPLEX,
    DOUBLE,
    FLOAT,
    IN,
    INT,
    LONG_DOUBLE,
    OUT,
    POINT,
    SHORT,
    SIZE,
    VOID,
    Pointer,
    library,
    primal_code,
    signature,
)


def bound(text, sig, written=frozenset(), **options):
    code = primal_code(text, sig)
    return primal(code, ArgumentBinder(sig, written=written, **options))


def one(type_, word, name="same"):
    """A function that gives its argument back."""
    plain, _, extension = word.partition(" ")
    text = f"define {extension} {plain} @{name}({word} %x) {{\n  ret {plain} %x\n}}"
    return bound(text, signature(name, type_, ("x", type_)))


def test_double():
    same = one(DOUBLE, "double")
    for value in (2.5, -0.0, 3, np.float32(0.5), True):
        result = same(value)
        assert type(result) is float
        assert result == value
    assert same(x=2.0) == 2.0


def test_float_is_numpy_float32():
    result = one(FLOAT, "float")(0.1)
    assert type(result) is np.float32
    assert result == np.float32(0.1)


def test_long_double_keeps_every_bit():
    value = np.longdouble(1) / 3
    result = one(LONG_DOUBLE, "x86_fp80")(value)
    assert type(result) is np.longdouble
    assert result == value


@pytest.mark.parametrize(
    ("type_", "word", "value"),
    [
        (INT, "i32", -5),
        (SHORT, "i16 signext", -300),
        (CHAR, "i8 signext", -1),
        (SIZE, "i64", 2**64 - 1),
        (BOOL, "i1 zeroext", True),
    ],
)
def test_integers(type_, word, value):
    result = one(type_, word)(value)
    assert result == value
    assert type(result) is type(value)


SUM = """
define double @sum(ptr %x, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [0, %entry], [%next, %body]
  %s = phi double [0.0, %entry], [%t, %body]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %t = fadd double %s, %v
  %next = add i64 %i, 1
  br label %head
done:
  ret double %s
}
"""
SUM_SIGNATURE = signature("sum", DOUBLE, ("x", IN, ("n",)), ("n", SIZE))


def test_sizes_may_be_left_out():
    total = bound(SUM, SUM_SIGNATURE)
    x = np.arange(5.0)
    assert total(x) == 10.0
    assert total(x, 3) == 3.0
    assert total(x, n=2) == 1.0
    assert total(x=x) == 10.0
    assert total(n=4, x=x) == 6.0
    assert total(np.arange(6.0).reshape(2, 3)) == 15.0
    assert total(np.zeros(0)) == 0.0
    assert total(None, 0) == 0.0


def test_a_longer_size_than_the_array_is_refused():
    total = bound(SUM, SUM_SIGNATURE)
    with pytest.raises(ArgumentError, match="x needs at least n = 10 elements, got 5") as caught:
        total(np.arange(5.0), 10)
    assert caught.value.code == "EM309"


def test_unchecked_removes_the_check_only():
    total = bound(SUM, SUM_SIGNATURE, unchecked=True)
    backing = np.arange(10.0)
    assert total(backing[:5], 10) == 45.0
    assert total(backing[:5]) == 10.0


def test_a_size_in_front_of_its_array():
    sig = signature("sum", DOUBLE, ("n", SIZE), ("x", IN, ("n",)), ("scale", DOUBLE))
    text = "define double @sum(i64 %n, ptr %x, double %scale) {\n  %v = uitofp i64 %n to double\n  ret double %v\n}"
    f = bound(text, sig)
    x = np.zeros(4)
    assert f(x, 1.0) == 4.0
    assert f(3, x, 1.0) == 3.0
    assert f(3, x, scale=1.0) == 3.0
    assert f(x, 1.0, n=2) == 2.0
    assert f(x, scale=1.0) == 4.0


@pytest.mark.parametrize(
    ("args", "named", "problem"),
    [
        ((), {}, "missing: x"),
        ((1.0, 2, 3), {}, "takes 2 arguments \\(x, n\\), got 3"),
        ((np.zeros(3),), {"x": np.zeros(3)}, "x is given twice"),
        ((np.zeros(3),), {"m": 3}, "no parameter 'm'"),
        ((None,), {}, "missing: n"),
    ],
)
def test_wrong_argument_lists(args, named, problem):
    with pytest.raises(ArgumentError, match=problem) as caught:
        bound(SUM, SUM_SIGNATURE)(*args, **named)
    assert caught.value.code == "EM301"
    assert caught.value.hint


def test_too_few_scalars():
    f = one(DOUBLE, "double")
    with pytest.raises(ArgumentError, match="missing: x"):
        f()
    with pytest.raises(ArgumentError, match="got 2"):
        f(1.0, 2.0)
    with pytest.raises(ArgumentError, match=r"no parameter 'y'"):
        f(y=1.0)
    with pytest.raises(TypeError):
        f()
    with pytest.raises(ValueError, match="missing"):
        f()


SCALE = """
define void @scale(ptr %x, double %by) {
  %v = load double, ptr %x
  %w = fmul double %v, %by
  store double %w, ptr %x
  ret void
}
"""
SCALE_SIGNATURE = signature("scale", VOID, ("x", OUT), ("by", DOUBLE))


def test_the_c_function_works_in_place():
    scale = bound(SCALE, SCALE_SIGNATURE, frozenset([0]))
    x = np.array([3.0, 4.0])
    assert scale(x, 2) is None
    assert x.tolist() == [6.0, 4.0]
    view = np.arange(10.0)[4:]
    scale(view, 10.0)
    assert view[0] == 40.0
    matrix = np.ones((2, 2))
    scale(matrix, 5.0)
    assert matrix[0, 0] == 5.0


def test_read_only_arrays():
    x = np.ones(3)
    x.flags.writeable = False
    with pytest.raises(ArgumentError, match="read-only") as caught:
        bound(SCALE, SCALE_SIGNATURE, frozenset([0]))(x, 2.0)
    assert caught.value.code == "EM308"
    assert caught.value.hint == "c = x.copy(); pass c, and find in it what C has written"
    assert bound(SUM, SUM_SIGNATURE)(x) == 3.0


@pytest.mark.parametrize(
    ("make", "code", "hint"),
    [
        (lambda: [1.0, 2.0], "EM304", "np.asarray(x, dtype=np.float64)"),
        (lambda: (1.0,), "EM304", "np.asarray(x, dtype=np.float64)"),
        (lambda: 3.0, "EM304", "np.array([x, …], dtype=np.float64)"),
        (lambda: np.float64(3.0), "EM304", "np.array([x, …], dtype=np.float64)"),
        (lambda: "abc", "EM304", "np.asarray"),
        (lambda: object(), "EM304", "np.asarray"),
        (lambda: np.ones(3, np.float32), "EM305", "np.asarray(x, dtype=np.float64)"),
        (lambda: np.ones(3, int), "EM305", "np.asarray(x, dtype=np.float64)"),
        (lambda: np.ones(3, ">f8"), "EM305", "np.asarray(x, dtype=np.float64)"),
        (lambda: np.ones(3, complex), "EM305", "np.asarray(x, dtype=np.float64)"),
        (lambda: np.ones(6)[::2], "EM306", "np.ascontiguousarray(x)"),
        (lambda: np.asfortranarray(np.ones((2, 3))), "EM306", "np.ascontiguousarray(x)"),
        (lambda: np.zeros(17, np.uint8)[1:].view(np.float64), "EM307", "x.copy()"),
        (lambda: bytearray(8), "EM305", "np.asarray"),
    ],
)
def test_what_is_no_array_of_the_type(make, code, hint):
    with pytest.raises(ArgumentError) as caught:
        bound(SUM, SUM_SIGNATURE)(make())
    assert caught.value.code == code
    assert hint in caught.value.hint
    assert "x" in caught.value.message


def test_other_array_objects_are_not_copied():
    import array

    scale = bound(SCALE, SCALE_SIGNATURE, frozenset([0]))
    numbers = array.array("d", [1.0, 2.0])
    scale(numbers, 3.0)
    assert numbers.tolist() == [3.0, 2.0]
    x = np.ones(2)
    scale(memoryview(x), 4.0)
    assert x[0] == 4.0

    class Interface:
        __array_interface__ = x.__array_interface__

    scale(Interface(), 2.0)
    assert x[0] == 8.0

    class Lazy:
        def __dlpack__(self, **options):
            return x.__dlpack__(**options)

        def __dlpack_device__(self):
            return x.__dlpack_device__()

    scale(Lazy(), 2.0)
    assert x[0] == 16.0


def test_dlpack_elsewhere_is_refused():
    class Device:
        def __dlpack__(self, **options):
            raise BufferError("not on the CPU")

        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(ArgumentError, match="cannot share the memory") as caught:
        bound(SUM, SUM_SIGNATURE)(Device())
    assert caught.value.code == "EM304"


def test_struct_pointers_take_structured_arrays():
    text = """
    define double @norm(ptr %p) {
      %x = load double, ptr %p
      %y.p = getelementptr i8, ptr %p, i64 16
      %y = load double, ptr %y.p
      %s = fadd double %x, %y
      ret double %s
    }
    """
    sig = signature("norm", DOUBLE, ("p", Pointer(POINT, const=True)))
    norm = bound(text, sig)
    dtype = ArgumentBinder(sig).dtypes["p"]
    assert dtype == layout.dtype_of(POINT)
    assert dtype.itemsize == 24
    assert norm(np.array([(1.0, 7, 2.5)], dtype)) == 3.5
    with pytest.raises(ArgumentError) as caught:
        norm(np.zeros(3))
    assert caught.value.hint == "make it with norm.dtypes['p']"


def test_pointers_to_pointers_are_refused():
    with pytest.raises(ArgumentError, match=r"double \*\*p") as caught:
        ArgumentBinder(signature("f", DOUBLE, ("p", Pointer(OUT))))
    assert caught.value.code == "EM313"


UNIFORM = """
define void @entry(ptr %args, ptr %result) {
  %p.p = load ptr, ptr %args
  %z.p.p = getelementptr ptr, ptr %args, i64 1
  %z.p = load ptr, ptr %z.p.p
  %x.p.p = getelementptr ptr, ptr %args, i64 2
  %x.p = load ptr, ptr %x.p.p
  %array = load ptr, ptr %x.p
  %a = load double, ptr %array
  %px = load double, ptr %p.p
  %im.p = getelementptr double, ptr %z.p, i64 1
  %im = load double, ptr %im.p
  %sum = fadd double %px, %a
  store double %sum, ptr %result
  %result.y = getelementptr i8, ptr %result, i64 16
  store double %im, ptr %result.y
  ret void
}
"""


def test_structs_and_complex_numbers_by_value():
    """Through the uniform entry: pointers to the arguments, memory for the result."""
    sig = signature("f", POINT, ("p", POINT), ("z", COMPLEX), ("x", IN))
    loaded = library(UNIFORM, "entry")
    entry = Entry("entry", (Slot("arguments"), Slot("results")), size=24)
    f = primal(Code(entry, loaded.address("entry"), sig, loaded), ArgumentBinder(sig))
    result = f((1.5, 3, 0.0), 2 + 4j, np.array([10.0]))
    assert result.dtype == layout.dtype_of(POINT)
    assert (result["x"], result["y"]) == (11.5, 4.0)


def test_exit_through_the_callable():
    text = "declare void @exit(i32)\ndefine double @f(double %x) {\n  call void @exit(i32 3)\n  unreachable\n}"
    sig = signature("f", DOUBLE, ("x", DOUBLE))
    f = primal(primal_code(text, sig, may_exit=True), ArgumentBinder(sig))
    with pytest.raises(ExecutionError, match=r"exit\(3\)"):
        f(1.0)


def test_scalar_functions_do_not_import_numpy():
    program = """
    import sys
    from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder
    from enzyme_magic.backend.runtime.calls.callable import primal
    from tests.runtime.native_code import DOUBLE, INT, primal_code, signature
    sig = signature("f", DOUBLE, ("x", DOUBLE), ("n", INT))
    text = "define double @f(double %x, i32 %n) {\\n  ret double %x\\n}"
    f = primal(primal_code(text, sig), ArgumentBinder(sig))
    assert f(2, n=3) == 2.0
    assert "numpy" not in sys.modules
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True)


def test_the_interpreter_lock_is_released():
    import threading
    import time

    text = "declare i32 @usleep(i32)\ndefine i32 @nap(i32 %us) {\n  %r = call i32 @usleep(i32 %us)\n  ret i32 %r\n}"
    sig = signature("nap", INT, ("us", INT))
    nap = primal(primal_code(text, sig), ArgumentBinder(sig))
    ended: list[float] = []
    thread = threading.Thread(target=lambda: (nap(300_000), ended.append(time.monotonic())))
    thread.start()
    time.sleep(0.01)
    ours = time.monotonic()
    thread.join()
    assert ours < ended[0]


def test_an_address_is_a_c_function():
    code = primal_code("define double @f(double %x) {\n  ret double %x\n}", signature("f", DOUBLE, ("x", DOUBLE)))
    assert ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(code.address)(1.5) == 1.5
