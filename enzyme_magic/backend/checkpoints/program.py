"""A program whose loops are checkpointed, for one derivative: the C function's loops become calls with rules of their own.

Invariant: the function computes what it did. The text is the program's with more functions in it; those, and nothing else, stand
beside a derivative.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from enzyme_magic.backend import building, deriving, higher
from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.derivatives.cache_plan import Caching, element_size
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.types.type_seeds import SURE
from enzyme_magic.backend.autodiff.calls.request import REQUEST_PREFIX, Request
from enzyme_magic.backend.autodiff.planning.plan import FunctionPlan
from enzyme_magic.backend.checkpoints import driver, outline
from enzyme_magic.backend.checkpoints.choice import LoopVerdict, choose
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.metadata import MDTuple
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import IntType
from enzyme_magic.backend.llvm import link
from enzyme_magic.backend.passes import entry_calls, supports
from enzyme_magic.errors import DifferentiationError

if TYPE_CHECKING:
    from enzyme_magic.backend.pipeline import CompiledProgram

_REQUEST = re.compile(rf"@{re.escape(REQUEST_PREFIX)}(\d+)")


@dataclass(frozen=True, slots=True)
class CheckpointedProgram:
    """text: the program with its loops as calls. beside: what stands beside a derivative, as text that borrows the rest. verdicts:
    of each loop that keeps values. checkpointed: the line of each loop that became a call, by the name of what is called."""

    text: str
    beside: str
    verdicts: tuple[LoopVerdict, ...]
    checkpointed: dict[str, int | None]


def build(program: CompiledProgram, request: Request) -> CheckpointedProgram:
    """The program with the loops of the requested function checkpointed that keep values without it.

    DifferentiationError EM257 where no loop can be checkpointed."""
    options, record, text = program.options, program.record, program.record.optimized_ir
    if record.primals[request.function].uniform:
        raise _nothing(request.function, ["its call is more than numbers and pointers"])
    usual = replace(request, caching=Caching())
    derivation, _ = deriving.write(program.module, usual, record, options.strict)
    (plan,) = derivation.plans.values()
    module = parser.parse(text)
    verdicts, checkpointed = _outlined(module, request.function, plan.root, request.caching.bytes)
    if not checkpointed:
        raise _nothing(request.function, verdicts)
    if not plan.kinds:  # nothing was moved as something else: in the calls of loops memory is seen less well
        module.named_metadata[SURE] = MDTuple([])
    whole = link.link([printer.print_module(module), driver.text()])
    first = 1 + max(map(int, _REQUEST.findall(text)), default=-1)
    answered = entry_calls.answer(
        whole, program.sources, options.strict, lambda t: building.optimized(t, options), first
    )
    own = higher.names(answered) - higher.names(text)
    beside = link.borrow(supports.with_own_support(answered), own | _support(answered))
    return CheckpointedProgram(answered, beside, tuple(verdicts), checkpointed)


def _support(text: str) -> frozenset[str]:
    return higher.names(supports.with_own_support(text)) - higher.names(text)


def _outlined(
    module: Module, name: str, plan: FunctionPlan, budget: int
) -> tuple[list[LoopVerdict], dict[str, int | None]]:
    """What is said of each loop, and the lines of those outlined. One after the other: each changes what the next one reads."""
    function = module.functions[name]
    kept, bits = _kept(plan), _bits(plan)
    said: list[LoopVerdict] = []
    calls: dict[str, int | None] = {}
    done: set[str] = set()
    while True:
        effects = Effects.of(module)
        dominators = DominatorTree.of(function)
        alias = Alias.of(function, effects, DataLayout.of(module))
        left = {header: size for header, size in kept.items() if header not in done}
        chosen, verdicts = choose(function, alias, dominators, left, bits)
        said = said or verdicts
        if not chosen:
            return said, calls
        done |= {block.name for block in chosen[0].loop.blocks}
        calls[outline.outline(module, function, chosen[0], dominators, budget)] = chosen[0].line


def _kept(plan: FunctionPlan) -> dict[str, int]:
    """Bytes that one iteration keeps, by the name of the loop's header in the program."""
    prepared = plan.subject.prepared
    layout = plan.subject.facts.alias.layout
    found: dict[str, int] = {}
    for need in plan.cache.stored if plan.cache is not None else ():
        loop = prepared.loop_of(need.value)
        header = prepared.origin.get(loop.header) if loop is not None else None
        name = getattr(header, "name", "")
        if name:
            found[name] = found.get(name, 0) + element_size(need, layout)
    return found


def _bits(plan: FunctionPlan) -> frozenset[str]:
    """The names of integers in the program that may hold the bits of numbers with derivatives; "" for those without a name."""
    origin, active = plan.subject.prepared.origin, plan.subject.activity.active
    found = (old for new, old in origin.items() if isinstance(new.type, IntType) and active(new))
    return frozenset(getattr(old, "name", "") for old in found)


def _nothing(function: str, verdicts: Sequence[object]) -> DifferentiationError:
    reasons = "; ".join(map(str, verdicts)) or "no loop of it keeps values for the reverse sweep"
    return DifferentiationError(
        f"{function} cannot be checkpointed: {reasons}",
        code="EM257",
        hint='leave out caching="checkpoint", or change what the message names',
    )
