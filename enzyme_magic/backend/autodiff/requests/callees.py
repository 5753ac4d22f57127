"""Which function a request means: the value passed first, followed to functions of the program.

Followed are casts, constant variables, phis and selects, and parameters of functions that are only called directly inside the
program (at -O0 a helper that takes the function as an argument is not inlined). Whatever cannot be followed to its end gives None:
nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.instructions import Call, Cast, Freeze, Load, Phi, Select
from enzyme_magic.backend.ir.module import Function, GlobalAlias, GlobalVariable, Module
from enzyme_magic.backend.ir.values import Argument, ConstantExpression, ConstantKeyword, Value


@dataclass(frozen=True, slots=True)
class Candidates:
    """The functions a value may be, in the module's order. closed: it can be no other one."""

    functions: tuple[Function, ...]
    closed: bool = True


def candidates(module: Module, value: Value) -> Candidates | None:
    """The functions `value` may be; None where a way leads to something that is no function of the program."""
    seen: set[Value] = set()
    found: set[Function] = set()
    closed = True
    pending = [value]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        if isinstance(current, Function):
            found.add(current)
            continue
        sources = _sources(module, current)
        if sources is None:
            return None
        if isinstance(current, Argument):
            closed = False
        pending.extend(sources)
    ordered = tuple(f for f in module.functions.values() if f in found)
    return Candidates(ordered, closed) if ordered else None


def _sources(module: Module, value: Value) -> list[Value] | None:
    if isinstance(value, (Cast, Freeze)):
        return value.operands[:1]
    if isinstance(value, ConstantExpression) and value.opcode in ("bitcast", "addrspacecast", "ptrtoint", "inttoptr"):
        return list(value.operands[:1])
    if isinstance(value, GlobalAlias):
        return None if value.aliasee is None else [value.aliasee]
    if isinstance(value, Phi):
        return list(value.operands)
    if isinstance(value, Select):
        return value.operands[1:]
    if isinstance(value, ConstantKeyword) and value.keyword in ("undef", "poison"):
        return []
    if isinstance(value, Load) and isinstance(value.pointer, GlobalVariable):
        return _content(module, value.pointer)
    if isinstance(value, Argument):
        return _passed(module, value)
    return None


def _content(module: Module, variable: GlobalVariable) -> list[Value] | None:
    """What a variable that is never written holds."""
    if variable.initializer is None:
        return None
    if not variable.constant and (not variable.name.startswith(STATIC_PREFIX) or _is_written(module, variable)):
        return None
    return [variable.initializer]


def _is_written(module: Module, variable: GlobalVariable) -> bool:
    """Whether anything but a load of the whole variable mentions it."""
    contents = [other.initializer for other in module.variables.values() if other.initializer is not None]
    if any(variable in globals_in(content) for content in contents):
        return True
    return any(
        variable in globals_in(operand) and not (isinstance(i, Load) and operand is variable)
        for function in module.definitions()
        for i in function.instructions()
        for operand in i.operands
    )


def _passed(module: Module, parameter: Argument) -> list[Value] | None:
    """What callers inside the program pass for a parameter."""
    owner = next((f for f in module.definitions() if parameter in f.arguments), None)
    passed: list[Value] = []
    for function in module.definitions():
        for i in function.instructions():
            if isinstance(i, Call) and i.called_function is owner:
                passed.append(i.arguments[parameter.index])
    return passed or None
