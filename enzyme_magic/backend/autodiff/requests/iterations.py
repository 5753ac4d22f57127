"""`__enzyme_iter(n, k)`: n in the program itself, and k more at each level of differentiation (the derivative of a Taylor series is
as exact as its value only with one term more).

Invariant: the call stays one through every derivative, with the number it has reached; `settle` puts the number in its place
when code is made. Type hints have said what they had to say by then, and go too.
"""

from __future__ import annotations

from enzyme_magic.backend.autodiff.requests.entries import ITERATION, TYPE_HINTS
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.ir.values import Value


def advance(module: Module) -> None:
    """Before differentiation: each n becomes n + k, in place."""
    for function in module.definitions():
        for block in function.blocks:
            for i in list(block.instructions):
                if isinstance(i, Call) and _is(i, (ITERATION,)) and _fits(i):
                    builder = Builder(block, before=i)
                    i.operands[0] = builder.add(i.operands[0], i.operands[1])


def settle(text: str) -> str:
    """The text without hints, and with numbers in place of `__enzyme_iter`."""
    if ITERATION not in text and not any(hint in text for hint in TYPE_HINTS):
        return text
    module = parser.parse(text)
    for function in module.definitions():
        gone: dict[Value, Value] = {}
        for block in function.blocks:
            kept = []
            for i in block.instructions:
                if isinstance(i, Call) and _is(i, (ITERATION,)) and _fits(i):
                    gone[i] = gone.get(i.operands[0], i.operands[0])
                elif not (isinstance(i, Call) and _is(i, TYPE_HINTS)):
                    kept.append(i)
            block.instructions = kept
        replace_uses(function, gone)
    return printer.print_module(module)


def _is(call: Call, parts: tuple[str, ...]) -> bool:
    function = call.called_function
    return function is not None and function.is_declaration and any(part in function.name for part in parts)


def _fits(call: Call) -> bool:
    """Whether it is called as it is meant: integers of one type in and out."""
    types = [value.type for value in call.arguments]
    return len(types) == 2 and types[0] == types[1] == call.type and isinstance(call.type, IntType)
