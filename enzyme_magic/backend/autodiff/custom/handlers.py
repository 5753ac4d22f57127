"""How the C functions of a custom rule are called: which of their parameters and results mean what.

The agreement is Enzyme's. Every handler takes the primal's parameters, each pointer followed by its shadow (in forward mode each
floating number by its tangent, too). The augmented primal gives the primal result, a tape for the reverse sweep, or a struct
{tape, result}; for a function that returns a pointer {tape, result, shadow} or {result, shadow}. The gradient takes the adjoint
of a floating result and the tape last, and gives the adjoints of the floating parameters: one number, or a struct in their order.

Invariant: what does not fit is an error that shows the prototype expected. Deciding only: custom_calls writes the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf, leaves
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import (
    POINTER,
    ArrayType,
    FloatType,
    IntType,
    NamedType,
    PointerType,
    StructType,
    Type,
    VectorType,
    VoidType,
)
from enzyme_magic.backend.ir.values import Argument
from enzyme_magic.backend.rules.custom import RegisteredRule
from enzyme_magic.errors import DifferentiationError

Resolve = Callable[[Type], Type]


def scalars(type_: Type, resolve: Resolve) -> tuple[Leaf, ...]:
    """All numbers and pointers a value of `type_` consists of, in order."""
    type_ = resolve(type_) if isinstance(type_, NamedType) else type_
    if isinstance(type_, VoidType):
        return ()
    if isinstance(type_, StructType):
        parts = list(enumerate(type_.elements))
    elif isinstance(type_, (ArrayType, VectorType)):
        parts = [(k, type_.element) for k in range(type_.count)]
    else:
        return (Leaf((), type_),)
    return tuple(Leaf((k, *inner.path), inner.type) for k, part in parts for inner in scalars(part, resolve))


@dataclass(frozen=True, slots=True, eq=False)
class Handler:
    """A C function as it is called: `memory` is the type of a result that it leaves behind its first parameter."""

    function: Function
    memory: Type | None
    parameters: tuple[Argument, ...]  # without the one for the result
    leaves: tuple[Leaf, ...]  # of what it gives


def handler(function: Function, resolve: Resolve) -> Handler:
    arguments = tuple(function.arguments)
    told = arguments[0].attributes.get("sret") if arguments else None
    if told is not None and told.type is not None:
        return Handler(function, told.type, arguments[1:], scalars(told.type, resolve))
    return Handler(function, None, arguments, scalars(function.function_type.result, resolve))


@dataclass(frozen=True, slots=True, eq=False)
class Augmented:
    """An augmented primal: where in `handler.leaves` the tape, the primal result and its shadow are."""

    handler: Handler
    tape: slice
    result: slice
    shadow: int | None

    @property
    def tape_leaves(self) -> tuple[Leaf, ...]:
        return self.handler.leaves[self.tape]

    @property
    def gives_result(self) -> bool:
        return bool(self.handler.leaves[self.result])


@dataclass(frozen=True, slots=True)
class Shapes:
    """Fits the handlers of one rule to its function."""

    rule: RegisteredRule
    resolve: Resolve

    def __post_init__(self) -> None:
        for argument in self.function.arguments:
            inside = {"sret", "byval"} & {a.name for a in argument.attributes}
            plain = isinstance(argument.type, (FloatType, IntType, PointerType))
            if inside or not plain:
                raise self.error(
                    f"{self.name} takes or returns a struct by value, and has a derivative of its own",
                    "pass a pointer to the struct",
                    "EM272",
                )

    @property
    def function(self) -> Function:
        return self.rule.function

    @property
    def name(self) -> str:
        return self.function.name.removeprefix(STATIC_PREFIX)

    @property
    def seeds(self) -> list[Type]:
        """The adjoints of the result."""
        return [leaf.type for leaf in leaves(self.function.function_type.result, self.resolve)]

    @property
    def adjoints(self) -> list[Type]:
        """The adjoints of the parameters passed by value."""
        return [t for t in self.function.function_type.parameters if isinstance(t, FloatType)]

    def interleaved(self, tangents: bool) -> list[Type]:
        """The primal's parameters with their shadows."""
        types: list[Type] = []
        for type_ in self.function.function_type.parameters:
            twice = isinstance(type_, PointerType) or (tangents and isinstance(type_, FloatType))
            types += [type_, type_] if twice else [type_]
        return types

    def augmented(self, function: Function, tangents: bool = False) -> Augmented:
        """The augmented primal; the function itself, where it stands for it."""
        made = handler(function, self.resolve)
        if function is self.function:
            return Augmented(made, slice(0, 0), slice(0, len(made.leaves)), None)
        self._fit_parameters(made, self.interleaved(tangents), "augmented primal")
        result = scalars(self.function.function_type.result, self.resolve)
        count, own = len(made.leaves), len(result)
        if [leaf.type for leaf in made.leaves] == [leaf.type for leaf in result]:
            return Augmented(made, slice(0, 0), slice(0, count), None)
        if own == 1 and result[0].type == POINTER and count >= 2:
            return Augmented(made, slice(0, count - 2), slice(count - 2, count - 1), count - 1)
        if own and count > own and [leaf.type for leaf in made.leaves[count - own :]] == [leaf.type for leaf in result]:
            return Augmented(made, slice(0, count - own), slice(count - own, count), None)
        return Augmented(made, slice(0, count), slice(count, count), None)

    def gradient(self, function: Function, tape: Sequence[Leaf]) -> Handler:
        """The gradient: adjoints of the result and the tape come behind the interleaved parameters."""
        made = handler(function, self.resolve)
        expected = [*self.interleaved(False), *self.seeds]
        self._fit_parameters(made, expected, "gradient", tape)
        given = [leaf.type for leaf in made.leaves]
        if given != self.adjoints:
            wanted = ", ".join(map(_spelled, self.adjoints)) or "nothing"
            raise self._misfit(made, expected, "gradient", f"its result should be {wanted}", tape)
        return made

    def derivative(self, function: Function, tape: Sequence[Leaf] = ()) -> Handler:
        """The forward derivative: gives {result, tangent} or the tangent alone."""
        made = handler(function, self.resolve)
        expected = self.interleaved(True)
        self._fit_parameters(made, expected, "derivative", tape)
        result = [leaf.type for leaf in scalars(self.function.function_type.result, self.resolve)]
        given = [leaf.type for leaf in made.leaves]
        if given not in (result, result * 2):
            wanted = f"{_spelled(self.function.function_type.result)}, or a struct of result and tangent"
            raise self._misfit(made, expected, "derivative", f"its result should be {wanted}", tape)
        return made

    def _fit_parameters(self, made: Handler, expected: list[Type], role: str, tape: Sequence[Leaf] = ()) -> None:
        given = [parameter.type for parameter in made.parameters]
        rest = made.parameters[len(expected) :]
        flat = [leaf.type for parameter in rest for leaf in self.tape_of(parameter)]
        if given[: len(expected)] != expected or flat != [leaf.type for leaf in tape]:
            raise self._misfit(made, expected, role, "its parameters do not fit", tape)

    def tape_of(self, parameter: Argument) -> tuple[Leaf, ...]:
        """What of the tape a parameter takes."""
        copied = parameter.attributes.get("byval")
        type_ = copied.type if copied is not None and copied.type is not None else parameter.type
        return scalars(type_, self.resolve)

    def _misfit(
        self, made: Handler, expected: list[Type], role: str, what: str, tape: Sequence[Leaf]
    ) -> DifferentiationError:
        name = made.function.name.removeprefix(STATIC_PREFIX)
        words = [_spelled(type_) for type_ in expected]
        words += ["the tape"] if tape else []
        hint = f"the {role} of {self.name} takes ({', '.join(words) or 'void'}): each pointer is followed by its shadow"
        return self.error(f"{name} is not a {role} of {self.name}: {what}", hint, "EM271")

    def error(self, what: str, hint: str, code: str) -> DifferentiationError:
        return DifferentiationError(what, code=code, hint=hint, span=self.rule.span)


def _spelled(type_: Type) -> str:
    names = {"double": "double", "float": "float", "x86_fp80": "long double", "fp128": "long double", "void": "void"}
    if isinstance(type_, PointerType):
        return "pointer"
    if isinstance(type_, IntType):
        return {8: "char", 16: "short", 32: "int", 64: "long"}.get(type_.bits, f"integer of {type_.bits} bits")
    return names.get(str(type_), str(type_))
