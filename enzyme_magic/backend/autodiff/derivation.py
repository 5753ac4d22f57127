"""One derivative module: the function asked for, everything it calls, and the entry Python calls.

Invariant: a FunctionRequest is written once; while it is being written, calls refer to its function by name, so recursion ends. What
belongs to the program (functions, globals) is declared, not copied.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.callgraph import globals_in
from enzyme_magic.backend.autodiff import reverse, tape
from enzyme_magic.backend.autodiff.calls import CalledDerivative
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.request import COMBINED, FunctionRequest
from enzyme_magic.backend.autodiff.shadows import NeedsShadow
from enzyme_magic.backend.autodiff.subject import Analyses
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.errors import Span

PREFIX = {COMBINED: "diffe_"}


@dataclass(slots=True, eq=False)
class Derivation:
    """A derivative module being written. `span_of` places instructions in the C text for errors."""

    analyses: Analyses
    span_of: Callable[[Instruction], Span | None]
    module: Module = field(init=False)
    context: SweepContext = field(init=False)
    _made: dict[FunctionRequest, reverse.Derivative] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        program = self.analyses.module
        self.module = Module(
            source_filename=program.source_filename,
            datalayout=program.datalayout,
            triple=program.triple,
            named_types=dict(program.named_types),
        )
        self.context = SweepContext(self.module, self.analyses, self.span_of)

    def write(self, request: FunctionRequest) -> reverse.Derivative:
        """The derivative for `request`; shadows that turn out to be needed are added to the request."""
        while True:
            known = self._made.get(request)
            if known is not None:
                return known
            try:
                made = reverse.differentiate(
                    self.context, self.analyses.subject(request), self._name(request), self._called
                )
            except NeedsShadow as need:
                request = request.with_shadow(need.index)
                continue
            self._made[request] = made
            return made

    def _called(self, request: FunctionRequest) -> CalledDerivative:
        made = self.write(request)
        return CalledDerivative(made.subject.request, made.sweep.forward_function, len(made.sweep.returned))

    def _name(self, request: FunctionRequest) -> str:
        base = PREFIX[request.mode] + request.function
        name, number = base, 1
        while name in self._names:
            number += 1
            name = f"{base}.{number}"
        self._names.add(name)
        return name

    def finish(self, derivative: reverse.Derivative) -> None:
        """Make the function asked for visible, and drop its arena parameter where nothing is allocated."""
        sweep = derivative.sweep
        sweep.forward_function.linkage = ""
        if not self.context.uses_arena and len(self._made) == 1:
            sweep.parameters.passes_arena = False
            sweep.retype()

    def rename(self, function: Function, name: str) -> None:
        """Give a written function another name."""
        del self.module.functions[function.name]
        function.name = name
        self.module.add(function)

    def declare_program(self) -> None:
        """Declare every function and global of the program that the written functions mention."""
        for function in list(self.module.definitions()):
            for instruction in function.instructions():
                for operand in instruction.operands:
                    for found in globals_in(operand):
                        self._declare(found)

    def _declare(self, found: object) -> None:
        if found in tape.FUNCTIONS:
            return  # defined in the text the runtime and the tape add to the module
        if isinstance(found, Function) and found.name not in self.module.functions:
            self.module.add(declaration_of(found))
        elif isinstance(found, GlobalVariable) and found.name not in self.module.variables:
            self.module.add(external(found))


def declaration_of(function: Function) -> Function:
    """A declaration of a program's function, with the attributes the program gave it."""
    return Function(
        function.name,
        function_type=function.function_type,
        arguments=function.arguments,
        attributes=function.attributes,
        result_attributes=function.result_attributes,
        calling_convention=function.calling_convention,
    )


def external(variable: GlobalVariable) -> GlobalVariable:
    """A declaration of a program's global; a constant one keeps its content, so that loads of it fold."""
    readable = variable.constant and variable.initializer is not None
    return GlobalVariable(
        variable.name,
        type=variable.type,
        linkage="available_externally" if readable else "external",
        value_type=variable.value_type,
        initializer=variable.initializer if readable else None,
        constant=variable.constant,
        suffix=tuple(word for word in variable.suffix if word.startswith("align")),
    )
