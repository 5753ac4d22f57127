"""Who calls whom in a module.

Components are strongly connected and bottom-up: one comes after those it calls. An edge means "may call": direct
calls, calls through a pointer to every address-taken function that fits, and functions whose address a caller
hands to someone else (a callback). Calls of unknown external code are not edges: such code may call any exported
function, and the effects analysis treats it as able to do anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from enzyme_magic.backend.ir.graphs.scc import components
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.module import Function, GlobalAlias, GlobalVariable, Module
from enzyme_magic.backend.ir.types import FunctionType
from enzyme_magic.backend.ir.values import (
    Argument,
    Block,
    BlockAddress,
    ConstantAggregate,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantKeyword,
    ConstantSplat,
    Value,
    WrappedGlobal,
)

_OF_NOTHING = (Instruction, Argument, Block, ConstantInt, ConstantFloat, ConstantKeyword)  # what most operands are


def globals_in(value: Value) -> Iterable[Value]:
    """The functions, variables and aliases a constant mentions, at any depth (an alias counts as itself and its target)."""
    return () if isinstance(value, _OF_NOTHING) else _globals_in(value)


def _globals_in(value: Value) -> Iterator[Value]:
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, (Function, GlobalVariable)):
            yield item
        elif isinstance(item, GlobalAlias):
            yield item
            if item.aliasee is not None:
                pending.append(item.aliasee)
        elif isinstance(item, ConstantAggregate):
            pending.extend(() if item.plain else item.elements)
        elif isinstance(item, ConstantExpression):
            pending.extend(item.operands)
        elif isinstance(item, ConstantSplat):
            pending.append(item.element)
        elif isinstance(item, WrappedGlobal):
            pending.append(item.value)
        elif isinstance(item, BlockAddress):
            yield item.function


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CallGraph:
    """callees, callers: may-call edges. sccs: bottom-up. recursive: functions on a cycle. address_taken: functions that an
    indirect call in this module may reach. call_sites: the direct calls of each function."""

    module: Module
    callees: dict[Function, tuple[Function, ...]]
    callers: dict[Function, tuple[Function, ...]]
    sccs: tuple[tuple[Function, ...], ...]
    recursive: frozenset[Function]
    address_taken: frozenset[Function]
    call_sites: dict[Function, tuple[Call, ...]]

    @classmethod
    def of(cls, module: Module) -> CallGraph:
        mentions = {f: _mentions(f) for f in module.functions.values()}
        taken = _taken(module, mentions)
        by_type: dict[object, list[Function]] = {}
        for function in module.functions.values():
            if function in taken:
                by_type.setdefault(function.function_type, []).append(function)
        sites: dict[Function, list[Call]] = {f: [] for f in module.functions.values()}
        callees: dict[Function, dict[Function, None]] = {f: {} for f in module.functions.values()}
        for caller, (direct, indirect, handed) in mentions.items():
            for call in direct:
                callee = call.called_function
                assert callee is not None
                sites.setdefault(callee, []).append(call)
                callees[caller][callee] = None
            for call in indirect:
                fitting = (f for type_ in _types(call) for f in by_type.get(type_, ()))
                callees[caller].update(dict.fromkeys(fitting))
            callees[caller].update(dict.fromkeys(handed))
        callers: dict[Function, dict[Function, None]] = {f: {} for f in callees}
        for caller, found in callees.items():
            for callee in found:
                callers.setdefault(callee, {})[caller] = None
        edges = {f: tuple(found) for f, found in callees.items()}
        sccs = _components(edges)
        recursive = frozenset(f for scc in sccs for f in scc if len(scc) > 1 or f in edges.get(f, ()))
        return cls(
            module,
            edges,
            {f: tuple(found) for f, found in callers.items()},
            sccs,
            recursive,
            frozenset(taken),
            {f: tuple(calls) for f, calls in sites.items()},
        )

    def targets(self, call: Call) -> tuple[Function, ...]:
        """The functions of this module the call may reach (for an indirect call: by type; functions from outside apart)."""
        direct = call.called_function
        if direct is not None:
            return (direct,)
        return tuple(f for f in self.module.functions.values() if self._may_be(call, f))

    def reachable(self, function: Function) -> list[Function]:
        """`function` and all that a call of it may come to."""
        found = {function: None}
        pending = [function]
        while pending:
            fresh = [f for f in self.callees.get(pending.pop(), ()) if f not in found]
            found.update(dict.fromkeys(fresh))
            pending += fresh
        return list(found)

    def may_recurse(self, function: Function) -> bool:
        """Whether a call of `function` may come to a function on a cycle."""
        return any(reached in self.recursive for reached in self.reachable(function))

    def _may_be(self, call: Call, function: Function) -> bool:
        return function in self.address_taken and fits(function, call)


def fits(function: Function, call: Call) -> bool:
    """Whether C allows a call through a pointer to reach a function: it has the type of the call. One without prototype
    (`void (*hook)();`) looks like a call with variable arguments of which none is given, and reaches a function that takes just
    what is passed."""
    return function.function_type in _types(call)


def _types(call: Call) -> list[FunctionType]:
    """The types of the functions that fit a call."""
    type_ = call.function_type
    open_ = type_.variadic and len(call.arguments) == len(type_.parameters)
    return [type_, FunctionType(type_.result, type_.parameters)] if open_ else [type_]


def address_taken(module: Module) -> set[Function]:
    """The functions that an indirect call, or code from elsewhere, may reach."""
    return _taken(module, {f: _mentions(f) for f in module.functions.values()})


_Mentions = tuple[
    list[Call], list[Call], list[Function]
]  # direct calls, indirect calls, functions whose address is used


def _mentions(function: Function) -> _Mentions:
    direct: list[Call] = []
    indirect: list[Call] = []
    handed: dict[Function, None] = {}
    for instruction in function.instructions():
        operands: Iterable[Value] = instruction.operands
        if isinstance(instruction, Call):
            if instruction.called_function is not None:
                direct.append(instruction)
                operands = instruction.operands[:-1]
            else:
                indirect.append(instruction)
        handed.update(dict.fromkeys(_functions(operands)))
    return direct, indirect, list(handed)


def _functions(operands: Iterable[Value]) -> Iterator[Function]:
    for operand in operands:
        if not isinstance(operand, Instruction):
            for found in globals_in(operand):
                if isinstance(found, Function):
                    yield found


def _taken(module: Module, mentions: dict[Function, _Mentions]) -> set[Function]:
    taken = {f for _, _, handed in mentions.values() for f in handed}
    for variable in module.variables.values():
        if variable.initializer is not None:
            taken.update(_functions([variable.initializer]))
    for alias in module.aliases.values():
        if alias.aliasee is not None:
            taken.update(_functions([alias.aliasee]))
    return taken


def _components(edges: dict[Function, tuple[Function, ...]]) -> tuple[tuple[Function, ...], ...]:
    nodes = list(edges)
    numbers = {function: k for k, function in enumerate(nodes)}
    _, members = components([[numbers[f] for f in found if f in numbers] for found in edges.values()])
    return tuple(tuple(nodes[k] for k in sorted(component)) for component in members)
