"""Metadata from tokens.

Invariant: a numbered node is one object, made before anything is read (`prepare`), so that cycles and forward references need
no second pass. Nodes written inline have an identity of their own.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir.metadata import (
    STRING_NODES,
    DebugRecord,
    MDNull,
    MDRecord,
    MDString,
    MDTuple,
    Metadata,
    ValueAsMetadata,
)
from enzyme_magic.backend.ir.text.lexer import END, Cursor, text_of
from enzyme_magic.backend.ir.text.parse_types import TypeParser
from enzyme_magic.backend.ir.types import Type
from enzyme_magic.backend.ir.values import Value

ReadValue = Callable[[Type], Value]
NULL = MDNull()


class MetadataParser:
    """Reads metadata; `read` of each method reads the value behind a type (a function's locals are known to its caller)."""

    def __init__(self, cursor: Cursor, types: TypeParser, constant: ReadValue) -> None:
        self.cursor = cursor
        self.types = types
        self.constant = constant
        self.nodes: dict[str, Metadata] = {}

    def prepare(self, index: int) -> None:
        """Makes the empty node for the definition whose `=` is token `index`."""
        tokens = self.cursor.tokens
        distinct = tokens[index + 1] == "distinct"
        head = tokens[index + 1 + distinct]
        self.nodes[tokens[index - 1]] = (
            MDTuple(distinct=distinct) if head == "!" else MDRecord(head[1:], distinct=distinct)
        )

    def define(self, token: str) -> None:
        """Reads what follows `!7 =` into the node made for it."""
        cursor = self.cursor
        cursor.accept("distinct")
        cursor.next()
        node = self.nodes[token]
        if isinstance(node, MDTuple):
            self._fill_tuple(node, self.constant)
        elif isinstance(node, MDRecord):
            self._fill_record(node, self.constant)

    def tuple_here(self, read: ReadValue) -> MDTuple:
        """`{ … }` behind an exclamation mark already read."""
        node = MDTuple()
        self._fill_tuple(node, read)
        return node

    def operand(self, read: ReadValue) -> Metadata:
        """Any metadata: a node, a string, null, or a typed value."""
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        node = self.nodes.get(token)
        if node is not None:
            cursor.at += 1
            return node
        if token[:1] == "!":
            cursor.at += 1
            return self._marked(token, read)
        if token == "null":
            cursor.at += 1
            return NULL
        if token == "distinct":
            cursor.at += 1
            inline = self._marked(cursor.next(), read)
            if not isinstance(inline, (MDTuple, MDRecord)):
                raise cursor.error("a node expected behind 'distinct'")
            inline.distinct = True
            return inline
        return ValueAsMetadata(read(self.types.parse()))

    def _marked(self, token: str, read: ReadValue) -> Metadata:
        cursor = self.cursor
        if token[1:2] == '"':
            return MDString(text_of(token))
        if token == "!":
            return self.tuple_here(read)
        if cursor.peek() == "(":
            node = MDRecord(token[1:])
            self._fill_record(node, read)
            return node
        cursor.at -= 1
        raise cursor.error(f"metadata {token} is not defined in this module")

    def _fill_tuple(self, node: MDTuple, read: ReadValue) -> None:
        cursor = self.cursor
        cursor.expect("{")
        while not cursor.accept("}"):
            node.operands.append(self.operand(read))
            cursor.accept(",")

    def _fill_record(self, node: MDRecord, read: ReadValue) -> None:
        cursor = self.cursor
        tokens, fields, nodes = cursor.tokens, node.fields, self.nodes
        cursor.expect("(")
        arguments: list[Metadata | int | str] = []
        while True:
            token = tokens[cursor.at]
            if token == ")":
                break
            if token == ",":
                cursor.at += 1
                continue
            if token[-1:] != ":":
                if token == END:
                    raise cursor.error("')' expected")
                arguments.append(self._field(read))
                continue
            value = tokens[cursor.at + 1]
            cursor.at += 1
            if value.isdigit():
                fields[token[:-1]] = int(value)
                cursor.at += 1
            elif value in nodes:
                fields[token[:-1]] = nodes[value]
                cursor.at += 1
            else:
                fields[token[:-1]] = self._field(read, (node.name, token[:-1]) in STRING_NODES)
        cursor.at += 1
        node.arguments = tuple(arguments)

    def _field(self, read: ReadValue, string_node: bool = False) -> Metadata | int | str:
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        if token[:1] == '"':
            cursor.at += 1
            return MDString(text_of(token))
        if token.lstrip("-").isdigit():
            cursor.at += 1
            return int(token)
        if token[:1] == "!" or token == "null" or self.types.starts_here():
            if token[:2] == '!"' and not string_node:
                raise cursor.error("a metadata string as a field")
            return self.operand(read)
        cursor.at += 1
        while cursor.accept("|"):
            token += " | " + cursor.next()
        return token

    def debug_record(self, token: str, read: ReadValue) -> DebugRecord:
        """`#dbg_value(…)`: `token` is its first, already read."""
        cursor = self.cursor
        cursor.expect("(")
        operands: list[Metadata] = []
        while not cursor.accept(")"):
            operands.append(self.operand(read))
            cursor.accept(",")
        return DebugRecord(token[len("#dbg_") :], operands)
