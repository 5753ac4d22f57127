"""Numbers made of masks and moved bits become the operations they are.

    memcpy(&u, &x, 8);  u & 0x7fff…  becomes  fabs(x),   u | 0x8000…  -fabs(x),   u ^ 0x8000…  -x,
    (u & 0x7fff…) | (v & 0x8000…)  copysign(x, y),   x under a mask of a comparison  x or 0
    two halves, bytes of vectors that were shuffled  the number itself

Each element is read byte by byte (byte_reader.py); where these are the bytes of one number, but for its sign, or a choice between
such, the number is written. All of these are exact, for NaN and zeros too. An integer that is stored is a number where all
its bytes are.

Not done: any other arithmetic on the bits of a number. Where a derivative would flow through it, it is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.elements import element, is_negative, vector_of
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Cast, Instruction, Store
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT, HALF, FloatType, FunctionType, IntType, Type, VectorType
from enzyme_magic.backend.ir.values import ConstantFloat, Value
from enzyme_magic.backend.prepare.bits.byte_forms import (
    ALL,
    ByteLeaf,
    ChosenByte,
    Condition,
    Form,
    NumberBytes,
    restrict,
)
from enzyme_magic.backend.prepare.bits.byte_reader import ByteReader, bytes_in, size_of

WIDTHS = {"half": 16, "float": 32, "double": 64}
_SIGN = 0x80


@dataclass(frozen=True, slots=True)
class _Signed:
    """A number or a constant, with a sign of its own making: `magnitude` under fabs, with the sign of `sign`, turned where that is
    set, negated."""

    number: NumberBytes | int
    magnitude: bool = False
    sign: NumberBytes | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class _Chosen:
    condition: Condition
    true: _Signed | _Chosen
    false: _Signed | _Chosen


_Made = _Signed | _Chosen


@dataclass(frozen=True, slots=True)
class _Numbers:
    """What bits are: one number, or a vector of several."""

    type: Type
    parts: tuple[_Made, ...]


def to_operations(module: Module) -> int:
    """Rewrite every number made of such bits in the definitions of `module`, in place; gives back how many."""
    return sum(_rewrite(module, function) for function in list(module.definitions()))


def _rewrite(module: Module, function: Function) -> int:
    if not any(_may_be_number(i) for i in function.instructions()):
        return 0
    reader = ByteReader(function)
    found = [(i, made) for i in function.instructions() if (made := _read(reader, i)) is not None]
    replaced: dict[Value, Value] = {}
    for i, made in found:
        assert i.parent is not None
        builder = Builder(i.parent, i)
        builder.debug_location = i.metadata.get("dbg")
        value = _Writer(module, builder).written(made)
        if isinstance(i, Store):
            i.operands[0] = value
        else:
            replaced[i] = value
            i.parent.instructions.remove(i)
    replace_uses(function, {old: _last(new, replaced) for old, new in replaced.items()})
    return len(found)


def _last(value: Value, replaced: dict[Value, Value]) -> Value:
    while value in replaced:
        value = replaced[value]
    return value


def _may_be_number(i: Instruction) -> bool:
    """A reinterpretation of an integer, or of numbers of another type, as numbers, or an integer that is stored."""
    if isinstance(i, Cast):
        source = i.operands[0].type.scalar
        other = isinstance(source, IntType) or (isinstance(source, FloatType) and source != i.type.scalar)
        return i.opcode == "bitcast" and str(i.type.scalar) in WIDTHS and other
    return isinstance(i, Store) and isinstance(i.value.type.scalar, IntType) and not (i.volatile or i.ordering)


def _read(reader: ByteReader, i: Instruction) -> _Numbers | None:
    """The numbers that an instruction makes of bits; None where there are none, or nothing was done to them."""
    if not _may_be_number(i):
        return None
    if isinstance(i, Cast):
        made = _numbers(reader, i.operands[0], i.type)
        return None if made is None or all(_is_integer(part) for part in made.parts) else made
    for type_ in (DOUBLE, FLOAT, HALF):
        made = _numbers(reader, i.operands[0], type_)
        if made is not None and all(_is_number(part) for part in made.parts):
            return made if any(map(_has_number, made.parts)) else None
    return None


def _is_integer(part: _Made) -> bool:
    """Nothing but the bytes of one integer."""
    if isinstance(part, _Chosen) or part.magnitude or part.sign is not None or part.negated:
        return False
    return isinstance(part.number, NumberBytes) and isinstance(part.number.value.type.scalar, IntType)


def _is_number(part: _Made) -> bool:
    """Nothing of an integer, which may be a number or not."""
    if isinstance(part, _Chosen):
        return _is_number(part.true) and _is_number(part.false)
    return isinstance(part.number, int) or isinstance(part.number.value.type.scalar, FloatType)


def _has_number(part: _Made) -> bool:
    """Whether there is more in it than constants: `c ? 4 : 5` is a choice between integers."""
    if isinstance(part, _Chosen):
        return _has_number(part.true) or _has_number(part.false)
    return isinstance(part.number, NumberBytes) or part.sign is not None


def _numbers(reader: ByteReader, bits: Value, type_: Type) -> _Numbers | None:
    """`bits` as numbers of the scalar of `type_`, if all of them are."""
    size, width = size_of(bits.type), bytes_in(type_)
    if not size or not width or size % width:
        return None
    parts: list[_Made] = []
    for start in range(0, size, width):
        part = _number([reader.byte(bits, start + k) for k in range(width)], type_.scalar)
        if part is None:
            return None
        parts.append(part)
    vector = isinstance(type_, VectorType) or len(parts) > 1
    return _Numbers(VectorType(len(parts), type_.scalar) if vector else type_.scalar, tuple(parts))


def _number(forms: list[Form], type_: Type) -> _Made | None:
    """The number whose bytes these are."""
    choice = next((form for form in forms if isinstance(form, ChosenByte)), None)
    if choice is None:
        return _signed([form for form in forms if isinstance(form, ByteLeaf)], type_)
    true, false = (_number([restrict(form, choice.condition, t) for form in forms], type_) for t in (True, False))
    if true is None or false is None:
        return None
    return true if true == false else _Chosen(choice.condition, true, false)


def _signed(leaves: list[ByteLeaf], type_: Type) -> _Signed | None:
    *low, top = leaves
    own = dict(top.terms)
    number: NumberBytes | int
    if any(leaf.terms for leaf in low):
        ((first, _), _), *_ = low[0].terms or [((None, 0), 0)]
        whole = all(leaf.constant == 0 and leaf.terms == frozenset([((first, k), ALL)]) for k, leaf in enumerate(low))
        mask = own.pop((first, len(low)), 0) if first is not None else 0
        if (
            first is None
            or not whole
            or not _fits(first, type_)
            or mask not in (ALL, ALL & ~_SIGN)
            or top.constant & ~_SIGN
        ):
            return None
        number, magnitude = first, mask != ALL
    else:
        number = sum(leaf.constant << 8 * k for k, leaf in enumerate(low)) | (top.constant & ~_SIGN) << 8 * len(low)
        magnitude = True
    if len(own) > 1 or any(mask != _SIGN for mask in own.values()):
        return None
    sign = next((source for source, k in own if k == len(low)), None)
    if own and (sign is None or not _fits(sign, type_)):
        return None
    return _Signed(number, magnitude, sign, bool(top.constant & _SIGN))


def _fits(number: NumberBytes, type_: Type) -> bool:
    """Whether all its bits are those of a number of `type_`."""
    scalar = number.value.type.scalar
    return scalar == type_ or (isinstance(scalar, IntType) and scalar.bits == WIDTHS[str(type_)])


class _Writer:
    """Writes what was read."""

    def __init__(self, module: Module, builder: Builder) -> None:
        self.module, self.builder = module, builder

    def written(self, made: _Numbers) -> Value:
        values = [self._part(part, made.type.scalar) for part in made.parts]
        return vector_of(self.builder, made.type, values) if isinstance(made.type, VectorType) else values[0]

    def _part(self, part: _Made, type_: Type) -> Value:
        if isinstance(part, _Chosen):
            true, false = self._part(part.true, type_), self._part(part.false, type_)
            return self.builder.select(self._condition(part.condition), true, false)
        if isinstance(part.number, int):
            return self._constant(part, part.number, type_)
        value = self._number(part.number, type_)
        if part.magnitude:
            value = (
                self._call("fabs", value)
                if part.sign is None
                else self._call("copysign", value, self._of_sign(part, type_))
            )
        elif part.sign is not None:
            value = self.builder.select(self._negative(part.sign), self.builder.fneg(value), value)
        turned = part.negated and not (part.magnitude and part.sign is not None)
        return self.builder.fneg(value) if turned else value

    def _constant(self, part: _Signed, bits: int, type_: Type) -> Value:
        if part.sign is None:
            return ConstantFloat(type_, bits | part.negated << WIDTHS[str(type_)] - 1)
        return self._call("copysign", ConstantFloat(type_, bits), self._of_sign(part, type_))

    def _of_sign(self, part: _Signed, type_: Type) -> Value:
        """A number with the sign that is meant."""
        assert part.sign is not None
        value = self._number(part.sign, type_)
        return self.builder.fneg(value) if part.negated else value

    def _number(self, number: NumberBytes, type_: Type) -> Value:
        value = self._element(number)
        return value if value.type == type_ else self.builder.bitcast(value, type_)

    def _element(self, number: NumberBytes) -> Value:
        return number.value if number.lane is None else element(self.builder, number.value, number.lane)

    def _condition(self, condition: Condition) -> Value:
        number, byte = condition.number, condition.byte
        if byte is None or byte + 1 == bytes_in(number.value.type):
            return self._element(number) if byte is None else self._negative(number)
        value = self._element(number)
        if isinstance(value.type, FloatType):
            value = self.builder.bitcast(value, IntType(WIDTHS[str(value.type)]))
        return is_negative(self.builder, self.builder.trunc(value, IntType(8 * (byte + 1))))

    def _negative(self, number: NumberBytes) -> Value:
        return is_negative(self.builder, self._element(number))

    def _call(self, name: str, *values: Value) -> Value:
        type_ = values[0].type
        signature = FunctionType(type_, (type_,) * len(values))
        return self.builder.call(self.module.declared(f"llvm.{name}.f{WIDTHS[str(type_)]}", signature), values)
