"""Of which bytes is a value made? Follows moves and bitwise operations up to the numbers they began with (byte_forms.py).

Invariant: `Reader.byte(value, k)` equals byte k of `value` as memory would have it, lowest first. What cannot be followed is a
number of its own, so that there is always an answer.

Followed: reinterpretations, elements of vectors put in, taken out and shuffled, `and`, `or`, `xor`, shifts by whole bytes, `zext`,
`trunc`, swaps and rotations of bytes, masks (`sext` of a condition, spread signs), selects.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.elements import shuffle_lanes
from enzyme_magic.backend.ir.instructions import (
    Binary,
    Call,
    Cast,
    Compare,
    ExtractElement,
    Freeze,
    InsertElement,
    Instruction,
    Select,
    ShuffleVector,
    Unary,
)
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I1, FloatType, IntType, Type, VectorType
from enzyme_magic.backend.ir.values import (
    ConstantAggregate,
    ConstantFloat,
    ConstantInt,
    ConstantKeyword,
    ConstantSplat,
    Value,
)
from enzyme_magic.backend.prepare.bits import byte_forms
from enzyme_magic.backend.prepare.bits.byte_forms import (
    ALL,
    ONES,
    ZERO,
    ByteLeaf,
    ChosenByte,
    Condition,
    Form,
    NumberBytes,
    byte_of,
)

_BITWISE = {"and": byte_forms.both, "or": byte_forms.either, "xor": byte_forms.different}
_PURE = (Unary, Binary, Compare, Cast, ExtractElement, InsertElement, ShuffleVector)
_SHIFTED: dict[str, Callable[[int, int, int], int]] = {  # an unsigned integer, by, its bits
    "shl": lambda value, by, bits: value << by,
    "lshr": lambda value, by, bits: value >> by,
    "ashr": lambda value, by, bits: (value - (value >> bits - 1 << bits)) >> by,
}
MOST = 16  # leaves of one form
DEEPEST = 150  # instructions on the way to a number


def bytes_in(type_: Type) -> int | None:
    """Of a number, an integer or an element of a vector; None where its bytes are not whole or not plain."""
    scalar = type_.scalar
    if isinstance(type_, VectorType) and type_.scalable:
        return None
    if isinstance(scalar, IntType):
        return scalar.bits // 8 if scalar.bits % 8 == 0 else None
    return {"half": 2, "float": 4, "double": 8}.get(scalar.kind) if isinstance(scalar, FloatType) else None


def size_of(type_: Type) -> int | None:
    width = bytes_in(type_)
    return None if width is None else width * (type_.count if isinstance(type_, VectorType) else 1)


class ByteReader:
    """Answers are kept; the function must not change in between."""

    def __init__(self, function: Function) -> None:
        self._equal = _equals(function)
        self._known: dict[tuple[Value, int], Form] = {}
        self._depth = 0

    def byte(self, value: Value, k: int) -> Form:
        found = self._known.get((value, k))
        if found is None:
            self._depth += 1
            followed = self._followed(value, k) if self._depth < DEEPEST else None
            self._depth -= 1
            plain = followed is None or byte_forms.parts(followed) > MOST
            found = self._known[value, k] = self._own(value, k) if plain or followed is None else followed
        return found

    def _own(self, value: Value, k: int) -> ByteLeaf:
        width = bytes_in(value.type)
        assert width is not None
        value = self._equal.get(value, value)
        if isinstance(value.type, VectorType):
            return byte_of(NumberBytes(value, k // width), k % width)
        return byte_of(NumberBytes(value, None), k)

    def _followed(self, value: Value, k: int) -> Form | None:
        width = bytes_in(value.type)
        if width is None:
            return None
        if not isinstance(value, Instruction):
            return _constant_byte(value, k, width)
        if isinstance(value, (InsertElement, ExtractElement, ShuffleVector)):
            return self._element(value, k, width)
        if isinstance(value, Freeze):
            return None
        if isinstance(value, Cast):
            return self._cast(value, k, width)
        if isinstance(value.type.scalar, FloatType):
            return None
        if isinstance(value, Select):
            truth = self._truth(value.operands[0], k // width)
            arms = [self.byte(v, k) for v in value.operands[1:]]
            return None if truth is None else byte_forms.select(truth, arms[0], arms[1])
        if isinstance(value, Binary):
            return self._binary(value, k, width)
        return self._intrinsic(value, k, width) if isinstance(value, Call) else None

    def _element(self, i: Instruction, k: int, width: int) -> Form | None:
        if isinstance(i, ShuffleVector):
            first, second, mask = i.operands
            lane = shuffle_lanes(mask)[k // width]
            assert isinstance(first.type, VectorType)
            if lane is None:
                return ZERO  # any value will do
            source, at = (first, lane) if lane < first.type.count else (second, lane - first.type.count)
            return self.byte(source, at * width + k % width)
        index = i.operands[-1]
        if not isinstance(index, ConstantInt):
            return None
        if isinstance(i, ExtractElement):
            return self.byte(i.operands[0], index.unsigned * width + k)
        if k // width == index.unsigned:
            return self.byte(i.operands[1], k % width)
        return self.byte(i.operands[0], k)

    def _cast(self, i: Cast, k: int, width: int) -> Form | None:
        source = i.operands[0]
        if i.opcode == "bitcast":
            return self.byte(source, k) if size_of(source.type) == size_of(i.type) else None
        if i.opcode == "sext" and source.type.scalar == I1:
            return self._truth(source, k // width)
        narrow = bytes_in(source.type)
        if narrow is None or i.opcode not in ("zext", "sext", "trunc"):
            return None
        lane, at = k // width, k % width
        if at < narrow:
            return self.byte(source, lane * narrow + at)
        return ZERO if i.opcode == "zext" else byte_forms.sign(self.byte(source, (lane + 1) * narrow - 1))

    def _binary(self, i: Binary, k: int, width: int) -> Form | None:
        a, b = i.operands
        operation = _BITWISE.get(i.opcode)
        if operation is not None:
            return byte_forms.combine(operation, self.byte(a, k), self.byte(b, k))
        if i.opcode == "sub":
            return self._mask(i, k // width)
        by = _constant_lane(b, k // width)
        if i.opcode not in ("shl", "lshr", "ashr") or by is None:
            return None
        lane, at = k // width, k % width
        known = self._constant(a, lane, width)
        if known is not None:
            return ByteLeaf(_SHIFTED[i.opcode](known, by, 8 * width) >> 8 * at & ALL)
        top = self.byte(a, (lane + 1) * width - 1)
        if i.opcode == "ashr" and by == 8 * width - 1:
            return byte_forms.sign(top)
        if by % 8:
            return None
        at += -by // 8 if i.opcode == "shl" else by // 8
        if 0 <= at < width:
            return self.byte(a, lane * width + at)
        return byte_forms.sign(top) if i.opcode == "ashr" else ZERO

    def _mask(self, i: Binary, lane: int) -> Form | None:
        """0 - t of a condition t: all ones where it holds."""
        zero, truth = i.operands
        while isinstance(truth, Cast) and truth.opcode in ("zext", "sext") and truth.operands[0].type.scalar != I1:
            truth = truth.operands[0]
        is_one = isinstance(truth, Cast) and truth.opcode == "zext" and _constant_lane(zero, lane) == 0
        return self._truth(truth.operands[0], lane) if is_one and isinstance(truth, Cast) else None

    def _constant(self, value: Value, lane: int, width: int) -> int | None:
        """A lane of which all bytes are known."""
        found = 0
        for k in range(width):
            form = self.byte(value, lane * width + k)
            if not isinstance(form, ByteLeaf) or form.terms:
                return None
            found |= form.constant << 8 * k
        return found

    def _intrinsic(self, i: Call, k: int, width: int) -> Form | None:
        name = i.called_function.name if i.called_function is not None else ""
        if name.startswith("llvm.bswap."):
            return self.byte(i.arguments[0], k - k % width + width - 1 - k % width)
        if not name.startswith(("llvm.fshl.", "llvm.fshr.")):
            return self._extremum(i, k, width)
        by = _constant_lane(i.arguments[2], k // width)
        if by is None or by % 8:
            return None
        by = by // 8 % width
        at = k % width + (
            width - by if name.startswith("llvm.fshl.") else by
        )  # in the second operand and the first above it
        return self.byte(i.arguments[1 if at < width else 0], k - k % width + at % width)

    def _extremum(self, i: Call, k: int, width: int) -> Form | None:
        """Which of x and 0 is larger: the sign of x decides."""
        name = i.called_function.name if i.called_function is not None else ""
        if not name.startswith(("llvm.smax.", "llvm.smin.")) or not constants.is_zero(i.arguments[1]):
            return None
        negative = byte_forms.sign(self.byte(i.arguments[0], (k // width + 1) * width - 1))
        own = self.byte(i.arguments[0], k)
        arms = (ZERO, own) if name.startswith("llvm.smax.") else (own, ZERO)
        return None if negative is None else byte_forms.select(negative, *arms)

    def _truth(self, value: Value, lane: int) -> Form | None:
        """ONES where a condition holds in a lane, ZERO elsewhere."""
        known = _constant_lane(value, lane)
        if known is not None:
            return ONES if known else ZERO
        vector = isinstance(value.type, VectorType)
        if isinstance(value, Binary) and value.opcode in _BITWISE:
            a, b = (self._truth(v, lane) for v in value.operands)
            return None if a is None or b is None else byte_forms.combine(_BITWISE[value.opcode], a, b)
        if isinstance(value, ExtractElement) and isinstance(value.operands[1], ConstantInt):
            return self._truth(value.operands[0], value.operands[1].unsigned)
        if isinstance(value, Compare) and value.predicate in ("eq", "ne") and self._are_equal(value, lane):
            return ONES if value.predicate == "eq" else ZERO
        signs = self._asked_sign(value, lane) if isinstance(value, Compare) else None
        if signs is not None:
            return signs
        if not isinstance(value, Instruction) and vector:
            return None
        value = self._equal.get(value, value)
        return ChosenByte(Condition(NumberBytes(value, lane if vector else None), None), ONES, ZERO)

    def _are_equal(self, i: Compare, lane: int) -> bool:
        """Whether two integers are the same bytes."""
        a, b = i.operands
        width = bytes_in(a.type)
        at = lane * (width or 0) if isinstance(a.type, VectorType) else 0
        return width is not None and all(self.byte(a, at + k) == self.byte(b, at + k) for k in range(width))

    def _asked_sign(self, i: Compare, lane: int) -> Form | None:
        """x < 0 and x > -1, of integers."""
        a, b = i.operands
        width = bytes_in(a.type)
        bound = {"slt": 0, "sgt": -1}.get(i.predicate)
        if i.opcode != "icmp" or width is None or bound is None or _constant_lane(b, lane, signed=True) != bound:
            return None
        at = lane if isinstance(a.type, VectorType) else 0
        negative = byte_forms.sign(self.byte(a, (at + 1) * width - 1))
        if negative is None or i.predicate == "slt":
            return negative
        return byte_forms.select(negative, ZERO, ONES)


def _equals(function: Function) -> dict[Value, Value]:
    """What is computed twice in a block, as a macro does, is the value that was computed first (local value numbering)."""
    found: dict[Value, Value] = {}
    for block in function.blocks:
        first: dict[tuple[object, ...], Value] = {}
        for i in block.instructions:
            if isinstance(i, _PURE):
                predicate = i.predicate if isinstance(i, Compare) else ""
                operands = [found.get(v, v) for v in i.operands]
                same = first.setdefault((i.opcode, predicate, i.type, i.flags, *operands), i)
                if same is not i:
                    found[i] = same
    return found


def _constant_lane(value: Value, lane: int, *, signed: bool = False) -> int | None:
    """An integer constant, or what a constant vector has in a lane."""
    if isinstance(value, ConstantSplat):
        value = value.element
    elif isinstance(value, ConstantAggregate):
        value = value.elements[lane]
    elif isinstance(value, ConstantKeyword):
        return 0 if value.keyword == "zeroinitializer" else None
    if not isinstance(value, ConstantInt):
        return None
    return value.value if signed else value.unsigned


def _constant_byte(value: Value, k: int, width: int) -> Form | None:
    if isinstance(value, ConstantKeyword):
        return ZERO if value.keyword in ("zeroinitializer", "undef", "poison") else None
    if isinstance(value, ConstantSplat):
        return _constant_byte(value.element, k % width, width)
    if isinstance(value, ConstantAggregate) and isinstance(value.type, VectorType):
        return _constant_byte(value.elements[k // width], k % width, width)
    bits = (
        value.unsigned if isinstance(value, ConstantInt) else value.bits if isinstance(value, ConstantFloat) else None
    )
    return None if bits is None else ByteLeaf(bits >> 8 * k & ALL)
