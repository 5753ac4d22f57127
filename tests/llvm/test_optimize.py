"""The pipelines around differentiation: what the IR looks like between them."""

import re

import pytest

from enzyme_magic.backend.llvm import binding, optimize
from enzyme_magic.errors import InternalError

RELU3 = """#include <math.h>
double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}
"""
SUMS = """#include <math.h>
double sumsq(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }
double dot(const double *x, const double *y, long n) { double s = 0; for (long i = 0; i < n; i++) s += x[i] * y[i]; return s; }
static double norm(const double *x, int n) { return sqrt(sumsq(x, n)); }
void normalize(double *restrict out, const double *restrict in, int n) {
    for (int i = 0; i < n; i++) out[i] = in[i] / norm(in, n);
}
"""


def body(text, name):
    found = re.search(rf"^define [^\n]*@{name}\(.*?^}}", text, re.M | re.S)
    assert found, f"{name} is gone"
    return found.group()


def opcodes(text):
    """Instruction opcodes of a function, debug records left out."""
    lines = [line.strip() for line in text.split("\n")[1:-1]]
    lines = [
        re.sub(r"^%\S+ = ", "", line)
        for line in lines
        if line and not line.startswith("#dbg") and ":" not in line.split(" ")[0]
    ]
    return [re.sub(r"^(?:tail|notail) ", "", line).split(" ")[0] for line in lines]


def blocks(text):
    """label -> text of a function's blocks."""
    parts = re.split(r"^([-\w$.]+):.*$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_relu3_becomes_a_select(clang, level):
    text = optimize.pre_ad(clang(RELU3), level)
    assert opcodes(body(text, "relu3")) == ["fcmp", "call", "select", "ret"]
    assert "@llvm.pow.f64" in body(text, "relu3")


def test_level_0_keeps_the_branches_and_promotes_memory(clang):
    text = optimize.pre_ad(clang(RELU3), 0)
    relu3 = body(text, "relu3")
    assert opcodes(relu3) == ["fcmp", "br", "call", "br", "br", "phi", "ret"]
    assert set(blocks(relu3)) == {"entry", "if.then", "if.else", "if.end"}


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_names_and_lines_survive(clang, level):
    text = optimize.pre_ad(clang(RELU3), level)
    assert "%cmp = fcmp ogt double %x" in text
    assert re.search(r'DILocalVariable\(name: "result"', text)
    assert re.search(r"@llvm.pow.f64\(.*!dbg", text)


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize(("name", "loads"), [("sumsq", 1), ("dot", 2)])
def test_counted_loops_are_canonical(clang, level, name, loads):
    """One rotated loop: a guard, a preheader, one block that counts an i64 up by one and compares, LCSSA phis at its exit."""
    parts = blocks(body(optimize.pre_ad(clang(SUMS), level), name))
    loops = {label: text for label, text in parts.items() if re.search(rf"br i1 .*%{re.escape(label)}(?=[, ])", text)}
    assert len(loops) == 1
    ((label, loop),) = loops.items()
    phis = re.findall(r"= phi (\w+) ", loop)
    assert sorted(phis) == ["double", "i64"]
    counter = re.search(r"%(\S+) = phi i64 \[(.*?)\], \[(.*?)\]", loop)
    assert "0, %for.body.preheader" in counter.group()
    assert re.search(rf"add nuw nsw i64 %{re.escape(counter.group(1))}, 1", loop)
    assert loop.count("= load ") == loads
    from_loop = rf"phi double \[ [^,]+, %{re.escape(label)} \](?:, !|\n)"
    exits = [part for other, part in parts.items() if other != label and re.search(from_loop, part)]
    assert len(exits) == 1, "the sum leaves the loop through a phi of its own"
    assert "vector" not in loop
    assert not re.search(r"<\d+ x ", loop)


def test_pure_calls_leave_loops_before_they_are_inlined(clang):
    """The talk's norm: O(n) instead of O(n^2), because the call is hoisted while it is still a call."""
    text = optimize.pre_ad(clang(SUMS), 2)
    normalize = body(text, "normalize")
    assert "sqrt" in normalize
    divided = next(text for text in blocks(normalize).values() if "fdiv" in text)
    assert "sqrt" not in divided
    assert len([text for label, text in blocks(normalize).items() if f"label %{label}" in text]) == 2
    assert "@norm(" not in text


def test_hoisting_needs_both_phases(clang):
    """A single ordinary O2 run inlines first and then cannot hoist the inner loop."""
    assert _blocks_with_both(optimize.post_ad(clang(SUMS), 2)), (
        "LLVM has learnt to do it in one: the first phase may go"
    )


def _blocks_with_both(text):
    return [part for part in blocks(body(text, "normalize")).values() if "sqrt" in part and "fdiv" in part]


TEMPLATE = """
template <class T> T norm(const T *x, int n) { T s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return __builtin_sqrt(s); }
struct Scale { double by; double apply(double x) const { return x / by; } };
extern "C" void normalize(double *__restrict out, const double *__restrict in, int n) {
    for (int i = 0; i < n; i++) out[i] = Scale{norm(in, n)}.apply(in[i]);
}
"""


def test_templates_are_looked_into_like_static_functions(clang):
    text = optimize.pre_ad(clang(TEMPLATE, language="cpp"), 2)
    assert not _blocks_with_both(text)
    assert "@_Z4norm" not in text


KEEP = """
static double helper(double x, int unused) { return 2 * x; }
static double dropped(double x) { return x; }
inline double c99(double x) { return x + 1; }
double f(double x) { return helper(x, 1) + dropped(x) + c99(x); }
"""


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_keep(clang, load, call, level):
    text = optimize.pre_ad(clang(KEEP), level, frozenset({"helper", "no such function"}))
    assert re.search(r"^define (?:noundef )?double @helper\(double [^,]*%x, i32 [^,]*%unused\)", text, re.M)
    assert ("@dropped" in text) == (level == 0)
    library = load(text, ["f", "helper"])
    assert call(library, "f", 3.0) == 13.0, "an inline function of C is defined where it is used"
    assert call(library, "helper", 3.0, 0) == 6.0


EXITS = """
#include <stdlib.h>
double f(double x, int n) {
    for (int i = 0; i < n; i++) { if (x > 100) return x; x *= 2; if (x < 0) return -1; if (x == 7) abort(); }
    if (n == 3) exit(1);
    return 0;
}
"""


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_one_exit(clang, level):
    f = opcodes(body(optimize.pre_ad(clang(EXITS), level), "f"))
    assert f.count("ret") == 1
    assert f.count("unreachable") == 1


def test_exits_may_stay_apart(clang):
    text = "define double @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  ret double 1.0\nb:\n  ret double 2.0\n}\n"
    assert opcodes(body(optimize.normalise_pre_ad(text), "f")).count("ret") == 1
    assert opcodes(body(optimize.normalise_pre_ad(text, unify_exits=False), "f")).count("ret") == 2


def test_musttail_keeps_its_own_return():
    text = (
        "declare double @g(double)\ndefine double @f(double %x, i1 %c) {\n  br i1 %c, label %a, label %b\n"
        "a:\n  %r = musttail call double @f(double %x, i1 %c)\n  ret double %r\nb:\n  ret double 2.0\n}\n"
    )
    assert opcodes(body(optimize.normalise_pre_ad(text), "f")).count("ret") == 2


def test_pre_ad_never_vectorizes_or_unrolls(clang):
    source = (
        "void f(float *restrict a, const float *restrict b, int n) { for (int i = 0; i < n; i++) a[i] += 2 * b[i]; }"
    )
    fixed = "double g(const double *a) { double s = 0; for (int i = 0; i < 64; i++) s += a[i]; return s; }"
    for level in (1, 2, 3):
        text = optimize.pre_ad(clang(source + fixed), level)
        assert not re.search(r"<\d+ x ", text)
        assert body(text, "g").count("fadd") == 1
        assert "llvm.loop.unroll" not in text
        assert "isvectorized" not in text
    assert re.search(r"<\d+ x float>", optimize.post_ad(text, 3))
    assert not re.search(r"<\d+ x ", optimize.post_ad(text, 0))


TABLE = """
@a = private unnamed_addr constant [2 x i8] c"a\\00"
@b = private unnamed_addr constant [3 x i8] c"bb\\00"
@names = private unnamed_addr constant [2 x ptr] [ptr @a, ptr @b], align 8
define ptr @f(i64 %i) {
  %p = getelementptr inbounds [2 x ptr], ptr @names, i64 0, i64 %i
  %v = load ptr, ptr %p, align 8
  ret ptr %v
}
"""


@pytest.mark.parametrize("level", [1, 2, 3])
def test_tables_of_pointers_stay_tables_of_pointers(level):
    """Where a distance leads is no analysis's to say: names in a hash table had no derivative beside them (EM221)."""
    found = optimize.pre_ad(TABLE, level)
    assert "load.relative" not in found
    assert "load ptr, ptr" in found


def test_post_ad_compiles_only_what_is_exported(clang):
    text = optimize.post_ad(optimize.pre_ad(clang(SUMS), 2), 3, exports={"dot"})
    assert re.findall(r"^define .*@(\w+)\(", text, re.M) == ["dot"]
    assert "sqrt" not in text


def test_exports_keep_what_they_use(clang, load, call):
    text = optimize.post_ad(
        clang(
            "double helper(double x) { return x + 1; } static double s = 2; double f(double x) { s *= x; return helper(s); }"
        ),
        0,
        exports={"f"},
    )
    assert "define internal double @helper" in text
    assert call(load(text, ["f"]), "f", 3.0) == 7.0


def test_debug_info_is_gone_after_ad_and_names_are_not(clang):
    text = optimize.pre_ad(clang(SUMS), 2)
    without = optimize.post_ad(text, 1)
    assert "!dbg" not in without
    assert "!DI" not in without
    assert "%arrayidx" in without
    assert "!tbaa" in without
    assert "!DILocation" in optimize.post_ad(text, 1, keep_debug=True)


def test_strip_debug_leaves_the_code_alone(clang):
    text = optimize.pre_ad(clang(SUMS + RELU3), 2)
    stripped = optimize.strip_debug(text)
    assert optimize.strip_debug(stripped) == stripped
    assert "!DI" not in stripped
    assert "llvm.loop.mustprogress" in stripped
    binding.verify(stripped)
    for name in ("sumsq", "dot", "normalize", "relu3"):
        assert opcodes(body(stripped, name)) == opcodes(body(text, name))
    used = set(re.findall(r"!\d+", stripped))
    assert used == set(re.findall(r"^(!\d+) = ", stripped, re.M)), "metadata that nothing reaches, or that is missing"


def test_strip_debug_keeps_loop_hints(clang):
    loop = "for (int i = 0; i < n; i++) s += x[i]; return s; }"
    source = "double f(const double *x, int n) { double s = 0;\n#pragma clang loop unroll_count(3)\n" + loop
    stripped = optimize.strip_debug(clang(source))
    assert '!"llvm.loop.unroll.count", i32 3' in stripped
    binding.verify(stripped)


def test_passes_by_llvms_names(clang):
    text = clang(RELU3)
    assert "alloca" in body(text, "relu3")
    assert "alloca" not in body(optimize.promote(text), "relu3")
    assert opcodes(body(optimize.passes(text, ("sroa", "simplifycfg", "loop_simplify", "lcssa")), "relu3"))[-1] == "ret"
    with pytest.raises(InternalError, match="no LLVM pass named 'licm'") as caught:
        optimize.passes(text, ("licm",))
    assert caught.value.code == "EM913"


@pytest.mark.parametrize("name", sorted(optimize.PASSES))
def test_every_pass_of_the_table_exists(clang, name):
    binding.verify(optimize.passes(clang(SUMS), (name,)))


def test_the_same_text_gives_the_same_text(clang):
    text = clang(SUMS + RELU3)
    assert optimize.pre_ad(text, 2) == optimize.pre_ad(text, 2)
    assert optimize.post_ad(text, 3) == optimize.post_ad(text, 3)


def test_long_blocks_are_not_searched_for_vectors():
    def sums(pairs):
        """Four numbers, added pairwise again and again, and stored side by side."""
        lines = [f"%v0.{k} = load double, ptr %x{k}" for k in range(4)]
        lines = [f"%x{k} = getelementptr double, ptr %x, i64 {k}" for k in range(4)] + lines
        lines += [f"%v{i}.{k} = fmul double %v{i - 1}.{k}, %v{i - 1}.{k}" for i in range(1, pairs) for k in range(4)]
        for k in range(4):
            lines += [f"%y{k} = getelementptr double, ptr %y, i64 {k}", f"store double %v{pairs - 1}.{k}, ptr %y{k}"]
        body = "\n  ".join(lines)
        return f"define void @f(ptr noalias %x, ptr noalias %y) {{\n  {body}\n  ret void\n}}\n"

    assert "x double>" in optimize.post_ad(sums(100), 3)
    assert "x double>" not in optimize.post_ad(sums(600), 3)


def nested(conditions: int) -> str:
    """A function as reverse sweeps are: each condition has a variable in memory, and all ways lead to one block."""
    slots = "".join(f"  %s{k} = alloca double\n  store double 0.0, ptr %s{k}\n" for k in range(conditions))
    ways = "".join(
        f"b{k}:\n  store double {k}.5, ptr %s{k}\n  %c{k} = fcmp ogt double %x, {k}.0\n"
        f"  br i1 %c{k}, label %b{k + 1}, label %end\n"
        for k in range(conditions)
    )
    sums = "".join(
        f"  %v{k} = load double, ptr %s{k}\n  %t{k + 1} = fadd double %t{k}, %v{k}\n" for k in range(conditions)
    )
    return (
        f"define double @f(double %x) {{\nentry:\n{slots}  br label %b0\n{ways}b{conditions}:\n  br label %end\n"
        f"end:\n  %t0 = fadd double %x, 0.0\n{sums}  ret double %t{conditions}\n}}\n"
    )


def test_what_is_made_of_nested_conditions_grows_with_their_number():
    """Not with its square, as it does where each variable becomes a merge at the end."""
    few, many, most = (len(optimize.post_ad(nested(count), 3)) for count in (60, 600, 1_200))
    assert many < 15 * few
    assert most < 2.5 * many
    assert "optnone" not in optimize.post_ad(nested(60), 3)
    assert "alloca" not in optimize.post_ad(nested(60), 3)


def test_what_must_be_inlined_is_not_left_as_it_is():
    text = nested(600).replace("double %x) {", "double %x) alwaysinline {", 1)
    assert "optnone" not in optimize.post_ad(text, 1)


def test_vectors_are_made_where_a_block_has_few_merges(monkeypatch):
    seen = []
    run = optimize._run_level
    monkeypatch.setattr(
        optimize, "_run_level", lambda module, level, **given: (seen.append(given["slp"]), run(module, level, **given))
    )
    optimize.post_ad(nested(20), 3)
    optimize.post_ad(nested(100), 3)
    assert seen == [True, False]
