"""Which pointer parameters of a C function may be taken for `restrict` in its derivatives that Python calls.

Python gives a derivative memory of its own for every array that the function writes: a fresh copy, which no other argument and no
pointer kept from an earlier call leads to (runtime/values/purity.py). So a written parameter is `noalias` there, as if the C text
said `restrict`, and what is read beside it need not be stored.

The shadow of an array parameter is memory of its own in any call of a gradient from Python, whatever the array itself shares:
zeros, a copy of a seed, or the memory of `out`, which is looked at before. So it is `noalias` too (`own_shadows`).

Invariant: only written parameters of a function that cannot come to itself again: `noalias` would speak of the inner calls too, and
what they pass is the program's affair. Of memory that Python does not copy (read only, or donated) nothing is said.
"""

from __future__ import annotations

from collections.abc import Collection

from enzyme_magic.backend.autodiff.custom import custom_subjects
from enzyme_magic.backend.frontend.c_types import CType, Enum, Pointer, Scalar, Signature, Struct, innermost
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import POINTER
from enzyme_magic.backend.program.program_module import ProgramModule


def separable(
    program: ProgramModule, function: Function, signature: Signature, written: Collection[int]
) -> tuple[int, ...]:
    """Indices of C parameters. program: one that asks for no derivatives; function: its native parameters are those of C."""
    module = program.module
    if len(function.arguments) != len(signature.parameters) or function in program.analyses.effects.callgraph.recursive:
        return ()
    if module.aliases or custom_subjects.subject_of(module, function.name) != function.name:
        return ()
    pointers = [k for k, p in enumerate(signature.parameters) if isinstance(p.type, Pointer)]
    if len(pointers) < 2 and not any(not variable.constant for variable in module.variables.values()):
        return ()  # nothing else is there that could overlap
    return tuple(k for k in pointers if k in written and _may_be_told(function, signature, k))


def _may_be_told(function: Function, signature: Signature, index: int) -> bool:
    argument, type_ = function.arguments[index], signature.parameters[index].type
    said = {"byval", "sret", "noalias"} & {attribute.name for attribute in argument.attributes}
    return isinstance(type_, Pointer) and not type_.restrict and argument.type == POINTER and not said


def own_shadows(signature: Signature) -> bool:
    """Whether no parameter leads to pointers: then each shadow is reached through its own parameter alone."""
    types = [p.type.to if isinstance(p.type, Pointer) else p.type for p in signature.parameters]
    return all(_leads_nowhere(type_) for type_ in types)


def _leads_nowhere(type_: CType) -> bool:
    inner = innermost(type_)
    if isinstance(inner, Struct):
        return all(_leads_nowhere(field.type) for field in inner.fields)
    return isinstance(inner, (Scalar, Enum))
