"""One check of several sweeps at once: `check(f, args)`: each lane gives what its sweep alone gives, in both modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import enzyme_magic as em
from enzyme_magic.api.derivatives.outputs import RESULT
from enzyme_magic.api.derivatives.setting import Setting
from enzyme_magic.backend.frontend.c_types import is_float
from enzyme_magic.backend.runtime.calls.derivative import Given, Taken
from enzyme_magic.backend.runtime.values import buffers, purity

WIDTH = 4


def check(f: em.CFunction, args: Sequence[Any], *, wrt: tuple[str, ...] | None = None) -> list[str]:
    """The modes in which there are lanes; AssertionError where a lane is wrong."""
    outputs = "result" if is_float(f.c_signature.result) else None
    setting = Setting(f, wrt, outputs)
    values = setting.convert(tuple(args), {})
    done = []
    for mode in ("forward", "reverse"):
        lanes = setting.lanes(mode, WIDTH)
        if lanes is None:
            continue
        given = [_random(setting, values, mode, seed) for seed in range(WIDTH)]
        alone = [setting.derivative(mode)(_own(setting, values), _copy(one)) for one in given]
        together = lanes(_own(setting, values), [_copy(one) for one in given])
        for lane, (one, many) in enumerate(zip(alone, together, strict=True)):
            for name, a, b in _pairs(setting, one, many):
                np.testing.assert_allclose(
                    b,
                    a,
                    rtol=1e-11,
                    atol=1e-13 * (1 + np.abs(a).max(initial=0)),
                    err_msg=f"{mode}, lane {lane}: {name}",
                )
        done.append(mode)
    return done


def _own(setting: Setting, values: list[Any]) -> list[Any]:
    return purity.working_copies(values, setting.written)


def _random(setting: Setting, values: Sequence[Any], mode: str, seed: int) -> Given:
    random = np.random.default_rng(seed)
    seeded = {o.index for o in setting.outputs.active if o.index != RESULT}
    memory, numbers = {}, {}
    for k in setting.wrt.indices:
        if setting.is_pointer(k):
            seeded |= {k} if mode == "forward" else set()
        elif mode == "forward":
            numbers[k] = float(random.standard_normal())
    for k in sorted(seeded):
        array = buffers.zeros(values[k].array.shape, values[k].array.dtype)
        array[...] = random.standard_normal(array.shape)
        memory[k] = buffers.buffer_of(array)
    result = (
        float(random.standard_normal()) if mode == "reverse" and setting.outputs.outputs[0].index == RESULT else None
    )
    return Given(numbers, memory, result)


def _copy(given: Given) -> Given:
    memory = {k: buffers.buffer_of(buffers.copy_of(buffer.array)) for k, buffer in given.memory.items()}
    return Given(given.numbers, memory, given.result)


def _pairs(setting: Setting, one: Taken, many: Taken) -> list[tuple[str, Any, Any]]:
    pairs = [("tangent", one.tangent, many.tangent)] if one.tangent is not None else []
    pairs += [(setting.names[k], one.numbers[k], many.numbers[k]) for k in one.numbers]
    pairs += [
        (setting.names[k], one.memory[k].array, many.memory[k].array)
        for k in one.memory
        if one.memory[k].array is not None
    ]
    return [(name, np.asarray(a, float), np.asarray(b, float)) for name, a, b in pairs]
