"""Results kept on disk by what they were computed from: found again in another process, and not when the C text was edited."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from tests.integrations.frameworks import need

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import json, sys
import joblib, numpy as np
from dask.base import tokenize
import enzyme_magic as em
from enzyme_magic.integrations.operation import operation

text, folder, state = sys.argv[1:]
p = em.compile_c(text, shape={"x": "n"})
if state:
    p.set_k(float(state))
calls = []

def called(f, x):
    calls.append(1)
    return f(x)

kept = joblib.Memory(folder, verbose=0).cache(called)
x, said = np.array([1.0, 2.0]), []
for f, given in ((p.f, x), (em.grad(p.f), x), (em.vmap(em.hessian(p.f), 0), x[None])):
    before = len(calls)
    said.append([np.ravel(kept(f, given)).tolist(), len(calls) - before, tokenize(f)])
print(json.dumps([*said, tokenize(operation(p.f))]))
"""


def text_of(body: str, before: str = "") -> str:
    loop = f"for (int i = 0; i < n; i++) s += {body};"
    return f"{before}double f(const double *x, int n) {{ double s = 0; {loop} return s; }}"


def test_the_c_text_decides(tmp_path: Path) -> None:
    need("joblib")
    need("dask")

    def run(text: str, state: str = "") -> Any:
        command = [sys.executable, "-c", SCRIPT, text, str(tmp_path), state]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        *said, token = json.loads(done.stdout.splitlines()[-1])
        values, computed, tokens = zip(*said, strict=True)
        return list(values), list(computed), [*tokens, token]

    square, cube = text_of("x[i]*x[i]"), text_of("x[i]*x[i]*x[i]")
    values, computed, tokens = run(square)
    assert values == [[5.0], [2.0, 4.0], [2.0, 0.0, 0.0, 2.0]]
    assert computed == [1, 1, 1]
    assert run(square) == (values, [0, 0, 0], tokens)  # found
    edited, computed, others = run(cube)
    assert edited == [[9.0], [3.0, 12.0], [6.0, 0.0, 0.0, 12.0]]
    assert computed == [1, 1, 1]
    assert not {*tokens} & {*others}
    with_state = text_of("k*x[i]*x[i]", "static double k = 2; void set_k(double v) { k = v; }\n")
    assert run(with_state)[0] == [[10.0], [4.0, 8.0], [4.0, 0.0, 0.0, 4.0]]
    values, computed, _ = run(with_state, "5")
    assert values == [[25.0], [10.0, 20.0], [10.0, 0.0, 0.0, 10.0]]
    assert computed == [1, 1, 1]  # what a variable holds counts


@pytest.mark.parametrize("before", ["", "const double k = 2;\n", "static double k = 2;\n"])
def test_only_programs_with_variables_have_a_home(before: str) -> None:
    text = text_of("k*x[i]" if before else "x[i]", before + "void other(void) {}\n") + (
        "\nvoid set_k(double v) { k = v; }" if before.startswith("static") else ""
    )
    one, two = em.compile_c(text), em.compile_c(text)
    _ = one.f.grad(np.ones(2), 2), one.sources[0].lines
    assert (pickle.dumps(one.f) == pickle.dumps(two.f)) is (not before.startswith("static"))
    again = pickle.loads(pickle.dumps(one.f))
    if before.startswith("static"):
        one.set_k(7.0)
        assert again(np.ones(2), 2) == 14.0
        assert two.f(np.ones(2), 2) == 4.0
    assert again.program.compiled in (one.compiled, two.compiled)


INDUCTOR = """
import json, sys
import torch
import enzyme_magic as em
from enzyme_magic.integrations.torch import op

f = op(em.compile_c(sys.argv[1], shape={"x": "n"}).f)
x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
value = torch.compile(lambda x: (2 * f(x)).sum(), fullgraph=True)(x)
value.backward()
print(json.dumps([value.item(), x.grad.tolist()]))
"""


@pytest.mark.nightly
def test_what_inductor_keeps_is_of_the_c_text(tmp_path: Path) -> None:
    need("torch")
    environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(tmp_path), "TORCHINDUCTOR_FX_GRAPH_CACHE": "1"}
    said = []
    for body in ("x[i]*x[i]", "x[i]*x[i]", "x[i]*x[i]*x[i]"):
        command = [sys.executable, "-c", INDUCTOR, text_of(body)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, cwd=ROOT, env=environment)
        assert done.returncode == 0, done.stderr
        said.append(json.loads(done.stdout.splitlines()[-1]))
    assert said == [[10.0, [4.0, 8.0]], [10.0, [4.0, 8.0]], [18.0, [6.0, 24.0]]]


GRAPH = """
import sys, torch
import enzyme_magic as em
from enzyme_magic.integrations.torch import op

what, path, text, edited = sys.argv[1:]

def operation_of(text):
    return op(em.compile_c(text, shape={"x": "n"}).f)

class Model(torch.nn.Module):
    def __init__(self, f):
        super().__init__()
        self.f = f
    def forward(self, x):
        return 2 * self.f(x)

x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
if what == "save":
    torch.export.save(torch.export.export(Model(operation_of(text)), (x,)), path)
else:
    other = operation_of(edited)  # made first: it stands where the saved one stood
    graph = torch.export.load(path).module()
    try:
        print("nothing stands for it:", graph(x).item())
    except em.ArgumentError as error:
        print(error.code)
    own = operation_of(text)
    print(graph(x).item(), torch.func.grad(graph)(x).tolist(), other(x).item())
"""


def test_a_saved_graph_calls_what_it_was_made_of(tmp_path: Path) -> None:
    """torch.export, loaded in another process, where the C text was edited: never the edited one under the old name."""
    need("torch")
    texts = [text_of("x[i]*x[i]"), text_of("x[i]*x[i]*x[i]")]
    said = ""
    for what in ("save", "load"):
        command = [sys.executable, "-W", "ignore", "-c", GRAPH, what, str(tmp_path / "graph.pt2"), *texts]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        said = done.stdout
    assert said.split("\n")[:2] == ["EM606", "28.0 [4.0, 8.0, 12.0] 36.0"]


EXPORTED = """
import sys
import jax, jax.numpy as jnp
import enzyme_magic as em
from enzyme_magic.integrations.jax import op, provide

jax.config.update("jax_enable_x64", True)
what, path, text, edited = sys.argv[1:]

def operation_of(text):
    return op(em.compile_c(text, shape={"x": "n"}).f)

x = jnp.array([1.0, 2.0, 3.0])
if what == "save":
    f = operation_of(text)
    model = jax.jit(jax.vmap(lambda x: 2*f(x)))
    open(path, "wb").write(jax.export.export(model)(jnp.stack([x, x])).serialize(vjp_order=1))
else:
    saved = jax.export.deserialize(open(path, "rb").read())
    other = operation_of(edited)  # made first: it stands where the saved one stood
    other(x)
    for own in ((), (other,)):
        try:
            print("nothing stands for it:", provide(saved, *own))
        except em.ArgumentError as error:
            print(error.code)
    model = provide(saved, operation_of(text)).call
    print(model(jnp.stack([x, 2*x])).tolist(), jax.grad(lambda y: model(y).sum())(jnp.stack([x, 2*x])).tolist(), other(x).item())
"""


def test_an_exported_function_calls_what_it_was_made_of(tmp_path: Path) -> None:
    """jax.export, likewise, with the vjp that is saved beside it."""
    need("jax")
    texts = [text_of("x[i]*x[i]"), text_of("x[i]*x[i]*x[i]")]
    said = ""
    for what in ("save", "load"):
        command = [sys.executable, "-W", "ignore", "-c", EXPORTED, what, str(tmp_path / "model.bin"), *texts]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        said = done.stdout
    gradients = "[[4.0, 8.0, 12.0], [8.0, 16.0, 24.0]]"
    assert said.split("\n")[:3] == ["EM606", "EM606", f"[28.0, 112.0] {gradients} 36.0"]


def test_joblib_keeps_transforms_by_what_they_compute(tmp_path: Path) -> None:
    """The text form alone, by which joblib knew them, is the same for another C text."""
    need("joblib")
    import joblib

    memory = joblib.Memory(tmp_path, verbose=0)
    texts = ["double f(double x, double y) { return x*x*y; }", "double f(double x, double y) { return x*x*x*y; }"]
    for make in (em.jacobian, em.hessian):
        for text in texts:
            function = make(em.compile_c(text)["f"], wrt="x")
            assert memory.cache(function)(2.0, 3.0) == function(2.0, 3.0)
        assert function.__name__ != make(em.compile_c(texts[0])["f"], wrt="x").__name__
        assert function.__name__ == make(em.compile_c(texts[1])["f"], wrt="x").__name__
    for make, given in [
        (lambda f: f, (2.0, 3.0)),
        (em.grad, (2.0, 3.0)),
        (lambda f: em.vmap(em.hessian(f)), (np.array([2.0, 4.0]), np.array([3.0, 5.0]))),
        (lambda f: f.map, (np.array([2.0, 4.0]), np.array([3.0, 5.0]))),
        (lambda f: em.vjp(f, 2.0, 3.0)[1], (1.0,)),
    ]:
        for text in texts:
            function = make(em.compile_c(text)["f"])
            expected = function(*given)
            kept = pickle.loads(pickle.dumps(memory.cache(function)))
            for _ in range(2):
                np.testing.assert_equal(kept(*given), expected)
    stateful = em.compile_c(
        "static double k = 2; void set_k(double v) { k = v; }\ndouble f(double x) { return k*x*x; }"
    )
    name = em.jacobian(stateful.f).__name__
    stateful.set_k(5.0)
    assert em.jacobian(stateful.f).__name__ != name
