"""How a C function is read as an operation on arrays: which parameters are inputs, which outputs, which plain integers.

Invariant: a `Contract` is frozen and complete: every C parameter has one role, and the shapes of the outputs follow from the shapes
of the inputs and the integers (`Contract.plan`), or an ArgumentError says what is missing.

Roles: a floating buffer that is read, and a floating number, are inputs. A buffer that is written is an output, filled with zeros
before each call; one that is read before it is written is input and output, and C gets a copy of the input. `outputs=` names
buffers that are outputs only. A floating result is the last output. Integer arrays are inputs without derivative.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.frontend.c_types import CType, Enum, Pointer, Scalar, Void, innermost
from enzyme_magic.errors import ArgumentError

Shape = tuple[int, ...]
OpenShape = tuple[int | None, ...]  # None: a size that only the call tells
OutShape = Shape | Mapping[str, Sequence[int]] | Callable[..., Any] | None

RESULT = "result"


@dataclass(frozen=True, slots=True)
class ArraySlot:
    """One array of an operation. parameter: its C position, -1 for the result. number: C takes one number, not a pointer."""

    name: str
    dtype: np.dtype[Any]
    parameter: int
    active: bool = True
    number: bool = False


@dataclass(frozen=True, slots=True)
class ShapePlan:
    """What one set of input shapes means. integers: by C order; counts: elements of inputs, then of outputs."""

    integers: tuple[int, ...]
    outputs: tuple[Shape, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Contract:
    """inputs, outputs: in C order. integers: C positions of integer parameters. copied: output -> input it starts from."""

    function: CFunction
    inputs: tuple[ArraySlot, ...]
    outputs: tuple[ArraySlot, ...]
    integers: tuple[int, ...]
    copied: Mapping[int, int]
    out_shape: OutShape = None

    @property
    def name(self) -> str:
        return self.function.name

    def plan(self, shapes: Sequence[Shape], given: Mapping[str, int]) -> ShapePlan:
        """The integers, the output shapes and all counts; everything declared or certain is checked as in a call of C."""
        arguments = self.function.arguments()
        names = arguments.names
        sizes, outputs = self.settled(shapes, given)
        self._check(arguments, shapes, outputs, sizes)
        counts = tuple(int(np.prod(shape, dtype=np.int64)) for shape in (*shapes, *outputs))
        return ShapePlan(tuple(sizes[names[index]] for index in self.integers), outputs, counts)

    def settled(self, shapes: Sequence[Shape], given: Mapping[str, int]) -> tuple[Mapping[str, int], tuple[Shape, ...]]:
        """The integers by name and the output shapes, which may be symbols where the shapes are: C's loops are not asked yet."""
        arguments = self.function.arguments()
        names = arguments.names
        for slot, shape in zip(self.inputs, shapes, strict=True):
            if slot.number and shape != ():
                raise ArgumentError(
                    f"{self.name}: {slot.name} is one number, got an array of shape {shape}",
                    code="EM604",
                    hint=f"batch the operation (vmap), or pass one element as {slot.name}",
                )
        arrays = {
            s.name: shape for s, shape in zip(self.inputs, shapes, strict=True) if s.name in arguments.extents.arrays
        }
        sizes = arguments.extents.infer({name: int(value) for name, value in given.items()}, arrays)
        missing = [names[index] for index in self.integers if names[index] not in sizes]
        if missing:
            arguments.extents.check_ranks(arrays)
            raise ArgumentError(
                f"{self.name} needs {', '.join(missing)}",
                code="EM604",
                hint=f"pass {missing[0]}=…, or say whose size it is: shape={{'{self._example()}': '{missing[0]}'}}",
            )
        return sizes, tuple(self._output_shape(index, shapes, sizes) for index in range(len(self.outputs)))

    def open_outputs(self, shapes: Sequence[OpenShape], given: Mapping[str, int]) -> list[OpenShape | None]:
        """The shapes of the outputs as far as they follow from the sizes that are known; None where not even the rank does.

        Nothing is checked here: what does not fit is said by the call, which knows all sizes.
        """
        declared = self.function.arguments().extents.arrays
        sizes = {name: int(value) for name, value in given.items()}
        for slot, shape in zip(self.inputs, shapes, strict=True):
            if slot.name in declared:
                for name, value in declared[slot.name].known(shape).items():
                    sizes.setdefault(name, value)
        return [self._open_output(index, shapes, sizes) for index in range(len(self.outputs))]

    def _open_output(self, index: int, shapes: Sequence[OpenShape], sizes: Mapping[str, int]) -> OpenShape | None:
        slot = self.outputs[index]
        if index in self.copied:
            return shapes[self.copied[index]]
        if slot.number:
            return ()
        chosen: Any = self.out_shape
        if callable(chosen):
            chosen = _told(chosen, shapes)
            if chosen is None:
                return None
        if isinstance(chosen, Mapping):
            chosen = chosen.get(slot.name)
        if chosen is not None:
            numbers = chosen if isinstance(chosen, Sequence) else (chosen,)
            known = _sizes([0 if number is _LATER else number for number in numbers])
            if len(known) != len(numbers):
                return None
            return tuple(None if n is _LATER else size for n, size in zip(numbers, known, strict=True))
        array = self.function.arguments().extents.arrays.get(slot.name)
        if array is None or None in array.extents:
            return None
        alike = self._alike(slot.name)
        if alike is not None:
            return shapes[alike]
        return tuple(max(e.value(sizes), 0) if e.names <= sizes.keys() else None for e in array.extents if e)

    def _alike(self, name: str) -> int | None:
        """The first input that is declared with the same extents as this output: it has its shape."""
        declared = self.function.arguments().extents.arrays
        texts = [extent and extent.text for extent in declared[name].extents]
        for index, other in enumerate(self.inputs):
            found = declared.get(other.name)
            if found is not None and [extent and extent.text for extent in found.extents] == texts:
                return index
        return None

    def _example(self) -> str:
        return next((slot.name for slot in self.inputs if not slot.number), "x")

    def _output_shape(self, index: int, shapes: Sequence[Shape], sizes: Mapping[str, int]) -> Shape:
        slot = self.outputs[index]
        if index in self.copied:
            return tuple(shapes[self.copied[index]])
        if slot.number:
            return ()
        chosen = self._chosen_shape(slot, shapes)
        if chosen is not None:
            return chosen
        declared = self.function.arguments().extents.arrays
        array = declared.get(slot.name)
        if array is not None and all(extent is not None for extent in array.extents):
            alike = self._alike(slot.name)
            if alike is not None:
                return tuple(shapes[alike])
            return tuple(max(extent.value(sizes), 0) for extent in array.extents if extent)
        raise ArgumentError(
            f"{self.name}: the shape of {slot.name} is not known",
            code="EM604",
            hint=f"declare it in C ({slot.name}[n]), or pass shape={{'{slot.name}': 'n'}} or out_shape=…",
        )

    def _chosen_shape(self, slot: ArraySlot, shapes: Sequence[Shape]) -> Shape | None:
        chosen: Any = self.out_shape
        if callable(chosen):
            chosen = chosen(*shapes)
        if isinstance(chosen, Mapping):
            chosen = chosen.get(slot.name)
        if chosen is None:
            return None
        shape = _sizes(chosen)
        if min(shape, default=0) < 0 or math.prod(shape) * slot.dtype.itemsize > sys.maxsize:
            raise ArgumentError(
                f"{self.name}: out_shape of {slot.name} is {chosen!r}", code="EM604", hint="a tuple of sizes"
            )
        return shape

    def _check(
        self, arguments: Any, shapes: Sequence[Shape], outputs: Sequence[Shape], sizes: Mapping[str, int]
    ) -> None:
        """As in a call: what C's declarations and loops say of sizes. The arrays are not touched."""
        values: dict[str, Any] = {arguments.names[index]: sizes[arguments.names[index]] for index in self.integers}
        for slot, shape in (*zip(self.inputs, shapes, strict=True), *zip(self.outputs, outputs, strict=True)):
            if slot.parameter >= 0:
                values[slot.name] = 0.0 if slot.number else np.empty(shape, slot.dtype)
        arguments.convert((), values)


def _sizes(chosen: Any) -> Shape:
    """What `out_shape` says; a size below 0 where that is no shape. Whole numbers of floating type are sizes too."""
    given = chosen if isinstance(chosen, Sequence) else (chosen,)
    try:
        return tuple(int(n) if isinstance(n, float) and n.is_integer() else operator.index(n) for n in given)
    except TypeError:
        return (-1,)


class _Later:
    """A size that only the call tells, for a function of shapes: what is computed of it is not known either, and neither is which
    way a comparison goes."""

    def _later(self, *others: object) -> _Later:
        return self

    def _undecided(self, *others: object) -> bool:
        raise TypeError("the size is not known yet")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = (
        _later
    )
    __neg__ = __pos__ = __abs__ = _later
    __bool__ = _undecided
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _undecided
    __hash__ = None  # type: ignore[assignment]


_LATER = _Later()


def _told(chosen: Callable[..., Any], shapes: Sequence[OpenShape]) -> Any:
    """What a function of the shapes says while some sizes are not known; None where it needs them."""
    try:
        return chosen(*[tuple(_LATER if size is None else size for size in shape) for shape in shapes])
    except Exception:  # of a function that somebody else wrote
        return None


def contract_of(
    function: CFunction,
    *,
    shape: Mapping[str, Any] | None = None,
    out_shape: OutShape = None,
    outputs: str | Sequence[str] | None = None,
) -> Contract:
    """Reads a C function. shape: extents in C names; out_shape: of the outputs, where shape cannot say it.

    Raises ArgumentError EM603 for a signature that is no operation on arrays of float and double.
    """
    if not isinstance(function, CFunction):
        raise ArgumentError(
            f"an operation is made of a C function, got {type(function).__name__}",
            code="EM603",
            hint="em.compile_c(…)['f']",
        )
    if shape is not None:
        function = function.program.with_shape(shape)[function.name]
    names = [] if outputs is None else [outputs] if isinstance(outputs, str) else _texts(outputs)
    if names is None:
        problem = f"{function.name}: outputs takes names, got {outputs!r}"
        raise ArgumentError(problem, code="EM603", hint="outputs='y', or outputs=('y', 'z')")
    return _Reader(function, frozenset(names)).contract(out_shape)


def _texts(value: Any) -> list[str] | None:
    """Several texts; None for anything else."""
    try:
        found = list(value)
    except TypeError:
        return None
    return found if all(isinstance(item, str) for item in found) else None


class _Reader:
    """Gives each parameter its role."""

    def __init__(self, function: CFunction, only_outputs: frozenset[str]) -> None:
        self.function = function
        self.only_outputs = only_outputs
        self.names = function.arguments().names
        unknown = sorted(only_outputs - set(self.names))
        if unknown:
            raise ArgumentError(
                f"{function.name} has no parameter {unknown[0]!r}", code="EM603", hint=f"{function.c_signature}"
            )
        self.inputs: list[ArraySlot] = []
        self.outputs: list[ArraySlot] = []
        self.integers: list[int] = []
        self.copied: dict[int, int] = {}

    def contract(self, out_shape: OutShape) -> Contract:
        signature = self.function.c_signature
        for index, parameter in enumerate(signature.parameters):
            self._parameter(index, parameter.type)
        if not isinstance(signature.result, Void):
            dtype = _dtype(signature.result)
            if dtype is None or dtype.kind != "f":
                raise self._unfit(f"returns {signature.result}", "return void, float or double")
            self.outputs.append(ArraySlot(RESULT, dtype, -1, number=True))
        unwritten = sorted(self.only_outputs - {slot.name for slot in self.outputs})
        if unwritten:
            raise ArgumentError(
                f"{self.function.name} does not write {unwritten[0]}",
                code="EM603",
                hint=f"leave {unwritten[0]!r} out of outputs",
            )
        if not self.outputs:
            raise self._unfit("has no output", "write to a float or double buffer, or return a number")
        return Contract(
            self.function, tuple(self.inputs), tuple(self.outputs), tuple(self.integers), self.copied, out_shape
        )

    def _parameter(self, index: int, type_: CType) -> None:
        roles, name = self.function.roles, self.names[index]
        held = innermost(type_.to) if isinstance(type_, Pointer) else type_
        dtype = _dtype(held)
        if dtype is None:
            raise self._unfit(f"takes {type_} {name}", "float, double and integers, and pointers to them")
        if not isinstance(type_, Pointer):
            if dtype.kind == "f":
                self.inputs.append(ArraySlot(name, dtype, index, index not in roles.passive, number=True))
            else:
                self.integers.append(index)
            return
        written = index in roles.written
        if written and dtype.kind != "f":
            raise self._unfit(f"writes the integers {name}", "outputs are float or double")
        if written and index in roles.passive:
            raise self._unfit(f"writes {name}, which is marked const", "leave the mark out")
        if not written or (index in roles.read and name not in self.only_outputs):
            if written:
                self.copied[len(self.outputs)] = len(self.inputs)
            self.inputs.append(ArraySlot(name, dtype, index, dtype.kind == "f" and index not in roles.passive))
        if written:
            self.outputs.append(ArraySlot(name, dtype, index))

    def _unfit(self, what: str, hint: str) -> ArgumentError:
        return ArgumentError(f"{self.function.name} {what}: it is no operation on arrays", code="EM603", hint=hint)


def _dtype(type_: CType) -> np.dtype[Any] | None:
    if isinstance(type_, Enum):
        type_ = type_.underlying
    if not isinstance(type_, Scalar):
        return None
    if type_.kind == "float":
        return np.dtype(f"f{type_.size}") if type_.base in ("float", "double") else None
    kinds = {"int": "i", "uint": "u", "char": "i", "bool": "u"}
    return np.dtype(f"{kinds[type_.kind]}{type_.size}") if type_.kind in kinds and type_.size <= 8 else None
