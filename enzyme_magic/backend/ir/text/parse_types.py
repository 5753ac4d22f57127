"""Types and attributes from tokens.

Invariant: equal types of one text are one object, so comparing them is usually an identity test.
"""

from __future__ import annotations

from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.text.lexer import Cursor, text_of
from enzyme_magic.backend.ir.types import (
    LABEL,
    METADATA,
    POINTER,
    TOKEN,
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    NamedType,
    PointerType,
    StructType,
    TargetType,
    Type,
    VectorType,
)

_FLOATS = ("half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128")
_TYPED_ATTRIBUTES = frozenset(["sret", "byval", "byref", "preallocated", "inalloca", "elementtype"])
_VALUES_AND_TYPES = """
    null undef poison zeroinitializer none true false splat blockaddress asm dso_local_equivalent no_cfi ptrauth
    getelementptr ptrtoint ptrtoaddr inttoptr bitcast addrspacecast trunc add sub xor extractelement insertelement
    shufflevector void label metadata token ptr x86_amx target half bfloat float double x86_fp80 fp128 ppc_fp128
"""
_NOT_ATTRIBUTES = frozenset(_VALUES_AND_TYPES.split())


class TypeParser:
    """Reads types at the cursor."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.known: dict[str, Type] = {
            "void": VOID,
            "label": LABEL,
            "metadata": METADATA,
            "token": TOKEN,
            "ptr": POINTER,
        }
        self.known.update((kind, FloatType(kind)) for kind in _FLOATS)
        self.known["x86_amx"] = TargetType("x86_amx")
        self._same: dict[Type, Type] = {}

    def parse(self) -> Type:
        """A type; a function type only by `function_type`, because `(` after a type belongs to the caller."""
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        cursor.at += 1
        type_ = self.known.get(token)
        if type_ is None:
            return self._other(token)
        if type_ is POINTER and cursor.tokens[cursor.at] == "addrspace":
            return self._pointer()
        return type_

    def _pointer(self) -> Type:
        self.cursor.next()
        return self._intern(PointerType(self.address_space()))

    def address_space(self) -> int:
        """The number in brackets after `addrspace`."""
        self.cursor.expect("(")
        number = self.cursor.integer()
        self.cursor.expect(")")
        return number

    def _intern(self, type_: Type) -> Type:
        return self._same.setdefault(type_, type_)

    def _other(self, token: str) -> Type:
        cursor = self.cursor
        if token[:1] == "i" and token[1:].isdigit():
            type_: Type = IntType(int(token[1:]))
            self.known[token] = type_
        elif token[:1] == "%":
            type_ = NamedType(token[1:])
            self.known[token] = type_
        elif token == "{":
            type_ = StructType(self._list("}"))
        elif token == "[":
            count = cursor.integer()
            cursor.expect("x")
            type_ = ArrayType(count, self.parse())
            cursor.expect("]")
        elif token == "<":
            type_ = self._angle()
        elif token == "target":
            cursor.expect("(")
            type_ = TargetType(f"target({cursor.parenthesized()})")
        else:
            cursor.at -= 1
            raise cursor.error(f"a type expected instead of {token!r}")
        return self._intern(type_)

    def _angle(self) -> Type:
        cursor = self.cursor
        if cursor.accept("{"):
            fields = self._list("}")
            cursor.expect(">")
            return StructType(fields, packed=True)
        scalable = cursor.accept("vscale")
        if scalable:
            cursor.expect("x")
        count = cursor.integer()
        cursor.expect("x")
        element = self.parse()
        cursor.expect(">")
        return VectorType(count, element, scalable)

    def _list(self, end: str) -> tuple[Type, ...]:
        cursor = self.cursor
        elements: list[Type] = []
        while not cursor.accept(end):
            elements.append(self.parse())
            cursor.accept(",")
        return tuple(elements)

    def function_type(self, result: Type) -> FunctionType:
        """The rest of a function type: the cursor stands behind the result type."""
        cursor = self.cursor
        cursor.expect("(")
        parameters: list[Type] = []
        variadic = False
        while not cursor.accept(")"):
            if cursor.accept("..."):
                variadic = True
            else:
                parameters.append(self.parse())
            cursor.accept(",")
        return FunctionType(result, tuple(parameters), variadic)

    def starts_here(self) -> bool:
        """Whether the next token begins a type."""
        token = self.cursor.peek()
        return (
            token in self.known
            or token[:1] in ("%", "{", "[", "<")
            or (token[:1] == "i" and token[1:].isdigit())
            or token == "target"
        )


class AttributeParser:
    """Reads attributes at the cursor. `groups` maps `#0` to its set."""

    def __init__(self, cursor: Cursor, types: TypeParser) -> None:
        self.cursor = cursor
        self.types = types
        self.groups: dict[str, AttributeSet] = {}
        self._sets: dict[tuple[Attribute, ...], AttributeSet] = {(): EMPTY}

    def parameter(self) -> AttributeSet:
        """Attributes of a parameter, an argument or a result: everything up to a type or a value."""
        cursor = self.cursor
        first = cursor.tokens[cursor.at][0]
        if first == "%" or first in ",)@-0123456789":
            return EMPTY
        found: list[Attribute] = []
        while self._at_attribute():
            found.append(self._one())
        return self._set(found)

    def function(self, allowed: frozenset[str]) -> AttributeSet:
        """Attributes of a function or a call: groups, strings, and words that are in `allowed` (elsewhere a word here would
        begin the next statement)."""
        cursor = self.cursor
        found: list[Attribute] = []
        while True:
            token = cursor.tokens[cursor.at]
            group = self.groups.get(token)
            if group is not None:
                cursor.at += 1
                found.extend(group)
            elif token[:1] == '"' or token in allowed:
                found.append(self._one())
            else:
                return self._set(found)

    def group(self) -> AttributeSet:
        """`{ … }` of an `attributes #0 =` line."""
        cursor = self.cursor
        cursor.expect("{")
        found: list[Attribute] = []
        while not cursor.accept("}"):
            found.append(self._one())
        return self._set(found)

    def _set(self, found: list[Attribute]) -> AttributeSet:
        key = tuple(found)
        known = self._sets.get(key)
        if known is None:
            known = self._sets[key] = AttributeSet(key)
        return known

    def _at_attribute(self) -> bool:
        token = self.cursor.peek()
        if token[:1] == '"':
            return not token.endswith(":")
        return (
            token[:1].isalpha() and token not in _NOT_ATTRIBUTES and not _is_literal(token) and not token.endswith(":")
        )

    def _one(self) -> Attribute:
        cursor = self.cursor
        token = cursor.next()
        if token[0] == '"':
            value = cursor.string() if cursor.accept("=") else None
            return Attribute(text_of(token), value, quoted=True)
        if not token[0].isalpha():
            cursor.at -= 1
            raise cursor.error(f"an attribute expected instead of {token!r}")
        if token in _TYPED_ATTRIBUTES and cursor.accept("("):
            type_ = self.types.parse()
            cursor.expect(")")
            return Attribute(token, type=type_)
        if cursor.accept("("):
            return Attribute(token, cursor.parenthesized())
        if cursor.accept("=") or (token == "align" and cursor.peek().isdigit()):
            return Attribute(token, cursor.next())
        return Attribute(token)


def _is_literal(token: str) -> bool:
    return token.startswith('c"') or (token[0] == "i" and token[1:].isdigit())
