"""Which axes `em.vmap` maps: `in_axes` by parameter, `out_axes` by output.

Invariant: as JAX's. An axis is a number (negative: from the end) or None (the same for all examples); `in_axes` is one for all
positional arguments or has one entry for each; what is given by name is mapped over its first axis. Beyond JAX, `in_axes` may be a
mapping from C names, and what is not in it is not mapped. `out_axes` is one number, or has one entry for each entry of what the
function gives, by position or by name. Anything else is an ArgumentError.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from enzyme_magic.api.derivatives.named import Named
from enzyme_magic.api.derivatives.wrt import as_index
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder
from enzyme_magic.errors import ArgumentError

Axes = Any  # None, a number, a tuple of axes, a mapping from names


@dataclass(frozen=True, slots=True)
class VmapLevel:
    """One vmap."""

    in_axes: Axes = 0
    out_axes: Axes = 0

    @property
    def is_default(self) -> bool:
        return _is_number(self.in_axes) and _is_number(self.out_axes) and self.in_axes == self.out_axes == 0


def checked(in_axes: Axes, out_axes: Axes) -> VmapLevel:
    """ArgumentError EM339 for what can be no axes of any function."""
    for name, axes in (("in_axes", in_axes), ("out_axes", out_axes)):
        if not (axes is None or _is_number(axes) or isinstance(axes, (tuple, list, Mapping))):
            raise mistake(f"{name} is {axes!r}", "a number, None, a tuple of them, or a mapping from C names")
    if in_axes is None:
        raise mistake("in_axes=None maps nothing", "call the function itself, or name an axis of one of its arguments")
    return VmapLevel(_frozen(in_axes), _frozen(out_axes))


def _frozen(axes: Axes) -> Axes:
    if isinstance(axes, (tuple, list)):
        return tuple(map(_frozen, axes))
    return dict(axes) if isinstance(axes, Mapping) else axes


def _is_number(axis: Any) -> bool:
    return as_index(axis) is not None


def of_arguments(
    level: VmapLevel, arguments: ArgumentBinder, count: int, named: Sequence[str]
) -> dict[int, int | None]:
    """The axis of each parameter that is given: `count` by position, others by name."""
    axes, name = level.in_axes, arguments.function
    places = arguments.places(count)
    by_name = [arguments.index_of(key) for key in named]
    if isinstance(axes, Mapping):
        chosen = {arguments.index_of(key): axis for key, axis in axes.items()}
        absent = [arguments.names[k] for k in chosen if k not in (*places, *by_name)]
        if absent:
            raise mistake(f"{name}: in_axes names {absent[0]}, which the call does not give", f"pass {absent[0]}")
        return {k: axis_of(name, arguments.names[k], chosen.get(k)) for k in (*places, *by_name)}
    if not isinstance(axes, tuple):
        entries: Sequence[Any] = [axes] * count
    elif len(axes) == count:
        entries = axes
    else:
        raise mistake(
            f"{name}: in_axes has {len(axes)} entries, and the call has {count} positional arguments",
            "one entry for each; arguments by name are mapped over their first axis; or a mapping from C names",
        )
    found: dict[int, int | None] = dict.fromkeys(by_name, 0)
    return found | {k: axis_of(name, arguments.names[k], e) for k, e in zip(places, entries, strict=True)}


def axis_of(function: str, name: str, axis: Any) -> int | None:
    """One entry."""
    if axis is None or _is_number(axis):
        return None if axis is None else operator.index(axis)
    raise mistake(f"{function}: the axis of {name} is {axis!r}", "a number, or None")


def placed(
    function: str, tree: Any, out_axes: Axes, place: Callable[[Any, Any, str], Any], name: str = "result"
) -> Any:
    """`tree` (arrays, and tuples of them) with `place(array, axis, name)` for each array; None stays."""
    if isinstance(tree, tuple):
        names = tree._names if isinstance(tree, Named) else [f"{name}[{k}]" for k in range(len(tree))]
        own = entries(function, out_axes, names)
        made = [placed(function, part, axes, place, key) for part, axes, key in zip(tree, own, names, strict=True)]
        return type(tree)._make(made) if isinstance(tree, Named) else tuple(made)
    if tree is None:
        return None
    if isinstance(out_axes, (tuple, Mapping)):
        raise mistake(f"{function}: out_axes of {name} is {out_axes!r}, and it is one array", "one number")
    return place(tree, axis_of(function, name, out_axes), name)


def entries(function: str, out_axes: Axes, names: Sequence[Any]) -> list[Any]:
    """The axes of each entry of what the function gives, by position or name."""
    listed = ", ".join(map(str, names))
    if isinstance(out_axes, Mapping):
        unknown = [key for key in out_axes if key not in names]
        if unknown:
            raise mistake(f"{function}: out_axes names {unknown[0]!r}, and it gives {listed}", "those names")
        return [out_axes.get(name, 0) for name in names]
    if isinstance(out_axes, tuple):
        if len(out_axes) != len(names):
            raise mistake(f"{function}: out_axes has {len(out_axes)} entries, and it gives {listed}", "one for each")
        return list(out_axes)
    return [out_axes] * len(names)


def one_axis(axes: Axes) -> int | None:
    """The axis of all that the only argument holds; None where `in_axes` tells more."""
    axis = axes[0] if isinstance(axes, tuple) and len(axes) == 1 else axes
    return as_index(axis)


def arranged(function: str, levels: Sequence[VmapLevel], tree: Any) -> Any:
    """`tree`, of arrays with the batch's axes first, with these axes where `out_axes` wants them."""
    for level in range(len(levels) - 1, -1, -1):
        tree = placed(function, tree, levels[level].out_axes, partial(_put, function, level))
    return placed(function, tree, 0, lambda array, axis, what: _contiguous(array))


def _put(function: str, level: int, array: Any, axis: int | None, what: str) -> Any:
    import numpy as np

    rank = array.ndim - level
    if axis is None:
        problem = f"{function}: out_axes is None for {what}, and it has a value for each example"
        raise mistake(problem, "the number of an axis")
    if not -rank <= axis < rank:
        raise mistake(f"{function}: out_axes puts the examples of {what} at axis {axis} of {rank}", "0")
    return np.moveaxis(array, level, level + axis % rank)


def _contiguous(array: Any) -> Any:
    import numpy as np

    return array if array.flags.c_contiguous else np.ascontiguousarray(array)


def mistake(problem: str, hint: str) -> ArgumentError:
    return ArgumentError(f"em.vmap: {problem}", code="EM339", hint=hint)
