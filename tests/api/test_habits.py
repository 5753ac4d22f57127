"""What users try: options from elsewhere, sizes left out, copies and pickles, names of C that mean something in Python."""

from __future__ import annotations

import copy
import inspect
import pickle
import traceback
from pathlib import Path

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.native_function import NativeFunction
from enzyme_magic.errors import ArgumentError

SOURCE = """
typedef struct { double m[2][2]; int k; float w; } mat;
double sq(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*x[i]; return s; }
double named(double self, double f) { return self*self*f; }
double trace(mat a, double b) { return a.m[0][0]*a.m[1][1]*b + a.w; }
double chain(double x, int n) { for (int i = 0; i < n; i++) x = sin(x)*x; return x; }
double two(double a, double b) { return a*a*b; }
double _Complex turned(double x) { return x; }
void add(int n, double *y) { for (int i = 0; i < n; i++) y[i] += 1; }
void aug(double *x, double *dx, double *y, double *dy, int n) { for (int i = 0; i < n; i++) y[i] = x[i]*x[i]; }
void back(double *x, double *dx, double *y, double *dy, int n) {
    for (int i = 0; i < n; i++) { dx[i] += 2*x[i]*dy[i]; dy[i] = 0; }
}
__attribute__((enzyme("augment", aug), enzyme("gradient", back))) void rule(double *x, double *y, int n);
void rule(double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]*x[i]; }
double ruled(double *x, int n) { double y[8], s = 0; rule(x, y, n); for (int i = 0; i < n; i++) s += y[i]; return s; }
"""


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE)


def refused(call, code, *texts):
    with pytest.raises(em.EnzymeError) as caught:
        call()
    assert caught.value.code == code
    for text in texts:
        assert text in str(caught.value)


@pytest.mark.parametrize("transform", ["grad", "value_and_grad", "jacobian", "jacfwd", "jacrev", "hessian"])
def test_options_from_elsewhere(p, transform):
    make = getattr(em, transform)
    refused(lambda: make(p.sq, argnums=0), "EM322", "use wrt=")
    refused(lambda: make(p.sq, wtr=0), "EM322", "did you mean wrt?")


def test_options_of_check_grads(p):
    refused(lambda: em.check_grads(p.sq, (np.ones(2), 2), modes=["rev"]), "EM322", "both modes")
    refused(lambda: em.check_grads(p.sq, (np.ones(2), 2), rtl=1), "EM322", "did you mean rtol?")


def test_a_value_that_an_option_does_not_take():
    for shape in ({"x": None}, {"x": 2.5}):
        refused(
            lambda shape=shape: em.compile_c("double f(double *x) { return x[0]; }", shape=shape),
            "EM322",
            "shape of x cannot be",
        )


def test_options_in_calls(p):
    refused(lambda: p.sq.grad(np.ones(2), 2, argnums=0), "EM301", "use wrt=")
    refused(lambda: em.vjp(p.sq, np.ones(2), 2, argnums=0), "EM301", "use wrt=")
    refused(lambda: p.sq.grad(np.ones(2), 2, wrt="x"), "EM301", "em.grad(sq, …)", "wrt=…")


def test_a_size_left_out(p):
    refused(lambda: p.sq.grad(np.ones(3)), "EM301", "write x[n] in C", "may be left out")
    refused(lambda: p.two.grad(1.0), "EM301", "pass b=…")


def test_names_that_python_uses(p):
    assert p.named(self=3.0, f=2.0) == 18.0
    assert p.named.grad(self=3.0, f=2.0) == p.named.grad(3.0, 2.0)
    assert em.grad(p.named, "self")(f=2.0, self=3.0) == 12.0
    assert em.vjp(p.named, self=3.0, f=2.0)[1](1.0)["f"] == 9.0
    assert p.named.jacobian(self=3.0, f=2.0)["self"] == 12.0
    assert np.array_equal(p.named.map(self=np.ones(2), f=3.0), [3.0, 3.0])


def test_hints_keep_what_c_writes(p):
    read_only = np.zeros(3)
    read_only.setflags(write=False)
    for given in (np.zeros(6)[::2], [1.0, 2.0, 3.0], np.zeros(3, np.float32), read_only):
        with pytest.raises(em.ArgumentError) as caught:
            p.add(3, given)
        assert "find in it what C has written" in caught.value.hint
    with pytest.raises(em.ArgumentError) as caught:
        p.add.vjp(3, np.zeros(6)[::2])  # (works on a copy)
    assert caught.value.hint == "np.ascontiguousarray(y)"
    refused(lambda: p.turned.map([1.0]), "EM318", "returns a double _Complex")


def test_copies_and_pickles_keep_options(p):
    options = {"caching": "store-all", "unchecked": True, "donate": True}
    for made in (em.grad(p.chain, "x", **options), em.value_and_grad(p.chain, "x", **options)):
        for other in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
            assert (other.wrt, other.value) == (made.wrt, made.value)
            assert {name: getattr(other, name) for name in options} == options
            assert other(0.3, 3) == made(0.3, 3)
    memory = np.zeros(3)
    held = em.grad(p.sq, "x", out=memory)
    assert copy.copy(held)(np.ones(3), 3) is memory
    jacobian = em.jacrev(p.chain, unchecked=True)
    assert copy.deepcopy(jacobian).options == pickle.loads(pickle.dumps(jacobian)).options == jacobian.options
    assert copy.deepcopy(p.chain) is p.chain
    assert copy.deepcopy(p).chain is p.chain


def test_value_and_grad_takes_what_grad_takes(p):
    value, gradient = em.value_and_grad(p.chain, caching="recompute-all")(0.3, 3)
    assert value == p.chain(0.3, 3)
    assert gradient == pytest.approx(p.chain.grad(0.3, 3), rel=1e-14)  # another plan may add in another order


def test_gradients_are_named_tuples(p):
    g = p.two.grad(2.0, 3.0)
    assert g._fields == ("a", "b")
    assert type(g)(*g) == g
    assert isinstance(pickle.loads(pickle.dumps(g)), em.Gradients)
    with pytest.raises(TypeError, match="1 gradients for 2"):
        type(g)(1.0)


def test_gradients_are_a_pytree(p):
    tree_util = pytest.importorskip("jax.tree_util")
    g = p.two.grad(2.0, 3.0)
    assert tree_util.tree_leaves(g) == [12.0, 4.0]
    doubled = tree_util.tree_map(lambda v: 2 * v, g)
    assert isinstance(doubled, em.Gradients)
    assert doubled.a == 24.0


def test_ravel_takes_structs(p):
    g = p.trace.grad(([[1, 2], [3, 4]], 5, 2.0), 10.0)
    assert np.array_equal(g.ravel(), [40, 0, 0, 10, 1, 4])


def test_check_grads_takes_one_tuple(p):
    refused(lambda: em.check_grads(p.ruled, np.array([1.0, 2.0]), np.ones(2)), "EM322", "tuple of all arguments")
    refused(lambda: em.check_grads(p.ruled, (np.ones(2), 2), 3), "EM322", "order=3")


def test_check_grads_takes_them_all(p):
    assert em.check_grads(p.trace, (([[1, 2], [3, 4]], 5, 2.0), 10.0)).points
    assert em.check_grads(p.ruled, (np.array([1.0, 2.0]), 2)).points


def test_what_is_shown(p):
    shown = [name for name in dir(em) if not name.startswith("__")]
    assert shown == sorted(em.__all__)
    own = {name for name in dir(p.sq) if not name.startswith("__")}
    assert {"grad", "map", "vjp", "report"} <= own
    assert not own & {"request_of", "code_of", "roles", "arguments", "choose_outputs"}
    assert not own & (vars(NativeFunction).keys() - {"name", "program"})  # the package's own
    assert all(hasattr(p.sq, name) for name in own - {"report", "map", "show"})


def test_a_value_with_its_gradient_takes_what_a_gradient_takes(p):
    one, both = (inspect.signature(function).parameters for function in (em.grad, em.value_and_grad))
    assert {name: (given.kind, given.default) for name, given in one.items()} == {
        name: (given.kind, given.default) for name, given in both.items()
    }
    value, gradient = em.value_and_grad(p.ruled, "x", donate=True, unchecked=True)(np.array([1.0, 2.0]), 2)
    assert np.array_equal(gradient, em.grad(p.ruled, "x", donate=True, unchecked=True)(np.array([1.0, 2.0]), 2))
    assert value == p.ruled(np.array([1.0, 2.0]), 2)


@pytest.mark.parametrize("function", [em.compile, em.compile_c, em.compile_ir])
def test_what_compiles_says_what_it_takes_and_raises(function):
    text = inspect.getdoc(function) or ""
    assert all(word in text for word in ("path", "list", "options" if function is not em.compile_c else "opt:", "rror"))


def test_mistakes_in_a_call_end_in_the_frame_of_the_call() -> None:
    p = em.compile_c("double sq(double x) { return x*x; } double sum(const double *x, int n) { return x[0]*n; }")
    for call in (
        lambda: p.sq("x"),
        lambda: p.sq.grad("x"),
        lambda: p.sum([1.0], 1),
        lambda: p.sum.value_and_grad([1.0], 1),
        lambda: p.sq.vjp("x"),
        lambda: em.jvp(p.sq, ("x",), (1.0,)),
        lambda: p.sq.vjp(1.0)[1]("x"),
        lambda: p.sq.jacobian("x"),
        lambda: p.sq.hessian("x"),
        lambda: em.hvp(p.sq, "x", 1.0),
        lambda: p.sq.map("x"),
        lambda: em.vmap(p.sum)(np.ones(3), 1),
        lambda: em.grad(p.sq, "y"),
        lambda: em.why_zero(p.sq, (1.0,), "y"),
        lambda: em.check_grads(p.sq, ("x",)),
        lambda: em.check_grads(p.sq, (1.0,), modes=["rev"]),
        lambda: p.sum.map,
        lambda: p.sum.cache(at=([1.0], 1)),
        lambda: p.smu,
        lambda: p["smu"],
        lambda: em.compile_c("double f(double x) { return x; }", opt=9),
        lambda: em.compile_c("double f(double x) { return x; }", shape={"x": None}),
        lambda: em.custom_vjp("k", 3),
        lambda: em.inactive(3),
    ):
        with pytest.raises(em.ArgumentError) as caught:
            call()
        frames = traceback.extract_tb(caught.value.__traceback__)
        inside = [frame.name for frame in frames if Path(em.__file__).parent in Path(frame.filename).parents]
        assert len(inside) == 1, inside
        assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_the_gradient_of_a_gradient_names_what_takes_it(p):
    """`em.hessian` of a gradient is refused: its own hint must not name it."""
    dot = em.compile_c(
        "double dot(int n, const double x[n]) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*x[i]; return s; }"
    ).dot
    with pytest.raises(em.DifferentiationError, match="no single number") as caught:
        em.hessian(em.grad(dot, "x"))(2, np.ones(2))
    assert "em.hessian" not in caught.value.hint
    assert "em.jacobian" in caught.value.hint
    assert np.array_equal(em.jacobian(em.grad(dot, "x"), "x")(2, np.ones(2)), 2 * np.eye(2))


CALLED = {  # what answers any argument by itself, as calls of C and names of parameters
    "grad", "hessian", "jacobian", "jvp", "map", "trace_nan", "value_and_grad", "vjp",
}  # fmt: skip


def test_no_public_function_lets_an_error_of_python_through(p):
    """One more argument by name, too many by position: errors of this package, whatever the function."""
    f = p.sq
    holders = [
        f,
        p,
        f.report,
        f.activity(),
        f.cache(),
        f.passes(),
        f.gradient_c(),
        f.ir(),
        f.grad,
        p.two.grad(1.0, 2.0),
    ]
    calls = [
        getattr(em, name) for name in em.__all__ if inspect.isfunction(getattr(em, name)) and "ipython" not in name
    ]
    calls += [getattr(em.workshop, name) for name in ("again", "check", "export", "gather", "progress", "question")]
    for holder in holders:
        for name, member in inspect.getmembers(type(holder), inspect.isfunction):
            if (
                name in dir(holder)
                and name[0] != "_"
                and name not in CALLED
                and member.__module__.startswith("enzyme_magic")
            ):
                calls.append(getattr(holder, name))
    assert len(calls) > 50
    for call in calls:
        kinds = [parameter.kind for parameter in inspect.signature(call).parameters.values()]
        if inspect.Parameter.VAR_KEYWORD not in kinds or call.__module__ == "enzyme_magic.api.transforms":
            with pytest.raises(em.EnzymeError):
                call(zzz=1)
        if inspect.Parameter.VAR_POSITIONAL not in kinds:
            with pytest.raises(em.EnzymeError):
                call(*(p.sq,) * 12)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda f, x: f.memory(x, 3), "one tuple: at=(…)"),
        (lambda f, x: f.activity(x, 3), "one tuple: at=(…)"),
        (lambda f, x: f.cache(att=(x, 3)), "did you mean at=?"),
        (lambda f, x: f.why("x", wtr="x"), "did you mean wrt=?"),
        (lambda f, x: em.hvp(f, (x, 3), x, argnums=0), "use wrt="),
        (lambda f, x: em.hvp(f, (x, 3)), "hvp(f, primals, vector, *, wrt=…, unchecked=…)"),
        (lambda f, x: f.export(3), "path: str | os.PathLike[str]"),
        (lambda f, x: f.cache(assume=3), "assume: Mapping[str, str | int] | None"),
        (lambda f, x: em.check_grads(f, (x, 3), rtol="1e-3"), "rtol: float"),
    ],
)
def test_what_fits_no_signature_says_what_to_write(p, call, hint):
    refused(lambda: call(p.sq, np.ones(3)), "EM322", hint)


def test_arguments_of_a_call_are_a_tuple_a_mapping_or_the_only_one(p):
    one = em.compile_c("double f(double x) { for (int i = 0; i < 9; i++) x = sin(x); return x; }").f
    for at in (0.5, (0.5,), [0.5], {"x": 0.5}):
        assert str(one.cache(at=at)) == str(one.cache(at=(0.5,)))
        assert one.activity(at=at)[0]
        assert one.memory(at).text


def test_errors_of_functions_of_the_users_stay_theirs():
    def fails(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        em.vmap(fails)(np.ones(2))


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda f: em.jacfwd(em.jacfwd(f)), "em.hessian(two), or em.jacfwd(em.grad(two))"),
        (lambda f: em.jacrev(em.jacobian(f)), "em.hessian(two), or em.jacrev(em.grad(two))"),
        (lambda f: em.hessian(em.jacfwd(f)), "em.hessian(two), or em.jacfwd(em.grad(two))"),
        (lambda f: em.grad(em.jacfwd(f)), "em.hessian(two)"),
        (lambda f: em.jvp(em.jacfwd(f), (1.0, 2.0), (1.0, 0.0)), "or em.jvp(em.grad(two))"),
        (lambda f: em.jacobian(em.hessian(f)), 'em.hessian(em.grad(two, "x"))'),
    ],
)
def test_a_derivative_of_a_jacobian_says_what_to_write(p, call, hint):
    refused(lambda: call(p.two), "EM301", hint)


def test_what_is_said_of_jacobians_is_right(p):
    assert np.array_equal(np.array(em.jacfwd(em.grad(p.two))(2.0, 3.0)), np.array(em.hessian(p.two)(2.0, 3.0)))
    assert em.hessian(em.grad(p.two, "a"), "a")(2.0, 3.0) == 0.0
    refused(lambda: em.jacfwd(em.jacfwd(p.add)), "EM301", "returns one number; add returns void")


def test_a_misspelt_method_has_the_nearest_name() -> None:
    f = em.compile_c("double f(double x) { return x*x; }").f
    with pytest.raises(AttributeError, match="no attribute 'gard'") as caught:
        f.gard(2.0)
    assert isinstance(caught.value, ArgumentError)
    assert (caught.value.code, caught.value.hint) == ("EM341", "did you mean .grad?")
    assert not hasattr(f, "zzz")
    assert getattr(f, "__array__", None) is None
    assert getattr(f, "_private", 3) == 3


def test_a_number_in_the_place_of_an_array_becomes_an_array_of_numbers() -> None:
    total = em.compile_c(
        "double total(const double *a, int n) { double s = 0; while (n--) s += a[n]; return s; }"
    ).total
    with pytest.raises(ArgumentError) as caught:
        total(3.0, 3)
    assert caught.value.hint == "np.array([a, …], dtype=np.float64)"
