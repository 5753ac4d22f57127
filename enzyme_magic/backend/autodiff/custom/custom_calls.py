"""Derivatives that the program brings along: generated functions that call the handlers of a custom rule.

To the writers of calls they are derivatives like any other (an augmented primal and a reverse function with a frame between
them, one combined function, or a forward derivative), so a rule works wherever a call does. Invariant: the body of a function
with a rule is never differentiated; a mode for which the program gives no rule follows from the rule it gives, where every
parameter is a number (a Jacobian of one row is known from either side), and is an error otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.autodiff.cache.tape import ALLOCATE
from enzyme_magic.backend.autodiff.calls.calls import CalledDerivative
from enzyme_magic.backend.autodiff.calls.request import (
    ACTIVE,
    COMBINED,
    CONSTANT,
    DUPLICATED,
    ActivityKind,
    FunctionRequest,
)
from enzyme_magic.backend.autodiff.calls.signature import (
    Parameters,
    function_type,
    give_back,
    packed,
    parameters,
    result_type,
    returned_types,
)
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.custom import custom_reads
from enzyme_magic.backend.autodiff.custom.custom_subjects import plain_name
from enzyme_magic.backend.autodiff.custom.handlers import Augmented, Handler, Shapes, scalars
from enzyme_magic.backend.autodiff.memory.memory_adjoints import advance
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf, extract, insert, leaves, offset_of
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I64, POINTER, FloatType, PointerType, StructType, Type, VoidType
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.backend.rules.custom import RegisteredRule

ABI = frozenset(["sret", "byval", "align", "signext", "zeroext"])


@dataclass(frozen=True, slots=True, eq=False)
class CalledTangents:
    """What the writer of a call must know of a forward derivative."""

    request: FunctionRequest
    function: Function
    returned: list[Type]
    result_leaves: tuple[Leaf, ...]


def natural(request: FunctionRequest, function: Function) -> FunctionRequest:
    """The request as a handler answers it: floating numbers are active, pointers have shadows, also those in memory."""
    kinds: tuple[ActivityKind, ...] = tuple(
        DUPLICATED if isinstance(t, PointerType) else ACTIVE if isinstance(t, FloatType) else CONSTANT
        for t in function.function_type.parameters
    )
    followed = frozenset(k for k, kind in enumerate(kinds) if kind == DUPLICATED)
    return FunctionRequest(
        request.function, request.mode, kinds, request.result, followed=followed, value=request.value
    )


@dataclass(slots=True, eq=False)
class CustomCalls:
    """Writes the generated functions of one rule into the context's module."""

    context: SweepContext
    rule: RegisteredRule
    shapes: Shapes

    @classmethod
    def of(cls, context: SweepContext, rule: RegisteredRule) -> CustomCalls:
        return cls(context, rule, Shapes(rule, context.layout.resolve))

    # Reverse mode

    def reverse(self, request: FunctionRequest, name: str) -> CalledDerivative:
        """The generated functions that answer `request`; it is made natural first."""
        request = natural(request, self.rule.function)
        if self.rule.gradient is None:
            return self._reverse_of_derivative(request, name)
        augmented = self.shapes.augmented(self.rule.augmented or self.rule.function)
        gradient = self.shapes.gradient(self.rule.gradient, augmented.tape_leaves)
        if request.mode == COMBINED:
            return self._combined(request, name, augmented, gradient)
        forward = self._augmented(request, f"augmented_{name}", augmented)
        return self._pair(request, f"reverse_{name}", forward, augmented, gradient)

    def _combined(
        self, request: FunctionRequest, name: str, augmented: Augmented, gradient: Handler
    ) -> CalledDerivative:
        made = parameters(self.rule.function, request, self._result_leaves(), seeds=True)
        builder, function = self._open(name)
        tape: list[Value] = []
        if augmented.tape_leaves:
            tape = self._run(builder, augmented.handler, made.in_order()[1 : 1 + self._interleaved(made)], ())[
                augmented.tape
            ]
        give_back(builder, self._run_gradient(builder, request, made, gradient, tape))
        return self._reverse_made(request, None, function, made)

    def _augmented(self, request: FunctionRequest, name: str, augmented: Augmented) -> Function:
        made = parameters(self.rule.function, request, ())
        builder, function = self._open(name)
        given = self._run(builder, augmented.handler, self._arguments_of(augmented, made), ())
        frame = self._keep(builder, made.arena, given[augmented.tape], augmented.tape_leaves)
        values: list[Value] = [frame]
        if not isinstance(self._result, VoidType):
            values.append(self._primal_result(builder, augmented, given, made))
        if request.result == DUPLICATED:
            if augmented.shadow is None:
                what = f"{self.shapes.name} returns a pointer, and its augmented primal gives no shadow of it"
                raise self.shapes.error(what, "return {tape, result, shadow} or {result, shadow}", "EM271")
            values.append(given[augmented.shadow])
        builder.ret(packed(builder, values))
        function.arguments = made.in_order()
        function.function_type = function_type(function.arguments, StructType(tuple(v.type for v in values)))
        self.context.module.add(function)
        return function

    def _arguments_of(self, augmented: Augmented, made: Parameters) -> list[Value]:
        if augmented.handler.function is self.rule.function:
            return list(made.primal)
        return list(made.in_order()[1:])

    def _primal_result(self, builder: Builder, augmented: Augmented, given: list[Value], made: Parameters) -> Value:
        if augmented.gives_result:
            return self._rebuilt(builder, self._result, iter(given[augmented.result]))
        summary = self.context.analyses.effects.summary(self.rule.function)
        if summary.writes or summary.frees or summary.allocates or summary.prints or summary.opaque:
            what = f"the augmented primal of {self.shapes.name} gives a tape, but not the result of {self.shapes.name}"
            raise self.shapes.error(what, "return a struct of tape and result", "EM271")
        return builder.call(self.rule.function, made.primal)

    def _pair(
        self, request: FunctionRequest, name: str, forward: Function, augmented: Augmented, gradient: Handler
    ) -> CalledDerivative:
        made = parameters(self.rule.function, request, self._result_leaves(), seeds=True, frame=True)
        assert made.frame is not None
        builder, function = self._open(name)
        tape = self._kept(builder, made.frame, augmented.tape_leaves)
        give_back(builder, self._run_gradient(builder, request, made, gradient, tape))
        return self._reverse_made(request, forward, function, made)

    def _run_gradient(
        self, builder: Builder, request: FunctionRequest, made: Parameters, gradient: Handler, tape: Sequence[Value]
    ) -> list[Value]:
        interleaved = made.in_order()[1 : 1 + self._interleaved(made)]
        seeds: list[Value] = list(made.seeds.values())
        if request.result == CONSTANT:
            seeds = [constants.zero(leaf.type) for leaf in self._result_leaves()]
        return self._run(builder, gradient, [*interleaved, *seeds], tape)

    @staticmethod
    def _interleaved(made: Parameters) -> int:
        return len(made.primal) + len(made.shadow)

    def _reverse_made(
        self, request: FunctionRequest, forward: Function | None, function: Function, made: Parameters
    ) -> CalledDerivative:
        types = returned_types(self.rule.function, request, lambda v: leaves(v.type, self._resolve), ())
        function.arguments = made.in_order()
        function.function_type = function_type(function.arguments, result_type(types))
        self.context.module.add(function)
        return CalledDerivative(request, forward, function, len(types), (True,) * len(made.primal))

    def _reverse_of_derivative(self, request: FunctionRequest, name: str) -> CalledDerivative:
        """adjoint of x_k = seed · f'(e_k), from the forward derivative."""
        self._refuse_memory("reverse", "a gradient: void *__enzyme_register_gradient_f[3]")
        made = parameters(
            self.rule.function, request, self._result_leaves(), seeds=True, frame=request.mode != COMBINED
        )
        forward = None if request.mode == COMBINED else self._plain_augmented(request, f"augmented_{name}")
        builder, function = self._open(name if forward is None else f"reverse_{name}")
        values: list[Value] = []
        for k, argument in enumerate(made.primal):
            if not isinstance(argument.type, FloatType):
                continue
            tangents = {j: constants.zero(a.type) for j, a in enumerate(made.primal) if isinstance(a.type, FloatType)}
            tangents[k] = constants.float_constant(argument.type, 1.0)
            _, tangent = self._tangent(builder, made.primal, tangents)
            seed: Value = next(iter(made.seeds.values()), constants.zero(self._result))
            values.append(self._converted(builder, builder.fmul(seed, tangent), argument.type))
        give_back(builder, values)
        return self._reverse_made(request, forward, function, made)

    def _plain_augmented(self, request: FunctionRequest, name: str) -> Function:
        return self._augmented(request, name, self.shapes.augmented(self.rule.function))

    # Forward mode

    def forward(self, request: FunctionRequest, name: str) -> CalledTangents:
        """The generated forward derivative that answers `request`; it is made natural first."""
        request = natural(request, self.rule.function)
        made = parameters(self.rule.function, request, (), tangents_of=lambda a: leaves(a.type, self._resolve))
        builder, function = self._open(name)
        tangents = {k: argument for (k, _), argument in made.tangents.items()}
        if self.rule.derivative is None and self.rule.split is None:
            primal, tangent = self._tangent_of_gradient(builder, made.primal, tangents)
            given = [primal, tangent]
        else:
            given = self._run_derivative(builder, made)
        own = len(scalars(self._result, self._resolve))
        values: list[Value] = []
        if not isinstance(self._result, VoidType):
            values.append(self._rebuilt(builder, self._result, iter(given[:own])))
        if request.result == DUPLICATED or (request.result == ACTIVE and own):
            values += given[own:]
        give_back(builder, values)
        types = [value.type for value in values]
        function.arguments = made.in_order()
        function.function_type = function_type(function.arguments, result_type(types))
        self.context.module.add(function)
        return CalledTangents(request, function, types, self._result_leaves())

    def _run_derivative(self, builder: Builder, made: Parameters) -> list[Value]:
        """The scalars of the primal result, then those of its tangent (or shadow)."""
        arguments = made.in_order()[1:]
        own = len(scalars(self._result, self._resolve))
        if self.rule.derivative is not None:
            given = self._run(builder, self.shapes.derivative(self.rule.derivative), arguments, ())
        else:
            assert self.rule.split is not None
            augmented = self.shapes.augmented(self.rule.split[0], tangents=True)
            forward = self._run(builder, augmented.handler, arguments, ())
            derivative = self.shapes.derivative(self.rule.split[1], augmented.tape_leaves)
            given = self._run(builder, derivative, arguments, forward[augmented.tape])
            if len(given) == own and augmented.gives_result:
                given = [*forward[augmented.result], *given]
        if len(given) == 2 * own:
            return given
        primal = builder.call(self.rule.function, made.primal)
        return [*(extract(builder, primal, leaf.path) for leaf in scalars(self._result, self._resolve)), *given]

    def _tangent(self, builder: Builder, primal: Sequence[Value], tangents: Mapping[int, Value]) -> tuple[Value, Value]:
        """Result and tangent of a function of numbers, by its forward derivative."""
        arguments: list[Value] = []
        for k, value in enumerate(primal):
            arguments += [value, tangents[k]] if k in tangents else [value]
        if self.rule.derivative is not None:
            given = self._run(builder, self.shapes.derivative(self.rule.derivative), arguments, ())
        else:
            assert self.rule.split is not None
            augmented = self.shapes.augmented(self.rule.split[0], tangents=True)
            tape = self._run(builder, augmented.handler, arguments, ())[augmented.tape]
            given = self._run(
                builder, self.shapes.derivative(self.rule.split[1], augmented.tape_leaves), arguments, tape
            )
        return given[0], given[-1]

    def _tangent_of_gradient(
        self, builder: Builder, primal: Sequence[Value], tangents: Mapping[int, Value]
    ) -> tuple[Value, Value]:
        """sum of gradient_k · tangent_k, for a function of numbers."""
        self._refuse_memory("forward", "a derivative: void *__enzyme_register_derivative_f[2]")
        assert self.rule.gradient is not None
        augmented = self.shapes.augmented(self.rule.augmented or self.rule.function)
        gradient = self.shapes.gradient(self.rule.gradient, augmented.tape_leaves)
        given = self._run(builder, augmented.handler, primal, ())
        results = given[augmented.result]
        value = results[0] if results else builder.call(self.rule.function, primal)
        one = constants.float_constant(self._result, 1.0)
        partials = self._run(builder, gradient, [*primal, one], given[augmented.tape])
        total: Value | None = None
        for partial, tangent in zip(partials, (tangents[k] for k in sorted(tangents)), strict=True):
            term = self._converted(builder, builder.fmul(partial, tangent), self._result)
            total = term if total is None else builder.fadd(total, term)
        return value, total or constants.zero(self._result)

    def refuse_globals(self, request: FunctionRequest) -> None:
        """Handlers are given the shadows of parameters: what the function reads or writes beside them would have no derivative."""
        found = custom_reads.shared_globals(self.context.analyses.effects, self.rule.function)
        for name in sorted(found & (request.varying_globals | request.mattering_globals)):
            what = (
                f"{plain_name(self.rule.function.name)} has a derivative of its own, which knows nothing of the global variable "
                f"{plain_name(name)} that it uses"
            )
            hint = "pass the variable by a pointer, or declare it inactive: void *__enzyme_inactive_global_v = &v;"
            raise self.shapes.error(what, hint, "EM277")

    def _refuse_memory(self, mode: str, hint: str) -> None:
        numbers = not any(isinstance(t, PointerType) for t in self.rule.function.function_type.parameters)
        if not numbers or not isinstance(self._result, FloatType):
            what = f"{self.shapes.name} has a derivative of its own, but none for {mode} mode"
            raise self.shapes.error(what, f"register {hint}", "EM273")

    # Pieces

    @property
    def _resolve(self) -> Callable[[Type], Type]:
        return self.context.layout.resolve

    @property
    def _result(self) -> Type:
        return self.rule.function.function_type.result

    def _result_leaves(self) -> tuple[Leaf, ...]:
        return leaves(self._result, self._resolve)

    def _open(self, name: str) -> tuple[Builder, Function]:
        function = Function(name, linkage="internal", parent=self.context.module)
        function.blocks.append(Block("entry", parent=function))
        return Builder(function.entry), function

    def _run(self, builder: Builder, made: Handler, arguments: Sequence[Value], tape: Sequence[Value]) -> list[Value]:
        """Call a handler; the scalars it gives."""
        rest = iter(tape)
        values = list(arguments)
        for parameter in made.parameters[len(arguments) :]:
            values.append(self._tape_argument(builder, parameter, rest))
        whole: Value
        if made.memory is not None:
            memory = builder.alloca(made.memory)
            self._call(builder, made.function, [memory, *values])
            whole = builder.load(made.memory, memory)
        else:
            whole = self._call(builder, made.function, values)
        return [extract(builder, whole, leaf.path) for leaf in made.leaves]

    @staticmethod
    def _call(builder: Builder, function: Function, values: Sequence[Value]) -> Value:
        attached = [AttributeSet(tuple(a for a in p.attributes if a.name in ABI)) for p in function.arguments]
        return builder.call(function, values, argument_attributes=attached)

    def _tape_argument(self, builder: Builder, parameter: Argument, rest: Iterator[Value]) -> Value:
        copied = parameter.attributes.get("byval")
        if copied is None or copied.type is None:
            return self._rebuilt(builder, parameter.type, rest)
        memory = builder.alloca(copied.type)
        builder.store(self._rebuilt(builder, copied.type, rest), memory)
        return memory

    def _rebuilt(self, builder: Builder, type_: Type, values: Iterator[Value]) -> Value:
        """A value of `type_` from its scalars."""
        parts = scalars(type_, self._resolve)
        if len(parts) == 1 and not parts[0].path:
            return next(values)
        whole: Value = constants.poison(type_)
        for leaf in parts:
            whole = insert(builder, whole, next(values), leaf.path)
        return whole

    def _keep(self, builder: Builder, arena: Argument, tape: Sequence[Value], kept: Sequence[Leaf]) -> Value:
        """A frame with the tape; null where there is none."""
        if not tape:
            return constants.zero(POINTER)
        self.context.uses_arena = True
        type_ = StructType(tuple(leaf.type for leaf in kept))
        size = constants.int_constant(I64, self.context.layout.size_of(type_))
        frame = builder.call(ALLOCATE, [arena, size], name="frame")
        for k, value in enumerate(tape):
            builder.store(value, advance(builder, frame, offset_of(self.context.layout, type_, (k,))))
        return frame

    def _kept(self, builder: Builder, frame: Value, kept: Sequence[Leaf]) -> list[Value]:
        type_ = StructType(tuple(leaf.type for leaf in kept))
        places = [advance(builder, frame, offset_of(self.context.layout, type_, (k,))) for k in range(len(kept))]
        return [builder.load(leaf.type, place) for leaf, place in zip(kept, places, strict=True)]

    @staticmethod
    def _converted(builder: Builder, value: Value, type_: Type) -> Value:
        """A product of a float and a double … as the type of the adjoint."""
        if value.type == type_:
            return value
        wider = _BITS[str(type_)] > _BITS[str(value.type)]
        return builder.fpext(value, type_) if wider else builder.fptrunc(value, type_)


_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128}
