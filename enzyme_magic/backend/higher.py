"""A gradient as a function of a program of its own, so that it can be differentiated like any other function.

The function takes the parameters of the C function and, behind them, one pointer for the gradient of each chosen pointer parameter,
to which it adds; a gradient with respect to a single number is its result. Other gradients of numbers are stored through pointers,
too. The new program is the old one with this function in it: globals and functions stay where they are, in the libraries below.

Invariant: every added parameter points to memory that nothing else points to (the caller makes it, zeroed), so it is `noalias`.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from enzyme_magic.backend import building, deriving
from enzyme_magic.backend.autodiff.calls import run_answers
from enzyme_magic.backend.autodiff.calls.entry_points import zero_shadow_globals
from enzyme_magic.backend.autodiff.calls.request import ACTIVE, STATIC_PREFIX, Request
from enzyme_magic.backend.autodiff.calls.signature import function_type, unpacked
from enzyme_magic.backend.autodiff.derivation import Derivation
from enzyme_magic.backend.autodiff.requests.write import CURRENT_ARENA
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.frontend.c_types import CParameter, Pointer, Signature, Void
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import printer
from enzyme_magic.backend.ir.types import POINTER, VOID
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.backend.llvm import link, moduletext, optimize
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.passes import nesting, supports
from enzyme_magic.backend.program import interface, statics
from enzyme_magic.backend.program.program_module import ProgramModule
from enzyme_magic.backend.store.persist import ProgramRecord
from enzyme_magic.config import Options
from enzyme_magic.errors import DifferentiationError

if TYPE_CHECKING:
    from enzyme_magic.backend.pipeline import Clock, CompiledProgram

PREFIX, SUFFIX = "grad_", ".gradient"  # of the function, of an added parameter
_ALONE = Attribute("noalias")


def _name_of(signature: Signature, program: Module) -> str:
    """The name of a gradient as a function: nothing in the program has it."""
    names = (PREFIX * count + signature.name for count in itertools.count(1))
    return next(name for name in names if program.global_named(name) is None)


def source_of(parameter: CParameter) -> str | None:
    """The parameter whose gradient an added one takes; None for a parameter of C."""
    return parameter.name.removesuffix(SUFFIX) if parameter.name.endswith(SUFFIX) else None


def build(program: CompiledProgram, request: Request, clock: Clock) -> tuple[ProgramRecord, None]:
    """The program of the gradient for `request` (reverse mode, no value), without code: derivatives of it seldom call it. Raises
    DifferentiationError EM211 where a call of the function is more than numbers and pointers."""
    signature, primal = program.signatures[request.function], program.primal(request.function)
    if primal.uniform:
        raise DifferentiationError(
            f"the gradient of {signature.name} cannot be differentiated: it takes or returns structs, complex or other values that"
            " are no plain numbers",
            code="EM211",
            hint="pass pointers to them",
        )
    with clock.stage("autodiff"):
        derivation, derivative = deriving.write(
            program.module, request, program.record, program.options.strict, apart=True
        )
        gradient = _write(derivation, derivative, signature, request)
        nesting.mark(derivation.module)
        text = link.link([program.record.optimized_ir, printer.print_module(derivation.module)])
    with clock.stage("optimize"):
        text = link.externalize(building.optimized(nesting.differentiable(text), program.options), STATIC_PREFIX)
    with clock.stage("parse"):
        module = ProgramModule.of(text, program.sources)
    added = tuple(range(len(signature.parameters), len(gradient.parameters)))
    found = interface.primal(module, gradient)
    # It does to the arrays of C what the function does, whatever LLVM has made of both.
    primals = {gradient.name: replace(found, written=(*primal.written, *added), read=(*primal.read, *added))}
    record = ProgramRecord("", text, {gradient.name: gradient}, primals, (), (), program.record.files)
    return replace(record, keeps_blocks=program.record.keeps_blocks or statics.keeps_blocks(module)), None


def names(text: str) -> frozenset[str]:
    """What an IR text defines."""
    return frozenset(item.name for item in moduletext.split(text) if item.defines)


def own_code(program: CompiledProgram) -> bytes:
    """Object code of what a program has more than the one below."""
    assert program.below is not None
    text = program.record.optimized_ir
    return code_of(link.borrow(text, names(text) - names(program.below.record.optimized_ir)), program.options)


def code_of(text: str, options: Options) -> bytes:
    """Object code of what stands beside a program: `text` borrows the rest of it."""
    level = options.post_opt
    return jit.compile_object(optimize.post_ad(supports.with_own_support(text), level), level)


def _write(
    derivation: Derivation, derivative: Derivative | ForwardDerivative, signature: Signature, request: Request
) -> Signature:
    """Add the function to the derivation's module."""
    made = derivative.parameters
    numbers = [k for k, kind in enumerate(derivative.subject.request.activities) if kind == ACTIVE]
    bare = len(request.wrt) == 1 and request.wrt[0] in numbers
    added = sorted({*made.shadow, *(() if bare else set(numbers) & set(request.wrt))})
    arguments = [Argument(a.type, a.name, _passed(a.attributes), k) for k, a in enumerate(made.primal)]
    memory = {
        k: Argument(POINTER, f"{signature.parameters[k].name}{SUFFIX}", AttributeSet((_ALONE,)), len(arguments) + place)
        for place, k in enumerate(added)
    }
    own = [*arguments, *memory.values()]
    returned = derivative.returned[numbers.index(request.wrt[0])] if bare else None
    name = _name_of(signature, derivation.analyses.module)
    type_ = function_type(own, VOID if returned is None else returned)
    function = Function(name, function_type=type_, arguments=own)
    derivation.module.add(function)
    block = Block("entry", parent=function)
    function.blocks.append(block)
    builder = Builder(block)
    run_answers.begin_again(derivation.context, builder)
    zero_shadow_globals(derivation.context, builder)
    passed: list[Value] = []
    if made.passes_arena:
        uses = derivation.context.uses_arena
        passed.append(builder.call(CURRENT_ARENA, [], name="arena") if uses else constants.poison(POINTER))
    for k, argument in enumerate(arguments):
        passed += [argument, memory[k]] if k in made.shadow else [argument]
    passed += [constants.float_constant(seed.type, 1.0) for seed in made.seeds.values()]
    values = unpacked(builder, builder.call(derivative.function, passed), len(derivative.returned))
    run_answers.end_again(derivation.context, builder)
    if not bare:
        for k, value in zip(numbers, values, strict=True):
            if k in memory:
                builder.store(value, memory[k])
    builder.ret(values[numbers.index(request.wrt[0])] if bare else None)
    for other in derivation.module.definitions():
        other.linkage = "" if other is function else "internal"
    derivation.declare_program()
    parameters = [*signature.parameters, *(_parameter(signature.parameters[k]) for k in added)]
    result = signature.parameters[request.wrt[0]].type if bare else Void()
    return replace(signature, name=name, result=result, parameters=tuple(parameters))


def _passed(attributes: AttributeSet) -> AttributeSet:
    return attributes.without(["returned"])


def _parameter(parameter: CParameter) -> CParameter:
    type_ = parameter.type
    to = replace(type_, const=False, restrict=True) if isinstance(type_, Pointer) else Pointer(type_, restrict=True)
    return CParameter(f"{parameter.name}{SUFFIX}", to, ())
