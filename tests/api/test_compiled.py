"""The Python API over the real compiler: C in, numbers and gradients out."""

from __future__ import annotations

import ctypes
import gc
import inspect
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import enzyme_magic as em
import enzyme_magic.testing
from enzyme_magic.api.program import NoSuchFunction
from enzyme_magic.backend.frontend.clang import toolchain
from enzyme_magic.backend.llvm import binding
from enzyme_magic.backend.store import portable
from enzyme_magic.errors import ArgumentError, CompileError, DifferentiationError, ExecutionError, ToolchainError

ROOT = Path(__file__).resolve().parents[2]
RELU3 = """
double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}
"""
SOURCE = (
    RELU3
    + """
struct point { double x; int id; double y; };
typedef double _Complex complex_t;

double dot(size_t n, const double x[n], const double y[n]) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i]*y[i];
    return sum;
}
double product(double x, double lambda) { return x*lambda; }
float halve(float x) { return x/2; }
long double third(long double x) { return x/3; }
int twice(int k) { return 2*k; }
_Bool positive(double x) { return x > 0; }
unsigned char low(unsigned char c) { return c + 1; }
void scale(double *x, size_t n, double by) { for (size_t i = 0; i < n; i++) x[i] *= by; }
double squares(const double *x, size_t n, double *out) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = x[i]*x[i];
        sum += out[i];
    }
    return sum;
}
struct point mirror(struct point p) { struct point q = {p.y, p.id + 1, p.x}; return q; }
complex_t turn(complex_t z) { return z * 1.0i; }
double first_y(const struct point *p) { return p->y; }
double root(double x) { assert(x >= 0); return sqrt(x); }
double leave(double x) { if (x > 1) exit(3); return x; }
double stop(double x) { if (x > 1) abort(); return x; }
double say(double x) { printf("c says %g\\n", x); return x*x; }
double trace(int n, int m, const double A[n][m]) {
    double sum = 0;
    for (int i = 0; i < n && i < m; i++)
        sum += A[i][i];
    return sum;
}
static double hidden(double x) { return x; }
double rows(double **rows) { return rows[0][0]; }
double apply(double (*g)(double), double x) { return g(x); }
"""
)


@pytest.fixture(scope="module")
def p():
    return em.compile_c(SOURCE, name="In[7]")


def test_the_main_job(p):
    relu3 = p.relu3
    assert relu3(2.0) == 8.0
    assert relu3.grad(2.0) == 12.0
    assert relu3.grad(-1.0) == 0.0
    assert relu3.value_and_grad(2.0) == (8.0, 12.0)
    xs = np.linspace(-2, 2, 200)
    assert np.allclose(relu3.grad.map(xs), np.where(xs > 0, 3 * xs * xs, 0.0), rtol=1e-15)
    assert np.allclose(relu3.map(xs), np.where(xs > 0, xs**3, 0.0), rtol=1e-15)
    em.check_grads(relu3, 1.5)
    em.check_grads(relu3, -1.5)


def test_results_of_every_kind(p):
    assert type(p.halve(0.5)) is np.float32
    assert p.halve(0.5) == 0.25
    assert p.third(1) == np.longdouble(1) / 3
    assert p.twice(21) == 42
    assert p.positive(1.0) is True
    assert p.low(255) == 0
    assert p.turn(1 + 2j) == -2 + 1j
    mirrored = p.mirror((1.0, 7, 2.0))
    assert (mirrored["x"], mirrored["id"], mirrored["y"]) == (2.0, 8, 1.0)
    assert p.mirror(mirrored)["x"] == 1.0
    points = np.zeros(2, p.first_y.dtypes["p"])
    points["y"] = 5.0
    assert p.first_y(points) == 5.0
    assert points.dtype.names == ("x", "id", "y")


def test_sizes_follow_from_the_declarator(p):
    x, y = np.arange(4.0), np.ones(4)
    assert p.dot(x, y) == 6.0
    assert p.dot(2, x, y) == 1.0
    assert list(inspect.signature(p.dot).parameters) == ["x", "y", "n"]
    with pytest.raises(ArgumentError, match="n would be 4 by x and 3 by y"):
        p.dot(x, y[:3])
    with pytest.raises(ArgumentError, match="x needs at least n = 10 elements, got 4"):
        p.dot(10, x, y)
    assert p.trace(np.arange(6.0).reshape(2, 3)) == 4.0


def test_gradients_of_arrays(p):
    x, y = np.arange(4.0), np.linspace(1, 2, 4)
    gradient = p.dot.grad(x, y)
    assert np.array_equal(gradient.x, y)
    assert np.array_equal(gradient.y, x)
    assert gradient.x.ctypes.data % 64 == 0
    assert np.array_equal(em.grad(p.dot, wrt="y")(x, y), x)
    value, again = em.value_and_grad(p.dot, wrt=("y", "x"))(x, y)
    assert value == p.dot(x, y)
    assert np.array_equal(again.y, x)
    same = p.dot.grad(x, x)
    assert np.array_equal(same.x, x)
    assert np.array_equal(same.y, x)
    em.check_grads(p.dot, (x, y))


def test_scalar_gradients(p):
    assert p.product.grad(3.0, 2.0).asdict() == {"x": 2.0, "lambda": 3.0}
    assert type(p.halve.grad(1.0)) is np.float32
    assert p.third.grad(1) == np.longdouble(1) / 3


def test_one_line(p):
    assert str(p.dot) == "dot(size_t n, const double x[n], const double y[n]) -> double | grad: x, y"
    assert str(p.twice) == "twice(int k) -> int | grad: none"
    assert str(p.scale).endswith("| vjp: x, by -> x")
    assert repr(p.relu3) == "<C function relu3(double x) -> double from In[7]>"


def test_in_place(p):
    x = np.ones(3)
    assert p.scale(x, 3, 2.0) is None
    assert x.tolist() == [2.0] * 3


def test_leaving_raises_and_the_process_lives(p):
    with pytest.raises(ExecutionError, match=r"assertion `x >= 0' failed at line \d+ \(In\[7\]\)") as caught:
        p.root(-1.0)
    assert SOURCE.splitlines()[caught.value.line - 1].startswith("double root")
    with pytest.raises(ExecutionError, match=r"exit\(3\) called"):
        p.leave(2.0)
    with pytest.raises(ExecutionError, match=r"abort\(\) called"):
        p.stop(2.0)
    assert p.root(4.0) == 2.0
    assert p.root.grad(4.0) == 0.25
    with pytest.raises(ExecutionError, match="x >= 0"):
        p.root.grad(-1.0)
    with pytest.raises(ExecutionError):
        p.root.grad.map(np.array([1.0, -1.0]))


def test_output_appears_once_and_in_order(p, capsys):
    print("one")
    p.say(2.0)
    print("two")
    assert p.say.grad(3.0) == 6.0
    print("three")
    assert capsys.readouterr().out == "one\nc says 2\ntwo\nc says 3\nthree\n"


@pytest.mark.parametrize("name", ["positive", "scale", "mirror", "turn"])
def test_a_gradient_needs_a_float_result(p, name):
    with pytest.raises(DifferentiationError, match=f"{name} returns"):
        p[name].grad(1.0)


def test_a_struct_behind_a_pointer_has_a_gradient_of_its_own_dtype(p):
    points = np.zeros(2, p.first_y.dtypes["p"])
    gradient = p.first_y.grad(points)
    assert gradient.dtype == points.dtype
    assert gradient["y"].tolist() == [1.0, 0.0]
    assert gradient["x"].tolist() == [0.0, 0.0]


def test_refused_from_python(p):
    with pytest.raises(ArgumentError, match=r"double \*\*rows"):
        p.rows(None)
    with pytest.raises(ArgumentError, match="function pointer"):
        p.apply(None, 1.0)


def test_names(p):
    assert "hidden" not in p
    with pytest.raises(NoSuchFunction, match="did you mean relu3"):
        p["relu"]
    with pytest.raises(ArgumentError, match="no parameter 'y'"):
        em.grad(p.relu3, wrt="y")


def test_addresses_are_c_functions(p):
    f = p.relu3
    assert ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(f.address)(2.0) == 8.0


def test_options():
    p = em.compile_c("double f(double x) { return K*x; }", define={"K": 3}, opt=0, name="In[8]")
    assert p.f.grad(1.0) == 3.0
    shaped = em.compile_c("double s(const double *x, int n) { return n > 0 ? x[n-1] : 0; }", shape={"x": "n"})
    assert shaped.s(np.arange(5.0)) == 4.0
    const = em.compile_c("double f(double x, double w) { return w*x; }", activity={"w": "const"})
    assert const.f.grad(2.0, 3.0) == 3.0
    with pytest.raises(ArgumentError, match="marked const"):
        em.grad(const.f, wrt="w")


def test_several_sources(tmp_path):
    path = tmp_path / "helper.c"
    path.write_text("double helper(double x) { return x*x; }")
    p = em.compile_c(["double helper(double); double f(double x) { return 3*helper(x); }", path])
    assert p.f.grad(2.0) == 12.0
    assert p.helper(3.0) == 9.0


def test_ir_text_instead_of_c(p):
    for stage in ("input", "optimized"):
        again = em.compile_ir(p.relu3.ir(stage), name="ir")
        assert again.relu3.grad(2.0) == 12.0
        assert again.dot.grad(2, np.ones(2), np.arange(2.0)).x.tolist() == [0.0, 1.0]


def test_ir_text_without_debug_info():
    p = em.compile_ir("define double @f(double %x, double %y) {\n  %r = fmul double %x, %y\n  ret double %r\n}")
    assert p.f.grad(2.0, 3.0).asdict() == {"x": 3.0, "y": 2.0}


def test_pointers_of_ir_text_have_the_type_they_are_used_with():
    p = em.compile_ir("""
define double @dot(ptr %x, ptr %y, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ 0.0, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %px = getelementptr double, ptr %x, i64 %i
  %py = getelementptr double, ptr %y, i64 %i
  %a = load double, ptr %px
  %b = load double, ptr %py
  %m = fmul double %a, %b
  %t = fadd double %s, %m
  %next = add i64 %i, 1
  br label %head
done:
  ret double %s
}
define i32 @mixed(ptr %p, ptr %unused, ptr %k) {
  %a = load float, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  %b = load i32, ptr %q
  %c = load i32, ptr %k
  %d = add i32 %b, %c
  %e = fptosi float %a to i32
  %f = add i32 %d, %e
  ret i32 %f
}
""")
    assert str(p.dot) == "dot(double *x, double *y, long n) -> double | grad: x, y"
    x, y = np.arange(3.0), np.ones(3)
    assert p.dot.grad(x, y, 3).x.tolist() == [1.0] * 3
    assert str(p.mixed).startswith("mixed(void *p, void *unused, int *k) -> int")
    with pytest.raises(ArgumentError, match="x needs at least n = 4 elements, got 3"):
        p.dot(x, y, 4)


def test_mistakes_in_ir():
    with pytest.raises(CompileError, match="expected type") as caught:
        em.compile_ir("define double @f(")
    assert caught.value.code == "EM120"
    with pytest.raises(
        CompileError, match=r"no function .*; f cannot be called from Python: i32 \(\{ i32, i32 \}\)"
    ) as caught:
        em.compile_ir("define i32 @f({ i32, i32 } %x) {\n  ret i32 0\n}")
    assert caught.value.code == "EM119"


def test_mistakes_in_c():
    with pytest.raises(CompileError, match="expected ';'"):
        em.compile_c("double f(double x) { return x }")
    with pytest.raises(CompileError) as caught:
        em.compile_c("   \n  ")
    assert caught.value.code == "EM111"


def test_statics_are_shared_between_the_function_and_its_gradient_and_map():
    p = em.compile_c(
        "static double factor = 1; void set(double k) { factor = k; } double f(double x) { return factor*x; }"
    )
    p.set(5.0)
    assert p.f(2.0) == 10.0
    assert p.f.grad(2.0) == 5.0
    assert p.f.map(np.ones(3)).tolist() == [5.0] * 3
    assert p.f.grad.map(np.ones(3)).tolist() == [5.0] * 3
    p.set(7.0)
    assert p.f.grad(2.0) == 7.0
    assert p.f.grad.map(np.ones(3)).tolist() == [7.0] * 3


def test_a_second_program_does_not_change_the_first():
    old = em.compile_c("double f(double x) { return x; }", name="In[1]").f
    gradient = old.grad
    new = em.compile_c("double f(double x) { return 2*x; }", name="In[2]").f
    gc.collect()
    assert (old(1.0), gradient(1.0), new(1.0), new.grad(1.0)) == (1.0, 1.0, 2.0, 2.0)
    assert "In[1]" in repr(old)
    assert "In[2]" in repr(new.grad)


def test_objects_outlive_their_program():
    gradient = em.compile_c(RELU3).relu3.grad
    mapped = em.compile_c(RELU3).relu3.grad.map
    gc.collect()
    assert gradient(2.0) == 12.0
    assert mapped(np.array([2.0]))[0] == 12.0


@pytest.mark.parametrize(
    "make", [lambda p: p, lambda p: p.dot, lambda p: p.dot.grad, lambda p: em.grad(p.dot, wrt="y")]
)
def test_pickles_work_in_another_process(p, make, tmp_path):
    path = tmp_path / "object.pickle"
    path.write_bytes(pickle.dumps(make(p)))
    script = (
        "import pickle, sys, numpy as np\n"
        f"thing = pickle.loads(open({str(path)!r}, 'rb').read())\n"
        "x = np.arange(3.)\n"
        "thing = getattr(thing, 'dot', thing)\n"
        "print(np.asarray(thing(x, x)).tolist(), repr(thing))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "In[7]" in done.stdout
    assert done.stdout.startswith(("5.0", "[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]", "[0.0, 1.0, 2.0]"))


def test_pickles_of_another_architecture_are_refused(p):
    machine = binding.host_triple().split("-")[0]
    with pytest.raises(ToolchainError, match="was made on qq") as caught:
        _restored_as(p, lambda text: text.replace(machine, "q" * len(machine)))
    assert caught.value.code == "EM108"


def _restored_as(p, changed):
    """Of a pickle that was written with another text."""
    restore, (carried, called) = p.__reduce__()
    text, *others = portable.opened(carried)
    assert changed(text) != text
    return restore(portable.sealed(changed(text), *others), called)


def test_pickles_of_another_version_are_refused(p):
    with pytest.raises(ToolchainError, match="another version") as caught:
        _restored_as(p, lambda text: text.replace('"ProgramRecord"', '"ProgramRecorD"'))
    assert caught.value.code == "EM109"
    restore, (_, called) = p.__reduce__()
    with pytest.raises(ToolchainError, match="another version") as caught:
        restore("{}", (), p.options, p.name, called)  # what earlier ones wrote
    assert caught.value.code == "EM109"


def test_a_pickle_with_a_changed_byte_is_an_error_and_never_another_program(p):
    data = pickle.dumps(p)
    carried = p.__reduce__()[1][0]
    begin = data.index(carried)
    for at in range(begin, begin + len(carried), max(len(carried) // 300, 1)):
        changed = bytearray(data)
        changed[at] ^= 1 << at % 8
        with pytest.raises(ToolchainError) as caught:
            pickle.loads(bytes(changed))
        assert caught.value.code == "EM109"
    assert pickle.loads(data) is not None


def test_pickles_need_no_compiler_and_no_headers(tmp_path, monkeypatch):
    """The IR is in the pickle: headers may be gone, and clang too."""
    (tmp_path / "factor.h").write_text("#define FACTOR 3")
    source = '#include "factor.h"\ndouble f(double x) { return FACTOR*x*x; }\ndouble g(double x[2]) { return x[1]; }'
    data = pickle.dumps(em.compile_c(source, include=[tmp_path]).f.grad)
    (tmp_path / "factor.h").unlink()

    def no_compiler(*args):
        raise AssertionError("the compiler is asked")

    monkeypatch.setattr(toolchain, "find", no_compiler)
    again = pickle.loads(data)
    assert again(2.0) == 12.0
    assert again.function.map(np.array([1.0, 2.0])).tolist() == [3.0, 12.0]
    with pytest.raises(ArgumentError, match="x needs at least 2 elements, got 1"):
        again.function.program.g(np.ones(1))
    assert pickle.loads(data)(1.0) == 6.0


def test_threads_compile_and_call(p):
    fresh = em.compile_c(RELU3, name="In[9]")
    results: list[float] = []
    threads = [threading.Thread(target=lambda: results.append(fresh.relu3.grad(2.0))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [12.0] * 6


def test_same_inputs_same_bits(p):
    x, y = np.random.default_rng(1).standard_normal((2, 100))
    first, second = p.dot.grad(x, y), p.dot.grad(x, y)
    assert first.x.tobytes() == second.x.tobytes()


def test_ir_stages(p):
    for stage in ("input", "optimized", "gradient", "gradient-optimized"):
        text = p.relu3.ir(stage)
        name = "diffe_relu3" if stage.startswith("gradient") else "relu3"
        first = next(line for line in text.splitlines() if line.startswith("define "))
        assert f"@{name}(" in first
    assert "%differet" in p.relu3.ir("gradient")
    again = p.relu3.ir("gradient-optimized", seed="argument")
    assert "%differet" in again


def test_written_buffers_are_copied(p):
    x, out = np.arange(3.0), np.full(3, 9.0)
    gradient = p.squares.grad(x, 3, out)
    assert np.array_equal(gradient, 2 * x)
    assert out.tolist() == [9.0] * 3
    assert str(p.squares).endswith("| grad: x")
    with pytest.raises(ArgumentError, match="share memory"):
        p.squares.grad(x, 3, x)
    with pytest.raises(ArgumentError, match="holds before the call"):
        em.grad(p.squares, wrt="out")
    em.check_grads(p.squares, (x + 1, 3, out))


def test_check_grads_of_every_precision_and_shape(p):
    assert em.check_grads(p.halve, 0.3).worst < 1e-3
    assert em.check_grads(p.third, (2,)).worst < 1e-7
    assert em.check_grads(p.trace, (2, 3, np.arange(6.0).reshape(2, 3))).points == 7
    large = np.random.default_rng(5).standard_normal(300)
    assert em.check_grads(p.dot, (large, large[::-1].copy())).points == 2 * 33


def test_check_grads_says_when_it_looks_like_a_kink():
    kinked = em.compile_c("double ramp(double x) { return x > 0 ? x : 0; }").ramp
    with pytest.raises(
        em.testing.GradientMismatch, match=r"with respect to x is 0\.0, finite differences give 0\.5"
    ) as caught:
        em.check_grads(kinked, 0.0)
    assert "is there a kink?" in caught.value.hint
    em.check_grads(kinked, 1.0)


def test_looking_inside(p):
    f = p.relu3
    assert f.report.function == "relu3"
    assert f.report.wrt == ("x",)
    active = [row.opcode for row in f.activity() if row.verdict.active]
    assert "select" in active
    assert "fcmp" not in active
    assert f.cache().total_bytes() == 0
    assert "saved" in repr(f.cache())
    assert f.why("line 4").splitlines()[0].startswith("line 4 is ")
    assert f.why(6) == "line 6 has no instruction of its own after optimization"
    with pytest.raises(ArgumentError, match="no instruction of line 999"):
        f.why(999)
    assert "x" in f.why("x")
    assert f.why(wrt="x") == f.why("x")
    with pytest.raises(ArgumentError, match="no value %nothing"):
        f.why("%nothing")


def test_pictures_without_the_extension(p):
    import graphviz

    graph = p.relu3.activity().graph
    assert isinstance(graph, graphviz.Source)
    assert "digraph" in graph.source
    assert p.relu3.show() is not None
    assert "digraph" in p.relu3.ir("gradient-optimized").graph.source
