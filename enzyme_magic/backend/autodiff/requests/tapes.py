"""A tape in the hands of C code: how answers make, open and give one back (runtime/native/c/chunks.c has the functions)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_magic.backend.autodiff.requests.parse import EntryRequest, Refusals
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import I8, I32, I64, POINTER, VOID, ArrayType, FunctionType
from enzyme_magic.backend.ir.values import ConstantString, Value

if TYPE_CHECKING:
    from enzyme_magic.backend.autodiff.requests.write import Body

FRAME_AT, KINDS_AT = 120, 136  # tape_frame, tape_kinds of runtime/native/c/arena.h
NEW = Function("em.run.tape_new", function_type=FunctionType(POINTER, (I64,)))
OPEN = Function("em.run.tape_open", function_type=FunctionType(POINTER, (POINTER, I64, POINTER, POINTER, I32)))
CLOSE = Function("em.run.tape_close", function_type=FunctionType(VOID, (POINTER,)))
WRONG = b"the tape comes from __enzyme_augmentfwd with the same arguments, and is used once\0"


def opened(body: Body, request: EntryRequest, word: int, refuse: Refusals) -> tuple[Value, Value]:
    """The tape of a request, and the frame in it."""
    assert request.tape is not None
    builder = body.builder
    tape: Value = body.given[request.tape]
    if request.tape_in_memory:
        tape = builder.load(POINTER, tape, align=1)
    module = body.derivation.module
    line = constants.int_constant(I32, refuse.span.line if refuse.span else 0)
    file = (refuse.span.file if refuse.span else "").encode() + b"\0"
    texts = [_text(module, WRONG, "em.tape.wrong"), _text(module, file, "em.tape.file")]
    builder.call(OPEN, [tape, constants.int_constant(I64, word), *texts, line])
    frame = builder.load(POINTER, builder.gep(I8, tape, [constants.int_constant(I64, FRAME_AT)]))
    return tape, frame


def _text(module: Module, text: bytes, name: str) -> GlobalVariable:
    known = module.variables.get(name)
    if known is None:
        type_ = ArrayType(len(text), I8)
        known = GlobalVariable(
            name, linkage="private", value_type=type_, initializer=ConstantString(type_, text), constant=True
        )
        module.add(known)
    return known
