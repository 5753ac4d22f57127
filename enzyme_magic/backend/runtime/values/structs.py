"""Python's tuples, mappings and structured scalars as C structs passed by value, member by member.

Invariant: each member is converted as a parameter of its type would be (see scalars.py): exactly, or the call is an ArgumentError
that names the member. Accepted are a tuple of all members in C order, a mapping from all their names, and a NumPy scalar of exactly
the struct's dtype; of a union a mapping from one member, because the others share its bytes. Members that are arrays take nested
sequences of their shape.
"""

from __future__ import annotations

import ctypes
import difflib
from collections.abc import Callable, Mapping
from typing import Any

from enzyme_magic.backend.frontend.c_types import Array, CType, Struct, with_article
from enzyme_magic.backend.runtime.values import layout
from enzyme_magic.backend.runtime.values.buffers import refuse_mask
from enzyme_magic.errors import ArgumentError

Element = Callable[[str, str, CType], Callable[[Any], Any]]  # (C function, what it is called, its type) -> converter


class StructConverter:
    """What turns a Python object into a NumPy array of rank 0 with the struct's dtype."""

    __slots__ = ("element", "function", "name", "type")

    def __init__(self, function: str, name: str, type_: Struct, element: Element) -> None:
        """element: what converts a member that is neither struct nor array."""
        self.function = function
        self.name = name
        self.type = type_
        self.element = element

    def __call__(self, value: Any) -> Any:
        """Raises ArgumentError EM302 where something does not fit, EM313 for a struct that no Python object can stand for."""
        import numpy as np

        if (part := layout.foreign_part(self.type)) is not None:
            raise ArgumentError(
                f"{self.function}: {self.name} is a {self.type}, which holds a {part}",
                code="EM313",
                hint="write a driver function in C that takes plain types",
            )
        refuse_mask(value, f"{self.function}: {self.name}")
        made = np.zeros((), layout.dtype_of(self.type))
        self._put(made, self.name, self.type, value)
        return made

    def _put(self, target: Any, name: str, type_: CType, value: Any) -> None:
        """`value` into `target`, a view of a part of the whole."""
        if isinstance(type_, Array):
            for index, entry in enumerate(self._entries(name, type_, value)):
                self._put(target[index, ...], f"{name}[{index}]", type_.element, entry)
        elif isinstance(type_, Struct):
            self._fill(target, name, type_, value)
        else:
            target[...] = as_numpy(self.element(self.function, name, type_)(value))

    def _fill(self, target: Any, name: str, type_: Struct, value: Any) -> None:
        if getattr(value, "dtype", None) == target.dtype and value.shape == ():
            target[...] = value
            return
        names = layout.dtype_of(type_).names
        for member, given in self._members(name, type_, names, value).items():
            self._put(target[member], f"{name}.{member}", type_.fields[names.index(member)].type, given)

    def _members(self, name: str, type_: Struct, known: tuple[str, ...], value: Any) -> Mapping[str, Any]:
        if isinstance(value, Mapping):
            return self._by_name(name, type_, known, value)
        if not isinstance(value, tuple):
            raise self._wrong(
                name, type_, f"a {type(value).__name__} is neither a tuple nor a structured scalar of its dtype", known
            )
        if type_.union:
            raise self._wrong(name, type_, "the members of a union share their bytes", known)
        if len(value) != len(known):
            raise self._wrong(name, type_, f"{len(value)} entries for {len(known)} members", known)
        return dict(zip(known, value, strict=True))

    def _by_name(self, name: str, type_: Struct, known: tuple[str, ...], value: Mapping[str, Any]) -> Mapping[str, Any]:
        for given in value:
            if given not in known:
                close = difflib.get_close_matches(str(given), known, 1)
                asked = f"; did you mean {close[0]}?" if close else ""
                raise self._wrong(name, type_, f"it has no member {given!r}{asked}", known)
        missing = [member for member in known if member not in value]
        if type_.union and len(value) != 1:
            raise self._wrong(name, type_, f"{len(value)} members of a union are given", known)
        if missing and not type_.union:
            raise self._wrong(
                name, type_, f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing", known
            )
        return value

    def _entries(self, name: str, type_: Array, value: Any) -> Any:
        """The elements of a member that is an array."""
        refuse_mask(value, f"{self.function}: {name}")
        shape = getattr(value, "shape", None)
        several = isinstance(value, (tuple, list)) or bool(shape)
        if not several or len(value) != type_.count:
            problem = f"{len(value)} elements" if several else f"a {type(value).__name__}"
            raise ArgumentError(
                f"{self.function}: {name} has {type_.count} elements, got {problem}",
                code="EM302",
                hint=f"pass a list of {type_.count}, or an array",
            )
        return value

    def _wrong(self, name: str, type_: Struct, problem: str, known: tuple[str, ...]) -> ArgumentError:
        listed = ", ".join(known)
        pairs = ", ".join(f"{member!r}: …" for member in known)
        hint = f"one member by name, one of {listed}" if type_.union else f"pass a tuple ({listed}), or {{{pairs}}}"
        return ArgumentError(f"{self.function}: {name} is {with_article(type_)}: {problem}", code="EM302", hint=hint)


def as_numpy(number: Any) -> Any:
    """A converted number, as NumPy takes it: ctypes has no long double that does."""
    import numpy as np

    return np.frombuffer(bytes(number), np.longdouble)[0] if isinstance(number, ctypes.c_longdouble) else number
