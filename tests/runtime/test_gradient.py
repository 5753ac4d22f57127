"""Derivative functions called from Python: pure, exact, aligned."""

from __future__ import annotations

import numpy as np
import pytest

from enzyme_magic.backend.native import Entry, ResultField, Slot
from enzyme_magic.backend.passes import native_code
from enzyme_magic.backend.runtime import arena
from enzyme_magic.backend.runtime.calls.callable import Ways, gradient
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder
from enzyme_magic.errors import ArgumentError, ExecutionError

from .native_code import DOUBLE, FLOAT, IN, INT, LONG_DOUBLE, OUT, SIZE, VOID, library, signature


def bare(value, gradients):
    return gradients[0]


bare.bare = True


def both(value, gradients):
    return value, tuple(gradients)


def bound(text, name, sig, entry, wrt, pack, **ways):
    loaded = library(text, name)
    written = ways.get("written", frozenset())
    code = Code(entry, loaded.address(name), sig, loaded)
    return gradient(code, ArgumentBinder(sig, written=written), Ways(wrt, **ways), pack)


CUBE = (
    "define double @diffe_cube(double %x) {\n  %s = fmul double %x, %x\n  %g = fmul double %s, 3.0\n  ret double %g\n}"
)


def test_one_scalar():
    sig = signature("cube", DOUBLE, ("x", DOUBLE))
    entry = Entry("diffe_cube", (Slot("primal", 0),), ResultField("gradient", "double", 0))
    grad = bound(CUBE, "diffe_cube", sig, entry, (0,), bare)
    assert grad(2.0) == 12.0
    assert grad(2) == 12.0
    assert grad(x=2.0) == 12.0
    assert type(grad(2.0)) is type(grad(2)) is float
    with pytest.raises(ArgumentError, match="x is a double scalar"):
        grad(np.ones(2))
    with pytest.raises(ArgumentError):
        grad()


def test_float_gradient_is_numpy_float32():
    text = "define float @diffe_f(float %x) {\n  ret float %x\n}"
    entry = Entry("diffe_f", (Slot("primal", 0),), ResultField("gradient", "float", 0))
    grad = bound(text, "diffe_f", signature("f", FLOAT, ("x", FLOAT)), entry, (0,), bare)
    assert type(grad(0.5)) is np.float32


@pytest.mark.parametrize("count", [1, 2])
def test_callables_keep_their_code_loaded(count):
    """Every other reference to the library is gone; the address must still be code."""
    import gc

    if count == 1:
        sig = signature("cube", DOUBLE, ("x", DOUBLE))
        entry = Entry("diffe_cube", (Slot("primal", 0),), ResultField("gradient", "double", 0))
        grad, args, expected = bound(CUBE, "diffe_cube", sig, entry, (0,), bare), (2.0,), 12.0
    else:
        sig = signature("product", DOUBLE, ("x", DOUBLE), ("y", DOUBLE))
        grad = bound(PRODUCT, "diffe_product", sig, PRODUCT_ENTRY, (0,), both)
        args, expected = (2.0, 5.0), (10.0, (5.0,))
    gc.collect()
    library("define i32 @filler() {\n  ret i32 1\n}", "filler")
    assert grad(*args) == expected


PRODUCT = """
define void @diffe_product(double %x, double %y, ptr %results) {
  %v = fmul double %x, %y
  store double %v, ptr %results
  %dx = getelementptr double, ptr %results, i64 1
  store double %y, ptr %dx
  %dy = getelementptr double, ptr %results, i64 2
  store double %x, ptr %dy
  ret void
}
"""
PRODUCT_ENTRY = Entry(
    "diffe_product",
    (Slot("primal", 0), Slot("primal", 1), Slot("results")),
    fields=(
        ResultField("value", "double", None, 0),
        ResultField("gradient", "double", 0, 8),
        ResultField("gradient", "double", 1, 16),
    ),
    size=24,
)


@pytest.mark.parametrize("args", [(2.0, 5.0), (2, 5), (np.float32(2), 5.0)])
@pytest.mark.parametrize("wrt", [(0, 1), (1, 0), (1,)])
def test_value_and_several_gradients(args, wrt):
    """The short path (floats) and the long one agree."""
    sig = signature("product", DOUBLE, ("x", DOUBLE), ("y", DOUBLE))
    grad = bound(PRODUCT, "diffe_product", sig, PRODUCT_ENTRY, wrt, both)
    assert grad(*args) == (10.0, tuple((5.0, 2.0)[k] for k in wrt))


def test_long_double_field():
    text = """
    define void @diffe_f(x86_fp80 %x, double %y, ptr %results) {
      %p = getelementptr i8, ptr %results, i64 16
      store double %y, ptr %results
      store x86_fp80 %x, ptr %p
      ret void
    }
    """
    fields = (ResultField("gradient", "double", 1, 0), ResultField("gradient", "x86_fp80", 0, 16))
    entry = Entry("diffe_f", (Slot("primal", 0), Slot("primal", 1), Slot("results")), fields=fields, size=32)
    sig = signature("f", LONG_DOUBLE, ("x", LONG_DOUBLE), ("y", DOUBLE))
    grad = bound(text, "diffe_f", sig, entry, (0, 1), both)
    third = np.longdouble(1) / 3
    _, (dx, dy) = grad(third, 2.0)
    assert (dx, dy) == (third, 2.0)
    assert type(dx) is np.longdouble


# y[i] = 2*x[i]*s for i < n; returns sum y. Gradient adds 2*s to dx[i] and overwrites y, as the primal does.
WRITES = """
define double @diffe_f(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n, double %s, double %seed) {
entry:
  br label %head
head:
  %i = phi i64 [0, %entry], [%next, %body]
  %g = phi double [0.0, %entry], [%h, %body]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %xp = getelementptr double, ptr %x, i64 %i
  %yp = getelementptr double, ptr %y, i64 %i
  %dxp = getelementptr double, ptr %dx, i64 %i
  %v = load double, ptr %xp
  %v2 = fmul double %v, 2.0
  %w = fmul double %v2, %s
  store double %w, ptr %yp
  %h = fadd double %g, %v2
  %old = load double, ptr %dxp
  %s2 = fmul double %s, 2.0
  %new = fadd double %old, %s2
  store double %new, ptr %dxp
  %next = add i64 %i, 1
  br label %head
done:
  %scaled = fmul double %g, %seed
  ret double %scaled
}
"""
WRITES_SIGNATURE = signature("f", DOUBLE, ("x", IN, ("n",)), ("y", OUT, ("n",)), ("n", SIZE), ("s", DOUBLE))
WRITES_ENTRY = Entry(
    "diffe_f",
    (
        Slot("primal", 0),
        Slot("shadow", 0),
        Slot("primal", 1),
        Slot("shadow", 1),
        Slot("primal", 2),
        Slot("primal", 3),
        Slot("seed"),
    ),
    ResultField("gradient", "double", 3),
)


def writes(wrt=(0, 3), **ways):
    ways.setdefault("written", frozenset([1]))
    return bound(WRITES, "diffe_f", WRITES_SIGNATURE, WRITES_ENTRY, wrt, both, **ways)


def test_a_gradient_modifies_nothing():
    x, y = np.arange(4.0), np.full(4, 7.0)
    x.flags.writeable = False
    _, (dx, ds) = writes()(x, y, 3.0)
    assert dx.tolist() == [6.0] * 4
    assert ds == 12.0
    assert y.tolist() == [7.0] * 4


def test_unwritten_buffers_are_not_copied_and_donated_ones_neither():
    x, y = np.arange(4.0), np.full(4, 7.0)
    writes(donate=True)(x, y, 3.0)
    assert y.tolist() == [0.0, 6.0, 12.0, 18.0]


@pytest.mark.parametrize("shape", [(4,), (2, 2), (1, 4, 1), (0,), (0, 3)])
def test_gradient_arrays_are_fresh_aligned_and_of_the_arguments_shape(shape):
    count = int(np.prod(shape))
    x = np.arange(float(count)).reshape(shape)
    f = writes()
    first = f(x, np.zeros(shape), 1.0)[1][0]
    second = f(x, np.zeros(shape), 1.0)[1][0]
    assert first.shape == shape
    assert first.dtype == x.dtype
    assert first.ctypes.data % 64 == 0
    assert np.array_equal(first, second)
    assert not np.shares_memory(first, second) or count == 0
    assert first.flags.writeable
    assert first.flags.c_contiguous


def test_out_takes_the_gradient():
    x = np.arange(3.0)
    out = np.full(3, 99.0)
    gradients = writes(out={0: out})(x, np.zeros(3), 1.0)[1]
    assert gradients[0] is out or np.shares_memory(gradients[0], out)
    assert out.tolist() == [2.0] * 3


@pytest.mark.parametrize(
    "make", [lambda x: np.zeros(2), lambda x: np.zeros(3, np.float32), lambda x: np.zeros(6)[::2], lambda x: [0.0] * 3]
)
def test_out_of_another_form_is_refused(make):
    x = np.arange(3.0)
    with pytest.raises(ArgumentError, match="out for x") as caught:
        writes(out={0: make(x)})(x, np.zeros(3), 1.0)
    assert caught.value.code == "EM317"


def test_out_may_not_be_an_argument():
    x = np.arange(3.0)
    with pytest.raises(ArgumentError, match="share memory") as caught:
        writes(out={0: x})(x, np.zeros(3), 1.0)
    assert caught.value.code == "EM312"
    assert x.tolist() == [0.0, 1.0, 2.0]


def test_overlap_with_a_written_range_is_refused():
    memory = np.arange(8.0)
    with pytest.raises(ArgumentError, match="x and y share memory") as caught:
        writes()(memory[:4], memory[3:7], 1.0)
    assert caught.value.code == "EM312"
    assert memory.tolist() == list(range(8))
    writes()(memory[:4], memory[4:], 1.0)


DOT = """
define void @diffe_dot(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [0, %entry], [%next, %body]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %xp = getelementptr double, ptr %x, i64 %i
  %yp = getelementptr double, ptr %y, i64 %i
  %dxp = getelementptr double, ptr %dx, i64 %i
  %dyp = getelementptr double, ptr %dy, i64 %i
  %a = load double, ptr %xp
  %b = load double, ptr %yp
  store double %b, ptr %dxp
  store double %a, ptr %dyp
  %next = add i64 %i, 1
  br label %head
done:
  ret void
}
"""


def test_the_same_array_twice_where_only_read():
    sig = signature("dot", DOUBLE, ("x", IN, ("n",)), ("y", IN, ("n",)), ("n", SIZE))
    entry = Entry(
        "diffe_dot", (Slot("primal", 0), Slot("shadow", 0), Slot("primal", 1), Slot("shadow", 1), Slot("primal", 2))
    )
    grad = bound(DOT, "diffe_dot", sig, entry, (0, 1), both)
    x = np.arange(3.0)
    _, (dx, dy) = grad(x, x)
    assert dx.tolist() == dy.tolist() == x.tolist()
    assert not np.shares_memory(dx, dy)
    with pytest.raises(ArgumentError, match="n would be 3 by x and 2 by y"):
        grad(x, x[:2])


def test_null_has_no_gradient():
    _, (dx, ds) = writes(written=frozenset())(None, None, 0, 2.0)
    assert dx is None
    assert ds == 0.0


TAPE = (
    native_code.text_of("arena")
    + """
define double @diffe_f(ptr %arena, double %x, i32 %kib) {
  %mark = call ptr @em.mark(ptr %arena)
  %wide = sext i32 %kib to i64
  %bytes = shl i64 %wide, 10
  %block = call ptr @em.allocate(ptr %arena, i64 %bytes)
  store double %x, ptr %block
  %v = load double, ptr %block
  call void @em.release(ptr %arena, ptr %mark)
  ret double %v
}
"""
)


def test_the_tape_limit_is_an_execution_error_and_leaves_nothing_behind():
    sig = signature("f", DOUBLE, ("x", DOUBLE), ("kib", INT))
    entry = Entry(
        "diffe_f", (Slot("arena"), Slot("primal", 0), Slot("primal", 1)), ResultField("gradient", "double", 0)
    )
    grad = bound(TAPE, "diffe_f", sig, entry, (0,), bare)
    arena.trim()
    arena.set_limit(1 << 20)
    try:
        assert grad(3.0, 8) == 3.0
        arena.reset_statistics()
        assert grad(3.0, 8) == 3.0
        assert arena.statistics() == arena.Statistics(0, 8192, 8192, 0)
        with pytest.raises(ExecutionError, match="tape limit"):
            grad(3.0, 2048)
        assert arena.statistics().in_use == 0
        assert grad(3.0, 8) == 3.0
    finally:
        arena.set_limit(1 << 33)


def test_void_functions_may_write_results_through_shadows_only():
    """A gradient without any scalar result: everything comes back through shadows."""
    text = "define void @diffe_g(ptr %x, ptr %dx) {\n  store double 5.0, ptr %dx\n  ret void\n}"
    entry = Entry("diffe_g", (Slot("primal", 0), Slot("shadow", 0)))
    grad = bound(text, "diffe_g", signature("g", VOID, ("x", IN)), entry, (0,), bare)
    assert grad(np.zeros(2)).tolist() == [5.0, 0.0]
