"""Text of metadata, and the numbers of its nodes.

Invariant: a node gets its number at its first mention and is written once; the writing is a work list, so depth and cycles do
not matter. DIExpression and DIArgList have no number: LLVM writes them where they are used.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir.metadata import (
    STRING_NODES,
    MDNull,
    MDRecord,
    MDString,
    MDTuple,
    Metadata,
    ValueAsMetadata,
)
from enzyme_magic.backend.ir.text.lexer import escape
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.errors import InternalError

WriteValue = Callable[[Value], str]
_INLINE = frozenset(["DIExpression", "DIArgList"])


class MetadataWriter:
    """Writes references and, at the end, the definitions of all nodes referred to. `constant` writes a typed constant."""

    def __init__(self, constant: WriteValue) -> None:
        self.constant = constant
        self._numbers: dict[Metadata, str] = {}
        self._order: list[Metadata] = []

    def reference(self, node: Metadata, value: WriteValue) -> str:
        """How `node` is written as an operand; `value` writes a typed value (locals included)."""
        known = self._numbers.get(node)
        if known is not None:
            return known
        if isinstance(node, MDRecord) and node.name in _INLINE:
            return self._record(node, value)
        if isinstance(node, (MDTuple, MDRecord)):
            text = self._numbers[node] = f"!{len(self._order)}"
            self._order.append(node)
            return text
        if isinstance(node, MDString):
            return f'!"{string_text(node)}"'
        if isinstance(node, ValueAsMetadata):
            return value(node.value)
        if isinstance(node, MDNull):
            return "null"
        raise InternalError(f"metadata of class {type(node).__name__} cannot be printed")

    def tuple_text(self, node: MDTuple) -> str:
        inner = ", ".join([self.reference(operand, self.constant) for operand in node.operands])
        return f"{'distinct ' if node.distinct else ''}!{{{inner}}}"

    def definitions(self) -> list[str]:
        """`!0 = …` for every node, those found on the way included. DIFile comes first: LLVM's parser looks at the file of a
        DIImportedEntity while it reads others, and aborts when that is still a forward reference."""
        files: list[str] = []
        others: list[str] = []
        position = 0
        while position < len(self._order):
            node = self._order[position]
            body = self.tuple_text(node) if isinstance(node, MDTuple) else self._definition(node)
            early = isinstance(node, MDRecord) and node.name == "DIFile"
            (files if early else others).append(f"!{position} = {body}")
            position += 1
        return files + others

    def _definition(self, node: Metadata) -> str:
        assert isinstance(node, MDRecord)
        return ("distinct " if node.distinct else "") + self._record(node, self.constant)

    def _record(self, node: MDRecord, value: WriteValue) -> str:
        parts = [self._field(argument, value) for argument in node.arguments]
        for key, content in node.fields.items():
            mark = "!" if isinstance(content, MDString) and (node.name, key) in STRING_NODES else ""
            parts.append(f"{key}: {mark}{self._field(content, value)}")
        return f"!{node.name}({', '.join(parts)})"

    def _field(self, content: Metadata | int | str, value: WriteValue) -> str:
        if isinstance(content, MDString):
            return f'"{string_text(content)}"'
        return self.reference(content, value) if isinstance(content, Metadata) else str(content)


def string_text(node: MDString) -> str:
    return escape(node.text.encode("utf-8", "surrogateescape"))
