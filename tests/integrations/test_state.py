"""One program has one state in a process; numbers travel with pickles, addresses do not; names tell programs apart."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError, ToolchainError
from enzyme_magic.integrations import identity
from enzyme_magic.integrations.operation import operation
from enzyme_magic.integrations.scipy import objective
from tests.integrations.frameworks import need

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """
#include <stdlib.h>
static double g = 1.0;
double scale[4];
static double *table;
void set_g(double v) { g = v; }
void init(void) { for (int i = 0; i < 4; i++) scale[i] = i + 1; }
void fill(int n) { table = malloc(n*sizeof(double)); for (int i = 0; i < n; i++) table[i] = i; }
double f(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += g*scale[i]*x[i]*x[i]*x[i]; return s; }
double from_table(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += table[i]*x[i]; return s; }
double h(double x) { return g*x*x; }
double counts(double x) { static double calls; calls += 1; return calls*x; }
"""
X = np.array([1.0, 2.0, -3.0, 4.0])
SCALE = np.arange(1.0, 5.0)
ONE = np.array(1.0)


def compiled(text: str = SOURCE) -> em.Program:
    return em.compile_c(text, shape={"x": "n"})


@pytest.fixture
def program() -> em.Program:
    made = compiled()
    made.init()
    return made


def test_an_operation_is_the_programs_function(program: em.Program) -> None:
    own = operation(program.f)
    reshaped = operation(program.f, shape={"x": "n"})
    least = objective(program.f, "x")
    for g in (1.0, 1.62, -2.0):
        program.set_g(g)
        value, gradient, curvature = g * SCALE @ X**3, 3 * g * SCALE * X**2, 6 * g * SCALE * X
        for made in (own, reshaped):
            np.testing.assert_allclose(made([X], {})[0], value)
            np.testing.assert_allclose(made.vjp([X, ONE], {})[0], gradient)
            np.testing.assert_allclose(made.jvp([X, X], {})[0], gradient @ X)
            np.testing.assert_allclose(made.vjp.jvp([X, ONE, np.ones(4), 0 * ONE], {})[0], curvature)
            np.testing.assert_allclose(made([np.stack([X, X])], {}, 1)[0], [value, value])
        np.testing.assert_allclose(least.hess(X), np.diag(curvature))
        np.testing.assert_allclose(program.h.map(X), g * X**2)
        np.testing.assert_allclose(program.h.grad.map(X), 2 * g * X)
        np.testing.assert_allclose(em.grad(program.f)(X), gradient)


def test_a_copy_in_one_process_is_the_same_program(program: em.Program) -> None:
    for again in (copy.copy(program.f), copy.deepcopy(program.f), pickle.loads(pickle.dumps(program.f))):
        again.program.set_g(3.0)
        np.testing.assert_allclose(program.f(X), 3 * SCALE @ X**3)
        program.set_g(1.0)
        np.testing.assert_allclose(again(X), SCALE @ X**3)
    other = compiled()
    other.set_g(5.0)
    np.testing.assert_allclose(program.f(X), SCALE @ X**3)


def test_numbers_travel_and_addresses_do_not(program: em.Program, tmp_path: Path) -> None:
    program.set_g(1.5)
    program.fill(3)
    for thing in (program.from_table, em.grad(program.from_table), operation(program.from_table)):
        with pytest.raises(ToolchainError, match="from_table uses table, which holds addresses") as caught:
            pickle.dumps(thing)
        assert caught.value.code == "EM107"
    _, pullback = program.f.vjp(X)
    things = [
        program.f,
        em.grad(program.f),
        operation(program.f).vjp,
        program.h.map,
        program.h.grad.map,
        pullback,
        program,
    ]
    (tmp_path / "things").write_bytes(pickle.dumps(things))
    program.set_g(100.0)
    script = f"""
import json, pickle
import numpy as np
things = pickle.loads(open({str(tmp_path / "things")!r}, "rb").read())
f, grad, vjp, mapped, slopes, pullback, program = things
x = np.array({X.tolist()})
def values():
    found = f(x), grad(x), vjp([x, np.array(1.0)], {{}})[0], mapped(x), slopes(x), pullback(1.0)
    return [np.asarray(value).tolist() for value in found]
first = values()
program.set_g(2.0)
try:
    program.from_table(x)
    refused = ""
except Exception as error:
    refused = str(error)
print(json.dumps([first, values(), refused]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    *both, refused = json.loads(done.stdout)
    for g, found in zip((1.5, 2.0), both, strict=True):
        cubes, slopes = g * SCALE @ X**3, 3 * g * SCALE * X**2
        for got, expected in zip(found, (cubes, slopes, slopes, g * X**2, 2 * g * X, slopes), strict=True):
            np.testing.assert_allclose(got, expected)
    assert "from_table uses table" in refused


def test_names_say_what_is_computed(tmp_path: Path) -> None:
    plain = "double f(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*x[i]; return s; }"

    def name(text: str = plain, **options: object) -> str:
        made = em.compile_c(text, **{"shape": {"x": "n"}, **options})
        return identity.name_of(operation(made.f))

    half = em.custom_vjp("f1", lambda x, d: 0.5 * d * x)
    third = em.custom_vjp("f1", lambda x, d: 0.3 * d * x)
    ruled = "double f1(double x) { return x*x; } double f(double x) { return f1(x); }"
    header = tmp_path / "factor.h"
    included = '#include "factor.h"\n' + plain.replace("s += ", "s += FACTOR*")
    header.write_text("#define FACTOR 1.5")
    before = name(included, include=[str(tmp_path)])
    header.write_text("#define FACTOR 2.5")
    names = [
        name(),
        name(plain.replace("x[i]*x[i]", "x[i]")),
        name(activity={"x": "const"}),
        name(post_opt=1),
        name(strict=True),
        before,
        name(included, include=[str(tmp_path)]),
        name(ruled, shape={}, custom=[half]),
        name(ruled, shape={}, custom=[third]),
    ]
    assert len(set(names)) == len(names)
    assert names[0] == name()
    writes = em.compile_c("void f(const double *x, long n, double *y) { for (long i = 0; i < n; i++) y[i] = x[i]; }")
    shapes = [(3,), (4,), lambda x: (3,), lambda x: (4,), {"y": (3,)}]
    named = [identity.name_of(operation(writes.f, out_shape=shape)) for shape in shapes]
    assert len(set(named)) == len(named)
    one, two = compiled(), compiled()
    assert identity.name_of(operation(one.f)) != identity.name_of(operation(two.f))
    with pytest.raises(ArgumentError, match=r"no operation here is f\.123") as caught:
        identity.operation_called("f.123:v")
    assert caught.value.code == "EM606"


RANDOM = """
static double u(void) { return rand()/(double)RAND_MAX; }
double draws(double x) { return x*u(); }
double seeded(double x) { srand(3); return x*x*u(); }
double timed(double x) { return clock() < 0 ? 0 : x; }
double plain(double x) { double *t = malloc(8); *t = x*x; if (x < 0) exit(1); double r = sin(*t); free(t); return r; }
"""


def test_what_the_library_gives_anew_in_each_call_has_an_order() -> None:
    p = em.compile_c(RANDOM)
    ordered = {name: operation(p[name]).is_ordered for name in p}
    assert ordered == {"draws": True, "seeded": True, "timed": True, "plain": False}
    with pytest.raises(em.DifferentiationError, match="draws calls rand") as caught:
        _ = operation(p.draws).vjp
    assert caught.value.code == "EM608"
    assert operation(p.seeded).vjp([np.array(2.0), np.array(1.0)], {})[0] == p.seeded.grad(
        2.0
    )  # the same numbers again


def test_random_numbers_are_not_merged_in_jax() -> None:
    need("jax")
    import jax

    from enzyme_magic.integrations.jax import op

    draws = op(em.compile_c(RANDOM.replace("double", "float").replace("sin(", "sinf(")).draws)
    first, second = jax.jit(lambda x: (draws(x), draws(x)))(np.float32(1))
    assert first != second
