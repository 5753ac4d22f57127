"""Structs by value that C passes and returns in memory, in a request.

Invariant: such a struct is one argument: it is passed as C passes it, its tangent in the same way, and its adjoint is a struct of
its type (integers are zero). The struct that a function returns is a result; its adjoint is behind a pointer that is passed first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_magic.backend.autodiff.calls.request import CONSTANT, DUPLICATED
from enzyme_magic.backend.autodiff.requests.entries import AUGMENT_FORWARD, FORWARD_SPLIT, REVERSE
from enzyme_magic.backend.autodiff.requests.given import MADE, GivenParameter
from enzyme_magic.backend.ir.attributes import AttributeSet
from enzyme_magic.backend.ir.layout import scalars
from enzyme_magic.backend.ir.types import PointerType, Type
from enzyme_magic.backend.ir.values import Argument

if TYPE_CHECKING:
    from enzyme_magic.backend.autodiff.requests.parse import OperandReader

_SPLIT = (AUGMENT_FORWARD, REVERSE, FORWARD_SPLIT)


def argument(reader: OperandReader, parameter: Argument, marker: str | None, called: str) -> GivenParameter:
    """What the next operands say of a parameter `byval`."""
    type_ = _type(parameter.attributes, "byval")
    _check_holds_numbers(reader, type_, called)
    if marker not in (None, "const", "dup" if reader.forward else "out"):
        wanted = "enzyme_dup, and the struct of its tangents" if reader.forward else "enzyme_out, or no marker"
        raise reader.refuse.error(f"{called} is a struct by value", f"use {wanted}", "EM144")
    primal = _take(reader, type_, called, f"the argument for {called}")
    if marker == "const":
        return GivenParameter(CONSTANT, primal, kept=True, struct=type_)
    made = (MADE,) * reader.width
    shadow = f"the shadow of {called}"
    shadows = tuple(_take(reader, type_, shadow, shadow) for _ in made) if reader.forward else made
    return GivenParameter(DUPLICATED, primal, shadows, kept=True, struct=type_)


def result(reader: OperandReader, parameter: Argument) -> GivenParameter:
    """What the first operands say of a parameter `sret`."""
    type_ = _type(parameter.attributes, "sret")
    if reader.entry in _SPLIT:
        what = f"{reader.name} returns a struct in memory"
        raise reader.refuse.error(what, "let it write through a pointer parameter", "EM149")
    _check_holds_numbers(reader, type_, f"the result of {reader.name}")
    reader.read_markers()
    if "const_return" in reader.switches:
        return GivenParameter(CONSTANT, MADE, struct=type_)
    shadows = (MADE,) * reader.width
    if not reader.forward:
        called = f"the pointer to the adjoint of the struct that {reader.name} returns"
        shadows = tuple(reader.take(called) for _ in shadows)
        for number in shadows:
            reader.check_fits(number, parameter.type, called)
    return GivenParameter(DUPLICATED, MADE, shadows, struct=type_)


def in_memory(attributes: AttributeSet) -> bool:
    """Whether C passes or returns a struct in memory here."""
    return "byval" in attributes or "sret" in attributes


def _take(reader: OperandReader, type_: Type, called: str, missing: str) -> int:
    number = reader.take(missing)
    given = reader.call.argument_attributes[number].get("byval")
    resolve = reader.layout.resolve
    if given is None or given.type is None or resolve(given.type) != resolve(type_):
        told = reader.operand(number).type if given is None else given.type
        what = f"{called} is a {_in_c(type_)}, and a {_in_c(told)} is given"
        raise reader.refuse.error(what, "pass the struct itself", "EM144")
    return number


def _check_holds_numbers(reader: OperandReader, type_: Type, called: str) -> None:
    pointers = any(isinstance(part, PointerType) for _, part in scalars(reader.layout, type_))
    if pointers and not reader.forward:
        raise reader.refuse.error(f"{called} is a struct by value with pointers", "pass a pointer to it", "EM149")


def _in_c(type_: Type | None) -> str:
    return str(type_).replace("%struct.", "struct ")


def _type(attributes: AttributeSet, name: str) -> Type:
    attribute = attributes.get(name)
    assert attribute is not None
    assert attribute.type is not None
    return attribute.type
