"""Scalar functions over arrays."""

from __future__ import annotations

import numpy as np
import pytest

from enzyme_magic.backend.native import Entry, ResultField, Slot
from enzyme_magic.backend.passes import native_code
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.calls.loops import Inlined
from enzyme_magic.backend.runtime.calls.mapping import Map
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder
from enzyme_magic.errors import ArgumentError, ExecutionError

from .native_code import BOOL, DOUBLE, FLOAT, IN, INT, LONG_DOUBLE, OUT, VOID, library, primal_code, signature


def value_only(value, gradients):
    return value


def everything(value, gradients):
    return value, tuple(gradients)


# x > 0 ? x*x*x : k*x
TEXT = """
define double @relu3(double %x, i32 %k) {
  %wide = sitofp i32 %k to double
  %low = fmul double %x, %wide
  %s = fmul double %x, %x
  %c = fmul double %s, %x
  %up = fcmp ogt double %x, 0.0
  %r = select i1 %up, double %c, double %low
  ret double %r
}
"""
SIGNATURE = signature("relu3", DOUBLE, ("x", DOUBLE), ("k", INT))


def expected(x, k):
    return np.where(x > 0, x * x * x, k * x)


@pytest.fixture(scope="module", params=["inlined", "called"])
def relu3(request):
    code = primal_code(TEXT, SIGNATURE)
    return Map(
        code, ArgumentBinder(SIGNATURE), value_only, inlined=Inlined(TEXT if request.param == "inlined" else None)
    )


@pytest.mark.parametrize(
    ("x", "k"),
    [
        (np.linspace(-2, 2, 201), 2),
        (np.linspace(-2, 2, 201), np.arange(201, dtype=np.int32)),
        (np.linspace(-2, 2, 24).reshape(2, 3, 4), np.arange(4, dtype=np.int32)),
        (np.linspace(-2, 2, 5)[:, None], np.arange(7, dtype=np.int32)[None, :]),
        (np.linspace(-2, 2, 40)[::3], -1),
        (np.linspace(-2, 2, 40)[::-1], 4),
        (np.asfortranarray(np.linspace(-2, 2, 40).reshape(5, 8)), 4),
        (np.broadcast_to(np.float64(1.5), (3, 4)), np.arange(4, dtype=np.int32)),
        (np.zeros((0, 3)), 1),
        (-1.5, np.arange(6, dtype=np.int32)),
        ([1.0, -2.0], 3),
        (np.arange(-3, 4), 3),
        (np.linspace(-1, 1, 5, dtype=np.float32), 3),
        (np.ones((1, 1)), 2),
    ],
)
def test_equals_the_function_element_by_element(relu3, x, k):
    result = relu3(x, k)
    reference = expected(*np.broadcast_arrays(np.asarray(x, float), k))
    assert result.shape == reference.shape
    assert result.dtype == np.float64
    assert np.array_equal(result, reference)


def test_rank_0_gives_a_number(relu3):
    result = relu3(2.0, 1)
    assert result == 8.0
    assert np.ndim(result) == 0
    assert isinstance(result, float)


def test_results_are_fresh_and_aligned(relu3):
    x = np.ones(100)
    first, second = relu3(x, 1), relu3(x, k=1)
    assert first.ctypes.data % 64 == 0
    assert not np.shares_memory(first, second)
    assert x.tolist() == [1.0] * 100


@pytest.mark.parametrize(
    ("x", "k", "code"),
    [
        (np.ones(3), 2.5, "EM302"),
        (np.ones(3), np.array([1.0, 2.5, 3.0]), "EM302"),
        (np.ones(3), np.array([1.0, np.nan, 3.0]), "EM302"),
        (np.ones(3), np.array([1, 2**31, 3]), "EM302"),
        (np.array([2**53 + 1]), 1, "EM302"),
        (np.ones(3) + 1j, 1, "EM302"),
        (np.array(["a", "b"]), 1, "EM302"),
        (np.ones(3), np.arange(4), "EM319"),
    ],
)
def test_bad_arrays(relu3, x, k, code):
    with pytest.raises(ArgumentError) as caught:
        relu3(x, k)
    assert caught.value.code == code
    assert "relu3.map" in caught.value.message


def test_wrong_argument_list(relu3):
    with pytest.raises(ArgumentError, match="missing: k"):
        relu3(np.ones(3))


def test_exact_conversions_between_integers_and_floats(relu3):
    assert relu3(np.array([2**53]), 1)[0] == float(2**53) ** 3
    assert relu3(np.ones(2), np.array([2.0, 3.0])).tolist() == [1.0, 1.0]
    assert relu3(np.array([True, False]), 1).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("type_", "word", "values"),
    [
        (FLOAT, "float", np.linspace(-1, 1, 9, dtype=np.float32)),
        (LONG_DOUBLE, "x86_fp80", np.arange(5).astype(np.longdouble) / 3),
        (BOOL, "i1 zeroext", np.array([True, False, True])),
    ],
)
def test_other_types(type_, word, values):
    plain, _, extension = word.partition(" ")
    sig = signature("same", type_, ("x", type_))
    text = f"define {extension} {plain} @same({word} %x) {{\n  ret {plain} %x\n}}"
    mapped = Map(primal_code(text, sig), ArgumentBinder(sig), value_only, inlined=Inlined(text))
    assert np.array_equal(mapped(values), values)
    assert np.array_equal(mapped(values[::-1]), values[::-1])
    assert mapped(values).dtype == values.dtype


PRODUCT = """
@calls = external global i64
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


def test_gradients_come_back_as_arrays():
    fields = tuple(
        ResultField(kind, "double", parameter, offset)
        for kind, parameter, offset in (("value", None, 0), ("gradient", 0, 8), ("gradient", 1, 16))
    )
    entry = Entry("diffe_product", (Slot("primal", 0), Slot("primal", 1), Slot("results")), fields=fields, size=24)
    sig = signature("product", DOUBLE, ("x", DOUBLE), ("y", DOUBLE))
    text = PRODUCT.replace("@calls = external global i64\n", "")
    loaded = library(text, "diffe_product")
    code = Code(entry, loaded.address("diffe_product"), sig, loaded)
    mapped = Map(code, ArgumentBinder(sig), everything, wrt=(1, 0), inlined=Inlined(text))
    x, y = np.linspace(0, 1, 12).reshape(3, 4), np.arange(4.0)
    value, (dy, dx) = mapped(x, y)
    assert np.array_equal(value, x * y)
    assert np.array_equal(dx, np.broadcast_to(y, x.shape))
    assert np.array_equal(dy, x)


@pytest.mark.parametrize("linkage", ["", "internal "])
def test_statics_stay_the_programs_own(linkage):
    """The loop's inlined copy must count in the program's variable, not in one of its own."""
    text = (
        f"@calls = {linkage}global i64 0"
        + """
    define double @f(double %x) {
      %old = load i64, ptr @calls
      %new = add i64 %old, 1
      store i64 %new, ptr @calls
      ret double %x
    }
    define i64 @count() {
      %n = load i64, ptr @calls
      ret i64 %n
    }
    """
    )
    import ctypes

    sig = signature("f", DOUBLE, ("x", DOUBLE))
    loaded = library(text, "f", "count")
    code = Code(Entry("f", (Slot("primal", 0),), ResultField("value", "double")), loaded.address("f"), sig, loaded)
    Map(code, ArgumentBinder(sig), value_only, inlined=Inlined(text))(np.ones(7))
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded.address("count"))() == 7


def test_the_inlined_loop_is_vectorized():
    from enzyme_magic.backend.llvm import link, optimize
    from enzyme_magic.backend.runtime.native import map_loop

    sig = signature("relu3", DOUBLE, ("x", DOUBLE), ("k", INT))
    code = primal_code(TEXT, sig)
    outputs = map_loop.outputs_of(code)
    loop = map_loop.text_of(code, [DOUBLE, INT], outputs, [False, True])
    optimized = optimize.post_ad(link.borrow(link.link([TEXT, loop]), map_loop.OWN), 3)
    assert "x double> %" in optimized
    assert "call double @relu3" not in optimized


def test_exit_in_the_loop_is_an_execution_error():
    text = """
    declare void @exit(i32)
    define double @f(double %x) {
      %bad = fcmp olt double %x, 0.0
      br i1 %bad, label %leave, label %stay
    leave:
      call void @exit(i32 3)
      unreachable
    stay:
      ret double %x
    }
    """
    sig = signature("f", DOUBLE, ("x", DOUBLE))
    mapped = Map(primal_code(text, sig, may_exit=True), ArgumentBinder(sig), value_only, inlined=Inlined(text))
    assert mapped(np.ones(3)).tolist() == [1.0] * 3
    with pytest.raises(ExecutionError, match=r"exit\(3\)"):
        mapped(np.array([1.0, -1.0]))


def test_the_arena_reaches_the_loop():
    text = (
        native_code.text_of("arena")
        + """
    define double @diffe_f(ptr %arena, double %x) {
      %mark = call ptr @em.mark(ptr %arena)
      %block = call ptr @em.allocate(ptr %arena, i64 64)
      store volatile double %x, ptr %block
      %v = load volatile double, ptr %block
      call void @em.release(ptr %arena, ptr %mark)
      ret double %v
    }
    """
    )
    sig = signature("f", DOUBLE, ("x", DOUBLE))
    loaded = library(text, "diffe_f")
    entry = Entry("diffe_f", (Slot("arena"), Slot("primal", 0)), ResultField("gradient", "double", 0))
    code = Code(entry, loaded.address("diffe_f"), sig, loaded)
    mapped = Map(code, ArgumentBinder(sig), lambda value, gradients: gradients[0], wrt=(0,))
    x = np.arange(5.0)
    assert np.array_equal(mapped(x), x)


@pytest.mark.parametrize(
    ("sig", "problem"),
    [
        (signature("f", DOUBLE, ("x", IN)), "x is a const double *"),
        (signature("f", DOUBLE, ("a", DOUBLE), ("x", OUT)), "x is a double *"),
        (signature("f", VOID, ("a", DOUBLE)), "has no result"),
        (signature("f", DOUBLE), "has no parameters"),
    ],
)
def test_functions_that_cannot_be_mapped(sig, problem):
    result = None if sig.result == VOID else ResultField("value", "double")
    code = Code(Entry("f", tuple(Slot("primal", k) for k in range(len(sig.parameters))), result), 0, sig)
    with pytest.raises(ArgumentError) as caught:
        Map(code, ArgumentBinder(sig), value_only)
    assert caught.value.code == "EM318"
    assert problem in caught.value.message
