"""The optimized program as our own IR, ready for analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from enzyme_magic.backend.analysis.calls import allocators
from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.autodiff.analyses import Analyses
from enzyme_magic.backend.autodiff.custom import custom_subjects
from enzyme_magic.backend.autodiff.requests import iterations
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.backend.prepare import each_thread, masked_memory, program_form
from enzyme_magic.backend.program.variable_uses import VariableUses
from enzyme_magic.backend.rules import custom, lowering, reductions, x86_vectors
from enzyme_magic.errors import Span


@dataclass(slots=True, eq=False, repr=False)
class ProgramModule:
    """`module` has libm's pointer results, the processor's vector intrinsics and reductions lowered to pure operations
    (rules/lowering.py, x86_vectors.py, reductions.py), accesses of chosen elements as branches (prepare/masked_memory.py),
    and its calls in the form the analyses want (prepare/program_form.py)."""

    module: Module
    analyses: Analyses
    sources: tuple[Source, ...]
    uses: VariableUses = field(init=False)

    def __post_init__(self) -> None:
        self.uses = VariableUses(self.module, self.analyses.effects)

    @classmethod
    def of(cls, text: str, sources: Sequence[Source]) -> ProgramModule:
        module = parser.parse(text)
        each_thread.to_variables(module)
        iterations.advance(module)
        registered = custom.read(module)
        custom.mark(module, registered)
        if registered.allocators:
            allocators.close(registered.allocators.values(), Effects.of(module))
        lowering.lower(module)
        x86_vectors.to_operations(module)
        reductions.to_operations(module)
        masked_memory.to_branches(module)
        program_form.normalise(module, registered.opaque)
        custom_subjects.wrap(module, registered.opaque)
        return cls(module, Analyses.of(module, registered), tuple(sources))

    def span_of(self, instruction: Instruction) -> Span | None:
        """The place of an instruction in the C text, with the line itself."""
        span = locations.span(instruction)
        if span is None:
            return None
        source = next((s for s in self.sources if s.name == span.file), None)
        return span if source is None else replace(span, text=source.line(span.line))
