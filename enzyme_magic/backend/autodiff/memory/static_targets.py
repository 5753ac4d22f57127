"""Static variables that static pointers may lead to.

    static double h;   static double *g = &h;      a gradient reads *g

A variable with a shadow that holds pointers has, beside it, shadows of all variables whose address memory may hold
(analysis/memory/kept_addresses.py). Before a derivative begins, the pointers that it holds are looked up among the
program's variables (KEPT_STATIC), whatever an earlier call made of them.

Invariant: a pointer to where one variable ends and another begins has no shadow; that happens only in sections that the program
names, because elsewhere there is a byte between two variables (llvm/objects/spacing.py). Nor has one that leads anywhere else; it
is guarded where it is used (EM407).
"""

from __future__ import annotations

from collections.abc import Mapping

from enzyme_magic.backend.autodiff.analyses import Analyses
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import GlobalVariable
from enzyme_magic.backend.ir.types import (
    I64,
    POINTER,
    ArrayType,
    FloatType,
    NamedType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from enzyme_magic.backend.ir.values import ConstantAggregate

# Where a variable begins, its bytes, where its shadow begins (null: it has none).
ROW = StructType((POINTER, I64, POINTER))
_NOT_SEEN = ("private", "appending")  # variables that other modules do not see


def targets(analyses: Analyses, variable: GlobalVariable) -> list[GlobalVariable]:
    """The variables to which pointers in `variable` may lead."""
    layout = analyses.layout
    if variable.constant or variable.initializer is None or not _holds(layout, variable.value_type, PointerType):
        return []
    return [found for found in kept(analyses) if _matters(layout, found)]


def kept(analyses: Analyses) -> list[GlobalVariable]:
    """The variables whose addresses memory may hold, as far as other modules see them."""
    names = analyses.kept_variables()
    variables = analyses.module.variables.values()
    return [v for v in variables if v.name in names and v.initializer is not None and v.linkage not in _NOT_SEEN]


def table(analyses: Analyses, shadows: Mapping[str, GlobalVariable]) -> ConstantAggregate:
    """The variables that pointers in memory may lead to, each with its shadow, as KEPT_STATIC reads them."""
    layout = analyses.layout
    made = [
        ConstantAggregate(
            ROW,
            (
                variable,
                constants.int_constant(I64, layout.size_of(variable.value_type)),
                shadows.get(variable.name, constants.zero(POINTER)),
            ),
        )
        for variable in kept(analyses)
    ]
    return ConstantAggregate(ArrayType(len(made), ROW), tuple(made))


def _matters(layout: DataLayout, variable: GlobalVariable) -> bool:
    """Whether a shadow of it may be asked for: constants without numbers and pointers never have a derivative."""
    return not variable.constant or _holds(layout, variable.value_type, (FloatType, PointerType))


def _holds(layout: DataLayout, type_: Type, kinds: type[Type] | tuple[type[Type], ...]) -> bool:
    if isinstance(type_, NamedType):
        return _holds(layout, layout.resolve(type_), kinds)
    if isinstance(type_, StructType):
        return any(_holds(layout, element, kinds) for element in type_.elements)
    if isinstance(type_, (ArrayType, VectorType)):
        return type_.count > 0 and _holds(layout, type_.element, kinds)
    return isinstance(type_, kinds)
