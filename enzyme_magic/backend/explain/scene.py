"""What every part of a report is made from: the request, the program's function, its analysed copy, and words for both.

Invariant: rows and identifiers speak of the program's own function (what `ir("optimized")` shows); analyses speak of its prepared
copy. `copy_of` and `origin` lead from one to the other; what preprocessing added has no origin, what it removed has no copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from enzyme_magic.backend import deriving
from enzyme_magic.backend.analysis.derivatives.activity import Activity
from enzyme_magic.backend.analysis.derivatives.cache_plan import CachePlan
from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX, Request
from enzyme_magic.backend.autodiff.derivation import Derivation
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.explain.words import uniform
from enzyme_magic.backend.explain.words.c_text import CText, text_of
from enzyme_magic.backend.explain.words.excerpt import call_at, excerpt
from enzyme_magic.backend.explain.words.variables import Variables, function_name
from enzyme_magic.backend.explain.words.written import Written
from enzyme_magic.backend.frontend.c_types import Signature
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.graphs.loops import Loops
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.backend.pipeline import CompiledProgram
from enzyme_magic.backend.prepare.prepared import Prepared

_INDEXED = re.compile(r"\b([A-Za-z_]\w*)\s*\[")


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """`identifiers`: "i0", "a0", … of the program's instructions and arguments. `text` writes values of the prepared copy."""

    program: CompiledProgram
    request: Request
    signature: Signature
    derivation: Derivation
    derivative: Derivative | ForwardDerivative
    subject: Subject
    plan: CachePlan
    function: Function
    names: Names
    identifiers: dict[Value, str]
    copies: dict[Value, Value]
    text: CText
    source: Source
    written: Written

    @classmethod
    def of(cls, program: CompiledProgram, request: Request) -> Scene:
        """Analyse once more what the derivative was made from. Raises DifferentiationError where there is no derivative."""
        program = program.told(request)
        derivation, derivative = deriving.write(program.module, request, program.record, program.options.strict)
        return cls.around(program, request, derivation, derivative)

    @classmethod
    def around(
        cls,
        program: CompiledProgram,
        request: Request,
        derivation: Derivation,
        derivative: Derivative | ForwardDerivative,
    ) -> Scene:
        """The same for a derivative that has been written already."""
        subject = derivative.subject
        prepared, function = subject.prepared, subject.prepared.source
        copies = {old: new for new, old in prepared.origin.items()}
        source = _source_of(program, request)
        arrays = frozenset(_INDEXED.findall(source.text))
        layout = program.module.analyses.layout
        extents = {p.name: p.extents for p in program.signatures[request.function].parameters if len(p.extents) > 1}
        variables = Variables.of(function).renamed(copies)
        if program.primal(request.function).uniform:
            signature = program.signatures[request.function]
            variables.memory |= uniform.variables(prepared.function, signature, layout)
        alias = subject.alias
        text = text_of(
            prepared.function,
            variables,
            layout,
            alias.evolution,
            arrays,
            extents,
            ir_names=False,
            modifies=alias.modifies,
        )
        text.leading = True
        text.wrote = lambda instruction, name: _wrote(source, instruction, name)
        text.spelled = lambda call: _spelled(source, call)
        return cls(
            program,
            request,
            program.signatures[request.function],
            derivation,
            derivative,
            subject,
            derivative.plan if isinstance(derivative, Derivative) else CachePlan((), {}, {}),
            function,
            Names(function),
            _identifiers(function),
            copies,
            text,
            source,
            _written(program, request, function, copies, text, source.name),
        )

    @property
    def uniform(self) -> bool:
        """Whether the analysed function is the uniform entry around the C function."""
        return self.program.primal(self.request.function).uniform

    @property
    def prepared(self) -> Prepared:
        return self.subject.prepared

    @property
    def loops(self) -> Loops:
        return self.prepared.loops

    @property
    def activity(self) -> Activity:
        return self.subject.activity

    def copy_of(self, value: Value) -> Value | None:
        """The analysed copy of a value of the program; constants and globals are their own."""
        if isinstance(value, (Instruction, Argument, Block)):
            return self.copies.get(value)
        return value

    def origin(self, value: Value) -> Value | None:
        """The program's value behind an analysed one; None for what preprocessing added."""
        return self.prepared.origin.get(value)

    def identifier(self, value: Value) -> str | None:
        """The identifier of an analysed value or of one of the program."""
        return self.identifiers.get(value) or self.identifiers.get(self.prepared.origin.get(value, value))

    def line(self, value: object) -> int | None:
        """The C line of an analysed value or of one of the program, in the requested source."""
        if isinstance(value, Argument):
            return self.parameter_line(value)
        if not isinstance(value, Instruction):
            return None
        own = self.prepared.origin.get(value, value)
        assert isinstance(own, Instruction)
        return self.written.moved.get(own) or locations.line_of(own, self.source.name)

    def shared_lines(self, value: object) -> tuple[int, ...]:
        """The lines of which LLVM has made one operation, for one that has no line of its own."""
        own = self.prepared.origin.get(value, value) if isinstance(value, Instruction) else None
        return self.written.shared.get(own, ()) if isinstance(own, Instruction) else ()

    def moved(self) -> dict[int, int]:
        """Better lines than those of debug info, by the number of the instruction in the function."""
        known = self.written.moved
        return {k: known[i] for k, i in enumerate(self.function.instructions()) if i in known}

    def parameter_line(self, argument: Argument) -> int | None:
        parameters = self.signature.parameters
        if len(parameters) != len(self.function.arguments):
            return self.signature.line or None
        return parameters[argument.index].line or self.signature.line or None


def _source_of(program: CompiledProgram, request: Request) -> Source:
    file = program.signatures[request.function].file
    return next((source for source in program.sources if source.name == file), program.sources[0])


def _wrote(source: Source, instruction: Instruction, name: str) -> bool:
    """Whether the C line of an instruction mentions that function."""
    line = locations.line_of(instruction, source.name)
    text = source.lines[line - 1] if line is not None and line <= len(source.lines) else ""
    return re.search(rf"\b{name}\b", text) is not None


def _spelled(source: Source, call: Call) -> str | None:
    """A call of a library function that was given a body (`passes/library_bodies.py`) as C has it: LLVM removes parameters from
    such a body. None where the text does not stand there: in a macro."""
    called = call.called_function
    if called is None or not called.blocks or called.subprogram is not None:
        return None
    span = locations.span(call, source.name)
    return call_at(source.lines, span.line, span.column, function_name(called)) if span is not None else None


def _written(
    program: CompiledProgram,
    request: Request,
    function: Function,
    copies: dict[Value, Value],
    text: CText,
    source_name: str,
) -> Written:
    called = sorted(
        {name for plain in locations.inlined_functions(function) for name in (plain, STATIC_PREFIX + plain)}
    )
    module = excerpt(program.record.input_ir, request.function, *called)
    source = module.functions.get(request.function)
    if source is None or source.is_declaration:
        return Written()
    layout = DataLayout.of(module)
    inlined = [module.functions[name] for name in called if name in module.functions]
    known = [f for f in inlined if not f.is_declaration and locations.file_of(f.subprogram) == source_name]

    def own(instruction: Instruction) -> Instruction:
        copy = copies.get(instruction)
        return copy if isinstance(copy, Instruction) else instruction

    return Written.of(function.instructions(), own, text, source, known, layout)


def _identifiers(function: Function) -> dict[Value, str]:
    found: dict[Value, str] = {argument: f"a{k}" for k, argument in enumerate(function.arguments)}
    instructions: Iterable[Instruction] = function.instructions()
    return found | {instruction: f"i{k}" for k, instruction in enumerate(instructions)}
