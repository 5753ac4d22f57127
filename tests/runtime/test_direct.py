"""Calls without ctypes give what the general callables give: values, types, errors, and what is left untouched.

`GradientFunction.__call__` and `CFunction.__call__` are the general way; what is called often goes the direct one.
"""

from __future__ import annotations

import ctypes
import gc
import itertools
import threading
import weakref

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.derivatives.gradient_function import GradientFunction
from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.llvm.bounded import Effort, effort
from enzyme_magic.backend.runtime.calls import direct
from enzyme_magic.backend.runtime.native import constants

SOURCE = r"""
#include <stdlib.h>
#include <math.h>
#include <stdio.h>
double cube(double x) { return x > 0 ? pow(x, 3) : 0; }
double two(double x, double y) { return sin(x)*exp(y); }
float narrow(float x, int k) { return x*x*k; }
unsigned char small(unsigned char a, _Bool b, long c) { return (unsigned char)(a + b + c); }
unsigned long long wide(unsigned long long a) { return a; }
void nothing(int k) { (void)k; }
double dot(size_t n, const double x[n], const double y[n]) {
    double s = 0;
    for (size_t i = 0; i < n; i++) s += x[i]*y[i];
    return s;
}
double table(int n, int m, const double A[n][m], const float v[m]) {
    double s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += A[i][j]*v[j]*A[i][j];
    return s;
}
double flat(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*x[i]*x[i]; return s; }
double odd(int n, const double x[2*n + 1]) { return x[2*n]*x[0]; }
double steps(double a, int n, double y[n]) {
    for (int i = 1; i < n; i++) y[i] = sin(y[i - 1]*a);
    return y[n - 1];
}
void fill(int n, double y[n], double a) { for (int i = 0; i < n; i++) y[i] = a*i; }
double leaves(double x) { if (x < 0) exit(3); return x*x; }
int divided(int a, int b) { return a/b; }
double said(double x) { printf("%g\n", x); return x; }
static int counter;
int counted(int k) { return counter += k; }
double kept(double x, int n) { double y = x; for (int i = 0; i < n; i++) y = sin(y)*y; return y; }
double spin(double x) { volatile double y = x; for (long i = 0; i < 4000000000L; i++) y += 1e-9; return y; }
"""


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE, name="direct")


def often(function, *args):
    """The function after so many calls that it is called directly, where it can be."""
    for _ in range(direct.CALLS + 1):
        function(*args)
    return function


def general(function):
    kind = GradientFunction if isinstance(function, GradientFunction) else CFunction
    return lambda *args, **named: kind.__call__(function, *args, **named)


def is_direct(function):
    return type(function) not in (GradientFunction, CFunction)


def outcome(call, args):
    """What a call gives, with types and bits, or its error; and the arguments afterwards."""
    args = [
        arg.copy() if type(arg) is np.ndarray and arg.flags.c_contiguous and arg.flags.writeable else arg
        for arg in args
    ]
    try:
        given = call(*args)
    except em.errors.EnzymeError as error:
        given = (type(error), error.code, str(error))
    return described(given), [described(arg) for arg in args]


def described(value):
    if isinstance(value, tuple):
        return type(value), [described(part) for part in value]
    if isinstance(value, np.ndarray):
        kind = value.flags.c_contiguous, value.flags.writeable
        return (
            type(value),
            value.dtype,
            value.shape,
            kind,
            value.tolist() if value.dtype.kind == "O" else value.tobytes(),
        )
    return type(value), np.float64(value).tobytes() if isinstance(value, float) else repr(value)


INF, NAN = float("inf"), float("nan")
NUMBERS = [
    *(2.0, -0.0, 1.5, INF, NAN, 1e300, 1e-320, 2, True, 2**53, 2**53 + 1, 2**24 + 1, -(2**70), np.float64(2.5)),
    *(np.float32(0.1), np.int64(3), np.longdouble(1) / 3, np.array(2.0), np.array([2.0]), 1 + 0j, "2", None, [1.0]),
]
INTEGERS = [0, 1, 2, 255, 256, -1, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 2**64, True, 2.0, 2.5, NAN, np.int32(2), None]
_X = np.arange(1.0, 7.0)
_LOCKED = _X.copy()
_LOCKED.flags.writeable = False
ARRAYS = [
    *(
        _X,
        _X[:3],
        _X[::2],
        _X[::-1],
        _X.astype(np.float32),
        _X.astype(">f8"),
        _X.astype(int),
        _LOCKED,
        _X.reshape(2, 3),
    ),
    *(
        _X.reshape(3, 2),
        _X.reshape(2, 3).T,
        np.float64(3.0),
        np.array(2.0),
        np.empty(0),
        np.ma.masked_array(_X),
        list(_X),
    ),
    *(
        memoryview(_X),
        None,
        np.frombuffer(b"\0" * 25, np.uint8)[1:].view(float),
        _X.view(type("Sub", (np.ndarray,), {})),
    ),
]
TABLES = [
    _X.reshape(2, 3),
    _X.reshape(3, 2),
    np.asfortranarray(_X.reshape(2, 3)),
    _X,
    _X.reshape(1, 2, 3),
    np.empty((0, 3)),
]
NARROW = [np.ones(3, np.float32), np.ones(2, np.float32), np.ones(6, np.float32), np.ones(3), np.empty(0, np.float32)]


def first(p, name):
    """A call that warms a function up."""
    return {
        "cube": (2.0,), "two": (1.0, 2.0), "narrow": (2.0, 3), "small": (1, 1, 1), "wide": (1,), "nothing": (1,),
        "dot": (_X, _X), "table": (TABLES[0], NARROW[0]), "flat": (_X, 6), "odd": (2, _X), "divided": (4, 2),
        "kept": (0.5, 3), "fill": (_X.copy(), 1.0),
    }[name]  # fmt: skip


CASES = {
    "cube": [(x,) for x in NUMBERS],
    "two": list(itertools.product(NUMBERS, [1.0, 2, None])),
    "narrow": list(itertools.product(NUMBERS, [3])) + [(2.0, k) for k in INTEGERS],
    "small": [(a, True, 1) for a in INTEGERS] + [(1, b, 1) for b in INTEGERS] + [(1, 1, c) for c in INTEGERS],
    "wide": [(a,) for a in INTEGERS],
    "nothing": [(1,), (2.5,)],
    "dot": [(a, b) for a in ARRAYS for b in ARRAYS[:4]] + [(n, _X, _X) for n in INTEGERS] + [(_X,), (_X, _X, 1, 2)],
    "table": [(a, v) for a in TABLES for v in NARROW]
    + [(n, m, TABLES[0], NARROW[0]) for n in (0, 1, 2, 3) for m in (0, 2, 3, 4)],
    "flat": [(a, n) for a in ARRAYS for n in (0, 2, 6, 7, -1)],
    "odd": [(n, _X) for n in (-1, 0, 2, 3, 2**31 - 1)] + [(2, a) for a in ARRAYS],
    "divided": [(7, 2), (7, 0), (-(2**31), -1)],
    "kept": [(0.5, n) for n in (0, 1, 40)],
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_function_called_directly_is_the_function(p, name):
    function = often(p[name], *first(p, name))
    assert is_direct(function)
    for args in CASES[name]:
        assert outcome(function, args) == outcome(general(function), args), args


@pytest.mark.parametrize("value", [False, True])
@pytest.mark.parametrize("name", ["cube", "two", "narrow", "dot", "table", "flat", "odd", "kept"])
def test_a_gradient_called_directly_is_the_gradient(p, name, value):
    function = often(em.value_and_grad(p[name]) if value else em.grad(p[name]), *first(p, name))
    assert is_direct(function)
    assert isinstance(function, GradientFunction)
    for args in CASES[name]:
        assert outcome(function, args) == outcome(general(function), args), args


def test_arrays_that_are_made_are_as_ever(p):
    function = often(em.grad(p.dot), _X, _X)
    made, ever = function(_X, _X), general(function)(_X, _X)
    for one, other in zip(made, ever, strict=True):
        assert one.ctypes.data % 64 == 0
        assert type(one.base) is type(other.base) is np.ndarray
        assert one.flags.owndata == other.flags.owndata
        assert one.flags.writeable
        one.flags.writeable = False
        one.flags.writeable = True
    kept = made.x
    del made, one
    gc.collect()
    assert kept.tolist() == _X.tolist()


def test_given_memory(p):
    x, y, out = _X, _X + 1, (np.full(6, 7.0), np.full(6, 7.0))
    function = often(em.grad(p.dot, out=out), x, y)
    assert is_direct(function)
    given = function(x, y)
    assert given.x is out[0]
    assert given.y is out[1]
    assert given.x.tolist() == y.tolist()
    assert given.y.tolist() == x.tolist()
    for args in [(out[0], y), (x, out[1][:6]), (x[:3], y[:3]), (x.reshape(2, 3), y.reshape(2, 3)), (x, None)]:
        directly, ever = (
            outcome(lambda call=call, args=args: call(*args), ()) for call in (function, general(function))
        )
        assert directly == ever
    out[1].flags.writeable = False
    with pytest.raises(em.errors.ArgumentError, match="out for y must be a writable"):
        function(x, y)


def test_given_memory_that_overlaps(p):
    both = np.zeros(9)
    function = em.grad(p.dot, out=(both[:6], both[3:]))
    for _ in range(direct.CALLS + 2):
        with pytest.raises(em.errors.ArgumentError, match="share memory"):
            function(_X, _X)
    aside = np.zeros(12)
    function = often(em.grad(p.dot, out=(aside[:6], aside[6:])), _X, _X)
    assert is_direct(function)
    with pytest.raises(em.errors.ArgumentError, match="share memory"):
        function(aside[3:9], _X)
    with pytest.raises(em.errors.ArgumentError, match="share memory"):
        function(_X, aside[6:])


def test_names_and_counts(p):
    for function, args in [(often(p.dot, _X, _X), (_X, _X)), (often(em.grad(p.two), 1.0, 2.0), (1.0, 2.0))]:
        assert is_direct(function)
        names = ("x", "y")
        named = dict(zip(names, args, strict=True))
        assert described(function(**named)) == described(function(*args))
        assert described(function(args[0], y=args[1])) == described(function(*args))
        for wrong, names_too in [(args[:1], {}), (args, {"z": 1}), (args, {"x": args[0]})]:
            with pytest.raises(em.errors.ArgumentError):
                function(*wrong, **names_too)


def test_a_function_writes_its_arrays(p):
    y = np.zeros(6)
    often(p.fill, y, 2.0)
    assert is_direct(p.fill)
    assert p.fill(y, 3.0) is None
    assert y.tolist() == [0, 3, 6, 9, 12, 15]
    with pytest.raises(em.errors.ArgumentError) as caught:
        p.fill(_LOCKED, 3.0)
    assert caught.value.code == "EM308"


def test_what_is_more_than_a_guarded_call_stays_general(p, capfd):
    for function, args in [(p.said, (1.0,)), (p.counted, (1,)), (em.grad(p.steps), (0.5, np.ones(4)))]:
        often(function, *args)
        assert not is_direct(function)
    assert p.counted(0) == direct.CALLS + 1
    capfd.readouterr()


def test_calls_that_are_left(p):
    leaves, gradient, divided = often(p.leaves, 1.0), often(em.grad(p.leaves), 1.0), often(p.divided, 4, 2)
    assert all(map(is_direct, (leaves, gradient, divided)))
    for call in (lambda: leaves(-1.0), lambda: gradient(-1.0)):
        with pytest.raises(em.errors.ExecutionError, match=r"exit\(3\)"):
            call()
    with pytest.raises(em.errors.ExecutionError) as caught:
        divided(1, 0)
    assert caught.value.code == "EM408"
    assert leaves(3.0) == 9.0
    assert gradient(3.0) == 6.0
    assert divided(9, 3) == 3


def test_limits_of_time_hold(p):
    cube, gradient = often(p.cube, 1.0), often(em.grad(p.kept), 0.5, 3)
    assert is_direct(cube)
    assert is_direct(gradient)
    with em.time_limit(1e-9):
        for call in (lambda: cube(1.0), lambda: gradient(0.5, 3)):
            with pytest.raises(em.errors.ExecutionError) as caught:
                call()
            assert caught.value.code == "EM410"
    assert cube(2.0) == 8.0


def test_other_threads_run_during_a_call(monkeypatch):
    monkeypatch.setattr(direct, "CALLS", 5)
    source = "double wait(volatile long *flag) { *flag = 1; while (*flag != 2); return 1; }"
    wait, flag = em.compile_c(source).wait, np.full(1, 2)
    for _ in range(direct.CALLS + 1):  # each call waits for the other thread
        flag[0] = 0
        other = threading.Thread(target=answer, args=(flag,))
        other.start()
        assert wait(flag) == 1.0
        other.join()
    assert is_direct(wait)


def answer(flag):
    while flag[0] != 1:
        pass
    flag[0] = 2


def test_many_threads(p):
    gradient, wrong = often(em.grad(p.flat), _X, 6), []
    assert is_direct(gradient)

    def work(k):
        x = np.full(50, float(k))
        wrong.extend(1 for _ in range(300) if gradient(x, 50).tolist() != [3.0 * k * k] * 50)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_nothing_is_kept_and_nothing_is_lost():
    program = em.compile_c(
        "double sq(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*x[i]; return s; }"
    )
    gradient = often(em.grad(program.sq), _X, 6)
    assert is_direct(gradient)
    result = gradient(_X, 6)
    held = weakref.ref(result)
    array = weakref.ref(result.base)
    del result
    assert held() is None
    assert array() is None
    gone = weakref.ref(gradient), weakref.ref(program)
    del gradient, program
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_it_looks_as_ever(p):
    import copy
    import inspect
    import pickle

    gradient = em.grad(p.two)
    before = repr(gradient), gradient.__doc__, gradient.__name__, inspect.signature(gradient), type(gradient).__name__
    often(gradient, 1.0, 2.0)
    assert is_direct(gradient)
    assert before == (
        repr(gradient),
        gradient.__doc__,
        gradient.__name__,
        inspect.signature(gradient),
        type(gradient).__name__,
    )
    assert isinstance(gradient, GradientFunction)
    assert copy.deepcopy(gradient) is gradient
    assert described(pickle.loads(pickle.dumps(gradient))(1.0, 2.0)) == described(gradient(1.0, 2.0))
    often(p.two, 1.0, 2.0)
    assert is_direct(p.two)
    assert p.two.__doc__ == str(p.two.c_signature)
    assert callable(p.two)
    assert p.two.grad(1.0, 2.0).x == p.two(np.pi / 2 + 1.0, 2.0)


@pytest.mark.parametrize(
    ("body", "work"),
    [
        ("%y = fmul double %x, %x\n  ret double %y", Effort.LITTLE),
        ("%y = call double @pow(double %x, double %x)\n  ret double %y", Effort.LITTLE),
        ("%y = call double @other(double %x)\n  ret double %y", Effort.UNKNOWN),
        ("%y = call double @again(double %x)\n  ret double %y", Effort.ALONE),
        ("%y = call double @own(double %x)\n  ret double %y", Effort.LITTLE),
        ("%p = load ptr, ptr @p\n  %y = call double %p(double %x)\n  ret double %y", Effort.UNKNOWN),
        ("br label %next\n\nnext:\n  ret double %x", Effort.LITTLE),
        ("br label %next\n\nnext:\n  br label %next", Effort.ALONE),
        ('br label %"a b"\n\n"a b":\n  br label %"a b"', Effort.ALONE),
        ("br label %next\n\nnext:\n  %y = load volatile double, ptr @p\n  br label %next", Effort.UNKNOWN),
        ("br label %next\n\nnext:\n  %y = load atomic i64, ptr @p seq_cst, align 8\n  br label %next", Effort.UNKNOWN),
        ("%y = call double @waits(double %x)\n  ret double %y", Effort.UNKNOWN),
        ('call void asm sideeffect "call @pow(", ""()\n  ret double %x', Effort.UNKNOWN),
    ],
)
def test_what_is_known_of_a_call(body, work):
    text = f"""
@p = global ptr null
declare double @pow(double, double)
declare double @other(double)
define double @own(double %x) {{
  ret double %x
}}
define double @again(double %x) {{
  %y = call double @f(double %x)
  ret double %y
}}
define double @waits(double %x) {{
entry:
  br label %next

next:
  store volatile double %x, ptr @p
  br label %next
}}
define double @f(double %x) {{
entry:
  {body}
}}
"""
    assert effort(text, "f") is work


def test_the_lock_is_kept_where_calls_were_short():
    shared = direct._shared(True)
    keeps = ctypes.PYFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_int64)(shared.address("em.direct.keeps"))
    words = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_bool, ctypes.c_int64]
    measured = ctypes.PYFUNCTYPE(None, *words)(shared.address("em.direct.measured"))
    times = (ctypes.c_int64 * 2)(-1, 0)
    short, long = constants.SHORT_CALL, constants.SHORT_CALL + 1

    def kept(size):
        return keeps(times, size)

    assert not kept(0)
    measured(times, 100, False, long)  # not known to be short
    assert not kept(100)
    measured(times, 100, False, short)
    assert kept(100)
    assert kept(5)
    assert not kept(101)
    assert not kept(-1)  # more than an i64 holds
    measured(times, 100, True, long)
    for _ in range(constants.LONG_CALL_PENALTY):
        assert not kept(1)
        measured(times, 1, False, short)
    assert kept(99)
    assert not kept(100)
    measured(times, 100, False, short)
    assert kept(100)


def test_equal_gradients_share_the_direct_way(p):
    gradients = [em.grad(p.cube) for _ in range(3)]
    for _ in range(direct.CALLS):
        gradients[0](2.0)
    gradients.append(em.grad(p.cube))
    assert [gradient(2.0) for gradient in gradients] == [12.0] * 4
    assert all(map(is_direct, gradients))
