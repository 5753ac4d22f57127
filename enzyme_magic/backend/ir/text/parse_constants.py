"""Constants and global names from tokens.

Invariant: a name stands for the one object of its module, wherever its definition is: the module parser makes all globals,
empty, before it reads anything that may name them.

Recursion follows the nesting of types and of constant expressions, never the length of the text.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir.constants import FORMATS, encode, narrow, zero
from enzyme_magic.backend.ir.module import GlobalValue
from enzyme_magic.backend.ir.text.lexer import Cursor, name_of, unescape
from enzyme_magic.backend.ir.text.parse_types import TypeParser
from enzyme_magic.backend.ir.types import POINTER, FloatType, IntType, Type
from enzyme_magic.backend.ir.values import (
    Block,
    BlockAddress,
    ConstantAggregate,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantKeyword,
    ConstantSplat,
    ConstantString,
    InlineAsm,
    Value,
    WrappedGlobal,
)

_KEYWORDS = frozenset(["null", "undef", "poison", "zeroinitializer", "none"])
_OPENING = frozenset("[{<")
_CASTS = frozenset(["ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast", "trunc"])
_OPERATIONS = frozenset(["add", "sub", "xor", "extractelement", "insertelement", "shufflevector"])
_FLAGS = frozenset(["inbounds", "nuw", "nusw", "nsw", "exact"])
_HEX_KINDS = {"half": "0xH", "bfloat": "0xR", "x86_fp80": "0xK", "fp128": "0xL", "ppc_fp128": "0xM"}


class Symbols:
    """The globals of a module by token, and blocks that were named before their function was read."""

    def __init__(self) -> None:
        self.globals: dict[str, GlobalValue] = {}
        self.labels: dict[GlobalValue, dict[str, Block]] = {}

    def find(self, token: str) -> GlobalValue | None:
        found = self.globals.get(token)
        if found is None and '"' in token:
            found = self.globals.get("@" + name_of(token))
        return found

    def labels_of(self, function: GlobalValue) -> dict[str, Block]:
        return self.labels.setdefault(function, {})


def block_for(labels: dict[str, Block], token: str) -> Block:
    """The block `token` (`%for.body`, `%7`) stands for, made at its first mention."""
    block = labels.get(token)
    if block is None:
        name = name_of(token)
        block = labels[token] = Block("" if token[1:].isdigit() else name)
    return block


class ConstantParser:
    """Reads a constant of a type already known."""

    def __init__(self, cursor: Cursor, types: TypeParser, symbols: Symbols) -> None:
        self.cursor = cursor
        self.types = types
        self.symbols = symbols
        self._scalars: dict[tuple[Type, str], Value] = {}
        self._special: dict[str, Callable[[Type], Value]] = {
            "getelementptr": self._gep,
            "splat": self._splat,
            "blockaddress": self._block_address,
            "dso_local_equivalent": lambda type_: self._wrapped(type_, "dso_local_equivalent"),
            "no_cfi": lambda type_: self._wrapped(type_, "no_cfi"),
            "asm": self._asm,
            "[": lambda type_: self._aggregate(type_, "]"),
            "{": lambda type_: self._aggregate(type_, "}"),
            "<": self._angle,
        }

    def typed(self) -> Value:
        return self.parse(self.types.parse())

    def parse(self, type_: Type) -> Value:
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        cursor.at += 1
        if token in _OPENING:  # first: their types are long keys
            return self._special[token](type_)
        key = (type_, token)
        known = self._scalars.get(key)
        if known is not None:
            return known
        if token[:1] == "@":
            return self._global(token)
        scalar = self._scalar(type_, token)
        if scalar is not None:
            self._scalars[key] = scalar
            return scalar
        return self._composite(type_, token)

    def _global(self, token: str) -> GlobalValue:
        found = self.symbols.find(token)
        if found is None:
            self.cursor.at -= 1
            raise self.cursor.error(f"{token} is not defined in this module")
        return found

    def _scalar(self, type_: Type, token: str) -> Value | None:
        if token in _KEYWORDS:
            return zero(type_) if token == "null" else ConstantKeyword(type_, token)
        if isinstance(type_, IntType):
            return self._integer(type_, token)
        if isinstance(type_, FloatType) and (token[0].isdigit() or token[0] in "-+"):
            try:
                return ConstantFloat(type_, float_bits(type_, token))
            except ValueError:
                return None
        return None

    def _integer(self, type_: IntType, token: str) -> ConstantInt | None:
        if token in ("true", "false"):
            return ConstantInt(type_, -1 if token == "true" else 0)
        try:
            number = int(token[3:], 16) if token[:3] in ("u0x", "s0x") else int(token)
        except ValueError:
            return None
        half = 1 << (type_.bits - 1)
        return ConstantInt(type_, ((number + half) & ((1 << type_.bits) - 1)) - half)

    def _composite(self, type_: Type, token: str) -> Value:
        if token.startswith('c"'):
            return ConstantString(type_, unescape(token))
        special = self._special.get(token)
        if special is not None:
            return special(type_)
        if token in _CASTS or token in _OPERATIONS:
            return self._expression(type_, token)
        self.cursor.at -= 1
        raise self.cursor.error(f"a value of type {type_} expected instead of {token!r}")

    def _elements(self, end: str) -> tuple[Value, ...]:
        """Constants with their types. Those of a table have the same type, which is read once where it has several words (one alone
        may go on: `ptr addrspace(1)`)."""
        cursor = self.cursor
        found: list[Value] = []
        words: list[str] = []
        type_: Type = POINTER
        while not cursor.accept(end):
            if words and cursor.tokens[cursor.at : cursor.at + len(words)] == words:
                cursor.at += len(words)
            else:
                start = cursor.at
                type_ = self.types.parse()
                words = cursor.tokens[start : cursor.at] if cursor.at > start + 1 else []
            found.append(self.parse(type_))
            cursor.accept(",")
        return tuple(found)

    def _aggregate(self, type_: Type, end: str) -> Value:
        return ConstantAggregate(type_, self._elements(end))

    def _angle(self, type_: Type) -> Value:
        if not self.cursor.accept("{"):
            return self._aggregate(type_, ">")
        value = self._aggregate(type_, "}")
        self.cursor.expect(">")
        return value

    def _splat(self, type_: Type) -> Value:
        self.cursor.expect("(")
        element = self.typed()
        self.cursor.expect(")")
        return ConstantSplat(type_, element)

    def _block_address(self, type_: Type) -> Value:
        cursor = self.cursor
        cursor.expect("(")
        function = self._global(cursor.next())
        cursor.expect(",")
        block = block_for(self.symbols.labels_of(function), cursor.next())
        cursor.expect(")")
        return BlockAddress(type_, function, block)

    def _wrapped(self, type_: Type, keyword: str) -> Value:
        return WrappedGlobal(type_, keyword, self._global(self.cursor.next()))

    def _asm(self, type_: Type) -> Value:
        cursor = self.cursor
        words: list[str] = []
        while not cursor.peek().startswith('"'):
            words.append(cursor.next())
        template = cursor.next()
        cursor.expect(",")
        words.append(f"{template}, {cursor.next()}")
        return InlineAsm(POINTER, " ".join(words))

    def _flags(self) -> tuple[str, ...]:
        cursor = self.cursor
        flags: list[str] = []
        while cursor.peek() != "(":
            token = cursor.next()
            if token == "inrange":
                cursor.expect("(")
                token = f"inrange({cursor.parenthesized()})"
            elif token not in _FLAGS:
                cursor.at -= 1
                raise cursor.error(f"a flag expected instead of {token!r}")
            flags.append(token)
        cursor.expect("(")
        return tuple(flags)

    def _gep(self, type_: Type) -> Value:
        flags = self._flags()
        source = self.types.parse()
        self.cursor.expect(",")
        return ConstantExpression(type_, "getelementptr", self._elements(")"), flags, source)

    def _expression(self, type_: Type, opcode: str) -> Value:
        flags = self._flags()
        if opcode not in _CASTS:
            return ConstantExpression(type_, opcode, self._elements(")"), flags)
        operand = self.typed()
        self.cursor.expect("to")
        target = self.types.parse()
        self.cursor.expect(")")
        return ConstantExpression(target, opcode, (operand,), flags)


def float_bits(type_: FloatType, token: str) -> int:
    """The bit pattern a floating literal stands for. ValueError where the text is no number of that type."""
    kind = type_.kind
    if not token.startswith("0x"):
        if kind not in FORMATS:
            raise ValueError(token)
        return encode(FORMATS[kind], float(token))
    if token[:3] == _HEX_KINDS.get(kind):
        bits = int(token[3:], 16)
        words_swapped = kind in ("fp128", "ppc_fp128")  # LLVM writes the low 64 bits first
        return (bits & ((1 << 64) - 1)) << 64 | bits >> 64 if words_swapped else bits
    if kind not in ("float", "double"):
        raise ValueError(token)
    bits = int(token, 16)
    return bits if kind == "double" else narrow(bits)
