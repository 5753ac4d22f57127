"""Puts a Report together from its parts: what the analyses and the plan say, then stages, times, hints and the gradient as C.

Invariant: nothing is decided here; each part is computed by the file that it is imported from. `plan` is the text of the
plan.
"""

from __future__ import annotations

import re
from dataclasses import fields, replace

import enzyme_magic
from enzyme_magic.backend.analysis.counts.formula import Formula
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.autodiff.lanes import lane_plan
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.explain import source_lines
from enzyme_magic.backend.explain.blocks import Blocks
from enzyme_magic.backend.explain.calls import calling
from enzyme_magic.backend.explain.facts import FactList
from enzyme_magic.backend.explain.gradient_c.writer import gradient_c
from enzyme_magic.backend.explain.origins import Origins, origins
from enzyme_magic.backend.explain.parameters import parameters
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.selections import selections
from enzyme_magic.backend.explain.stages import stages
from enzyme_magic.backend.explain.tape import hints
from enzyme_magic.backend.explain.tape.assumptions import Assumptions, assume, words
from enzyme_magic.backend.explain.tape.breakdown import Cache
from enzyme_magic.backend.explain.tape.saved_lines import saved_lines
from enzyme_magic.backend.explain.verdicts import Verdicts
from enzyme_magic.backend.explain.words.counts import Counts
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.llvm import binding
from enzyme_magic.backend.pipeline import CompiledDerivative, CompiledProgram
from enzyme_magic.config import Options
from enzyme_magic.report import Report, Timing

_PRODUCER = re.compile(r'producer: "([^"]*?)(?: \(|")')


def report(program: CompiledProgram, request: Request) -> Report:
    """Everything a person may want to see of one function and one request.

    Raises DifferentiationError where there is no derivative to show. The derivative is made if it has not been yet.
    """
    with program.tuned():
        return _report(program, request)


def _report(program: CompiledProgram, request: Request) -> Report:
    compiled, program = program.derivative(request), program.told(request)
    scene = Scene.of(program, request)
    static, total = _static(scene)
    cache = hints.with_alternatives(static.cache, total, program, request)
    return replace(
        static,
        stages=stages(program, compiled, request.function, _origins(scene)),
        timings=_timings(program, compiled),
        cache=cache,
        selections=selections(scene),
        gradient_c=gradient_c(program, request, scene.moved()),
    )


def plan(program: CompiledProgram, request: Request) -> str:
    """What was decided before the derivative was written: each function it is made of, what it takes, calls and stores, and why."""
    with program.tuned():
        program = program.told(request)
        scene = Scene.of(program, request)
        (found,) = scene.derivation.plans.values()
        lanes = lane_plan.said(scene.derivation.context, scene.derivative, uniform=scene.uniform)
    said = "".join(f"{verdict}\n" for verdict in program.verdicts)
    return "\n".join([*[said] * bool(said), str(found), lanes])


def assumed(program: CompiledProgram, request: Request, assumptions: Assumptions) -> Report:
    """The report under assumptions: the activity and the cache plan as they would be, no stages, no times.

    Raises ArgumentError EM335 for what cannot be assumed, DifferentiationError as `report`.
    """
    with program.tuned():
        found = assume(program, request, assumptions)
        static, _ = _static(Scene.of(found.program, found.request))
    return replace(static, notes=(*static.notes, f"assumed, not stated by the C text: {words(assumptions)}"))


def _static(scene: Scene) -> tuple[Report, Formula | None]:
    """What the analyses and the plan say; and the bytes of the plan, where they are known before the call."""
    program, request = scene.program, scene.request
    facts, counts = FactList(scene), Counts.of(scene)
    verdicts = Verdicts(scene, facts, users(scene.prepared.function))
    rows = parameters(scene, verdicts)
    cache = Cache(scene, counts)
    graph = Blocks(scene, verdicts, cache.slots(), counts.runs).graph()
    instructions = {scene.identifiers[i]: i for i in scene.function.instructions()}
    breakdown = cache.breakdown(facts)
    made = Report(
        function=request.function,
        signature=str(scene.signature),
        mode=request.mode,
        wrt=tuple(scene.signature.parameters[k].name for k in request.wrt),
        source_name=scene.source.name,
        source=source_lines.lines(scene, graph.rows(), instructions, rows, saved_lines(scene, breakdown.rows)),
        parameters=rows,
        activity=graph,
        stages=(),
        cache=breakdown,
        facts=tuple(facts.said),
        versions=_versions(program),
        options=_options(program.options),
        notes=(*program.notes, *_form(scene)),
        why_not_called=calling.why_not(scene, counts),
    )
    return made, cache.known_total()


IN_MEMORY = "values that may be numbers, integers or addresses are kept in memory here, where the run can tell"


def _form(scene: Scene) -> tuple[str, ...]:
    """In which other form than the program's own it was differentiated."""
    return (IN_MEMORY,) if scene.derivation.analyses.module is not scene.program.module.module else ()


def _origins(scene: Scene) -> Origins:
    return origins(scene.derivative) if isinstance(scene.derivative, Derivative) else ()


def _timings(program: CompiledProgram, compiled: CompiledDerivative) -> tuple[Timing, ...]:
    total: dict[str, float] = {}
    for timings in (program.timings, compiled.timings):
        for stage, milliseconds in timings.items():
            total[stage] = total.get(stage, 0.0) + milliseconds
    return tuple(Timing(stage, milliseconds) for stage, milliseconds in total.items())


def _versions(program: CompiledProgram) -> tuple[tuple[str, str], ...]:
    producer = _PRODUCER.search(program.record.input_ir)
    clang = producer[1].removeprefix("clang version ").strip() if producer else "unknown"
    llvm = ".".join(map(str, binding.llvm_version()))
    return (("clang", clang), ("LLVM", llvm), ("enzyme_magic", enzyme_magic.__version__))


def _options(options: Options) -> tuple[tuple[str, str], ...]:
    """The levels, and what differs from the defaults."""
    usual = Options()
    always = ("opt", "post_opt")
    values = [(field.name, getattr(options, field.name)) for field in fields(options)]
    return tuple((name, _spelled(value)) for name, value in values if name in always or value != getattr(usual, name))


def _spelled(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join("=".join(part) if isinstance(part, tuple) else str(part) for part in value)
    return str(value)
