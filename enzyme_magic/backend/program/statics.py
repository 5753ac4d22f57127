"""Which bytes of the program's static variables a derivative puts back, and why.

A derivative that Python asks for is a question about the program, not a step of it: what the call writes and a later call may read
is put back, so that the same question has the same answer twice.

Invariant: bytes that are put back hold no pointer, unless the call can neither allocate nor release memory. Where it can, pointers
and their companions (companions.py) keep C's new state: a block that was moved stays moved, and its capacity fits it. Scratch,
which every function of the program writes before it reads, is not put back.

The answer may hold too much, never too little. How bytes are saved: runtime/statics.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from enzyme_magic.backend.analysis.counts.visits import Visits
from enzyme_magic.backend.analysis.memory import entry_content
from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX
from enzyme_magic.backend.autodiff.memory.shadow_heap import ALLOCATORS
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.linkage import is_each_threads
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import I8, ArrayType, NamedType, PointerType, StructType, Type, VectorType
from enzyme_magic.backend.library.summary import Summary
from enzyme_magic.backend.native import Static
from enzyme_magic.backend.program.companions import ALL, Ranges, companions
from enzyme_magic.backend.program.program_module import ProgramModule

CHEAP = 256  # bytes: copied without asking whether they are scratch
MOST_POINTERS = 4096


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of one static variable that a call may write. ranges: the bytes that are put back, from and to."""

    variable: GlobalVariable
    ranges: tuple[tuple[int, int], ...]
    reason: str


def put_back(program: ProgramModule, function: Function, summary: Summary) -> tuple[Static, ...]:
    """The bytes that a derivative of `function` puts back."""
    return tuple(
        _static(decision.variable, start, end)
        for decision in decisions(program, function, summary)
        for start, end in decision.ranges
    )


def decisions(program: ProgramModule, function: Function, summary: Summary) -> list[Decision]:
    """One for each static variable that a call of `function` may write."""
    written = [variable for variable in _written(program, function, summary) if not _is_scratch(program, variable)]
    if not written:
        return []
    layout = program.analyses.layout
    if not (summary.allocates or summary.frees or summary.opaque):
        reason = "the call writes it, and memory that its pointers lead to is still there"
        return [Decision(v, ((0, layout.size_of(v.value_type)),), reason) for v in written]
    if all(_pointers_in(program, v) == () for v in program.module.variables.values() if _is_variable(v)):
        return [Decision(v, ((0, layout.size_of(v.value_type)),), "the call writes it") for v in written]
    kept = companions(program, function, frozenset(written))
    return [_decision(program, variable, kept.get(variable, ())) for variable in written]


def _static(variable: GlobalVariable, start: int, end: int) -> Static:
    return Static(variable.name, start, end - start, is_each_threads(variable.name))


def plain(program: ProgramModule) -> tuple[Static, ...]:
    """All bytes of the program's variables that hold no pointers."""
    found = [
        _decision(program, variable, ()) for variable in program.module.variables.values() if _is_variable(variable)
    ]
    return tuple(_static(d.variable, start, end) for d in found for start, end in d.ranges)


def read_by(program: ProgramModule, name: str) -> frozenset[str] | None:
    """The variables that a function may read; None for any."""
    return program.analyses.effects.summary(program.module.functions[name]).global_reads


def keeps_blocks(program: ProgramModule) -> bool:
    """Whether static variables of the program may hold blocks of the heap."""
    variables = [v for v in program.module.variables.values() if _is_variable(v)]
    return any(name in program.module.functions for name in ALLOCATORS) and _hold_pointers(program, variables)


def reads_pointers(program: ProgramModule, name: str) -> bool:
    """Whether a function may read static variables in which pointers may lie."""
    read = read_by(program, name)
    variables = [v for v in program.module.variables.values() if _is_variable(v) and (read is None or v.name in read)]
    return _hold_pointers(program, variables)


def _hold_pointers(program: ProgramModule, variables: Iterable[GlobalVariable]) -> bool:
    return any(_pointers_in(program, variable) != () for variable in variables)


def _decision(program: ProgramModule, variable: GlobalVariable, kept: Ranges) -> Decision:
    size = program.analyses.layout.size_of(variable.value_type)
    pointers = _pointers_in(program, variable)
    if ALL in kept or pointers is None:
        return Decision(variable, (), "it goes with a block that the call allocates or releases")
    ranges, at = [], 0
    for start, end in sorted({*pointers, *kept}):
        if start > at:
            ranges.append((at, start))
        at = max(at, end)
    if at < size:
        ranges.append((at, size))
    reason = (
        "the call writes it"
        if not pointers and not kept
        else "the call writes it; pointers and what goes with them stay"
    )
    return Decision(variable, tuple(ranges), reason)


def _is_variable(variable: GlobalVariable) -> bool:
    """Whether it is memory that the program owns and may write."""
    return not (
        variable.constant
        or variable.initializer is None
        or variable.is_thread_local
        or variable.name.startswith(("llvm.", "enzyme_", "__enzyme_"))
    )


def _written(program: ProgramModule, function: Function, summary: Summary) -> list[GlobalVariable]:
    names = summary.global_writes
    variables = [v for v in program.module.variables.values() if _is_variable(v)]
    if names is not None:
        return [variable for variable in variables if variable.name in names]
    runs = list(program.module.definitions()) if summary.opaque else _reached(program, function)
    return [v for v in variables if _is_handed_on(program, v) or any(v in program.uses.changed(f) for f in runs)]


def _reached(program: ProgramModule, function: Function) -> list[Function]:
    """The functions of the program that a call may run."""
    callees = program.analyses.effects.callgraph.callees
    found = {function: None}
    pending = [function]
    while pending:
        fresh = [f for f in callees.get(pending.pop(), ()) if f not in found]
        found.update(dict.fromkeys(fresh))
        pending += fresh
    return [f for f in found if f.blocks]


def _is_handed_on(program: ProgramModule, variable: GlobalVariable) -> bool:
    """Whether code that does not name a variable may know its address."""
    return not variable.name.startswith(STATIC_PREFIX) or variable in program.uses.handed_on


def _pointers_in(program: ProgramModule, variable: GlobalVariable) -> Ranges | None:
    """Where pointers lie in a variable; None where nothing tells: of bytes in which the program puts some. (LLVM makes such
    variables of blocks that are allocated once.)"""
    found = _pointers(program.analyses.layout, variable.value_type)
    return None if found == () and _has_bytes(variable.value_type) and _gets_pointers(program, variable) else found


def _has_bytes(type_: Type) -> bool:
    return isinstance(type_, ArrayType) and (type_.element == I8 or _has_bytes(type_.element))


def _gets_pointers(program: ProgramModule, variable: GlobalVariable) -> bool:
    for function in program.module.definitions():
        points_to = program.analyses.effects.points_to(function)
        for number, item in enumerate(points_to.objects):
            if item.kind == "global" and item.name == variable.name and points_to.contents[number]:
                return True
    return False


def _pointers(layout: DataLayout, type_: Type, at: int = 0) -> tuple[tuple[int, int], ...] | None:
    """Where pointers lie in a type; None where they are too many to tell."""
    if isinstance(type_, PointerType):
        return ((at, at + layout.size_of(type_)),)
    if isinstance(type_, NamedType):
        return _pointers(layout, layout.resolve(type_), at)
    if isinstance(type_, StructType):
        parts = [(layout.field_offset(type_, k), element) for k, element in enumerate(type_.elements)]
    elif isinstance(type_, (ArrayType, VectorType)):
        if not _pointers(layout, type_.element):
            return _pointers(layout, type_.element)
        if type_.count > MOST_POINTERS:
            return None
        step = layout.size_of(type_.element)
        parts = [(k * step, type_.element) for k in range(type_.count)]
    else:
        return ()
    found: list[tuple[int, int]] = []
    for offset, part in parts:
        inner = _pointers(layout, part, at + offset)
        if inner is None:
            return None
        found += inner
    return tuple(found)


def _is_scratch(program: ProgramModule, variable: GlobalVariable) -> bool:
    """Whether every function of the program writes what it reads of a static variable, before it reads it."""
    layout, effects = program.analyses.layout, program.analyses.effects
    if not variable.name.startswith(STATIC_PREFIX) or layout.size_of(variable.value_type) <= CHEAP:
        return False
    for function in program.module.definitions():
        operands = (operand for instruction in function.instructions() for operand in instruction.operands)
        if any(variable in globals_in(operand) for operand in operands):
            visits = Visits.of(function, layout, {})
            if visits is None or entry_content.matters(visits, effects, variable):
                return False
    return variable not in program.uses.initial
