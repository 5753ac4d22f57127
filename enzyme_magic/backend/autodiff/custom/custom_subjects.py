"""Functions with a rule of their own as subjects: what is differentiated when one of them is asked for itself.

Invariant: after `wrap`, a function `em.rule.f` that does nothing but call f stands beside each such f. Its derivative is an
ordinary one that meets f where rules are met, at a call. It exists in the engine's own module only and is never compiled.
"""

from __future__ import annotations

from collections.abc import Collection

from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX
from enzyme_magic.backend.ir.attributes import AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import VoidType
from enzyme_magic.backend.ir.values import Argument, Block
from enzyme_magic.backend.prepare import variable_arguments
from enzyme_magic.backend.prepare.bits import in_memory

PREFIX = "em.rule."


def wrap(module: Module, names: Collection[str]) -> None:
    """Add the functions that call those of `names`."""
    for name in sorted(names):
        function = module.functions.get(name)
        if function is not None and not function.function_type.variadic:
            module.add(_calling(module, function))


def subject_of(module: Module, function: str) -> str:
    """The function to differentiate when the derivative of `function` is asked for."""
    return PREFIX + function if PREFIX + function in module.functions else function


def plain_name(function: str) -> str:
    """The name in the C text."""
    for prefix in (PREFIX, in_memory.PREFIX, variable_arguments.PREFIX, STATIC_PREFIX):
        function = function.removeprefix(prefix)
    return function


def _calling(module: Module, function: Function) -> Function:
    arguments = [Argument(a.type, a.name, a.attributes, a.index) for a in function.arguments]
    made = Function(PREFIX + function.name, function_type=function.function_type, arguments=arguments, parent=module)
    block = Block("entry", parent=made)
    made.blocks.append(block)
    builder = Builder(block)
    attached: list[AttributeSet] = [a.attributes for a in function.arguments]
    result = builder.call(function, arguments, argument_attributes=attached)
    builder.ret(None if isinstance(result.type, VoidType) else result)
    return made
