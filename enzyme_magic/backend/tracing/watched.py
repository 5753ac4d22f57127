"""A C function's call, watched: Python's values in, a `WatchedRun` out.

The function's own arrays are copied into the memory of the run, marked where they belong to an active parameter; statics and
globals begin as they are in the program at this moment. Nothing of the program or of the caller changes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.ir.layout import DataLayout, scalars
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, Type
from enzyme_magic.backend.tracing import numbers
from enzyme_magic.backend.tracing.machine import Machine
from enzyme_magic.backend.tracing.record import NotDecided, WatchedRun
from enzyme_magic.backend.tracing.values import Held, marks

STEPS = 1_000_000


@dataclass(frozen=True, slots=True)
class WatchedArray:
    """Memory behind a pointer parameter: its bytes, and the floating numbers in it as (offset, size in bytes)."""

    data: bytes
    numbers: tuple[tuple[int, int], ...]


def watch(
    module: Module,
    function: str,
    arguments: Sequence[float | WatchedArray | None],
    active: Mapping[int, Sequence[float]],
    state: Callable[[str], int | None],
    outputs: Sequence[int] = (),
    steps: int = STEPS,
    make: Callable[[Module, DataLayout, int], Machine] = Machine,
) -> WatchedRun:
    """Run `function` at `arguments` (None: NULL).

    active: for each active parameter the direction of its numbers. state: where a variable of the program lies now in the
    process, by name. outputs: pointer parameters whose memory counts as output; the result always does. make: the machine that
    runs it. Raises NotDecided.
    """
    layout = DataLayout.of(module)
    machine = make(module, layout, steps)
    target = module.functions[function]
    if len(target.arguments) != len(arguments):
        raise NotDecided("the parameters are passed in another form than C writes them")
    _load_state(machine, module, layout, state)
    placed = [
        _place(machine, k, argument, target.arguments[k].type, active.get(k)) for k, argument in enumerate(arguments)
    ]
    for parameter in target.arguments:
        if "byval" in parameter.attributes or "sret" in parameter.attributes:
            raise NotDecided("structs by value are not followed")
    result = machine.run(target, placed)
    found = list(marks(result))
    for k in outputs:
        argument, address = arguments[k], placed[k][0]
        if isinstance(argument, WatchedArray) and argument.data:
            found += [cell.node for cell in machine.memory.cells(address, len(argument.data))]
    is_number = isinstance(target.function_type.result, FloatType)
    value, tangent = (result[0], result[2]) if is_number else (None, None)
    return machine.recorder.finish(found, value, tangent)


def _place(
    machine: Machine, index: int, argument: float | WatchedArray | None, type_: Type, direction: Sequence[float] | None
) -> Held:
    if isinstance(type_, PointerType):
        return _place_array(machine, index, argument, direction)
    if isinstance(argument, WatchedArray) or argument is None:
        raise NotDecided("the parameters are passed in another form than C writes them")
    if isinstance(type_, FloatType):
        node = machine.recorder.input(index) if direction is not None else 0
        return numbers.rounded(float(argument), type_), node, direction[0] if direction is not None else 0.0
    if isinstance(type_, IntType):
        return int(argument) & ((1 << type_.bits) - 1), 0, 0.0
    raise NotDecided(f"a parameter of type {type_} is not followed")


def _place_array(
    machine: Machine, index: int, argument: float | WatchedArray | None, direction: Sequence[float] | None
) -> Held:
    if argument is None:
        return 0, 0, 0.0
    if not isinstance(argument, WatchedArray):
        raise NotDecided("the parameters are passed in another form than C writes them")
    region = machine.memory.allocate(len(argument.data), "an argument")
    machine.memory.write(region.base, argument.data)
    if direction is not None:
        for (offset, size), tangent in zip(argument.numbers, direction, strict=True):
            address = region.base + offset
            machine.memory.write(address, argument.data[offset : offset + size], machine.recorder.input(index), tangent)
    return region.base, 0, 0.0


def _load_state(machine: Machine, module: Module, layout: DataLayout, state: Callable[[str], int | None]) -> None:
    """Variables of the program as they are now; pointers in them to variables and functions of the program lead there in the
    run."""
    written = [v for v in module.variables.values() if v.initializer is not None and not v.constant]
    written = [v for v in written if not v.is_thread_local and not v.name.startswith("llvm.")]
    places = {v: place for v in written if (place := state(v.name)) is not None}
    for variable, place in places.items():
        address = machine.address_of(variable)
        size = layout.size_of(variable.value_type)
        data = bytearray(ctypes.string_at(place, size))
        for offset, type_ in scalars(layout, variable.value_type):
            if isinstance(layout.resolve(type_), PointerType):
                pointer = int.from_bytes(data[offset : offset + 8], "little")
                data[offset : offset + 8] = _moved(machine, module, layout, state, pointer).to_bytes(8, "little")
        machine.memory.write(address, bytes(data))


def _moved(
    machine: Machine, module: Module, layout: DataLayout, state: Callable[[str], int | None], pointer: int
) -> int:
    """The address in the run of what `pointer` leads to in the process; unchanged (and so unknown to the run) for the rest."""
    if not pointer:
        return 0
    variables: list[GlobalVariable | Function] = [*module.variables.values(), *module.functions.values()]
    for value in variables:
        place = state(value.name) if not value.name.startswith("llvm.") else None
        size = layout.size_of(value.value_type) if isinstance(value, GlobalVariable) else 1
        if place is not None and place <= pointer < place + size:
            return machine.address_of(value) + pointer - place
    return pointer
