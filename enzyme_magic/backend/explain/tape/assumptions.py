"""What the plan would be if the program said more: the program is changed as the C text would have been, and analysed anew.

`restrict` on a parameter is `noalias` on it, a known number stands wherever its parameter is read, `const` takes a parameter out of
the request. The input IR is changed, optimized and planned by the same stages as the program itself, so an answer is computed
and never guessed. Nothing is run: no machine code is made from an assumption.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from enzyme_magic.backend import building
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.c_types import Pointer, Signature
from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import ConstantInt
from enzyme_magic.backend.pipeline import CompiledProgram
from enzyme_magic.errors import ArgumentError

RESTRICT, CONST = "restrict", "const"
Assumptions = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Assumed:
    """A program that says more, and the request for it."""

    program: CompiledProgram
    request: Request


def assume(program: CompiledProgram, request: Request, assumptions: Assumptions) -> Assumed:
    """The program and the request under `assumptions`: parameter to "restrict", "const" or a whole number.

    ArgumentError EM335 for what cannot be assumed; it says what can.
    """
    signature = program.signatures[request.function]
    indices = {name: _index(signature, name) for name in assumptions}
    constant = {indices[name] for name, what in assumptions.items() if what == CONST}
    left = tuple(k for k in request.wrt if k not in constant)
    if not left:
        raise _impossible(f"with {' and '.join(assumptions)} const nothing of {request.function} is active")
    changes = {indices[name]: what for name, what in assumptions.items() if what != CONST}
    program = program.told(request)
    if changes:
        program = _changed(program, request, dict.fromkeys(program.said, RESTRICT) | changes)
    return Assumed(program, replace(request, wrt=left))


def _index(signature: Signature, name: str) -> int:
    names = [parameter.name for parameter in signature.parameters]
    if name not in names:
        raise _impossible(f"{signature.name} has no parameter {name}", f"parameters: {', '.join(names) or 'none'}")
    return names.index(name)


def _changed(program: CompiledProgram, request: Request, changes: Mapping[int, str | int]) -> CompiledProgram:
    module = parser.parse(program.record.input_ir)
    function, signature = module.functions[request.function], program.signatures[request.function]
    if len(function.arguments) != len(signature.parameters):
        raise _impossible(f"{request.function} passes structs or long numbers in several parts", "only const, then")
    for index, what in changes.items():
        _state(function, signature, index, what)
    text = printer.print_module(module)
    optimized = building.before_differentiation(text, program.sources, program.options)
    record = replace(program.record, input_ir=text, optimized_ir=optimized)
    return CompiledProgram(
        program.name,
        program.sources,
        program.options,
        program.settings,
        program.key,
        record,
        b"",
        {},
        from_disk=False,
    )


def _state(function: Function, signature: Signature, index: int, what: str | int) -> None:
    """Write one assumption into the function."""
    argument, parameter = function.arguments[index], signature.parameters[index]
    if what == RESTRICT:
        if not isinstance(parameter.type, Pointer) or "byval" in argument.attributes:
            raise _impossible(f"restrict is for pointers, and {parameter.name} is of type {parameter.type}")
        argument.attributes = argument.attributes.with_(Attribute("noalias"))
        return
    if isinstance(what, bool) or not isinstance(what, int):
        raise _impossible(f"{parameter.name}: {what!r} is nothing that can be assumed")
    if not isinstance(argument.type, IntType):
        raise _impossible(f"{what} is for whole numbers, and {parameter.name} is of type {parameter.type}")
    bits = argument.type.bits
    if not -(1 << (bits - 1)) <= what < 1 << (bits - 1):
        raise _impossible(f"{parameter.name} is of type {parameter.type}, which does not hold {what}")
    replace_uses(function, {argument: ConstantInt(argument.type, what)})


def _impossible(message: str, hint: str = "") -> ArgumentError:
    spellings = 'assume={"out": "restrict"}, {"x": "const"} or {"n": 10}'
    return ArgumentError(message, code="EM335", hint=hint or spellings)


def words(assumptions: Assumptions) -> str:
    """ "restrict on out and n = 10"."""
    return " and ".join(
        f"{what} on {name}" if isinstance(what, str) else f"{name} = {what}" for name, what in assumptions.items()
    )
