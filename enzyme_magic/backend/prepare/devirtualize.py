"""Calls through function pointers become direct calls, chosen by comparing the pointer.

    r = p(x);   becomes   r = p == f ? f(x) : p == g ? g(x) : abort();

Candidates are what can be followed to the pointer: through phis, selects, constant tables, and, for a parameter of a function whose
own address is not taken, through its calls in the program. Where one way cannot be followed, they are all functions of the program
whose address is taken and that fit the call.

Invariant: a call that reaches a candidate does what it did. Any other function (handed in from outside the program) ends in abort,
which the runtime turns into an ExecutionError: never in a wrong derivative. Where the candidates follow from constants alone there
is no such alternative. A call without candidates, of a callback that is null wherever the program runs or of an arity that never
comes, ends in abort too; where it is certain to run, at the start of a function that nobody in the program calls, it stays as it
is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import clone_instruction
from enzyme_magic.backend.ir.graphs.callgraph import CallGraph, fits, globals_in
from enzyme_magic.backend.ir.graphs.cfg import split_before
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import (
    Call,
    Cast,
    Freeze,
    GetElementPtr,
    Instruction,
    Invoke,
    Load,
    Phi,
    Select,
)
from enzyme_magic.backend.ir.metadata import Metadata
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import VOID, FunctionType, VoidType
from enzyme_magic.backend.ir.values import Argument, Block, ConstantKeyword, InlineAsm, Value

_NO_RETURN = AttributeSet((Attribute("noreturn"), Attribute("nounwind")))


def resolve(module: Module) -> int:
    """Rewrite every indirect call of `module` that has candidates, in place; gives back how many."""
    calls = [
        i for f in module.definitions() for i in f.instructions() if isinstance(i, Call) and i.called_function is None
    ]
    calls = [call for call in calls if _can_be_rewritten(call)]
    if not calls:
        return 0
    graph = CallGraph.of(module)
    count = 0
    for call in calls:
        found = _Search(graph, call)
        candidates = found.candidates()
        if candidates:
            _rewrite(module, call, candidates, complete=found.complete and not found.guarded)
            count += 1
        elif not _is_certain(graph, call):
            _never(module, call)
            count += 1
    return count


def _is_certain(graph: CallGraph, call: Call) -> bool:
    """Whether every call of the function, from outside the program, comes to this one."""
    block = call.parent
    assert block is not None
    function = block.parent
    assert function is not None
    return block is function.entry and not graph.callers.get(function)


def _never(module: Module, call: Call) -> None:
    """The call ends in abort; what follows it does not run."""
    block = call.parent
    assert block is not None
    assert block.parent is not None
    builder = _builder(Block("", parent=block.parent), call.metadata.get("dbg"))
    builder.call(_abort(module), [], attributes=_NO_RETURN)
    place = block.instructions.index(call)
    block.instructions[place : place + 1] = builder.block.instructions
    for instruction in builder.block.instructions:
        instruction.parent = block
    if not isinstance(call.type, VoidType):
        replace_uses(block.parent, {call: constants.zero(call.type)})


def _can_be_rewritten(call: Call) -> bool:
    plain = not isinstance(call, Invoke) and not isinstance(call.callee, InlineAsm)
    return plain and not call.bundles and call.tail != "musttail"


@dataclass(slots=True)
class _Search:
    """The functions that a call may reach. complete: every way was followed to its end. guarded: one of them leads through a
    parameter, which a caller outside the program could fill with something else, or to a function that does not fit the call."""

    graph: CallGraph
    call: Call
    complete: bool = True
    guarded: bool = False
    found: dict[Function, None] = field(default_factory=dict)

    def candidates(self) -> list[Function]:
        seen: set[Value] = set()
        pending = [self.call.callee]
        while pending and self.complete:
            value = pending.pop()
            if value not in seen:
                seen.add(value)
                pending.extend(self._sources(value))
        if not self.complete:
            return list(self.graph.targets(self.call))
        return [f for f in self.graph.module.functions.values() if f in self.found]

    def _sources(self, value: Value) -> list[Value]:
        """The values a value may be; functions among them are noted."""
        if isinstance(value, Function):
            if fits(value, self.call):
                self.found[value] = None
            else:
                self.guarded = True
            return []
        if isinstance(value, ConstantKeyword):
            return []  # calling null is undefined
        if isinstance(value, Phi):
            return value.operands
        if isinstance(value, Select):
            return value.operands[1:]
        if isinstance(value, Freeze) or (isinstance(value, Cast) and value.opcode == "bitcast"):
            return value.operands
        if isinstance(value, Load):
            return self._loaded(value)
        if isinstance(value, Argument):
            return self._passed(value)
        self.complete = False
        return []

    def _loaded(self, load: Load) -> list[Value]:
        """What a constant table holds."""
        place = load.pointer
        while isinstance(place, GetElementPtr):
            place = place.pointer
        tables = (
            [g for g in globals_in(place) if isinstance(g, GlobalVariable)]
            if not isinstance(place, Instruction)
            else []
        )
        if len(tables) != 1 or not tables[0].constant or tables[0].initializer is None:
            self.complete = False
            return []
        return [f for f in globals_in(tables[0].initializer) if isinstance(f, Function) and fits(f, self.call)]

    def _passed(self, argument: Argument) -> list[Value]:
        """What the calls in the program pass for a parameter."""
        owner = next((f for f in self.graph.module.functions.values() if argument in f.arguments), None)
        calls = self.graph.call_sites.get(owner, ()) if owner is not None else ()
        if not calls or owner in self.graph.address_taken:
            self.complete = False
            return []
        self.guarded = True
        return [call.arguments[argument.index] for call in calls]


def _rewrite(module: Module, call: Call, candidates: list[Function], *, complete: bool) -> None:
    """Put the chain of comparisons in the place of `call`."""
    if complete and len(candidates) == 1:
        _direct(call, candidates[0])
        return
    block = call.parent
    assert block is not None
    rest = split_before(block, call)
    rest.instructions.remove(call)
    location = call.metadata.get("dbg")
    results: list[tuple[Call, Block]] = []
    here = block
    for number, function in enumerate(candidates):
        last = complete and number == len(candidates) - 1
        chosen = here if last else _block(block, f"{block.name}.{function.name}", rest)
        following = here if last else _block(block, f"{block.name}.not.{function.name}", rest)
        if not last:
            builder = _builder(here, location)
            builder.cond_br(builder.icmp("eq", call.callee, function), chosen, following)
        copied = clone_instruction(call, {})
        assert isinstance(copied, Call)
        _direct(copied, function)
        chosen.append(copied)
        _builder(chosen, location).br(rest)
        results.append((copied, chosen))
        here = following
    if not complete:
        builder = _builder(here, location)
        builder.call(_abort(module), [], attributes=_NO_RETURN)
        builder.unreachable()
    _merge(call, results, rest)


def _direct(call: Call, function: Function) -> None:
    call.operands[-1] = function
    call.function_type = function.function_type
    call.calling_convention = function.calling_convention


def _merge(call: Call, results: list[tuple[Call, Block]], rest: Block) -> None:
    if isinstance(call.type, VoidType):
        return
    merged: Value = results[0][0]
    if len(results) > 1:
        phi = Builder(rest).phi(call.type, name=call.name)
        if "dbg" in call.metadata:
            phi.metadata["dbg"] = call.metadata["dbg"]
        for result, block in results:
            phi.operands.append(result)
            phi.blocks.append(block)
        merged = phi
    assert rest.parent is not None
    replace_uses(rest.parent, {call: merged})


def _block(near: Block, name: str, before: Block) -> Block:
    function = near.parent
    assert function is not None
    made = Block(name, parent=function)
    function.blocks.insert(function.blocks.index(before), made)
    return made


def _builder(block: Block, location: Metadata | None) -> Builder:
    builder = Builder(block)
    builder.debug_location = location
    return builder


def _abort(module: Module) -> Function:
    found = module.functions.get("abort")
    if found is None:
        module.add(found := Function("abort", function_type=FunctionType(VOID, ())))
    return found
