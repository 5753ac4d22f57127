"""Memory as C writes it: `x[i]`, `p->mass`, `*s`.

An address is a base and a sum of byte offsets. Where the base's C type has an element at exactly these offsets it is written with
it; otherwise as `*(double *)((char *)p + 8)`, which means the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from enzyme_magic.backend.explain.gradient_c.plan import CPlan
from enzyme_magic.backend.explain.gradient_c.refusal import refuse
from enzyme_magic.backend.explain.gradient_c.spelling.scalars import c_type, unknown, unsaid
from enzyme_magic.backend.explain.words.c_operators import ADDITIVE, MULTIPLICATIVE, POSTFIX, UNARY, Text
from enzyme_magic.backend.explain.words.variables import member
from enzyme_magic.backend.frontend import c_types
from enzyme_magic.backend.ir.instructions import Alloca, Binary, Cast, Freeze, GetElementPtr, Instruction
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import GlobalValue
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, I1, I64, PointerType, Type
from enzyme_magic.backend.ir.values import ConstantInt, Value

_ADDED = re.compile(r"(.+) ([+-]) (\d+)")
Terms = list[tuple[Value, int]]  # index and bytes of one step


class CWords(Protocol):
    """Values as C text, of at least a rank; and the names of variables."""

    @property
    def name(self) -> Callable[[Value], str]: ...

    def text(self, value: Value, rank: int = 0) -> str: ...

    def index(self, value: Value, rank: int = 0) -> str: ...


@dataclass(slots=True, eq=False)
class CPlaces:
    """`elements`: what a pointer variable points to, as C says it. constant: parameters that point to what C calls const."""

    plan: CPlan
    layout: DataLayout
    elements: Mapping[Value, c_types.CType]
    constant: frozenset[Value] = frozenset()

    def place(self, pointer: Value, type_: Type, text: CWords) -> str:
        """The object of `type_` at `pointer`."""
        base, terms, offset = self.split(pointer)
        name = self._base(base, text)
        element = self.element(base)
        size = c_types.size_of(element) if element is not None else None
        if element is not None and size:
            found = self._inside(name, element, size, terms, offset, type_, text)
            if found is not None:
                return found
        return f"*({_pointed(type_)} *){self._bytes(name, terms, offset, text)}"

    def is_unsigned(self, pointer: Value, type_: Type) -> bool:
        """Whether C reads an unsigned number where `place` says."""
        base, terms, offset = self.split(pointer)
        element = self.element(base)
        size = c_types.size_of(element) if element is not None else None
        if element is None or not size or any(step % size for _, step in terms):
            return False
        _, found = member(element, offset % size)
        return _is(found, type_) and isinstance(found, c_types.Scalar) and found.kind == "uint"

    def address(self, pointer: Value, text: CWords) -> Text:
        """The address itself, as a value. Arrays of the base's elements are walked in elements."""
        base, terms, offset = self.split(pointer)
        name, element = self._base(base, text), self.element(base)
        size = c_types.size_of(element) if element is not None else None
        if size and all(step % size == 0 for _, step in terms) and offset % size == 0:
            index = self._index(terms, offset, size, text, ADDITIVE)
            return (f"{name} + {index}", ADDITIVE) if index else (name, UNARY)
        return self._bytes(name, terms, offset, text), UNARY

    def element(self, base: Value) -> c_types.CType | None:
        return self.elements.get(self.plan.variable(base))

    def pointed(self, variable: Value) -> str:
        """The type that the declaration of a pointer variable names."""
        element = self.element(variable)
        return str(element) if element is not None else "char"

    def pointed_at(self, pointer: Value) -> str:
        """The type that the text of an address points to, as `address` writes it."""
        base, terms, offset = self.split(pointer)
        element = self.element(base)
        size = c_types.size_of(element) if element is not None else None
        whole = size and all(step % size == 0 for _, step in terms) and offset % size == 0
        const = "const " if base in self.constant else ""
        return const + self.pointed(base) if whole or not (terms or offset) else "char"

    def split(self, pointer: Value) -> tuple[Value, Terms, int]:
        """(base, steps, bytes) of an address."""
        terms: Terms = []
        offset = 0
        while isinstance(pointer, Instruction) and pointer in self.plan.inlined:
            if isinstance(pointer, Freeze):
                pointer = pointer.operands[0]
                continue
            if not isinstance(pointer, GetElementPtr):
                raise unsaid(pointer.opcode)
            more, bytes_ = self._steps(pointer)
            terms, offset, pointer = more + terms, offset + bytes_, pointer.pointer
        return pointer, terms, offset

    def _steps(self, gep: GetElementPtr) -> tuple[Terms, int]:
        known = self.layout.constant_offset(gep)
        if known is not None:
            return [], known
        source = gep.source_type
        terms: Terms = []
        offset = 0
        for k, index in enumerate(gep.indices):
            if isinstance(index, ConstantInt) and k:
                stepped = self.layout.step(source, index)
                assert stepped is not None
                source, offset = stepped[0], offset + stepped[1]
                continue
            if k:
                resolved = self.layout.resolve(source)
                inner = getattr(resolved, "element", None)
                if inner is None:
                    raise refuse("it chooses a member of a struct by number")
                source = inner
            size = self.layout.size_of(source)
            if isinstance(index, ConstantInt):
                offset += index.value * size
            else:
                terms.append((index, size))
        return terms, offset

    def _inside(
        self, name: str, element: c_types.CType, size: int, terms: Terms, offset: int, type_: Type, text: CWords
    ) -> str | None:
        if any(step % size for _, step in terms):
            return None
        whole, rest = divmod(offset, size)
        path, found = member(element, rest)
        if not _is(found, type_):
            return None
        index = self._index(terms, whole * size, size, text)
        if not path:
            return f"{name}[{index}]" if index else f"*{name}" if not name.startswith("&") else name[1:]
        return (
            f"{name}[{index}]{path}" if index else f"{name}->{path[1:]}" if path.startswith(".") else f"(*{name}){path}"
        )

    def _index(self, terms: Terms, offset: int, size: int, text: CWords, rank: int = 0) -> str:
        parts: list[str] = []
        for value, step in sorted(terms, key=lambda term: turned(term[0]) is not None):
            many, taken = step // size, turned(value) if value in self.plan.inlined else None
            if parts and taken is not None:  # an index is far from what a long can hold
                parts.append(f" - {self._wide(taken, many, text, MULTIPLICATIVE)}")
                offset -= step
                continue
            plain = many == 1 and len(terms) == 1 and offset == 0
            # With one term C widens by itself; in a sum each must be wide before it is added.
            part = text.index(value, rank) if plain else self._wide(value, many, text)
            parts.append(f" + {part}" if parts else part)
        number = offset // size
        if not parts:
            return str(number) if number else ""
        return _plus("".join(parts), number)

    @staticmethod
    def _wide(value: Value, many: int, text: CWords, rank: int = ADDITIVE) -> str:
        if isinstance(value, Cast) and value.opcode == "trunc":
            inner = text.text(value, UNARY)
        elif value.type != I64 or isinstance(value, Cast):
            inner = text.text(value, UNARY)
            inner = inner if inner.startswith("(long)") else f"(long){inner}"
        else:
            inner = text.text(value, MULTIPLICATIVE if many != 1 else rank)
        return inner if many == 1 else f"{inner}*{many}"

    def _bytes(self, name: str, terms: Terms, offset: int, text: CWords) -> str:
        parts = [self._wide(value, step, text) for value, step in terms]
        joined = "".join(f" + {part}" for part in parts)
        if offset:
            joined += f" {'-' if offset < 0 else '+'} {abs(offset)}"
        return f"((char *){name}{joined})" if joined else name

    def _base(self, base: Value, text: CWords) -> str:
        if isinstance(base, GlobalValue) and base not in self.constant:
            raise unknown(base)
        if isinstance(base, (Alloca, GlobalValue)):
            return text.name(base)
        if not isinstance(base.type, PointerType):
            raise refuse("it has vectors of addresses")
        return text.text(base, POSTFIX)


def turned(value: Value) -> Value | None:
    """x of `~x`, which is -1 - x."""
    minus = value.operands[1] if isinstance(value, Binary) and value.opcode == "xor" else None
    return value.operands[0] if isinstance(minus, ConstantInt) and minus.value == -1 else None  # type: ignore[attr-defined]


def _plus(text: str, number: int) -> str:
    """A sum plus a number; what is added to it already is added up: `i`, not `i + 1 - 1`."""
    if number and (found := _ADDED.fullmatch(text)):
        text, number = found[1], number + int(f"{found[2]}{found[3]}")
    return f"{text} {'-' if number < 0 else '+'} {abs(number)}" if number else text


def _is(c_type: c_types.CType, type_: Type) -> bool:
    if isinstance(type_, PointerType):
        return isinstance(c_type, c_types.Pointer)
    if not isinstance(c_type, c_types.Scalar):
        return False
    if type_ in (DOUBLE, FLOAT):
        return c_type.kind == "float" and c_type.base == str(type_)
    return c_type.kind in ("int", "uint", "char") and c_type.size * 8 == getattr(type_, "bits", 0)


def _pointed(type_: Type) -> str:
    if isinstance(type_, PointerType):
        return "void *"
    if type_ == I1:
        raise refuse("it stores single bits")
    return c_type(type_)
