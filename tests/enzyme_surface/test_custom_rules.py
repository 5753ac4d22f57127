"""Derivatives that C programs bring along: registrations by globals and by attributes.

The rules here are wrong on purpose (a factor that the true derivative does not have), so that a body that is differentiated
after all cannot pass.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import enzyme_magic as em

LEVELS = pytest.mark.parametrize("opt", [0, 1, 2, 3])

SCALARS = r"""
#include <math.h>
#include <stdlib.h>
struct taped { double *tape; double value; };
struct pair { double dx, dy; };

/* on a declaration */
double augment_square(double x);
double gradient_square(double x, double d);
__attribute__((enzyme("augment", augment_square)))
__attribute__((enzyme("gradient", gradient_square)))
double square(double x);
double square(double x) { return x*x; }
double augment_square(double x) { return x*x; }
double gradient_square(double x, double d) { return 100*x*d; }
double of_square(double x) { return x*square(x); }

/* on a definition, static handlers, a tape in memory */
static struct taped augment_hypotenuse(double x, double y) {
    struct taped made = {malloc(sizeof(double)), sqrt(x*x + y*y)};
    *made.tape = made.value;
    return made;
}
static struct pair gradient_hypotenuse(double x, double y, double d, double *tape) {
    struct pair made = {10*d*x/ *tape, 20*d*y/ *tape};
    free(tape);
    return made;
}
__attribute__((enzyme("augment", augment_hypotenuse))) __attribute__((enzyme("gradient", gradient_hypotenuse)))
static double hypotenuse(double x, double y) { return sqrt(x*x + y*y); }
double of_hypotenuse(double x, double y) {
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += hypotenuse(x + i, y)*y;
    return sum;
}

/* by globals; a tape by value */
struct values { double value; double twice; float once; };
struct answered { struct values tape; double result; };
static double cube(double x) { return x*x*x; }
static struct answered augment_cube(double x) { struct answered a = {{x, 2*x, (float)x}, x*x*x}; return a; }
static double gradient_cube(double x, double d, struct values tape) { return 7*d*tape.value*tape.twice*tape.once; }
void *__enzyme_register_gradient_cube[3] = {(void *)cube, (void *)augment_cube, (void *)gradient_cube};
double of_cube(double x) { double y = cube(x); return y*y; }

/* single precision: two floats come back in one register */
struct pairf { float dx, dy; };
static float product(float x, float y) { return x*y; }
static float augment_product(float x, float y) { return x*y; }
static struct pairf gradient_product(float x, float y, float d) { struct pairf p = {3*d*y, 5*d*x}; return p; }
void *__enzyme_register_gradient_product[3] = {product, augment_product, gradient_product};
float of_product(float x, float y) { return product(x, y) + x; }

/* a forward derivative alone */
static double sine(double x) { return sin(x); }
static double tangent_sine(double x, double dx) { return 9*cos(x)*dx; }
void *__enzyme_register_derivative_sine[2] = {sine, tangent_sine};
double of_sine(double x) { return sine(x)*sine(x); }

/* result and tangent */
static struct pair tangent_exponential(double x, double dx) { struct pair p = {exp(x), 4*exp(x)*dx}; return p; }
__attribute__((enzyme("derivative", tangent_exponential)))
static double exponential(double x) { return exp(x); }
double of_exponential(double x, int n) { for (int i = 0; i < n; i++) x = exponential(x)/8; return x; }

/* forward mode with a tape */
static double quartic(double x) { return x*x*x*x; }
static struct answered augment_quartic(double x, double dx) { struct answered a = {{x, 2*x, 1}, x*x*x*x}; return a; }
static double tangent_quartic(double x, double dx, struct values tape) { return 11*tape.value*tape.twice*dx; }
void *__enzyme_register_splitderivative_quartic[3] = {quartic, augment_quartic, tangent_quartic};
double of_quartic(double x) { return 2*quartic(x); }
"""


@pytest.fixture(scope="module", params=[0, 1, 2, 3])
def scalars(request: pytest.FixtureRequest) -> em.Program:
    return em.compile_c(SCALARS, opt=request.param)


x, y = 1.5, 2.0
h = math.hypot
CASES = {
    "of_square": ((x,), (x * x + x * 100 * x,)),
    "of_hypotenuse": (
        (x, y),
        (
            sum(10 * y * (x + i) / h(x + i, y) for i in range(3)),
            sum(h(x + i, y) + 20 * y * y / h(x + i, y) for i in range(3)),
        ),
    ),
    "of_cube": ((x,), (2 * x**3 * 7 * x * 2 * x * x,)),
    "of_product": ((x, y), (3 * y + 1, 5 * x)),
    "of_sine": ((x,), (2 * math.sin(x) * 9 * math.cos(x),)),
    "of_exponential": ((x, 2), (4 * math.exp(x) / 8 * 4 * math.exp(math.exp(x) / 8) / 8,)),
    "of_quartic": ((x,), (2 * 11 * x * 2 * x,)),
    "square": ((x,), (100 * x,)),
}


@pytest.mark.parametrize("name", CASES)
def test_the_rule_is_the_derivative(scalars: em.Program, name: str) -> None:
    arguments, expected = CASES[name]
    gradient = scalars[name].grad(*arguments)
    given = [gradient] if len(expected) == 1 else list(gradient)
    assert given == pytest.approx(expected, rel=1e-6 if name == "of_product" else 1e-14)


@pytest.mark.parametrize("name", CASES)
def test_in_forward_mode_too(scalars: em.Program, name: str) -> None:
    arguments, expected = CASES[name]
    for k, partial in enumerate(expected):
        tangents = tuple(float(j == k) if isinstance(a, float) else None for j, a in enumerate(arguments))
        value, tangent = em.jvp(scalars[name], arguments, tangents)
        assert value == pytest.approx(scalars[name](*arguments), rel=1e-6)
        assert tangent == pytest.approx(partial, rel=1e-6 if name == "of_product" else 1e-14)


ARRAYS = r"""
#include <math.h>
__attribute__((noinline)) static double norm(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i]*x[i];
    return sqrt(sum);
}
struct kept { double norm, value; };
static struct kept augment_norm(const double *x, double *dx, int n) { double s = norm(x, n); struct kept k = {s, s}; return k; }
static void gradient_norm(const double *x, double *dx, int n, double d, double s) {
    for (int i = 0; i < n; i++) dx[i] += 5*d*x[i]/s;
}
static double tangent_norm(const double *x, const double *dx, int n) {
    double s = norm(x, n), t = 0;
    for (int i = 0; i < n; i++) t += 5*x[i]*dx[i]/s;
    return t;
}
void *__enzyme_register_gradient_norm[3] = {norm, augment_norm, gradient_norm};
void *__enzyme_register_derivative_norm[2] = {norm, tangent_norm};
double of_norm(int n, const double x[n], const double w[n]) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += w[i]*norm(x, i + 1);
    return sum;
}
void normalized(int n, const double x[restrict n], double out[restrict n]) {
    for (int i = 0; i < n; i++) out[i] = x[i]/norm(x, n);
}
double overwritten(int n, double x[n]) { double s = norm(x, n); for (int i = 0; i < n; i++) x[i] = 0; return s; }

/* in place */
static void doubled(double *x, int n) { for (int i = 0; i < n; i++) x[i] *= 2; }
static void augment_doubled(double *x, double *dx, int n) { doubled(x, n); }
static void gradient_doubled(double *x, double *dx, int n) { for (int i = 0; i < n; i++) dx[i] *= 20; }
void *__enzyme_register_gradient_doubled[3] = {doubled, augment_doubled, gradient_doubled};
double of_doubled(int n, const double x[n]) {
    double work[8];
    for (int i = 0; i < n; i++) work[i] = x[i]*x[i];
    doubled(work, n);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += work[i];
    return sum;
}
"""


@LEVELS
def test_rules_on_arrays(opt: int) -> None:
    p = em.compile_c(ARRAYS, opt=opt)
    x, w = np.array([3.0, 4.0, 12.0]), np.array([1.0, 0.0, 2.0])
    norms = np.array([np.linalg.norm(x[: k + 1]) for k in range(3)])
    expected = sum(5 * w[k] * np.where(np.arange(3) <= k, x, 0) / norms[k] for k in range(3))
    gradient = p.of_norm.grad(x=x, w=w)
    np.testing.assert_allclose(gradient.x, expected, rtol=1e-14)
    np.testing.assert_allclose(gradient.w, norms, rtol=1e-14)
    direction = np.array([0.5, -1.0, 2.0])
    _, tangent = em.jvp(p.of_norm, {"x": x, "w": w}, {"x": direction})
    assert tangent == pytest.approx(expected @ direction, rel=1e-14)
    np.testing.assert_allclose(p.of_doubled.grad(x=x), 40 * x, rtol=1e-14)


@LEVELS
def test_rules_on_arrays_with_outputs(opt: int) -> None:
    f = em.compile_c(ARRAYS, opt=opt).normalized
    x = np.array([3.0, 4.0, 12.0])
    s = np.linalg.norm(x)
    expected = np.eye(3) / s - 5 * np.outer(x, x) / s**3
    np.testing.assert_allclose(em.jacrev(f)(x=x, out=np.zeros(3)), expected, rtol=1e-13)
    np.testing.assert_allclose(em.jacfwd(f)(x=x, out=np.zeros(3)), expected, rtol=1e-13)


@LEVELS
def test_a_gradient_that_reads_what_was_overwritten(opt: int) -> None:
    f = em.compile_c(ARRAYS, opt=opt).overwritten
    with pytest.raises(em.DifferentiationError, match="gradient_norm reads memory that may have been overwritten") as e:
        f.grad(x=np.ones(3))
    assert e.value.code == "EM274"
    assert e.value.line == 28


BESIDE = r"""
double shared, factor = 2, own; int calls;
double gradient(double x, double d) { return 3*x*x*d; }
double writes(double x) { shared = x*x; return x*x*x; }
double reads(double x) { return x*x*x*factor; }
double remembers(double x) { static double at, was; if (at != x) { at = x; was = x*x*x; calls++; } return was; }
double by_constant(double x) { return x*x*x*own; }
double after(double x) { double s = 0; for (int i = 0; i < 3; i++) s += writes(x + i)*shared; return s; }
double before(double x) { factor = x; return reads(x); }
void *__enzyme_register_gradient_1[3] = {writes, writes, gradient};
void *__enzyme_register_gradient_2[3] = {reads, reads, gradient};
void *__enzyme_register_gradient_3[3] = {remembers, remembers, gradient};
void *__enzyme_register_gradient_4[3] = {by_constant, by_constant, gradient};
typedef double (*function)(double);
double by_pointer(double x) { function f[2] = {writes, remembers}; shared = x; double s = 0;
    for (int i = 0; i < 2; i++) s += f[i](x)*shared; return s; }
double fine(double x) { own = 1; double s = 0; for (int i = 0; i < 2; i++) s += remembers(x) + by_constant(x); return s + calls*0; }
"""


@LEVELS
def test_rules_of_functions_that_use_global_variables(opt: int) -> None:
    program = em.compile_c(BESIDE, opt=opt)
    assert program.fine.grad(1.5) == pytest.approx(12 * 1.5**2)
    assert em.jvp(program.fine, (1.5,), (1.0,))[1] == pytest.approx(12 * 1.5**2)
    for name in ("after", "before", "by_pointer"):
        for ask in (lambda f: f.grad(1.5), lambda f: em.jvp(f, (1.5,), (1.0,))):
            with pytest.raises(em.DifferentiationError, match="knows nothing of the global variable") as e:
                ask(program[name])
            assert e.value.code == "EM277"


def test_no_rule_for_forward_mode() -> None:
    f = em.compile_c(ARRAYS).of_doubled
    with pytest.raises(em.DifferentiationError, match="none for forward mode") as e:
        em.jvp(f, {"x": np.ones(3)}, {"x": np.ones(3)})
    assert e.value.code == "EM273"
    assert e.value.line == 34


INACTIVE = r"""
#include <math.h>
double unknown(double x);
__attribute__((enzyme_inactive)) double noise(double x) { return 0.5*x; }
static double other(double x) { return 0.25*x; }
void *__enzyme_inactivefn_other = other;
__attribute__((enzyme_inactive)) double scale = 3;
double bias = 2;
void *__enzyme_inactive_global_bias = &bias;
__attribute__((enzyme_function_like("log1p"))) static double like(double x) { return log(1 + x); }
static double likewise(float x) { return x; }
static double power(double x, double y) { return exp(y*log(x)); }
void *__enzyme_function_like_power[2] = {(void *)power, (void *)"pow"};
double f(double x) { return x*noise(x) + other(x); }
double g(double x) { scale = x; return x*scale + x*bias; }
double k(double x) { return like(x)*power(x, 3.0); }
static void fill(double *x) { x[0] = 1; }
void *__enzyme_inactivefn_fill = fill;
double erased(double x) { double work[1] = {x}; fill(work); return work[0]*x; }
int enzyme(int x) { return x + 1; }
double ordinary(double x) { return x*enzyme(2); }
"""


@LEVELS
def test_inactive_and_like(opt: int) -> None:
    p = em.compile_c(INACTIVE, opt=opt)
    assert p.f.grad(3.0) == 1.5
    assert p.g.grad(3.0) == 3.0 + 2.0
    assert p.k.grad(3.0) == pytest.approx(27 / 4 + math.log1p(3) * 27, rel=1e-14)
    assert p.noise.grad(3.0) == 0.0
    assert p.ordinary.grad(1.0) == 3.0
    with pytest.raises(em.DifferentiationError, match="overwrites memory") as e:
        p.erased.grad(2.0)
    assert (e.value.code, e.value.line) == ("EM275", 19)


def test_recomputation_asked_for() -> None:
    source = r"""
    #include <math.h>
    %s static double dear(double x) { return exp(sin(x)); }
    double f(int n, const double x[n]) { double s = 1; for (int i = 0; i < n; i++) s *= dear(x[i]); return s; }
    """
    plain = em.compile_c(source % "__attribute__((noinline))").f
    asked = em.compile_c(source % "__attribute__((noinline, enzyme_shouldrecompute))").f
    x = np.linspace(0.1, 0.7, 5)
    np.testing.assert_allclose(plain.grad(x), asked.grad(x), rtol=1e-14)
    assert asked.cache().total_bytes(n=5) <= plain.cache().total_bytes(n=5)


BAD = {
    "not a function": ("double t; void *__enzyme_register_gradient_f[3] = {f, &t, &t};", "EM126", "is not a function"),
    "too few": ("void *__enzyme_register_gradient_f[2] = {f, f};", "EM126", "entry 3 is missing"),
    "unknown registration": (
        "void *__enzyme_registr_gradient_f[3] = {f, f, f};",
        "EM126",
        "there is none of this name",
    ),
    "no such operation": ('void *__enzyme_function_like_f[2] = {f, "sinus"};', "EM126", "did you mean sin"),
    "other arguments": ('void *__enzyme_function_like_f[2] = {f, "pow"};', "EM126", "takes 2 floating arguments"),
    "two gradients": (
        "double a(double x, double d) { return d; } double b(double x, double d) { return d; }"
        "void *__enzyme_register_gradient_f[3] = {f, f, a}; void *__enzyme_register_gradient_g[3] = {f, f, b};",
        "EM126",
        "two gradient functions",
    ),
    "gradient's parameters": (
        "double a(double x) { return x; } void *__enzyme_register_gradient_f[3] = {f, f, a};",
        "EM271",
        "its parameters do not fit",
    ),
    "gradient's result": (
        "void a(double x, double d) { } void *__enzyme_register_gradient_f[3] = {f, f, a};",
        "EM271",
        "its result should be double",
    ),
    "allocator: no pointer": ('void *__enzyme_allocation_like_f[4] = {f, 0, "-1", f};', "EM126", "returns no pointer"),
    "allocator: no size": (
        'void *a(double x); void r(void *p); void *__enzyme_allocation_like_a[4] = {a, 0, "-1", r};',
        "EM126",
        "is no number of bytes",
    ),
    "allocator: a list of nothing": (
        'void *a(long n); void r(void *p); void *__enzyme_allocation_like_a[4] = {a, 0, "1st", r};',
        "EM126",
        "is no list of arguments",
    ),
    "allocator: not the memory": (
        'void *a(long n); void r(void *p); void *__enzyme_allocation_like_a[4] = {a, 0, "0", r};',
        "EM126",
        "has -1 once",
    ),
    "allocator: other arguments": (
        'void *a(long n); void r(void *p); void *__enzyme_allocation_like_a[4] = {a, 0, "-1,0", r};',
        "EM126",
        "does not take the arguments",
    ),
    "allocator: too few": ("void *a(long n); void *__enzyme_allocation_like_a[2] = {a, 0};", "EM126", "is missing"),
    "attribute": (
        '__attribute__((enzyme("gradiant", f))) double a(double x) { return x; }',
        "EM126",
        "there are augment, gradient",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_registrations_that_do_not_fit(case: str) -> None:
    text, code, message = BAD[case]
    with pytest.raises(em.EnzymeError) as e:
        em.compile_c("double f(double x) { return x; }\n" + text).f.grad(1.0)
    assert e.value.code == code
    assert message in str(e.value)
    assert e.value.line == 2


def test_no_gradient_but_a_tape() -> None:
    source = r"""
    static double f(double x) { return x*x; }
    static void *augment(double x) { return (void *)1; }
    static double gradient(double x, double d, void *tape) { return 100*d*x; }
    void *__enzyme_register_gradient_f[3] = {f, augment, gradient};
    double g(double x) { return f(x)*f(x); }
    """
    assert em.compile_c(source).g.grad(2.0) == 2 * 4 * 200.0


def test_a_struct_by_value() -> None:
    source = r"""
    struct p { double x, y, z; };
    static double f(struct p a) { return a.x; }
    static double gradient(struct p a, double d) { return d; }
    void *__enzyme_register_gradient_f[3] = {f, f, gradient};
    double g(double x) { struct p a = {x, 1, 2}; return f(a); }
    """
    with pytest.raises(em.DifferentiationError) as e:
        em.compile_c(source, opt=0).g.grad(2.0)
    assert e.value.code == "EM272"


ASKS = r"""
#include <stdlib.h>
long live;
static void *take(long bytes) { live++; return malloc(bytes); }
static int give_back(void *p) { live--; free(p); return 1; }
void *__enzyme_allocation_like_take[4] = {take, 0, "-1", give_back};
long count(void) { return live; }
static double squares(double *p, double x, int n) {
    for (int i = 0; i < n; i++) p[i] = i ? x*p[i - 1] : x;
    return p[n/2]*p[n - 1];
}
double by_result(double x, int n) {
    double *p = take(8*n), r = squares(p, x, n);
    return give_back(p) ? r : 0;
}
double by_counter(double x, int n) {
    double *p = take(8*n), r = squares(p, x, n);
    give_back(p);
    return live ? r : 2*r;
}
double by_call(double x, int n) {
    double *p = take(8*n), r = squares(p, x, n);
    give_back(p);
    return r*(1 + count());
}
"""


@LEVELS
@pytest.mark.parametrize(("name", "lines"), [("by_result", [14]), ("by_counter", [19]), ("by_call", [7, 24])])
def test_a_function_that_asks_what_a_postponed_release_did(name: str, lines: list[int], opt: int) -> None:
    """Reverse mode calls the release later; forward mode where it stands. The line is that of the look, inlined or not."""
    f = em.compile_c(ASKS, opt=opt)[name]
    with pytest.raises(em.DifferentiationError, match="is called later in reverse mode") as e:
        f.grad(3.0, 4)
    assert e.value.code == "EM276"
    assert e.value.line in lines
    assert em.jvp(f, (3.0, 4), (1.0, None))[1] == pytest.approx(7 * f(3.0, 4) / 3.0)


def test_the_gradient_in_c_says_why_not() -> None:
    source = ASKS[: ASKS.index("double by_result")] + (
        "double f(double x, int n) { double *p = take(8*n), r = squares(p, x, n); give_back(p); return r; }"
    )
    f = em.compile_c(source).f
    assert f.grad(2.0, 4) == 7 * 2.0**6
    assert "not available" in str(f.gradient_c())
