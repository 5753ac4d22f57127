"""Derivatives of functions whose parameters or result are structs or complex numbers, and of arrays of structs."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError

SOURCE = """
typedef struct { double x, y; int k; } P;
typedef struct { float w[3]; long n; P inner; } Big;
typedef struct { float a, b; } Small;
typedef union { double d; long bits; } U;
typedef struct { int tag; U u; } Tagged;
typedef double _Complex complex_t;
typedef float _Complex complex_f;

double norm(P p) { return p.x*p.x + 3*p.y*p.y*p.k; }
P rotate(P p, double t) {
    P r = {p.x*cos(t) - p.y*sin(t), p.x*sin(t) + p.y*cos(t), p.k + 1};
    return r;
}
double large(Big b, double s) { return s*b.w[0]*b.w[2] + b.inner.x*b.inner.y*b.n; }
Big enlarge(Big b, float by) { for (int i = 0; i < 3; i++) b.w[i] *= by; b.inner.x += by; b.n++; return b; }
float small(Small s) { return s.a*s.b; }
Small swap(Small s) { Small r = {2*s.b, 3*s.a}; return r; }
double total(P p, const double *x, int n, double *out) {
    double s = 0;
    for (int i = 0; i < n; i++) { out[i] = x[i]*p.y; s += p.x*x[i]*x[i]*p.k; }
    return s;
}
double along(const P *p, int n) { double s = 0; for (int i = 0; i < n; i++) s += p[i].x*p[i].y*p[i].k; return s; }
void move(P *p, int n, double by) { for (int i = 0; i < n; i++) { p[i].x += by*p[i].y; p[i].k++; } }
P pick(const P *p, int i) { return p[i]; }
double modulus2(complex_t z) { return __real__ z * __real__ z + __imag__ z * __imag__ z; }
complex_t turned(complex_t z, double s) { return s*z + 1.0i*s; }
float modulus2f(complex_f z) { return __real__ z * __real__ z - 2*__imag__ z * __imag__ z; }
double weighed(const complex_t *z, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += __real__ z[i] * __imag__ z[i];
    return s;
}
complex_t squared(complex_t z) { return z*z; }
complex_t quotient(complex_t z, complex_t w) { return z/w; }
complex_f squared_f(complex_f z) { return z*z; }
double of_union(U u) { return u.d*u.d; }
double of_tagged(const Tagged *t) { return t->u.d; }
long double wide(Small s, long double x) { return x*x*s.a; }
double stops(P p) { if (p.k < 0) exit(4); return p.x; }
"""


@pytest.fixture(scope="module", params=[0, 1, 2, 3])
def p(request):
    return em.compile_c(SOURCE, opt=request.param, name="In[4]")


def fields(scalar):
    return {name: scalar[name].tolist() for name in scalar.dtype.names}


def test_the_gradient_of_a_struct_is_a_struct(p):
    gradient = p.norm.grad((2.0, 5.0, 7))
    assert fields(gradient) == {"x": 4.0, "y": 210.0, "k": 0}
    assert isinstance(gradient, np.void)
    value, again = p.norm.value_and_grad((2.0, 5.0, 7))
    assert value == 529.0
    assert again == gradient
    assert fields(p.small.grad((2.0, 3.0))) == {"a": 3.0, "b": 2.0}


def test_structs_in_memory_and_with_arrays(p):
    b = ((1.0, 2.0, 3.0), 4, (5.0, 6.0, 7))
    gradient = p.large.grad(b, 2.0)
    assert gradient.s == 3.0
    assert gradient.b["w"].tolist() == [6.0, 0.0, 2.0]
    assert gradient.b["n"] == 0
    assert fields(gradient.b["inner"]) == {"x": 24.0, "y": 20.0, "k": 0}
    assert em.grad(p.large, wrt="s")(b, 2.0) == 3.0


def test_struct_results(p):
    point, t = (1.0, 2.0, 3), 0.5
    value, pullback = p.rotate.vjp(point, t)
    c, s = np.cos(t), np.sin(t)
    assert np.isclose(value["x"], c - 2 * s)
    assert value["k"] == 4
    gradient = pullback((1.0, 0.0, 0))
    assert np.allclose([gradient.p["x"], gradient.p["y"]], [c, -s])
    assert gradient.p["k"] == 0
    assert np.isclose(gradient.t, -s - 2 * c)
    assert np.isclose(pullback((0.0, 1.0, 99)).t, c - 2 * s)
    value, tangent = p.rotate.jvp((point, t), ((1.0, 0.0, 5), 2.0))
    assert np.allclose([tangent["x"], tangent["y"]], [c + 2 * (-s - 2 * c), s + 2 * (c - 2 * s)])
    assert tangent["k"] == 0
    columns = p.rotate.jacobian
    assert np.isclose(em.jacobian(p.rotate, wrt="t")(point, t)["x"], -s - 2 * c)
    with pytest.raises(ArgumentError, match="no plain floating type"):
        columns(point, t)
    value, pullback = p.swap.vjp((1.0, 2.0))
    assert fields(value) == {"a": 4.0, "b": 3.0}
    assert fields(pullback((1.0, 10.0))) == {"a": 30.0, "b": 2.0}


def test_large_struct_results(p):
    b = ((1.0, 2.0, 3.0), 4, (5.0, 6.0, 7))
    value, pullback = p.enlarge.vjp(b, 2.0)
    assert value["w"].tolist() == [2.0, 4.0, 6.0]
    assert value["n"] == 5
    gradient = pullback(((1.0, 10.0, 100.0), 0, (1000.0, 7.0, 0)))
    assert gradient.b["w"].tolist() == [2.0, 20.0, 200.0]
    assert fields(gradient.b["inner"]) == {"x": 1000.0, "y": 7.0, "k": 0}
    assert gradient.b["n"] == 0
    assert gradient.by == 1.0 + 20.0 + 300.0 + 1000.0


def test_structs_beside_arrays(p):
    x, out = np.array([1.0, 2.0, 3.0]), np.full(3, 9.0)
    gradient = em.grad(p.total, wrt=("p", "x"))((2.0, 5.0, 7), x, 3, out)
    assert fields(gradient.p) == {"x": 98.0, "y": 0.0, "k": 0}
    assert np.allclose(gradient.x, 28 * x)
    assert out.tolist() == [9.0] * 3
    assert str(p.total).endswith("| grad: p, x")
    value, pullback = p.total.vjp((2.0, 5.0, 7), x, 3, out)
    assert np.array_equal(value.out, 5 * x)
    w = np.array([1.0, -1.0, 2.0])
    assert np.isclose(pullback((0.0, w)).p["y"], w @ x)
    assert np.allclose(pullback((1.0, w)).x, 28 * x + 5 * w)
    _, tangent = p.total.jvp(((2.0, 5.0, 7), x, 3, out), ((1.0, 10.0, 0), w, None, None))
    assert np.allclose(tangent.out, 5 * w + 10 * x)
    assert np.isclose(tangent.result, 98.0 + 28 * x @ w)
    with pytest.raises(ArgumentError, match="share memory"):
        p.total.grad((2.0, 5.0, 7), x, 3, x)


def test_arrays_of_structs(p):
    points = np.zeros(3, p.along.dtypes["p"])
    points["x"], points["y"], points["k"] = [1, 2, 3], [4, 5, 6], [1, 2, 3]
    gradient = p.along.grad(points, 3)
    assert gradient.dtype == points.dtype
    assert gradient["x"].tolist() == [4.0, 10.0, 18.0]
    assert gradient["y"].tolist() == [1.0, 4.0, 9.0]
    assert gradient["k"].tolist() == [0, 0, 0]
    value, pullback = p.move.vjp(points, 3, 10.0)
    assert value["x"].tolist() == [41.0, 52.0, 63.0]
    assert value["k"].tolist() == [2, 3, 4]
    seed = np.zeros(3, points.dtype)
    seed["x"], seed["k"] = [1.0, 0.0, 2.0], 5
    gradient = pullback(seed)
    assert gradient.p["x"].tolist() == [1.0, 0.0, 2.0]
    assert gradient.p["y"].tolist() == [10.0, 0.0, 20.0]
    assert gradient.p["k"].tolist() == [0, 0, 0]
    assert gradient.by == 4.0 + 12.0
    _, tangent = p.move.jvp((points, 3, 10.0), (seed, None, 1.0))
    assert tangent["x"].tolist() == [5.0, 5.0, 8.0]
    assert tangent["k"].tolist() == [0, 0, 0]
    with pytest.raises(ArgumentError, match="cotangent of p has dtype float64"):
        p.move.vjp(points, 3, 1.0)[1](np.ones(3))


def test_the_dtype_of_a_struct_is_that_of_its_gradient():
    p = em.compile_c(
        "typedef struct { double a; int k; float b[2]; } S; double by_value(S s) { return s.a*s.a*s.b[1]; }"
        "double by_pointer(const S *s, int n) { return s[n - 1].a; }"
    )
    one = np.zeros((), p.by_value.dtypes["s"])
    one["a"], one["b"] = 3.0, [0.0, 2.0]
    gradient = p.by_value.grad(one[()])
    assert gradient.dtype == one.dtype == p.by_pointer.dtypes["s"]
    assert gradient["a"] == 12.0
    assert gradient["b"].tolist() == [0.0, 9.0]


def test_a_struct_copied_from_an_array(p):
    points = np.zeros(3, p.along.dtypes["p"])
    _, pullback = p.pick.vjp(points, 1)
    picked = pullback((1.0, 2.0, 3))
    assert picked["x"].tolist() == [0.0, 1.0, 0.0]
    assert picked["y"].tolist() == [0.0, 2.0, 0.0]
    assert picked["k"].tolist() == [0, 0, 0]


def test_complex_numbers(p):
    """The gradient of a real result is d/dRe + i d/dIm."""
    assert p.modulus2.grad(3 + 4j) == 6 + 8j
    gradient = p.modulus2f.grad(1 + 2j)
    assert gradient == 2 - 8j
    assert type(gradient) is np.complex64
    value, pullback = p.turned.vjp(1 + 2j, 3.0)
    assert value == 3 + 9j
    assert pullback(1.0).asdict() == {"z": 3.0 + 0j, "s": 1.0}
    assert pullback(1j).asdict() == {"z": 3j, "s": 3.0}
    assert p.turned.jvp((1 + 2j, 3.0), (1j, None)) == (3 + 9j, 3j)
    assert p.turned.jvp((1 + 2j, 3.0), (None, 1.0)) == (3 + 9j, 1 + 3j)
    z = np.array([1 + 2j, 3 - 1j])
    assert p.weighed.grad(z, 2).tolist() == [2 + 1j, -1 + 3j]
    assert p.weighed.jacobian(z, 2).tolist() == [2 + 1j, -1 + 3j]


def test_complex_multiplication_and_division(p):
    """The gradient of c·f is conj(f')·c: c weighs the real part with its real part, the imaginary part with its imaginary one."""
    z, w, c = 1 + 2j, 3 - 1j, 0.5 - 2j
    value, pullback = p.squared.vjp(z)
    assert value == z * z
    assert np.isclose(pullback(c), np.conj(2 * z) * c)
    assert np.isclose(p.squared.jvp(z, c)[1], 2 * z * c)
    gradient = p.quotient.vjp(z, w)[1](c)
    assert np.isclose(gradient.z, np.conj(1 / w) * c)
    assert np.isclose(gradient.w, np.conj(-z / w**2) * c)
    assert np.isclose(p.quotient.jvp((z, w), (None, c))[1], -z / w**2 * c)
    assert np.isclose(p.squared_f.vjp(z)[1](c), np.conj(2 * z) * c)
    assert em.check_grads(p.quotient, (z, w)).worst < 1e-8


def test_long_double_beside_a_struct(p):
    third = np.longdouble(1) / 3
    gradient = p.wide.grad((2.0, 0.0), third)
    assert gradient.x == 4 * third
    assert type(gradient.x) is np.longdouble
    assert np.isclose(gradient.s["a"], float(third * third))


def test_floating_unions_are_refused(p):
    with pytest.raises(ArgumentError, match="union with floating numbers"):
        em.grad(p.of_union, wrt="u")
    with pytest.raises(ArgumentError, match="union with floating numbers"):
        em.grad(p.of_tagged, wrt="t")


def test_leaving_raises(p):
    assert fields(p.stops.grad((1.0, 2.0, 3))) == {"x": 1.0, "y": 0.0, "k": 0}
    with pytest.raises(em.ExecutionError, match=r"exit\(4\)"):
        p.stops.grad((1.0, 2.0, -3))
    assert p.stops((1.0, 2.0, 3)) == 1.0


def test_map_refuses_structs(p):
    with pytest.raises(ArgumentError, match="map applies functions of plain numbers"):
        p.norm.grad.map(np.zeros(3))


def test_a_mapping_for_a_pointer_to_a_struct_has_a_hint_that_works():
    f = em.compile_c("typedef struct { double x; int k; } item; double f(const item *a) { return a->x*a->k; }").f
    a = {"k": 3, "x": 2.0}
    with pytest.raises(em.ArgumentError) as caught:
        f(a)
    assert f(eval(caught.value.hint, {"np": np, "f": f, "a": a})) == 6.0
