"""IR values as C expressions that mean exactly the same.

Invariant: what C would compute differently is cast (unsigned comparison, wrapping addition, a double from an int), what C has no
sure words for raises NotInC. Every integer expression has C's signed type of its width: IR has no unsigned values, and what C
declares unsigned, parameters and memory, is converted where it is read. Floating operations keep their order: parentheses stand
wherever C's grammar would group otherwise.
LLVM's fmuladd is what this machine makes of it: `fma` where it has one, a product and a sum elsewhere (and the text forbids other
contraction).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeGuard

from enzyme_magic.backend.explain.gradient_c.counted import CountedLoops
from enzyme_magic.backend.explain.gradient_c.plan import CPlan
from enzyme_magic.backend.explain.gradient_c.refusal import refuse
from enzyme_magic.backend.explain.gradient_c.spelling.bounds import fits, leaves_room
from enzyme_magic.backend.explain.gradient_c.spelling.places import CPlaces, turned
from enzyme_magic.backend.explain.gradient_c.spelling.scalars import c_integer, c_type, in_c, literal, unsaid
from enzyme_magic.backend.explain.words.c_operators import (
    ADDITIVE,
    BINARY,
    BIT_AND,
    EQUALITY,
    LOGICAL_AND,
    LOGICAL_OR,
    MULTIPLICATIVE,
    OPPOSITE,
    POSTFIX,
    RELATIONAL,
    SIGNED,
    TERNARY,
    UNARY,
    UNSIGNED,
    Text,
    asserted,
    chosen,
    compared_floats,
    infix,
    spaced,
    wrap,
)
from enzyme_magic.backend.explain.words.connectives import connective
from enzyme_magic.backend.ir import constants, intrinsics
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Call,
    Cast,
    Compare,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Select,
    Unary,
)
from enzyme_magic.backend.ir.module import GlobalVariable
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, I1, I8, I16, I32, I64, FloatType, IntType, PointerType
from enzyme_magic.backend.ir.values import ConstantFloat, ConstantInt, ConstantKeyword, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.llvm.objects import tuning
from enzyme_magic.backend.rules.spelling import INTRINSIC_OF, PROTOTYPES

FLOATING = {name: BINARY[name] for name in ("fadd", "fsub", "fmul", "fdiv")}
WRAPPING = {name: BINARY[name] for name in ("add", "sub", "mul")}
BITWISE = {name: BINARY[name][0] for name in ("and", "or", "xor")}
# Intrinsics with a function of math.h that LLVM makes of them again, where every program has it.
MATH = {
    intrinsic: operation
    for operation, intrinsic in INTRINSIC_OF.items()
    if operation in PROTOTYPES and not PROTOTYPES[operation].macro and {*PROTOTYPES[operation].generic} == {libc.REAL}
}


@dataclass(slots=True, eq=False)
class Expressions:
    """Writes values. `name` gives a variable's name; `same`: values that another variable holds just now. unsigned_parameters:
    those that C reads as unsigned."""

    plan: CPlan
    counts: CountedLoops
    places: CPlaces
    name: Callable[[Value], str]
    headers: set[str]
    same: dict[Value, Value]
    unsigned_parameters: frozenset[Value] = frozenset()
    contracts: bool = False  # whether C may join a product and a sum of the text

    def text(self, value: Value, rank: int = 0) -> str:
        """The value as an operand of something of `rank`."""
        return wrap(self.value(value), rank)

    def value(self, value: Value) -> Text:
        if value in self.same:
            return self.name(self.same[value]), POSTFIX
        if isinstance(value, Instruction) and value in self.plan.inlined:
            return self.operation(value)
        if isinstance(value, ConstantInt):
            return _integer(value)
        if isinstance(value, ConstantFloat):
            return self._number(value)
        if isinstance(value, ConstantKeyword):
            if isinstance(value.type, PointerType):
                self.headers.add("stdlib.h")
                return "NULL", POSTFIX
            if value.keyword in ("undef", "poison", "zeroinitializer") and isinstance(value.type, (IntType, FloatType)):
                return "0", POSTFIX  # any value will do
            raise refuse(f"it has the constant {value.keyword}")
        if value in self.unsigned_parameters:
            return f"({c_integer(value.type)}){self.name(value)}", UNARY
        if isinstance(value, GlobalVariable) and value not in self.places.constant:
            return literal(value), POSTFIX
        return self.name(value), POSTFIX

    def converted(self, value: Value, rank: int = 0) -> str:
        """The value where C converts it, or where only its bits count: an unsigned parameter by its plain name."""
        wide = value in self.unsigned_parameters and value.type in (I32, I64)
        return self.name(value) if wide else self.text(value, rank)

    def operation(self, i: Instruction) -> Text:
        """What computes the value, even where it is a variable."""
        if isinstance(i, Compare) or (i.type == I1 and isinstance(i, (Binary, Select, Freeze))):
            return self._truth_of(i, True)
        if isinstance(i, Binary):
            return self._binary(i)
        if isinstance(i, Unary):
            inner = self.text(i.operands[0], UNARY)
            return (f"-({inner})" if inner.startswith("-") else f"-{inner}"), UNARY
        if isinstance(i, Cast):
            return self._cast(i)
        if isinstance(i, Freeze):
            return self.value(i.operands[0])
        if isinstance(i, Select):
            condition, a, b = i.operands
            return chosen(self.truth(condition, True), self.value(a), self.value(b))
        return self._other(i)

    def _other(self, i: Instruction) -> Text:
        if isinstance(i, Load):
            if i.volatile or i.ordering:
                raise refuse("it reads memory that others may change at any time")
            place = self.places.place(i.pointer, i.type, self)
            if self.places.is_unsigned(i.pointer, i.type):
                return f"({c_integer(i.type)}){place}", UNARY
            return place, POSTFIX
        if isinstance(i, GetElementPtr):
            return self.places.address(i, self)
        if isinstance(i, Call):
            return self._call(i)
        raise unsaid(i.opcode)

    # Truth

    def truth_text(self, value: Value, rank: int = 0, holds: bool = True) -> str:
        return wrap(self.truth(value, holds), rank)

    def truth(self, value: Value, holds: bool) -> Text:
        """A condition, or its opposite."""
        if isinstance(value, ConstantInt):
            return ("1" if (value.value != 0) == holds else "0"), POSTFIX
        inlined = isinstance(value, Instruction) and (value in self.plan.inlined) and value not in self.same
        if not inlined:
            return asserted(self.value(value), holds)
        assert isinstance(value, Instruction)
        return self._truth_of(value, holds)

    def _truth_of(self, i: Instruction, holds: bool) -> Text:
        if isinstance(i, Freeze):
            return self.truth(i.operands[0], holds)
        if isinstance(i, Compare):
            return self._compare(i, holds)
        if (parts := connective(i)) is not None:
            kind, a, b = parts
            if b is None:
                return self.truth(a, not holds)
            # C's own precedence would do, but compilers warn of `a && b || c`.
            operands = self.truth_text(a, EQUALITY, holds), self.truth_text(b, EQUALITY, holds)
            sign, rank = ("&&", LOGICAL_AND) if (kind == "and") == holds else ("||", LOGICAL_OR)
            return spaced(sign, rank, *operands), rank
        if isinstance(i, Select):
            condition, *arms = i.operands
            return chosen(self.truth(condition, True), *(self.truth(arm, holds) for arm in arms))
        if isinstance(i, Binary) and i.opcode == "xor":
            texts = [(self.truth_text(operand, EQUALITY + 1), POSTFIX) for operand in i.operands]
            return infix("!=" if holds else "==", EQUALITY, *texts)
        if isinstance(i, Cast) and i.opcode == "trunc":
            return asserted((f"{self.text(i.operands[0], UNARY)} & 1", BIT_AND), holds)
        return asserted(self._binary(i) if isinstance(i, Binary) else self.operation(i), holds)

    def _compare(self, i: Compare, holds: bool) -> Text:
        a, b = i.operands
        if i.opcode == "fcmp":
            return self._compare_floats(i, a, b, holds)
        if isinstance(a.type, PointerType):
            return self._compare_addresses(i, holds)
        unsigned = i.predicate in UNSIGNED
        operator = UNSIGNED[i.predicate] if unsigned else SIGNED[i.predicate]
        operator = operator if holds else OPPOSITE[operator]
        rank = EQUALITY if operator in ("==", "!=") else RELATIONAL
        if unsigned and not ("samesign" in i.flags or all(self.counts.nonnegative(v) for v in (a, b))):
            return f"{self.unsigned(a)} {operator} {self.unsigned(b)}", rank
        if operator in ("==", "!="):
            return f"{self.converted(a, rank + 1)} {operator} {self.converted(b, rank + 1)}", rank
        return f"{self.text(a, rank + 1)} {operator} {self.text(b, rank + 1)}", rank

    def _compare_addresses(self, i: Compare, holds: bool) -> Text:
        """Clang compares what is greater as LLVM does, by the numbers, where it may take for granted that the sums stay inside."""
        texts = [self.text(v, UNARY) for v in i.operands]
        same = SIGNED.get(i.predicate, "") in ("==", "!=")
        inside = all(not isinstance(v, GetElementPtr) or "inbounds" in v.flags for v in i.operands)
        if not same and (i.predicate not in UNSIGNED or "NULL" in texts or not inside):
            raise refuse("it compares addresses")
        operator = SIGNED[i.predicate] if same else UNSIGNED[i.predicate]
        to = "void *" if same else "char *"
        left, right = (t if t == "NULL" else f"({to}){t}" for t in texts)
        return f"{left} {operator if holds else OPPOSITE[operator]} {right}", EQUALITY if same else RELATIONAL

    def _compare_floats(self, i: Compare, a: Value, b: Value, holds: bool) -> Text:
        if i.predicate in ("ord", "uno"):
            self.headers.add("math.h")
            ordered = a is b or (isinstance(b, ConstantFloat) and not math.isnan(constants.float_value(b)))
            text = f"isnan({self.text(a)})" if ordered else f"isunordered({self.text(a)}, {self.text(b)})"
            return asserted((text, POSTFIX), (i.predicate == "uno") == holds)
        found = compared_floats(i.predicate, self.value(a), self.value(b), holds)
        if found is None:
            raise refuse("it compares in a way that C has no sign for")
        return found

    # Numbers

    def _number(self, constant: ConstantFloat) -> Text:
        if constant.type not in (DOUBLE, FLOAT):
            raise refuse(f"it computes with {in_c(constant.type)}")
        number = constants.float_value(constant)
        suffix = "f" if constant.type == FLOAT else ""
        if math.isnan(number) or math.isinf(number):
            self.headers.add("math.h")
            word = "NAN" if math.isnan(number) else "INFINITY"
            return (f"-{word}", UNARY) if math.copysign(1.0, number) < 0 else (word, POSTFIX)
        text = repr(number) + suffix
        return (text, UNARY if text.startswith("-") else POSTFIX)

    def unsigned(self, value: Value, rank: int = UNARY) -> str:
        """The bits of the value in C's unsigned type of its width, as an operand of something of `rank`."""
        return wrap(self._modular(value), rank)

    def _modular(self, value: Value) -> Text:
        if isinstance(value, ConstantInt):
            return f"{value.unsigned}u" + ("l" if value.type == I64 else ""), POSTFIX
        if self._is_unsigned(value):
            return self.name(value), POSTFIX
        if self._wraps(value):
            return self._sum_of_bits(value)
        if self._doubles(value):
            number, by = value.operands
            return f"{self.unsigned(number, MULTIPLICATIVE)}*{1 << by.value}", MULTIPLICATIVE  # type: ignore[attr-defined]
        resized = isinstance(value, Cast) and value.opcode == "trunc" and value.type == I32 and self._is_inlined(value)
        text = self.text(value.operands[0] if resized else value, UNARY)  # type: ignore[attr-defined]
        return f"(unsigned {c_integer(value.type).removeprefix('signed ')}){text}", UNARY

    def index(self, value: Value, rank: int = 0) -> str:
        """The value where C takes any whole number, between brackets or beside an address: what only makes it wider is left out.
        rank: beside an address, a sum without a sign stays together."""
        if isinstance(value, Cast) and self._is_inlined(value) and value.opcode in ("sext", "zext"):
            inner = value.operands[0]
            if inner.type != I1:
                plain = value.opcode == "sext" or "nneg" in value.flags or self.counts.nonnegative(inner)
                return self.text(inner, rank) if plain else self.unsigned(inner, rank and MULTIPLICATIVE)
        return self.text(value, rank)

    def _is_inlined(self, value: Value) -> TypeGuard[Instruction]:
        return isinstance(value, Instruction) and value in self.plan.inlined and value not in self.same

    def _wraps(self, value: Value) -> TypeGuard[Binary]:
        """Whether the text of a value is a sum or product that may go beyond its type."""
        known = isinstance(value, Binary) and value.opcode in WRAPPING and value.type in (I32, I64)
        return known and self._is_inlined(value) and not self._is_exact(value)  # type: ignore[arg-type]

    def _doubles(self, value: Value) -> TypeGuard[Binary]:
        """Whether the text of a value is a number that is shifted up by few bits, some of which may be lost."""
        if not isinstance(value, Binary) or value.opcode != "shl" or not self._is_inlined(value):
            return False
        by = value.operands[1]
        return (
            value.type in (I32, I64) and "nsw" not in value.flags and isinstance(by, ConstantInt) and 0 <= by.value < 31
        )

    def size(self, value: Value) -> str:
        """The value where C wants a size_t, and converts what it gets."""
        return self.unsigned(value, 0) if self._wraps(value) or self._doubles(value) else self.text(value)

    def _is_exact(self, i: Binary) -> bool:
        """Whether a sum or product never goes beyond its type."""
        return "nsw" in i.flags or fits(i, self.counts.found.values())

    def _sum_of_bits(self, i: Binary) -> Text:
        """A sum or product in C's unsigned type: one operand of it is enough, C converts the other one by itself."""
        sign, rank = WRAPPING[i.opcode]
        a, b = i.operands
        if sign == "+" and isinstance(b, ConstantInt) and b.value > -(1 << 31):
            return _plus(self.unsigned(a, rank), b.value)
        if sign == "+" and self._is_inlined(b) and (taken := turned(b)) is not None:
            return f"{self.unsigned(a, rank)} - 1 - {self._operand(taken, rank + 1)}", rank
        if self._is_bits(b) and not self._is_bits(a):
            return spaced(sign, rank, self._operand(a, rank), self.unsigned(b, rank + 1)), rank
        right = self.unsigned(b, rank + 1) if self._is_bits(b) else self._operand(b, rank + 1)
        return spaced(sign, rank, self.unsigned(a, rank), right), rank

    def _is_bits(self, value: Value) -> bool:
        return self._is_unsigned(value) or self._wraps(value)

    def _binary(self, i: Binary) -> Text:
        a, b = i.operands
        if i.opcode in FLOATING:
            sign, rank = FLOATING[i.opcode]
            self.watch(i)
            right = self.value(b)
            if i.opcode == "fadd" and isinstance(b, ConstantFloat) and right[0].startswith("-") and right[0] != "-NAN":
                sign, right = "-", (right[0][1:], POSTFIX)  # the same number: x - 1.0 for x + -1.0
            return infix(sign, rank, self.value(a), right)
        if i.opcode == "frem":
            self.headers.add("math.h")
            return f"{'fmodf' if i.type == FLOAT else 'fmod'}({self.text(a)}, {self.text(b)})", POSTFIX
        type_ = c_integer(i.type)
        if i.type in (I8, I16):
            raise refuse(f"it computes with integers of type {in_c(i.type)}")
        if i.opcode in WRAPPING:
            return self._wrapping(i, a, b, type_)
        return self._whole(i, a, b, type_)

    def _whole(self, i: Binary, a: Value, b: Value, type_: str) -> Text:
        if i.opcode == "xor" and isinstance(b, ConstantInt) and b.value == -1:
            return f"~{self.text(a, UNARY)}", UNARY
        if i.opcode in BITWISE:
            return f"({self.text(a, UNARY)} {BITWISE[i.opcode]} {self.text(b, UNARY)})", POSTFIX
        if i.opcode in ("sdiv", "srem"):
            return (
                f"{self._operand(a, MULTIPLICATIVE)}{'/' if i.opcode == 'sdiv' else ' % '}{self._operand(b, MULTIPLICATIVE + 1)}",
                MULTIPLICATIVE,
            )
        if i.opcode in ("udiv", "urem"):
            sign = "/" if i.opcode == "udiv" else " % "
            if all(self.counts.nonnegative(v) for v in (a, b)):
                return f"{self._operand(a, MULTIPLICATIVE)}{sign}{self._operand(b, MULTIPLICATIVE + 1)}", MULTIPLICATIVE
            return f"({type_})({self.unsigned(a)}{sign}{self.unsigned(b)})", UNARY
        if not isinstance(b, ConstantInt):
            if i.opcode == "ashr":
                return f"({self._operand(a, UNARY)} >> {self.text(b, UNARY)})", POSTFIX
            return f"({type_})({self.unsigned(a)} {'<<' if i.opcode == 'shl' else '>>'} {self.text(b, UNARY)})", UNARY
        return self._shift(i, a, b, type_)

    def watch(self, i: Binary) -> None:
        """C may contract a sum of products, where the IR does not."""
        if i.opcode in ("fadd", "fsub"):
            self.contracts |= any(
                isinstance(o, Binary) and o.opcode == "fmul" and o in self.plan.inlined for o in i.operands
            )
            self.contracts |= any(isinstance(o, (Call, Unary)) and o in self.plan.inlined for o in i.operands)

    def _wrapping(self, i: Binary, a: Value, b: Value, type_: str) -> Text:
        sign, rank = WRAPPING[i.opcode]
        if not self._is_exact(i):
            return f"({type_})({self._sum_of_bits(i)[0]})", UNARY
        if sign == "+" and isinstance(b, ConstantInt) and b.value < 0 and b.value != -(1 << 63):
            return f"{self._operand(a, ADDITIVE, b.value == -1)} - {-b.value}", ADDITIVE
        taken = turned(b) if sign == "+" and self._is_inlined(b) else None
        if taken is not None and self._leaves_room(i, a, taken):
            return f"{self._operand(a, ADDITIVE)} - 1 - {self._operand(taken, ADDITIVE + 1)}", ADDITIVE
        return spaced(sign, rank, self._operand(a, rank), self._operand(b, rank + 1)), rank

    def _leaves_room(self, i: Binary, a: Value, b: Value) -> bool:
        """Whether `a - 1 - b` is as good as `a + ~b`: nothing on the way is beyond the type."""
        both = self.counts.nonnegative(a) and self.counts.nonnegative(b)
        return both or leaves_room(i, (a, b), self.counts.found.values())

    def _is_unsigned(self, value: Value) -> bool:
        """Whether C reads the value as unsigned, and computes with it as such."""
        return value in self.unsigned_parameters and value.type in (I32, I64)

    def _operand(self, value: Value, rank: int, less_one: bool = False) -> str:
        """An integer operand, widened before C computes with it (of a nonnegative one, one may be taken off first)."""
        if (
            isinstance(value, Cast)
            and value in self.plan.inlined
            and value.opcode in ("zext", "sext")
            and value not in self.same
        ):
            if less_one and "nneg" in value.flags:
                return self.text(value, rank)
            text = self.value(value)[0]
            if not text.startswith("("):
                return f"({c_integer(value.type)}){text}"
        return self.text(value, rank)

    def _shift(self, i: Binary, a: Value, b: ConstantInt, type_: str) -> Text:
        if not 0 <= b.value < int(i.type.bits):  # type: ignore[attr-defined]
            raise refuse("it shifts by more than a number has bits")
        if i.opcode == "shl":
            if "nsw" in i.flags and b.value < 31:
                return f"{self._operand(a, MULTIPLICATIVE)}*{1 << b.value}", MULTIPLICATIVE
            factor = f"*{1 << b.value}" if b.value < 31 else f" << {b.value}"
            return f"({type_})({self.unsigned(a)}{factor})", UNARY
        if i.opcode == "ashr":
            return f"({self._operand(a, UNARY)} >> {b.value})", POSTFIX
        if self.counts.nonnegative(a):
            if b.value < 31:
                return f"{self._operand(a, MULTIPLICATIVE)}/{1 << b.value}", MULTIPLICATIVE
            return f"({self._operand(a, UNARY)} >> {b.value})", POSTFIX
        return f"({type_})({self.unsigned(a)} >> {b.value})", UNARY

    def _cast(self, i: Cast) -> Text:
        inner = i.operands[0]
        if i.opcode in ("sext", "zext"):
            if inner.type == I1:
                text = self.truth_text(inner, POSTFIX)
                return (f"-{text}", UNARY) if i.opcode == "sext" else (text, POSTFIX)
            c_integer(i.type)
            if i.opcode == "sext" or "nneg" in i.flags or self.counts.nonnegative(inner):
                text, rank = self.value(inner)
                return (text, rank) if rank >= POSTFIX else (f"({c_integer(i.type)}){wrap((text, rank), UNARY)}", UNARY)
            return f"({c_integer(i.type)}){self.unsigned(inner)}", UNARY
        if i.opcode == "trunc":
            if i.type == I1:
                return f"({self.text(inner, UNARY)} & 1)", POSTFIX
            inside = self.unsigned(inner) if self._wraps(inner) else self.text(inner, UNARY)
            return f"({c_integer(i.type)}){inside}", UNARY
        return self._cast_float(i, inner)

    def _cast_float(self, i: Cast, inner: Value) -> Text:
        if i.opcode == "sitofp":
            c_integer(inner.type)
            return f"({c_type(i.type)}){self.text(inner, UNARY)}", UNARY
        if i.opcode == "uitofp":
            if inner.type == I1:
                return f"({c_type(i.type)}){self.truth_text(inner, UNARY)}", UNARY
            plain = "nneg" in i.flags or self.counts.nonnegative(inner)
            return f"({c_type(i.type)}){self.text(inner, UNARY) if plain else self.unsigned(inner)}", UNARY
        if i.opcode == "fptosi":
            return f"({c_integer(i.type)}){self.text(inner, UNARY)}", UNARY
        if i.opcode in ("fpext", "fptrunc") and inner.type in (DOUBLE, FLOAT) and i.type in (DOUBLE, FLOAT):
            return f"({c_type(i.type)}){self.text(inner, UNARY)}", UNARY
        raise refuse(f"it converts {in_c(inner.type)} to {in_c(i.type)}")

    # Calls

    def _call(self, call: Call) -> Text:
        name = str(getattr(call.callee, "name", ""))
        if not name.startswith("llvm."):
            raise refuse("a call stands where none can")
        word = name.split(".")[1]
        arguments = call.arguments
        if word in MATH and call.type in (DOUBLE, FLOAT) and all(a.type == call.type for a in arguments):
            self.headers.add("math.h")
            suffix = "f" if call.type == FLOAT else ""
            return f"{MATH[word]}{suffix}({', '.join(self.text(a) for a in arguments)})", POSTFIX
        if word == "fmuladd" and call.type in (DOUBLE, FLOAT):
            return self._fmuladd(call)
        if word in ("smin", "smax", "umin", "umax") and isinstance(call.type, IntType):
            return self._extreme(word, *arguments)
        if word == "abs" and call.type in (I32, I64):
            self.headers.add("stdlib.h")
            return f"{'labs' if call.type == I64 else 'abs'}({self.text(arguments[0])})", POSTFIX
        raise refuse(f"it calls {intrinsics.word(name) or name}")

    def _fmuladd(self, call: Call) -> Text:
        a, b, c = call.arguments
        if tuning.has("fma"):
            self.headers.add("math.h")
            word = "fmaf" if call.type == FLOAT else "fma"
            return f"{word}({self.text(a)}, {self.text(b)}, {self.text(c)})", POSTFIX
        return infix("+", ADDITIVE, infix("*", MULTIPLICATIVE, self.value(a), self.value(b)), self.value(c))

    def _extreme(self, word: str, a: Value, b: Value) -> Text:
        operator = "<" if word.endswith("min") else ">"
        if word[0] == "u" and not all(self.counts.nonnegative(v) for v in (a, b)):
            left, right = self.unsigned(a), self.unsigned(b)
        else:
            left, right = self.text(a, RELATIONAL + 1), self.text(b, RELATIONAL + 1)
        return f"{left} {operator} {right} ? {self.text(a, TERNARY + 1)} : {self.text(b, TERNARY)}", TERNARY


def _plus(text: str, number: int) -> Text:
    """An unsigned sum with a number: C converts a signed one by itself, and of a negative one the opposite is taken off."""
    return f"{text} {'-' if number < 0 else '+'} {abs(number)}{'l' if abs(number) >= 1 << 31 else ''}", ADDITIVE


def _integer(constant: ConstantInt) -> Text:
    if constant.type == I1:
        return ("1" if constant.value else "0"), POSTFIX
    c_integer(constant.type)
    if constant.value == -(1 << 63):
        return "(-9223372036854775807l - 1)", POSTFIX
    suffix = "l" if abs(constant.value) >= 1 << 31 else ""
    if constant.value == -(1 << 31) and constant.type == I32:
        return "(-2147483647 - 1)", POSTFIX
    return f"{constant.value}{suffix}", (UNARY if constant.value < 0 else POSTFIX)
