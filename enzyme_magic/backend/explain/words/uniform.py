"""Parameters behind a uniform entry, `void f.entry(void **args, void *result)`: args[k] points to the value of parameter k.

Invariant: a value is taken for the storage of parameter k only where it is loaded from args + 8·k.
"""

from __future__ import annotations

from enzyme_magic.backend.explain.words.variables import Variable
from enzyme_magic.backend.frontend.c_types import Signature, Void
from enzyme_magic.backend.ir.instructions import GetElementPtr, Load
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import PointerType
from enzyme_magic.backend.ir.values import Value

ARGUMENTS, RESULT = 0, 1  # the entry's own parameters
POINTER_SIZE = 8


def storage(function: Function, layout: DataLayout) -> dict[Value, int]:
    """Pointers to the values of parameters: loaded pointer -> index of the parameter."""
    found: dict[Value, int] = {}
    for instruction in function.instructions():
        if isinstance(instruction, Load) and isinstance(instruction.type, PointerType):
            offset = _offset(instruction.pointer, function, layout)
            if offset is not None and offset % POINTER_SIZE == 0:
                found[instruction] = offset // POINTER_SIZE
    return found


def _offset(pointer: Value, function: Function, layout: DataLayout) -> int | None:
    """Bytes behind `args`."""
    total = 0
    while isinstance(pointer, GetElementPtr):
        step = layout.constant_offset(pointer)
        if step is None:
            return None
        total, pointer = total + step, pointer.pointer
    return total if pointer is function.arguments[ARGUMENTS] else None


def variables(function: Function, signature: Signature, layout: DataLayout) -> dict[Value, Variable]:
    """What lies where the entry looks: the C parameters by name, and the result."""
    parameters = signature.parameters
    found = {
        pointer: Variable(parameters[k].name or f"p{k}", parameters[k].type)
        for pointer, k in storage(function, layout).items()
        if k < len(parameters)
    }
    if not isinstance(signature.result, Void):
        found[function.arguments[RESULT]] = Variable("result", signature.result)
    return found
