"""What does not fit is an error that says so: nothing is converted, shared, masked or ignored in silence."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import enzyme_magic as em

SOURCE = """
typedef struct { double x; int k; unsigned char c; _Bool b; float w[2]; } s;
typedef struct { s inner; double m[2][2]; } nest;
typedef union { double d; long l; } either;
double member(s a) { return a.x*a.x*(a.k + a.c); }
double nested(nest a) { return a.inner.x*a.m[0][1]*a.inner.k; }
double other(either e) { return e.d; }
double two(const double *x, const double *y, int n, double a) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a*x[i]*y[i]*y[i];
    return s;
}
double twice(double *x) { x[0] *= 2; return x[0]*x[0]; }
void squares(const double *x, int n, double *o) { for (int i = 0; i < n; i++) o[i] = x[i]*x[i]; }
float _Complex half(float _Complex z) { return z/2; }
long double wide(long double x) { return x; }
double k(double x) { return x*x*x; }
double uses_k(double x) { return k(x); }
"""
RULES = "double k(double x) { return x*x*x; } double f(double x) { return k(x); }"


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE)


def refused(call, code, *texts):
    with pytest.raises(em.EnzymeError) as caught:
        call()
    assert caught.value.code == code
    for text in texts:
        assert text in str(caught.value)


X, Y = np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 4.0])


def test_results_never_share_memory(p):
    one, long = np.full(3, 7.0), np.full(5, 7.0)
    for out in ((one, one), (long[:3], long[2:]), {"y": long[2:], "x": long[:3]}):
        refused(lambda out=out: em.grad(p.two, ("x", "y"), out=out)(X, Y, 3, 1.0), "EM312", "share memory")
        refused(
            lambda out=out: em.vjp(p.two, X, Y, 3, 1.0, wrt=("x", "y"))[1](1.0, out=out),
            "EM312",
            "out for x",
            "out for y",
        )
    assert np.all(one == 7)
    assert np.all(long == 7)
    g = em.grad(p.two, ("x", "y"), out=(long[:3].copy(), one))(X, Y, 3, 1.0)
    assert np.array_equal(g.x, Y * Y)
    assert g.y is one


def test_no_memory_for_a_number(p):
    cell = np.zeros(())
    refused(lambda: em.grad(p.two, "a", out=cell)(X, Y, 3, 1.0), "EM317", "gradient is no array")
    refused(lambda: em.grad(p.two, out={"a": cell})(X, Y, 3, 1.0), "EM317", "a")
    assert em.grad(p.two, out=(None, None, None))(X, Y, 3, 1.0).a == p.two(X, Y, 3, 1.0)
    refused(lambda: em.grad(p.two, "x", out=np.zeros(3))(None, Y, 0, 1.0), "EM317", "NULL")


@pytest.mark.parametrize(
    "call",
    [
        lambda p, x: p.two(x, Y, 3, 1.0),
        lambda p, x: p.two.grad(x, Y, 3, 1.0),
        lambda p, x: p.two(X, Y, 3, x[1]),
        lambda p, x: p.k.map(x),
        lambda p, x: p.k(x[1]),
        lambda p, x: em.grad(p.two, "x", out=x)(X, Y, 3, 1.0),
        lambda p, x: em.jvp(p.squares, (X, 3, Y.copy()), (x, None, None)),
        lambda p, x: p.squares.vjp(X, 3, Y.copy())[1](x),
        lambda p, x: p.nested(((1.0, 2, 3, 1, x[:2]), [[1, 2], [3, 4]])),
    ],
)
def test_masked_elements_are_refused(p, call):
    refused(lambda: call(p, np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])), "EM338", "masked")
    call(p, np.ma.array(X, copy=True))  # nothing is masked


def test_members_are_converted_as_parameters_are(p):
    good = (1.5, 2, 3, True, [0.5, 1])
    by_name = dict(zip(("x", "k", "c", "b", "w"), good, strict=True))
    assert p.member(good) == p.member(by_name) == p.member(np.array((1.5, 2, 3, True, [0.5, 1]), p_dtype(p)))
    assert p.member.grad(by_name)["x"] == 2 * 1.5 * 5
    assert p.nested.grad({"inner": by_name, "m": np.array([[1.0, 2], [3, 4]])})["inner"]["x"] == 4.0
    assert p.member.vjp(good)[1](1.0) == p.member.grad(good)
    bad = [
        ("x", "1", "number"),
        ("k", 2.9, "a.k is an int"),
        ("c", 256, "0 … 255"),
        ("b", 2, "0 … 1"),
        ("x", 1j, "complex"),
    ]
    bad += [
        ("w", [1.0], "2 elements"),
        ("w", 1.0, "2 elements"),
        ("w", [1.0, "2"], "a.w[1]"),
        ("w", [1.0, 1e300], "a.w[1]"),
    ]
    bad += [("k", np.timedelta64(3, "s"), "not a number")]
    for member, value, text in bad:
        refused(lambda m=member, v=value: p.member({**by_name, m: v}), "EM302", text)
        refused(lambda m=member, v=value: p.member.grad(tuple({**by_name, m: v}.values())), "EM302", text)
    refused(lambda: p.member({**by_name, "kk": 2}), "EM302", "did you mean k?")
    refused(lambda: p.member({"x": 1.0}), "EM302", "k, c, b, w are missing", "'x': …")
    refused(lambda: p.member(good[:2]), "EM302", "2 entries for 5 members", "(x, k, c, b, w)")
    refused(lambda: p.nested((good, [[1, 2, 3], [4, 5, 6]])), "EM302", "a.m[0]")


def p_dtype(p):
    layout = {"names": ["x", "k", "c", "b", "w"], "formats": ["f8", "i4", "u1", "?", ("f4", (2,))]}
    return np.dtype({**layout, "offsets": [0, 8, 12, 13, 16], "itemsize": 24})


def test_a_union_is_one_of_its_members(p):
    assert p.other({"d": 2.5}) == 2.5
    assert p.other({"l": 0}) == 0.0
    refused(lambda: p.other((2.5, 0)), "EM302", "share their bytes")
    refused(lambda: p.other({"d": 2.5, "l": 0}), "EM302", "2 members of a union")


def test_narrow_and_wide_numbers(p):
    assert p.half(2 + 4j) == 1 + 2j
    refused(lambda: p.half(complex(1e300, 0)), "EM302", "too large")
    third = np.longdouble(1) / 3
    assert p.wide(third) == third
    refused(lambda: p.k(np.timedelta64(3, "s")), "EM302", "not a number")
    refused(lambda: p.wide(np.datetime64(3, "s")), "EM302", "not a number")


def test_read_only_arrays_are_copied_by_derivatives(p):
    frozen = np.frombuffer(np.array([3.0]).tobytes())
    assert p.twice.grad(frozen) == [8 * 3.0]
    assert p.twice.vjp(frozen)[1]((1.0, None)) == [8 * 3.0]
    assert p.twice.jvp((frozen,), (np.ones(1),))[1].result == 8 * 3.0
    assert p.twice.jacobian(frozen).result == [8 * 3.0]
    assert p.twice.hessian(frozen) == [[8.0]]
    assert frozen == [3.0]
    refused(lambda: p.twice(frozen), "EM308")
    refused(lambda: em.grad(p.twice, donate=True)(frozen), "EM308")


OPTIONS = (
    "double f(const double *x, int n, double N_) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s*N_; }"
)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"activity": {"X": "const"}}, "did you mean x?"),
        ({"activity": {"nothing": "const"}}, "there are: x, n, N_"),
        ({"activity": {"x": "dup"}}, "activity of x cannot be 'dup'"),
        ({"activity": {"x": "Const"}}, "did you mean 'const'?"),
        ({"activity": {"x": None}}, "activity of x cannot be None"),
        ({"activity": 3}, "activity takes a mapping"),
        ({"shape": {"X": "n"}}, "did you mean x?"),
        ({"shape": {"x": "N"}}, "did you mean n?"),
        ({"shape": {"x": "N_"}}, "N_ is no integer parameter"),
        ({"shape": {"x": "sizeof(x)"}}, "cannot be read"),
        ({"shape": {"n": "x"}}, "n, which is no array"),
        ({"shape": {"x": 2.5}}, "shape of x cannot be 2.5"),
        ({"include": 3}, "include takes strings"),
        ({"define": None}, "define takes strings"),
        ({"strict": "no"}, "strict is True or False"),
    ],
)
def test_options_that_mean_nothing(options, text):
    refused(lambda: em.compile_c(OPTIONS, **options), "EM322", text)


def test_a_number_is_an_extent():
    f = em.compile_c(OPTIONS, shape={"x": 3}).f
    refused(lambda: f(np.ones(2), 2, 1.0), "EM309", "at least 3")


REGISTERED = """
double k(double x) { return x; }
double g(double x, double d) { return d; }
void *__enzyme_register_gradient_k[3] = {k, k, g};
void *__enzyme_inactivefn_k = k;
"""


@pytest.mark.parametrize(
    ("source", "rules"),
    [
        (RULES, [em.inactive("k"), em.custom_vjp("k", "double g(double x, double d) { return 3*x*x*d; }")]),
        (RULES, [em.custom_jvp("k", "double g(double x, double t) { return 3*x*x*t; }"), em.inactive("k")]),
        (REGISTERED, []),
        ('double k(double x); void *__enzyme_function_like_k[2] = {k, "exp"};' + RULES, [em.inactive("k")]),
    ],
)
def test_one_source_of_a_derivative(source, rules):
    refused(lambda: em.compile_c(source, custom=rules), "EM126", "contradict")


def test_a_rule_gives_real_numbers():
    given = [2.0]
    f = em.compile_c(RULES, custom=em.custom_vjp("k", lambda x, d: given[0])).f
    assert f.grad(2.0) == 2.0
    for given[0] in ("2.0", b"2", None, 1j, [[1.0]], np.ones(1), np.ma.masked, np.timedelta64(1)):
        refused(lambda: f.grad(2.0), "EM333")
    given[0] = 10**400
    refused(lambda: f.grad(2.0), "EM333", "no double holds")
    for given[0] in (2, np.float32(2), np.array(2.0), np.longdouble(2), Fraction(2)):
        assert f.grad(2.0) == 2.0


def test_augmented_may_be_text():
    rule = em.custom_vjp(
        "k",
        "double back(double x, double d, double t) { return 3*t*d; }",
        augmented="typedef struct { double tape, value; } TR; TR ahead(double x) { return (TR){x*x, x*x*x}; }",
    )
    assert em.compile_c(RULES, custom=rule).f.grad(0.5) == 0.75
    refused(lambda: em.custom_vjp("k", "g", augmented=lambda x: (x, x)), "EM333", "augmented")


class NoArray:
    def __array__(self, *_arguments, **_named):
        raise RuntimeError("no array today")


ROWS = [[1.0, 2.0], [3.0]]  # of different lengths


@pytest.mark.parametrize("value", [ROWS, NoArray()], ids=["rows", "no array"])
@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda p, v: p.fill.vjp(np.ones(2), 2, np.zeros(2))[1](v), "EM325"),
        (lambda p, v: em.jvp(p.fill, (np.ones(2), 2, np.zeros(2)), (v, None, None)), "EM325"),
        (lambda p, v: p.cube.map(v), "EM302"),
        (lambda p, v: p.cube.grad.map(v), "EM302"),
        (lambda p, v: em.vmap(p.cube, (0,))(v), "EM302"),
        (lambda p, v: em.vmap(lambda a: a)(v), "EM339"),
    ],
)
def test_what_numpy_makes_no_array_of(shapes, call, code, value):
    refused(lambda: call(shapes, value), code)


@pytest.mark.parametrize("value", [np.array(["x", "y"]), np.ones(2), [["x"]], {"x": 1}], ids=str)
@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda p, v: em.grad(p.cube, wrt=v), "EM315"),
        (lambda p, v: em.vjp(p.fill, np.ones(2), 2, np.zeros(2), outputs=v), "EM327"),
        (lambda p, v: em.vmap(p.fill, v if not isinstance(v, (list, dict)) else 0.5), "EM339"),
        (lambda p, v: em.vmap(p.fill, 0, v if not isinstance(v, (list, dict)) else 0.5), "EM339"),
        (lambda p, v: em.vjp(p.fill, np.ones(2), 2, np.zeros(2), unchecked=v), "EM322"),
        (lambda p, v: em.grad(p.cube, donate=v), "EM322"),
        (lambda p, v: em.jacobian(p.cube, unchecked=v), "EM322"),
        (lambda p, v: em.compile_c("double f(double x) { return x; }", opt=v), "EM310"),
        (lambda p, v: p[v], "EM320"),
    ],
)
def test_arrays_and_lists_are_no_names(shapes, call, code, value):
    refused(lambda: call(shapes, value), code)


@pytest.fixture(scope="module")
def shapes():
    return em.compile_c(
        "double cube(double x) { return x*x*x; }"
        "void fill(const double *x, int n, double *y) { for (int i = 0; i < n; i++) y[i] = x[i]*x[i]; }"
    )


def test_numbers_of_numpy_are_numbers(shapes):
    assert em.grad(shapes.cube, wrt=np.int64(0), donate=np.False_)(2.0) == 12
    assert em.vmap(shapes.fill, (np.int8(0), None, 0), np.uint8(1))(np.ones((2, 3)), 3, np.zeros((2, 3))).shape == (
        3,
        2,
    )
    assert em.compile_c("double f(double x) { return x*x; }", opt=np.int64(1)).f.grad(3.0) == 6
