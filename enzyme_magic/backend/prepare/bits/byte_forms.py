"""The algebra of bytes that moves and bitwise operations made.

A byte is a *form*: a decision tree over conditions whose leaves are affine over GF(2): a constant and bytes of numbers under masks,
all joined by xor. In this algebra the idioms of bits are computed, not recognized:

    x & 0x7f…          the top byte of x under 0x7f                         |x|
    b ^ (m & (a ^ b))  with m all ones or all zeros: m ? b ^ a ^ b : b      m ? a : b

Invariant: a form equals the byte it stands for, whatever the numbers are. None: the algebra has no form for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enzyme_magic.backend.ir.values import Value

ALL = 0xFF
DEEPEST = 6  # conditions on the way to a leaf; more are not followed


@dataclass(frozen=True, slots=True)
class NumberBytes:
    """A number, or an integer of which only its bytes are known: `value`, or a lane of it."""

    value: Value
    lane: int | None


@dataclass(frozen=True, slots=True)
class Condition:
    """Whether `number`, an i1, holds; or whether the highest bit of its byte `byte` is set."""

    number: NumberBytes
    byte: int | None


Term = tuple[NumberBytes, int]  # a byte of a number


@dataclass(frozen=True, slots=True)
class ByteLeaf:
    """`constant` ^ (mask & byte) ^ (mask & byte) …"""

    constant: int
    terms: frozenset[tuple[Term, int]] = frozenset()

    @property
    def support(self) -> int:
        """Bits that may be set."""
        found = self.constant
        for _, mask in self.terms:
            found |= mask
        return found


@dataclass(frozen=True, slots=True)
class ChosenByte:
    condition: Condition
    true: Form
    false: Form


Form = ByteLeaf | ChosenByte
ZERO, ONES = ByteLeaf(0), ByteLeaf(ALL)


def byte_of(number: NumberBytes, k: int) -> ByteLeaf:
    return ByteLeaf(0, frozenset([((number, k), ALL)]))


def both(a: ByteLeaf, b: ByteLeaf) -> ByteLeaf | None:
    """a & b."""
    if a == b:
        return a
    if b.terms:
        a, b = b, a
    return None if b.terms else _under(a, b.constant)


def either(a: ByteLeaf, b: ByteLeaf) -> ByteLeaf | None:
    """a | b."""
    if a == b:
        return a
    if not a.support & b.support:
        return different(a, b)
    if b.terms:
        a, b = b, a
    return None if b.terms else different(_under(a, ALL & ~b.constant), b)


def different(a: ByteLeaf, b: ByteLeaf) -> ByteLeaf:
    """a ^ b."""
    masks: dict[Term, int] = dict(a.terms)
    for term, mask in b.terms:
        masks[term] = masks.get(term, 0) ^ mask
    return ByteLeaf(a.constant ^ b.constant, frozenset((term, mask) for term, mask in masks.items() if mask))


def _under(a: ByteLeaf, mask: int) -> ByteLeaf:
    kept = ((term, found & mask) for term, found in a.terms)
    return ByteLeaf(a.constant & mask, frozenset((term, found) for term, found in kept if found))


def combine(
    operation: Callable[[ByteLeaf, ByteLeaf], ByteLeaf | None], a: Form, b: Form, depth: int = 0
) -> Form | None:
    """An operation on leaves, carried through the choices of both."""
    if isinstance(a, ByteLeaf) and isinstance(b, ByteLeaf):
        return operation(a, b)
    if depth > DEEPEST:
        return None
    asked = a.condition if isinstance(a, ChosenByte) else b.condition if isinstance(b, ChosenByte) else None
    assert asked is not None
    true = combine(operation, restrict(a, asked, True), restrict(b, asked, True), depth + 1)
    false = combine(operation, restrict(a, asked, False), restrict(b, asked, False), depth + 1)
    return None if true is None or false is None else chosen(asked, true, false)


def restrict(form: Form, condition: Condition, truth: bool) -> Form:
    """`form` where it is known whether `condition` holds."""
    if isinstance(form, ByteLeaf):
        return form
    if form.condition == condition:
        return restrict(form.true if truth else form.false, condition, truth)
    return chosen(form.condition, restrict(form.true, condition, truth), restrict(form.false, condition, truth))


def chosen(condition: Condition, true: Form, false: Form) -> Form:
    return true if true == false else ChosenByte(condition, true, false)


def select(truth: Form, true: Form, false: Form, depth: int = 0) -> Form | None:
    """`true` where `truth` (ONES or ZERO at every leaf) holds."""
    if isinstance(truth, ByteLeaf):
        return None if truth.terms else true if truth.constant else false
    if depth > DEEPEST:
        return None
    c = truth.condition
    then = select(truth.true, restrict(true, c, True), restrict(false, c, True), depth + 1)
    otherwise = select(truth.false, restrict(true, c, False), restrict(false, c, False), depth + 1)
    return None if then is None or otherwise is None else chosen(c, then, otherwise)


def sign(form: Form) -> Form | None:
    """ONES where the highest bit of a byte is set, ZERO elsewhere."""
    if isinstance(form, ChosenByte):
        true, false = sign(form.true), sign(form.false)
        return None if true is None or false is None else chosen(form.condition, true, false)
    highest = _under(form, 0x80)
    if not highest.terms:
        return ONES if highest.constant else ZERO
    if len(highest.terms) > 1:
        return None
    (((number, byte), _),) = highest.terms
    negated = (ZERO, ONES) if highest.constant else (ONES, ZERO)
    return ChosenByte(Condition(number, byte), *negated)


def parts(form: Form) -> int:
    """How many leaves."""
    return 1 if isinstance(form, ByteLeaf) else parts(form.true) + parts(form.false)
