"""Requests that cannot be understood: an error with its code, at the C line of the call, with what to do."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em

DECLARATIONS = """
double __enzyme_autodiff(void *, ...);
typedef struct { double a, b; } Two;
Two __enzyme_autodiff_two(void *, ...);
void __enzyme_autodiff_void(void *, ...);
float __enzyme_autodiff_float(void *, ...);
double __enzyme_fwddiff(void *, ...);
double __enzyme_reverse(void *, ...);
double __enzyme_fwdsplit(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
unsigned long __enzyme_augmentsize(void *, ...);
Two __enzyme_batch(void *, ...);
double __enzyme_call_inactive(void *, ...);
double __enzyme_autodif(void *, ...);
double __enzyme_todense(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width, enzyme_dupnoneed, enzyme_tape, enzyme_allocated;
extern int enzyme_nothing, enzyme_primal_return, enzyme_nofree, enzyme_vector, enzyme_scalar, enzyme_dupv, enzyme_active_return;
double outside(double x);
double many(double x, ...);
double square(double x) { return x*x; }
double norm(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*x[i]; return s; }
void twice(double *x) { *x = 2 * *x; }
void both(double *x) { x[0] = x[1]; x[1] = x[0]*2; }
double grown(double *x) {
    double *m = __builtin_malloc(8);
    m[0] = x[0];
    m = __builtin_realloc(m, 16);
    m[1] = m[0]*x[0];
    double r = m[1];
    x[0] = 2*r;
    __builtin_free(m);
    return r;
}
double allocating(double x) { double *m = __builtin_malloc(8); *m = x; double r = *m * *m; __builtin_free(m); return r; }
typedef struct { float x; int n; } Tagged;
double tagged(Tagged t) { return t.x*t.x*t.n; }
typedef struct { double x, y, z; } Three;
double volume(Three t) { return t.x*t.y*t.z; }
typedef struct { double d[3]; float f; } Other;
typedef struct { double *data; long n; double scale; } View;
double viewed(View v) { return v.data[0]*v.scale; }
double *picked(double *x) { return x + 1; }
Three three(double x) { Three t = {x, x*x, x*x*x}; return t; }
long whole(long n) { return n; }
double itself(double x);
double *memory(void);
"""
CASES = [
    ("EM140", "(void *)memory()", "1.0", "cannot be found"),
    ("EM140", "outside", "1.0", "not defined here"),
    ("EM140", "many", "1.0", "variable arguments"),
    ("EM141", "square", "enzyme_nothing, 1.0", "enzyme_nothing is no marker"),
    ("EM141", "square", "enzyme_vector, 1.0", "belongs to __enzyme_batch"),
    ("EM141", "norm", "enzyme_interleave, x, 3, d", "enzyme_interleave belongs to Enzyme's C++ wrappers"),
    ("EM141", "volume", "enzyme_byref, 24, x", "enzyme_byref belongs to Enzyme's C++ wrappers"),
    ("EM141", "square", "enzyme_out, enzyme_const, 1.0", "enzyme_out is followed by enzyme_const"),
    ("EM142", "square", "1.0, 2.0", "more are given"),
    ("EM142", "norm", "enzyme_const, x, 3, 4", "more are given"),
    ("EM144", "norm", "enzyme_const, x, d, 3", "is a i32, and a ptr is given"),
    ("EM143", "square", "enzyme_primal_return", "parameter x is missing"),
    ("EM143", "norm", "enzyme_dup, x", "the shadow of parameter x is missing"),
    ("EM143", "norm", "enzyme_dup, x, enzyme_const, 3", "the shadow of parameter x is missing"),
    ("EM143", "norm", "x, d", "parameter n is missing"),
    ("EM143", "square", "enzyme_const", "nothing follows"),
    ("EM144", "square", "1", "is a double, and a i32 is given"),
    ("EM144", "norm", "x, d, 3.0", "is a i32, and a double is given"),
    ("EM144", "norm", "x, 3, 3", "the shadow of parameter x"),
    ("EM144", "norm", "enzyme_out, x, 3", "is memory"),
    ("EM144", "norm", "x, d, enzyme_out, 3", "has no derivative"),
    ("EM144", "square", "enzyme_dup, 1.0, 1.0", "is a number by value"),
    ("EM144", "whole", "(int)x[0]", "is a i64, and a i32 is given"),
    ("EM144", "twice", "enzyme_active_return, x, d", "returns no number"),
    ("EM145", "twice", "enzyme_primal_return, x, d", "returns nothing"),
    ("EM146", "square", "enzyme_width, (int)x[0], 1.0", "not a constant"),
    ("EM146", "square", "enzyme_width, 0, 1.0", "not a constant from 1"),
    ("EM146", "grown", "enzyme_width, 2, x, d, d", "once for each lane"),
    ("EM149", "tagged", "(Tagged){2, 3}", "integers and floating numbers in one register"),
    ("EM144", "volume", "x", "is a struct Three, and a ptr is given"),
    ("EM144", "volume", "(Other){{1, 2, 3}, 4}", "is a struct Three, and a struct Other is given"),
    ("EM144", "volume", "enzyme_dup, (Three){1, 2, 3}, (Three){1, 2, 3}", "is a struct by value"),
    ("EM143", "volume", "enzyme_out", "nothing follows it"),
    ("EM142", "volume", "(Three){1, 2, 3}, d", "more are given"),
    ("EM144", "three", "1.0", "the adjoint of the struct"),
    ("EM143", "three", "d", "parameter x is missing"),
    ("EM149", "viewed", "(View){x, 3, 1.0}", "struct by value with pointers"),
    ("EM147", "square", "enzyme_tape, x, 1.0", "no tape here"),
]
CALLS = [
    ("EM145", "__enzyme_autodiff_float((void *)square, 1.0)", "gives back double"),
    ("EM145", "__enzyme_autodiff_two((void *)square, 1.0).a", "these fields|this type"),
    ("EM145", "__enzyme_autodiff((void *)norm, x, d, 3)", "nothing back"),
    (
        "EM147",
        "(double)(long)__enzyme_augmentfwd((void *)square, enzyme_allocated, 4, enzyme_tape, d, 1.0)",
        "needs 8 bytes, and there are 4",
    ),
    ("EM147", "__enzyme_reverse((void *)square, enzyme_allocated, 4, enzyme_tape, d, 1.0, 1.0)", "needs 8 bytes"),
    (
        "EM147",
        "__enzyme_reverse((void *)square, enzyme_allocated, (int)x[0], enzyme_tape, d, 1.0, 1.0)",
        "not constant",
    ),
    ("EM143", "__enzyme_reverse((void *)square, 1.0)", "tape is missing"),
    ("EM143", "__enzyme_reverse((void *)square, 1.0, (void *)x)", "adjoint of the result"),
    ("EM144", "__enzyme_reverse((void *)square, 1.0, 1, (void *)x)", "adjoint of the result"),
    ("EM147", "__enzyme_reverse((void *)square, 1.0, 1.0, 1)", "tape is a pointer"),
    (
        "EM145",
        "__enzyme_reverse((void *)square, enzyme_primal_return, 1.0, 1.0, (void *)x)",
        "comes from __enzyme_augmentfwd",
    ),
    ("EM149", "(double)(long)__enzyme_augmentfwd((void *)three, d, 1.0)", "returns a struct in memory"),
    ("EM143", "__enzyme_fwddiff((void *)volume, (Three){1, 2, 3})", "the shadow of parameter t is missing"),
    ("EM145", "__enzyme_fwddiff((void *)three, 1.0, 1.0)", "the prototype returns double"),
    ("EM143", "__enzyme_reverse((void *)square, enzyme_width, 2, 1.0, (void *)x)", "for each of the 2 lanes"),
    ("EM144", "__enzyme_reverse((void *)square, enzyme_width, 2, 1.0, 1.0, (void *)x)", "for each of the 2 lanes"),
    (
        "EM146",
        "__enzyme_reverse((void *)grown, enzyme_width, 2, x, d, d, 1.0, 1.0, (void *)x)",
        "another one for each lane",
    ),
    ("EM146", "(double)(long)__enzyme_augmentfwd((void *)picked, enzyme_width, 2, x, d, d)", "2 shadows of it"),
    ("EM149", "__enzyme_fwdsplit((void *)norm, x, d, 3, (void *)x)", "may have changed"),
    ("EM143", "(double)__enzyme_augmentsize((void *)norm, enzyme_dup)", "1 markers are given"),
    ("EM142", "(double)__enzyme_augmentsize((void *)norm, x, enzyme_const)", "takes markers"),
    ("EM146", "__enzyme_batch((void *)square, 1.0, 2.0).a", "how many"),
    ("EM143", "__enzyme_batch((void *)square, enzyme_width, 2, 1.0).a", "is missing"),
    ("EM142", "__enzyme_batch((void *)square, enzyme_width, 2, 1.0, 2.0, 3.0, 4.0).a", "more than 1"),
    ("EM144", "__enzyme_batch((void *)square, enzyme_width, 2, 1.0, 2).a", "is given"),
    ("EM141", "__enzyme_batch((void *)square, enzyme_width, 2, enzyme_dup, 1.0, 2.0).a", "says nothing here"),
    ("EM143", "__enzyme_call_inactive((void *)square)", "0 arguments"),
    ("EM144", "__enzyme_call_inactive((void *)square, 1)", "is given"),
    ("EM149", "__enzyme_autodif((void *)square, 1.0)", "no such entry point"),
    ("EM149", "__enzyme_todense((void *)square, 1.0)", "no such entry point"),
]


def refused(call: str, opt: int) -> em.errors.EnzymeError:
    text = f"{DECLARATIONS}double ask(double *x, double *d) {{\n    return {call};\n}}\n"
    with pytest.raises(em.errors.EnzymeError) as caught:
        em.compile(text, opt=opt)
    assert caught.value.line == text.count("\n") - 1
    return caught.value


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize(("code", "function", "rest", "message"), CASES)
def test_arguments(code: str, function: str, rest: str, message: str, opt: int) -> None:
    error = refused(f"__enzyme_autodiff((void *){function}, {rest}), 0.0", opt)
    assert error.code == code
    assert message in error.message
    assert error.span is not None
    assert error.span.text is not None


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize(("code", "call", "message"), CALLS)
def test_calls(code: str, call: str, message: str, opt: int) -> None:
    error = refused(call, opt)
    assert error.code == code
    assert any(part in f"{error.message} {error.hint}" for part in message.split("|"))


def test_what_cannot_be_differentiated_is_said_at_its_own_line() -> None:
    text = (
        DECLARATIONS
        + "double f(double x) {\n    return outside(x);\n}\ndouble g(double x) { return __enzyme_autodiff((void *)f, x); }\n"
    )
    with pytest.raises(em.errors.DifferentiationError, match="outside") as caught:
        em.compile(text)
    assert caught.value.line == DECLARATIONS.count("\n") + 2


def test_a_function_that_asks_for_its_own_derivative() -> None:
    text = DECLARATIONS + "double itself(double x) { return x > 0 ? __enzyme_autodiff((void *)itself, x) : x; }\n"
    with pytest.raises(em.errors.CompileError) as caught:
        em.compile(text)
    assert caught.value.code == "EM148"


def test_absent_memory_that_is_read() -> None:
    text = """
void f(const double *x, double *out) { out[0] = x[0]*x[0]; out[1] = out[0]*x[0]; }
void g(double *x, double *dx, double *seed) { __enzyme_autodiff((void *)f, x, dx, enzyme_dupnoneed, (double *)0, seed); }
"""
    with pytest.raises(em.errors.DifferentiationError) as caught:
        em.compile(text, opt=0)
    assert caught.value.code == "EM247"
    assert caught.value.line == 2


def test_a_tape_whose_memory_is_freed_serves_once() -> None:
    error = refused("__enzyme_reverse((void *)allocating, enzyme_nofree, 1.0, 1.0, (void *)x)", opt=0)
    assert error.code == "EM147"
    assert "only once" in error.message


MIXED = """
double f(const double *x, double *y, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) { const double *p = i % 2 ? x : y; s += p[i]*p[i]; }
    return s;
}
double g(double *x, double *dx, double *y, int n) { return __enzyme_autodiff((void *)f, x, dx, enzyme_const, y, n), 0.0; }
"""
CHASING = """
struct node { double value; struct node *next; };
double f(struct node *p) { double s = 0; for (; p; p = p->next) s += p->value; return s; }
void g(struct node *p, struct node *d) { __enzyme_autodiff((void *)f, enzyme_runtime_activity, p, d); }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_constant_memory_where_active_memory_may_be(opt: int) -> None:
    with pytest.raises(em.errors.EnzymeError) as caught:
        em.compile(MIXED, opt=opt)
    assert caught.value.code == "EM144"
    assert "parameter y" in caught.value.message
    assert caught.value.line == MIXED.count("\n")


def test_runtime_activity_of_memory_behind_memory() -> None:
    with pytest.raises(em.errors.CompileError, match="finds in memory") as caught:
        em.compile(CHASING)
    assert caught.value.code == "EM149"


TAPES = """
double square(double x) { return x*x; }
double power(double x, int n) { double r = 1; for (int i = 0; i < n; i++) r *= x; return r; }
typedef struct { void *tape; double value; } Augmented;
Augmented __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
double foreign(void) { return __enzyme_reverse((void *)power, 2.0, 3, 1.0, __enzyme_augmentfwd((void *)square, 2.0).tape); }
double none(void) { return __enzyme_reverse((void *)power, 2.0, 3, 1.0, (void *)0); }
"""


@pytest.mark.parametrize("name", ["foreign", "none"])
def test_a_foreign_tape_ends_the_call(name: str) -> None:
    program = em.compile(TAPES)
    with pytest.raises(em.errors.ExecutionError, match="tape"):
        getattr(program, name)()


HINTED = """
#include <string.h>
void copy(char *to, char *from, long n) { HINTS memcpy(to, from, n); }
void d(char *y, char *dy, char *x, char *dx, long n) { __enzyme_autodiff((void *)copy, y, dy, x, dx, n); }
"""


def test_without_a_type_hint_the_copy_is_refused() -> None:
    """By the run, where a derivative lies in what is copied."""

    def gradient(hints: str, seed: float) -> float:
        to, from_ = np.array([0.0, seed]), np.array([3.0, 0.0])
        arguments = [memory[k : k + 1].view(np.int8) for memory in (to, from_) for k in (0, 1)]
        em.compile(HINTED.replace("HINTS", hints)).d(*arguments, 8)
        return float(from_[1])

    with pytest.raises(em.errors.ExecutionError) as caught:
        gradient("", 2.0)
    assert (caught.value.code, caught.value.line) == ("EM409", 3)
    assert gradient("", 0.0) == 0.0
    assert gradient("__enzyme_double(to); __enzyme_double(from);", 2.0) == 2.0


CLEANED = """
double __enzyme_autodiff(void *, double);
void release(double *p) { *p = 0; }
static double square(double x) { return x*x; }
static double (*volatile called)(double) = square;
static double other(double x) { return called(x); }
double slope(double x) {
    double held __attribute__((cleanup(release))) = x;
    return __enzyme_autodiff((void *)DIFFERENTIATED, x) + 0*held; }
"""


def test_a_request_where_exceptions_are_cleaned_up_after() -> None:
    """A plain call where nothing can be thrown."""
    arguments = ("-fexceptions",)
    program = em.compile(CLEANED.replace("DIFFERENTIATED", "square"), opt=0, compile_args=arguments)
    assert (program.slope(3.0), program.slope.grad(3.0)) == (6.0, 2.0)
    with pytest.raises(em.errors.CompileError, match="may throw") as caught:
        em.compile(CLEANED.replace("DIFFERENTIATED", "other"), opt=0, compile_args=arguments)
    assert (caught.value.code, caught.value.line) == ("EM149", 9)
