"""The miscompiles that this layer must make impossible, each shown both ways: what goes wrong without our care, and that it
does not with it. Programs are C, compiled at every level, and run."""

import ctypes
import re

import pytest

from enzyme_magic.backend.llvm import attributes, binding, link, opaque, optimize

LEVELS = (0, 1, 2, 3)

RULES = """
static int calls;
static const double weights[2] = {3.0, 5.0};
static double tiny(double x) { calls++; return 2 * x; }
__attribute__((noinline)) static double constant(double x, int unused) { return 42.0; }
double pure(double x) { return x * weights[0] + weights[1]; }
inline double inlined(double x) { return x - 1; }
double f(double x) { return tiny(x) + constant(x, 7) + pure(x) + inlined(x); }
int count(void) { return calls; }
"""
WITH_RULE = ("tiny", "constant", "pure", "inlined")


def function_text(text, name):
    return re.search(rf"^define [^\n]*@{name}\(.*?^}}", text, re.M | re.S).group()


def arguments_of_calls(text, name):
    return re.findall(rf"call [^\n]*@{name}\(([^\n]*?)\)(?:,| #|$)", text, re.M)


@pytest.mark.parametrize("level", LEVELS)
def test_vanished_rule(clang, load, call, level):
    """A function with a rule keeps its calls and its argument list, be it static, tiny, foldable or pure, and still runs."""
    main, side = opaque.separate(clang(RULES), WITH_RULE)
    optimized = optimize.pre_ad(main, level)
    body = function_text(optimized, "f")
    for name in WITH_RULE:
        assert len(arguments_of_calls(body, name)) == 1, f"the call of {name} vanished:\n{body}"
        assert f"declare double @{name}(" in re.sub(r"noundef ", "", optimized)
    assert arguments_of_calls(body, "constant")[0].count(",") == 1, "a parameter was dropped"
    library = load(link.link([optimized, side]), ["f", "count"])
    assert call(library, "f", 2.0) == 4.0 + 42.0 + 11.0 + 1.0
    assert call(library, "count", result=ctypes.c_int) == 1, "the separated body writes another copy of the static"


def test_vanished_rule_would_happen_without_separation(clang):
    """The reason for `separate`: O2 removes every one of these calls, noinline or not."""
    body = function_text(optimize.pre_ad(clang(RULES), 2), "f")
    assert "42" in body or "4.200000e+01" in body
    assert all(not arguments_of_calls(body, name) for name in ("tiny", "pure", "inlined"))


@pytest.mark.parametrize("level", LEVELS)
def test_rule_for_a_function_named_like_a_library_function(clang, load, call, level):
    """LLVM knows what sin(0.0) is; it must not apply that to the user's own function of that name."""
    source = "double sin(double x) { return x + 5.0; } double f(void) { return sin(0.0); }"
    main, side = opaque.separate(clang(source, "-fno-builtin"), ["sin"])
    optimized = optimize.pre_ad(main, level)
    assert arguments_of_calls(function_text(optimized, "f"), "sin")
    assert call(load(link.link([optimized, side]), ["f"]), "f") == 5.0


FOLDED = """
static double table[3];
static double scale = 1.0;
void init(void) { for (int i = 0; i < 3; i++) table[i] = i + 1; scale = 2.0; }
double lookup(int i) { return scale * table[i]; }
"""


@pytest.mark.parametrize("level", LEVELS)
def test_folded_static(clang, load, call, level):
    """A static that another function writes is not folded: the whole program is optimized, init() included."""
    library = load(optimize.pre_ad(clang(FOLDED), level), ["init", "lookup"])
    assert call(library, "lookup", 2) == 0.0
    call(library, "init", result=None)
    assert call(library, "lookup", 2) == 6.0


def test_folded_static_would_happen_if_init_were_dropped_first(clang, load, call):
    """The reason for optimizing the whole program: without its writer, the table is a table of zeros for ever."""
    text = optimize.post_ad(clang(FOLDED), 2, exports={"lookup"})
    assert "@init" not in text
    assert call(load(text, ["lookup"]), "lookup", 2) == 0.0
    assert "load" not in function_text(text, "lookup")


# A primal `square` and its gradient, which writes to the shadow: a clone that kept the primal's attributes.
KEPT_MEMORY_NONE = """
define internal noundef double @square_reverse(double noundef %x, ptr noundef readnone captures(none) %shadow) #0 {
  %twice = fmul double %x, 2.000000e+00
  store double %twice, ptr %shadow, align 8
  ret double %twice
}

define double @gradient(double %x) {
  %shadow = alloca double, align 8
  store double 0.000000e+00, ptr %shadow, align 8
  %unused = tail call noundef double @square_reverse(double noundef %x, ptr readnone captures(none) %shadow) #1
  %result = load double, ptr %shadow, align 8
  ret double %result
}

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) "no-trapping-math"="true" }
attributes #1 = { nounwind memory(none) }
"""


def test_kept_memory_none_deletes_the_shadow_store_without_a_word(load, call):
    binding.verify(KEPT_MEMORY_NONE)  # the verifier sees nothing wrong with it
    assert call(load(KEPT_MEMORY_NONE, ["gradient"]), "gradient", 3.0) != 6.0


@pytest.mark.parametrize("level", LEVELS)
def test_kept_memory_none(load, call, level):
    """Generated functions promise nothing, so the store into the shadow survives every level."""
    stripped = attributes.strip_generated(KEPT_MEMORY_NONE, {"square_reverse"})
    assert call(load(stripped, ["gradient"], level=level), "gradient", 3.0) == 6.0


STATICS = """
static double table[2] = {1.0, 2.0};
static const double constants[2] = {10.0, 20.0};
static int calls;
static double __attribute__((noinline)) helper(double x) { calls++; return x * table[calls > 1000]; }
void set(int i, double value) { table[i] = value; }
double f(double x) { return helper(x) + table[1] + constants[calls > 1000]; }
int count(void) { return calls; }
"""
DERIVATIVE = """
define double @{name}(double %x) {{
  %value = call double @f(double %x)
  %scale = load double, ptr @{prefix}table, align 8
  %constant = load double, ptr @{prefix}constants, align 8
  %sum = fadd double %scale, %constant
  store double 7.000000e+00, ptr getelementptr inbounds (i8, ptr @{prefix}table, i64 8), align 8
  ret double %sum
}}
"""


@pytest.mark.parametrize("level", LEVELS)
def test_duplicated_statics(clang, load, call, level):
    """A derivative in a library of its own sees the Program's writes to a static, the Program sees the derivative's, and a
    function of the Program inlined into the derivative counts in the Program's counter."""
    program = link.externalize(optimize.pre_ad(clang(STATICS), level), "p0.")
    owner = load(program, ["f", "set", "count"])
    both = program + DERIVATIVE.format(name="gradient", prefix="p0.")
    derivative = load(link.borrow(both, {"gradient"}), ["gradient"], (owner,))
    assert call(derivative, "gradient", 3.0) == 11.0
    call(owner, "set", 0, 5.0, result=None)
    assert call(derivative, "gradient", 3.0) == 15.0
    assert call(owner, "f", 1.0) == 5.0 + 7.0 + 10.0
    assert call(owner, "count", result=ctypes.c_int) == 3


def test_duplicated_statics_would_happen_with_a_copy(clang, load, call):
    program = link.externalize(optimize.pre_ad(clang(STATICS), 2), "p0.")
    owner = load(program, ["set"])
    copy = load(program + DERIVATIVE.format(name="gradient", prefix="p0."), ["gradient"])
    call(owner, "set", 0, 5.0, result=None)
    assert call(copy, "gradient", 3.0) == 11.0


def test_two_programs_with_the_same_statics_stay_apart(clang, load, call):
    """A second cell with the same text is a new Program: what one writes, the other does not see."""
    program = link.externalize(optimize.pre_ad(clang(STATICS), 2), "p.")
    first, second = load(program, ["set", "f"]), load(program, ["set", "f"])
    call(first, "set", 0, 100.0, result=None)
    assert (call(first, "f", 1.0), call(second, "f", 1.0)) == (112.0, 13.0)


def test_inttoptr_is_nothing_we_introduce(clang):
    """Address arithmetic through integers can be miscompiled: no stage of ours makes any."""
    main, side = opaque.separate(clang(STATICS), ["helper"])
    for level in LEVELS:
        assert "inttoptr" not in optimize.pre_ad(main, level) + side


ADDRESS_OR_NUMBER = """
typedef struct { long tag; union { double d; double *v; long any; } u; } V;
double f(double x, int n) {
    double w[3] = {x, x*0.5, x*x};
    V t[3], k[3], r;
    t[0] = (V){0, {.d = x*x}}; t[1] = (V){1, {.v = w}}; t[2] = (V){1, {.v = w + 1}};
    for (int i = 0; i < 3; i++) k[2 - i] = t[i];
    r = k[n & 1]; if (r.tag) r.u.v[0] *= x;
    return r.tag ? r.u.v[0] + w[1] : r.u.d; }
"""


def test_an_address_in_the_register_of_a_number(clang, call):
    """The fast instruction selection of level 0 takes another register for the address: it gave 0.75."""
    from enzyme_magic.backend.llvm.objects import jit

    code = jit.compile_object(optimize.pre_ad(clang(ADDRESS_OR_NUMBER), 2), 0)
    assert call(jit.Library.load([code], ["f"], (), None), "f", 1.5, 1) == 3.0
