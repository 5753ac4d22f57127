"""`Operation`: a C function as a pure operation on NumPy arrays, closed under vjp, jvp and batching.

Invariant: an operation never modifies what it is given and gives fresh arrays. Each derivative is an operation again, compiled once
when it is first called and kept; calls are safe from several threads. Leading batch axes are one native loop: an input has each of
them, or one of length 1 in its place where examples share it, and an output is the sum over those that `sums` marks. Nothing is
copied or kept for each example of what they share; an axis of stride 0 (a broadcast input) is one that they share.

What it cannot do it says: a derivative that cannot be written raises DifferentiationError when it is asked for, never zeros.
"""

from __future__ import annotations

import math
import operator
import threading
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, repeat
from typing import Any

import numpy as np

from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.frontend.c_types import Scalar
from enzyme_magic.backend.runtime.calls.invoke import invoker
from enzyme_magic.backend.runtime.values.scalars import converter
from enzyme_magic.errors import ArgumentError
from enzyme_magic.integrations import effects, kernels
from enzyme_magic.integrations.contract import ArraySlot, Contract, OutShape, Shape, ShapePlan, contract_of

PLANS_KEPT = 256
Sums = tuple[int, ...]  # for each output a bit for each axis of the batch that it is the sum over; () for no sums


@dataclass(frozen=True, slots=True)
class Launch:
    """What the native loop is told for contiguous inputs of certain shapes. axes: how many those of the batch are; sizes, strides:
    addresses of arrays in `keep`; like: for each output an input of its shape and dtype, or None; empty: memory of no bytes is
    among them, or there is no example."""

    axes: int
    sizes: int
    strides: int
    outputs: tuple[Shape, ...]
    like: tuple[int | None, ...]
    empty: bool
    keep: Any


class Operation:
    """One kernel. inputs, outputs: its arrays in order; base_inputs: how many of the inputs are the C function's own."""

    def __init__(self, contract: Contract, path: str = "", root: Operation | None = None) -> None:
        if contract.function.program.options.language != "c":
            raise ArgumentError(
                f"{contract.name} is not compiled from C",
                code="EM603",
                hint="write the function that is the layer in C, and link the rest with link=",
            )
        self.contract = contract
        self.path = path
        self.root = root or self
        names = contract.function.arguments().names
        self.integer_names: tuple[str, ...] = tuple(names[k] for k in contract.integers)
        self.kernel = kernels.kernel(contract, path)
        self.inputs: tuple[ArraySlot, ...] = tuple(place.slot for place in self.kernel.inputs)
        self.outputs: tuple[ArraySlot, ...] = tuple(place.slot for place in self.kernel.outputs)
        self._lock = threading.RLock()
        self._plans: dict[Any, ShapePlan] = {}
        self.launches: dict[Any, Launch] = {}  # by shapes alone where there are neither integers nor a batch
        self.foreign: tuple[Any, ...] | None = None  # an adapter's dtypes of the outputs

    @property
    def name(self) -> str:
        """The C function's name with the path of transforms: `f`, `f.vjp`, `f.vjp.jvp`."""
        return ".".join([self.contract.name, *({"v": "vjp", "j": "jvp"}[letter] for letter in self.path)])

    @cached_property
    def vjp(self) -> Operation:
        """(inputs, cotangents of the outputs) -> gradients of the active inputs."""
        return self._derivative("v")

    @cached_property
    def jvp(self) -> Operation:
        """(inputs, tangents of the active inputs) -> tangents of the outputs."""
        return self._derivative("j")

    def _derivative(self, letter: str) -> Operation:
        effects.refuse_derivative(self.contract.function)
        return Operation(self.contract, self.path + letter, self.root)

    @cached_property
    def is_ordered(self) -> bool:
        """Whether calls may not be merged, dropped or moved."""
        return effects.is_ordered(self.contract.function)

    @cached_property
    def before(self) -> Operation | None:
        """The operation of which this is a derivative; this one is linear in the inputs that its transform added."""
        if not self.path:
            return None
        made = self.root
        for letter in self.path[:-1]:
            made = made.vjp if letter == "v" else made.jvp
        return made

    @cached_property
    def active(self) -> tuple[int, ...]:
        """The inputs that have a derivative."""
        return tuple(k for k, slot in enumerate(self.inputs) if slot.active)

    @cached_property
    def function(self) -> CFunction:
        """The compiled loop over a batch; DifferentiationError where the derivative cannot be written."""
        with self._lock:
            symbol, text = kernels.batched(self.kernel)
            return self.contract.function.program.extended(text, self.name)[symbol]

    @cached_property
    def native(self) -> Any:
        """What `start` calls: the numbers of a launch, then addresses."""
        code = self.function.code()
        entry = replace(code.entry, puts_back=bool(self.path))  # a derivative is a question, not a step of the program
        return invoker(entry, code.address, code.signature, code.keep)

    # Shapes ----------------------------------------------------------------------------------------------------------

    def plan(self, shapes: Sequence[Shape], integers: Mapping[str, int]) -> ShapePlan:
        """Of the C function's own inputs, without batch axes."""
        root = self.root
        key = (tuple(shapes), tuple(integers.items()))
        found = root._plans.get(key)
        if found is None:
            found = self.contract.plan(shapes, integers)
            if len(root._plans) >= PLANS_KEPT:
                root._plans.clear()
            root._plans[key] = found
        return found

    def output_shapes(
        self, shapes: Sequence[Shape], integers: Mapping[str, int], *, symbolic: bool = False
    ) -> tuple[Shape, ...]:
        """The shapes of the outputs, for those of all inputs, without batch axes; all of them are checked. symbolic: sizes may be
        symbols of a framework's; what C's declarations and loops say of numbers is checked by the call."""
        base = len(self.contract.inputs)
        own = shapes[:base]
        made = self.contract.settled(own, integers)[1] if symbolic else self.plan(own, integers).outputs
        known = [tuple(shape) for shape in (*own, *made)]
        first = len(self.contract.integers)
        for place, shape in zip(self.kernel.inputs[base:], shapes[base:], strict=True):
            wanted = known[place.size - first]
            if tuple(shape) != wanted:
                raise ArgumentError(
                    f"{self.name}: the derivative of {place.slot.name} has shape {tuple(shape)}, it must have {wanted}",
                    code="EM604",
                    hint=f"reshape it to {wanted}",
                )
        return tuple(known[place.size - first] for place in self.kernel.outputs)

    def layout(
        self, shapes: Sequence[Shape], integers: Mapping[str, int], axes: Shape, sums: Sums = ()
    ) -> tuple[list[int], list[Shape]]:
        """What the native loop is told when every input is contiguous, and the shapes of the outputs: the number of the axes of
        the batch (those that are one walk are one), the integers, the sizes of the arrays, then those of the axes, then for each
        array the elements between examples along each of them, 0 where they share it. axes: the batch's own."""
        batch = len(axes)
        inner = [tuple(shape[batch:]) for shape in shapes]
        made = [
            summed(axes, mark) + shape
            for shape, mark in zip(self.output_shapes(inner, integers), sums or repeat(0), strict=False)
        ]
        plan = self.plan(inner[: len(self.contract.inputs)], integers)
        sizes, steps = merged(axes, [steps_of(shape, axes) for shape in (*shapes, *made)])
        return [len(sizes), *plan.integers, *plan.counts, *sizes, *chain.from_iterable(steps)], made

    def launch(self, shapes: Sequence[Shape], integers: Mapping[str, int], batch: int = 0, sums: Sums = ()) -> Launch:
        """How to call C for these shapes, whose first `batch` axes are examples; all of them are checked, once."""
        key = (tuple(shapes), tuple(integers.items()), batch, sums) if integers or batch else tuple(shapes)
        found = self.launches.get(key)
        if found is None:
            if len(self.launches) >= PLANS_KEPT:
                self.launches.clear()
            axes = batch_axes(shapes, batch)
            found = self.launches[key] = self._launch([tuple(shape) for shape in shapes], integers, axes, sums)
        return found

    def _launch(self, shapes: Sequence[Shape], integers: Mapping[str, int], axes: Shape, sums: Sums) -> Launch:
        layout, made = self.layout(shapes, integers, axes, sums)
        told = np.array(layout, dtype=np.int64)
        contract = self.contract
        strides = told[1 + len(contract.integers) + len(contract.inputs) + len(contract.outputs) :]
        empty = 0 in axes or not all(map(math.prod, (*shapes, *made)))
        given = {(shape, slot.dtype): k for k, (shape, slot) in enumerate(zip(shapes, self.inputs, strict=True))}
        like = tuple(given.get((shape, slot.dtype)) for shape, slot in zip(made, self.outputs, strict=True))
        return Launch(int(told[0]), told[1:].ctypes.data, strides.ctypes.data, tuple(made), like, empty, told)

    # Values ----------------------------------------------------------------------------------------------------------

    def __call__(
        self, arrays: Sequence[Any], integers: Mapping[str, int], batch: int = 0, sums: Sums = ()
    ) -> list[np.ndarray[Any, Any]]:
        """The outputs. arrays: NumPy arrays of exactly the inputs' dtypes. batch: how many leading axes all of them have, each that
        of the batch or, where examples share the input, of length 1."""
        self.check_dtypes(arrays)
        if not batch:
            return self._one(arrays, integers)
        axes = batch_axes([array.shape for array in arrays], batch)
        held = [_readable(_once(array, batch)) for array in arrays]
        launch = self._launch([array.shape for array in held], integers, axes, sums)
        made = [np.empty(shape, slot.dtype) for slot, shape in zip(self.outputs, launch.outputs, strict=True)]
        self.start(launch, [array.ctypes.data for array in (*held, *made)])
        return made

    def _one(self, arrays: Sequence[Any], integers: Mapping[str, int]) -> list[np.ndarray[Any, Any]]:
        """One example."""
        launch = self.launch([array.shape for array in arrays], integers)
        held = [_readable(array) for array in arrays]
        made = [np.empty(shape, slot.dtype) for slot, shape in zip(self.outputs, launch.outputs, strict=True)]
        self.start(launch, [array.ctypes.data for array in (*held, *made)])
        return made

    def start(self, launch: Launch, addresses: Sequence[int]) -> None:
        """Calls C with the addresses of contiguous inputs and outputs."""
        self.native(launch.axes, launch.sizes, launch.strides, *addresses)

    def check_dtypes(self, arrays: Sequence[Any]) -> None:
        """ArgumentError EM602 for the first array whose dtype is not the parameter's."""
        if len(arrays) != len(self.inputs):
            named = ", ".join(slot.name for slot in self.inputs)
            raise ArgumentError(
                f"{self.name} takes {len(self.inputs)} arrays ({named}), got {len(arrays)}",
                code="EM301",
                hint=f"the C signature is {self.contract.function.c_signature}",
            )
        for slot, array in zip(self.inputs, arrays, strict=True):
            if array.dtype != slot.dtype:
                raise wrong_dtype(self.name, slot, array.dtype)

    def bind(self, args: Sequence[Any], named: Mapping[str, Any]) -> tuple[list[Any], dict[str, int]]:
        """A call's inputs in C order, and its integers. ArgumentError EM301 for what is missing or unknown."""
        if not named and len(args) == len(self.inputs):
            return list(args), {}
        names = [slot.name for slot in self.inputs]
        integers = {name: named[name] for name in self.integer_names if name in named}
        given = {name: value for name, value in named.items() if name not in integers}
        free = [name for name in names if name not in given]
        if len(args) != len(free) or not given.keys() <= set(names):
            unknown = sorted(given.keys() - set(names))
            raise ArgumentError(
                f"{self.name} has no input {unknown[0]!r}"
                if unknown
                else f"{self.name} takes {len(free)} inputs ({', '.join(free)}), got {len(args)}",
                code="EM301",
                hint=f"the C signature is {self.contract.function.c_signature}",
            )
        given.update(zip(free, args, strict=True))
        return [given[name] for name in names], {name: self._integer(name, value) for name, value in integers.items()}

    def _integer(self, name: str, value: Any) -> int:
        number = whole(value)
        if number is None:
            raise ArgumentError(
                f"{self.name}: {name} is an integer, got {value!r}", code="EM301", hint=f"pass {name}=int(…)"
            )
        return number

    def __repr__(self) -> str:
        return f"<operation {self.name}: {', '.join(s.name for s in self.inputs)} -> {', '.join(s.name for s in self.outputs)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Operation, (self.contract, self.path)


def batch_axes(shapes: Sequence[Shape], batch: int) -> Shape:
    """The leading axes of a batch: an input has each of them, or one of length 1 in its place."""
    return tuple(next((shape[k] for shape in shapes if shape[k] != 1), 1) for k in range(batch))


def summed(axes: Shape, mark: int) -> Shape:
    """Those of an output that is the sum over the axes whose bits are set in `mark`."""
    return tuple(1 if mark >> k & 1 else size for k, size in enumerate(axes))


def steps_of(shape: Shape, axes: Shape) -> list[Any]:
    """Of a contiguous array, the elements from one example to the next along each axis of a batch; 0 where they share it."""
    step, steps = math.prod(shape[len(axes) :]), []
    for own, size in zip(shape[: len(axes)][::-1], axes[::-1], strict=True):
        steps.append(step if own == size else 0)
        step *= own
    return steps[::-1]


def merged(axes: Shape, steps: Sequence[Sequence[int]]) -> tuple[list[int], list[list[int]]]:
    """(sizes, steps) of the same walk with as few axes as it takes: two that every array passes in one stride are one."""
    sizes: list[int] = []
    along: list[list[int]] = []  # the innermost first
    for size, own in zip(axes[::-1], reversed([*zip(*steps, strict=True)]), strict=True):
        if size == 1:
            continue
        if sizes and all(outer == inner * sizes[-1] for outer, inner in zip(own, along[-1], strict=True)):
            sizes[-1] *= size
        else:
            sizes.append(size)
            along.append([*own])
    return sizes[::-1], [[own[k] for own in along[::-1]] for k in range(len(steps))]


def results_of(own: Operation, named: bool) -> Callable[..., Any]:
    """What makes a tuple of several outputs: with their C names, or a plain one, which axes in plain tuples fit (`out_axes`)."""
    if not named:
        return lambda *made: made
    return namedtuple("Outputs", [slot.name for slot in own.outputs], rename=True)


def number_for(function: str, slot: ArraySlot, value: Any) -> int | float | None:
    """A Python number for a parameter that is one number; None for everything else, which a framework makes an array of. NumPy's
    numbers have a dtype, and are taken where it is the parameter's.

    ArgumentError EM302 where the C type does not hold it, as in a call of the function itself.
    """
    if not slot.number or not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    if isinstance(value, np.generic) and value.dtype != slot.dtype:
        return None
    name = "float" if slot.dtype.itemsize == 4 else "double"
    converter(function, slot.name, Scalar(name, "float", slot.dtype.itemsize, name))(value)
    return value


def switch(name: str, given: Any) -> bool:
    """ArgumentError EM322 for a switch that is neither on nor off: a text is true, whatever it says."""
    if not isinstance(given, (bool, np.bool_)):
        raise ArgumentError(f"{name} is True or False, got {given!r}", code="EM322", hint=f"{name}=True")
    return bool(given)


def whole(value: Any) -> int | None:
    """A whole number, of Python, NumPy or a framework; None for anything else, arrays too that have an index by their type only."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def _once(array: np.ndarray[Any, Any], batch: int) -> np.ndarray[Any, Any]:
    """The array with axes of length 1 for those of the batch along which it is the same memory."""
    if not array.size:
        return array
    return array[tuple(slice(None) if step else slice(1) for step in array.strides[:batch])]


def _readable(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if type(array) is np.ndarray and array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.require(array, requirements=["C", "A"])


def wrong_dtype(function: str, slot: ArraySlot, got: Any) -> ArgumentError:
    """ArgumentError EM602: the parameter, both dtypes, and the repair."""
    return ArgumentError(
        f"{function}: {slot.name} must be {slot.dtype}, got {got}",
        code="EM602",
        hint=f"convert {slot.name} to {slot.dtype} first",
    )


def operation(
    function: CFunction,
    *,
    shape: Mapping[str, Any] | None = None,
    out_shape: OutShape = None,
    outputs: str | Sequence[str] | None = None,
) -> Operation:
    """The operation of a C function; errors as `contract_of`."""
    return Operation(contract_of(function, shape=shape, out_shape=out_shape, outputs=outputs))
