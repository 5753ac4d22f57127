"""One call's Python arguments as C arguments, in C order.

Invariant: after `Arguments.convert` every parameter is a number ctypes can pass or a `Buffer`, sizes left out have been inferred
from arrays, and every declared extent holds. Nothing has been called and nothing has been written before that.

Positions: sizes that follow from arrays may be left out, and then are no positions; all parameters in C order work as well.
"""

from __future__ import annotations

import contextlib
import difflib
import keyword
from collections.abc import Mapping, Sequence
from typing import Any

from enzyme_magic.backend.frontend.c_types import Array, FunctionPointer, Pointer, Signature, Struct
from enzyme_magic.backend.native import MemoryNeed
from enzyme_magic.backend.runtime.values import layout
from enzyme_magic.backend.runtime.values.buffers import PointerParameter, refused
from enzyme_magic.backend.runtime.values.extents import Extents
from enzyme_magic.backend.runtime.values.needs import Needs
from enzyme_magic.backend.runtime.values.scalars import Converter, converter
from enzyme_magic.errors import FOREIGN, ArgumentError

MISSING: Any = object()
OPTIONS = frozenset(["wrt", "outputs", "out", "donate", "unchecked", "caching"])  # of transformations, not of calls


def python_name(c_name: str) -> str:
    """The name under which Python code can say a C name: `lambda` becomes `lambda_`."""
    return f"{c_name}_" if keyword.iskeyword(c_name) else c_name


def parameter_names(signature: Signature) -> tuple[str, ...]:
    """C names in order; a parameter without one is called after its position."""
    return tuple(parameter.name or f"p{index}" for index, parameter in enumerate(signature.parameters))


class ArgumentBinder:
    """Binds, converts and checks the arguments of one C function."""

    __slots__ = (
        "_aliases",
        "_by_name",
        "_given_needs",
        "_indices",
        "_integers",
        "_needs",
        "_short",
        "_sized",
        "_sizes",
        "_take",
        "_takers",
        "_unchecked",
        "extents",
        "function",
        "names",
        "signature",
    )

    def __init__(
        self,
        signature: Signature,
        shape: Mapping[str, Sequence[str]] | None = None,
        written: frozenset[int] = frozenset(),
        unchecked: bool = False,
        needs: Sequence[MemoryNeed] = (),
    ) -> None:
        """shape: extents that win over the declarator's. written: parameters whose arrays C may write to. needs: what every call
        touches.

        unchecked: extents are still used to infer sizes, but neither they nor needs are checked.
        Raises ArgumentError EM313 when a parameter cannot be passed from Python at all.
        """
        self.signature = signature
        self.function = signature.name
        self.names = parameter_names(signature)
        if signature.variadic:
            raise ArgumentError(
                f"{self.function} takes a variable number of arguments",
                code="EM313",
                hint="write a function in C with a fixed list of parameters that calls it",
            )
        self._indices = {name: index for index, name in enumerate(self.names)}
        self._aliases = {python_name(name): name for name in self.names}
        self._takers = [self._taker(index, index in written) for index in range(len(self.names))]
        self._integers = frozenset(
            name for name, p in zip(self.names, signature.parameters, strict=True) if layout.is_integer(p.type)
        )
        self.extents = Extents(self.function, self._declared(shape or {}), self._integers)
        self._short = tuple(index for index, name in enumerate(self.names) if name not in self.extents.inferable)
        self._take = tuple(t.take if isinstance(t, PointerParameter) else t for t in self._takers)
        used = frozenset[str]().union(*(array.names for array in self.extents.arrays.values()))
        self._sizes = tuple((name, self._indices[name]) for name in self.names if name in used)
        self._sized = tuple((name, self._indices[name]) for name in self.extents.arrays)
        self._unchecked = unchecked
        self._given_needs = tuple(needs)
        self._needs = Needs(signature, self.names, () if unchecked else self._undeclared(needs))

    def _undeclared(self, needs: Sequence[MemoryNeed]) -> list[MemoryNeed]:
        """Needs that a declared extent does not say already."""
        declared = {
            name: array.extents[0].text
            for name, array in self.extents.arrays.items()
            if len(array.extents) == 1 and array.extents[0]
        }
        return [need for need in needs if declared.get(self.names[need.parameter]) != need.elements]

    def _declared(self, shape: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
        unknown = set(shape) - set(self.names)
        if unknown:
            raise self._unknown_name(sorted(unknown)[0])
        arrays = {
            name: shape.get(name, p.extents)
            for name, p in zip(self.names, self.signature.parameters, strict=True)
            if isinstance(
                p.type, (Pointer, Array)
            )  # of a whole program's `shape`, another function's number has that name
        }
        return {name: extents for name, extents in arrays.items() if extents}

    def _taker(self, index: int, written: bool) -> Converter | PointerParameter:
        type_ = self.signature.parameters[index].type
        name = self.names[index]
        if isinstance(type_, FunctionPointer):
            raise refused(self.function, name, type_)
        if isinstance(type_, (Pointer, Array)):
            return PointerParameter(self.function, name, type_, written=written)
        return converter(self.function, name, type_)

    @property
    def pointers(self) -> dict[int, PointerParameter]:
        """Pointer parameters by index."""
        return {index: taker for index, taker in enumerate(self._takers) if isinstance(taker, PointerParameter)}

    @property
    def dtypes(self) -> dict[str, Any]:
        """dtype of each pointer parameter that has one, and of each struct that is passed by value."""
        found = {}
        for index, (name, parameter) in enumerate(zip(self.names, self.signature.parameters, strict=True)):
            pointer = self.pointers.get(index)
            if pointer is not None and pointer.dtype is not None:
                found[name] = pointer.dtype
            elif isinstance(parameter.type, Struct):
                with contextlib.suppress(ArgumentError):  # one without a dtype is refused by calls
                    found[name] = layout.dtype_of(parameter.type)
        return found

    @property
    def needs(self) -> tuple[MemoryNeed, ...]:
        """What every call is certain to touch."""
        return self._given_needs

    @property
    def unchecked(self) -> bool:
        """Whether lengths are not looked at."""
        return self._unchecked

    @property
    def checked_needs(self) -> tuple[MemoryNeed, ...]:
        """The needs that are checked: what no declared extent says already."""
        return () if self._unchecked else tuple(self._undeclared(self._given_needs))

    @property
    def inferable(self) -> frozenset[str]:
        """Sizes that may be left out."""
        return self.extents.inferable

    def convert(self, args: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """Per C parameter the number to pass, or its Buffer.

        Raises ArgumentError for anything that does not fit: see the codes EM301 … EM314.
        """
        if not self._sized and not named and len(args) == len(self._take):
            values = [take(value) for take, value in zip(self._take, args, strict=True)]
        else:
            raw = self.bind(args, named)
            values = [MISSING if value is MISSING else take(value) for take, value in zip(self._take, raw, strict=True)]
            if self._sized:
                self._settle_sizes(values)
        if self._needs:
            self._needs.check(values)
        return values

    def _settle_sizes(self, values: list[Any]) -> None:
        shapes = {name: values[index].array.shape for name, index in self._sized if values[index].array is not None}
        given = {name: values[index] for name, index in self._sizes if values[index] is not MISSING}
        sizes = self.extents.infer(given, shapes)
        for name, index in self._sizes:
            if values[index] is MISSING:
                if name not in sizes:
                    raise self._missing([name])
                values[index] = self._take[index](sizes[name])
        if not self._unchecked:
            self.extents.check(sizes, shapes)

    def index_of(self, name: str) -> int:
        """The parameter with this C name, or Python's spelling of it."""
        c_name = name if name in self._indices else self._aliases.get(name)
        if c_name is None:
            raise self._unknown_name(name)
        return self._indices[c_name]

    def places(self, count: int) -> Sequence[int]:
        """The parameters that `count` positional arguments stand for."""
        return self._positions([None] * count, [MISSING] * len(self.names))[:count]

    def bind(self, args: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The arguments in C order, not converted; `MISSING` for a size left out."""
        raw = [MISSING] * len(self.names)
        for name, value in named.items():
            raw[self.index_of(name)] = value
        for index, value in zip(self._positions(args, raw), args, strict=False):
            if raw[index] is not MISSING:
                raise self._twice(self.names[index])
            raw[index] = value
        missing = [name for name, value in zip(self.names, raw, strict=True) if value is MISSING]
        if missing and not self.inferable.issuperset(missing):
            raise self._missing([name for name in missing if name not in self.inferable])
        return raw

    def _positions(self, args: Sequence[Any], raw: Sequence[Any]) -> Sequence[int]:
        """The parameters positional arguments stand for: those that cannot be inferred, or all of them in C order."""
        if len(args) > len(self.names):
            raise self._too_many(len(args))
        still_open = sum(raw[index] is MISSING for index in self._short)
        return self._short if len(args) <= still_open else range(len(self.names))

    def _too_many(self, count: int) -> ArgumentError:
        return ArgumentError(
            f"{self.function} takes {self._count()}, got {count}",
            code="EM301",
            hint=f"the C signature is {self.signature}",
        )

    def _count(self) -> str:
        count = len(self.names)
        return f"{count} argument{'' if count == 1 else 's'} ({', '.join(self.names)})" if count else "no arguments"

    def _missing(self, names: Sequence[str]) -> ArgumentError:
        listed = ", ".join(names)
        hint = f"pass {' and '.join(f'{python_name(name)}=…' for name in names)}, or all arguments in the order of C"
        array = self._sized_by(names[0]) if len(names) == 1 else None
        if array is not None:
            name = names[0]
            declared = f"write {array}[{name}] in C, or shape={{{array!r}: {name!r}}}"
            hint = f"pass {python_name(name)}=…; or {declared}, and {name} may be left out"
        return ArgumentError(f"{self.function} needs {self._count()}; missing: {listed}", code="EM301", hint=hint)

    def _sized_by(self, size: str) -> str | None:
        """An array of as many elements as the integer parameter says: one of which so much is certain to be touched."""
        found = [self.names[need.parameter] for need in self._given_needs if need.elements == size]
        return found[0] if found and size in self._integers else None

    def _twice(self, name: str) -> ArgumentError:
        return ArgumentError(
            f"{self.function}: {name} is given twice, by position and by name", code="EM301", hint=f"leave {name}=… out"
        )

    def _unknown_name(self, name: str) -> ArgumentError:
        if not isinstance(name, str):
            hint = f"its parameters are: {', '.join(self.names) or 'none'}"
            return ArgumentError(f"{self.function}: {name!r} is no name of a parameter", code="EM301", hint=hint)
        close = difflib.get_close_matches(name, self.names, 1)
        if name in OPTIONS or name in FOREIGN:
            option = f"options go to em.grad({self.function}, …), em.vjp({self.function}, …) and so on"
            raise_hint = FOREIGN.get(name) or f"{option}: {name}=…"
            return ArgumentError(f"{self.function} has no parameter {name!r}", code="EM301", hint=raise_hint)
        hint = f"did you mean {close[0]}?" if close else f"its parameters are: {', '.join(self.names) or 'none'}"
        return ArgumentError(f"{self.function} has no parameter {name!r}", code="EM301", hint=hint)
