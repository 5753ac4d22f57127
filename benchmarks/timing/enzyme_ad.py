"""The reference without an LLVM plugin: the Python package enzyme-ad (x86-64, Python 3.11) compiles the kernel's text as C++.

The active arguments are arrays of JAX. All others are read from the memory where the measurement has them, so that nothing is
differentiated that was not asked for, and no size is a literal. Its compiler is given clang's own headers from the compiler
that we use, because the package brings none.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing.catalogue import Kernel
from benchmarks.timing.points import Point
from benchmarks.timing.variants import Variant
from enzyme_magic.backend.llvm import binding

C_TYPES = {np.dtype(np.float64): "double", np.dtype(np.int32): "int"}


def variant(kernel: Kernel, point: Point) -> Variant | None:
    if importlib.util.find_spec("enzyme_ad") is None or importlib.util.find_spec("jax") is None:
        return None
    import jax
    from enzyme_ad.jax import cpp_call

    jax.config.update("jax_enable_x64", True)
    shape = jax.core.ShapedArray((1,), np.float64)
    cells = _cells(point)  # numbers that are no arrays, in memory
    source = _source(kernel, point, cells)
    words = ("-O3", "-fgnuc-version=4.2.1", "-target-cpu", binding.host_cpu(), "-internal-isystem", str(_headers()))

    def value(*active: Any) -> Any:
        return cpp_call(*active, out_shapes=[shape], source=source, fn="entry_of_kernel", argv=words)[0][0]

    count = len(kernel.active)
    call = jax.jit(jax.grad(value, argnums=tuple(range(count))))
    arguments = [jax.numpy.asarray(np.atleast_1d(point.arguments[k]).reshape(-1)) for k in kernel.active]

    def gradient() -> np.ndarray:
        return np.concatenate([np.asarray(part) for part in call(*arguments)])

    def run(keep: Any = cells) -> Any:
        return jax.block_until_ready(call(*arguments))

    return Variant(run, gradient)


def _headers() -> Path:
    spec = importlib.util.find_spec("ziglang")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "lib" / "include"


def _cells(point: Point) -> dict[int, np.ndarray]:
    numbers = {k: a for k, a in enumerate(point.arguments) if not isinstance(a, np.ndarray)}
    return {k: np.array([a], np.int32 if isinstance(a, int) else np.float64) for k, a in numbers.items()}


def _source(kernel: Kernel, point: Point, cells: dict[int, np.ndarray]) -> str:
    parameters, words = [], []
    for k, argument in enumerate(point.arguments):
        if k in kernel.active:
            parameters.append(f"const enzyme::tensor<double, {np.size(argument)}>& a{k}")
            words.append(f"&a{k}[0]" if isinstance(argument, np.ndarray) else f"a{k}[0]")
        elif kernel.scratch and k == len(point.arguments) - 1:
            words.append("scratch")
        else:
            words.append(_elsewhere(cells.get(k, argument), pointer=k not in cells))
    local = f"double scratch[{kernel.scratch}]; " if kernel.scratch else ""
    call = f"{kernel.function}({', '.join(words)})"
    head = f"void entry_of_kernel(enzyme::tensor<double, 1>& out, {', '.join(parameters)})"
    return f"{kernel.text()}\n{head} {{ {local}out[0] = {call}; }}\n"


def _elsewhere(array: np.ndarray, pointer: bool) -> str:
    place = f"(const {C_TYPES[array.dtype]} *){array.ctypes.data:#x}ul"
    return place if pointer else f"*{place}"
