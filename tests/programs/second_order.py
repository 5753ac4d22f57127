"""One check of second derivatives: `check(f, args)`.

With v and w random directions through all parameters of the gradient: H v by forward over reverse agrees with a difference of
gradients along v; H v by reverse over reverse agrees with it; w'Hv = v'Hw. Arrays of structs of numbers are given as arrays of
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import enzyme_magic as em
from enzyme_magic.backend.runtime.values.arguments import parameter_names


def check(
    f: em.CFunction,
    args: Sequence[Any],
    *,
    wrt: tuple[str, ...] | None = None,
    tolerance: float = 1e-6,
    between: float = 1e-8,
) -> None:
    """AssertionError with both numbers where one of the three does not hold. tolerance: of differences; between: the two ways."""
    names = parameter_names(f.c_signature)
    indices = f.choose(wrt).indices
    chosen = tuple(names[k] for k in indices)
    gradient = em.grad(f, wrt=chosen)
    random = np.random.default_rng(3)
    v, w = ({k: random.standard_normal(np.shape(args[k])) for k in indices} for _ in range(2))

    def as_c(values: dict[int, Any]) -> dict[str, Any]:
        return {names[k]: _in_c(f, names[k], value) for k, value in values.items()}

    def at(*values: Any) -> Any:
        return gradient(**as_c(dict(enumerate(values))))

    def along(direction: dict[int, Any]) -> np.ndarray:
        tangents = as_c({k: _like(t, args[k]) for k, t in direction.items()})
        return _flat(em.hvp(f, as_c(dict(enumerate(args))), tangents, wrt=chosen))

    forward = along(v)
    _close(forward, _difference(at, args, v), tolerance, "forward over reverse and a difference of gradients")
    value, pullback = em.vjp(gradient, *as_c(dict(enumerate(args))).values(), wrt=chosen)
    _close(_flat(value), _flat(at(*args)), between / 10, "the gradient as a function and the gradient")
    seeds = tuple(_in_c(f, names[k], _like(v[k], args[k])) for k in indices)
    reverse = _flat(pullback(seeds[0] if not isinstance(value, tuple) else seeds))
    _close(forward, reverse, between, "forward over reverse and reverse over reverse")
    a, b = (np.concatenate([np.ravel(d[k]) for k in indices]) for d in (v, w))
    _close(
        np.array([b @ forward]),
        np.array([a @ along(w)]),
        between * (1 + np.abs(forward).max(initial=0)),
        "w'Hv and v'Hw",
    )


def _in_c(f: em.CFunction, name: str, value: Any) -> Any:
    """What the C function takes for numbers."""
    dtype = f.dtypes.get(name)
    if not isinstance(value, np.ndarray) or dtype is None or dtype.names is None or value.dtype.names is not None:
        return value
    return value.reshape(-1).view(dtype)


def _like(direction: Any, argument: Any) -> Any:
    return direction.astype(argument.dtype) if isinstance(argument, np.ndarray) else float(direction)


def _flat(gradients: Any) -> np.ndarray:
    parts = [
        np.asarray(part) for part in (gradients if isinstance(gradients, tuple) else (gradients,)) if part is not None
    ]
    return np.concatenate([np.ravel(p.view(np.float64) if p.dtype.names else p).astype(float) for p in parts])


def _difference(gradient: Any, args: Sequence[Any], v: dict[int, Any]) -> np.ndarray:
    """Richardson's extrapolation of central differences."""

    def at(step: float) -> np.ndarray:
        moved = [_moved(a, step * v[k]) if k in v else _own(a) for k, a in enumerate(args)]
        return _flat(gradient(*moved))

    wide, narrow = ((at(h) - at(-h)) / (2 * h) for h in (2e-4, 1e-4))
    return (4 * narrow - wide) / 3


def _moved(argument: Any, by: Any) -> Any:
    return (argument + by).astype(argument.dtype) if isinstance(argument, np.ndarray) else argument + float(by)


def _own(argument: Any) -> Any:
    return argument.copy() if isinstance(argument, np.ndarray) else argument


def _close(found: np.ndarray, wanted: np.ndarray, tolerance: float, what: str) -> None:
    scale = 1 + np.abs(wanted).max(initial=0.0)
    if not np.all(np.abs(found - wanted) <= tolerance * scale):
        raise AssertionError(f"{what} disagree: {found} and {wanted}")
