"""Parameters and results of generated functions.

Order of parameters: the arena; each primal argument, followed by its shadow (DUPLICATED); the seeds of the result's
floating leaves (result ACTIVE); the frame (reverse function of a split pair). Result: the leaves of the primal result
if asked for, then the adjoints of the leaves of ACTIVE arguments, in order: nothing, a single value, or one struct of
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.calls.runtime_calls import FRAME
from enzyme_magic.backend.autodiff.calls.request import ACTIVE, DUPLICATED, FunctionRequest
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf, Path
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import POINTER, VOID, FunctionType, StructType, Type
from enzyme_magic.backend.ir.values import Argument, Value

KEPT_ARGUMENT_ATTRIBUTES = ("noalias", "noundef", "align", "signext", "zeroext", "dereferenceable", "nonnull")
_FRAME = AttributeSet((Attribute(FRAME, None, quoted=True),))


@dataclass(slots=True)
class Parameters:
    """The parameters of one generated function, by meaning. `primal[k]` belongs to primal argument k."""

    arena: Argument
    primal: list[Argument] = field(default_factory=list)
    shadow: dict[int, Argument] = field(default_factory=dict)
    tangents: dict[tuple[int, Path], Argument] = field(default_factory=dict)
    seeds: dict[Path, Argument] = field(default_factory=dict)
    frame: Argument | None = None
    passes_arena: bool = True

    def in_order(self) -> list[Argument]:
        ordered = [self.arena] if self.passes_arena else []
        for k, argument in enumerate(self.primal):
            ordered.append(argument)
            if k in self.shadow:
                ordered.append(self.shadow[k])
            ordered += [tangent for (index, _), tangent in self.tangents.items() if index == k]
        ordered += self.seeds.values()
        return ordered if self.frame is None else [*ordered, self.frame]


def parameters(
    source: Function,
    request: FunctionRequest,
    leaves_of_result: Sequence[Leaf],
    *,
    seeds: bool = False,
    frame: bool = False,
    tangents_of: Callable[[Value], Sequence[Leaf]] | None = None,
) -> Parameters:
    """Fresh parameters for a derivative of `source`. `tangents_of` gives the leaves of ACTIVE arguments in forward
    mode."""
    made = Parameters(Argument(POINTER, "arena", EMPTY, 0))
    for k, argument in enumerate(source.arguments):
        made.primal.append(Argument(argument.type, argument.name, kept_attributes(argument.attributes), 0))
        if request.activities[k] == DUPLICATED:
            made.shadow[k] = Argument(POINTER, f"{argument.name}_shadow", EMPTY, 0)
        if request.activities[k] == ACTIVE and tangents_of is not None:
            for leaf in tangents_of(argument):
                name = ".".join([f"{argument.name}_tangent", *map(str, leaf.path)])
                made.tangents[k, leaf.path] = Argument(leaf.type, name, EMPTY, 0)
    if seeds and request.result == ACTIVE:
        for leaf in leaves_of_result:
            name = "differet" if not leaf.path else "differet." + ".".join(map(str, leaf.path))
            made.seeds[leaf.path] = Argument(leaf.type, name, EMPTY, 0)
    if frame:
        made.frame = Argument(POINTER, "frame", _FRAME, 0)
    for index, argument in enumerate(made.in_order()):
        argument.index = index
    return made


def kept_attributes(attributes: AttributeSet) -> AttributeSet:
    """What is as true in the derivative as in the primal: facts about the argument's value, not about what is done
    with it."""
    kept: tuple[Attribute, ...] = tuple(a for a in attributes if a.name in KEPT_ARGUMENT_ATTRIBUTES)
    return AttributeSet(kept)


def returned_types(
    source: Function, request: FunctionRequest, leaves_of: Callable[[Value], Sequence[Leaf]], result: Sequence[Leaf]
) -> list[Type]:
    """The types a combined or reverse function gives back, in order."""
    types = [leaf.type for leaf in result] if request.value else []
    for argument, kind in zip(source.arguments, request.activities, strict=True):
        if kind == ACTIVE:
            types += [leaf.type for leaf in leaves_of(argument)]
    return types


def result_type(types: Sequence[Type]) -> Type:
    if len(types) == 1:
        return types[0]
    return StructType(tuple(types)) if types else VOID


def give_back(builder: Builder, values: Sequence[Value]) -> None:
    """Return `values` as `result_type` says."""
    if len(values) <= 1:
        builder.ret(values[0] if values else None)
        return
    builder.ret(packed(builder, values))


def packed(builder: Builder, values: Sequence[Value]) -> Value:
    whole: Value = constants.poison(StructType(tuple(v.type for v in values)))
    for k, value in enumerate(values):
        whole = builder.insert_value(whole, value, k)
    return whole


def unpacked(builder: Builder, result: Value, count: int) -> list[Value]:
    """The values of a result made by `give_back`."""
    if count <= 1:
        return [result][:count]
    return [builder.extract_value(result, k) for k in range(count)]


def function_type(arguments: Sequence[Argument], result: Type) -> FunctionType:
    return FunctionType(result, tuple(a.type for a in arguments))
