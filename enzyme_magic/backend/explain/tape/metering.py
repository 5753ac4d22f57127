"""What one call of a gradient keeps, measured: by function, line and value, beside the prediction.

A derivative that counts (autodiff/cache/meter.py) is compiled beside the ordinary one and called by whoever has arguments.
Invariant: every number was counted in that call; the prediction is the formula of the report, with the numbers of that call put in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from enzyme_magic.backend import deriving
from enzyme_magic.backend.analysis.derivatives.recompute import TAPE, Need
from enzyme_magic.backend.autodiff.cache.meter import Meter
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.autodiff.custom.custom_subjects import plain_name
from enzyme_magic.backend.autodiff.derivation import Derivation
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.tape.assigning import line_of
from enzyme_magic.backend.explain.tape.breakdown import Cache
from enzyme_magic.backend.explain.tape.curve import curve
from enzyme_magic.backend.explain.tape.formulas import names_of, value_of
from enzyme_magic.backend.explain.words.c_text import UNNAMED, text_of
from enzyme_magic.backend.explain.words.counts import Counts
from enzyme_magic.backend.explain.words.variables import Variables, plain
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.llvm import link, optimize
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.pipeline import CompiledProgram, load_derivative
from enzyme_magic.backend.store.persist import DerivativeRecord
from enzyme_magic.errors import DifferentiationError
from enzyme_magic.report import CacheBreakdown, Measured, MeasuredRow, MemoryCurve

LEVEL = 1
_NOT_FOLLOWED = "checkpoints are taken and given up as the call goes on: the most of them is measured, not the course"


@dataclass(frozen=True, slots=True)
class Metering:
    """A counting derivative, loaded: `begin`, call `record.entry` at `address`, then ask for what was `measured`."""

    program: CompiledProgram
    request: Request
    derivation: Derivation
    meter: Meter
    record: DerivativeRecord
    library: jit.Library

    @classmethod
    def of(cls, program: CompiledProgram, request: Request) -> Metering:
        """Raises DifferentiationError where there is no derivative, ToolchainError where the program is isolated."""
        program.require_here()
        program = program.told(request)
        meter = Meter()
        derivation, derivative = deriving.write(
            program.module, request, program.record, program.options.strict, meter=meter
        )
        if not isinstance(derivative, Derivative):
            raise DifferentiationError("only reverse sweeps keep values", code="EM220")
        text, entry = deriving.with_entry(derivation, derivative, request, program.record)
        whole = link.link([text, meter.support(), *([program.beside] if program.beside else [])])
        with program.tuned():
            optimized = optimize.post_ad(whole, LEVEL, exports=[entry.symbol])
            code = jit.compile_object(optimized, LEVEL)
        record = DerivativeRecord(entry, "", optimized, deriving.mentions_program(program.module, optimized))
        library = load_derivative(code, record, program.libraries if record.needs_program else ())
        return cls(program, request, derivation, meter, record, library)

    @property
    def address(self) -> int:
        return self.library.address(self.record.entry.symbol)

    def begin(self) -> None:
        self.meter.clear()

    def measured(self, call: str, plan: CacheBreakdown, sizes: Mapping[str, int], taken: int) -> Measured:
        """The last call. sizes: its whole numbers, by parameter; taken: the most memory of the tape."""
        names = names_of(plan.total)
        predicted = value_of(plan.total, sizes) if names is not None and names <= sizes.keys() else None
        if plan.bound and not predicted:
            predicted = None  # "at least nothing" predicts nothing
        words = _Words(self.program, self.request, self.derivation)
        rows = [
            MeasuredRow(plain(plain_name(r.function)), *words.of(r.function, r.need), r.bytes)
            for r in self.meter.readings()
        ]
        rows.sort(key=lambda row: -row.bytes)
        if self.program.beside:
            rows.insert(
                0, MeasuredRow(self.request.function, "checkpoints, and the tape of a few iterations", None, taken)
            )
            return Measured(call, taken, taken, None, plan.bound, tuple(rows), _no_curve())
        return Measured(call, self.meter.most, taken, predicted, plan.bound, tuple(rows), self.curve())

    def curve(self) -> MemoryCurve:
        """The last call over time."""
        asked = self.program.record.primals[self.request.function].entry.symbol
        function = self.request.function
        return curve(self.meter, function, lambda name: function if name == asked else plain(plain_name(name)))


def _no_curve() -> MemoryCurve:
    return MemoryCurve((), (), (), 0, reason=_NOT_FOLLOWED)


class _Words:
    """Values of all functions of a derivative, in C, with their lines."""

    def __init__(self, program: CompiledProgram, request: Request, derivation: Derivation) -> None:
        self.program, self.request, self.derivation = program, request, derivation
        self._caches: dict[str, Cache | None] = {}

    def of(self, function: str, need: Need | None) -> tuple[str, int | None]:
        if need is None:
            return "its frame: numbers, addresses and local arrays", None
        cache = self._cache(function)
        if cache is not None:
            value = need.value
            added = cache.added.words.get(value)
            return cache.expression(need), added.line if added is not None else line_of(cache.scene, need, cache.counts)
        return self._plainly(function, need)

    def _plainly(self, function: str, need: Need) -> tuple[str, int | None]:
        """For a function without a C signature: its values by debug information alone."""
        made = self._derivative(function)
        own = made.subject.prepared.origin.get(need.value) if made is not None else None
        if made is None or not isinstance(own, Instruction):
            return "how often a loop ran, or which branch was taken", None
        line = locations.line_of(own, None)
        if need.kind == TAPE and isinstance(need.value, Call):
            called = need.value.called_function
            return f"the tape of {plain(plain_name(called.name))}" if called is not None else "the tape of a call", line
        prepared = made.subject.prepared
        copies = {old: new for new, old in prepared.origin.items()}
        variables = Variables.of(prepared.source).renamed(copies)
        layout = self.program.module.analyses.layout
        evolution = made.subject.alias.evolution
        text = text_of(prepared.function, variables, layout, evolution, ir_names=False)
        said = text.expression(need.value)
        return (said if UNNAMED not in said else "values of its own"), line

    def _derivative(self, function: str) -> Derivative | None:
        found = (d for d in self.derivation.derivatives() if d.subject.request.function == function)
        return next(found, None)

    def _cache(self, function: str) -> Cache | None:
        if function not in self._caches:
            self._caches[function] = self._made(function)
        return self._caches[function]

    def _made(self, function: str) -> Cache | None:
        """What speaks of a function of the program; None where there is no C signature for it."""
        found = self._derivative(function)
        primals = self.program.record.primals
        asked = primals[self.request.function].entry.symbol
        name = self.request.function if function == asked else plain_name(function)
        if found is None or name not in self.program.signatures or name not in primals:
            return None
        request = replace(self.request, function=name)
        if primals[name].uniform and function != asked:
            return None
        scene = Scene.around(self.program, request, self.derivation, found)
        return Cache(scene, Counts.of(scene))
