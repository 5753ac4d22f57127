"""Calls of libm in vectors: which may be, that values stay the function's own, and how exact the C library's forms are."""

from __future__ import annotations

import ctypes
import pickle
import re
from collections.abc import Callable, Iterator
from functools import cache

import mpmath
import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.explain.assemble import plan
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.llvm import optimize, vector_library
from enzyme_magic.backend.llvm.objects import jit, tuning
from enzyme_magic.backend.rules import vector_functions
from enzyme_magic.backend.store import persist
from enzyme_magic.config import Options

SOURCE = r"""
#include <math.h>
#include <stddef.h>
double softmax(int n, const double *x)
{
    double largest = x[0], sum = 0;
    for (int i = 1; i < n; i++)
        largest = x[i] > largest ? x[i] : largest;
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - largest);
    return largest + log(sum);
}
double compared(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double e = exp(x[i]);
        sum += e > 1.5 ? e*e : 3*e;
    }
    return sum;
}
double through_memory(int n, const double *x, double *work)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        work[i] = sin(x[i]);
    for (int i = 0; i < n; i++)
        if (work[i] > 0.25)
            sum += work[i]*x[i];
    return sum;
}
double counted(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double e = exp(x[i]);
        sum += e*(double)(long)(4*e);
    }
    return sum;
}
double floored(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double e = cosh(x[i]);
        sum += e*floor(4*e);
    }
    return sum;
}
double kept;
double left(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += tanh(x[i]);
    kept = sum;
    return sum*sum;
}
double straight(double x) { return exp(x)*sin(x); }
double partial(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += erf(x[i]) + sin(x[i]);
    return sum;
}
double powers(int n, const double *x, double p)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += pow(2 + x[i], p);
    return sum;
}
float single(int n, const float *x)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += expf(x[i])*cosf(x[i]);
    return sum;
}
double solved(int n, const double *l, const double *b, double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= l[i*n + j]*x[j];
        x[i] /= 1 + l[i*n + i]*l[i*n + i];
    }
    for (int i = 0; i < n; i++)
        sum += x[i]*x[i];
    return sum;
}
double compensated(int n, const double *x)
{
    double sum = 0, lost = 0;
    for (int i = 0; i < n; i++) {
        double y = x[i]*x[i] - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    return sum*sum;
}
void filled(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = exp(x[i]);
}
"""
X = np.random.default_rng(0).normal(size=37)
IN_VECTORS = "in vectors where that is quicker"
PLANS = {
    "softmax": ["exp: " + IN_VECTORS],
    "compared": ["exp: its value decides a comparison"],
    "through_memory": ["sin: its value decides a comparison"],
    "counted": ["exp: its value goes through fptosi"],
    "floored": ["cosh: its value is passed to llvm.floor.f64"],
    "left": ["tanh: its value is left in memory that others see (global kept)"],
    "straight": [],
    "partial": ["erf: " + IN_VECTORS, "sin: " + IN_VECTORS],
    "powers": ["pow: " + IN_VECTORS],
    "single": ["exp: " + IN_VECTORS, "cos: " + IN_VECTORS],
    "filled": ["exp: its value is left in memory that others see (*y)"],
}
DOUBLES = frozenset(name for name, found in libc.operations().items() if "double" in found.vectored)
FLOATS = frozenset(f"{name}f" for name, found in libc.operations().items() if "float" in found.vectored)
HERE = pytest.mark.skipif(not vector_library.state(), reason="no libmvec here")


ANY_ORDER = "in any order, so that they fit vectors"
SUMS = {
    "softmax": [ANY_ORDER],
    "compared": [ANY_ORDER],
    "left": ["its value is left in memory that others see (global kept)"],
    "solved": [ANY_ORDER, ANY_ORDER],
    "compensated": [],
    "straight": [],
}


@cache
def program(opt: int = 2, strict: bool = False) -> em.Program:
    return em.compile_c(SOURCE, opt=opt, strict=strict)


def arguments(name: str) -> tuple[object, ...]:
    more: dict[str, tuple[object, ...]] = {"powers": (1.7,), "through_memory": (np.zeros(X.size),)}
    x = X.astype(np.float32) if name == "single" else np.abs(X) if name == "powers" else X
    return (X.size, x, *more.get(name, ()))


def judged(text: str) -> list[str]:
    """What a plan says of calls of libm, without lines."""
    found = re.findall(
        r"^  (\w+)(?: \(line \d+\))?: (?:as libm computes it, because )?((?:its value|in vectors) .*)$", text, re.M
    )
    return [f"{name}: {re.sub(r' in line [0-9]+$', '', why)}" for name, why in found]


def test_what_a_plan_says_of_each_call() -> None:
    f = program()
    assert {name: judged(getattr(f, name).plan()) for name in PLANS} == PLANS
    assert judged(program(strict=True).softmax.plan()) == []


def sums(text: str) -> list[str]:
    """What a plan says of the sums of loops, without lines."""
    found = re.findall(
        r"^  terms of a sum(?: \(line \d+\))?: (?:in the order of the program, because )?(.*)$", text, re.M
    )
    return [re.sub(r" in line [0-9]+$", "", why) for why in found]


def test_what_a_plan_says_of_each_sum() -> None:
    f = program()
    assert {name: sums(getattr(f, name).plan(wrt="b" if name == "solved" else None)) for name in SUMS} == SUMS
    request = Request("solved", "reverse", (2,), value=True)
    assert ANY_ORDER not in sums(plan(f.compiled, request))
    strict = program(strict=True).solved
    assert sums(strict.plan(wrt="b")) == []
    assert "fadd reassoc" not in strict.ir("gradient", wrt="b")


@pytest.mark.parametrize("opt", [0, 2])
def test_sums_in_any_order_differ_in_the_last_digits_only(opt: int) -> None:
    n = 41
    random = np.random.default_rng(3)
    lower, b = random.normal(0, 1 / np.sqrt(n), (n, n)), random.normal(size=n)
    ours, strict = (em.grad(program(opt, s).solved, wrt=("l", "b"))(n, lower, b, np.zeros(n)) for s in (False, True))
    for name in ("l", "b"):
        np.testing.assert_allclose(getattr(ours, name), getattr(strict, name), rtol=1e-11, atol=1e-13)
    f, x = program(opt).solved, np.zeros(n)
    assert em.value_and_grad(f, wrt="b")(n, lower, b, x)[0] == f(n, lower, b, np.zeros(n))
    em.check_grads(f, (n, lower, b, np.zeros(n)), wrt=("l", "b"))


def test_a_value_that_is_given_back_is_computed_by_libm() -> None:
    request = Request("softmax", "reverse", (1,), value=True)
    assert judged(plan(program().compiled, request)) == ["exp: its value is returned"]


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", ["softmax", "through_memory", "floored", "partial", "powers", "single"])
def test_gradients_are_those_of_strict(name: str, opt: int) -> None:
    ours, strict = (em.grad(getattr(program(opt, s), name), wrt="x")(*arguments(name)) for s in (False, True))
    np.testing.assert_allclose(ours, strict, rtol=1e-5 if name == "single" else 1e-13, atol=1e-15)


@pytest.mark.parametrize("name", ["softmax", "compared", "counted", "floored", "left", "partial", "powers", "single"])
def test_values_beside_derivatives_are_the_function_s_own_bit_for_bit(name: str) -> None:
    f = getattr(program(), name)
    value = f(*arguments(name))
    assert em.value_and_grad(f, wrt="x")(*arguments(name))[0] == value
    assert em.vjp(f, *arguments(name), wrt="x")[0] == value
    direction = np.ones_like(arguments(name)[1])
    assert em.jvp(f, arguments(name), {"x": direction})[0] == value


MADE_BY_ANOTHER = """
#include <math.h>
#include <stdlib.h>
struct net { int n; float *w; };
static struct net *made(int n) {
    struct net *net = malloc(sizeof *net + n*sizeof(float));
    net->n = n;
    net->w = (float *)(net + 1);
    for (int i = 0; i < n; i++) net->w[i] = .2f*sinf(i);
    return net;
}
float f(float x) {
    struct net *net = made(29);
    float s = 0;
    net->w[3] = x;
    for (int i = 0; i < net->n; i++) s = s*x + net->w[i];
    free(net);
    return s;
}
"""


def test_memory_that_others_get_to_know_holds_what_libm_computes() -> None:
    """A returned block was taken for what only the function itself sees."""
    f = em.compile_c(MADE_BY_ANOTHER, opt=0).f
    assert "sin: its value is left in memory that others see (memory allocated by malloc)" in judged(f.plan())
    assert f.value_and_grad(0.83)[0] == f(0.83) == em.jvp(f, (0.83,), (1.0,))[0]


@HERE
def test_strict_has_no_call_of_a_form_for_vectors() -> None:
    assert "call <" in program().softmax.ir("gradient-optimized")
    assert f"@{vector_library.PREFIX}" in program().softmax.ir("gradient-optimized")
    strict = program(strict=True).softmax
    assert vector_functions.MARK.name not in strict.ir("gradient")
    assert vector_library.PREFIX not in strict.ir("gradient-optimized")


def test_a_rare_second_pow_is_not_computed_for_every_lane() -> None:
    """Its result is wanted where the first one is no normal number."""
    text = "#include <math.h>\ndouble f(int n, double x) { double s = 0; for (int i = 1; i <= n; i++) s += pow(x, i)/i; return s; }"
    f = em.compile_c(text).f
    assert f.grad(40, 0.5) == pytest.approx(2 - 2.0**-39, rel=1e-14)
    called = re.findall(r"call .*@(?:llvm\.)?pow(?:\.f64)?\(", f.ir("gradient-optimized"))
    assert len(called) <= 2  # one of the forward sweep, and one aside


def test_a_comparison_takes_the_branch_of_the_function() -> None:
    """Points at which the last digit of exp decides."""
    f = em.compile_c(
        "#include <math.h>\n#include <string.h>\n"
        "double f(int n, const double *x, const double *limit) { double s = 0;"
        " for (int i = 0; i < n; i++) s += exp(x[i]) >= limit[i] ? x[i] : 3*x[i]; return s; }"
    ).f
    x = np.random.default_rng(1).uniform(-2, 2, 4000)
    limit = np.array([libm("exp")(v) for v in x])
    np.testing.assert_array_equal(em.grad(f, wrt="x")(x.size, x, limit), np.ones(x.size))
    np.testing.assert_array_equal(em.grad(f, wrt="x")(x.size, x, np.nextafter(limit, 10)), np.full(x.size, 3.0))


def test_keys_tell_strict_and_machines_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {persist.program_key([], Options(strict=strict), "clang") for strict in (False, True)}
    monkeypatch.setattr(vector_library, "state", lambda: "another library")
    keys.add(persist.program_key([], Options(), "clang"))
    assert len(keys) == 3


def test_pickles_and_workers_keep_the_option() -> None:
    strict = program(strict=True).softmax
    again = pickle.loads(pickle.dumps(strict))
    assert judged(again.plan()) == []
    isolated = em.compile_c(SOURCE, isolate=True)
    np.testing.assert_array_equal(
        em.grad(isolated.softmax, wrt="x")(X.size, X), em.grad(program().softmax, wrt="x")(X.size, X)
    )


def test_without_the_library_libm_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    text = _kernels(["exp"])
    monkeypatch.setattr(vector_library, "_has", lambda symbol: False)
    assert vector_library.with_forms(text) == text


def test_a_function_of_the_program_with_a_name_of_libm_is_never_exchanged() -> None:
    text = _kernels(["exp"]).replace(
        "declare double @exp(double)", "define double @exp(double %x) {\n  ret double %x\n}"
    )
    assert vector_library.with_forms(text) == text


# How exact the forms are


@cache
def libm(name: str) -> Callable[..., float]:
    function = getattr(ctypes.CDLL("libm.so.6"), name)
    type_ = ctypes.c_double if name in DOUBLES else ctypes.c_float
    function.restype, function.argtypes = type_, [type_] * (2 if name.startswith("pow") else 1)
    found: Callable[..., float] = function
    return found


def _kernels(names: list[str]) -> str:
    """y[i] = f(x[i], z[i]) for each of the functions."""
    parts = ['attributes #0 = { nofree nounwind willreturn memory(none) "vector-math" }']
    for name in names:
        t = "double" if name in DOUBLES else "float"
        given = [f"{t} %a", f"{t} %b"][: 2 if name.startswith("pow") else 1]
        parts.append(f"declare {t} @{name}({', '.join([t] * len(given))})")
        parts.append(
            f"define void @k_{name}(i64 %n, ptr noalias %x, ptr noalias %z, ptr noalias %y) {{\nentry:\n  br label %loop\nloop:\n"
            "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n"
            f"  %p = getelementptr {t}, ptr %x, i64 %i\n  %q = getelementptr {t}, ptr %z, i64 %i\n"
            f"  %o = getelementptr {t}, ptr %y, i64 %i\n  %a = load {t}, ptr %p\n  %b = load {t}, ptr %q\n"
            f"  %r = call {t} @{name}({', '.join(given)}) #0\n  store {t} %r, ptr %o\n"
            "  %j = add nuw i64 %i, 1\n  %c = icmp eq i64 %j, %n\n  br i1 %c, label %end, label %loop\nend:\n  ret void\n}"
        )
    return "\n".join(parts) + "\n"


Run = Callable[[str, np.ndarray, np.ndarray], np.ndarray]


def in_vectors(names: list[str]) -> Run:
    text = optimize.post_ad(vector_library.with_forms(_kernels(names)), 3, exports=[f"k_{name}" for name in names])
    for name in names:
        assert re.search(rf"call <\d+ x \w+> @_ZGV\w+_{name}\(", text), name
    library = jit.Library.load([jit.compile_object(text)], [f"k_{name}" for name in names])

    def run(name: str, x: np.ndarray, z: np.ndarray) -> np.ndarray:
        """With a multiple of all lanes, so that every number goes through a form for vectors."""
        size = -(-x.size // 256) * 256
        x, z = (np.concatenate([v, np.ones(size - v.size, v.dtype)]) for v in (x, z))
        y = np.empty_like(x)
        call = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 3)(library.address(f"k_{name}"))
        call(size, x.ctypes.data, z.ctypes.data, y.ctypes.data)
        return y

    return run


_EXACT = {"log2": lambda x: mpmath.log(x, 2), "exp2": lambda x: mpmath.mpf(2) ** x, "pow": mpmath.power}


def points(dtype: type, random: np.random.Generator, count: int) -> np.ndarray:
    """All sizes, where the functions have their bends, and the ends of the range."""
    info = np.finfo(dtype)
    sizes = 2.0 ** random.uniform(info.minexp - info.nmant + 1, info.maxexp, count) * random.choice([-1, 1], count)
    spread = [random.uniform(-w, w, count) for w in (1, 4, 30, 0.9 * info.maxexp)]
    ends = [info.smallest_subnormal, info.tiny, info.max, -info.max, info.eps, np.pi / 2, 1e5, 1e30]
    return np.concatenate([sizes, *spread, 1 + random.uniform(-1e-2, 1e-2, count), ends]).astype(dtype)


def errors(run: Run, name: str, count: int) -> Iterator[tuple[float, tuple[float, ...]]]:
    """Errors in units in the last place, with what the function took; infinity where the result is not libm's kind of number."""
    base = name if name in DOUBLES else name.removesuffix("f")
    dtype, random = np.float64 if base == name else np.float32, np.random.default_rng(2)
    info = np.finfo(dtype)
    x, z = points(dtype, random, count), points(dtype, random, count)
    if base == "pow":
        x, z = (
            np.abs(x),
            (random.uniform(-1, 1, x.size) * 0.9 * info.maxexp).astype(dtype) / (1 + np.abs(np.log2(np.abs(x)))),
        )
    if base == "erfc":
        x = np.clip(x, -30, 300)  # beyond, mpmath does not answer
    for a, b, got in zip(x.tolist(), z.astype(dtype).tolist(), run(name, x, z.astype(dtype)).tolist(), strict=False):
        given = (a, b) if base == "pow" else (a,)
        wanted = libm(name)(*given)
        if not np.isfinite(wanted) or not np.isfinite(got):
            yield (0.0 if wanted == got or (np.isnan(wanted) and np.isnan(got)) else np.inf), given
            continue
        with mpmath.workprec(1200 if base in ("sin", "cos", "tan") else 160):
            exact = _EXACT.get(base, getattr(mpmath, base, None))(*map(mpmath.mpf, given))
            exponent = max(mpmath.frexp(exact)[1] - 1 if exact else info.minexp, info.minexp)
            yield float(abs(got - exact) / mpmath.ldexp(1, int(exponent) - info.nmant)), given


def check_exactness(count: int) -> None:
    names = sorted(DOUBLES | FLOATS)
    run = in_vectors(names)
    worst = {name: max(errors(run, name, count)) for name in names}
    assert {name: found for name, found in worst.items() if found[0] > 4} == {}
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0])
    for name in names:
        dtype = np.float64 if name in DOUBLES else np.float32
        x, z = (v.ravel().astype(dtype) for v in np.meshgrid(special, special))
        given = list(zip(x.tolist(), z.tolist(), strict=True)) if name.startswith("pow") else [(v,) for v in x.tolist()]
        wanted = np.array([libm(name)(*v) for v in given], dtype)
        got = run(name, x, z)[: x.size]
        exact = ~np.isfinite(wanted) | (wanted == np.rint(wanted))
        np.testing.assert_array_equal(got[exact], wanted[exact], err_msg=name)
        np.testing.assert_array_equal(np.signbit(got[wanted == 0]), np.signbit(wanted[wanted == 0]), err_msg=name)


@HERE
@pytest.mark.parametrize("level", ["", "x86-64-v2"])
def test_the_forms_are_exact_to_four_units_in_the_last_place(level: str) -> None:
    if not level or not tuning.lacking(level):
        with tuning.tuned_for(level):
            check_exactness(12)


@HERE
@pytest.mark.nightly
@pytest.mark.parametrize("level", ["", "x86-64-v2", "x86-64-v3", "x86-64-v4"])
def test_the_forms_are_exact_everywhere(level: str) -> None:
    if not level or not tuning.lacking(level):
        with tuning.tuned_for(level):
            check_exactness(1000)


@pytest.mark.parametrize("opt", [0, 2])
def test_products_of_constants_are_fused_in_the_value_too(opt: int) -> None:
    """The loop is unrolled: `i*2.3` is a constant then, and LLVM took it out of the fused sum in one of two modules."""
    text = "double f(double x, double y) { double s = 0; for (int i = 0; i < 7; i++) s += sin(i*2.3 + x)*y; return s; }"
    f = em.compile_c(text, opt=opt).f
    for k in range(20):
        x, y = 0.07 * k + 0.013, 0.9 - 0.03 * k
        assert f.value_and_grad(x, y)[0] == f(x, y) == em.jvp(f, (x, y), (1.0, 1.0))[0]
