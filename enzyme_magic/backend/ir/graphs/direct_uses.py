"""Which functions are nothing but called, and which have addresses that tables, variables or arguments hold.

Invariant: a snapshot. A plain call is a direct one of the function's own type that neither unwinds nor replaces the caller's frame:
any other cannot be written in another form.
"""

from __future__ import annotations

from collections.abc import Iterator

from enzyme_magic.backend.ir.instructions import Call, Instruction, Invoke
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.values import Argument, Value


def only_called(module: Module) -> list[Function]:
    """The definitions all of whose uses are plain calls, in the order of the text."""
    others = address_taken(module) | called_otherwise(module)
    return [function for function in module.definitions() if function not in others]


def address_taken(module: Module) -> set[Value]:
    """The functions and variables that are operands of something, and not what is called."""
    return set(_operands(module))


def called_otherwise(module: Module) -> set[Value]:
    """What is called otherwise than plainly."""
    calls = (i for f in module.definitions() for i in f.instructions() if isinstance(i, Call))
    return {i.operands[-1] for i in calls if i.called_function is not None and not _is_plain(i)}


def _operands(module: Module) -> Iterator[Value]:
    pending: list[Value] = [v.initializer for v in module.variables.values() if v.initializer is not None]
    pending += [alias.aliasee for alias in module.aliases.values() if alias.aliasee is not None]
    for function in module.definitions():
        for i in function.instructions():
            pending += i.operands[:-1] if isinstance(i, Call) and i.called_function is not None else i.operands
    seen: set[int] = set()
    while pending:
        value = pending.pop()
        if isinstance(value, (Instruction, Argument)) or id(value) in seen:
            continue
        seen.add(id(value))
        yield value
        pending += getattr(value, "operands", None) or getattr(value, "elements", None) or ()


def _is_plain(call: Call) -> bool:
    callee = call.called_function
    assert callee is not None
    return not isinstance(call, Invoke) and call.tail != "musttail" and call.function_type == callee.function_type
