"""Shadows of pointers that the C library returns into memory it was given: `strchr(text, 'x')`, `strcpy(to, from)`.

Primal and shadow memory are laid out alike, so the shadow of such a pointer is as far into the shadow of the argument as the
pointer is into the argument's memory. Where nothing was found, both are null.
"""

from __future__ import annotations

from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.sweeps.primal_copy import PrimalCopy
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.types import I8, I64, POINTER, PointerType
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.library.summary import ARGUMENT


def shadow_of_result(context: SweepContext, copy: PrimalCopy, call: Call) -> Value | None:
    """None: the pointer may lead elsewhere."""
    argument = _origin(context, call)
    if argument is None:
        return None
    given = copy.shadows.of(argument)
    builder = copy.after(call)
    result, start, nowhere = copy.value(call), copy.value(argument), constants.zero(POINTER)
    distance = builder.sub(builder.ptrtoint(result, I64), builder.ptrtoint(start, I64))
    there = builder.gep(I8, given, [distance])
    none = builder.or_(builder.icmp("eq", result, nowhere), builder.icmp("eq", given, nowhere))
    return builder.select(none, nowhere, there, name=f"{call.name}_shadow" if call.name else "")


def _origin(context: SweepContext, call: Call) -> Value | None:
    """The argument into whose memory a function of the library returns a pointer."""
    function = call.called_function
    if function is None or not function.is_declaration:
        return None
    places = context.analyses.effects.call(call).returns
    found = [call.arguments[p.index] for p in places if p.kind == ARGUMENT and 0 <= p.index < len(call.arguments)]
    return found[0] if len(places) == len(found) == 1 and isinstance(found[0].type, PointerType) else None
