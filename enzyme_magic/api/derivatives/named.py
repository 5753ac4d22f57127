"""Tuples whose entries have C names: what gradients and outputs of several parameters come in.

Invariant: an immutable tuple whose entries also have names: `g[0]`, `g["x"]`, `g.x`. It is no vector: a plain tuple would turn
`2*g` into itself repeated, so + - * / @ are TypeErrors that say what to write instead.

Names Python forbids as attributes, and those of this type's own methods, get a trailing underscore; `g["lambda"]` and `asdict()`
keep C's spelling.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NoReturn, Self, cast

from enzyme_magic.errors import for_users

_METHODS = frozenset(["asdict", "ravel"])


@for_users
class Named(tuple[Any, ...]):
    """Entries by position, name and attribute."""

    __slots__ = ()
    _names: tuple[str, ...] = ()
    _fields: tuple[str, ...] = ()  # the attributes: what JAX, TensorFlow and others know named tuples by
    _what = "entries"
    __array_ufunc__ = None  # so that NumPy leaves 2.0 * g to the operators below

    def __new__(cls, *entries: Any) -> Self:
        """As named tuples are made, one argument per entry; or as tuples are, of an iterable of several."""
        if len(entries) == 1 != len(cls._names):
            entries = tuple(entries[0]) if isinstance(entries[0], Iterable) else entries
        if len(entries) != len(cls._names):
            raise TypeError(f"{len(entries)} {cls._what} for {len(cls._names)}: {', '.join(cls._names)}")
        return tuple.__new__(cls, entries)

    @classmethod
    def _make(cls, entries: Iterable[Any]) -> Self:
        return cls(*entries)

    def __getitem__(self, key: Any) -> Any:
        """By position, slice (a plain tuple) or C name."""
        if isinstance(key, str):
            if key not in self._names:
                raise KeyError(f"no entry for {key!r}; there are: {', '.join(self._names)}")
            key = self._names.index(key)
        return tuple.__getitem__(self, key)

    def asdict(self) -> dict[str, Any]:
        """The entries by C name."""
        return dict(zip(self._names, self, strict=True))

    def ravel(self) -> Any:
        """All entries one after the other as a 1-D NumPy array of their common dtype, for optimizers. None is left out, and so are
        the members of structs that are no floating numbers."""
        import numpy as np

        parts = [
            part.ravel() if isinstance(part, Named) else _flat(np.asarray(part)) for part in self if part is not None
        ]
        return np.concatenate(parts)

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={value!r}" for name, value in self.asdict().items())
        return f"{type(self).__name__}({inner})"

    def _refuse(self, other: Any = None) -> NoReturn:
        first = attribute_name(self._names[0]) if self._names else "x"
        raise TypeError(
            f"{type(self).__name__} is a tuple of {len(self)} {self._what}, not a vector; "
            f"use g.{first} for one of them, or g.ravel() for all as one array"
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __matmul__ = __rmatmul__ = __truediv__ = __rtruediv__ = __neg__ = _refuse


class Gradients(Named):
    """Gradients of several parameters, in C order. `gradients(names, values)` makes one by hand."""

    __slots__ = ()
    _what = "gradients"

    def __reduce__(self) -> tuple[Any, ...]:
        return gradients, (self._names, tuple(self))


class Outputs(Named):
    """What a function with several outputs gives back, or a derivative of each: the result (called `result`), then the buffers
    it writes, in C order. `outputs(names, values)` makes one by hand."""

    __slots__ = ()
    _what = "outputs"

    def __reduce__(self) -> tuple[Any, ...]:
        return outputs, (self._names, tuple(self))


def _flat(array: Any) -> Any:
    """The numbers of an array, element by element; of structs the floating ones."""
    import numpy as np

    return array.ravel() if array.dtype.names is None else np.concatenate(_members(array.ravel()), axis=1).ravel()


def _members(structs: Any) -> list[Any]:
    """The floating numbers of an array of structs, in C order: arrays with a row for each struct."""
    found = []
    for name in structs.dtype.names:
        column = structs[name].reshape(len(structs), -1)
        if column.dtype.names is not None:
            found += [part.reshape(len(structs), -1) for part in _members(column.reshape(-1))]
        elif column.dtype.kind in "fc":
            found.append(column)
    return found


def attribute_name(c_name: str) -> str:
    """The attribute under which the entry of a C name is found."""
    return f"{c_name}_" if keyword.iskeyword(c_name) or c_name in _METHODS else c_name


@cache
def type_with(kind: type[Named], names: tuple[str, ...]) -> type[Named]:
    """The type of this kind with these C names."""
    members: dict[str, Any] = {"__slots__": (), "_names": names, "__module__": kind.__module__}
    members["_fields"] = tuple(map(attribute_name, names))
    for index, name in enumerate(names):
        members[attribute_name(name)] = property(_getter(index), doc=f"the entry for {name}")
    return cast(type[Named], type(kind.__name__, (kind,), members))


def _getter(index: int) -> Any:
    return lambda self: tuple.__getitem__(self, index)


def gradients(names: Sequence[str], values: Iterable[Any]) -> Gradients:
    """A Gradients of `values` under `names`."""
    return cast(Gradients, type_with(Gradients, tuple(names))._make(values))


def outputs(names: Sequence[str], values: Iterable[Any]) -> Outputs:
    """An Outputs of `values` under `names`."""
    return cast(Outputs, type_with(Outputs, tuple(names))._make(values))
