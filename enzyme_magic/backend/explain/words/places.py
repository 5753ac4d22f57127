"""Addresses as C writes what lies there: `a[i]`, `p->x`, `p[2*i].w[1]`, `*q`, `count`.

Invariant: the text names the same bytes as the address, as far as C's types of the base tell. Where these say nothing, the base is
taken for an array of elements of the size that is accessed; where they say that something else lies there, as behind a header, the
text is a cast, `((double *)(q + 1))[i]`; where even that fails there is no text.

Offsets come as polynomials in loop counters (`analysis/counts/affine.py`); a counter is written by the user's loop variable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from enzyme_magic.backend.analysis.counts.affine import Evolution, Polynomial, add
from enzyme_magic.backend.analysis.counts.formula import Atom, Formula, Term, name, number
from enzyme_magic.backend.analysis.counts.formula_text import subscript
from enzyme_magic.backend.explain.words.variables import Variables
from enzyme_magic.backend.frontend import c_types
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Binary, Cast, GetElementPtr, Load, Phi
from enzyme_magic.backend.ir.types import IntType, PointerType
from enzyme_magic.backend.ir.values import Block, ConstantInt, Value

Spell = Callable[[Value], str]
Typed = tuple[str, c_types.CType]  # C text of an object, and its type where it is known
DEEPEST = 4  # pointers loaded from memory that pointers loaded from memory point to
POINTER_SIZE = 8
_INT = 32  # bits


class Places:
    """`spell` writes an integer value as a factor. arrays: pointers the program reads with an index (`y[0]` rather than `*y`);
    extents: the declared sizes of array parameters."""

    def __init__(
        self,
        variables: Variables,
        evolution: Evolution,
        spell: Spell,
        arrays: frozenset[str] = frozenset(),
        extents: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.variables = variables
        self.evolution = evolution
        self.spell = spell
        self.arrays = arrays
        self.extents = extents or {}
        self._counters: dict[Loop, Formula | None] = {}

    # --- numbers

    def formula(self, polynomial: Polynomial) -> Formula | None:
        """A polynomial in C's names; None where a loop has no variable that counts it."""
        result = Formula()
        for monomial, coefficient in polynomial.items():
            factor: Formula | None = number(coefficient)
            for symbol in monomial:
                atom = self._symbol(symbol)
                factor = None if factor is None or atom is None else factor * atom
            if factor is None:
                return None
            result += factor
        return result

    def _symbol(self, symbol: int) -> Formula | None:
        of = self.evolution.symbols[symbol].of
        return self._counter(of) if isinstance(of, Loop) else self._value(of)

    def _value(self, of: Value) -> Formula:
        if isinstance(of, Phi) and of not in self.variables.held and of in self.variables.shifted:
            variable, shift = self.variables.shifted[of]
            return name(variable.name) - number(shift)
        return _product(self.spell(of))

    def _counter(self, loop: Loop) -> Formula | None:
        """The iteration number of `loop` by the variable that counts it: i, or (n - i)/2."""
        if loop not in self._counters:
            self._counters[loop] = None  # a variable cannot be explained by itself
            self._counters[loop] = self._find_counter(loop)
        return self._counters[loop]

    def _find_counter(self, loop: Loop) -> Formula | None:
        iteration = self.evolution.iteration(loop)
        for phi, name_, shift in self.counting(loop):
            polynomial = add(self.evolution.integer(phi), {(): shift} if shift else {})
            step = polynomial.get((iteration,))
            rest = {m: c for m, c in polynomial.items() if m != (iteration,)}
            if not step or any(iteration in monomial for monomial in rest):
                continue
            start = self.formula(rest)
            if start is not None:
                return (name(name_) - start).times(Fraction(1, step))
        return None

    def counting(self, loop: Loop) -> list[tuple[Phi, str, int]]:
        """Integer variables that the iterations of the loop step: (phi, name, what the name is beyond the phi)."""
        held, shifted, counts = self.variables.held, self.variables.shifted, self.variables.counts
        phis = [i for i in loop.header.instructions if isinstance(i, Phi) and isinstance(i.type, IntType)]
        named = [(phi, counts[phi][0].name, counts[phi][1]) for phi in phis if phi in counts]
        named += [(phi, held[phi].name, 0) for phi in phis if phi in held]
        named += [(phi, shifted[phi][0].name, shifted[phi][1]) for phi in phis if phi in shifted]
        iteration = self.evolution.iteration(loop)
        return [found for found in named if (iteration,) in self.evolution.integer(found[0])]

    def stepped(self, phi: Phi) -> str | None:
        """A whole number without a name that the iterations of a loop step, by the variable that counts them: `col + 1`."""
        loop = self.evolution.loops.of(phi.parent) if phi.parent is not None else None
        known = phi in self.variables.held or phi in self.variables.shifted
        if known or loop is None or loop.header is not phi.parent or not isinstance(phi.type, IntType):
            return None
        polynomial = self.evolution.integer(phi)
        if any(self.evolution.symbols[symbol].of is phi for monomial in polynomial for symbol in monomial):
            return None
        formula = self.formula(polynomial)
        return _index(formula) if formula is not None else None

    def counting_at(self, header: Block) -> str | None:
        """The name of the variable that counts the loop with this header."""
        loop = self.evolution.loops.of(header)
        found = self.counting(loop) if loop is not None and loop.header is header else []
        if found or loop is None:
            return found[0][1] if found else None
        held = self.variables.held
        return next((held[i].name for i in header.instructions if isinstance(i, Phi) and _walks(i) and i in held), None)

    # --- memory

    def place(self, pointer: Value, size: int, wanted: str = "") -> str | None:
        """What lies at `pointer`, of which `size` bytes are accessed. wanted: the C type of a number that is read or written."""
        for found in (self._place(pointer, size, DEEPEST), self._indexed(pointer, size)):
            number_ = _as_number(found, wanted) if found is not None and wanted else found
            if number_ is not None:
                return number_[0]
        return self._cast(pointer, size, wanted)

    def beyond(self, pointer: Value, offset: Polynomial, size: int) -> str | None:
        """What lies that many bytes beyond `pointer`."""
        found = self._place(pointer, size, DEEPEST, offset)
        return found[0] if found is not None else None

    def _cast(self, pointer: Value, size: int, wanted: str) -> str | None:
        """`((double *)(q + 1))[i]`: a number where C's types of the base tell of none, as behind a header."""
        base, offset = self._base(pointer)
        named = self._pointer(base) if wanted else None
        if named is None:
            return None
        text_, type_ = named
        to = type_.to if isinstance(type_, c_types.Pointer) else c_types.VOID
        element, start = c_types.size_of(to), offset.get((), 0)
        split = self._split(add(offset, {(): -start} if start else {}), size)
        if split is None or split[1]:
            return None
        whole = start // element if element else 0
        rest = start - whole * (element or 0)
        if rest % size:
            text_, whole, rest = f"(char *){text_}", start, 0
        start_of = f"({text_} {'+' if whole > 0 else '-'} {abs(whole)})" if whole else text_
        index = split[0] + number(rest // size)
        return f"(({wanted} *){start_of})[{_index(index)}]" if index.terms else f"*({wanted} *){start_of}"

    def _pointer(self, base: Value) -> Typed | None:
        """A pointer as C says it; None where it has no words."""
        memory, held = self.variables.of_memory(base), self.variables.held.get(base)
        if memory is not None:
            return (f"&{memory.name}", c_types.Pointer(memory.type)) if _is_primary(memory.name) else None
        if held is not None:
            return (held.name, held.type) if _is_primary(held.name) else None
        loaded = self._place(base.pointer, POINTER_SIZE, DEEPEST) if isinstance(base, Load) else None
        return loaded if loaded is not None and _is_primary(loaded[0]) else None

    def whole(self, pointer: Value, size: int) -> str | None:
        """The object of just that size at `pointer`; None where C's types tell of none."""
        found = self._place(pointer, size, DEEPEST)
        return found[0] if found is not None and c_types.size_of(found[1]) == size else None

    def element_size(self, pointer: Value) -> int | None:
        """Bytes of what the pointer or array of the user's points to that `pointer` lies in."""
        base, _ = self._base(pointer)
        held, memory = self.variables.held.get(base), self.variables.of_memory(base)
        if memory is not None:
            return c_types.size_of(memory.type.element) if isinstance(memory.type, c_types.Array) else None
        return c_types.size_of(held.type.to) if held is not None and isinstance(held.type, c_types.Pointer) else None

    def _indexed(self, pointer: Value, size: int) -> Typed | None:
        """`a[k]` by the index as it stands, where nothing is known of how it came about."""
        if not isinstance(pointer, GetElementPtr) or len(pointer.indices) != 1:
            return None
        held, memory = self.variables.held.get(pointer.pointer), self.variables.of_memory(pointer.pointer)
        found = held or memory
        if found is None or self.evolution.layout.size_of(pointer.source_type) != size:
            return None
        to = found.type.to if isinstance(found.type, c_types.Pointer) else c_types.VOID
        return f"{found.name}[{_bare(self.spell(pointer.indices[0]))}]", to

    def _place(self, pointer: Value, size: int, depth: int, beyond: Polynomial | None = None) -> Typed | None:
        """beyond: bytes from there."""
        base, offset = self._base(pointer)
        offset = add(offset, beyond) if beyond else offset
        in_memory = self.variables.of_memory(base)
        if in_memory is not None:
            return self._inside((in_memory.name, in_memory.type), offset, size)
        held = self.variables.held.get(base)
        if held is not None:
            return self._behind((held.name, held.type), offset, size)
        if isinstance(base, Load) and depth:
            loaded = self._place(base.pointer, POINTER_SIZE, depth - 1)
            if loaded is not None:
                return self._behind(loaded, offset, size)
        return self._elements(self.spell(base), offset, size)

    def _base(self, pointer: Value) -> tuple[Value, Polynomial]:
        """The nearest pointer with a name, and the bytes from there."""
        whole = self.evolution.address(pointer)
        named = pointer
        while isinstance(named, GetElementPtr) and named not in self.variables.held:
            named = named.pointer
        if named in self.variables.held or self.variables.of_memory(named) is not None:
            near = self.evolution.address(named)
            if near.base is whole.base:
                return named, add(whole.offset, near.offset, -1)
        return whole.base, whole.offset

    def _behind(self, pointer: Typed, offset: Polynomial, size: int) -> Typed | None:
        """Memory a pointer points into."""
        text_, type_ = pointer
        to = type_.to if isinstance(type_, c_types.Pointer) else c_types.VOID
        if isinstance(to, c_types.Opaque):
            to = self.variables.structs.get(to.name, to)
        name_ = text_ if _is_primary(text_) else f"({text_})"
        element = c_types.size_of(to)
        split = self._split(offset, element) if element else None
        if isinstance(to, c_types.Struct) and split is not None and element and set(split[1]) - {()}:
            split = self._split_within(split, offset, element)
        if split is None:
            return self._rows(text_, to, offset, size) or self._elements(name_, offset, size)
        index, rest = split
        if _reaches_the_tail(to, offset):
            index, rest = Formula(), offset
        if not index.terms:
            if isinstance(to, c_types.Struct):
                inner = self._inside(("", to), rest, size)
                return (
                    None if inner is None else (f"{name_}->{inner[0][1:]}", inner[1]) if inner[0] else (f"*{text_}", to)
                )
            if not rest and not isinstance(to, c_types.Array):
                return (f"{name_}[0]" if text_ in self.arrays else f"*{name_}"), to
        return self._inside((f"{name_}[{_index(index)}]", to), rest, size)

    def _rows(self, pointer: str, to: c_types.CType, offset: Polynomial, size: int) -> Typed | None:
        """`A[i][j]` of an array whose inner extents are parameters: i·m + j with the stride m taken apart."""
        strides = self.extents.get(pointer, ())[1:]
        split = self._split(offset, size) if size else None
        if not strides or split is None or split[1] or not all(stride.isidentifier() for stride in strides):
            return None
        rest, subscripts = split[0], ""
        for level in range(len(strides) + 1):
            row, rest = _divided(rest, strides[level:])
            subscripts += f"[{_index(row)}]"
            to = to.element if isinstance(to, c_types.Array) else to
        return f"{pointer}{subscripts}", to

    def _inside(self, found: Typed, offset: Polynomial, size: int) -> Typed | None:
        """A part of an object: members and elements down to what has the accessed size."""
        text_, type_ = found
        while True:
            if isinstance(type_, c_types.Struct) and not type_.union and (offset or type_.size != size):
                member = self._member(type_, offset)
                if member is None:
                    return None
                text_ = f"{text_}.{member.name}" if member.name else text_
                type_, offset = member.type, add(offset, {(): -member.offset} if member.offset else {})
                continue
            element = c_types.size_of(type_.element) if isinstance(type_, c_types.Array) else None
            if isinstance(type_, c_types.Array) and element:
                split = self._split(offset, element)
                if split is None:
                    return None
                index, offset = split
                text_, type_ = f"{text_}[{_index(index)}]", type_.element
                continue
            if set(offset) <= {()} and (part := c_types.complex_part(type_, offset.get((), 0), size)):
                return f"{part}({text_})", c_types.VOID
            if not offset:
                return text_, type_
            known = isinstance(type_, c_types.Struct) or c_types.size_of(type_)  # what lies there is no part of it
            return None if known else self._elements(text_, offset, size)

    def _split_within(
        self, split: tuple[Formula, Polynomial], offset: Polynomial, element: int
    ) -> tuple[Formula, Polynomial]:
        """The same for an array in one struct, or in one that a number tells: by where the array's index is 0."""
        if split[0].constant is None:
            return split
        index = self._start(offset) // element
        return number(index), add(offset, {(): -index * element} if index else {})

    def _start(self, offset: Polynomial) -> int:
        """The bytes in front, where indices are 0: one that counts downwards does so from n - 1."""
        named = self.formula(offset) if set(offset) - {()} else None
        return int(next((c for term, c in named.terms if not term), 0)) if named is not None else offset.get((), 0)

    def _member(self, struct: c_types.Struct, offset: Polynomial) -> c_types.Field | None:
        """The member in which the bytes lie."""
        start = self._start(offset)
        inside = [f for f in struct.fields if f.offset <= start]
        return inside[-1] if inside else None

    def _split(self, offset: Polynomial, element: int) -> tuple[Formula, Polynomial] | None:
        """(index, bytes inside the element): whole elements of every term, the rest of the constant and of smaller strides."""
        multiples, offset = self._multiples(offset, element)
        whole = {m: c // element * element for m, c in offset.items() if m == () or c % element == 0}
        rest = add(offset, whole, -1)
        index = self.formula({m: c for m, c in whole.items() if c})
        if index is None:
            return None
        index = index.times(Fraction(1, element)) + multiples
        return (index, rest) if all(c.denominator == 1 for _, c in index.terms) else None

    def _multiples(self, offset: Polynomial, element: int) -> tuple[Formula, Polynomial]:
        """Whole elements in terms that shifts have multiplied (so LLVM widens and scales an index), and the rest."""
        found, rest = Formula(), {}
        for monomial, coefficient in offset.items():
            of = self.evolution.symbols[monomial[0]].of if len(monomial) == 1 else None
            scaled = scaled_by_shifts(of, self.variables.is_int) if isinstance(of, Value) else None
            if scaled is None or coefficient * scaled[1] % element:
                rest[monomial] = coefficient
            else:
                found += self._value(scaled[0]).times(Fraction(coefficient * scaled[1], element))
        return found, rest

    def _elements(self, text_: str, offset: Polynomial, size: int) -> Typed | None:
        """`text_` as an array of elements of `size` bytes."""
        if not offset:
            return f"*{text_}", c_types.VOID
        split = self._split(offset, size) if size else None
        if split is None or split[1]:
            return None
        return f"{text_}[{_index(split[0])}]", c_types.VOID


def scaled_by_shifts(value: Value, is_int: Callable[[Value], bool] = lambda _: False) -> tuple[Value, int] | None:
    """x and 8 of `x << 32 >> 29`, where the bits that are lost on the way are copies of the sign: an `int` that became a `long`.

    Also x and 1 of `x & 0xffffffff` where x is computed from such numbers alone. is_int: whether a value is one by C's types."""
    if not isinstance(value, Binary) or value.opcode not in ("ashr", "and"):
        return None
    if value.opcode == "and":
        whole, mask = value.operands
        low = isinstance(mask, ConstantInt) and mask.value == (1 << _INT) - 1 and not isinstance(whole, ConstantInt)
        return (whole, 1) if low and _of_ints(whole, is_int) else None
    left, down = value.operands
    if not isinstance(left, Binary) or left.opcode != "shl" or not isinstance(down, ConstantInt):
        return None
    up = left.operands[1]
    if not isinstance(up, ConstantInt) or up.value != _INT or not 0 <= down.value <= _INT:
        return None
    return left.operands[0], 1 << (up.value - down.value)


def _of_ints(value: Value, is_int: Callable[[Value], bool], deep: int = 4) -> bool:
    """Whether a number of 64 bits is computed from numbers of C's type int, which LLVM has widened, and nothing else."""
    if isinstance(value, ConstantInt) or is_int(value):
        return True
    if isinstance(value, Cast):
        return value.opcode in ("sext", "zext") and value.operands[0].type == IntType(_INT)
    computed = isinstance(value, Binary) and value.opcode in ("add", "sub", "mul") and deep > 0
    return computed and all(_of_ints(operand, is_int, deep - 1) for operand in value.operands)  # type: ignore[attr-defined]


def _reaches_the_tail(to: c_types.CType, offset: Polynomial) -> bool:
    """Whether the bytes begin in the flexible array at the end of a struct."""
    last = to.fields[-1] if isinstance(to, c_types.Struct) and to.fields and not to.union else None
    if last is None or not isinstance(last.type, c_types.Array) or last.type.count:
        return False
    return offset.get((), 0) >= last.offset


def _as_number(found: Typed, wanted: str) -> Typed | None:
    """The same as a floating number: of a union its member of that type; None where it is none."""
    text_, type_ = found
    if isinstance(type_, c_types.Struct) and type_.union:
        named = (f for f in type_.fields if f.name and isinstance(f.type, c_types.Scalar) and f.type.base == wanted)
        member = next(named, None)
        return (f"{text_}.{member.name}", member.type) if member is not None else None
    return found if _may_be(type_, wanted) else None


def _may_be(type_: c_types.CType, wanted: str) -> bool:
    """Whether a floating number of C may be what lies there. A vector of them counts as the first."""
    if isinstance(type_, (c_types.Void, c_types.Opaque, c_types.Vector)):
        return True
    if isinstance(type_, c_types.Struct):
        return any(f.offset == 0 and _may_be(f.type, wanted) for f in type_.fields)
    if isinstance(type_, c_types.Array):
        return _may_be(type_.element, wanted)
    return isinstance(type_, c_types.Scalar) and (type_.kind == "complex" or type_.base == wanted)


def _divided(formula: Formula, by: tuple[str, ...]) -> tuple[Formula, Formula]:
    """(quotient, rest) by a product of names: the terms that have it, without it, and the others."""
    quotient: list[tuple[Term, Fraction]] = []
    rest: list[tuple[Term, Fraction]] = []
    for term, coefficient in formula.terms:
        left: list[Atom] = list(term)
        for name_ in by:
            if name_ not in left:
                rest.append((term, coefficient))
                break
            left.remove(name_)
        else:
            quotient.append((tuple(left), coefficient))
    return Formula.of(quotient), Formula.of(rest)


def _index(formula: Formula) -> str:
    return _bare(subscript(formula))


def _bare(text_: str) -> str:
    """Without parentheses around the whole."""
    if not (text_.startswith("(") and text_.endswith(")")):
        return text_
    depth = 0
    for position, character in enumerate(text_):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not depth and position < len(text_) - 1:
            return text_
    return text_[1:-1]


def _product(text_: str) -> Formula:
    """A factor as a formula: `(n*i)` is a product of two names, anything else one name."""
    factors = text_[1:-1].split("*") if text_.startswith("(") and text_.endswith(")") else []
    if not factors or not all(factor.isidentifier() for factor in factors):
        return name(text_)
    product = name(factors[0])
    for factor in factors[1:]:
        product = product * name(factor)
    return product


def _walks(phi: Phi) -> bool:
    """Whether it is a pointer that goes along a list or an array."""
    return isinstance(phi.type, PointerType)


def _is_primary(text_: str) -> bool:
    """Whether it can stand before a bracket or an arrow."""
    return not text_.startswith(("*", "&", "-")) and " " not in text_
