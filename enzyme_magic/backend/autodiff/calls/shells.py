"""Derivatives that are not written yet, as planning and recursion call them: a name and a type."""

from __future__ import annotations

from enzyme_magic.backend.autodiff.calls.calls import CalledDerivative
from enzyme_magic.backend.autodiff.calls.request import ACTIVE, COMBINED, DUPLICATED, SPLIT, FunctionRequest
from enzyme_magic.backend.autodiff.calls.signature import function_type, parameters, result_type, returned_types
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.sweep import AUGMENTED, REVERSE
from enzyme_magic.backend.autodiff.sweeps.value_leaves import boundary_leaves
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import POINTER, FunctionType, StructType, Type, VoidType


def shell(
    context: SweepContext,
    request: FunctionRequest,
    source: Function,
    name: str,
    reads_primal: tuple[bool, ...] | None = None,
) -> CalledDerivative:
    """A derivative that is not written yet, as others call it. reads_primal: None where it is not known what it reads."""
    analyses = context.analyses
    function = analyses.module.functions[request.function]
    result = analyses.result_leaves(function) if request.result == ACTIVE else ()
    types = returned_types(source, request, lambda v: boundary_leaves(analyses.types, context.layout, v), result)
    split = request.mode == SPLIT
    made = parameters(source, request, result, seeds=True, frame=split)
    reverse_type = function_type(made.in_order(), result_type(types))
    every = (True,) * len(source.arguments) if reads_primal is None else reads_primal
    if request.mode == COMBINED:
        return CalledDerivative(request, None, Function(name, function_type=reverse_type), len(types), every)
    primal = parameters(source, request, result, seeds=False)
    returns: list[Type] = [POINTER]
    if not isinstance(source.function_type.result, VoidType):
        returns.append(source.function_type.result)
    if request.result == DUPLICATED:
        returns.append(POINTER)
    forward_type = FunctionType(StructType(tuple(returns)), tuple(a.type for a in primal.in_order()))
    return CalledDerivative(
        request,
        Function(AUGMENTED + name, function_type=forward_type),
        Function(REVERSE + name, function_type=reverse_type),
        len(types),
        every,
    )


def forward_shell(context: SweepContext, subject: Subject, name: str) -> ForwardDerivative:
    """A forward-mode derivative that is still being written."""
    source, request = subject.prepared.function, subject.request
    made = parameters(source, request, (), tangents_of=subject.boundary_leaves)
    types: list[Type] = [] if isinstance(source.function_type.result, VoidType) else [source.function_type.result]
    function = context.analyses.module.functions[request.function]
    result = context.analyses.result_leaves(function) if request.result == ACTIVE else ()
    types += [POINTER] if request.result == DUPLICATED else []
    types += [leaf.type for leaf in result]
    function = Function(name, function_type=function_type(made.in_order(), result_type(types)))
    return ForwardDerivative(subject, made, function, types, result)
