"""What a function does to the variables of its program: which of them it reads and writes, and whether it remembers.

A function remembers when a call may read what an earlier call of it has written: then calling it twice is not calling it once.
Memory that is filled before it is read (a static work array) is no memory of that kind. Invariant: it may be said too often that a
function remembers, never too rarely.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.counts.visits import Visits
from enzyme_magic.backend.analysis.memory import entry_content
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.library.libc import LibraryFunction
from enzyme_magic.backend.library.summary import Summary
from enzyme_magic.backend.program.program_module import ProgramModule


@dataclass(frozen=True, slots=True)
class VariableNames:
    """Names of variables, sorted."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    remembers: bool


@dataclass(frozen=True, slots=True)
class Outside:
    """Functions of the C library that may give something else in each call (random numbers, time, input): `calls`, sorted; `draws`:
    those of them that draw random numbers, where nothing that is called sets the seed."""

    calls: tuple[str, ...]
    draws: tuple[str, ...]


def outside_of(function: Function) -> Outside:
    """What a call of the function may ask of the library, in all that it calls by name."""
    found, seen, pending = dict[str, LibraryFunction](), {function}, [function]
    while pending:
        for call in pending.pop().instructions():
            called = call.called_function if isinstance(call, Call) else None
            if called is None or called in seen:
                continue
            seen.add(called)
            known = None if called.blocks else libc.find(called.name)
            if called.blocks:
                pending.append(called)
            elif known is not None and _differs(known):
                found[called.name] = known
    random = [name for name, known in found.items() if known.inactive == libc.INACTIVE["random"]]
    seeded = any(found[name].result == "void" for name in random)  # srand and its kin
    return Outside(tuple(sorted(found)), () if seeded else tuple(sorted(random)))


def _differs(known: LibraryFunction) -> bool:
    """Whether a second call with the same arguments and memory may give something else, and returns."""
    does = known.summary
    hidden = does is not None and not (does.repeatable or does.may_exit or does.allocates or does.frees)
    return hidden and not known.operation


def variables_of(program: ProgramModule, function: Function, summary: Summary, *, writes: bool) -> VariableNames:
    """Those of a function. writes: whether it writes any at all."""
    variables = {name: v for name, v in program.module.variables.items() if not v.constant}
    known = summary.global_reads
    read = frozenset(variables) if known is None else known & variables.keys()
    known = summary.global_writes if writes else frozenset[str]()
    written = frozenset(variables) if known is None else known & variables.keys()
    effects = program.analyses.effects
    both = [variables[name] for name in sorted(read & written)]
    integers = {a: a.name or f"p{a.index}" for a in function.arguments if isinstance(a.type, IntType)}
    visits = Visits.of(function, program.analyses.layout, integers) if both else None
    remembers = any(not _is_filled_first(program.module, function, v, visits, effects) for v in both)
    return VariableNames(tuple(sorted(read)), tuple(sorted(written)), remembers)


def _is_filled_first(
    module: Module, function: Function, variable: GlobalVariable, visits: Visits | None, effects: Effects
) -> bool:
    """Whether the function writes what it reads of the variable before it reads it. Known only where nothing else mentions it."""
    if visits is None or not _is_private(module, function, variable):
        return False
    return not entry_content.matters(visits, effects, variable)


def _is_private(module: Module, function: Function, variable: GlobalVariable) -> bool:
    """Whether the variable is mentioned by this function alone, and there as it is, not inside of constant expressions."""
    initializers = [v.initializer for v in module.variables.values() if v.initializer is not None]
    initializers += [alias.aliasee for alias in module.aliases.values() if alias.aliasee is not None]
    if any(variable in globals_in(value) for value in initializers):
        return False
    for other in module.definitions():
        for instruction in other.instructions():
            mentions = [operand for operand in instruction.operands if variable in globals_in(operand)]
            if mentions and (other is not function or any(operand is not variable for operand in mentions)):
                return False
    return True
