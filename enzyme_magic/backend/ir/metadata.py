"""Metadata: debug info, TBAA, loop hints.

Invariant: nodes have identity (LLVM's `distinct` and cycles need it); numbers exist only in text. `MDString`,
`MDNull` and `ValueAsMetadata` are compared by content.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enzyme_magic.backend.ir.values import Value


class Metadata:
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class MDString(Metadata):
    text: str  # unescaped


@dataclass(frozen=True, slots=True)
class MDNull(Metadata):
    pass


@dataclass(frozen=True, slots=True)
class ValueAsMetadata(Metadata):
    """`i32 7` or `double %x` inside metadata."""

    value: Value


@dataclass(slots=True, eq=False, repr=False)
class MDTuple(Metadata):
    """`!{…}`."""

    operands: list[Metadata] = field(default_factory=list)
    distinct: bool = False


@dataclass(slots=True, eq=False, repr=False)
class MDRecord(Metadata):
    """A specialized node: `!DILocation(line: 2, column: 8, scope: !12)`.

    `name` is `DILocation`; `fields` keeps order; a value is a Metadata (node, string), an int, or a str in LLVM's own
    spelling (`DW_TAG_pointer_type`, `DIFlagPrototyped | DIFlagAllCallsDescribed`, `true`).
    Positional content (`!DIExpression(DW_OP_deref)`, `!DIArgList(...)`) is in `arguments`.
    """

    name: str
    fields: dict[str, Metadata | int | str] = field(default_factory=dict)
    arguments: tuple[Metadata | int | str, ...] = ()
    distinct: bool = False


# Fields that take any node, so that a string in them is written as one: `value: !"text"` instead of `name: "text"`.
STRING_NODES = frozenset([("DITemplateValueParameter", "value"), ("DIDerivedType", "extraData")])


@dataclass(slots=True, eq=False, repr=False)
class DebugRecord:
    """`#dbg_value(…)`, `#dbg_declare(…)`, `#dbg_assign(…)`, `#dbg_label(…)`: stands before an instruction.

    `kind` is `value`, `declare`, `assign`, `label`, `declare_value`; `operands` in text order.
    """

    kind: str
    operands: list[Metadata]
