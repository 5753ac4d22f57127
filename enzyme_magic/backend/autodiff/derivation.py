"""One derivative module: the function asked for, everything it calls, and the entry Python calls.

Invariant: all is planned (planning/) before a function is written, and each FunctionRequest is written once, callees first; calls
within a recursive component refer to functions by name. What belongs to the program (functions, globals) is declared, not copied.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from enzyme_magic.backend.autodiff import debug_lines
from enzyme_magic.backend.autodiff.analyses import Analyses
from enzyme_magic.backend.autodiff.cache.meter import Meter
from enzyme_magic.backend.autodiff.calls.calls import CalledDerivative
from enzyme_magic.backend.autodiff.calls.request import COMBINED, FORWARD, SPLIT, FunctionRequest
from enzyme_magic.backend.autodiff.calls.shells import shell
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.custom import custom_calls
from enzyme_magic.backend.autodiff.custom.custom_calls import CalledTangents, CustomCalls
from enzyme_magic.backend.autodiff.custom.custom_subjects import plain_name
from enzyme_magic.backend.autodiff.planning.plan import DerivativePlan, FunctionPlan
from enzyme_magic.backend.autodiff.planning.planner import Planner
from enzyme_magic.backend.autodiff.sweeps import reverse
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative, Trial
from enzyme_magic.backend.autodiff.sweeps.sweep import AUGMENTED, REVERSE
from enzyme_magic.backend.autodiff.sweeps.watch import Watch
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.clone import clone_function
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.linkage import is_each_threads
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.values import Argument
from enzyme_magic.backend.prepare import each_thread, variable_arguments
from enzyme_magic.backend.prepare.bits import in_memory
from enzyme_magic.backend.rules.formulas import helpers
from enzyme_magic.backend.rules.ir_basic import OWN
from enzyme_magic.backend.rules.spelling import helper_signature
from enzyme_magic.errors import DifferentiationError, Span

PREFIX = {COMBINED: "diffe_", SPLIT: "", FORWARD: "fwddiffe_"}


@dataclass(slots=True, eq=False, repr=False)
class Derivation:
    """A derivative module being written. `span_of` places instructions in the C text for errors; the rest as in SweepContext.
    `plans`: of the requests that were asked for from outside. trials: how many functions were tried for them."""

    analyses: Analyses
    span_of: Callable[[Instruction], Span | None]
    strict: bool = False
    apart: bool = False
    watch: Watch | None = None
    meter: Meter | None = None
    may_doubt: bool = False
    vectors: bool = False
    lines: bool = False
    follows: bool = False
    keeps_blocks: bool = False
    module: Module = field(init=False)
    context: SweepContext = field(init=False)
    planner: Planner = field(init=False)
    plans: dict[FunctionRequest, DerivativePlan] = field(default_factory=dict)
    _functions: dict[FunctionRequest, FunctionPlan] = field(default_factory=dict)
    _draft: Derivation | None = None  # where reverse mode is planned; its module is thrown away
    _reverse: dict[FunctionRequest, Derivative] = field(default_factory=dict)
    _forward: dict[FunctionRequest, ForwardDerivative] = field(default_factory=dict)
    _given: dict[FunctionRequest, CalledDerivative | CalledTangents] = field(default_factory=dict)
    _names: dict[FunctionRequest, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._begin(kinds=False, asks=False)

    def _begin(self, kinds: bool, asks: bool, formats: bool = False) -> None:
        program = self.analyses.module
        self.module = Module(
            source_filename=program.source_filename,
            datalayout=program.datalayout,
            triple=program.triple,
            named_types=dict(program.named_types),
        )
        for function in program.definitions():  # so that no rule takes the program's function for the library's
            if OWN in function.attributes:
                self.module.add(declaration_of(function))
        self.context = SweepContext(
            self.module, self.analyses, self.span_of, self.strict, self.apart, self.watch, self.meter
        )
        self.context.may_doubt, self.context.kinds, self.context.asks = self.may_doubt, kinds, asks
        self.context.vectors, self.context.lines, self.context.formats = self.vectors, self.lines, formats
        self.context.follows, self.context.keeps_blocks = self.follows, self.keeps_blocks
        self.planner = Planner(self.context, self._name, self._custom_reverse, self._custom_forward)
        self._given.clear()
        self._names.clear()

    def plan(self, request: FunctionRequest) -> DerivativePlan:
        """What is decided for `request`; with the kinds of bytes where no type tells what some hold, and the run may be asked."""
        known = self.plans.get(request)
        if known is None:
            known = self._planned(request) if request.mode == FORWARD else self._reverse_plan(request)
            self.plans[request] = known
            self._functions.update({function.asked: function for function in known.functions})
        return known

    @property
    def trials(self) -> int:
        return self.planner.trials + (self._draft.planner.trials if self._draft is not None else 0)

    def _reverse_plan(self, request: FunctionRequest) -> DerivativePlan:
        """The plan that the analyses keep, or a new one: whoever asks again what a derivative is made of does not try it again."""
        own = self.watch is not None or self.meter is not None or bool(self.plans)
        key = (request, self.strict, self.apart, self.may_doubt, self.vectors)
        plan = None if own else self.analyses.plans.get(key)
        if plan is None:
            if self._draft is None:
                self._draft = replace(self, plans={}, _reverse={}, _forward={}, _given={}, _names={}, _functions={})
            plan = self._draft._planned(request)
        if not own:
            self.analyses.keep_plan(key, plan)
        if not self.plans:
            self._begin(plan.kinds, plan.asks)
        self._names.update({function.asked: function.name for function in plan.functions})
        return plan

    @property
    def doubts(self) -> tuple[str, ...]:
        """Where it was first found that only the run can say what bytes hold."""
        return tuple(dict.fromkeys(doubt for plan in self.plans.values() for doubt in plan.doubts))

    def _planned(self, request: FunctionRequest) -> DerivativePlan:
        doubts: list[str] = []
        while True:
            try:
                return replace(self.planner.plan(request), doubts=tuple(doubts))
            except DifferentiationError as error:
                context = self.context
                if not (context.doubted or context.questioned or context.mixed):
                    raise
                doubts.append(error.message if error.line is None else f"line {error.line}: {error.message}")
            needed = context.doubted or request.mode != FORWARD  # forwards a copy of the shadow is right as it is
            self._begin(
                kinds=context.kinds or needed,
                asks=context.asks or context.questioned,
                formats=context.formats or context.mixed,
            )

    # Reverse mode

    def write(self, request: FunctionRequest) -> Derivative:
        """The reverse-mode derivative for `request`, with the shadows that its plan found to be needed."""
        plan = self.plan(request)
        for function in plan.functions:
            if function.asked not in self._reverse:
                self._reverse[function.asked] = self._write(function)
        return self._reverse[request]

    def _write(self, plan: FunctionPlan) -> Derivative:
        assert isinstance(plan.trial, Trial)
        return reverse.write(
            self.context, plan.subject, plan.trial, plan.name, lambda call: self._called(plan, plan.call(call))
        )

    def _called(self, plan: FunctionPlan, asked: FunctionRequest) -> CalledDerivative:
        custom = self._custom_reverse(asked)
        if custom is not None:
            return custom
        callee = self._functions[asked]
        made = self._reverse.get(asked)
        reads = None if asked in plan.by_name else callee.reads_primal
        called = shell(self.context, callee.request, callee.subject.prepared.function, callee.name, reads)
        if made is None:
            return called
        sweep = made.sweep
        return replace(called, forward=sweep.forward_function if sweep.split else None, reverse=sweep.reverse_function)

    def _custom_reverse(self, request: FunctionRequest) -> CalledDerivative | None:
        rule = self.analyses.custom.rules.get(request.function)
        if rule is None:
            return None
        rules = CustomCalls.of(self.context, rule)
        rules.refuse_globals(request)
        request = custom_calls.natural(request, rule.function)
        known = self._given.get(request)
        if not isinstance(known, CalledDerivative):
            known = rules.reverse(request, self._name(request))
            self._given[request] = known
        return known

    def behind(self, called: CalledDerivative) -> Derivative | None:
        """What was written for a call; None for a function that brings its derivative along."""
        found = (written for written in self._reverse.values() if written.sweep.reverse_function is called.reverse)
        return next(found, None)

    def derivatives(self) -> tuple[Derivative, ...]:
        """All that were written in reverse mode."""
        return tuple(self._reverse.values())

    # Forward mode

    def write_forward(self, request: FunctionRequest) -> ForwardDerivative:
        """The forward-mode derivative for `request`."""
        for function in self.plan(request).functions:
            if function.asked not in self._forward:
                assert isinstance(function.trial, ForwardDerivative)
                self._forward[function.asked] = function.trial
                self.module.add(function.trial.function)
        return self._forward[request]

    def _custom_forward(self, request: FunctionRequest) -> CalledTangents | None:
        rule = self.analyses.custom.rules.get(request.function)
        if rule is None:
            return None
        if request.errors:
            what = f"no error bound is known for {plain_name(request.function)}, which has a derivative of its own"
            raise DifferentiationError(what, code="EM220", hint="remove the registration for this program")
        rules = CustomCalls.of(self.context, rule)
        rules.refuse_globals(request)
        request = custom_calls.natural(request, rule.function)
        known = self._given.get(request)
        if not isinstance(known, CalledTangents):
            known = self._given[request] = rules.forward(request, self._name(request))
        return known

    # Both

    def _name(self, request: FunctionRequest) -> str:
        name = self._names.get(request)
        if name is None:
            base = PREFIX[request.mode] + plain_name(request.function)
            taken = set(self._names.values())
            prefixes = (AUGMENTED, REVERSE) if request.mode == SPLIT else ("",)
            name, number = base, 1
            while name in taken or any(self.analyses.module.global_named(prefix + name) for prefix in prefixes):
                number += 1
                name = f"{base}.{number}"
            self._names[request] = name
        return name

    def finish(self, derivative: Derivative | ForwardDerivative) -> None:
        """Make the function asked for visible, and drop its arena parameter where it is not used."""
        function = derivative.function
        function.linkage = ""
        arena = derivative.parameters.arena
        if not any(value is arena for i in function.instructions() for value in i.operands):
            derivative.parameters.passes_arena = False
            derivative.retype()

    def rename(self, function: Function, name: str) -> None:
        """Give a written function another name, also where calls refer to it by name."""
        old = function.name
        for written in self.module.definitions():
            for i in written.instructions():
                if isinstance(i, Call) and getattr(i.callee, "name", "") == old:
                    i.operands[-1] = function
        del self.module.functions[old]
        function.name = name
        self.module.add(function)

    def declare_program(self) -> None:
        """Declare every function and global of the program that the written functions mention; helpers of our own are written."""
        if any(is_each_threads(name) for name in self.analyses.module.variables):
            each_thread.to_calls(self.module)
        if self.lines:
            debug_lines.rewrite(self.module)
        for function in list(self.module.definitions()):
            for instruction in function.instructions():
                if function.subprogram is None:
                    instruction.metadata.pop("dbg", None)  # lines of another function's text
                for operand in instruction.operands:
                    for found in globals_in(operand):
                        self._declare(found)
        for variable in list(self.module.variables.values()):
            for found in globals_in(variable.initializer) if variable.initializer is not None else ():
                self._declare(found)

    def _declare(self, found: object) -> None:
        if isinstance(found, Function) and found.name not in self.module.functions:
            helper = helper_signature(found.name)
            if in_memory.is_own(found.name) or variable_arguments.is_own(found.name):
                self._write_own(found)
            elif helper is not None and helpers.is_helper(helper.operation):
                helpers.function(self.module, helper.operation, helper.type)
            else:
                self.module.add(declaration_of(found))
        elif isinstance(found, GlobalVariable) and found.name not in self.module.variables:
            declared = external(found)
            self.module.add(declared)
            if declared.initializer is not None:
                for mentioned in globals_in(declared.initializer):
                    self._declare(mentioned)

    def _write_own(self, function: Function) -> None:
        """A function that stands in the engine's own module only."""
        copied = clone_function(self.analyses.module.functions[function.name], function.name, {})
        copied.linkage = "internal"
        self.module.add(copied)
        for instruction in copied.instructions():
            instruction.metadata.pop("dbg", None)
            instruction.debug_records = []
            for operand in instruction.operands:
                for found in globals_in(operand):
                    self._declare(found)


def declaration_of(function: Function) -> Function:
    """A declaration of a program's function, with the attributes the program gave it."""
    return Function(
        function.name,
        function_type=function.function_type,
        arguments=function.arguments
        or [Argument(t, "", EMPTY, k) for k, t in enumerate(function.function_type.parameters)],
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
