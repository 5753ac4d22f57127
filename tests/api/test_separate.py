"""Derivatives called from Python take the arrays that C writes for separate memory: what that saves, and where it is not so.

Right gradients are judged by the build that promises nothing (`separate=()`), and by hand.
"""

from __future__ import annotations

import pickle
import re
from dataclasses import replace

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.explain.tape.formulas import value_of
from enzyme_magic.backend.llvm import reachable
from enzyme_magic.backend.program.separable import own_shadows
from enzyme_magic.backend.runtime.calls.callable import Ways, gradient

SOURCE = """
double product(int n, const double *a, const double *b, double *c) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    c[i] = 0;
    for (int j = 0; j < n; j++) c[i] += a[i*n + j]*b[j];
  }
  for (int i = 0; i < n; i++) s += c[i]*c[i];
  return s;
}
void squares(double *out, const double *x, int n) {
  for (int i = 0; i < n; i++) out[i] = x[i]*x[i];
}
double scaled(double *out, const double *x, const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { out[i] = x[i]*w[i]; s += out[i]*x[i]*x[i]; }
  return s;
}
__attribute__((noinline)) static double cube(double x) { return x*x*x; }
double helped(double *out, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { out[i] = cube(x[i]); s += out[i]*x[i]*x[i]; }
  return s;
}
static double *held;
double kept(double *out, const double *x, int n) {
  held = out;
  double s = 0;
  for (int i = 0; i < n; i++) { out[i] = x[i]*x[i]; held[i] *= x[i]; s += out[i]*x[i]; }
  return s;
}
double total;
double added(double *out, int n) {
  for (int i = 0; i < n; i++) { total += out[i]*out[i]; out[i] = total; }
  double s = total;
  total = 0;
  return s;
}
double down(double *out, const double *x, int n) {
  if (n == 0) return 0;
  out[0] = x[0]*x[0];
  return out[0]*x[0] + down(out + 1, x + 1, n - 1);
}
double said(double *restrict out, const double *x, int n) { squares(out, x, n); return out[0]; }
struct pair { double x, y; };
struct pair sums(double *out, const double *x, int n) {
  struct pair p = {0, 0};
  for (int i = 0; i < n; i++) { out[i] = x[i]*x[i]; p.x += out[i]; p.y += x[i]; }
  return p;
}
"""
N = 4
X, W = np.array([1.5, -2.0, 0.5, 3.0]), np.array([0.5, 1.0, -1.5, 2.0])
A = np.arange(1.0, 1 + N * N)


@pytest.fixture(scope="module")
def program() -> em.Program:
    return em.compile_c(SOURCE)


CALLS = {
    "product": (N, A, X, np.zeros(N)),
    "scaled": (np.zeros(N), X, W, N),
    "helped": (np.zeros(N), X, N),
    "kept": (np.zeros(N), X, N),
    "added": (X, N),
}


def unpromised(function: em.CFunction, *arguments: object, **options: object) -> list[np.ndarray]:
    """The gradient of the build that promises nothing."""
    wanted = em.grad(function, **options)
    code = function.code_of(replace(wanted.request, separate=()))
    ways = Ways(wanted.choice.indices, function.roles.written, wanted.donate, {})
    return gradient(code, function.arguments(copied=not wanted.donate), ways, wanted.pack())(*arguments)


@pytest.mark.parametrize("name", CALLS)
def test_both_builds_give_the_same_gradient(program: em.Program, name: str) -> None:
    function, arguments = program[name], CALLS[name]
    assert function.grad.request.separate
    found, wanted = function.grad(*arguments), unpromised(function, *arguments)
    for one, other in zip(*((g if isinstance(g, tuple) else (g,)) for g in (found, wanted)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13)
    value, again = function.value_and_grad(*arguments)
    assert value == function(*(np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments))
    np.testing.assert_array_equal(np.ravel(again[0]), np.ravel(found[0]))


@pytest.mark.parametrize("name", ["product", "scaled", "helped"])
def test_nothing_is_stored_that_only_another_array_could_overwrite(program: em.Program, name: str) -> None:
    function, arguments = program[name], CALLS[name]
    without = function.program.explain(replace(function.request(), separate=()))
    stated = em.compile_c(
        SOURCE.replace("double *out", "double *restrict out").replace("double *c", "double *restrict c")
    )
    assert function.report.cache.total == stated[name].report.cache.total
    table = function.cache(at=arguments)
    measured, (own,) = table.measured, function.report.cache.separate
    assert f"{own}: memory of its own in each call from Python" in repr(table)
    assert measured.kept == value_of(function.report.cache.total, {"n": N}) < value_of(without.cache.total, {"n": N})
    assert not function.report.cache.hints


def test_products_and_jacobians(program: em.Program) -> None:
    value, pullback = program.squares.vjp(np.zeros(N), X, N)
    np.testing.assert_array_equal(value, X * X)
    np.testing.assert_array_equal(pullback(W), 2 * X * W)
    _, tangent = program.squares.jvp((np.zeros(N), X, N), (None, W, None))
    np.testing.assert_array_equal(tangent, 2 * X * W)
    np.testing.assert_array_equal(program.squares.jacobian(np.zeros(N), X, N), np.diag(2 * X))
    rows = np.stack([X, W])
    found = em.vmap(em.grad(program.scaled, wrt="x"), in_axes=(0, 0, None, None))(np.zeros((2, N)), rows, W, N)
    np.testing.assert_allclose(found, 3 * rows**2 * W, rtol=1e-13)


def test_what_is_only_read_may_be_the_same_array(program: em.Program) -> None:
    found = program.scaled.grad(np.zeros(N), X, X, N)
    np.testing.assert_allclose(found.x, 3 * X**3, rtol=1e-13)
    np.testing.assert_allclose(found.w, X**3, rtol=1e-13)


def test_shadows_are_memory_of_their_own(program: em.Program) -> None:
    """Whatever the arrays share: each gradient is added up in fresh memory. Static pointers may lead there; LLVM sees it."""
    text = program.product.ir("gradient-optimized")
    entry = next(line for line in text.split("\n") if line.startswith("define") and "@diffe_product(" in line)
    shadows = re.findall(r"ptr ([^,]*)%\w+_shadow", entry)
    assert len(shadows) == 3
    assert all("noalias" in shadow for shadow in shadows)


def test_shadows_behind_other_pointers_promise_nothing(program: em.Program) -> None:
    other = em.compile_c("""
    struct list { double x; struct list *next; };
    double rows(double **a, const double *x) { a[0][0] = x[0]; return a[0][0]*x[1]; }
    double nodes(struct list *l, double *x) { return l->next->x*x[0]; }
    """)
    assert own_shadows(program.product.c_signature)
    assert not own_shadows(other.rows.c_signature)
    assert not own_shadows(other.nodes.c_signature)


def test_donated_memory_is_not_taken_for_separate(program: em.Program) -> None:
    gradient = em.grad(program.scaled, wrt="x", donate=True)
    assert gradient.request.separate == ()
    np.testing.assert_allclose(gradient(np.zeros(N), X, W, N), 3 * X**2 * W, rtol=1e-13)


@pytest.mark.parametrize("name", ["down", "said", "sums"])
def test_where_nothing_is_promised(program: em.Program, name: str) -> None:
    assert program.compiled.primal(name).separable == ()


def test_a_recursive_function_is_right(program: em.Program) -> None:
    np.testing.assert_allclose(em.grad(program.down, wrt="x")(np.zeros(N), X, N), 3 * X**2, rtol=1e-13)


def test_programs_that_ask_for_gradients_themselves_promise_nothing() -> None:
    asking = """
void squares(double *out, const double *x, int n) { for (int i = 0; i < n; i++) out[i] = x[i]*x[i]; }
void __enzyme_autodiff(void *, ...);
void d_squares(double *o, double *d_o, const double *x, double *d_x, int n) {
  __enzyme_autodiff((void *)squares, o, d_o, x, d_x, n);
}"""
    program = em.compile_c(asking)
    assert program.compiled.primal("squares").separable == ()
    y, d_y = X.copy(), np.ones(N)
    program.d_squares(y, d_y, y, d_y, N)  # in place
    np.testing.assert_allclose(d_y, 2 * X, rtol=1e-13)


def test_where_optimization_would_make_another_callee_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fresh = em.compile_c(SOURCE, force=True)
    monkeypatch.setattr(reachable, "same_below", lambda *texts: False)
    assert fresh.compiled.told(fresh.squares.request()) is fresh.compiled
    assert fresh.squares.report.cache.total != "0"
    _, pullback = fresh.squares.vjp(np.zeros(N), X, N)
    np.testing.assert_array_equal(pullback(W), 2 * X * W)


def test_what_one_function_reaches_is_compared() -> None:
    text = "define i32 @g(i32 %x) #0 {\n  ret i32 %x, !dbg !1\n}\ndefine i32 @f() {\n  %r = call i32 @g(i32 1)\n  ret i32 %r\n}\n"
    assert reachable.same_below(text.replace("!1", "!7").replace("#0", "#2").replace("%r =", "%s ="), text, "f")
    assert not reachable.same_below(text.replace("ret i32 %x", "ret i32 poison"), text, "f")
    assert not reachable.same_below(text, text.replace("@g", "@h"), "f")


def test_it_is_made_once_kept_on_disk_and_in_pickles() -> None:
    first = em.compile_c(SOURCE, force=True)
    wanted = first.squares.jacobian(np.zeros(N), X, N)
    assert list(first.compiled._told) == [("squares", (0,))]
    first.squares.vjp(np.zeros(N), X, N)[1](W)
    assert list(first.compiled._told) == [("squares", (0,))]
    again = em.compile_c(SOURCE)
    request = first.scaled.grad.request
    assert not first.compiled.derivative(request).from_disk
    assert again.compiled.derivative(request).from_disk
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(again.squares)).jacobian(np.zeros(N), X, N), wanted)
