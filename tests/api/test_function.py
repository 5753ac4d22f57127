"""CFunction, Program and the transforms, over a program made by hand."""

from __future__ import annotations

import inspect
import threading

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.program import NoSuchFunction
from enzyme_magic.errors import ArgumentError, DifferentiationError, ViewError

from .fake import program


@pytest.fixture(scope="module")
def p():
    return program()


def test_functions_are_attributes_and_items(p):
    assert p.cube is p["cube"]
    assert list(p) == ["cube", "product", "first", "grad", "driver"]
    assert "cube" in p
    assert len(p) == 5
    assert "cube" in dir(p)
    assert list(p.functions) == list(p)
    assert p.select(["cube"]) == {"cube": p.cube}
    assert list(p.select()) == list(p)
    assert repr(p) == "<Program In[3]: cube, product, first, grad, driver>"


def test_names_lost_to_methods(p):
    assert callable(p.select)
    assert p["grad"](3) == 3.0


@pytest.mark.parametrize("error", [AttributeError, ArgumentError, NoSuchFunction])
def test_no_such_function(p, error):
    with pytest.raises(error, match="did you mean cube"):
        p.cub  # noqa: B018


def test_no_such_item(p):
    with pytest.raises(KeyError, match="did you mean cube") as caught:
        p["cub"]
    assert caught.value.code == "EM320"
    assert not hasattr(p, "nothing")
    with pytest.raises(NoSuchFunction, match="hidden is static"):
        p["hidden"]
    with pytest.raises(NoSuchFunction):
        p.select(["cube", "nope"])


def test_diagnostics_notes_and_timings_are_data(p):
    assert p.diagnostics[0].message == "unused variable 'y'"
    assert p.notes == ("added #include <math.h>",)
    assert p.timings == {"front end": 30.0}


def test_calls(p):
    assert p.cube(2.0) == 8.0
    assert p.cube(x=2) == 8.0
    assert p.product(3.0, lambda_=2.0) == 6.0
    assert p.product(3.0, **{"lambda": 2.0}) == 6.0


def test_gradients(p):
    assert p.cube.grad(2.0) == 12.0
    assert p.cube.value_and_grad(2.0) == (8.0, 12.0)
    both = p.product.grad(3.0, 2.0)
    assert (both.x, both.lambda_) == (2.0, 3.0)
    assert both["lambda"] == 3.0
    assert em.grad(p.product, wrt="lambda")(3.0, 2.0) == 3.0
    one = em.grad(p.product, wrt=("lambda",))(3.0, 2.0)
    assert one == (3.0,)
    assert one.lambda_ == 3.0


def test_the_default_transforms_are_the_attributes(p):
    assert em.grad(p.cube) is p.cube.grad
    assert em.value_and_grad(p.cube) is p.cube.value_and_grad
    assert em.vmap(p.cube) is p.cube.map
    assert em.vmap(p.cube.grad) is p.cube.grad.map


def test_maps(p):
    xs = np.linspace(-2, 2, 9)
    assert np.array_equal(p.cube.map(xs), xs * xs * xs)
    assert np.array_equal(p.cube.grad.map(xs), xs * xs * 3)
    value, gradient = p.cube.value_and_grad.map(xs)
    assert np.array_equal(value, xs * xs * xs)
    assert np.array_equal(gradient, xs * xs * 3)
    parts = p.product.grad.map(xs, 2.0)
    assert np.array_equal(parts.lambda_, xs)
    assert parts.x.tolist() == [2.0] * 9
    with pytest.raises(ArgumentError, match=r"first\.map"):
        p.first.map(xs)


def test_a_gradient_of_arrays_copies_what_is_written(p):
    x, out = np.array([3.0, 4.0]), np.zeros(1)
    assert p.first.grad(x, out).tolist() == [6.0, 0.0]
    assert out[0] == 0.0
    p.first(x, out)
    assert out[0] == 9.0
    donated = em.grad(p.first, donate=True)
    donated(x, out)
    assert out[0] == 3.0
    memory = np.full(2, 7.0)
    assert em.grad(p.first, out=memory)(x, out) is memory
    assert memory.tolist() == [6.0, 0.0]
    assert em.grad(p.first, out={"x": memory})(x, out).tolist() == [6.0, 0.0]


def test_out_that_names_nothing(p):
    with pytest.raises(ArgumentError, match="out names 'out'"):
        em.grad(p.first, out={"out": np.zeros(1)})
    with pytest.raises(ArgumentError, match="2 arrays for 1 gradient"):
        em.grad(p.first, out=(np.zeros(1), np.zeros(1)))


def test_wrt_mistakes_come_at_once(p):
    with pytest.raises(ArgumentError, match="no parameter 'y'"):
        em.grad(p.cube, wrt="y")
    with pytest.raises(ArgumentError, match="size_t is no floating number"):
        em.grad(p.first, wrt="n")
    with pytest.raises(ArgumentError, match="holds before the call"):
        em.grad(p.first, wrt="out")
    with pytest.raises(DifferentiationError, match="no parameter to differentiate"):
        p["grad"].grad(3)


def test_what_is_no_c_function():
    with pytest.raises(ArgumentError, match="takes a C function, got function"):
        em.grad(lambda x: x)
    with pytest.raises(ArgumentError):
        em.vmap(3)


def test_pointers_to_pointers_are_refused_when_called(p):
    assert "driver" in repr(p.driver)
    with pytest.raises(ArgumentError, match=r"double \*\*rows"):
        p.driver(None)


def test_signatures(p):
    assert str(inspect.signature(p.first)) == (
        "(x: 'const double *', out: 'double *', *, n: 'size_t' = <from x>) -> 'double'"
    )
    assert list(inspect.signature(p.product).parameters) == ["x", "lambda_"]
    assert inspect.signature(p.cube.grad) == inspect.signature(p.cube)


def test_one_line_and_repr(p):
    assert str(p.first) == "first(const double x[n], size_t n, double out[1]) -> double | grad: x"
    assert str(p["grad"]) == "grad(int k) -> double | grad: none"
    assert str(p.product).endswith("| grad: x, lambda")
    assert repr(p.cube) == "<C function cube(double x) -> double from In[3]>"
    assert repr(p.cube.grad) == "<gradient of cube(double x) -> double from In[3]>"
    assert "with respect to lambda" in repr(em.grad(p.product, wrt="lambda"))
    assert p.cube.__name__ == "cube"
    assert "with respect to x, lambda" in p.product.grad.__doc__


def test_dtypes_and_address(p):
    import ctypes

    assert p.first.dtypes == {"x": np.dtype("f8"), "out": np.dtype("f8")}
    assert ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(p.cube.address)(3.0) == 27.0


def test_ir_stages(p):
    text = p.cube.ir("gradient")
    assert isinstance(text, str)
    assert text.startswith("; gradient")
    assert "define double @cube" in p.cube.ir("input")
    assert "diffe_cube" in p.cube.ir("gradient-optimized")
    with pytest.raises(ArgumentError, match="no stage 'gradients'"):
        p.cube.ir("gradients")


def test_views_are_asked_for_through_the_hook(p, monkeypatch):
    from enzyme_magic.api import views_hook

    monkeypatch.setattr(views_hook, "_provider", None)
    with pytest.raises(ViewError) as caught:
        views_hook.views()
    assert caught.value.code == "EM501"


def test_options_shape_and_activity():
    from enzyme_magic.api.program import Program
    from enzyme_magic.config import Options

    from .fake import FakeCompiled

    marked = Program(FakeCompiled(), (), Options(activity=(("lambda", "const"),), shape=(("x", "2*n"),)), "In[4]")
    assert str(marked.product).endswith("| grad: x")
    with pytest.raises(ArgumentError, match="marked const"):
        em.grad(marked.product, wrt="lambda")
    with pytest.raises(ArgumentError, match=r"x needs at least 2\*n = 6 elements, got 4"):
        marked.first(np.zeros(4), 3, np.zeros(1))


def test_objects_keep_their_code_alive():
    import gc

    gradient = program().cube.grad
    gc.collect()
    assert gradient(2.0) == 12.0
    function = program().cube
    mapped = program().cube.grad.map
    gc.collect()
    assert function(2.0) == 8.0
    assert mapped(np.array([2.0])).tolist() == [12.0]


def test_first_calls_from_several_threads():
    gradient = program().cube.grad
    results: list[float] = []
    threads = [threading.Thread(target=lambda: results.append(gradient(2.0))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [12.0] * 8


def test_equal_gradients_share_what_calls_them() -> None:
    function = em.compile_c("double f(double x, double y) { return x*x*y; }")["f"]
    first, second = em.grad(function, wrt="x"), em.grad(function, wrt="x")
    assert first(2.0, 3.0) == second(2.0, 3.0) == 12.0
    assert first._call is second._call
    assert em.grad(function, wrt=("x",))(2.0, 3.0) == (12.0,), "a tuple is not a bare value"
    assert em.value_and_grad(function, wrt="x")(2.0, 3.0) == (12.0, 12.0)
    assert em.grad(function, wrt="y")(2.0, 3.0) == 4.0
