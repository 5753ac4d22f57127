"""`Gradients`: the gradients of several parameters, in the order of C.

Invariant: an immutable tuple whose entries also have names: `g[0]`, `g["x"]`, `g.x`. It is no vector: a plain tuple would turn
`2*g` into itself repeated, so + - * / @ are TypeErrors that say what to write instead.

Names Python forbids as attributes, and those of this type's own methods, get a trailing underscore; `g["lambda"]` and `asdict()`
keep C's spelling.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NoReturn, cast

_METHODS = frozenset(["asdict", "ravel"])


class Gradients(tuple[Any, ...]):
    """Gradients by position, name and attribute. Made by gradient calls; `gradients(names, values)` makes one by hand."""

    __slots__ = ()
    _names: tuple[str, ...] = ()
    __array_ufunc__ = None  # so that NumPy leaves 2.0 * g to the operators below

    def __getitem__(self, key: Any) -> Any:
        """By position, slice (a plain tuple) or C name."""
        if isinstance(key, str):
            if key not in self._names:
                raise KeyError(f"no gradient of {key!r}; there are: {', '.join(self._names)}")
            key = self._names.index(key)
        return tuple.__getitem__(self, key)

    def asdict(self) -> dict[str, Any]:
        """The gradients by C name."""
        return dict(zip(self._names, self, strict=True))

    def ravel(self) -> Any:
        """All gradients one after the other as a 1-D NumPy array of their common dtype, for optimizers."""
        import numpy as np

        return np.concatenate([np.ravel(part) for part in self if part is not None])

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={value!r}" for name, value in self.asdict().items())
        return f"Gradients({inner})"

    def __reduce__(self) -> tuple[Any, ...]:
        return gradients, (self._names, tuple(self))

    def _refuse(self, other: Any = None) -> NoReturn:
        first = attribute_name(self._names[0]) if self._names else "x"
        raise TypeError(
            f"Gradients is a tuple of {len(self)} gradients, not a vector; "
            f"use g.{first} for one of them, or g.ravel() for all as one array"
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __matmul__ = __rmatmul__ = __truediv__ = __rtruediv__ = __neg__ = _refuse


def attribute_name(c_name: str) -> str:
    """The attribute under which the gradient of a C parameter is found."""
    return f"{c_name}_" if keyword.iskeyword(c_name) or c_name in _METHODS else c_name


@cache
def gradients_type(names: tuple[str, ...]) -> type[Gradients]:
    """The Gradients type with these C names."""
    members: dict[str, Any] = {"__slots__": (), "_names": names, "__module__": Gradients.__module__}
    for index, name in enumerate(names):
        members[attribute_name(name)] = property(_getter(index), doc=f"gradient with respect to {name}")
    return cast(type[Gradients], type("Gradients", (Gradients,), members))


def _getter(index: int) -> Any:
    return lambda self: tuple.__getitem__(self, index)


def gradients(names: Sequence[str], values: Iterable[Any]) -> Gradients:
    """A Gradients of `values` under `names`."""
    return gradients_type(tuple(names))(values)
