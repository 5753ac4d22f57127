"""Joining modules; statics that other libraries can reach; programs borrowed by derivatives."""

import re

import pytest

import enzyme_magic as em
from enzyme_magic.backend.llvm import binding, link, optimize
from enzyme_magic.backend.llvm.objects import elf, jit
from enzyme_magic.errors import CompileError, ToolchainError

TWO = ("static int calls; double g(double x); double f(double x) { calls++; return g(x) + calls; }",
       "static int calls = 100; double g(double x) { return x * ++calls; }")  # fmt: skip


@pytest.mark.parametrize("level", [0, 2])
def test_two_sources_make_one_program(clang, load, call, level):
    program = link.link([clang(source) for source in TWO])
    library = load(optimize.pre_ad(program, level), ["f", "g"])
    assert call(library, "f", 2.0) == 203.0
    assert call(library, "f", 2.0) == 206.0


def test_a_name_defined_twice(clang):
    with pytest.raises(CompileError, match="'g' is defined twice") as caught:
        link.link([clang(TWO[1]), clang(TWO[1] + "\n")])
    assert caught.value.code == "EM131"
    assert "static" in caught.value.hint


def test_one_text_is_itself(clang):
    text = binding.canonical(clang(TWO[0]))
    assert link.link([text]) == text


def test_modules_that_do_not_fit():
    with pytest.raises(ToolchainError, match="EM134"):
        link.link(["@a = appending global [1 x i32] [i32 1]", "@a = appending global [1 x i64] [i64 1]"])


STATICS = """
static double table[2] = {1.0, 2.0};
static double unused_static;
static double __attribute__((noinline)) helper(double x, int i) { return x * table[i]; }
inline double c99(double x) { return x + 1; }
void set(int i, double value) { table[i] = value; }
double f(double x, int i) { static int calls; calls++; return helper(x, i) + calls + c99(x) + "abc"[i]; }
"""


@pytest.mark.parametrize("level", [0, 2])
def test_externalize(clang, load, call, level):
    program = link.externalize(optimize.pre_ad(clang(STATICS), level), "p7.")
    assert not re.search(r"^(?:@\S+ =|define) (?:internal|private|linkonce|available)", program, re.M)
    assert re.search(r"^@p7\.table = ", program, re.M)
    assert re.search(r"^@p7\.f\.calls = ", program, re.M)
    assert not re.search(r"@p7\.(?:f|set)\(", program), "external names stay"
    library = load(program, ["f", "set"])
    assert library.find("p7.table"), "the Program's library has it, whatever the last optimization found out"
    assert library.find("no such thing") is None
    assert call(library, "f", 2.0, 1) == 4.0 + 1 + 3.0 + ord("b")


def test_externalized_aliases(clang, load, call):
    text = "@g = internal alias double (double), ptr @h\ndefine internal double @h(double %x) {\n  ret double %x\n}\ndefine double @f(double %x) {\n  %r = call double @g(double %x)\n  ret double %r\n}\n"  # noqa: E501
    program = link.externalize(text, "q.")
    assert "@q.g = alias" in program
    assert call(load(program, ["f"], level=0), "f", 3.0) == 3.0


def test_borrowed_programs_cost_nothing_and_are_not_duplicated(clang, load):
    """A derivative's object holds the derivative alone."""
    program = link.externalize(optimize.pre_ad(clang(STATICS), 2), "p7.")
    derivative = (
        program
        + "define double @gradient(double %x, i32 %i) {\n  %r = call double @f(double %x, i32 %i)\n  ret double %r\n}\n"
    )
    borrowed = link.borrow(derivative, {"gradient"})
    assert re.search(r"^@p7\.table = external ", borrowed, re.M)
    image = jit.compile_object(optimize.post_ad(borrowed, 3))
    assert elf.read(image).defined == {"gradient"}
    assert "p7.f.calls" in elf.read(image).undefined


def test_borrowed_constants_are_still_folded(clang):
    source = "static const double weights[2] = {3.0, 5.0}; const double *where(void) { return weights; }"
    program = link.externalize(optimize.pre_ad(clang(source), 2), "p7.")
    body = "%p = getelementptr double, ptr @p7.weights, i64 1\n  %r = load double, ptr %p\n  ret double %r"
    text = f"{program}\ndefine double @g() {{\n  {body}\n}}\n"
    optimized = optimize.post_ad(link.borrow(text, {"g"}), 2)
    assert "ret double 5.000000e+00" in optimized


def test_constructors_belong_to_the_program(clang, load, call):
    source = "double x; __attribute__((constructor)) static void begin(void) { x += 1; } double f(void) { return x; }"
    program = link.externalize(optimize.pre_ad(clang(source), 2), "p7.")
    owner = load(program, ["f"])
    text = program + "define double @g() {\n  %r = call double @f()\n  ret double %r\n}\n"
    derivative = load(link.borrow(text, {"g"}), ["g"], (owner,))
    assert call(derivative, "g") == 1.0


def test_an_alias_of_a_place_within_a_variable() -> None:
    """The JIT cannot load one; what it names is used in its place, in derivatives too."""
    text = (
        "@g = global [2 x double] zeroinitializer\n@a = alias double, getelementptr (i8, ptr @g, i64 8)\n"
        "define double @f(double %x) {\n  store double %x, ptr @a\n  %y = load double, ptr @a\n"
        "  %z = fmul double %y, %x\n  ret double %z\n}\n"
    )
    for opt in (0, 2):
        f = em.compile_ir(text, opt=opt).f
        assert (f(3.0), f.grad(3.0)) == (9.0, 6.0)
