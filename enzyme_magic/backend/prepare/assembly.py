"""Inline assembly that holds no instructions, as in __asm__ volatile("" ::: "memory").

It keeps a compiler from moving or removing code and does nothing else when it runs, so it is taken out before the analyses, which
would have to think that it changes everything it names. What it gives back is what it was given in the same place ("+r").

Not done: assembly with instructions. It stays, and is refused where derivatives flow through it (refusals.py).
"""

from __future__ import annotations

import re

from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import VoidType
from enzyme_magic.backend.ir.values import InlineAsm, Value

_EMPTY = re.compile(r'^(?:\w+ )*"\s*", "(?P<constraints>[^"]*)"')


def drop_empty(module: Module) -> int:
    """Take out every such call in the definitions of `module`, in place; gives back how many."""
    count = 0
    for function in module.definitions():
        replaced: dict[Value, Value | None] = {}
        for block in function.blocks:
            for call in [i for i in block.instructions if type(i) is Call]:
                constraints = _constraints_of_empty(call)
                if constraints is None:
                    continue
                given = _given_back(call, constraints)
                if given is not None or isinstance(call.type, VoidType):
                    replaced[call] = given
                    block.instructions.remove(call)
        if replaced:
            count += len(replaced)
            replace_uses(function, {old: new for old, new in replaced.items() if new is not None})
    return count


def _constraints_of_empty(call: Call) -> list[str] | None:
    if not isinstance(call.callee, InlineAsm):
        return None
    found = _EMPTY.match(call.callee.spelling)
    return found["constraints"].split(",") if found is not None else None


def _given_back(call: Call, constraints: list[str]) -> Value | None:
    """The argument in whose register the only result comes back; None where there is none, or it is not known."""
    outputs = [c for c in constraints if c.startswith("=")]
    inputs = [c for c in constraints if not c.startswith(("=", "~"))]
    if len(outputs) != 1 or "*" in outputs[0]:
        return None
    ties = [k for k, constraint in enumerate(inputs) if constraint == "0"]
    if len(ties) != 1:
        return None
    given = call.arguments[ties[0]]
    return given if given.type == call.type else None
