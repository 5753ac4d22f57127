"""JAX on several devices and without 64 bits: one child process, because JAX decides both when it starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.integrations.frameworks import need

need("jax")

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import json
import jax, jax.numpy as jnp, numpy as np
import enzyme_magic as em
from enzyme_magic.integrations.jax import op
from jax.sharding import PartitionSpec as P

p = em.compile_c('''
void f(const float *x, size_t n, float *out) { for (size_t i = 0; i < n; i++) out[i] = x[i]*x[i]*x[0]; }
void cosines(const float *x, size_t n, float *out) { for (size_t i = 0; i < n; i++) out[i] = cosf(x[i]); }
float at(const float *x, const int k[1], int n) { return x[k[0] & (n - 1)]; }
double wide(double x) { return x*x; }
''', shape={"x": "n", "out": "n"})
f, at = op(p.f), op(p.at)
reference = lambda x: x**2*x[0]
mesh = jax.make_mesh((4,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
x, w = jnp.arange(8, dtype=jnp.float32) + 1, jnp.array([1, 2], jnp.float32)
mapped = lambda g, **options: jax.shard_map(g, mesh=mesh, in_specs=P("i"), out_specs=P("i"), **options)
shared = lambda g: jax.shard_map(
    lambda w, x: jax.lax.psum(g(w)*x.sum(), "i"), mesh=mesh, in_specs=(P(), P("i")), out_specs=P()
)
cases = {
    "value": lambda g: mapped(g)(x),
    "grad": lambda g: jax.grad(lambda x: mapped(g)(x).sum())(x),
    "grad of what all share": lambda g: jax.grad(lambda w: shared(g)(w, x).sum())(w),
    "grad inside": lambda g: jax.shard_map(
        lambda w, x: jax.grad(lambda w: (g(w)*x.sum()).sum())(w), mesh=mesh, in_specs=(P(), P("i")), out_specs=P()
    )(w, x),
    "jvp": lambda g: jax.jvp(mapped(g), (x,), (x,))[1],
    "hessian": lambda g: jax.hessian(lambda x: mapped(g)(x).sum())(x),
    "unchecked": lambda g: jax.grad(lambda x: mapped(g, check_vma=False)(x).sum())(x),
    "vmap inside": lambda g: jax.shard_map(
        lambda w, x: jax.vmap(lambda s: g(s*x))(w), mesh=mesh, in_specs=(P(), P("i")), out_specs=P(None, "i")
    )(w, x),
}
found = {name: [np.asarray(case(g)).tolist() for g in (f, reference)] for name, case in cases.items()}

def error(call):
    try:
        return repr(call())
    except Exception as caught:
        return str(caught)

with jax.disable_jit():
    found["disable_jit"] = [np.asarray(jax.grad(lambda x: g(x).sum())(x)).tolist() for g in (f, reference)]
refused = {
    "no psum": error(lambda: jax.shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P())(x)),
    "float64": error(lambda: f(np.ones(2))),
    "list": error(lambda: f([1.0, 2.0])),
    "int64": error(lambda: at(x, np.array([2**32 + 1]))),
    "x64": error(lambda: op(p.wide)(2.0)),
}

# What XLA divides itself: a batch among devices, without another's elements
from jax.sharding import NamedSharding
put = lambda array, *spec, mesh=mesh: jax.device_put(array, NamedSharding(mesh, P(*spec)))
rng = np.random.default_rng(0)
matrix = lambda *shape: rng.uniform(0.5, 1.5, shape).astype(np.float32)
square = jax.make_mesh((2, 2), ("a", "b"), axis_types=(jax.sharding.AxisType.Auto,)*2)
explicit = jax.make_mesh((4,), ("i",), axis_types=(jax.sharding.AxisType.Explicit,))
inner = lambda g: lambda w, x: (g(w)*x).sum()
rows, whole = matrix(8, 3), matrix(3)
once = lambda g: jax.vmap(inner(g), (None, 0))
twice = lambda g: jax.vmap(jax.vmap(inner(g), (0, None)), (None, 0))
batches = {
    "rows": (lambda g: jax.vmap(g), put(rows, "i")),
    "columns": (lambda g: jax.vmap(g, -1, -1), put(rows.T, None, "i")),
    "gradients": (lambda g: jax.vmap(jax.grad(inner(g), (0, 1))), put(rows, "i"), put(rows, "i")),
    "hessians": (lambda g: jax.vmap(jax.hessian(inner(g))), put(rows, "i"), put(rows, "i")),
    "one of two": (lambda g: jax.vmap(inner(g)), put(rows, "i"), rows),
    "shared": (lambda g: jax.grad(lambda w, x: (once(g)(w, x)**2).sum()), whole, put(rows, "i")),
    "two axes": (twice, put(matrix(4, 3), "b", mesh=square), put(rows, "a", mesh=square)),
    "two meshes": (
        lambda g: lambda w, x: jax.lax.with_sharding_constraint(once(g)(w, x), NamedSharding(square, P("a"))),
        whole, put(rows, "i"),
    ),
    "in a loop": (
        lambda g: lambda w, x: jax.lax.fori_loop(0, 3, lambda k, x: x + once(g)(w, x)[:, None], x), whole, put(rows, "i")
    ),
    "explicit": (lambda g: jax.vmap(g), put(rows, "i", mesh=explicit)),
    "explicit, hessians": (lambda g: jax.vmap(jax.hessian(lambda w: g(w).sum())), put(rows, "i", mesh=explicit)),
    "explicit, gradient of all": (
        lambda g: jax.grad(lambda x: (jax.vmap(g)(x)**2).sum()), put(rows, "i", mesh=explicit)
    ),
    "explicit, inside of an example": (
        lambda g: jax.vmap(jax.grad(lambda w: g(w).sum())), put(matrix(3, 8), None, "i", mesh=explicit)
    ),
    "uneven": (
        lambda g: lambda x: jax.vmap(g)(jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("i")))), matrix(6, 3)
    ),
    "inside of an example": (lambda g: jax.vmap(g), put(matrix(3, 8), None, "i")),
}
gathers = []
for name, (transformed, *arrays) in batches.items():
    compiled = jax.jit(transformed(f)).lower(*arrays).compile()
    expected = jax.jit(transformed(reference))(*map(np.asarray, arrays))
    found[name] = [np.asarray(value).tolist() for value in (compiled(*arrays), expected)]
    gathers += [name]*(name != "two meshes" and "all-gather" in compiled.as_text())

import tempfile
with tempfile.TemporaryDirectory() as folder:  # what JAX keeps on disk must know whose call it is
    jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_remove_custom_partitioning_ptr_from_cache_key", True)
    for name, g, theirs in (("kept f", f, reference), ("kept cosines", op(p.cosines), jnp.cos)):
        found[name] = [np.asarray(jax.jit(jax.vmap(h))(put(rows, "i"))).tolist() for h in (g, theirs)]
    jax.config.update("jax_compilation_cache_dir", None)
print(json.dumps([found, refused, gathers]))
"""


def test_meshes_and_narrow_numbers() -> None:
    environment = {
        **os.environ,
        "XLA_FLAGS": "--xla_force_host_platform_device_count=4",
        "JAX_PLATFORMS": "cpu",
        "JAX_ENABLE_X64": "0",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, cwd=ROOT, env=environment, timeout=540
    )
    assert done.returncode == 0, done.stderr
    found, refused, gathers = json.loads(done.stdout)
    for name, (got, expected) in found.items():
        np.testing.assert_allclose(got, expected, rtol=1e-5, err_msg=name)
    assert gathers == ["explicit, inside of an example", "uneven", "inside of an example"]
    assert "out_specs" in refused["no psum"]
    assert "x must be float32, got float64" in refused["float64"]
    assert "x must be float32, got float64" in refused["list"]
    assert "k must be int32, got int64" in refused["int64"]
    assert "jax_enable_x64" in refused["x64"]
